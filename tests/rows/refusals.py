"""What may be refused, and why: the one table. What is refused and does not stand here is a failure, as is a
wrong number.

    op | op | ...      source > target      dtypes      words of the refusal

`*` is any; a target of `*` is a call that cannot even be read. Where the words begin with "raises" the
translation runs into the target's own error, on inputs that it does not take. The reason is what the user is
told; where that is no reason, one follows after `--`. An indented line goes on with the row above it, at the
next column. A row that names its op and source and nothing refuses any more fails as well; those that only
all samples or probes need have a source of `*`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from running import Finding

TABLE = """
clip                    jax > numpy  *          depends on dtypes that are not known
                                                -- two numbers and then an array
linspace                * > *        *          equal distances as
full|full_like          * > *        *          is out of bounds for uint8
                                                -- NumPy raises, the others wrap it round
full|full_like          * > *        *          is no number of              -- inf and nan

einsum                  * > *        *          sums small integers in int64 there, others do not
divide|floor_divide|fmod|trunc_divide|remainder|maximum|minimum
                        * > *        *          does not take
                                                -- a Python number, which torch makes a tensor of

hard_tanh               jax > *      complex64  jax has no                   -- no order of complex numbers
relu                    jax > *      bool       jax has no relu of bool      -- a weak int comes out
hard_tanh               jax > *      uint8|complex64  jax has no hard_tanh
                                                -- -1 wraps round, and all are below it
dot|vdot                * > torch    bool       torch has no                 -- nor a matmul of bool
inner                   torch > *    bool       torch has no inner of bool
                                                -- save with an operand without axes
average                 jax > *      bool|uint8|int8|int32|int64  jax has no average
                                                -- NumPy raises where bools sum to 0
vector_norm             jax > *      *          jax has no vector_norm
                                                -- of ints, which stay ints where ord is inf
softmax|log_softmax|soft_sign
                        * > *        *          which may wrap round
softmax|log_softmax     * > *        bool       jax has no
log_sigmoid             jax > *      *          jax has no log_sigmoid
                                                -- ints may wrap round; and of complex numbers
logical_and|logical_or|logical_xor
                        * > *        *          where it is 0
                                                -- a Python int wraps round, and is no longer true
isclose                 * > *        float16    numpy's isclose overflows
                                                -- and calls all numbers close to one beyond the dtype
pow                     * > *        bool       numpy squares bool in int8
sigmoid                 * > *        bool|uint8|int8|int32|int64  jax has no sigmoid of
                                                -- which expit alone has
clip                    * > *        complex64  jax has no clip of
                                                -- no order of complex numbers, save in lax.clamp
clip                    * > *        bool       torch has no clip of         -- save by tensors alone
mish|softplus           jax > *      complex64  jax has no                   -- no other framework has these
irfft|irfftn            jax > *      float16|bfloat16  jax has no
irfft|irfftn            numpy > *    float16    numpy has no

argmin|argmax|argsort   numpy > *    complex64  has no                       -- no order of complex numbers
argsort                 jax > torch  complex64  torch has no
searchsorted            * > *        *          torch has no searchsorted of complex
searchsorted            * > *        *          is out of bounds for int64
                                                -- NumPy makes uint64 of it, and torch no one knows what
less|less_equal|greater|greater_equal
                        * > torch    *          torch has no
                                                -- no order of complex numbers, and nothing of uint32
median|lower_median     * > torch    complex64  torch has no
logaddexp               jax > torch  complex64  torch has no counterpart
lower_median            * > jax      *          jax has no counterpart of lower_median
                                                -- jnp.quantile makes floats of ints
median|lower_median     * > torch    *          torch has no counterpart of  -- along several axes
softmax|log_softmax     * > torch    *          torch has no counterpart of max with axis=()
sum|prod|mean|max|min|var|std|any|all|count_nonzero|vector_norm|logsumexp
                        * > torch    *          axis=()  -- no axis at all is all axes there
cdist|pdist             torch > *    float16|bfloat16  torch has no  -- of an empty tensor nothing is asked
unique_inverse|unique_counts|unique_inverse_counts
                        * > torch    *          torch counts every NaN as a value of its own
unique_values           jax > torch  complex64  torch has no
unique_values|unique_inverse|unique_counts|unique_inverse_counts
                        * > jax      *          the size of its result depends on the values
dot_product_attention   jax > *      *          jax has no                   -- of anything but floats
dot_product_attention   jax > jax    float16    raises ValueError: The precision
                                                -- under jit, JAX has it on GPUs only
avg_pool                torch > *    *          has no counterpart of avg_pool with ceil_mode=True
l1_loss                 torch > *    *          torch has no l1_loss
                                                -- ints stay ints, and their sum is wider
relu6                   torch > *    *          torch has no relu6 of        -- ints stay ints

matmul|einsum|matrix_power|softmax|log_softmax|searchsorted|svdvals|lower_median
                        torch > *    *          torch has no  -- of an empty tensor nothing is asked
linear                  * > *        bool       torch has no linear  -- of an empty tensor nothing is asked
svdvals                 * > *        float16|bfloat16  jax has no svdvals of  -- likewise
lower_median            torch > *    *          raises  -- the median of nothing is NaN in torch alone
median                  * > jax      *          raises TypeError: Slice size  -- likewise in NumPy alone
median                  * > torch    *          raises IndexError: kthvalue()
softmax|log_softmax     * > numpy    *          raises ValueError: zero-size array
                                                -- NumPy has no largest of nothing
fft|ifft|fftn|ifftn|irfftn
                        * > numpy    *          raises ValueError: Invalid number of FFT data points
                                                -- JAX alone transforms nothing
fft|ifft|fftn|ifftn|irfftn
                        * > torch    *          raises RuntimeError: Invalid number of data points
irfft                   * > torch    *          raises RuntimeError: MKL FFT error
fftshift|ifftshift      * > numpy    *          raises ValueError: not enough values to unpack
                                                -- JAX alone shifts what has no axes
fftshift|ifftshift      * > torch    *          raises RuntimeError: `shifts` required
*                       numpy > *    *          NumPy compares these integers exactly, and no dtype holds both
*                       * > jax      *          is beyond the floats of 32 bits
*                       * > jax      *          floats of 32 bits do not hold the integers
*                       numpy > jax  *          16777216.5 is 16777216.0 in floats of 32 bits
*                       * > jax      *          out of bounds for int32
*                       torch > *    *          raises TraceError: torch itself refuses
                                                -- its fake tensors do
"""


@dataclass(frozen=True)
class Row:
    ops: tuple[str, ...]
    source: str
    target: str
    dtypes: tuple[str, ...]
    words: str

    def speaks_of(self, op: str, finding: Finding) -> bool:
        said = (
            finding.why
            if finding.kind == "refused"
            else f"raises {finding.why}"
            if finding.kind == "broken"
            else "wrong"
        )
        return (
            (self.ops == ("*",) or op in self.ops)
            and self.source in ("*", finding.source)
            and (
                self.target == "*"
                or self.target in (finding.target, "any")
                and finding.target in (self.target, "any")
            )
            and (self.dtypes == ("*",) or finding.line.dtype in self.dtypes)
            and self.words in said
        )


@cache
def rows() -> tuple[Row, ...]:
    found = []
    for text in filter(None, map(str.strip, re.sub(r"\n +", "  ", TABLE).splitlines())):
        ops, source, target, dtypes, words = re.split(
            r"\s{2,}|\s+>\s+", text.partition(" -- ")[0].rstrip(), maxsplit=4
        )
        found.append(Row(tuple(ops.split("|")), source, target, tuple(dtypes.split("|")), words))
    return tuple(found)


def allowed(op: str, finding: Finding) -> list[Row]:
    """The rows of the table that allow a refusal; none for a wrong number."""
    return [row for row in rows() if row.speaks_of(op, finding)]


def missing(finding: Finding) -> bool:
    """Whether a target refuses since it has no such op of this dtype: what backends/typing says, and its own
    tests hold against the framework.
    """
    words = rf"{finding.target} (has no|computes) \w+ of (\w+|\w+ in \w+)$"
    refused = finding.kind == "refused" and finding.target != finding.source
    return refused and re.match(words, finding.why) is not None


def stale(op: str, source: str, met: set[Row]) -> list[Row]:
    """The rows about this op and source that nothing refused."""
    return [row for row in rows() if op in row.ops and row.source == source and row not in met]

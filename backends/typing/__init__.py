"""What dtype an operation runs in and what dtype comes out: the rules of NumPy 2, JAX and torch, as data.

The result alone does not say what was computed: `int64[16777217] == float32[16777216.]` is bool in all three,
and differs. So `typing` gives both: `compute`, in which the elementwise loop runs (cast the operands to it,
apply the op, cast to `result`, and the framework's own value is there), and `result`. A row (row.py) says
which dtypes an op takes and what they become; a framework adds how its operands promote. Rows of classes (see
ir.op) stand here; an op that deviates from its class says so beside its phrases (`types=` of rows.say).

No framework is imported here. The tables were checked against NumPy 2.4, JAX 0.10 and torch 2.13 (CPU), whose
default dtype is taken to be float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ...ir.errors import VAGUE
from ...ir.meaning.layers import Table, remembered
from ...ir.meaning.op import Op
from ...ir.values import dtypes
from ...ir.values.dtypes import DTYPES, DType
from ..backend import ground
from ..loading import load
from . import jax, numpy, torch
from .row import NOTHING, Call, NoTyping, Operand, Refused, Row, Typing, exceeds, row

__all__ = [
    "NoTyping", "Operand", "Refused", "Typing", "asks_ranks", "declare", "exceeds", "gives_bools", "traits",
    "typing",
]  # fmt: skip

RULES: dict[str, Callable[[Call, Row], Typing]] = {
    "numpy": numpy.rule,
    "jax": jax.rule,
    "torch": torch.rule,
}
CLASSES = {"numpy": numpy.CLASSES, "jax": jax.CLASSES, "torch": torch.CLASSES}
FLOATED = {"numpy": numpy.floated, "jax": jax.floated, "torch": torch.floated}
#: How a framework's dtypes deviate from an op's class, as the dictionary says it: by framework and op.
DECLARED: Table[tuple[str, str], Row] = Table("types")


def declare(op: str, types: str) -> None:
    """Say how frameworks deviate from the class of an op, each in a line: `numpy: bool>- num` (row.py).

    Raises:
        ValueError: where a line is none.
    """
    for line in filter(None, map(str.strip, types.splitlines())):
        framework, said, text = line.partition(":")
        if framework not in RULES or not said:
            raise ValueError(f"{line!r} starts with no framework and a colon")
        DECLARED[framework, op] = row(text, FLOATED[framework])


def row_of(framework: str, op: str, cls: str) -> Row:
    """The row of an op, or of its class."""
    own, common = DECLARED.get((framework, op)), CLASSES[framework].get(cls, NOTHING)
    return common if own is None else own if own.compute else replace(common, traits=own.traits)


def traits(framework: str, op: Op) -> frozenset[str]:
    """What else is said of how a framework, or a column of it, computes an op: words of TRAITS."""
    load()
    return row_of(ground(framework), op.name, op.rules[0].cls).traits


def gives_bools(op: Op) -> bool:
    """Whether bools come out of an op in all frameworks, whatever they are given."""
    load()
    rows = (row_of(framework, op.name, op.rules[0].cls) for framework in RULES)
    return all({*row.result.values()} <= {dtypes.bool_} for row in rows)


def typing(
    framework: str,
    cls: str,
    operands: Sequence[Operand],
    *,
    op: str = "",
    dtype: DType | None = None,
    x64: bool = True,
) -> Typing:
    """The compute and result dtype of an op of class `cls` on these operands.

    An operand of unknown rank or dtype stands for all it may be, as far as the framework accepts it.

    Args:
        framework: its name, or that of a column.
        cls: the op's dtype class, as in ir.op.
        operands: those that the class is about, in the op's order.
        op: its name, for the rows that deviate from the class.
        dtype: an explicit `dtype=`.
        x64: JAX's flag; without it 64-bit dtypes are narrowed to 32, operands included.

    Raises:
        NoTyping: where the framework refuses, or where it matters what an unknown operand is.
    """
    return cached(ground(framework), Call(cls, op, tuple(operands), dtype, x64))


def asks_ranks(
    framework: str, cls: str, operands: Sequence[Operand], *, op: str = "", x64: bool = True
) -> bool:
    """Whether other dtypes would come out if the arrays among these operands had other ranks."""
    anyhow = [o if o.form == "python" else Operand(None, o.dtype, o.form, o.value) for o in operands]
    if len(anyhow) > MANY:  # of alike ones two say as much as twenty
        anyhow = [o for i, o in enumerate(anyhow) if anyhow[:i].count(o) < 2]
    try:
        typing(framework, cls, anyhow, op=op, x64=x64)
    except NoTyping:
        return True
    return False


#: With more operands than this not all combinations of what they may be are tried.
MANY = 4


@remembered(65536)
def cached(framework: str, call: Call) -> Typing:
    load()
    found: set[Typing] = set()
    refusal: NoTyping = NoTyping(f"{framework} has no {call.name} of no operands")
    for operands in product(*(candidates(framework, call, operand) for operand in call.operands)):
        try:
            found.add(one(framework, call.on(operands)))
        except NoTyping as error:
            refusal = error
    if not found:
        raise refusal
    if len(found) > 1:
        vague = unknown(call.operands)
        raise NoTyping(f"what {framework} computes in {call.name} depends on {vague}: {VAGUE}")
    return found.pop()


def one(framework: str, call: Call) -> Typing:
    if call.cls == "index" and not call.operands:  # positions in what is not there yet
        return Typing(None, dtypes.int64 if call.x64 else dtypes.int32)
    row = row_of(framework, call.op, call.cls)
    try:
        found = RULES[framework](call, row)
    except Refused as refused:
        raise NoTyping(str(refused)) if "unsaid" in row.traits else refused from None
    exponent = call.operands[-1].value if call.cls == "power" else None
    if isinstance(exponent, int) and exponent < 0 and found.result.is_integer:
        raise Refused("integers to negative integer powers are not allowed")
    return found


def candidates(framework: str, call: Call, operand: Operand) -> Iterator[Operand]:
    """All that an operand may be. torch asks whether an array has axes, and others where the row says so."""
    asks = framework == "torch" or "by rank" in row_of(framework, call.op, call.cls).traits
    ranks = (0, 1) if asks and operand.rank is None else (operand.rank,)
    dtypes = DTYPES.values() if operand.dtype is None else (operand.dtype,)
    for rank, dtype in product(ranks, dtypes):
        yield Operand(rank, dtype, operand.form, operand.value)


def unknown(operands: Sequence[Operand]) -> str:
    missing = "dtypes" if any(operand.dtype is None for operand in operands) else "ranks"
    return f"{missing} that are not known"

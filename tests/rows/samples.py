"""Sample calls of an op, derived from its row: shapes that its Subscript takes, and values of its parameters.

Shapes are those of SHAPES, and combinations of them, for which the op's own inference finds a result: one for
each rank, with and without axes of size 1 and 0, equal and broadcasting. Parameters are sampled by name in
PARAMETERS, the one table; a parameter that is not in it and is no flag fails the tests of its op.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

from tracelate.ir import dtypes
from tracelate.ir.op import HOMOGENEOUS, Op, infer, over
from tracelate.ir.spec import Spec

Shape = tuple[int, ...]

DTYPES = ("float32", "bool", "uint8", "int8", "int32", "float16", "bfloat16", "complex64", "int64", "float64")
#: With these JAX runs with x64.
WIDE = ("int64", "float64")

#: Ops that no table of parameters can sample, or no tolerance judge: tests/backends/phrases has their cases,
#: written by hand.
BY_HAND = {
    "getitem": "its key is a language of its own",
    "getitem_mask": "likewise, and the size of its result depends on the values", "update": "likewise", "accumulate": "likewise",
    "repeat_each": "there are as many counts as places",
    "svd": "its factors are unique up to signs", "eigh": "likewise", "qr": "likewise",
}  # fmt: skip

#: Legal combinations are tried in this order, so the first is the one on which parameters are varied.
SHAPES: tuple[Shape, ...] = (
    (3, 4, 5), (4, 5), (5,), (), (3, 4), (5, 4), (3, 3), (2, 3, 3), (3, 5, 4), (3, 1, 5), (1, 5), (1,), (1, 1), (0,), (0, 5), (3, 0), (3,),
)  # fmt: skip
#: For three arrays and more, where combinations are many.
FEW: tuple[Shape, ...] = ((3, 4, 5), (4, 5), (5,), (), (3, 1, 1), (0, 5))


#: Where no combination of these would do, or would show little.
COMBINED: dict[str, list[tuple[Shape | None, ...]]] = {
    "addmm": [((3, 5), (3, 4), (4, 5)), ((5,), (3, 4), (4, 5)), ((3,), (3, 4), (4,)), ((2, 3, 5), (2, 3, 4), (2, 4, 5))],
    "conv": [(x, w, b) for x, w in (((2, 4, 9), (6, 2, 3)), ((2, 4, 7, 8), (6, 4, 3, 2)), ((1, 2, 4, 5, 6), (6, 2, 2, 2, 2))) for b in ((6,), None)],
    "conv_transpose": [(x, w, b) for x, w in (((2, 4, 5), (4, 3, 3)), ((2, 4, 4, 5), (4, 3, 3, 2)), ((1, 2, 3, 4, 3), (2, 3, 2, 2, 2))) for b in ((3,), None)],
    "roll": [((3, 4, 5),), ((2, 3, 1, 4),), ((4, 5),), ((5,),), ((),), ((0, 5),)],
    "max_pool": [((2, 3, 8),), ((2, 3, 7, 8),), ((1, 2, 5, 6, 7),)], "avg_pool": [((2, 3, 8),), ((2, 3, 7, 8),), ((1, 2, 5, 6, 7),)],
    "group_norm": [((3, 4, 5), (4,), (4,)), ((3, 4), (4,), (4,)), ((3, 4, 5), (4,), None), ((3, 4, 5), None, (4,)), ((2, 4, 3, 5), None, None)],
    "instance_norm": [((3, 4, 5), (4,), (4,)), ((3, 4, 5), (4,), None), ((3, 4, 5), None, (4,)), ((2, 4, 3, 5), None, None)],
    "batch_norm": [((3, 4, 5), (4,), (4,), (4,), (4,)), ((3, 4), (4,), (4,), (4,), (4,)), ((3, 4, 5), (4,), (4,), (4,), None),
                   ((3, 4, 5), (4,), (4,), None, (4,)), ((2, 4, 3, 5), (4,), (4,), None, None)],
    "scaled_dot_product_attention": [((3, 4, 5), (3, 6, 5), (3, 6, 2), None), ((3, 4, 5), (3, 6, 5), (3, 6, 2), (4, 6)), ((2, 3, 4, 5), (2, 3, 4, 5), (2, 3, 4, 5), None)],
    "dot_product_attention": [((2, 4, 3, 5), (2, 6, 3, 5), (2, 6, 3, 5), None, None), ((2, 4, 3, 5), (2, 6, 3, 5), (2, 6, 3, 5), (2, 3, 4, 6), None),
                              ((2, 4, 3, 5), (2, 6, 3, 5), (2, 6, 3, 5), None, (2, 3, 4, 6)), ((2, 4, 3, 5), (2, 6, 3, 5), (2, 6, 3, 5), (1, 1, 4, 6), (1, 1, 4, 6))],
    "nll_loss": [((5, 3), (5,), (3,)), ((5, 3), (5,), None), ((3,), (), None), ((2, 3, 4), (2, 4), (3,))],
    "cross_entropy": [((5, 3), (5,), (3,)), ((5, 3), (5,), None), ((3,), (), None), ((2, 3, 4), (2, 4), (3,))],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sample:
    """A call: shapes of the arrays in order, None for one left out, a number for a number in its place; and
    the parameters.

    `special`: its numbers are special ones too, where they otherwise would not be.
    """

    op: Op
    shapes: tuple[Shape | float | None, ...]
    params: dict[str, Any]
    special: bool = False

    @property
    def sizes(self) -> Shape:
        """The shape of the first array, the one that parameters are about."""
        return next((shape for shape in self.shapes if isinstance(shape, tuple)), ())

    @property
    def rank(self) -> int:
        return len(self.sizes)

    def names(self) -> tuple[str, ...]:
        """The array's name for each operand; those of a variadic op share theirs."""
        return (*self.op.arrays, *[self.op.variadic or ""] * (len(self.shapes) - len(self.op.arrays)))

    def legal(self) -> bool:
        try:
            shapes = [() if isinstance(s, (int, float)) else s for s in self.shapes]
            infer(self.op, [None if s is None else Spec(s, dtypes.float32) for s in shapes], self.params)
        except (ValueError, TypeError, IndexError):  # a ShapeError, or a tuple that does not fit
            return False
        return True


def axes(s: Sample) -> list[Any]:
    """Every axis from both ends, one more for ops that make one, tuples, and None where the op has that
    default.
    """
    single = [*range(-s.rank - 1, s.rank + 1)]
    tuples = [t for t in ((), (0,), (0, -1), (-2, -1), (1, 0), tuple(range(s.rank))) if len(t) <= s.rank]
    order = sorted(single, key=lambda a: (a != 1, a != -1, abs(a)))
    return [*([None] if s.op.params["axis"] is None else []), *order, *tuples]


def permutations(s: Sample) -> list[Any]:
    n = s.rank
    return [
        tuple(reversed(range(n))),
        (*range(1, n), 0)[:n],
        tuple(range(-n, 0)),
        (1, 0, *range(2, n))[:n],
        None,
    ]


def shapes(s: Sample) -> list[Any]:
    """To reshape to."""
    size = math.prod(s.sizes)
    return [(-1,), (size,), (size, 1), (1, *s.sizes), (*s.sizes[:1], -1), s.sizes[::-1], (5, -1)]


def wider(s: Sample) -> list[Any]:
    """To broadcast to."""
    return [
        (2, *s.sizes),
        s.sizes,
        (2, 3, *s.sizes),
        *[(*s.sizes[:i], 3, *s.sizes[i + 1 :]) for i, n in enumerate(s.sizes) if n == 1],
    ]


def widths(s: Sample) -> list[Any]:
    n = s.rank
    return [
        ((1, 2),) * n,
        ((0, 0),) * (n - 1) + ((2, 1),),
        ((1, 0),) + ((0, 0),) * (n - 1),
        ((0, 0),) * (n - 2) + ((1, 1),) * min(n, 2),
    ]


def sections(s: Sample) -> list[Any]:
    return [1, 2, 3, 5, (1,), (1, 2), (0, 2, 2)]


def slid(*entries: Any) -> Callable[[Sample], list[Any]]:
    """An entry for each of the axes over which a window slides, all alike."""
    def values(s: Sample) -> list[Any]:
        count = len(s.params["window"]) if "window" in s.params else s.rank - 2
        return [e * count if isinstance(e, tuple) else e for e in entries]

    return values


def normalized(s: Sample) -> list[Any]:
    """Of one element alone the mean is taken away, up to rounding: nothing is left that could be judged."""
    return [shape for shape in (s.sizes[-1:], s.sizes[-2:]) if math.prod(shape) != 1]


CHOICE = [dtypes.float32, dtypes.int32, dtypes.bool_, dtypes.float16, dtypes.uint8, dtypes.int64, dtypes.float64, dtypes.complex64, dtypes.bfloat16, dtypes.int8]  # fmt: skip
SUBSCRIPTS = [
    "ij,jk->ik",
    "ij,kj->ki",
    "ijk->ik",
    "ij,ij->",
    "ij->ji",
    "...ij,...jk->...ik",
    "i,j->ij",
    "ijk,ijl->ikl",
    "ii->i",
    "i,i->",
]

def parts(*numbers: int) -> Callable[[Sample], list[Any]]:
    """Starts or sizes of a part: numbers for one axis, tuples for all of them."""
    return lambda s: [n if s.params["axis"] is not None else (n,) * s.rank for n in numbers]


#: Values of a parameter: "op.parameter" before "parameter". A function gets the sample without it.
PARAMETERS: dict[str, list[Any] | Callable[[Sample], list[Any]]] = {
    "axis": axes, "dtype": CHOICE, "cast.dtype": [*CHOICE, *(d for d in dtypes.DTYPES.values() if d not in CHOICE)], "topk.dtype": [dtypes.int64, dtypes.int32],
    "shape": [(2, 3), (3,), (), (0, 2), 4], "zeros_like.shape": [None, (2, 3), 4], "ones_like.shape": [None, (2, 3), 4], "low": [-1.0, -0.5], "high": [1.0, 6.0], "addmm.beta": [1, 0, 0.5], "addmm.alpha": [1, 2], "flatten.start": [0, 1, -2], "flatten.end": [-1, 1, 0], "sizes": [(-1, 1), (1, 5), (3, 1)], "reshape.shape": shapes, "broadcast_to.shape": wider,
    "permute_dims.axes": permutations, "axes": [None, (0,), (-1,), (0, 1), (-2, -1), (-1, 0)], "tensordot.axes": [2, 1, 0, ((1,), (0,)), ((0,), (1,)), ((0, 1), (0, 1)), ((-1,), (0,))],
    "axis1": lambda s: [0, 1, -1], "axis2": lambda s: [1, 0, -1, -2],
    "source": lambda s: [0, -1, (0, 1), 1], "destination": lambda s: [-1, 0, (1, 0), (-1, -2)],
    "k": [0, 1, -1, 3], "topk.k": [2, 1, 3], "offset": [0, 1, -1, 7],
    "n": [None, 4, 6, 3], "fftfreq.n": [5, 8, 1], "rfftfreq.n": [5, 8, 1], "matrix_power.n": [2, 0, 1, 3],
    "s": [None, (4, 6)], "norm": [None, "ortho", "forward", "backward"], "d": [1.0, 0.5],
    "fill_value": [2, 0.5, True, -1, math.inf, math.nan], "value": [[[1, 2], [3, 4]], [0.5, 1.5], 2, [True, False], [], -0.5],
    "pad.value": [0, 1, -1.5], "addcmul.value": [1, 2, 0.5], "addcdiv.value": [1, 2, 0.5], "pad.mode": ["constant", "edge", "reflect", "symmetric", "wrap"], "widths": widths,
    "start": [0, 2, 5], "stop": [6, 9], "step": [1, 2], "linspace.start": [0, -1.5], "linspace.stop": [6, 2.5], "num": [5, 1, 8],
    "dynamic_slice.axis": [None, 0, -1], "dynamic_slice.start": parts(1, -2, 9, 0, -9), "dynamic_slice.size": parts(2, 1),
    "dynamic_update_slice.axis": [None, 0, -1], "dynamic_update_slice.start": parts(1, -2, 9, 0, -9),
    "n_rows": [3, 1, 4], "n_cols": [None, 4, 2],
    "num_classes": [3, 5], "uplo": ["L", "U"], "qr.mode": ["reduced", "complete"],
    "correction": [0, 1, 2], "ord": [2, 1, 3, math.inf, -math.inf, 0, 0.5],
    # One value of `shift` further than that of `axis` stands the one that goes with it.
    "roll.axis": [None, 0, -1, (0,), (0, -1), (1, 0, -1), (0, 1, 2, 3)], "roll.shift": [(1, 2, -1, 3), 1, -2, 0, (2,), (1, -1), (1, 0, -2)], "sections": sections, "indexing": ["xy", "ij"], "reps": [2, (2,), (2, 3), (1, 2, 1, 2), 0], "repeats": [2, 1, 0],
    "rtol": [1e-5, 0.1], "atol": [1e-8, 0.5], "decimals": [0, 2, -1],
    "nan_to_num.nan": [0.0, 1.5], "posinf": [None, 3.0], "neginf": [None, -3.0],
    "outside": ["raises", "nan", "turns"],
    "side": ["left", "right"], "subscripts": SUBSCRIPTS,
    "negative_slope": [0.01, 0.3], "alpha": [1.0, 0.5], "scaled_add.alpha": [2, 0.5], "scaled_subtract.alpha": [2, 0.5], "approximate": ["none", "tanh"], "beta": [1.0, 0.5], "softplus.beta": [1, 2], "threshold": [None, 20, 1],
    "eps": [1e-5, 0.1], "normalized_shape": normalized, "num_groups": [1, 2], "p": [2.0, 1.0], "scale": [None, 0.5],
    "reduction": ["mean", "sum", "none"], "kl_div.reduction": ["mean", "sum", "none", "batchmean"], "delta": [1.0, 0.5],
    "ignore_index": [-100, 1], "label_smoothing": [0.0, 0.1], "groups": lambda s: [s.sizes[1] // s.shapes[1][1] if isinstance(s.shapes[1], tuple) else 1],
    "window": [(2,), (2, 3), (3, 2, 2)], "stride": slid((1,), (2,)), "max_pool.stride": slid(None, (1,), (2,)), "avg_pool.stride": slid(None, (1,), (2,)),
    "dilation": slid((1,), (2,)), "output_padding": slid((0,), (1,)), "divisor": [None, 3],
    "padding": slid(((0, 0),), ((1, 1),), ((0, 1),), "same"), "conv_transpose.padding": slid((0,), (1,)),
}  # fmt: skip


class Unsampled(Exception):
    """A parameter that the table has no values for."""


def values(sample: Sample, name: str) -> list[Any]:
    """What a parameter may be in this sample.

    Raises:
        Unsampled: where the table does not say.
    """
    default = sample.op.params[name]
    found = PARAMETERS.get(f"{sample.op.name}.{name}", PARAMETERS.get(name))
    if found is None and isinstance(default, bool):
        return [default, not default]
    if found is None:
        raise Unsampled(
            f"{sample.op.name} has a parameter {name!r}: give it values in PARAMETERS of tests/rows/samples.py"
        )
    return found(sample) if callable(found) else found


@cache
def samples(op: Op) -> tuple[Sample, ...]:
    """Shapes first, then every value of every parameter on the first of them and on one of another rank.

    Raises:
        Unsampled: where a parameter is in no table, or nothing that is in one fits the op.
    """
    bases: list[Sample] = []
    met: set[Any] = set()
    for combination in combinations(op):
        traits = {combination} if op.name in COMBINED else features(combination)
        if not traits <= met and (made := based(Sample(op, combination, {}))) is not None:
            met |= traits
            bases.append(made)
    if not bases:
        raise Unsampled(f"no shapes and parameters of tests/rows/samples.py fit {op.name}")
    others = [base for base in bases if base.rank not in (bases[0].rank, 0)]
    found = [*bases, *numbered(bases[0]), *(v for base in (bases[0], *others[:1]) for v in varied(base))]
    return tuple({(s.shapes, repr(s.params)): s for s in found}.values())


def combinations(op: Op) -> Iterator[tuple[Shape | None, ...]]:
    """Shapes of the operands. Optional arrays are there and are not; there are one, two or three variadic
    ones.
    """
    if op.name in COMBINED:
        yield from COMBINED[op.name]
        return
    if op.variadic:
        counts: tuple[int, ...] = (2, 1, 3)
    else:
        counts = (len(op.arrays),)
    for count in counts:
        pool = SHAPES if count < 3 else FEW
        optional = [name in op.optional for name in op.arrays] + [False] * (count - len(op.arrays))
        yield from product(*[(*pool, None) if absent else pool for absent in optional])


def features(shapes: tuple[Shape | None, ...]) -> set[Any]:
    """What a combination has that others may not have."""
    given = [s for s in shapes if s is not None]
    return {
        ("ranks", *sorted({len(s) for s in given})), ("absent", *(s is None for s in shapes)), ("broadcast", len(set(given)) > 1),
        ("ones", any(1 in s for s in given)), ("empty", any(0 in s for s in given)),
    }  # fmt: skip


def based(sample: Sample) -> Sample | None:
    """The sample with its parameters at their defaults, and those that have none at the first values that
    fit.
    """
    op = sample.op
    required = [name for name, default in op.params.items() if default is ...]
    defaults = {name: default for name, default in op.params.items() if default is not ...}
    for made in choices(replace(sample, params=defaults), required):
        if made.legal():
            return made
    return None


def choices(sample: Sample, names: Sequence[str]) -> Iterator[Sample]:
    """Every combination of values of these parameters; those of one may depend on those before it."""
    if not names:
        yield sample
        return
    for value in values(sample, names[0])[:8]:
        yield from choices(replace(sample, params={**sample.params, names[0]: value}), names[1:])


def combined(op: Op) -> Iterator[Sample]:
    """All values of all parameters with one another, on each shape: far too many to run."""
    bases = {s.shapes: s for s in samples(op)}.values()
    return (made for base in bases for made in choices(base, list(op.params)) if made.legal())


def numbered(base: Sample) -> Iterator[Sample]:
    """Python numbers in the place of all arrays but one, for ops that promote."""
    if (
        base.op.rules[0].cls in HOMOGENEOUS
        and len(base.op.arrays) > 1
        and len(base.shapes) == len(base.op.arrays)
    ):
        for number in (2, -1.5, True):
            places = over(base.op, base.op.rules[0], range(len(base.shapes)))
            for kept in (places[0], places[-1]):
                yield replace(
                    base,
                    shapes=tuple(
                        number if i in places and i != kept else s for i, s in enumerate(base.shapes)
                    ),
                )


def varied(base: Sample) -> Iterator[Sample]:
    """Every value of every parameter, the values of the others taking turns where that is legal."""
    options = {name: values(base, name) for name in base.op.params}
    for name, found in options.items():
        for i, value in enumerate(found):
            turned = {other: given[(i + 1) % len(given)] for other, given in options.items()}
            both = [replace(base, params={**base.params, **others, name: value}) for others in (turned, {})]
            yield from [made for made in both if made.legal()][:1]

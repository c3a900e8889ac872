"""Sample calls of an op, derived from its row: shapes that its Subscript takes, and values of its parameters.

Shapes are those of SHAPES, and combinations of them, for which the op's own inference finds a result: one for
each rank, with and without axes of size 1 and 0, equal and broadcasting; unless the op says shapes itself. A
parameter has the values that the op says in its `samples`, or those that any parameter of its name has in
ir/meaning/sampling.py. One that has none, and is no flag, fails the tests of its op.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any

from tracelate.ir.meaning.op import HOMOGENEOUS, Op
from tracelate.ir.meaning.results import infer, over
from tracelate.ir.meaning.sampling import PARAMETERS
from tracelate.ir.values import dtypes
from tracelate.ir.values.spec import Spec

Shape = tuple[int, ...]

DTYPES = ("float32", "bool", "uint8", "int8", "int32", "float16", "bfloat16", "complex64", "int64", "float64")
#: With these JAX runs with x64.
WIDE = ("int64", "float64")

#: Legal combinations are tried in this order, so the first is the one on which parameters are varied.
SHAPES: tuple[Shape, ...] = (
    (3, 4, 5), (4, 5), (5,), (), (3, 4), (5, 4), (3, 3), (2, 3, 3), (3, 5, 4), (3, 1, 5), (1, 5),
    (1,), (1, 1), (0,), (0, 5), (3, 0), (3,),
)  # fmt: skip
#: For three arrays and more, where combinations are many.
FEW: tuple[Shape, ...] = ((3, 4, 5), (4, 5), (5,), (), (3, 1, 1), (0, 5))


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


class Unsampled(Exception):
    """An op of which too little is said to try it."""


def of_op(op: Op) -> Mapping[str, Any]:
    """What an op says of its samples.

    Raises:
        Unsampled: where it says why there are none.
    """
    if isinstance(op.samples, str):
        raise Unsampled(f"{op} has no samples: {op.samples}")
    return op.samples


def values(sample: Sample, name: str) -> Sequence[Any]:
    """What a parameter may be in this sample.

    Raises:
        Unsampled: where neither the op says it nor a convention.
    """
    default = sample.op.params[name]
    found = of_op(sample.op).get(name, PARAMETERS.get(name))
    if found is None and isinstance(default, bool):
        return [default, not default]
    if found is None:
        raise Unsampled(f"{sample.op} has a parameter {name!r}: give it values, samples={{{name!r}: ...}}")
    return found(sample) if callable(found) else found


@cache
def samples(op: Op) -> tuple[Sample, ...]:
    """Shapes first, then every value of every parameter on the first of them and on one of another rank.

    Raises:
        Unsampled: where a parameter has no values, or no shapes and values fit the op.
    """
    bases: list[Sample] = []
    met: set[Any] = set()
    for combination in combinations(op):
        traits = {combination} if "shapes" in of_op(op) else features(combination)
        if not traits <= met and (made := based(Sample(op, combination, {}))) is not None:
            met |= traits
            bases.append(made)
    if not bases:
        raise Unsampled(f"no shapes and values fit {op}: say some that do, samples={{'shapes': ...}}")
    others = [base for base in bases if base.rank not in (bases[0].rank, 0)]
    found = [*bases, *numbered(bases[0]), *(v for base in (bases[0], *others[:1]) for v in varied(base))]
    return tuple({(s.shapes, repr(s.params)): s for s in found}.values())


def combinations(op: Op) -> Iterator[tuple[Shape | None, ...]]:
    """Shapes of the operands. Optional arrays are there and are not; there are one, two or three variadic
    ones.
    """
    if "shapes" in of_op(op):
        yield from of_op(op)["shapes"]
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
        ("ranks", *sorted({len(s) for s in given})), ("absent", *(s is None for s in shapes)),
        ("broadcast", len(set(given)) > 1), ("ones", any(1 in s for s in given)),
        ("empty", any(0 in s for s in given)),
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

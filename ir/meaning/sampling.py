"""Sampling: the words in which an op says with which numbers, parameters and shapes it is to be tried, and
how closely its results are compared. Tests of the rows draw and judge what these words say.

    @op("X[~] W[c] -> Y[~]", dtype=inexact, domain="any-nan, w: positive", samples={"order": (0, 1, 2)})

A domain is a word of DOMAINS for all arrays, or one for each of some, "x: base, y: exponent"; a word without
a name is for all others, which is `any` where nothing is said. `-nan` leaves out what a word of WITHOUT
names; `finite+special` is finite, and any in samples of their own, since one NaN would hide all the rest.

A parameter is tried with the values that its op has for it, else with those that PARAMETERS has for any
parameter of this name; a flag, with both. What stands there may be a function of the sample, see Sample.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..values import dtypes

if TYPE_CHECKING:
    from .op import Op

#: Which numbers an array is tried with.
DOMAINS = {
    "any": "random ones, half of them special: zeros of both signs, NaN, infinities, ties, ends of the dtype",
    "finite": "small ones around 0, nothing special",
    "positive": "above 0, and small",
    "nonzero": "finite ones, and never 0",
    "unit": "from 0 to 1; ints are 0 or 1",
    "small": "from -1 to 2; ints are from 0 to 3",
    "bits": "ints from 0 to 7, by which bits may be shifted",
    "tame": "any; finite ones where they are ints",
    "base": "any; nonzero ones where they are complex",
    "exponent": "any; small ones where they are no floats",
    "mask": "bools",
    "position": "ints from 0, below the size of an axis",
    "sorted": "finite ones, in order along the last axis",
    "distinct": "ones that differ from one another",
    "invertible": "matrices that have an inverse",
    "definite": "matrices whose eigenvalues are positive",
}
#: What a domain may go without; other numbers take its place.
WITHOUT = {
    "nan": "NaN",
    "inf": "infinities",
    "zero": "0 and -0.0",
    "negative": "what is below 0",
    "large": "finite ones far from 0, which cancel, or overflow on the way",
    "ends": "ints next to the ends of their dtype",
}
#: How closely results are compared: the columns of the table in backends/tolerance.py.
TOLERANCES = {
    "exact": "nothing is rounded",
    "moved": "nothing is computed: likewise, and zeros keep their signs",
    "elementwise": "a few roundings",
    "reduction": "sums in another order",
    "linalg": "factorisations",
}
WORD = re.compile(r"(?P<word>\w+)(?P<special>\+special)?(?P<without>(-\w+)*)")

Values = Sequence[Any] | Callable[[Any], Sequence[Any]]
Shape = tuple[int, ...]


class Sample(Protocol):
    """What a function of values is told: a call of the op, so far without the parameter that it is asked of.

    `sizes` is the shape of the first array, `rank` its length; in `shapes` None stands for an array left out,
    and a number for a number.
    """

    @property
    def op(self) -> Op: ...
    @property
    def shapes(self) -> tuple[Shape | float | None, ...]: ...
    @property
    def params(self) -> dict[str, Any]: ...
    @property
    def sizes(self) -> Shape: ...
    @property
    def rank(self) -> int: ...


# What an op says of itself.


def taken_apart(domain: str, name: str) -> tuple[str, bool, tuple[str, ...]]:
    """The word of an array's domain, whether there are special numbers besides, and what it goes without.
    `name` is the op's.

    Raises:
        ValueError: for what is no domain.
    """
    if found := WORD.fullmatch(domain):
        word, special, without = found["word"], bool(found["special"]), found["without"].split("-")[1:]
        if word in DOMAINS and (word == "finite" or not special) and {*without} <= WITHOUT.keys():
            return word, special, tuple(without)
    raise ValueError(
        f"{name} has no domain {domain!r}: a domain is one of {', '.join(DOMAINS)} and finite+special, "
        f"without {', '.join(WITHOUT)} as in any-nan"
    )


def domains(text: str, arrays: Sequence[str], name: str) -> dict[str, str]:
    """The domain of each array, of what the op of this name says of them all.

    Raises:
        ValueError: for what is no domain, an array that the op has not, and what is said twice.
    """
    said: dict[str, str] = {}
    for entry in text.split(","):
        array, _, domain = (part.strip() for part in entry.rpartition(":"))
        taken_apart(domain, name)
        if array and array not in arrays:
            raise ValueError(f"{name} has no array {array}, of which its domain {text!r} speaks")
        if array in said:
            raise ValueError(f"{name} has two domains for {array or 'all arrays'}: {text!r}")
        said[array] = domain
    return {array: said.get(array, said.get("", "any")) for array in arrays}


def refuse_meaningless(op: Op) -> None:
    """Look whether what an op says of its samples is about its own parameters and arrays, and its tolerance a
    word.

    Raises:
        ValueError: where it is not.
    """
    if op.tolerance not in TOLERANCES:
        raise ValueError(f"{op} has no tolerance {op.tolerance!r}: it is one of {', '.join(TOLERANCES)}")
    if isinstance(op.samples, str):
        return
    for name, values in op.samples.items():
        if name not in (*op.params, "shapes"):
            known = ", ".join(("shapes", *op.params))
            raise ValueError(f"{op} has no parameter {name} to have samples: they are of {known}")
        if isinstance(values, str) or not callable(values) and not len(values):
            raise ValueError(f"{op} has samples of {name} that are neither values nor a function: {values!r}")
        for each in values if name == "shapes" else ():  # type: ignore[union-attr]
            if len(each) < len(op.arrays) or len(each) > len(op.arrays) and not op.variadic:
                raise ValueError(f"{op} has {len(op.arrays)} arrays, and samples of the shapes {each}")


# Values that functions know.


def slid(*entries: Any) -> Values:
    """An entry for each of the axes over which a window slides, all alike."""

    def values(s: Sample) -> list[Any]:
        count = len(s.params["window"]) if "window" in s.params else s.rank - 2
        return [e * count if isinstance(e, tuple) else e for e in entries]

    return values


def parts(*numbers: int) -> Values:
    """Starts or sizes of a part: numbers for one axis, tuples for all of them."""
    return lambda s: [n if s.params["axis"] is not None else (n,) * s.rank for n in numbers]


def axes(s: Sample) -> list[Any]:
    """Every axis from both ends, one more for ops that make one, tuples, and None where the op has that
    default.
    """
    single = [*range(-s.rank - 1, s.rank + 1)]
    tuples = [t for t in ((), (0,), (0, -1), (-2, -1), (1, 0), tuple(range(s.rank))) if len(t) <= s.rank]
    order = sorted(single, key=lambda a: (a != 1, a != -1, abs(a)))
    return [*([None] if s.op.params["axis"] is None else []), *order, *tuples]


def permutations(s: Sample) -> list[Any]:
    """Orders of all axes."""
    n = s.rank
    turned = (tuple(reversed(range(n))), (*range(1, n), 0)[:n], tuple(range(-n, 0)), (1, 0, *range(2, n))[:n])
    return [*turned, None]


def reshaped(s: Sample) -> list[Any]:
    """Shapes of as many elements."""
    size = math.prod(s.sizes)
    return [(-1,), (size,), (size, 1), (1, *s.sizes), (*s.sizes[:1], -1), s.sizes[::-1], (5, -1)]


def wider(s: Sample) -> list[Any]:
    """Shapes to which it broadcasts."""
    stretched = [(*s.sizes[:i], 3, *s.sizes[i + 1 :]) for i, n in enumerate(s.sizes) if n == 1]
    return [(2, *s.sizes), s.sizes, (2, 3, *s.sizes), *stretched]


def widths(s: Sample) -> list[Any]:
    """Of what stands before and after along each axis."""
    n = s.rank
    none = ((0, 0),)
    ends = (none * (n - 1) + ((2, 1),), ((1, 0),) + none * (n - 1), none * (n - 2) + ((1, 1),) * min(n, 2))
    return [((1, 2),) * n, *ends]


def normalized(s: Sample) -> list[Any]:
    """Of one element alone the mean is taken away, up to rounding: nothing is left that could be judged."""
    return [shape for shape in (s.sizes[-1:], s.sizes[-2:]) if math.prod(shape) != 1]


def groups(s: Sample) -> list[int]:
    """How many groups of channels a window makes of them."""
    return [s.sizes[1] // s.shapes[1][1] if isinstance(s.shapes[1], tuple) else 1]


#: The dtypes that are asked for, the first of them more often; and all that there are.
COMMON = (
    dtypes.float32, dtypes.int32, dtypes.bool_, dtypes.float16, dtypes.uint8, dtypes.int64, dtypes.float64,
    dtypes.complex64, dtypes.bfloat16, dtypes.int8,
)  # fmt: skip
EVERY = (*COMMON, *(d for d in dtypes.DTYPES.values() if d not in COMMON))

#: Values of a parameter of this name, in whatever op it is.
PARAMETERS: dict[str, Values] = {
    "alpha": (1.0, 0.5),
    "axes": (None, (0,), (-1,), (0, 1), (-2, -1), (-1, 0)),
    "axis": axes,
    "axis1": (0, 1, -1),
    "axis2": (1, 0, -1, -2),
    "correction": (0, 1, 2),
    "d": (1.0, 0.5),
    "dilation": slid((1,), (2,)),
    "dtype": COMMON,
    "eps": (1e-5, 0.1),
    "fill_value": (2, 0.5, True, -1, math.inf, math.nan),
    "groups": groups,
    "ignore_index": (-100, 1),
    "k": (0, 1, -1, 3),
    "label_smoothing": (0.0, 0.1),
    "n": (None, 4, 6, 3),
    "n_cols": (None, 4, 2),
    "n_rows": (3, 1, 4),
    "norm": (None, "ortho", "forward", "backward"),
    "normalized_shape": normalized,
    "offset": (0, 1, -1, 7),
    "padding": slid(((0, 0),), ((1, 1),), ((0, 1),), "same"),
    "reduction": ("mean", "sum", "none"),
    "s": (None, (4, 6)),
    "scale": (None, 0.5),
    "sections": (1, 2, 3, 5, (1,), (1, 2), (0, 2, 2)),
    "shape": ((2, 3), (3,), (), (0, 2), 4),
    "stride": slid((1,), (2,)),
    "window": ((2,), (2, 3), (3, 2, 2)),
}

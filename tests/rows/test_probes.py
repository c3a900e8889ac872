"""Probe values (design.md §9): what compares, or gives positions or bools, on numbers around the ends of
dtypes, for all pairs of dtypes.

A comparison's compute dtype decides what comes out, and no shape or dtype shows it: `int64[16777217] ==
float32[16777216.]` is False in NumPy and True in the others. So every pair of values of every pair of dtypes
is compared in one broadcast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from domains import Array, left_out, numpy_dtype, outside
from lines import column, phrases, speaks, spelled
from refusals import allowed
from running import Line, batches
from samples import DTYPES, WIDE, samples

from tracelate.ir.meaning.op import Op

Kind = Callable[[Op, str, tuple[str, ...], bool], Iterator[Line]]
PROBED = ("compare", "index", "bool")
NUMBERS = [
    -1, 0, 1, 2, 127, 128, 255, 256, 300, 2**15, 2**16, 2**24 - 1, 2**24, 2**24 + 1, 2**31 - 1, 2**31,
    2**31 + 1, -(2**31), -(2**31) - 1, 2**32, 2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63),
]  # fmt: skip
FLOATS = [-0.0, 0.5, 16777216.5, math.nan, math.inf, -math.inf]
SCALARS = [True, -1, 0, 300, 2**24 + 1, 2**31, 2**53 + 1, 2**63, 0.1, 16777216.5, -0.0, math.nan, math.inf]
RARE = ("uint16", "uint32", "uint64", "int16", "complex128")
#: Ops that stand for the others where many pairs of dtypes are slow.
FIRST = ("equal", "less")


def probed(op: Op) -> bool:
    return op.rules[0].cls in PROBED


def numbers(op: Op, dtype: str) -> Array:
    """The probes of a dtype, in order, that the op's domain holds."""
    of = np.sort(probes(dtype))
    without = left_out(op, op.arrays[0])
    return of[~outside(of, without)] if without else of


def probes(dtype: str) -> Array:
    """The numbers that a dtype holds, and those that it rounds to."""
    of = numpy_dtype(dtype)
    if of.kind == "b":
        return np.array([False, True])
    if of.kind in "iu":
        return np.array([n for n in NUMBERS if np.iinfo(of).min <= n <= np.iinfo(of).max], of)
    with np.errstate(all="ignore"):
        return np.array([*map(float, NUMBERS), *FLOATS]).astype(of)


def ordered(dtype: str) -> Array:
    """The probes in order, without NaN, which torch puts in none."""
    of = probes(dtype)
    return np.sort(of[of == of])


def unary(op: Op, source: str, dtypes: tuple[str, ...], x64: bool) -> Iterator[Line]:
    for dtype in dtypes:
        yield from said(op, source, [(f"x_{dtype}", numbers(op, dtype))], dtype, x64)


def pairs(op: Op, source: str, dtypes: tuple[str, ...], x64: bool) -> Iterator[Line]:
    """Every dtype with every other one; the first array is a column, or, where it must be a vector, in
    order.
    """
    for one in dtypes:
        x = probes(one)[:, None] if samples(op)[0].rank > 1 else ordered(one)
        for other in dtypes:
            yield from said(
                op, source, [(f"x_{one}", x), (f"y_{other}", probes(other))], f"{one} {other}", x64
            )


def scalars(op: Op, source: str, dtypes: tuple[str, ...], x64: bool) -> Iterator[Line]:
    """A Python number on either side."""
    for dtype in dtypes:
        array = (f"x_{dtype}", probes(dtype) if samples(op)[0].rank > 1 else ordered(dtype))
        for number in SCALARS:
            for operands in ([array, number], [number, array]):
                yield from said(op, source, operands, dtype, x64)


def said(op: Op, source: str, operands: list[object], dtype: str, x64: bool) -> Iterator[Line]:
    """The op in the first spelling that takes these operands, with its parameters as in its first sample."""
    params = samples(op)[0].params
    given = [*operands, *[None] * (len(op.arrays) - len(operands))]
    for phrase in phrases(op, source):
        if speaks(phrase, params, given) and (text := spelled(phrase, given, params, x64)):
            yield Line(text, dict(o for o in operands if isinstance(o, tuple)), column(op), dtype, x64)
            return


def taken(source: str, x64: bool) -> tuple[str, ...]:
    """The dtypes that the source has."""
    return tuple(d for d in DTYPES if (x64 or d not in WIDE) and (source, d) != ("numpy", "bfloat16"))


def judged(op: Op, source: str, made: list[Line]) -> None:
    """Compare with the source itself, in every target.

    Raises:
        AssertionError: for what differs, and what is refused without a reason.
    """
    if not made:
        pytest.skip(f"{source} has no word for {op.name}")
    found = [finding for batch in batches(source, made) for finding in batch.findings()]
    problems = [str(finding) for finding in found if not allowed(op.name, finding)]
    assert not problems, f"{len(problems)} problems\n" + "\n".join(problems[:8])


@pytest.mark.covering
@pytest.mark.ops(lambda op: probed(op) and len(op.arrays) == 1)
@pytest.mark.parametrize("x64", [False, True])
def test_every_probe_value(op: Op, source: str, x64: bool) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    judged(op, source, list(unary(op, source, taken(source, x64), x64)))


@pytest.mark.covering("op", "source", ("kind", "x64"))
@pytest.mark.slow
@pytest.mark.ops(lambda op: op.name in FIRST)
@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("kind", [pairs, scalars])
def test_every_pair_of_dtypes(op: Op, source: str, kind: Kind, x64: bool) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    judged(op, source, list(kind(op, source, taken(source, x64), x64)))


@pytest.mark.covering("op", "source", ("kind", "x64"))
@pytest.mark.slow
@pytest.mark.ops(lambda op: probed(op) and len(op.arrays) > 1 and op.name not in FIRST)
@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("kind", [pairs, scalars])
def test_every_pair_of_dtypes_of_the_others(op: Op, source: str, kind: Kind, x64: bool) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    judged(op, source, list(kind(op, source, taken(source, x64), x64)))


@pytest.mark.slow
@pytest.mark.ops(lambda op: op.name in FIRST)
def test_every_pair_with_dtypes_that_are_rare(op: Op, source: str) -> None:
    """Among them NumPy's exact comparison of int64 with uint64, which no dtype holds."""
    judged(op, source, list(pairs(op, source, (*taken(source, True), *RARE), True)))

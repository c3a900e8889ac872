"""Probe values (design.md §9): what compares, or gives positions or bools, on numbers around the ends of dtypes, for all pairs of dtypes.

A comparison's compute dtype decides what comes out, and no shape or dtype shows it: `int64[16777217] == float32[16777216.]` is
False in NumPy and True in the others. So every pair of values of every pair of dtypes is compared in one broadcast.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from domains import Array, numpy_dtype
from lines import EXACT, column, phrases, spec, speaks, spelled
from refusals import allowed
from running import Batch, Line, batches
from samples import samples
from test_rows import BY_HAND, DTYPES

from tracelate.backends.tolerance import tolerance
from tracelate.ir.op import Op

PROBED = ("compare", "index", "bool")
NUMBERS = [
    -1, 0, 1, 2, 127, 128, 255, 256, 300, 2**15, 2**16, 2**24 - 1, 2**24, 2**24 + 1, 2**31 - 1, 2**31, 2**31 + 1, -(2**31), -(2**31) - 1,
    2**32, 2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63),
]  # fmt: skip
FLOATS = [-0.0, 0.5, 16777216.5, math.nan, math.inf, -math.inf]
SCALARS = [True, -1, 0, 300, 2**24 + 1, 2**31, 2**53 + 1, 2**63, 0.1, 16777216.5, -0.0, math.nan, math.inf]
#: Other dtypes meet these where the framework has them.
FURTHER = ("uint16", "uint32", "uint64", "int16", "complex128")
#: Ops for whom every pair of dtypes is tried at once; for the others that is slow.
FIRST = ("equal", "less")


def wanted(op: Op) -> bool:
    return op.rules[0].cls in PROBED and op.name not in BY_HAND and bool(op.arrays)


def probes(dtype: str) -> Array:
    """The numbers that a dtype holds, and those that it rounds to."""
    of = numpy_dtype(dtype)
    if of.kind == "b":
        return np.array([False, True])
    if of.kind in "iu":
        return np.array([n for n in NUMBERS if np.iinfo(of).min <= n <= np.iinfo(of).max], of)
    with np.errstate(all="ignore"):
        return np.array([*map(float, NUMBERS), *FLOATS]).astype(of)


def unary(op: Op, source: str, dtypes: tuple[str, ...], x64: bool) -> Iterator[Line]:
    for dtype in dtypes:
        yield from said(op, source, [(f"x_{dtype}", np.sort(probes(dtype)))], dtype, x64)


def pairs(op: Op, source: str, dtypes: tuple[str, ...], x64: bool) -> Iterator[Line]:
    """Every dtype with every other one; the first array is a column, or, where it must be a vector, in order."""
    upright = samples(op)[0].rank > 1
    for one in dtypes:
        x = probes(one) if upright else np.sort(probes(one))
        for other in dtypes:
            column = x[:, None] if upright else x
            yield from said(op, source, [(f"x_{one}", column), (f"y_{other}", probes(other))], f"{one} {other}", x64)


def scalars(op: Op, source: str, dtypes: tuple[str, ...], x64: bool) -> Iterator[Line]:
    """A Python number on either side."""
    for dtype in dtypes:
        array = (f"x_{dtype}", probes(dtype))
        for number in SCALARS:
            for operands in ([array, number], [number, array]):
                yield from said(op, source, operands, dtype, x64)


def said(op: Op, source: str, operands: list[object], dtype: str, x64: bool) -> Iterator[Line]:
    """The op in the first spelling that takes these operands, with its parameters as in its first sample."""
    params = samples(op)[0].params
    given = [*operands, *[None] * (len(op.arrays) - len(operands))]
    specs = {n: spec(o[1]) if isinstance(o, tuple) else None for n, o in zip(op.arrays, given)}
    for phrase in phrases(op, source):
        numbers = {n: s for n, s in specs.items() if s is not None or given[op.arrays.index(n)] is None}
        if speaks(phrase, params, numbers) and (text := spelled(phrase, given, params, x64)):
            yield Line(text, dict(o for o in operands if isinstance(o, tuple)), column(op), dtype)
            return


def judged(op: Op, source: str, made: list[Line], x64: bool) -> None:
    assert made, f"{source} says {op.name} of no probes"
    problems = [
        str(finding)
        for batch in batches(source, made, x64) if isinstance(batch, Batch)
        for finding in batch.findings() if not allowed(op.name, finding)
    ]  # fmt: skip
    assert not problems, f"{len(problems)} problems\n" + "\n".join(problems[:8])


def taken(dtypes: tuple[str, ...], source: str, x64: bool) -> tuple[str, ...]:
    """Those that the source has."""
    wide = {"int64", "float64", "uint64", "complex128"}
    return tuple(d for d in dtypes if (x64 or d not in wide) and (source, d) != ("numpy", "bfloat16"))


def kinds(op: Op) -> list[object]:
    return [unary] if len(op.arrays) == 1 else [pairs, scalars]


@pytest.mark.parametrize("x64", [False, True])
def test_probe_values(op: Op, source: str, x64: bool) -> None:
    """All dtypes alone; in pairs only for ops that stand for the others."""
    if not phrases(op, source):
        pytest.skip("has no word for it")
    if x64 and len(op.arrays) > 1 or op.name in FIRST:
        for kind in kinds(op) if op.name in FIRST or len(op.arrays) == 1 else []:
            judged(op, source, list(kind(op, source, taken(DTYPES, source, x64), x64)), x64)  # type: ignore[operator]


__all__ = ["EXACT", "tolerance"]

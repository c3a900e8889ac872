"""One array given for two, behind branches and in loops: what is computed of it before a write and after it
are two things, however alike they are written.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from ways import program

import tracelate as tl
from tracelate.backends.arrays import compare, convert

STATEMENTS = [
    "x *= 2", "y *= 2", "x += y * 2", "y -= x * 2", "x[1:] += y[:-1] * 2", "y[0] = x[0] * 2", "x[:] = y * 2",
]  # fmt: skip
#: What stands around them, or before.
AROUND = {
    "an if before": ("if x.sum() > 2:", "    y *= 3", "{0}", "{1}"),
    "an if around": ("if x.sum() > 2:", "    {0}", "    {1}"),
    "a loop": ("for i in range(9):", "    {0}", "    {1}"),
    "an if in a loop": ("for i in range(9):", "    if x.sum() < 900:", "        {0}", "        {1}"),
    "a loop before": ("for i in range(9):", "    x += 1", "{0}", "{1}"),
}
PAIRS = [*permutations(STATEMENTS, 2)]


def given(framework: str, way: str) -> tuple[Any, Any]:
    whole, other = (convert(np.arange(6.0) + number, framework) for number in (1, 4))
    if way == "two":
        return whole[:4], other[:4]
    return whole[1:5] if way == "one" else whole[:4], whole[1:5]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize(("around", "pair"), product(AROUND, PAIRS))
def test_what_was_made_before_a_write_stays(around: str, pair: tuple[str, str], source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    lines = [line.format(*pair) for line in AROUND[around]]
    f, text = program(*lines, "return x, y")
    try:
        out = tl.transpile(f, given(source, "two"), to=to, source=source)
    except tl.UnsupportedError:
        return
    for way in ("two", "one", "overlapping"):
        mine, theirs = given(source, way), given(to, way)
        try:
            expected = f(*mine)
        except RuntimeError:  # torch reads no memory that it writes
            continue
        try:
            found = out(*theirs)
        except (AssertionError, RuntimeError):
            assert way != "two"
            continue
        assert not [*compare(expected, found), *compare(mine, theirs)], f"{way}:\n{text}\n{out.source}"

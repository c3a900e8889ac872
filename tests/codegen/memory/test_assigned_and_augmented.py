"""`x[key] = x[key] * 0.5` casts to what x holds, `x[key] *= 0.5` raises where it would have to: the text says
the one that the user says.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_outsiders import program

import tracelate as tl
from tracelate.backends.arrays import compare, convert

WRITES = {
    "numpy": [
        "x[...] = x * 0.5", "x[...] = x * y", "x[1:] = x[1:] + y[:-1]", "x[:2] = x[:2] - 0.5",
        "x[0] = x[0] + y[0]", "x *= 0.5", "x += y", "x[1:] += y[:-1]", "x[0] += 1", "np.add(x, y, out=x)",
        "np.multiply(x, 2, out=x)",
        "for i in range(3): x[i] = x[i] + y[i]", "for i in range(3): x[i] += y[i]",
        "x[x > 1] = x[x > 1] * 0.5",
    ],
    "torch": [
        "x[...] = x * 0.5", "x.copy_(x + y)", "x[0] = x[0] * 1.5", "x[1:] = x[1:] + 0.5", "x *= 0.5",
        "x.add_(y)", "x[1:] += y[:-1]", "x[0].mul_(2)", "for i in range(3): x[i] = x[i] + y[i]",
        "torch.add(x, y, out=x)",
    ],
}  # fmt: skip
DTYPES = ("float32", "float64", "int32", "int64", "bool", "uint8", "complex64")


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("source", "write"), [(s, w) for s, each in WRITES.items() for w in each])
def test_dtypes_and_ranks_as_the_program_takes_them(source: str, write: str, to: str) -> None:
    fn = program(f"{write}; return x, y * 1")
    example = [np.array([3, 1, 2], np.float32), np.array([1, 4, 0], np.float32)]
    out = tl.transpile(fn, [convert(v, source) for v in example], to=to)
    for first in DTYPES:
        if first == "bool" and "0] += 1" in write and to == "torch":
            continue  # torch itself refuses to add an int to a bool in place, in its own words
        for second, shape in ((first, (3,)), ("float32", (3,)), (first, (1, 3)), ("int32", (1,))):
            other = np.resize(example[1].astype(second), shape)
            given: list[Any] = [np.array([3, 1, 2]).astype(first), other]
            mine, theirs = ([convert(v.copy(), name) for v in given] for name in (source, to))
            try:
                expected = fn(*mine)
            except Exception:  # which the program refuses
                continue
            try:
                found = out(*theirs)
            except AssertionError:
                assert (first, second, shape) != ("float32", "float32", (3,)), out.source
                continue
            assert not list(compare(expected, found)), (first, second, shape, out.source)


@pytest.mark.parametrize(("source", "write"), [(s, w) for s, each in WRITES.items() for w in each])
def test_the_own_framework_says_it_likewise(source: str, write: str) -> None:
    """A call that is told where to write is written as an operator, which casts no more than it does."""
    fn = program(f"{write}; return x, y * 1")
    example = [convert(np.ones(3, np.float32), source) for _ in range(2)]
    text = tl.transpile(fn, example, to=source).source
    assigned = " = x" in write and "out=" not in write or "copy_" in write
    operators = any(f" {op}= " in text for op in "+-*")
    assert operators != assigned, text

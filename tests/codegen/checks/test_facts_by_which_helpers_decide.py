"""A helper that gives a number which its caller knows: what it decided that by is checked, though nothing in
the text reads the number.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
import linecache
import zlib
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(3, dtype=np.float32)
#: A fact, the example for `k`, and others for which it is no fact.
FACTS = [
    ("'b' in k", {"a": 1}, [{"a": 1, "b": 5}]),
    ("'a' in k", {"a": 1}, [{"b": 1}]),
    ("isinstance(k, int)", 3, [3.0]),
    ("len(k) == 1", [X], [[X, X]]),
    ("x.ndim == 1", 0, []),
    ("x.dtype == y.dtype", 0, []),
    ("k is None", None, [2]),
    ("k == 2", 2, [3]),
    ("k[0] == 1", [1], [[2]]),
    ("x.shape[0] > 2", 0, []),
]
HELPERS = [
    "return d if FACT else 1", "return 1 if FACT else d", "if FACT: return d\n    return 7",
    "if FACT: return 7\n    return d", "d = d if FACT else 3\n    return d",
    "return (d, 2) if FACT else (1, d)",
]  # fmt: skip
CALLS = ["b = h(x, y, k)", "b = h(x, y, k, 0)", "b = h(x, y, k, d=0)", "b = h(x, y, k, d=1)"]
TESTS = ["b == 0", "b != 1", "isinstance(b, int) and b == 0", "b > 0", "b"]


def program(fact: str, helper: str, call: str, test: str) -> Any:
    if "(d, 2)" in helper:
        test = test.replace("b", "b[0]").replace("isinstance(b[0]", "isinstance(b[1]")
    text = (
        f"def h(x, y, k, d=0):\n    {helper.replace('FACT', fact)}\n\n"
        f"def f(x, y, k):\n    {call}\n    return x * 2 if {test} else x + 1\n"
    )
    file = f"<facts {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {}
    exec(compile(text, file, "exec"), module)
    return module["f"]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fact", "helper", "call"), itertools.product(range(len(FACTS)), HELPERS, CALLS))
def test_the_fact_is_checked(fact: int, helper: str, call: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    said, example, others = FACTS[fact]
    first = zlib.crc32(f"{fact} {helper} {call}".encode())
    for test in (TESTS[(first + i) % len(TESTS)] for i in range(2)):
        fn = program(said, helper, call, test)
        try:
            out = tl.transpile(fn, [X, X, example], to=to)
        except tl.TraceError:
            continue
        arrays = [(X, X), (X[:1], X[:1]), (X[None] * 1, X[None] * 1), (X, X.astype(np.float16))]
        for (x, y), k in itertools.product(arrays, [example, *others]):
            expected = fn(x, y, k)
            try:
                found = out(convert(x, to), convert(y, to), k)
            except AssertionError:
                assert x is not X or y is not X or k is not example, out.source
                continue
            np.testing.assert_allclose(np.asarray(found), expected, err_msg=out.source)

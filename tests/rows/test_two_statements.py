"""Two statements over three arrays, for all that the arrays may be: what must be checked of one is found
beside what must be checked of another, and each pair of statements asks for other things.
"""

from __future__ import annotations

import zlib
from itertools import permutations, product
from typing import Any

import jax
import numpy as np
import pytest
from running import loaded, quiet

import tracelate as tl
from tracelate.backends.arrays import convert

#: What a user writes of arrays x, w, v and a number m.
STATEMENTS = {
    "numpy": [
        "v += m * x", "v *= x", "w -= v", "v = v + x", "x = w * x", "w = w / x", "v[0] = x[0]", "x = x * m",
        "x = np.where(v > m, x, w)", "w = np.maximum(w, v)", "v[v > m] = 2", "w = x ** 2 + v",
    ],
    "torch": [
        "v += m * x", "v.mul_(x)", "w.sub_(v, alpha=m)", "v = v + x", "x = w * x", "w = w / x", "v[0] = x[0]",
        "x = x * m", "x = torch.where(v > m, x, w)", "w = torch.maximum(w, v)", "v[v > m] = 2",
        "w = x ** 2 + v",
    ],
    "jax": [
        "v += m * x", "v = v * x", "v = v + x", "x = w * x", "w = w / x", "v = v.at[0].set(x[0])",
        "x = x * m", "x = jnp.where(v > m, x, w)", "w = jnp.maximum(w, v)", "w = x ** 2 + v",
        "v = v.at[1:].add(x[1:])",
    ],
}  # fmt: skip
PAIRS = [(own, *pair) for own, several in STATEMENTS.items() for pair in permutations(several, 2)]
DTYPES = ("float32", "float16", "float64", "int32", "int8", "bool")
TARGETS = [("numpy", True), ("torch", True), ("jax", True), ("jax", False)]
ELEMENTS = [np.array(row) for row in ([1, 3, 2], [2, 1, 1], [0, 4, 1])]


def program(first: str, then: str) -> Any:
    return loaded(f"def f(x, w, v, m=1):\n    {first}\n    {then}\n    return x, w, v\n")


def attempted(fn: Any, dtypes: tuple[str, ...], framework: str) -> Any:
    """What a function gives of arrays of these dtypes; None where it raises."""
    try:
        return fn(*(convert(a.astype(d), framework) for a, d in zip(ELEMENTS, dtypes)))
    except Exception:
        return None


def kinds(*case: Any) -> list[tuple[str, ...]]:
    """Dtypes for three arrays, of which two are alike: a third of them, another one for another case."""
    found = [each for each in product(DTYPES, repeat=3) if len({*each}) < 3]
    return found[zlib.crc32(repr(case).encode()) % 3 :: 3]


@pytest.mark.covering(("own", "first"), ("own", "then"), "example")
@pytest.mark.parametrize("example", [None, "float32", "int32"])
@pytest.mark.parametrize(("own", "first", "then"), PAIRS)
def test_two_statements_give_what_they_gave(own: str, first: str, then: str, example: str | None) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = program(first, then)
    with quiet(own != "jax"):
        given = example and tuple(convert(a.astype(example), own) for a in ELEMENTS)
        expected = {dtypes: attempted(fn, dtypes, own) for dtypes in kinds(own, first, then, example)}
    for target, x64 in TARGETS:
        if own == "jax" and x64:
            continue
        with quiet(x64):
            try:
                out = tl.transpile(fn, given, to=target, source=own)
            except tl.UnsupportedError:
                continue
            for dtypes, wants in expected.items():
                found = attempted(out, dtypes, target) if wants is not None else None
                for want, got in zip(wants, found) if found is not None else ():
                    want, got = np.asarray(want), np.asarray(got)
                    if not x64:
                        want = want.astype(jax.dtypes.canonicalize_dtype(want.dtype))
                        got = got.astype(jax.dtypes.canonicalize_dtype(got.dtype))
                    alike = want.dtype == got.dtype and np.allclose(want, got, rtol=1e-2, equal_nan=True)
                    assert alike, (target, x64, dtypes, want, got, out.source)

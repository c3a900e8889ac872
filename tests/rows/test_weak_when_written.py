"""What JAX makes of numbers of Python's is weak, and stays so through every write: beside an array of few
bits a text must not compute in those.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from running import loaded

import tracelate as tl
from tracelate.backends.arrays import compare, convert

#: Arrays that are weak in JAX's text, of three elements.
MADE = {
    "numpy": [
        "(x > 0) * 1.0",
        "(x > 0) * 1",
        "n * 0.5",
        "n / 2",
        "np.arange(3) * 1.0",
        "np.full(3, 2.0)",
        "np.where(x > 0, 1.0, 0.0)",
        "np.where(x > 0, 1, 0)",
        "np.ones_like(x, dtype=int) * 0.5",
    ],
    "torch": [
        "(x > 0) * 2",
        "n * 0.5",
        "torch.full((3,), 2)",
        "torch.where(x > 0, 2, 1)",
        "torch.arange(3) * 1",
    ],
}
#: What may be done to one.
WRITES = {
    "item": "w[0] = 5",
    "augmented": "w[0] += 1",
    "part": "w[1:] *= 2",
    "from_itself": "w[1:] = w[:-1] * 1",
    "places": "w[places] = 2",
    "whole": "w[:] = 3",
    "view": "part = w[1:]; part[0] = 4",
    "mask": "w[x > 1] = 2",
    "twice": "w[0] = 5; w[1] = 6",
    "branch": "if x.sum() > 0:\n        w[0] = 5\n    else:\n        w[1] = 5",
    "loop": "for i in range(x.shape[0]):\n        w[i] = w[i] * 2",
}
#: What each meets: an array with fewer bits, of its own kind and of a lower one.
PARTNERS = ["x", "small"]


def program(made: str, write: str, partner: str) -> Any:
    text = f"def f(x, n, small, places):\n    w = {made}\n    {write}\n    return {partner} * w\n"
    return loaded(text)


@pytest.mark.covering(("framework", "made"), "write", "partner")
@pytest.mark.parametrize("partner", PARTNERS)
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(("framework", "made"), [(s, made) for s, each in MADE.items() for made in each])
def test_a_write_leaves_it_weak(framework: str, made: str, write: str, partner: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    given = [
        np.array([1.0, 2.0, -3.0], np.float32),
        np.array([2, 4, 6]),
        np.array([100, 100, 100], np.int8),
        np.array([0, 1]),
    ]
    fn = program(made, WRITES[write], partner)
    with jax.enable_x64(True):
        args = [convert(v, framework) for v in given]
        out = tl.symbolic_trace(fn, args).to("jax", x64=True)
        expected, found = fn(*(convert(v, framework) for v in given)), out(*map(jnp.asarray, given))
        assert not list(compare(expected, found)), out.source


@pytest.mark.covering(("framework", "made"), "write", "example")
@pytest.mark.parametrize("example", ["int8", "float32", "float64"])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize(("framework", "made"), [(s, made) for s, each in MADE.items() for made in each])
def test_other_dtypes_agree_or_are_refused(framework: str, made: str, write: str, example: str) -> None:
    """Whatever the example was: beside what has other dtypes it counts as it does in the program.
    Of the cases those that have all pairs of values, see covering.py.
    """
    x, rest = np.array([1, 2, 3]), [np.array([2, 4, 6]), np.array([100, 100, 100], np.int8), np.array([0, 1])]
    fn = program(made, WRITES[write], "x")
    with jax.enable_x64(True):
        args = [convert(v, framework) for v in (x.astype(example), *rest)]
        out = tl.symbolic_trace(fn, args).to("jax", x64=True)
        for dtype in ("int8", "uint8", "int32", "int64", "float16", "float32", "float64"):
            given = [x.astype(dtype), *rest]
            expected = fn(*(convert(v, framework) for v in given))
            try:
                found = out(*map(jnp.asarray, given))
            except AssertionError:
                assert dtype != example, out.source
                continue
            assert not list(compare(expected, found)), (dtype, out.source)

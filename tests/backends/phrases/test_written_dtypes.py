"""Elements that are computed with in their place, and arrays that are made like others with a dtype of their
own, where arguments are of other dtypes than the example's; in JAX with 64 bits and without.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
import linecache
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

VALUES = ("2", "0.5", "x[0]", "y[1]")
KEYS = ("[-1]", "[1:3]", "[[1, 3]]", "[x > 1]")
COPIES = {"numpy": "x.copy()", "torch": "x.clone()"}
#: Ints to powers below 0, and to powers that are no ints, are nobody's promise.
WRITTEN = [
    f"x{key} {op}= {value}"
    for op, value, key in itertools.product(("+", "-", "*", "/", "//", "%", "**"), VALUES, KEYS)
    if op != "**" or value == "2"
] + [f"x{key} = x{key} {op} {value}" for op in "+-*/" for key in KEYS[:2] for value in VALUES]  # fmt: skip

MADE = {
    "numpy": (
        "np.zeros_like(x, dtype=np.float64) + 0.5",
        "np.full_like(x, 2.5, dtype=float), np.ones_like(x, dtype=float) / 2",
        "np.empty_like(x, dtype=float, shape=3) * 0 + 0.5",
        "np.zeros_like(x, dtype=np.int64), np.zeros_like(x, dtype=x.dtype)",
    ),
    "torch": (
        "torch.zeros_like(x, dtype=torch.float64) + 0.5",
        "x.new_ones(2, dtype=torch.float64) / 2, x.new_zeros(3, dtype=torch.float64)",
        "torch.full_like(x, 2.5, dtype=torch.float64), torch.zeros_like(x, dtype=x.dtype)",
        "x.new_full((2,), 2, dtype=torch.int64)",
    ),
}
OTHERS = ("float64", "float16", "int32", "uint8", "bool")


def made(text: str) -> Any:
    """A function of this text."""
    text, name = f"def f(x, y):\n{text}", f"<written {text}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    space: dict[str, Any] = {"np": np, "torch": torch}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def holds_for_others(fn: Any, source: str, to: str, x64: bool) -> None:
    example = np.arange(1, 6, dtype=np.float32), np.arange(2, 7, dtype=np.float32)
    numbers = np.array([-6, -4, -8, 5, -10]), np.array([2, 3, 1, 4, 2])
    pairs = [(d, "float32") for d in OTHERS] + [(d, d) for d in OTHERS] + [("float32", d) for d in OTHERS]
    with jax.enable_x64(x64):
        out = tl.transpile(fn, tuple(convert(a, source) for a in example), to=to, source=source)
        for dtypes in pairs:
            given = [np.abs(a).astype(d) if "u" in d else a.astype(d) for a, d in zip(numbers, dtypes)]
            try:
                expected = fn(*(convert(a, source) for a in given))
                got = out(*(convert(a, to) for a in given))
            except Exception:
                continue  # what the source does not do, or what is refused aloud
            wrong = list(compare(expected, got, kind="reduction", narrowed=not x64))
            assert not wrong, f"{dtypes}: {wrong[0]}\n{out.source}"


@pytest.mark.covering("statement", "source", "to")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("to", ["jax", "jax64", "numpy", "torch"])
@pytest.mark.parametrize("source", COPIES)
@pytest.mark.parametrize("statement", WRITTEN)
def test_elements_computed_in_their_place(statement: str, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = made(f"    x = {COPIES[source]}\n    {statement}\n    return x\n")
    holds_for_others(fn, source, to.removesuffix("64"), to != "jax")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.complete
@pytest.mark.parametrize("to", ["jax", "jax64", "numpy", "torch"])
@pytest.mark.parametrize(("source", "value"), [(s, value) for s, values in MADE.items() for value in values])
def test_arrays_made_with_a_dtype_of_their_own(source: str, value: str, to: str) -> None:
    holds_for_others(made(f"    return {value}\n"), source, to.removesuffix("64"), to != "jax")


def test_a_dtype_that_is_said_stays_in_the_text() -> None:
    fn = made("    return np.zeros_like(x, dtype=np.float32)\n")
    out = tl.transpile(fn, (np.ones(2, np.float32), np.ones(2, np.float32)), to="numpy")
    assert out.source.endswith("def f(x, y):\n    return np.zeros_like(x, dtype=np.float32)\n")
    assert out(np.ones(2, int), 0).dtype == np.float32


@pytest.mark.complete
@pytest.mark.parametrize("dtype", ["uint16", "uint32", "int16"])
def test_other_ints_are_no_bytes(dtype: str) -> None:
    half, x = made("    return np.float16(2) * x\n"), np.array([300, 5, 1]).astype(dtype)
    out = tl.transpile(half, (np.array([1, 2, 3], np.uint8), 0), to="jax", x64=False)
    assert half(x, 0).dtype == np.float32 or dtype == "uint32"
    with pytest.raises(AssertionError):
        out(convert(x, "jax"), 0)

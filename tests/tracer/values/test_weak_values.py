"""What JAX makes weak of Python's numbers, where programs for NumPy and torch hand it on."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
import linecache
from typing import Any

import jax
import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import convert

#: What is weak in JAX where it is made: of a number k that is an int, or w that is a float.
NUMPY = {
    "abs": "np.abs(k)",
    "scalar": "np.int64(k)",
    "maximum": "np.maximum(k, 0)",
    "sign": "np.sign(k) * 100",
    "size": "np.abs(x.shape[0]) * 30",
    "full": "np.full((), k)",
    "row": "np.full(2, k)[0]",
    "cos": "np.cos(w)",
    "float": "np.float64(w)",
    "sum": "np.exp(w) + np.abs(k)",
}
TORCH = {
    "tensor": "torch.tensor(k)",
    "abs": "torch.abs(torch.tensor(k))",
    "float": "torch.tensor(w)",
    "cos": "torch.cos(torch.tensor(w)) * 2",
    "full": "torch.full((), k)",
    "sum": "torch.tensor(w) + k",
}
#: How it is handed on: V is the value, M the framework.
WAYS = {
    "argument": """
def helper(v, c):
    return v + c
def program(x, k, w):
    return helper(x[0], V)
""",
    "argument by name": """
def helper(v, c):
    return v * c
def program(x, k, w):
    c = V
    return helper(x[0], c), x[1] + c
""",
    "result": """
def helper(x, k, w):
    return V
def program(x, k, w):
    return x[0] + helper(x, k, w)
""",
    "one of two results": """
def helper(x, k, w):
    return x[0], [V, x[1]]
def program(x, k, w):
    first, (c, second) = helper(x, k, w)
    return first * c + second
""",
    "result of two helpers": """
def inner(c, x):
    return c
def helper(c, x):
    return inner(c, x), x[1] * c
def program(x, k, w):
    c, d = helper(V, x)
    return x[0] + c, d
""",
    "list as an argument": """
def helper(v, several):
    return v + several[0] * several[1][0]
def program(x, k, w):
    return helper(x[0], [V, (x[1], V)])
""",
    "dict as an argument": """
def helper(v, several):
    return v + several["c"]
def program(x, k, w):
    return helper(x[0], {"c": V, "d": x})
""",
    "branch": """
def program(x, k, w):
    c = V if x[0] > 0 else V * 2
    return x[0] * c
""",
    "branch on one side": """
def program(x, k, w):
    c = V
    if x[0] > 0:
        c = c + c
    return x[0] + c, c
""",
    "branch in a branch": """
def program(x, k, w):
    c = V
    if x[0] > 0:
        if x[1] > 0:
            c = c * 2
        c = c + 1
    return x[0] + c
""",
    "branch of a helper": """
def helper(x, k, w):
    if x[0] > 0:
        return V
    return V + 1
def program(x, k, w):
    return x[0] + helper(x, k, w)
""",
    "loop": """
def program(x, k, w):
    s = V
    for v in x:
        s = s + v
    return s
""",
    "loop that computes": """
def program(x, k, w):
    s = V
    for i in range(12):
        s = x[0] + s * 2
    return s
""",
    "loop begun by a number": """
def program(x, k, w):
    c, s = V, 0
    for v in x:
        s = v + c + s
    return s
""",
    "loop with a branch": """
def program(x, k, w):
    c = V
    s = V
    for v in x:
        if v > 20:
            s = v + s
        else:
            s = c + s
    return s
""",
    "swapped in a loop": """
def program(x, k, w):
    c = V
    s, t = V, V + 1
    for v in x:
        s, t = t, v + c - s
    return s, t
""",
    "while": """
def program(x, k, w):
    s, i = V, 0
    while i < len(x):
        s = s + x[i]
        i += 1
    return s
""",
    "collected": """
def program(x, k, w):
    found = []
    for v in x:
        found.append(V)
    return x[0] + found[3]
""",
    "collected after one": """
def program(x, k, w):
    found = [V]
    for v in x:
        found.append(found[-1] + v)
    return M.stack(found)
""",
    "gone over": """
def program(x, k, w):
    s = V
    for c in M.full((12,), k):
        s = s + x[0] * c
    return s
""",
}
OFTEN = ("abs", "cos", "tensor")
CASES = [
    pytest.param(source, *each, x64, marks=() if each[0] in OFTEN else pytest.mark.slow)
    for source, words in (("numpy", NUMPY), ("torch", TORCH))
    for each in itertools.product(words, WAYS)
    for x64 in (False, True)
]


def made(text: str) -> Any:
    """The function `program` of a module with this text."""
    file = f"<weak {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"np": np, "torch": torch, "__name__": "weak"}
    exec(compile(text, file, "exec"), module)
    return module["program"]


def array(dtype: str) -> Any:
    return np.tile(np.array([100, 20, 3], dtype), 5)


@pytest.mark.covering
@pytest.mark.parametrize(("source", "value", "way", "x64"), CASES)
def test_handed_on(source: str, value: str, way: str, x64: bool) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    words = {"numpy": NUMPY, "torch": TORCH}[source]
    name = {"numpy": "np", "torch": "torch"}[source]
    program = made(WAYS[way].replace("V", f"({words[value]})").replace("M", name))
    floats = x64 and words[value].count("w")
    example, *others = [
        (array(dtype), 100, 0.5)
        for dtype in ("float32" if floats else "int8", "int8" if floats else "float16", "int16")
    ]
    with jax.enable_x64(x64):
        try:
            agrees_or_raises(program, source, example, others, "jax", x64=x64, unroll=3)
        except tl.TraceError as error:
            assert not isinstance(error, tl.InternalError)
            refused = ("number on one way", "changes its shape or dtype")
            assert any(why in str(error) for why in refused), error


def add(x, c):
    return x + c


def straight(x, k):
    c = np.abs(k)
    return x + c, c


def of_a_number(x, k):
    return add(x, np.int64(k))


def powers(xs, w):
    c, s = np.cos(w), 0.0
    for x in xs:
        s = x + s**2 + c
    return s


@pytest.mark.parametrize("to", ["jax", "torch", "numpy"])
def test_powers_of_what_is_a_number_in_the_first_turn(to: str) -> None:
    xs, wide = np.linspace(0, 0.1, 16, dtype="float32"), {"x64": True} if to == "jax" else {}
    with jax.enable_x64(True):
        agrees_or_raises(powers, "numpy", (xs, 1.5), [(xs.astype("float64"), 1.5)], to, **wide)


def test_straight_lines_stay_as_they_are() -> None:
    text = tl.symbolic_trace(straight, (np.ones(3, "float32"), 2)).source("jax", x64=True)
    assert "c = jnp.abs(k)\n" in text and "return x.astype(jnp.float64) + c, c" in text


def test_an_array_of_a_number_is_told_its_dtype() -> None:
    text = tl.symbolic_trace(of_a_number, (array("int8"), 100)).source("jax")
    assert "add(x, jnp.array(k, dtype=jnp.int32))" in text


def test_numbers_that_a_loop_begins_with_stay_numbers() -> None:
    def program(x):
        s = 0.0
        for v in x:
            if v > 0:
                s = s + v
        return s

    text = tl.transpile(program, (convert(array("float32"), "numpy"),), to="jax").source
    assert "jax.lax.scan(step, 0.0, x)" in text

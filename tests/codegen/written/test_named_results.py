"""Results under the names that the user's statement gives them, where Python holds them in between: in what a
generator makes, in a tuple that a call gives, on one side of an `if`, in a constant of the module.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from named_results import FUNCTIONS

import tracelate as tl

R = np.random.default_rng(0)
X, Y = (R.normal(size=(3, 3)).astype(np.float32) for _ in range(2))
#: The statements that stand in the text for NumPy, for each function.
STATEMENTS: dict[str, list[str]] = {
    "of_a_generator": ["q, k, v = x * 2, y * 2, (x - y) * 2"],
    "of_a_list": ["a, b = np.tanh(x), np.tanh(y)"],
    "of_map": ["a, b = np.exp(x), np.exp(y)"],
    "of_calls": ["q, k = scaled(x, n), scaled(y, n)"],
    "swapped": ["a, b = np.tanh(y), np.tanh(x)"],
    "in_turn": [],
    "attribute": ["best = x.max(axis=1)", "where = x.argmax(axis=1)"],
    "item": ["best = x.max(axis=0)"],
    "later": ["values = np.sort(x, axis=1)", "places = np.argsort(x, axis=1)"],
    "sides": ["a, b = b, a", "a, b = a + 1, b * 2"],
    "side": ["a, b = a + b, a - b"],
    "named_twice": ["first = x * 2"],
    "rebound": ["a, b = x * 2, y * 2", "a, b = a + 1, b + 1"],
    "counted": ["(x > n)"],
}


def given(name: str) -> tuple[str, Any, tuple[Any, ...]]:
    """The source's framework, a function and the example."""
    framework, fn, numbers = FUNCTIONS[name]
    make: Any = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.tensor}[framework]
    return framework, fn, (make(X), make(Y), *numbers)


@pytest.mark.parametrize("name", STATEMENTS)
def test_the_statement_stands(name: str) -> None:
    _, fn, args = given(name)
    text = tl.symbolic_trace(fn, args).source("numpy")
    for statement in STATEMENTS[name]:
        assert statement in text, text


@pytest.mark.parametrize("to", ("numpy", "jax", "torch"))
@pytest.mark.parametrize("name", STATEMENTS)
def test_what_comes_out_is_the_same(name: str, to: str) -> None:
    _, fn, args = given(name)
    report = tl.check(fn, args, to=to, vary=True)
    assert report, str(report)


def test_a_generator_that_gives_too_much_raises_as_python_does() -> None:
    with pytest.raises(ValueError, match="too many values to unpack"):
        tl.symbolic_trace(FUNCTIONS["of_too_many"][1], (X, Y))


def test_constants_of_one_statement_stay_in_one() -> None:
    _, fn, args = given("constants")
    text = tl.symbolic_trace(fn, args).source("torch")
    lines = text.split("\n")
    assert [line for line in lines if line[:1].isupper()] == [
        "NEAR, FAR = 0.5, -6.0  # the planes",
        "SCALE = NEAR * 2",
        "LEFT = 1e-3",
        "RIGHT = 1e-3",
    ]
    assert text.count("SCALE") == 2


def test_what_needs_a_constant_in_between_is_not_moved() -> None:
    _, fn, args = given("interleaved")
    out = tl.transpile(fn, to="torch", args=args)
    assert np.array_equal(out(*map(torch.tensor, args)).numpy(), fn(*args))


@pytest.mark.parametrize("wide", (False, True))
def test_ints_beside_integers_of_jax_are_what_jax_makes_of_them(wide: bool) -> None:
    import jax

    _, fn, _ = given("counted")
    with jax.enable_x64(wide):
        for dtype in ("int8", "int16", "int32", *(["int64"] if wide else [])):
            x = jnp.asarray([1, 44, -3], dtype)
            out = tl.transpile(fn, to="numpy", args=(x, x, 3))
            for n in (3, -3, 300, 2**31, 2**40, -(2**33)):
                try:
                    expected = np.asarray(fn(x, x, n))
                except OverflowError:
                    continue  # the source has no answer
                try:
                    found = out(np.asarray(x), np.asarray(x), n)
                except (AssertionError, OverflowError):
                    continue
                assert np.array_equal(expected, found), (dtype, n, out.source)

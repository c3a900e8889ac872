"""`@jax.jit` stands where the user has it, where `jit=True` asks, and on an entry with `lax` control flow."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import pytest
import torch

import tracelate as tl
from tracelate.ir.errors import UnsupportedError

X = jnp.arange(3.0)


@jax.jit
def scaled(x: Any, k: Any) -> Any:
    return jnp.exp(x) * k


@functools.partial(jax.jit, static_argnames=("n",))
def power(x: Any, n: int) -> Any:
    if n > 2:
        return x**n
    return x * n


def doubled(x: Any) -> Any:
    return x * 2


compiled = jax.jit(doubled)


@jax.jit
def entry(x: Any) -> Any:
    return jnp.tanh(x) + 1


def caller(x: Any) -> Any:
    for i in range(3):
        x = scaled(x, i)
    return power(scaled(x, 2.0), 3) + compiled(x)


def both(x: Any) -> Any:
    return compiled(x) + doubled(x + 1)


def flowing(x: Any) -> Any:
    return jax.lax.fori_loop(0, x.shape[0], lambda i, y: y * 2, x)


def configured(x: Any, config: dict[str, int]) -> Any:
    return jnp.zeros(config["n"]) + x.sum()


def decorated(text: str) -> dict[str, str]:
    """What stands above each function; "" where nothing does."""
    lines = text.splitlines()
    functions = [i for i, line in enumerate(lines) if line.startswith("def ")]
    above = {lines[i].partition("(")[0][4:]: lines[i - 1] for i in functions}
    return {name: line if line.startswith("@") else "" for name, line in above.items()}


def source(fn: Any, *args: Any, to: str = "jax", **options: Any) -> str:
    return tl.symbolic_trace(fn, args).source(to, **options)


def test_what_the_user_has_compiled_is() -> None:
    assert decorated(source(entry, X)) == {"entry": "@jax.jit"}
    static = '@functools.partial(jax.jit, static_argnames="n")'
    found = {"caller": "", "scaled": "@jax.jit", "power": static, "doubled": "@jax.jit"}
    assert decorated(source(caller, X)) == found
    assert decorated(source(power, X, 3)) == {"power": static}
    assert tl.check(caller, (X,), to="jax")


def test_what_is_called_both_ways_is_compiled_where_it_is_a_function_of_its_own() -> None:
    assert set(decorated(source(both, X)).values()) <= {"", "@jax.jit"}
    assert tl.check(both, (X,), to="jax")


def test_control_flow_of_jax_is_compiled() -> None:
    assert decorated(source(flowing, X)) == {"flowing": "@jax.jit"}


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_elsewhere_nothing_is(to: str) -> None:
    assert "@" not in source(caller, X, to=to)


def test_pythons_own_control_flow_is_not() -> None:
    assert "@" not in source(caller, X, control="python")


def test_it_may_be_asked_for() -> None:
    assert decorated(source(doubled, X)) == {"doubled": ""}
    assert decorated(source(doubled, X, jit=True)) == {"doubled": "@jax.jit"}
    assert decorated(source(doubled, torch.ones(2), jit=True)) == {"doubled": "@jax.jit"}
    assert decorated(tl.transpile(doubled, (X,), to="jax", jit=True).source) == {"doubled": "@jax.jit"}


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="(?s)compiling configured .* leave jit=True out"):
        source(configured, X, {"n": 3}, jit=True)
    with pytest.raises(ValueError, match="compiles no function of torch"):
        source(doubled, X, to="torch", jit=True)
    with pytest.raises(ValueError, match="compiles no function of jax with control='python'"):
        source(doubled, X, control="python", jit=True)


@jax.jit
def with_number(x: Any, k: Any) -> Any:
    return x * k, k * 2


def called_by_a_loop(x: Any) -> Any:
    y, k = with_number(x, 3)
    return jax.lax.fori_loop(0, 4, lambda i, y: with_number(y, i)[0], y) + k


def counted(x: Any, n: int = 3) -> Any:
    for i in range(n):
        x, k = with_number(x, i)
        x = x + with_number(x, 7)[0]
    return x, k


def test_what_a_loop_counts_is_no_static_argument() -> None:
    assert tl.check(called_by_a_loop, (X,), to="jax", vary=10)
    assert tl.check(counted, (X,), to="jax", vary=10)


@functools.partial(jax.jit, static_argnames="mode")
def told(x: Any, mode: str) -> Any:
    return x * 2 if mode == "mul" else x + 2


@functools.partial(jax.jit, static_argnames=("mode", "n"))
def told_with_a_size(x: Any, n: int, mode: str = "a") -> Any:
    return jnp.zeros(n) + (x if mode == "a" else -x)


def in_two_modes(x: Any) -> Any:
    return told(x, "mul"), told(x, "add"), told_with_a_size(x, 3), told_with_a_size(x, 3, "b")


def test_what_one_text_asks_of_several_calls_is_static() -> None:
    out = tl.transpile(in_two_modes, (X,), to="jax")
    assert '@functools.partial(jax.jit, static_argnames="mode")' in out.source
    for found, expected in zip(out(X), in_two_modes(X), strict=True):
        assert (found == expected).all()


def or_raised(x: Any, k: Any = None) -> Any:
    if k is None:
        return x
    return x + k


def called_for_nothing(x: Any, y: Any) -> Any:
    if y.sum() > 2:
        z = x
    else:
        z = x
        or_raised(y, 3)
    return z * 2


def test_a_helper_that_is_called_for_nothing_gives_nothing_to_a_cond() -> None:
    out = tl.transpile(called_for_nothing, (X, X), to="jax")
    assert (out(X, X) == called_for_nothing(X, X)).all() and (out(X, -X) == X * 2).all(), out.source

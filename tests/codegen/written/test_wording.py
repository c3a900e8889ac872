"""A text calls things as the user does: methods stay methods, functions functions, operators operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from own_text import EVERYWHERE, OF, X, body

import tracelate as tl


def methods_of_torch(x: torch.Tensor) -> Any:
    mean = x.mean(dim=0, keepdim=True)
    return (
        (x - mean).sum(-1),
        x.max(),
        x.clamp(0, 2),
        x.argmax(dim=1),
        x.cumsum(0),
        x.std(),
        x.sum(0).squeeze(0),
    )


@EVERYWHERE
def test_methods_stay(to: str) -> None:
    text = body(methods_of_torch, to, OF["torch"](X))
    axis = "dim" if to == "torch" else "axis"
    for said in (
        f".mean({axis}=0",
        ").sum(-1)" if to == "torch" else ").sum(axis=-1)",
        "x.max()",
        f"x.argmax({axis}=1)",
        "x.cumsum(0)" if to == "torch" else "x.cumsum(axis=0)",
    ):
        assert said in text, text
    assert ("x.clamp(0, 2)" if to == "torch" else "x.clip(0, 2)") in text
    assert {"numpy": "x.std(ddof=1)", "jax": "x.std(ddof=1)", "torch": "x.std()"}[to] in text


def functions_of_numpy(x: Any, y: Any) -> Any:
    both = np.add(x, y)
    return (
        np.mean(x),
        np.matmul(x, np.transpose(y)),
        np.reshape(both, (3, 2)),
        np.subtract(x, 1),
        np.equal(x, y),
    )


@EVERYWHERE
def test_functions_stay(to: str) -> None:
    text = body(functions_of_numpy, to, OF["numpy"](X), OF["numpy"](X + 1))
    root, equal = {"numpy": ("np", "equal"), "jax": ("jnp", "equal"), "torch": ("torch", "eq")}[to]
    for said in (
        "add(x, y)",
        "mean(x)",
        "matmul(x, ",
        "reshape(both, (3, 2))",
        "subtract(x, 1)",
        f"{equal}(x, y)",
    ):
        assert f"{root}.{said}" in text, text


@EVERYWHERE
def test_operators_stay(to: str) -> None:
    def operators(x: Any, y: Any) -> Any:
        return x + y, x @ y.T, x == y, -x, x**2

    text = body(operators, to, OF["jax"](X), OF["jax"](X + 1))
    for said in ("x + y", "x @ y.T", "x == y", "-x", "x**2"):
        assert said in text, text


def test_a_power_of_numpys_stays_an_operator() -> None:
    """np.power(x, 2) of bools is of another dtype than x**2, so that neither stands for the other."""
    assert body(lambda x: torch.pow(x, 2), "numpy", OF["torch"](X)) == "return x**2"


def test_numbers_of_numpys_have_the_methods_of_arrays() -> None:
    assert (
        body(lambda x: x.sum().clip(0, 2).round(), "numpy", OF["torch"](X))
        == "return x.sum().clip(0, 2).round()"
    )


def test_a_step_of_ours_is_a_function() -> None:
    """What a method is spelled out as is not all of it methods, nor the last of it a function."""
    text = body(lambda x: x.softmax(0), "numpy", OF["torch"](X))
    assert "np.max(x, axis=0" in text and "/ np.sum(" in text, text
    text = body(lambda x: torch.softmax(x, 0), "numpy", OF["torch"](X))
    assert "divide" not in text, text


def test_what_users_say_is_said_so() -> None:
    from tracelate.ir.ops import reduction

    with tl.dictionary():
        tl.say(reduction.mean, jax="jnp.mean(x, axis=axis, keepdims=keepdims)", priority=1)
        assert body(lambda x: x.mean(0), "jax", OF["torch"](X)) == "return jnp.mean(x, axis=0)"
    assert body(lambda x: x.mean(0), "jax", OF["torch"](X)) == "return x.mean(axis=0)"


def test_no_axis_need_not_be_named() -> None:
    text = body(lambda x: (x.std(), np.var(x)), "torch", OF["numpy"](X))
    assert text == "return x.std(correction=0), torch.var(x, correction=0)"

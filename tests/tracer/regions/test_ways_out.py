"""What is said of a program that cannot be translated is so, and what is advised can be translated."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = np.array([1.0, 2.0, 3.0], np.float32)
T = torch.tensor(X)


class Model:
    def __init__(self) -> None:
        self.a = 1


def attribute(x):
    m = Model()
    if x.sum() > 0:
        m.extra = x
    return x * 2


def attribute_before(x):
    m = Model()
    m.extra = np.zeros_like(x)
    if x.sum() > 0:
        m.extra = x
    return x * 2 + m.extra


def statement(x):
    found = {"a": x}
    x.sum() > 0 and found.update(a=2 * x)
    return found["a"]


def statement_if(x):
    found = {"a": x}
    if x.sum() > 0:
        found["a"] = 2 * x
    return found["a"]


def divided(x):
    return np.divide(1, x, out=np.zeros_like(x), where=x != 0)


def divided_where(x):
    return np.where(x != 0, 1 / np.where(x != 0, x, 1), 0)


def clipped(x):
    k = x.shape[0]
    return x * np.clip(k, 0, 2)


def clipped_by_python(x):
    k = x.shape[0]
    return x * min(max(k, 0), 2)


def overlaps(x):
    x = x + 1
    h = x.unsqueeze(0)
    x[0] += h[0, 1]
    return x


def cloned(x):
    x = x + 1
    h = x.unsqueeze(0)
    x[0] += h[0, 1].clone()
    return x


REFUSED = [
    (attribute, X, "torch", "a Model with the attribute `extra` on one way", attribute_before),
    (statement, X, "torch", "the value of this `and`", statement_if),
    (divided, X, "torch", r"where\(ok, x / where\(ok, y, 1\), 0\)", divided_where),
    (clipped, X, "torch", r"min\(max\(k, low\), high\)", clipped_by_python),
    (overlaps, T, "numpy", "maybe it reads elements that it writes", cloned),
]


@pytest.mark.parametrize(("fn", "x", "to", "said", "instead"), REFUSED, ids=[r[0].__name__ for r in REFUSED])
def test_the_way_out_is_one(fn: Any, x: Any, to: str, said: str, instead: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match=said):
        tl.transpile(fn, to=to, args=(x,))
    tl.transpile(instead, to=to, args=(x,), verify=True)


def test_nothing_is_told_of_what_stands_in_for_a_tensor() -> None:
    def f(x):
        return (x > 0).nonzero().squeeze()

    with pytest.raises(tl.UnsupportedError) as refused:
        tl.transpile(f, to="numpy", args=(T,))
    assert "squeeze" not in str(refused.value).split("try:")[1]


def test_only_jax_has_a_size_for_unique() -> None:
    with pytest.raises(tl.TraceError, match="how many there are") as refused:
        tl.transpile(lambda x: np.unique(x).shape[0], to="torch", args=(X,))
    assert "jnp" not in str(refused.value)


def test_of_what_a_mask_picks_the_size_is_not_known() -> None:
    def f(x):
        y = x[x > 3]
        y[0] = 100
        return y

    with pytest.raises(tl.UnsupportedError, match="the size of x is not known"):
        tl.transpile(f, to="jax", args=(X,))


def test_a_target_array_may_be_given_by_its_place() -> None:
    def f(x):
        y = x + 1
        np.negative(y, y)
        np.add(x, y, y)
        return y

    assert np.allclose(tl.transpile(f, to="torch", args=(X,))(T), f(X))
    assert np.allclose(tl.transpile(f, to="jax", args=(X,))(jnp.asarray(X)), f(X))


@pytest.mark.parametrize("of_number", [np.rint, np.reciprocal], ids=["rint", "reciprocal"])
def test_a_float_is_one_to_functions_of_floats(of_number: Any) -> None:
    out = tl.transpile(lambda x, k: x * of_number(k), to="torch", args=(X, 2.5))
    assert np.allclose(out(T, 4.5), X * of_number(4.5))
    with pytest.raises(AssertionError):
        out(T, 4)


ASKING = {
    "numpy": [
        lambda x, k: np.result_type(x, k).itemsize * x,
        lambda x, k: x * (2 if np.can_cast(np.result_type(x, k), np.float32) else 3),
        lambda x, k: x.astype(np.result_type(k, np.float32)),
    ],
    "torch": [lambda x, k: x * (2 if torch.result_type(x, k) == torch.float32 else 3)],
    "jax": [lambda x, k: x * (2 if jnp.result_type(x, k) == jnp.float32 else 3)],
}


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("source", "fn"), [(s, f) for s, fns in ASKING.items() for f in fns])
def test_the_type_of_a_number_that_a_dtype_is_asked_of_is_checked(source: str, fn: Any, to: str) -> None:
    from ways import agrees_or_raises

    given = [(np.array([3, 1], d), k) for d in ("int32", "float32") for k in (2, 2.5, True, 300)]
    for example in given:
        try:
            agrees_or_raises(fn, source, example, given, to)
        except tl.UnsupportedError:
            continue  # of 64 bits in JAX

"""Numbers that a parameter is checked to be stand in the text under its name, as in the user's."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import ast

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(12.0, dtype=np.float32).reshape(3, 4)


def softmax(x, axis):
    w = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return w / np.sum(w, axis=axis, keepdims=True)


def once(x):
    return softmax(x, axis=-1)


def by_place(x):
    return softmax(x, -2)


def two_axes(x):
    y = softmax(x, axis=0)
    return softmax(y, axis=-1)


def by_default(x, axis=-1):
    return np.sum(x, axis=axis)


def within_an_expression(x, size=5):
    return x.sum() + np.arange((1 - size) / 2, (1 + size) / 2)


def bound_again(x, axis=1):
    axis = axis - 1
    return np.sum(x, axis=axis)


def in_a_function_of_its_own(x, axis=1):
    def total(v, axis):
        return np.sum(v, axis=axis)

    return total(x, axis) + total(x * 2, 1)


def same_number_elsewhere(x, axis=1):
    return np.sum(x, axis=axis) + np.max(x, axis=1)


def functions(text):
    found = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return {node.name: ast.unparse(node) for node in found}


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(
    "fn",
    [
        once, by_place, two_axes, by_default, within_an_expression, bound_again, in_a_function_of_its_own,
        same_number_elsewhere,
    ],
)  # fmt: skip
def test_the_numbers_are_the_same(fn, to):
    out = tl.transpile(fn, (X,), to=to)
    np.testing.assert_allclose(np.asarray(out(convert(X, to))), fn(X), rtol=1e-6)


def test_a_helper_says_its_parameter_and_checks_nothing_that_literals_hold():
    found = functions(tl.symbolic_trace(once, (X,)).source("torch"))
    assert "dim=axis" in found["softmax"] and "assert" not in found["softmax"]
    assert "softmax(x, axis=-1)" in found["once"]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_one_function_stands_for_all_numbers_that_it_is_given(to):
    found = functions(tl.symbolic_trace(two_axes, (X,)).source(to))
    assert [*found] == ["two_axes", "softmax"]


def test_an_entry_checks_what_its_parameter_is():
    out = tl.transpile(by_default, (X,), to="torch")
    assert "assert axis == -1, axis" in out.source and "dim=axis" in out.source
    with pytest.raises(AssertionError):
        out(X, axis=0)


def test_an_expression_of_a_parameter_stays_one():
    text = tl.symbolic_trace(within_an_expression, (X,)).source("numpy")
    assert "np.arange((1 - size) / 2, (1 + size) / 2)" in text


def halved(x, k=5):
    return x.sum() * (k // 2), np.array([1.0 / (j + 1) for j in range(k)])


def test_a_number_within_an_expression_of_a_parameter_is_that_number():
    text = tl.symbolic_trace(halved, (X,)).source("numpy")
    assert "x.sum() * (k // 2)," in text  # where 2 is not k // 2, though it is of the same value


def test_what_is_bound_again_is_its_number():
    text = tl.symbolic_trace(bound_again, (X,)).source("numpy")
    assert "axis=axis" not in text


def test_only_where_the_user_has_it_a_number_has_the_name():
    text = tl.symbolic_trace(same_number_elsewhere, (X,)).source("numpy")
    assert "np.sum(x, axis=axis) + np.max(x, axis=1)" in text


def first(x, axis):
    y = torch.exp(x)
    return y / torch.sum(y, dim=axis, keepdim=True)


def second(x, axis):
    y = torch.exp(x)
    return y / torch.sum(y, dim=axis, keepdim=True)


def both(x):
    return first(x, 0), second(x, 1), first(x, 1)


def test_functions_of_one_text_are_two_where_the_user_wrote_two():
    found = functions(tl.symbolic_trace(both, (torch.from_numpy(X),)).source("torch"))
    assert [*found] == ["both", "first", "second"]


def picked(x, flag, k=1):
    if flag:
        return x * 5 if k > 1 else x
    return x[::k]


def picked_twice(x):
    return picked(x[0], False), picked(x[0], True, 2)


def compared(x, k=1):
    if k > 1:
        x = x * 2
    return x[::k]


def by_keys(p, x, k=1):
    if "d" in p:
        r = x * p["d"]
        if k > 1:
            r = r / 3
    else:
        r = x
        if k > 1:
            r = x[::k]
    return r


def by_keys_twice(x):
    return by_keys({"d": x[0]}, x[0]), by_keys({"e": x[0]}, x[0], 2)


def greatest(x, ax=0, m=3):
    y = np.sum(x, axis=ax)
    return y * max(ax, m) if ax == 0 else y


def greatest_of_several(x):
    return greatest(x), greatest(x, 1), greatest(x, 0, 5)


def two_of_one_number(x, k=1, j=1):
    return x[::k] * j + (k if j > 1 else 0)


def two_numbers(x):
    return two_of_one_number(x), two_of_one_number(x, 1, 2), two_of_one_number(x, 2, 2)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [picked_twice, compared, by_keys_twice, greatest_of_several, two_numbers])
def test_a_literal_beside_a_parameter_of_the_same_number_stays_one(fn, to):
    out = tl.transpile(fn, (X,), to=to)
    found, wanted = out(convert(X, to)), fn(X)
    for mine, theirs in zip(found, wanted, strict=True) if isinstance(wanted, tuple) else ((found, wanted),):
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-6, err_msg=out.source)
    assert "k > k" not in out.source and "max(ax, ax)" not in out.source

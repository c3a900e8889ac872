"""What kind of thing an argument is: given another, a text gives what the program gives, or raises."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy

X = np.arange(3.0, dtype=np.float32)
WHOLE = np.arange(3)


class Mode(enum.Enum):
    SUM = 1
    MEAN = 2


def by_isinstance(x, k):
    return x * 2 if isinstance(k, float) else x * 3


def of_a_sum(x, k):
    return x * 2 if isinstance(k + 1, int) else x * 3


def in_a_helper(x, k):
    return chosen(x, k)


def chosen(x, k):
    return x * 2 if isinstance(k, int) else x * 3


def filled(x, k):
    return np.full(3, k) + x


def beside_integers(x, k):
    return np.arange(3) * k + x


def said(x, k):
    return x * len(f"{k}:{x.shape[0]}")


def written_out(x, k):
    return x * len(str(k))


def rounded_down(x, k):
    k = int(k)
    return x * k


def as_a_float(x, k):
    return (x > 0) * float(k)


def rounded_in_a_loop(x, k):
    total = x * 0
    for row in x:
        total = total + row * int(k)
    return total


def counted(x, k):
    for _ in range(int(k)):
        x = x + 1
    return x


NUMBERS = [
    by_isinstance, of_a_sum, in_a_helper, filled, beside_integers, said, written_out, rounded_down,
    as_a_float, rounded_in_a_loop, counted,
]  # fmt: skip


def of_items(x, p):
    return x * sum(p["w"]) - p["lr"] * 2


def of_an_item(x, p):
    return x * int(p["w"][0])


def as_an_array(x, p):
    return np.array(p["w"]) + x


def in_a_loop(x, p):
    for i in range(len(x)):
        x = x - p["lr"]
    return x


def unpacked(x, p):
    one, two = p["w"]
    return x * one + two


ITEMS = [of_items, of_an_item, as_an_array, in_a_loop, unpacked]


def run(fn: Any, args: Any, framework: str) -> Any:
    try:
        return np.asarray(to_numpy(fn(*map_arrays(args, lambda a: convert(a, framework)))))
    except Exception as error:
        return error


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", NUMBERS, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_a_number_of_another_type_agrees_or_is_refused(fn: Any, to: str) -> None:
    for example in (3, 2.5):
        out = tl.transpile(fn, (X, example), source="numpy", to=to, x64=True)
        for k in (3, 2.5, 3.0, True):
            expected, found = run(fn, (X, k), "numpy"), run(out, (X, k), to)
            if k == example and type(k) is type(example):
                assert isinstance(found, np.ndarray), found
            if isinstance(found, np.ndarray):
                assert found.dtype == expected.dtype and np.array_equal(found, expected), out.source


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", ITEMS, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_so_does_one_in_a_container(fn: Any, to: str) -> None:
    x = np.arange(2)
    for example in ({"w": [1, 2], "lr": 3}, {"w": [1.5, 2.0], "lr": 0.5}):
        if fn is in_a_loop and to == "jax" and example["lr"] == 0.5:
            continue  # the array would be of another dtype in the next turn
        out = tl.transpile(fn, (x, example), source="numpy", to=to, x64=True)
        for p in (example, {"w": [1, 2], "lr": 0.5}, {"w": [1.5, 2], "lr": 3}, {"w": [1, 2.5], "lr": 3}):
            expected, found = run(fn, (x, p), "numpy"), run(out, (x, p), to)
            if p is example:
                assert isinstance(found, np.ndarray), found
            if isinstance(found, np.ndarray):
                assert found.dtype == expected.dtype and np.array_equal(found, expected), out.source


def test_what_makes_a_number_an_int_stays() -> None:
    for to in ("numpy", "torch", "jax"):
        assert "int(k)" in tl.transpile(rounded_down, (X, 2), to=to).source


def test_a_number_beside_floats_may_be_an_int_or_a_float() -> None:
    for to in ("numpy", "torch", "jax"):
        assert " type(" not in tl.transpile(lambda x, k: x * k + k, (X, 0.5), to=to).source


ARRAYS = [
    (lambda x: x * 2 if isinstance(x, np.ndarray) else x, "isinstance(x, np.ndarray)"),
    (lambda x: x * 2 if hasattr(x, "ndim") else x, "isinstance(x, np.ndarray)"),
    (lambda x: x * 2 if np.issubdtype(x.dtype, np.floating) else x, "x.dtype == np.float32"),
    (lambda x: x * 2 if x.dtype.kind == "f" else x, "x.dtype == np.float32"),
]


@pytest.mark.parametrize(("fn", "check"), ARRAYS)
def test_that_an_argument_is_an_array_is_checked(fn: Any, check: str) -> None:
    out = tl.transpile(fn, (X,), to="numpy")
    assert f"assert {check}, " in out.source
    for other in (2.0, [1.0], WHOLE):
        expected, found = run(fn, (other,), "numpy"), run(out, (other,), "numpy")
        if isinstance(found, Exception):
            assert isinstance(found, AssertionError), (found, out.source)
        else:
            assert np.array_equal(expected, found), out.source


def test_which_container_it_is_is_checked() -> None:
    out = tl.transpile(lambda ws: ws[0] if isinstance(ws, list) else ws[1], ([X, X + 1],), to="numpy")
    assert np.array_equal(out([X]), X)
    with pytest.raises(AssertionError):
        out((X, X + 1))


def flagged(x, mode=Mode.SUM, dtype=np.float32, fn=np.sin, kind=float):
    return fn(x.sum() if mode is Mode.SUM else x.mean()).astype(dtype)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_what_has_no_literal_stays_in_the_signature(to: str) -> None:
    traced = tl.symbolic_trace(flagged, (X,))
    out = traced.to(to)
    own = {"numpy": "np", "torch": "torch", "jax": "jnp"}[to]
    assert 'mode="SUM"' in out.source and f"fn={own}.sin" in out.source
    x = convert(X, to)
    expected = flagged(X)
    assert np.allclose(to_numpy(out(x)), expected) and np.allclose(to_numpy(out(x, Mode.SUM)), expected)
    assert np.allclose(to_numpy(out(x, "SUM")), expected)
    with pytest.raises(AssertionError):
        out(x, Mode.MEAN)
    with pytest.raises(AssertionError):
        out(x, Mode.SUM, torch.float16)
    assert tl.check(flagged, (X, Mode.SUM, np.float32), to=to)


def weighed(x, y, w):
    return (2 * x) @ w * y


def zeroed_at(x, m):
    y = x.copy()
    y[m] = 0
    return y


def masked_sum(x, m):
    return x[m].sum()


def multiplied(x, i):
    return x.at[i].multiply(2)


def scaled(x, k):
    return x * k + k // 2


M, INTS, MASK = np.float32([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]]), np.array([True, False])
JOINT = [
    (weighed, "numpy", (M, M, M), [(M, INTS, M), (INTS, M, M), (INTS, INTS, INTS)]),
    (zeroed_at, "numpy", (M[0], MASK), [(M[0], np.array([1, 0])), (M[0], np.array([1, 1]))]),
    (masked_sum, "numpy", (M[0], MASK), [(M[0], np.array([1, 1]))]),
    (multiplied, "jax", (M[0], np.array([1, 1])), [(M[0], MASK)]),
    (scaled, "numpy", (M, 2), [(INTS, 2.0), (INTS, 2), (M, 2.0), (M > 2, 3.0)]),
]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("number", range(len(JOINT)))
def test_several_arguments_of_other_kinds_at_once(number: int, to: str) -> None:
    agrees_or_raises(*JOINT[number], to)

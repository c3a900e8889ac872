"""What functions do that others have published."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import convert

FRAMEWORKS = ("numpy", "torch", "jax")
LINE = np.linspace(0.5, 2.0, 4, dtype=np.float32)


def of_two(x):
    if not ((x > 0).all() and (x < 9).all()):
        return x - 1
    return x * 2


def of_either(x):
    if not ((x > 9).all() or (x < 0).any()):
        return x - 1
    return x * 2


def of_floats(x):
    if not (x.sum() > 0 and x.max()):
        return x - 1
    return x * 2


def returned(x):
    return not ((x > 0).all() and (x < 9).all())


@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [of_two, of_either, of_floats, returned])
def test_not_of_tests_that_are_joined(fn: Any, source: str, to: str) -> None:
    agrees_or_raises(fn, source, (LINE,), [(-LINE,), (LINE * 9,), (LINE * 0,)], to)


def of_a_tuple(x, shape, k):
    rows = shape[0] // k
    if any([rows <= 0, shape[1] <= 0]):
        raise ValueError("too small")
    return x[:rows] * shape[1]


def of_a_dict(x, shape, k):
    p = {"n": shape, "inner": {"k": k}}

    def helper(x, p):
        if not all([p["n"][0] > 0, p["inner"]["k"] > 0]):
            raise ValueError("too small")
        return x * p["n"][1]

    return helper(x, p)


def of_an_inner_one(x, shape, k):
    if shape[0] > 1:
        if shape[1] > 5:
            raise ValueError("too large")
        x = x + 1
    return x * k


@pytest.mark.parametrize("fn", [of_a_tuple, of_a_dict, of_an_inner_one])
def test_numbers_in_containers_are_checked_in_jax(fn: Any) -> None:
    out = tl.transpile(fn, (LINE, (2, 3), 1), to="jax", source="numpy")
    for *shape, k in [(2, 3, 1), (4, 3, 2), (1, 2, 1), (0, 3, 1), (2, 0, 1), (2, 7, 1), (1, 7, 2)]:
        shape = tuple(shape)  # noqa: PLW2901
        try:
            expected = fn(LINE, shape, k)
        except ValueError as error:
            with pytest.raises(ValueError, match=str(error)):
                out(convert(LINE, "jax"), shape, k)
        else:
            assert np.allclose(out(convert(LINE, "jax"), shape, k), expected)


def by_elif(x, k):
    if k == 1:
        return x * 2
    elif k == 2:
        y = x + 1
        return y
    raise ValueError(f"k is {k}")


def by_elif_of_strings(x, k):
    mode = "sum" if k == 1 else "mean"
    if mode == "sum":
        return x.sum()
    elif mode == "mean" and k < 5:
        return x.mean()
    raise ValueError("mode")


def canonical(axis, ndim):
    if 0 <= axis < ndim:
        return axis
    elif -ndim <= axis < 0:
        return axis + ndim
    raise ValueError(f"axis {axis}")


def by_elif_in_a_helper(x, k):
    return x * canonical(k - 2, x.ndim)


@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("example", [1, 2])
@pytest.mark.parametrize("fn", [by_elif, by_elif_of_strings, by_elif_in_a_helper])
def test_a_raise_behind_elif(fn: Any, example: int, to: str) -> None:
    out = tl.transpile(fn, (LINE, example), to=to)
    for k in range(-3, 7):
        try:
            expected = fn(LINE, k)
        except ValueError:
            with pytest.raises((ValueError, AssertionError)):
                out(convert(LINE, to), k)
        else:
            try:
                found = out(convert(LINE, to), k)
            except AssertionError:
                assert k != example
            else:
                assert np.allclose(convert(found, "numpy"), expected)


def counted_from_the_front(x, axis=-1):
    axis = axis + x.ndim if axis < 0 else axis
    return x.sum(axis)


def by_an_if_statement(x, axis=-1):
    if axis < 0:
        axis += x.ndim
    return x.sum(axis) * x.shape[axis]


def moved_to_the_front(x, axis=-1):
    if axis < 0:
        axis = axis + len(x.shape)
    order = [axis] + [i for i in range(x.ndim) if i != axis]
    return x.transpose(*order) if len(order) == 2 else x


@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("example", [-1, 1])
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [counted_from_the_front, by_an_if_statement, moved_to_the_front])
def test_an_axis_that_a_test_of_numbers_chooses(fn: Any, source: str, example: int, to: str) -> None:
    if fn is moved_to_the_front and source == "torch":
        pytest.skip("torch's transpose takes two axes")
    matrix, line = np.arange(6, dtype=np.float32).reshape(2, 3), LINE
    out = tl.transpile(fn, (convert(matrix, source), example), to=to)
    for x in (matrix, line):
        for axis in (-2, -1, 0, 1):
            try:
                found = out(convert(x, to), axis)
            except (AssertionError, ValueError, IndexError):
                assert x is not matrix or axis != example
            else:
                assert np.allclose(convert(found, "numpy"), convert(fn(convert(x, source), axis), "numpy"))


def advantages(rewards, values, discounts):
    delta = rewards + discounts * values[1:] - values[:-1]

    def body(acc, x):
        de, d = x
        acc = de + d * 0.9 * acc
        return acc, {"acc": acc, "both": (acc + de, acc * 0)}

    return jax.lax.scan(body, 0.0, (delta, discounts), reverse=True)


def counted_down(rewards, values, discounts):
    return jax.lax.scan(lambda c, _: (c * 0.5 + rewards, c), values[:-1], None, 10, True)


def without_rows(rewards, values, discounts):
    return jax.lax.scan(lambda c, a: (c * 0.5 + a["d"], None), 0.0, {"d": discounts}, reverse=True)


@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("fn", [advantages, counted_down, without_rows])
def test_a_scan_in_reverse(fn: Any, to: str) -> None:
    random = np.random.default_rng(0)
    args = tuple(random.random(n).astype(np.float32) for n in (12, 13, 12))
    agrees_or_raises(fn, "jax", args, [tuple(a[2:] for a in args)], to)


UNARY = (
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "degrees", "erf", "erfc", "exp",
    "exp2", "expm1", "fabs", "lgamma", "log", "log10", "log1p", "log2", "radians", "sin", "sinh", "sqrt",
    "tan", "tanh", "floor", "ceil",
)  # fmt: skip
BINARY = ("atan2", "hypot", "pow", "copysign", "fmod")


@pytest.mark.covering
@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_functions_of_math_of_elements(name: str, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = getattr(math, name)

    def of_one(x):
        return x * fn(x[0] / 4) + fn(float(x[1] / 4))

    def of_two(x):
        return x * fn(x[0], x[1])

    first = np.array([5.0, 6.0] if name == "acosh" else [0.5, 3.0])
    others = [(first + 0.25,), (np.array([0.25, 0.125]) + (4 if name == "acosh" else 0),)]
    with jax.enable_x64(True):
        try:
            agrees_or_raises(of_two if name in BINARY else of_one, source, (first,), others, to, x64=True)
        except tl.UnsupportedError as error:
            assert to == "jax" and name in ("cbrt", "fabs", "pow", "copysign", "fmod"), error


def checked_under_jit(x):
    assert isinstance(x, jax.Array) and not isinstance(x, (np.ndarray, float)), x
    return x * 2


@pytest.mark.parametrize("to", FRAMEWORKS)
def test_an_array_is_one_under_jit_too(to: str) -> None:
    out = tl.transpile(jax.jit(checked_under_jit), (convert(LINE, "jax"),), to=to)
    assert np.allclose(convert(out(convert(LINE, to)), "numpy"), LINE * 2)
    again = tl.transpile(out, (convert(LINE, to),), to="numpy", source=to)
    assert np.allclose(again(LINE), LINE * 2)


REFUSED = [
    (lambda x: np.where(x > 0)[0], "numpy", "without x and y", "x[mask] picks"),
    (lambda x: torch.where(x > 0)[0], "torch", "called in another way", "x[mask] picks"),
    (lambda x: np.nonzero(x)[0], "numpy", "how many positions there are", "x[mask] picks"),
    (lambda x: torch.nonzero(x), "torch", "how many positions there are", "x[mask] picks"),
    (lambda x: x[x.sum() > 0], "numpy", "an index cannot be bool[]", "an `if` chooses"),
    (lambda x: x[x.sum()], "torch", "an index cannot be float32[]", "cast it to integers"),
    (lambda x: x.flat[2], "numpy", ".flat of an array", "x.ravel()"),
    (lambda x: np.vectorize(abs)(x), "numpy", "np.asarray() of an array", "np.vectorize"),
    (lambda x: np.dot(2.0, x), "numpy", "an array of 64 bits", "write a product with *"),
    (lambda x: torch.tile(x, (int(x.sum()),)), "torch", "a number is not known", "how often an axis"),
    (lambda x: len(np.unique(x)), "numpy", "how many distinct values", "as an argument"),
    (lambda x: torch.unique(x).shape[0], "torch", "how many distinct values", "as an argument"),
    (lambda x: [v + 1 for v in np.unique(x)], "numpy", "how many distinct values", "as an argument"),
    (lambda x: jnp.unique(x).shape[0], "jax", "how many distinct values", "jnp.unique(x, size=n)"),
]


@pytest.mark.parametrize(("fn", "source", "why", "hint"), REFUSED, ids=[f"{w}-{h}" for _, _, w, h in REFUSED])
def test_a_refusal_says_what_is_so_and_a_way_out(fn: Any, source: str, why: str, hint: str) -> None:
    with pytest.raises(tl.TraceError) as caught:
        tl.transpile(fn, (convert(LINE, source),), to="numpy")
    assert why in str(caught.value) and hint in str(caught.value), caught.value


def spaced(module):
    def between_arrays(x):
        return module.linspace(x.min(), x.max(), 5)

    def from_a_number(x):
        return module.linspace(0.5, x.sum(), x.shape[0])

    def one(x):
        return module.linspace(x[1], x[0], 1)

    def of_ints(x):
        return module.linspace((x > 0).sum(), 9, 4)

    return [between_arrays, from_a_number, one, of_ints]


SPACED = [(name, fn) for name, m in (("numpy", np), ("jax", jnp), ("torch", torch)) for fn in spaced(m)]


@pytest.mark.covering(("source", "fn"), "dtype", "to")
@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize(("source", "fn"), SPACED, ids=[f"{s}-{fn.__name__}" for s, fn in SPACED])
def test_linspace_between_arrays_without_axes(source: str, fn: Any, dtype: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    with jax.enable_x64(True):
        given = (LINE * 2).astype(dtype)
        others = [(given.astype(d),) for d in ("float32", "float64", "int32")] + [(given[:3],)]
        if dtype != "int32":
            others += [(np.array(v, dtype),) for v in ([np.nan, 1, 2, 3], [1, np.nan, 2, 3])]
        agrees_or_raises(fn, source, (given,), others, to, x64=True)

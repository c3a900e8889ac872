"""NumPy's functions of plain numbers, which programs of JAX and torch call as they call Python's."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def scaled(x):
    return x / np.sqrt(x.shape[-1])


def with_a_constant(x):
    return x * np.sqrt(2 / np.pi)


def of_a_whole_shape(x):
    return x.reshape(int(np.prod(x.shape[:1])), -1) / np.prod(x.shape)


def of_an_argument(x, k=3):
    return x * np.log(k) + np.mean([1.0, k])


def typed(x):
    return x * np.float32(np.exp(-1.0)) + np.float64(0.1)


def rounded_up(x):
    return x[: int(np.ceil(x.shape[0] / 2))]


def in_a_loop(x):
    total = x * 0
    for i in range(3):
        total = total + x * np.cos(i)
    return total


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["torch", "jax"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64"])
@pytest.mark.parametrize(
    "fn", [scaled, with_a_constant, of_a_whole_shape, of_an_argument, typed, rounded_up, in_a_loop]
)
@pytest.mark.usefixtures("wide")
def test_they_are_numbers_of_the_example(fn: Any, dtype: str, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    x, other = (np.arange(1, 1 + n * 2).reshape(n, 2).astype(dtype) / 8 for n in (4, 3))
    out = tl.transpile(fn, (convert(x, source),), source=source, to=to, x64=True)
    for given in (x, other, x.T.copy()):
        expected = fn(convert(given, source))
        try:
            found = out(convert(given, to))
        except AssertionError:
            assert given is not x
            continue
        assert not list(compare(expected, found, kind="linalg")), out.source


def test_arrays_of_numpy_are_refused_in_jax() -> None:
    import jax.numpy as jnp

    with pytest.raises(tl.UnsupportedError, match="np.eye .* in a program of jax"):
        tl.transpile(lambda x: x @ np.eye(3), (jnp.ones((2, 3)),), to="torch")


def counted(x):
    b = np.zeros(2)
    for _ in x:
        b += 1
    return x * float(b[0])


def counted_by_a_function(x):
    b = np.zeros(x.shape[0])
    for _ in x:
        np.add.at(b, [0], 1)
    return x * float(b[0])


def copied(x):
    b = np.zeros(2)
    for _ in x:
        np.copyto(b, b + 1)
    return x * float(b[0])


def taken_over() -> None:
    """A program that torch does not compile: from then on it runs all frames of Python's."""
    import torch

    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(lambda x: x.nothing(), fullgraph=True, backend="eager")(torch.ones(3))


def on_one_way(x):
    b = np.zeros(2)
    if x.sum() > 0:
        np.add.at(b, [0], 1)
    return x * float(b[0])


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("fn", [counted, counted_by_a_function, copied, on_one_way])
def test_arrays_of_numpy_that_loops_write_into(fn: Any, to: str) -> None:
    import torch

    x = torch.ones(12)
    try:
        out = tl.transpile(fn, (x,), to=to)
    except tl.UnsupportedError:
        assert fn is on_one_way
        return
    for given in (x, -x, torch.ones(5)):
        try:
            found = out(convert(given.numpy(), to))
        except AssertionError:
            assert given is not x
            continue
        assert not list(compare(fn(given), found)), out.source


def test_they_are_known_where_torch_runs_the_frames() -> None:
    import torch

    taken_over()
    for fn in (counted, counted_by_a_function, copied):
        out = tl.transpile(fn, (torch.ones(12),), to="numpy")
        assert not list(compare(fn(torch.ones(12)), out(np.ones(12, np.float32)))), out.source


def equal_numbers(x):
    return np.float64(2) * x, np.float32(2) * x


def equal_numbers_in_calls(x):
    return jnp.maximum(x, np.float32(1)), jnp.maximum(x, np.float64(1)), jnp.where(x > 0, x, np.float32(1))


def equal_numbers_in_a_loop(x):
    y, z = x, x
    for _ in range(3):
        y = y + np.float32(1)
        z = y + np.float64(1)
    return y, z


def equal_ints(x):
    return np.int32(2) * x, np.int64(2) * x


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8"])
@pytest.mark.parametrize("fn", [equal_numbers, equal_numbers_in_calls, equal_numbers_in_a_loop, equal_ints])
def test_equal_numbers_of_several_dtypes(fn: Any, dtype: str, to: str) -> None:
    with jax.enable_x64(True):
        x = jnp.array([1, 2, 3], dtype)
        out = tl.symbolic_trace(fn, (x,), source="jax").to(to, x64=True if to == "jax" else None)
        assert not list(compare(fn(x), out(convert(np.asarray(x), to)))), out.source


def shape_handed_on(x):
    return jnp.unravel_index(jnp.argmax(x), x.shape)


def test_a_shape_is_handed_to_a_call_without_a_row() -> None:
    with pytest.raises(tl.UnsupportedError, match="no row"):
        tl.symbolic_trace(shape_handed_on, (jnp.ones((2, 3)),))

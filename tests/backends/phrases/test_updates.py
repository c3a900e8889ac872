"""Writing elements: every kind of key and of value, in each framework's own words and every dtype."""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

#: m is a mask, r a mask of rows, i and j arrays of ints that name a place once.
KEYS = (
    "0", "-1", "0, 1", "1:", ":, 1:3", "..., 0", "0, ..., 1", "::2, 1", "None, 1", "1, None, :2", "...", ":0",
    "i", ":, i", "i, :, j", "i, i", "..., i",
)  # fmt: skip
#: Where torch has no such key.
OTHERS = ("::-1", "1, ::-2", ":, ::-1, 1:")
MASKS = ("m", "r")
X = np.arange(24).reshape(2, 3, 4) - 5
ARRAYS = {
    "i": np.array([1, 0]),
    "j": np.array([3, 1]),
    "m": X % 3 == 0,
    "r": np.array([True, False]),
}  # fmt: skip
DTYPES = ("float32", "bool", "uint8", "int8", "int32", "float16", "complex64", "int64", "float64")


def written(framework: str, key: str, how: str) -> Callable[..., Any]:
    """A function of x and v, and of what the key names, that writes v into x[key]; its source is at hand."""
    names = [name for name in ARRAYS if name in key.replace(":", " ")]
    if framework == "jax":
        body = f"    return x.at[{key}].{ {'=': 'set', '+=': 'add', '*=': 'multiply'}[how]}(v)\n"
    else:
        body = (
            f"    y = x.{'copy' if framework == 'numpy' else 'clone'}()\n    y[{key}] {how} v\n    return y\n"
        )
    text = f"def f(x, v{''.join(f', {name}' for name in names)}):\n{body}"
    file = f"<updates {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"np": np, "jnp": jnp, "torch": torch}
    exec(compile(text, file, "exec"), namespace)
    namespace["f"].arrays = [ARRAYS[name] for name in names]
    return namespace["f"]


def numbers(dtype: str) -> np.ndarray[Any, Any]:
    return X % 2 == 0 if dtype == "bool" else X.astype(dtype)


def value(x: np.ndarray[Any, Any], key: str) -> np.ndarray[Any, Any]:
    """What fits into x[key], each number another."""
    there = eval(f"x[{key}]", {"x": x, **ARRAYS})
    made = np.arange(there.size).reshape(there.shape) * 3 + 1
    return made % 2 == 1 if x.dtype == bool else made.astype(x.dtype)


CASES = [(source, key) for source in ("numpy", "jax", "torch") for key in KEYS] + [
    (source, key) for source in ("numpy", "jax") for key in OTHERS
]


@pytest.mark.covering
@pytest.mark.parametrize(("source", "key"), CASES)
@pytest.mark.parametrize("how", ["=", "+="])
def test_every_key(source: str, key: str, how: str, same: Callable[..., Any]) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    x = numbers("float32")
    fn = written(source, key, how)
    for v in (value(x, key), np.float32(2.5)):
        same(fn, x, v, *fn.arrays, source=source, kind="elementwise")


@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("key", MASKS)
@pytest.mark.parametrize("how", ["=", "+="])
def test_masks(source: str, key: str, how: str, same: Callable[..., Any]) -> None:
    x = numbers("float32")
    fn = written(source, key, how)
    if how == "=":
        same(fn, x, np.float32(2.5), *fn.arrays, source=source)
    same(fn, x, value(x, key), *fn.arrays, source=source, to=("numpy", "torch"))


def picked_from_others(x: Any, y: Any) -> Any:
    m = x > 2
    x[m] = y[m]
    x[m] += 2 * y[m]
    x[y < 5] *= -1
    x[m] = abs(x[m] - y[m]) + 1
    return x


def rows(x: Any, y: Any) -> Any:
    r = y[:, 0, 0] > 0
    x[r] = y[r] * 2
    x[r] += y[0, 0]
    x[~r] -= 1
    x[:, y[0, :, 1] > 3] = 7
    x[..., y[0, 0] > 3] = 8
    return x


@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [picked_from_others, rows])
def test_what_is_picked_by_the_same_mask(
    source: str, fn: Callable[..., Any], same: Callable[..., Any]
) -> None:
    texts = same(fn, numbers("float32"), numbers("float32") * 2 + 1, source=source)
    if fn is picked_from_others:
        assert "x[m] += 2 * y[m]\n" in texts["numpy"] and "x[m] += 2 * y[m]\n" in texts["torch"]
        assert "x = jnp.where(m, x + 2 * y, x)\n" in texts["jax"]


def test_masks_in_jax(same: Callable[..., Any]) -> None:
    def fn(x: Any) -> Any:
        return x.at[x > 5].add(1), x.at[x[..., 0] > 0].set(0), x.at[x > 5].multiply(x[0, 0, 0])

    same(fn, numbers("float32"), source="jax")


IMPOSSIBLE = [
    lambda x, v: store(x, x > 8, v),
    lambda x, v: store(x, x > 8, x[x < 3]),
    lambda x, v: store(x, x > 8, x[x > 8][::-1]),
    lambda x, v: store(x, x > 8, np.cumsum(x[x > 8])),
]


def store(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


@pytest.mark.parametrize("fn", IMPOSSIBLE)
def test_other_values_at_masks(fn: Callable[..., Any], refused: Callable[..., Any]) -> None:
    refused(
        fn, X[0] + 5.0, np.array([1.0, 2, 3]), to=("jax",), match="known only when|the size of its result"
    )


@pytest.mark.covering
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("how", ["=", "+=", "*="])
def test_every_dtype(source: str, dtype: str, how: str, same: Callable[..., Any]) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    if dtype == "bool" and how != "=":
        pytest.skip("torch and NumPy disagree on what bool + bool may be; test_elementwise has it")
    x = numbers(dtype)
    for key in ("0", ":, 1:3", "..., 0, 1:"):
        fn = written(source, key, how)
        same(fn, x, value(x, key), *fn.arrays, source=source, kind="elementwise")


@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("number", [2, 2.5, True, -1])
@pytest.mark.parametrize("dtype", ["float32", "int32", "int64", "float16"])
def test_python_numbers(source: str, number: float, dtype: str, same: Callable[..., Any]) -> None:
    def numpy_(x: Any) -> Any:
        y = x.copy()
        y[0, 1:] = number
        return y

    def jax_(x: Any) -> Any:
        return x.at[0, 1:].set(number)

    def torch_(x: Any) -> Any:
        y = x.clone()
        y[0, 1:] = number
        return y

    same({"numpy": numpy_, "jax": jax_, "torch": torch_}[source], numbers(dtype), source=source)


@pytest.mark.covering
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("given", DTYPES)
@pytest.mark.parametrize("dtype", ["float32", "int32", "bool", "float16"])
def test_the_value_takes_the_dtype_of_the_array(
    source: str, given: str, dtype: str, same: Callable[..., Any]
) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    if given.startswith("complex"):
        pytest.skip("of complex numbers NumPy warns, torch refuses")
    small = np.abs(X[0]) % 2 == 0 if given == "bool" else np.abs(X[0]).astype(given)
    same(written(source, "1", "="), numbers(dtype), small, source=source)


@pytest.mark.parametrize("how", ["add", "multiply", "min", "max", "subtract"])
@pytest.mark.parametrize("shape", [(), (1,), (2,), (2, 1), (2, 2)], ids=str)
@pytest.mark.parametrize("index", [[1, 2], [[0, 1], [0, 1]]], ids=["line", "square"])
def test_values_broadcast_over_the_axes_of_an_index(how: str, shape: tuple[int, ...], index: Any) -> None:
    """NumPy's own `np.add.at` reads on behind the end of values of fewer axes. Others give what JAX gives."""
    source = loaded_join(how)
    x, v = jnp.arange(1.0, 4.0), jnp.arange(2.0, 2.0 + float(np.prod(shape))).reshape(shape)
    try:
        expected = source(x, jnp.asarray(index), v)
    except ValueError:
        return  # they do not broadcast
    for target in ("numpy", "torch"):
        out: Any = tl.transpile(source, (x, jnp.asarray(index), v), source="jax", to=target)
        make: Callable[..., Any] = np.array if target == "numpy" else torch.tensor
        for other_index in ([1, 2], [[0, 1], [0, 1]]):
            for other in ((), (2,), (2, 2), shape):
                w = np.arange(2.0, 2.0 + float(np.prod(other)), dtype=np.float32).reshape(other)
                try:
                    found = out(make(np.asarray(x)), make(np.array(other_index)), make(w))
                    right = source(x, jnp.array(other_index), jnp.asarray(w))
                except (AssertionError, RuntimeError, ValueError):
                    assert (other_index, other) != (index, shape)
                    continue
                np.testing.assert_allclose(np.asarray(found), np.asarray(right))
        np.testing.assert_allclose(
            np.asarray(out(make(np.asarray(x)), make(np.array(index)), make(np.asarray(v)))),
            np.asarray(expected),
        )


def loaded_join(how: str) -> Callable[..., Any]:
    text = f"def f(x, i, v):\n    return x.at[i].{how}(v)\n"
    file = f"<updates {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {}
    exec(compile(text, file, "exec"), namespace)
    made: Callable[..., Any] = namespace["f"]
    return made

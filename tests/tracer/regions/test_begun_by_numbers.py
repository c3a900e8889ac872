"""`best = 0.0; for v in x: ...`: what is a number at first and an array later, in JAX and beside writes."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def largest(x):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    return best


def range_of(x):
    low, high = 0.0, 1.0
    for v in x:
        if v > high:
            high = v
        if v < low:
            low = v
    return low, high


def largest_row(x):
    best = 0.0
    for row in x.reshape(1, -1):
        most = 0.0
        for v in row:
            if v > most:
                most = v
        if most > best:
            best = most
    return best


def settled(x):
    err, n = np.inf, 0
    while err > 0.1:
        x = x / 2
        e = abs(x).max()
        if e < err:
            err = e
        n += 1
    return x, n


def settled_from_one(x):
    err = 1.0
    while err > 0.1:
        new = x / 2
        err = abs(new - x).max()
        x = new
    return x, err


def settled_from_two(x):
    old, err = 0.0, 1.0
    while err > 0.1:
        x = x / 2
        s = abs(x).sum()
        old, err = s, abs(s - old)
    return x, old


LOOPS = [largest, range_of, largest_row, settled, settled_from_one, settled_from_two]


def check(fn: Any, dtype: str, x64: bool) -> None:
    x = np.array([1, 2.5, -3], dtype)
    out = tl.transpile(fn, (x,), to="jax", x64=x64)
    assert not list(compare(fn(x), out(jnp.array(x)), narrowed=not x64)), out.source


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("fn", LOOPS)
def test_loops_that_begin_with_a_number_run_in_jax(fn: Any, dtype: str) -> None:
    check(fn, dtype, False)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("fn", LOOPS)
def test_they_do_with_64_bits(fn: Any, dtype: str) -> None:
    check(fn, dtype, True)


# JAX's own loops, which give such a number the dtype in which a turn leaves it.


def scanned(x):
    return jax.lax.scan(lambda c, v: (c + v, c * 2), 0.0, x)


def scanned_from_an_int(x):
    return jax.lax.scan(lambda c, v: (c + v, c), 0, x)


def several(x):
    return jax.lax.scan(lambda c, v: ((c[0] + v, c[1] + 1), c[0] * 2), (0.0, 0), x)


def by_name(x):
    return jax.lax.scan(lambda c, v: ({"a": c["a"] + v, "n": c["n"] + 1}, None), {"a": 0.0, "n": 0}, x)[0]


def greatest_of(x):
    return jax.lax.scan(lambda c, v: (jnp.maximum(c, v), None), -jnp.inf, x)[0]


def while_few(x):
    return jax.lax.while_loop(lambda s: s[1] < 3, lambda s: (s[0] + x[0], s[1] + 1), (0.0, 0))


def times(x):
    return jax.lax.fori_loop(0, 3, lambda i, c: (c[0] + x[i] * i, c[1] + i), (0.0, 0))


def doubled(x):
    return jax.lax.scan(lambda c, _: (c * 2, c), 1.0, None, length=3)[1] * x


CARRIED = [doubled, scanned, scanned_from_an_int, several, by_name, greatest_of, while_few, times]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
@pytest.mark.parametrize("fn", CARRIED)
def test_what_jax_carries(fn: Any, dtype: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    others = [(np.array([4, -2, 3], other),) for other in ("float16", "float32", "int32", "int8")]
    agrees_or_raises(fn, "jax", (np.array([1, 2, 3], dtype),), others, to)


@pytest.mark.covering
@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
@pytest.mark.parametrize("fn", CARRIED)
def test_what_jax_carries_with_64_bits(fn: Any, dtype: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    x = jnp.array([1, 2, 3], dtype)
    out = tl.transpile(fn, (x,), to=to, x64=True if to == "jax" else None)
    for given in (dtype, "float16", "float32", "float64", "int8", "int32", "int64"):
        x = jnp.array([1, 2, 3], given)
        try:
            found = out(convert(np.array(x), to))
        except AssertionError:
            assert given != dtype
            continue
        wrong = list(compare(fn(x), found))
        assert not wrong, f"{given}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("dtype", ["float16", "int8"])
@pytest.mark.parametrize("fn", [largest, range_of, lambda x: max(x.sum(), 2), lambda x: min(x[0], 0)])
def test_a_cond_of_a_number_and_an_array_is_of_one_dtype(fn: Any, dtype: str) -> None:
    """JAX itself would raise an error of many lines."""
    out = tl.transpile(fn, (np.array([1, 2.5, -3], np.float32),), to="jax")
    with pytest.raises(AssertionError, match=dtype):
        out(jnp.array([1, 2, 3], dtype))


# What may be a row of an array that is written into afterwards.


def largest_before_a_write(x):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    x += 1
    return best, x


def last_before_a_write(x):
    for v in x:
        last = v
    x += 1
    return last, x


def first_above(x):
    for i in range(len(x)):
        v = x[i]
        if v > 2:
            break
    x += 1
    return v, x


def greatest(x):
    best = max(x)
    x += 1
    return best, x


def by_index(x):
    best = None
    for i, v in enumerate(x):
        if i == 0 or v > best:
            best = v
    x[0] = best + 1
    return best, x


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [largest_before_a_write, last_before_a_write, first_above, greatest, by_index])
def test_items_are_numbers_of_a_line_and_rows_of_a_matrix(fn: Any, to: str) -> None:
    x = np.array([1.0, 3.0, 2.0])
    try:
        agrees_or_raises(fn, "numpy", (x,), [(x.reshape(3, 1),), (-x,), (x[:1],)], to)
    except tl.UnsupportedError as error:
        assert to == "torch" and "it is a number on one way" in str(error)


def test_a_number_is_not_copied() -> None:
    source = tl.transpile(largest_before_a_write, (np.ones(3),), to="numpy").source
    assert "copy" not in source and "assert x.ndim == 1" in source


# Numbers that take over from each other, so that one becomes an array a turn later than the other.


def fibonacci(x):
    a, b = 0, 1
    for v in x:
        a, b = b, a + b * v
    return b


def delayed(x):
    first, second = 0, 0.0
    for v in x:
        first, second = v, first
    return second


def lagging(x):
    before, s = 0, 0
    for v in x:
        s = s + before * 2
        before = v
    return s


def counted_and_summed(x):
    a, b = 0, 0
    for i in range(len(x)):
        a, b = b + 1, a + x[i]
    return a, b


def from_a_float(x):
    b = 1.0
    for v in x:
        b = b + v
    return b


TURNS = [fibonacci, delayed, lagging, counted_and_summed, from_a_float]


def every_dtype(fn: Any, example: str, source: str, x64: bool) -> None:
    others = [(np.arange(12).astype(d),) for d in ("float16", "float32", "int32", "uint8")]
    args = (np.arange(12).astype(example),)
    agrees_or_raises(fn, source, args, others, "jax", x64=x64)


@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "uint8"])
@pytest.mark.parametrize("fn", TURNS)
def test_numbers_that_take_over_from_each_other(fn: Any, dtype: str, source: str) -> None:
    every_dtype(fn, dtype, source, False)


@pytest.mark.covering
@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64", "uint8"])
@pytest.mark.parametrize("fn", TURNS)
def test_they_do_so_with_64_bits(fn: Any, dtype: str, source: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    every_dtype(fn, dtype, source, True)


# What JAX widens to whatever it meets.


def chosen_number(x):
    return jax.lax.cond(x[0] > 1, lambda: 100, lambda: 200) * x


def counted_number(x):
    return jax.lax.while_loop(lambda c: c < 100, lambda c: c + 1, 0) * x


def root_of_two(x):
    return jnp.sqrt(2.0) * x


def set_beyond(x):
    return x.at[2].set(300)


def set_below(x):
    return x.at[2].set(-1)


def greatest_or_less(x):
    return jax.lax.fori_loop(0, 4, lambda i, c: jnp.where(x[i] > c, x[i], c), -1)


def nines(x):
    return jax.lax.fori_loop(0, 3, lambda i, c: c * 9 + x[i], 1)


WEAK = [chosen_number, counted_number, root_of_two, set_beyond, set_below, greatest_or_less, nines]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "int32", "uint8", "bool"])
@pytest.mark.parametrize("fn", WEAK)
def test_weak_numbers_of_jax(fn: Any, dtype: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    given = np.array([3, 2, 1, 0])
    others = [(given.astype(d),) for d in ("float16", "float32", "int8", "int32", "uint8", "bool")]
    try:
        agrees_or_raises(fn, "jax", (given.astype(dtype),), others, to)
    except tl.UnsupportedError as error:
        pytest.skip(f"refused: {error.why}")


def running_maxima(x):
    best, found = 0, []
    for v in x:
        best = max(best, v)
        found.append(best)
    return np.array(found)


def runs(x):
    length, found = 0, []
    for v in x:
        length = length + v if v > 0 else 0
        found.append(length)
    return np.stack(found)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [running_maxima, runs])
def test_what_is_collected_is_an_array(fn: Any, to: str) -> None:
    x = np.array([-5, 3, 3, -1, 5, 2])
    with jax.enable_x64(True):
        try:
            out = tl.transpile(fn, (x,), to=to)
        except tl.UnsupportedError:
            assert to == "jax"
            return
        for given in (x, x[::-1].copy(), x[:1], x - 10):
            np.testing.assert_array_equal(np.asarray(out(convert(given, to))), fn(given))

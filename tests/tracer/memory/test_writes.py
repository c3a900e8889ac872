"""Writes in place: on fresh locals they are recorded, elsewhere refused."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from tracing import calls, same
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import compare, convert, to_numpy


@pytest.mark.parametrize("array", [np.ones((2, 3)), torch.ones(2, 3)], ids=["numpy", "torch"])
def test_every_name_of_a_fresh_array_sees_a_write(array: Any) -> None:
    def f(x: Any) -> Any:
        a = x + 1
        b = a
        a += x
        return b * 2

    same(f, array, to="jax", x64=True)
    same(f, array, to="torch")


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_view_sees_what_is_written_later(to: str) -> None:
    def f(x: Any) -> Any:
        a = x + 1
        row = a[0]
        a += 1
        return row

    same(f, np.ones((2, 3)), to=to)


def test_an_in_place_write_keeps_dtype_and_shape() -> None:
    def f(x: Any, y: Any) -> Any:
        a = x + 1
        a += y
        return a

    same(f, torch.ones(3, dtype=torch.float64), torch.ones(3), to="numpy")
    with pytest.raises(tl.TraceError, match="doesn.t match the broadcast shape"):
        tl.symbolic_trace(f, (torch.ones(3), torch.ones(2, 3)))


def test_in_jax_nothing_is_written_into() -> None:
    def f(x: Any) -> Any:
        x += 1
        return x

    assert calls(f, jnp.ones((2, 3))) == ["add"]


def by_its_own(m: Any) -> Any:
    m = m.clone()
    m[:, 0] -= m[0, 0]
    return m


def moved(m: Any) -> Any:
    m = m.clone()
    m[1:] = m[:-1]
    return m


def method(m: Any) -> Any:
    m = m.clone()
    m[:2].add_(m[1:])
    return m


def narrowed(m: Any) -> Any:
    m = m.clone()
    m.narrow(0, 1, 2).add_(m.narrow(0, 0, 2))
    return m


def narrowed_by_name(m: Any) -> Any:
    m = m.clone()
    m.narrow(dim=0, start=1, length=2).add_(m.narrow(dim=0, start=0, length=2))
    return m


def turned(m: Any) -> Any:
    m = m.clone()
    m.permute(1, 0).add_(m.permute(0, 1))
    return m


@pytest.mark.parametrize("fn", [by_its_own, moved, method, narrowed, narrowed_by_name, turned])
def test_torch_reads_nothing_that_it_writes(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="depends on the order in which it goes") as error:
        tl.symbolic_trace(fn, (torch.arange(9.0).reshape(3, 3),))
    assert "clone()" in str(error.value)


def test_parts_that_are_apart_or_the_same_are_no_overlap() -> None:
    def f(m: Any, n: int) -> Any:
        m = m.clone()
        m[0] += m[1]
        m[:, 1:] -= m[:, :1]
        m[2] = m[1]
        m[0].add_(m[2])
        m += m
        for i in range(n):
            m[i] -= m[i - 1]
        m[0] -= m[0, 0].clone()
        return m

    same(f, torch.arange(9.0).reshape(3, 3), 3)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_casts_may_be_written_into(to: str) -> None:
    def copied(x: Any) -> Any:
        y = x.astype(np.float64)
        y[0] = 5.0
        return x + y

    def perhaps(x: Any) -> Any:
        y = np.asarray(x, dtype=np.float64)
        y[0] = 5.0
        return x + y, x

    def the_same(x: Any) -> Any:
        y = x.float()
        y += 1
        return x + y, x

    for array in (np.ones(3), np.ones(3, int)):
        same(copied, array, to=to, x64=True)
        same(perhaps, array, to=to, x64=True)
    for tensor in (torch.ones(3), torch.ones(3, dtype=torch.int64)):
        same(the_same, tensor, to=to, x64=True)


def test_whether_a_cast_copies_is_checked() -> None:
    def f(x: Any) -> Any:
        y = x.float()
        y += 1
        return x + y, x

    out = tl.transpile(f, args=(torch.ones(3, dtype=torch.int64),), to="torch")
    with pytest.raises(AssertionError, match="torch.float32"):
        out(torch.ones(3))
    always = tl.transpile(lambda x: x.astype(np.float64), args=(np.ones(3, int),), to="torch")
    assert "assert" not in always.source


def of_a_row(x: Any) -> Any:
    y = x * 1
    last = np.asarray(y[-1])
    last += 5
    return y, last


def of_a_sum(x: Any) -> Any:
    total = x.sum(0)
    before = total
    total += 1
    return before, total


def of_two(x: Any) -> Any:
    both = [x.mean(-1) + x.max(-1)]
    mine = both[0]
    mine *= 2
    return both[0]


def in_a_helper(x: Any) -> Any:
    total = x.sum(0)
    increase(total)
    return total


def increase(v: Any) -> None:
    v += 1


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [of_a_row, of_a_sum, of_two, in_a_helper], ids=lambda fn: fn.__name__)
def test_what_is_a_number_of_fewer_axes_is_not_written_into(fn: Any, to: str) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    same(fn, x, to=to)
    out = tl.transpile(fn, (x,), to=to)
    for other in (x[0], np.stack([x, x])):
        expected = fn(other.copy())
        try:
            found = out(convert(other, to))
        except AssertionError:
            continue
        assert not list(compare(expected, found, kind="reduction")), out.source


def written_twice(x: Any) -> Any:
    total = x.sum(0)
    total += 1
    before = total
    total *= 2
    return total, before


def at_a_number(x: Any, i: Any) -> Any:
    y = x[i]
    y += 1
    return x


def before_a_write(x: Any, i: Any) -> Any:
    y = x[i]
    x[i] = 0
    return y, x


def on_the_diagonal(x: Any, i: Any) -> Any:
    y = x.diagonal()
    y += 10
    return x


def on_a_diagonal(x: Any, i: Any) -> Any:
    y = x.diagonal(i)
    y.add_(10)
    return x


M = np.float32([[1, 2], [3, 4]])
KEYED = [
    (lambda x, i: written_twice(x), "numpy", (M, 0), [(M[0], 0)]),
    (at_a_number, "numpy", (M, 0), [(M, True), (M, np.array([0, 1]))]),
    (before_a_write, "torch", (M[0], np.array([0, 1])), [(M[0], np.array(1)), (M[0], M[0] > 1)]),
    (before_a_write, "torch", (M[0], np.array(1)), [(M[0], np.array([1])), (M[0], M[0] > 1)]),
    (before_a_write, "torch", (M, np.array(1)), [(M, np.array(True)), (M, np.array(1, np.uint8))]),
    (before_a_write, "numpy", (M[0], np.array([0, 1])), [(M[0], np.array(1))]),
    (on_the_diagonal, "torch", (M, 0), [(np.stack([M, M]), 0), (M[None], 0)]),
    (on_a_diagonal, "torch", (M, 1), [(M, 0), (M, -1), (M, 2), (M[:1], 1), (M[None], 1)]),
]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("number", range(len(KEYED)))
def test_what_decides_whether_it_is_a_view_is_checked(number: int, to: str) -> None:
    agrees_or_raises(*KEYED[number], to)


def standardized(x: Any) -> Any:
    made = x
    spread = x.std(axis=0)
    for c in range(np.shape(x)[1]):
        if spread[c]:
            made[:, c] = (made[:, c] - made.mean(axis=0)[c]) / spread[c]
    return made


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_columns_are_written_where_they_vary(target: str) -> None:
    x = np.array([[1.0, 5.0, 2.0], [3.0, 5.0, 4.0]], np.float32)
    out: Any = tl.transpile(standardized, source="numpy", to=target, args=(x.copy(),))
    for given in (x, np.vstack([x, x + 1]), -x):
        found = to_numpy(out(convert(given.copy(), target)))
        np.testing.assert_allclose(found, standardized(given.copy()), rtol=1e-5, atol=1e-6)

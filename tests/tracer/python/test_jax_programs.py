"""Programs written for JAX: what its loops, its indices and its arguments mean elsewhere."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = jnp.arange(5, dtype=jnp.float32)


def scanned(x: Any) -> Any:
    def body(carry: Any, v: Any) -> Any:
        return carry + 1, v * carry

    return jax.lax.scan(body, 0, x)


def counted(x: Any) -> Any:
    return jax.lax.fori_loop(0, 20, lambda i, c: (c[0] + i, c[1] * 1.5), (0, x))


def whiled(x: Any) -> Any:
    return jax.lax.while_loop(lambda c: c[0] < 10, lambda c: (c[0] + 3, c[1] + x), (0, x))


def chosen(x: Any) -> Any:
    return jax.lax.cond(x.sum() > 0, lambda: 1, lambda: 2)


@pytest.mark.parametrize("fn", (scanned, counted, whiled, chosen))
def test_numbers_that_a_loop_carries_are_arrays_of_jaxs_default(fn: Any) -> None:
    traced = tl.symbolic_trace(fn, (X,))
    for to, x in (("numpy", np.asarray(X)), ("torch", torch.from_numpy(np.array(X)))):
        found = jax.tree.leaves(traced.to(to)(x))
        for one, want in zip(found, jax.tree.leaves(fn(X)), strict=True):
            np.testing.assert_allclose(np.asarray(one), want, rtol=1e-6)
            assert np.asarray(one).dtype == want.dtype


@pytest.mark.parametrize("how", ("max", "min", "multiply"))
def test_an_index_that_is_no_place_is_never_another(how: str) -> None:
    out = tl.symbolic_trace(lambda x, i: getattr(x.at[i], how)(9.0), (X, jnp.array([1, 2]))).to("torch")
    for good in ([1, 2], [-5, 4], [-1, -1]):
        want = getattr(X.at[jnp.array(good)], how)(9.0)
        found = out(torch.from_numpy(np.array(X)), torch.tensor(good, dtype=torch.int32))
        np.testing.assert_array_equal(found, want)
    for index in (5, 7, -6, -9):
        with pytest.raises((IndexError, RuntimeError)):
            out(torch.from_numpy(np.array(X)), torch.tensor([1, index], dtype=torch.int32))


def test_a_place_along_an_axis_that_is_none_is_never_another() -> None:
    out = tl.symbolic_trace(lambda x, i: jnp.take_along_axis(x, i, axis=0), (X, jnp.array([1, 2])))
    for to in ("numpy", "torch"):
        fn = out.to(to)
        array = np.asarray if to == "numpy" else torch.from_numpy
        for good in ([1, 2], [-5, 4], [-1, -1]):
            want = jnp.take_along_axis(X, jnp.array(good), axis=0)
            np.testing.assert_array_equal(fn(array(np.array(X)), array(np.array(good, np.int32))), want)
        for index in (5, 7, -6, -9):
            with pytest.raises(IndexError):
                fn(array(np.array(X)), array(np.array([1, index], np.int32)))


def test_places_that_torch_counts_on_from_the_beginning_are_those() -> None:
    def along(x: Any, i: Any) -> Any:
        return torch.take_along_dim(x, i, dim=0)

    x = torch.arange(5.0)
    out = tl.symbolic_trace(along, (x, torch.tensor([1, 2]))).to("jax")
    for places in ([1, 2], [-1, 4], [5, -6], [12, -13]):
        want = along(x, torch.tensor(places))
        np.testing.assert_array_equal(out(jnp.asarray(x.numpy()), jnp.array(places)), want)


def test_places_that_were_searched_for_are_taken_as_they_are() -> None:
    traced = tl.symbolic_trace(lambda x: jnp.take_along_axis(x, jnp.argsort(x), axis=0), (X,))
    assert "arange" not in traced.source(to="torch")
    traced = tl.symbolic_trace(lambda x: torch.take_along_dim(x, x.argsort(), dim=0), (torch.ones(3),))
    assert "%" not in traced.source(to="jax")


def test_arrays_of_numpys_are_arguments() -> None:
    def f(x: Any, ys: Any) -> Any:
        return jnp.sin(x) + ys["a"]

    args = (np.arange(3, dtype=np.float32), {"a": np.ones(3, np.float32)})
    out = tl.transpile(f, args, to="torch", source="jax")
    found = out(torch.zeros(3), {"a": torch.full((3,), 4.0)})
    np.testing.assert_array_equal(found, np.full(3, 4.0))


@jax.custom_vjp
def clipped(x: Any) -> Any:
    return jnp.clip(x, 0, 1)


clipped.defvjp(lambda x: (clipped(x), x), lambda x, g: (g,))


def test_a_derivative_of_ones_own_is_not_lost() -> None:
    with pytest.raises(tl.UnsupportedError, match="custom_vjp of clipped.*derivative") as error:
        tl.symbolic_trace(lambda x: clipped(x) * 2, (X,))
    assert "clipped(x) * 2" in str(error.value)
    assert tl.symbolic_trace(lambda x: clipped.__wrapped__(x) * 2, (X,)).source(to="torch")


@jax.custom_jvp
def bounded(x: Any) -> Any:
    return jnp.clip(x, 0.0, 1.0)


bounded.defjvp(lambda primals, tangents: (bounded(*primals), tangents[0]))


def test_nor_is_one_of_custom_jvp() -> None:
    with pytest.raises(tl.UnsupportedError, match="custom_jvp of bounded.*derivative"):
        tl.symbolic_trace(lambda x: bounded(x) * 2, (X,))


def test_an_index_that_jax_takes_the_nearest_of_says_what_to_write() -> None:
    for fn in (lambda x: x[7], lambda x: x.at[7].set(1.0)):
        with pytest.raises(tl.ShapeError, match="out of range") as error:
            tl.symbolic_trace(fn, (X,))
        assert "try: x[-1] or x[0], which JAX takes there" in str(error.value)


ONES = np.ones(2, np.float32)


def falls(x: Any, n: Any) -> Any:
    rate = 0.1
    for _ in range(n):
        x = x - rate * x
        rate *= 0.7
        if x.sum() < 0.1:
            break
    return x


def falls_at_times(x: Any) -> Any:
    rate = 0.1
    while x.sum() > 0.1:
        if x[0] > 0:
            rate = rate * 0.7 + 0.1
        x = x - rate * x
    return x


@pytest.mark.parametrize(
    ("fn", "args", "line"),
    ((falls, (ONES, 20), "rate *= 0.7"), (falls_at_times, (ONES,), "rate * 0.7")),
)
def test_a_number_that_a_compiled_loop_computes_is_refused_where_it_is(fn: Any, args: Any, line: str) -> None:
    with pytest.raises(tl.UnsupportedError, match="computes from itself") as error:
        tl.symbolic_trace(fn, args).source(to="jax")
    assert line in str(error.value)


COMPARING = (lambda x, v: x < v, lambda x, v: x + 1 if x[0] < v else x, lambda x, v: (x >= v).sum())


@pytest.mark.parametrize("fn", COMPARING)
def test_a_float_that_is_compared_may_be_an_int_beside_small_ones(fn: Any) -> None:
    text = tl.symbolic_trace(fn, (np.array([3, 4], np.float32), 4.5)).source(to="jax", x64=True)
    assert "jnp.floating" in text

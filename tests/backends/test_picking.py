"""What a mask picks, for JAX: reduced, or computed by a helper and written back."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import picking_programs as programs
import pytest
import torch

import tracelate as tl
from tracelate.backends.typing.jax import NARROW

X = np.random.default_rng(0).normal(size=(6, 3))
M = X > 0
#: Values and masks: as they are, all, none, others, fewer rows, NaN and inf where nothing is picked.
CASES = (
    (X, M), (X, np.ones_like(M)), (X, np.zeros_like(M)), (-X, ~M), (X[:2], M[:2]),
    (np.where(M, X, np.nan), M), (np.where(M, X, np.inf), M),
)  # fmt: skip


@pytest.fixture(autouse=True, params=[True, False], ids=["x64", "x32"])
def wide(request: Any) -> Iterator[bool]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", request.param)
    yield request.param
    jax.config.update("jax_enable_x64", before)


def cases(wide: bool) -> Any:
    """The cases in a dtype that JAX has."""
    return [(x if wide else x.astype("float32"), m) for x, m in CASES]


def same(found: Any, expected: Any) -> None:
    wide = jax.config.jax_enable_x64
    close = {"rtol": 1e-6} if wide else {"rtol": 1e-4, "atol": 1e-5}
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        name = str(other.dtype).removeprefix("torch.")
        assert one.dtype.name == (name if wide else NARROW.get(name, name))
        np.testing.assert_allclose(one, np.asarray(other), **close)


@pytest.mark.parametrize("fn", programs.PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_numpy(fn: Callable[..., Any], wide: bool) -> None:
    out = tl.symbolic_trace(fn, cases(wide)[0]).to("jax", x64=wide)
    for x, m in cases(wide):
        same(out(jnp.asarray(x), jnp.asarray(m)), fn(x, m))


@pytest.mark.parametrize("fn", programs.EXTREMES, ids=lambda fn: fn.__name__)
def test_extremes(fn: Callable[..., Any], wide: bool) -> None:
    """Where nothing is picked NumPy raises."""
    out = tl.symbolic_trace(fn, cases(wide)[0]).to("jax", x64=wide)
    for x, m in cases(wide):
        if m.any():
            same(out(jnp.asarray(x), jnp.asarray(m)), fn(x, m))
    with_nan = cases(wide)[0][0].copy()
    with_nan[M.nonzero()[0][0], M.nonzero()[1][0]] = np.nan
    same(out(jnp.asarray(with_nan), jnp.asarray(M)), fn(with_nan, M))


@pytest.mark.parametrize("fn", programs.T_PROGRAMS, ids=lambda fn: fn.__name__)
def test_torch(fn: Callable[..., Any], wide: bool) -> None:
    tensors = [tuple(map(torch.from_numpy, case)) for case in cases(wide)]
    out = tl.symbolic_trace(fn, tensors[0]).to("jax", x64=wide)
    for (x, m), given in zip(cases(wide), tensors):
        same(out(jnp.asarray(x), jnp.asarray(m)), fn(*given))


@pytest.mark.parametrize("dtype", ("bool", "int8", "uint8", "int32", "int64", "float16", "float32"))
def test_dtypes(dtype: str, wide: bool) -> None:
    """In the dtype that it was traced with the numbers are the same; another is not taken for it."""

    def reduced(x, m):
        mean = x[m].mean() if wide or dtype.startswith("float") else x[m].sum()  # else it is a float64
        return x[m].sum(), x[m].max(), x[m].min(), mean, x[m].prod(), x[m].any()

    x = (X * 40).astype(dtype)
    out = tl.symbolic_trace(reduced, (x, M)).to("jax", x64=wide)
    with np.errstate(all="ignore"):
        for found, expected in zip(out(jnp.asarray(x), jnp.asarray(M)), reduced(x, M)):
            name = expected.dtype.name
            assert found.dtype.name == (name if wide else NARROW.get(name, name))
            np.testing.assert_allclose(found, expected, rtol=1e-2 if dtype == "float16" else 1e-5)
    other = jnp.asarray(X * 40, "float64" if wide else "float16" if dtype == "float32" else "float32")
    with pytest.raises(AssertionError):
        out(other, jnp.asarray(M))


def test_a_mean_of_many_halves() -> None:
    """They are added up in float32, as in NumPy: their sum is no float16."""
    x, m = np.full((100, 100), 50, np.float16), np.ones((100, 100), bool)
    out = tl.symbolic_trace(programs.average, (x, m)).to("jax")
    same(out(jnp.asarray(x), jnp.asarray(m)), programs.average(x, m))


def test_the_text(wide: bool) -> None:
    text = tl.symbolic_trace(programs.average, cases(wide)[0]).source("jax", x64=wide)
    assert "    return jnp.sum(jnp.where(m, x, 0.0)) / jnp.count_nonzero(m)\n" in text


@pytest.mark.parametrize("fn", (lambda x, m: np.median(x[m]), lambda x, m: x[m][0], lambda x, m: x[m]))
def test_what_needs_the_picked_elements_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(tl.UnsupportedError, match="the size of its result depends on the values"):
        tl.symbolic_trace(fn, (X, M)).source("jax", x64=True)

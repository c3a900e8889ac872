"""Sliding windows: every spelling, into every framework, against the framework that it was written for."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from calls import calling, every, normal

import tracelate as tl

array = functools.partial(normal, np.random.default_rng(0))

X, W, B = array(2, 4, 7, 8), array(6, 4, 3, 2), array(6)
ARRAYS = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.from_numpy}

CONVS = (
    {},
    {"stride": 2},
    {"stride": (2, 3)},
    {"padding": 1},
    {"padding": (2, 0)},
    {"dilation": 2},
    {"dilation": (1, 3), "padding": 1},
    {"padding": "same"},
    {"padding": "valid"},
    {"padding": "same", "dilation": (2, 3)},
    {"stride": (3, 1), "padding": (1, 2), "dilation": 2},
    {"stride": [2, 1], "padding": [1]},
)


def test_conv2d(same):
    functions = [calling(F.conv2d, **options) for options in CONVS]
    same(every(functions), X, W, source="torch")
    same(every(functions), X, W, B, source="torch")


@pytest.mark.parametrize("groups", [2, 4])
def test_groups(same, groups):
    same(
        calling(torch.conv2d, groups=groups, padding=1, stride=2),
        X,
        array(8, 4 // groups, 3, 3),
        array(8),
        source="torch",
    )


@pytest.mark.parametrize("n", [1, 3])
def test_other_ranks(same, n):
    fn, size, window = getattr(F, f"conv{n}d"), (9, 6, 7)[:n], (3, 2, 4)[:n]
    x, w, b = array(2, 4, *size), array(6, 2, *window), array(6)
    same(calling(fn, stride=2, padding=1, groups=2), x, w, b, source="torch")
    same(calling(fn, padding="same", groups=2), x, w, source="torch")
    same(calling(fn, groups=2), array(4, *size), w, b, source="torch")


def test_empty_and_dtypes(same):
    same(calling(F.conv2d), array(0, 4, 7, 8), W, source="torch")
    for dtype in ("float64", "float16", "int32", "int64"):
        same(calling(F.conv2d, stride=2), X.astype(dtype), W.astype(dtype), B.astype(dtype), source="torch")
    x, w = (torch.from_numpy(a).bfloat16() for a in (X, W))
    same(calling(F.conv2d, padding=1), x, w, to=["jax", "torch"])


TRANSPOSED = (
    {},
    {"stride": 2},
    {"stride": (2, 3), "padding": 1},
    {"stride": 3, "output_padding": (1, 2), "padding": (1, 0)},
    {"dilation": (2, 3), "padding": 2},
    {"padding": 3, "stride": 2},
)


def test_conv_transpose(same):
    functions = [calling(F.conv_transpose2d, **options) for options in TRANSPOSED]
    same(every(functions), X, array(4, 6, 3, 2), source="torch")
    same(calling(F.conv_transpose2d, stride=2, groups=2), X, array(4, 3, 3, 2), array(6), source="torch")
    same(calling(torch.conv_transpose1d, stride=2), X[0, :, 0], array(4, 6, 3), source="torch")
    same(calling(F.conv_transpose3d), array(1, 2, 3, 4, 3), array(2, 3, 2, 2, 3), source="torch")


# JAX's own.

LAX = (
    ((1, 1), "VALID"),
    ((1, 1), "SAME"),
    ((2, 3), "SAME"),
    ((1, 2), ((1, 1), (2, 2))),
    ((2, 1), ((0, 1), (2, 1))),
    ((1, 1), "SAME", None, (2, 2)),
)


def test_lax(same):
    functions = [calling(jax.lax.conv_general_dilated, *options) for options in LAX]
    same(every(functions), X, W, source="jax")
    same(every(functions), X[:, :, :6, :5], W, source="jax")


def test_strided_same_pads_at_the_end(same):
    x, w = np.arange(4, dtype="float32").reshape(1, 1, 4), np.ones((1, 1, 3), "float32")
    same(lambda x, w: jax.lax.conv_general_dilated(x, w, (2,), "SAME"), x, w, source="jax")


def test_lax_layouts(same):
    x, w = array(2, 7, 8, 4), array(3, 2, 2, 6)
    fn = jax.lax.conv_general_dilated
    same(
        lambda x, w: fn(
            x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=2
        ),
        x,
        w,
        source="jax",
    )
    same(
        lambda x, w: fn(x, w, (2, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NWCH")),
        x,
        array(3, 2, 4, 6),
        source="jax",
    )
    same(
        lambda x, w: fn(x, w, (1, 1), "SAME", dimension_numbers=("NWHC", "HWIO", "NHWC")),
        x,
        array(3, 2, 4, 6),
        source="jax",
    )
    same(lambda x, w: jax.lax.conv(x, w, (2, 2), "SAME"), X, W, source="jax")
    same(
        lambda x, w: jax.lax.conv_with_general_padding(x, w, (1, 1), ((1, 0), (0, 0)), (1, 1), (1, 2)),
        X,
        W,
        source="jax",
    )


# Pooling.

POOLS = (
    {"kernel_size": 2},
    {"kernel_size": (3, 2)},
    {"kernel_size": 3, "stride": 1},
    {"kernel_size": 3, "stride": 2, "padding": 1},
    {"kernel_size": (3, 4), "padding": (1, 2), "stride": (2, 1)},
)


def test_pool2d(same):
    functions = [calling(fn, **options) for fn in (F.max_pool2d, F.avg_pool2d) for options in POOLS]
    same(every(functions), X, source="torch")
    same(every(functions), X[0], source="torch")


@pytest.mark.parametrize("n", [1, 3])
def test_pools_of_other_ranks(same, n):
    x = array(2, 3, *(7, 6, 5)[:n])
    same(calling(getattr(F, f"max_pool{n}d"), 2, padding=1), x, source="torch")
    same(calling(getattr(F, f"avg_pool{n}d"), 3, stride=2, padding=1), x, source="torch")
    same(calling(getattr(F, f"adaptive_avg_pool{n}d"), 1), x, source="torch")
    same(calling(getattr(F, f"adaptive_max_pool{n}d"), 1), x, source="torch")


def test_max_pool_pads_with_nothing_and_keeps_nan(same):
    x = -1 - abs(X)
    same(calling(F.max_pool2d, 3, padding=1), x, source="torch", kind="exact")
    x[0, 0, 2, 2] = np.nan
    same(calling(F.max_pool2d, 3, padding=1), x, source="torch", kind="exact")
    same(calling(F.max_pool2d, 2), X.astype("int32"), source="torch", kind="exact")
    same(calling(F.max_pool2d, 2), X.astype("float16"), source="torch", kind="exact")
    same(calling(F.max_pool2d, 2, stride=1, dilation=2), X, source="torch", kind="exact")
    same(calling(torch.max_pool2d, 2), X, source="torch", kind="exact")
    same(lambda x: F.max_pool2d(x, 2), torch.from_numpy(X).bfloat16(), to=["jax", "torch"], kind="exact")


@pytest.mark.parametrize("size", range(3, 9))
def test_ceil_mode(same, size):
    windows = ((2, 2, 0), (3, 2, 0), (3, 2, 1), (2, 3, 1), (3, 3, 1))
    functions = [calling(F.max_pool1d, *window, ceil_mode=True) for window in windows]
    same(every(functions), array(1, 1, size), source="torch", kind="exact")


def test_avg_pool_counts(same, refused):
    same(calling(F.avg_pool2d, 3, padding=1, count_include_pad=False), X, source="torch")
    same(calling(F.avg_pool2d, (2, 3), divisor_override=5), X, source="torch")
    same(calling(F.avg_pool2d, 3, 2, ceil_mode=True), X, source="torch", to=["torch"])
    refused(
        calling(F.avg_pool2d, 3, 2, ceil_mode=True), X, source="torch", to=["numpy", "jax"], match="ceil_mode"
    )


def test_reduce_window(same, refused):
    fn, zero = jax.lax.reduce_window, (0, 0)
    same(lambda x: fn(x, -jnp.inf, jax.lax.max, (1, 1, 2, 3), (1, 1, 2, 1), "VALID"), X, source="jax")
    same(
        lambda x: fn(x, -jnp.inf, jax.lax.max, (1, 1, 3, 3), (1, 1, 2, 2), (zero, zero, (1, 1), (1, 1))),
        X,
        source="jax",
    )
    same(lambda x: fn(x, 0.0, jax.lax.add, (1, 1, 2, 2), (1, 1, 2, 2), "VALID") / 4, X, source="jax")
    # torch's own functions want an axis of channels before the window's.
    same(lambda x: fn(x, -jnp.inf, jax.lax.max, (2, 3), (2, 1), "VALID"), X[0, 0], source="jax")
    same(lambda x: fn(x, -jnp.inf, jax.lax.max, (2,), (1,), "VALID"), X[0, 0, 0], source="jax")
    same(lambda x: fn(x, 0.0, jax.lax.add, (2, 2), (1, 1), "VALID"), X[0, 0], source="jax")
    refused(
        lambda x: fn(x, 0.0, jax.lax.max, (1, 1, 2, 2), (1, 1, 1, 1), "VALID"),
        X,
        source="jax",
        match="from -inf",
    )
    refused(
        lambda x: fn(x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "SAME"),
        X,
        source="jax",
        match="padding",
    )


def test_refusals(refused):
    refused(calling(F.max_pool2d, 2, return_indices=True), X, source="torch", match="indices")
    refused(calling(F.adaptive_avg_pool2d, 2), X, source="torch", match="only 1 can be translated")
    refused(calling(F.interpolate, scale_factor=2), X, source="torch", match="interpolate")
    refused(
        calling(jax.lax.conv_general_dilated, (1, 1), "VALID", (2, 2)),
        X,
        W,
        source="jax",
        match="lhs_dilation",
    )


def test_it_reads_well(same):
    texts = same(lambda x, w, b: F.conv2d(x, w, b, padding=1), X, W, B, source="torch")
    assert "return F.conv2d(x, w, b, padding=1)" in texts["torch"]
    assert "x, w, window_strides=(1, 1), padding=((1, 1), (1, 1))" in texts["jax"]
    assert "return conv(x, w, padding=1) + b[:, None, None]" in texts["numpy"]
    assert "F.max_pool2d(x, 2)" in same(lambda x: F.max_pool2d(x, 2), X, source="torch")["torch"]
    assert "max_pool(x, (2, 2))" in same(lambda x: F.max_pool2d(x, 2), X, source="torch")["numpy"]


def test_windows_in_numpy():
    """What is pooled is an array of its own, of windows of one element too, and windows must fit."""
    for fn, window in ((F.max_pool2d, 1), (F.avg_pool2d, 1), (F.max_pool2d, 2)):
        pool = tl.transpile(calling(fn, window), (torch.from_numpy(X),), to="numpy")
        assert not np.shares_memory(pool(X), X)
        if window > 1:
            with pytest.raises(ValueError, match="do not fit"):
                pool(X[..., :1])


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [F.conv1d, F.conv2d, F.conv_transpose1d, F.conv_transpose2d])
def test_without_examples(fn, to):
    """How many axes there are is in the name of the function."""

    def layer(x, w, b=None):
        return fn(x, w, b)

    n = int(fn.__name__[-2])
    out = tl.transpile(layer, to=to, source="torch")
    given = array(2, 3, *(5, 6)[:n]), array(3, 3, *(2, 3)[:n]), array(3)
    wanted = layer(*map(torch.from_numpy, given))
    np.testing.assert_allclose(np.asarray(out(*map(ARRAYS[to], given))), wanted, rtol=1e-4, atol=1e-5)
    with pytest.raises(AssertionError):
        out(*(ARRAYS[to](a[0]) for a in given[:2]))

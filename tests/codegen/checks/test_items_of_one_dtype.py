"""Items of a list that must have the dtypes of the first are asked in one line."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays


def layers_of(x, layers):
    for p in layers:
        h = torch.tanh(x @ p["w"] + p["b"])
        x = x + h * p["scale"]
    return x


def layer(dtype):
    one = torch.ones(3, dtype=dtype)
    return {"w": torch.eye(3, dtype=dtype), "b": one, "scale": one * 2}


X = torch.ones(2, 3)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_one_line_asks_it_of_all(to):
    out = tl.transpile(layers_of, (X, [layer(torch.float32)] * 2), to=to)
    text = out.source
    assert text.count("layers[0][k].dtype") <= 1 and 'layers[0]["w"].dtype' not in text, text
    for count in (1, 2, 4):
        for dtype in (torch.float32, torch.float64):
            args = X.to(dtype), [layer(dtype)] * count
            try:
                found = out(*map_arrays(args, lambda a: convert(a, to)))
            except AssertionError:
                assert dtype is torch.float64 or count != 2
                continue
            np.testing.assert_allclose(np.asarray(found), layers_of(*args).numpy(), rtol=1e-5)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("key", ["w", "b", "scale"])
def test_an_item_of_another_dtype_agrees_or_is_refused(key, to):
    out = tl.transpile(layers_of, (X, [layer(torch.float32)] * 2), to=to)
    other = {**layer(torch.float32), key: layer(torch.int32)[key]}
    args = X, [layer(torch.float32), other]
    try:
        expected = layers_of(*args)
    except RuntimeError:
        expected = None
    try:
        found = out(*map_arrays(args, lambda a: convert(a, to)))
    except (AssertionError, RuntimeError):
        return
    assert expected is not None
    np.testing.assert_allclose(np.asarray(found), expected.numpy(), rtol=1e-5)


def in_threes(x, layers):
    for w, b, scale in layers:
        x = x + torch.tanh(x @ w + b) * scale
    return x


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_items_that_have_no_name_are_asked_by_those_of_their_parts(to):
    out = tl.transpile(in_threes, (X, [tuple(layer(torch.float32).values())] * 2), to=to)
    args = X, [tuple(layer(torch.float32).values())] * 3
    found = out(*map_arrays(args, lambda a: convert(a, to)))
    np.testing.assert_allclose(np.asarray(found), in_threes(*args).numpy(), rtol=1e-5)

"""Items of a list that must have the dtypes of the first are asked in one line."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays
from tracelate.ir.values.tree import leaves


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


def highest(ws):
    x = ws[0]
    for w in ws:
        x = torch.where(w > x, w, x)
        w.clamp_(min=0)
    return x, [w.sum() for w in ws]


def of_two(ws):
    return torch.where(ws[0] > ws[1], ws[0], ws[1]), [w * 2 for w in ws]


def multiplied(ws):
    ws[0].clamp_(min=0)
    return ws[0] * ws[1], [w.sum() for w in ws]


def summed(ws):
    total = 0
    for w in ws:
        w.mul_(2)
        total = total + w
    return total, [w + 1 for w in ws], sum(w.sum() for w in ws)


def of_the_first(ws):
    for i in range(len(ws)):
        ws[i].add_(1)
    return [w * ws[0] for w in ws]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [highest, of_two, multiplied, summed, of_the_first])
def test_items_that_are_written_into(fn, to):
    """What a loop goes through is no argument any more, but the list's items are asked."""

    def items(dtypes):
        return [torch.tensor([1, -2, 3 + i]).to(dtype) for i, dtype in enumerate(dtypes)]

    out = tl.transpile(fn, (items([torch.float32] * 3),), to=to)
    for dtypes in itertools.product((torch.float32, torch.int32, torch.float64), repeat=3):
        try:
            expected = fn(items(dtypes))
        except RuntimeError:
            continue
        try:
            found = out([convert(v, to) for v in items(dtypes)])
        except AssertionError:
            assert {*dtypes} != {torch.float32}
            continue
        for a, b in zip(leaves(expected), leaves(found), strict=True):
            assert convert(a, "numpy").dtype == convert(b, "numpy").dtype, (dtypes, out.source)
            np.testing.assert_allclose(convert(b, "numpy"), convert(a, "numpy"), rtol=1e-5)

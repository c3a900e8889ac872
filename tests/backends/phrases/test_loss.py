"""Losses: every spelling, into every framework, against torch."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import torch.nn.functional as F
from calls import calling, normal

RNG = np.random.default_rng(0)
array = functools.partial(normal, RNG, scale=2)

X, T, P = array(3, 4), array(3, 4), RNG.random((3, 4)).astype("float32")
REDUCTIONS = ("mean", "sum", "none")


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_elementwise_losses(same, reduction):
    losses = [
        calling(fn, reduction=reduction, **kwargs)
        for fn, kwargs in (
            (F.mse_loss, {}),
            (F.l1_loss, {}),
            (F.smooth_l1_loss, {}),
            (F.smooth_l1_loss, {"beta": 0.5}),
            (F.smooth_l1_loss, {"beta": 0.0}),
            (F.huber_loss, {}),
            (F.huber_loss, {"delta": 2.0}),
            (F.kl_div, {"log_target": True}),
        )
    ]
    same(lambda x, t: [loss(x, t) for loss in losses], X, T, source="torch")
    of_probabilities = [
        calling(fn, reduction=reduction) for fn in (F.binary_cross_entropy_with_logits, F.kl_div)
    ]
    same(lambda x, p: [loss(x, p) for loss in of_probabilities], X, P, source="torch")


def test_binary_cross_entropy(same):
    ends, target = (
        np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.25]], "float32"),
        np.array([[1.0, 0.0, 0.5], [1.0, 0.0, 1.0]], "float32"),
    )
    same(
        lambda x, t: [F.binary_cross_entropy(x, t, reduction=r) for r in REDUCTIONS],
        ends,
        target,
        source="torch",
    )
    same(lambda x, t, w: F.binary_cross_entropy(x, t, w), P, (T > 0).astype("float32"), P, source="torch")
    same(
        lambda x, t, w: [
            F.binary_cross_entropy_with_logits(x, t, pos_weight=w[0]),
            F.binary_cross_entropy_with_logits(x, t, w),
            F.binary_cross_entropy_with_logits(x, t, w, pos_weight=w),
            F.binary_cross_entropy_with_logits(100 * x, t),
        ],
        X,
        P,
        P,
        source="torch",
    )


def test_divergence_and_mixed_dtypes(same):
    same(calling(F.kl_div, reduction="batchmean"), X, P, source="torch")
    same(calling(F.kl_div), X, np.array([[0.0, 0.5, 0.5, 0.0]] * 3, "float32"), source="torch")
    same(calling(F.mse_loss), X, T.astype("float64"), source="torch")


CLASSES = np.array([1, 3, -100, 0, 1])
OPTIONS = (
    {},
    {"reduction": "sum"},
    {"reduction": "none"},
    {"label_smoothing": 0.1},
    {"label_smoothing": 0.2, "reduction": "none"},
    {"label_smoothing": 0.2, "reduction": "sum"},
)


@pytest.mark.parametrize("weighted", [False, True])
def test_cross_entropy(same, weighted):
    w = [RNG.random(4).astype("float32")] * weighted

    def losses(x: Any, t: Any, *w: Any) -> Any:
        return [F.cross_entropy(x, t, *w, **options) for options in OPTIONS]

    same(losses, array(5, 4), CLASSES, *w, source="torch")
    same(losses, array(2, 4, 3, 5), RNG.integers(0, 4, (2, 3, 5)), *w, source="torch")
    same(losses, array(5, 4), RNG.random((5, 4)).astype("float32"), *w, source="torch")


@pytest.mark.parametrize("weighted", [False, True])
def test_classes_that_do_not_count(same, weighted):
    w = [RNG.random(4).astype("float32")] * weighted

    def losses(x: Any, t: Any, *w: Any) -> Any:
        logs = F.log_softmax(x, 1)
        return [F.nll_loss(logs, t, *w, reduction=r, ignore_index=1) for r in REDUCTIONS] + [
            F.cross_entropy(x, t, *w, reduction=r, ignore_index=1, label_smoothing=0.3) for r in REDUCTIONS
        ]

    same(losses, array(5, 4), np.array([1, 3, 2, 0, 1]), *w, source="torch")


def test_cross_entropy_of_one_and_of_none(same):
    same(calling(F.cross_entropy), array(4), np.array(2), source="torch")
    same(calling(F.cross_entropy), array(3, 4), np.array([-100, -100, -100]), source="torch")
    for dtype in ("float16", "float64"):
        same(calling(F.cross_entropy), array(5, 4, dtype=dtype), CLASSES, source="torch")


def test_refusals(refused):
    x = array(2, 3)
    refused(lambda x: F.mse_loss(x, x, size_average=True), x, source="torch", match="size_average")
    refused(lambda x: F.mse_loss(x, x, weight=x), x, source="torch", match="weight")

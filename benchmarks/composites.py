"""What NumPy has no word for, spelled out, beside what one writes by hand (by_hand.py)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the time of threads that wait for one another is noise

import by_hand  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from common import figure, side_by_side  # noqa: E402

import tracelate as tl  # noqa: E402

RNG = np.random.default_rng(0)


def array(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def shares(*shape: int) -> Any:
    return RNG.uniform(0.01, 0.99, shape).astype(np.float32)


ROWS, ALIKE, SHARES, ODDS = array(256, 1024), array(256, 1024), shares(256, 1024), shares(256, 1024)
CLASSES = RNG.integers(0, 1024, 256)
WIDE, CHANNELS = array(1024), array(16)
IMAGES, SIGNALS = array(8, 16, 32, 32), array(8, 16, 1024)
HEADS = (array(4, 128, 64), array(4, 128, 64), array(4, 128, 64))

#: The function of torch, the one written by hand, and what both are given.
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] = {
    "softmax": (lambda x: torch.softmax(x, -1), by_hand.softmax, (ROWS,)),
    "log_softmax": (lambda x: F.log_softmax(x, -1), by_hand.log_softmax, (ROWS,)),
    "logsumexp": (lambda x: torch.logsumexp(x, -1), by_hand.logsumexp, (ROWS,)),
    "sigmoid": (lambda x: torch.sigmoid(x), by_hand.sigmoid, (ROWS,)),
    "silu": (lambda x: F.silu(x), by_hand.silu, (ROWS,)),
    "gelu": (lambda x: F.gelu(x), by_hand.gelu, (ROWS,)),
    "gelu, tanh": (lambda x: F.gelu(x, approximate="tanh"), by_hand.gelu_tanh, (ROWS,)),
    "relu": (lambda x: F.relu(x), by_hand.relu, (ROWS,)),
    "leaky_relu": (lambda x: F.leaky_relu(x), by_hand.leaky_relu, (ROWS,)),
    "elu": (lambda x: F.elu(x), by_hand.elu, (ROWS,)),
    "softplus": (lambda x: F.softplus(x), by_hand.softplus, (ROWS,)),
    "logsigmoid": (lambda x: F.logsigmoid(x), by_hand.log_sigmoid, (ROWS,)),
    "mish": (lambda x: F.mish(x), by_hand.mish, (ROWS,)),
    "hardswish": (lambda x: F.hardswish(x), by_hand.hard_swish, (ROWS,)),
    "glu": (lambda x: F.glu(x, -1), by_hand.glu, (ROWS,)),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (1024,), w, b), by_hand.layer_norm, (ROWS, WIDE, WIDE)),
    "rms_norm": (lambda x, w: F.rms_norm(x, (1024,), w), by_hand.rms_norm, (ROWS, WIDE)),
    "group_norm": (
        lambda x, w, b: F.group_norm(x, 4, w, b), by_hand.group_norm, (IMAGES, CHANNELS, CHANNELS),
    ),
    "instance_norm": (
        lambda x, w, b: F.instance_norm(x, weight=w, bias=b),
        by_hand.instance_norm,
        (IMAGES, CHANNELS, CHANNELS),
    ),
    "batch_norm": (
        lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b),
        by_hand.batch_norm,
        (IMAGES, CHANNELS, CHANNELS**2, CHANNELS, CHANNELS),
    ),
    "normalize": (lambda x: F.normalize(x, dim=-1), by_hand.normalize, (ROWS,)),
    "cosine_similarity": (
        lambda x, y: F.cosine_similarity(x, y, dim=-1), by_hand.cosine_similarity, (ROWS, ALIKE),
    ),
    "linear": (
        lambda x, w, b: F.linear(x, w, b), by_hand.linear, (array(256, 512), array(512, 512), array(512)),
    ),
    "attention": (lambda q, k, v: F.scaled_dot_product_attention(q, k, v), by_hand.attention, HEADS),
    "attention, causal": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        by_hand.causal_attention,
        HEADS,
    ),
    "conv1d": (
        lambda x, w, b: F.conv1d(x, w, b, padding=1),
        by_hand.conv1d,
        (SIGNALS, array(32, 16, 3), array(32)),
    ),
    "conv2d": (
        lambda x, w: F.conv2d(x, w, padding=1), by_hand.conv2d, (array(4, 16, 32, 32), array(32, 16, 3, 3)),
    ),
    "conv2d, in steps of 2": (
        lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1),
        by_hand.conv2d_in_steps,
        (IMAGES, array(32, 16, 3, 3), array(32)),
    ),
    "conv_transpose2d": (
        lambda x, w: F.conv_transpose2d(x, w, stride=2),
        by_hand.conv_transpose2d,
        (array(4, 16, 16, 16), array(16, 32, 2, 2)),
    ),
    "max_pool1d": (lambda x: F.max_pool1d(x, 2), by_hand.max_pool1d, (SIGNALS,)),
    "max_pool2d": (lambda x: F.max_pool2d(x, 2), by_hand.max_pool2d, (IMAGES,)),
    "max_pool2d, 3 by 3 in steps of 2": (
        lambda x: F.max_pool2d(x, 3, 2, 1), by_hand.max_pool2d_overlapping, (IMAGES,),
    ),
    "avg_pool1d": (lambda x: F.avg_pool1d(x, 3, 1), by_hand.avg_pool1d, (SIGNALS,)),
    "avg_pool2d": (lambda x: F.avg_pool2d(x, 2), by_hand.avg_pool2d, (IMAGES,)),
    "cross_entropy": (lambda x, t: F.cross_entropy(x, t), by_hand.cross_entropy, (ROWS, CLASSES)),
    "nll_loss": (lambda x, t: F.nll_loss(x, t), by_hand.nll_loss, (ROWS, CLASSES)),
    "mse_loss": (lambda x, y: F.mse_loss(x, y), by_hand.mse_loss, (ROWS, ALIKE)),
    "l1_loss": (lambda x, y: F.l1_loss(x, y), by_hand.l1_loss, (ROWS, ALIKE)),
    "huber_loss": (lambda x, y: F.huber_loss(x, y), by_hand.huber_loss, (ROWS, ALIKE)),
    "binary_cross_entropy": (
        lambda x, t: F.binary_cross_entropy(x, t), by_hand.binary_cross_entropy, (SHARES, ODDS),
    ),
    "binary_cross_entropy_with_logits": (
        lambda x, t: F.binary_cross_entropy_with_logits(x, t),
        by_hand.binary_cross_entropy_with_logits,
        (ROWS, ODDS),
    ),
    "kl_div": (
        lambda x, t: F.kl_div(x, t, reduction="batchmean"), by_hand.kl_div, (ROWS, SHARES),
    ),
}  # fmt: skip


def main(*names: str) -> None:
    """Only the composites of these names, or all."""
    for name, (fn, written, arrays) in CASES.items():
        if names and name not in names:
            continue
        emitted = tl.transpile(fn, tuple(map(torch.tensor, arrays)), to="numpy")
        np.testing.assert_allclose(emitted(*arrays), written(*arrays), rtol=1e-3, atol=1e-4)
        ratio = side_by_side(lambda f=emitted, a=arrays: f(*a), lambda f=written, a=arrays: f(*a), 30, 5)
        figure(f"{name} in NumPy, beside the one written by hand", ratio, 1.2 if "conv" in name else 1.1)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What composites.py is held against: each composite as one writes it in NumPy who cares for speed and for
readers, in place where that is plain to see.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

# Softmax.


def softmax(x: Any) -> Any:
    y = x - x.max(-1, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(-1, keepdims=True)
    return y


def log_softmax(x: Any) -> Any:
    y = x - x.max(-1, keepdims=True)
    y -= np.log(np.exp(y).sum(-1, keepdims=True))
    return y


def logsumexp(x: Any) -> Any:
    top = x.max(-1)
    y = x - top[:, None]
    np.exp(y, out=y)
    return np.log(y.sum(-1)) + top


# Activations.


def sigmoid(x: Any) -> Any:
    """Where x is below -88 in float32, exp(-x) is inf and NumPy warns; the result is right."""
    y = np.negative(x)
    np.exp(y, out=y)
    y += 1
    return np.reciprocal(y, out=y)


def silu(x: Any) -> Any:
    y = sigmoid(x)
    y *= x
    return y


def gelu_tanh(x: Any) -> Any:
    y = x * x
    y *= x
    y *= 0.044715
    y += x
    y *= math.sqrt(2 / math.pi)
    np.tanh(y, out=y)
    y += 1
    y *= x
    y *= 0.5
    return y


def gelu(x: Any) -> Any:
    from scipy.special import erf

    y = x * math.sqrt(0.5)
    erf(y, out=y)
    y += 1
    y *= x
    y *= 0.5
    return y


def relu(x: Any) -> Any:
    return np.maximum(x, 0)


def leaky_relu(x: Any) -> Any:
    return np.where(x > 0, x, 0.01 * x)


def elu(x: Any) -> Any:
    return np.where(x > 0, x, np.expm1(x))


def softplus(x: Any) -> Any:
    """x itself above 20, as in torch: in float64 the curve still lies above it there."""
    return np.where(x > 20, x, smooth_relu(x))


def smooth_relu(x: Any) -> Any:
    y = np.abs(x)
    np.negative(y, out=y)
    np.exp(y, out=y)
    np.log1p(y, out=y)
    y += np.maximum(x, 0)
    return y


def log_sigmoid(x: Any) -> Any:
    y = smooth_relu(-x)
    return np.negative(y, out=y)


def mish(x: Any) -> Any:
    y = smooth_relu(x)
    np.tanh(y, out=y)
    y *= x
    return y


def hard_swish(x: Any) -> Any:
    y = x + 3
    np.clip(y, 0, 6, out=y)
    y *= x
    y /= 6
    return y


def glu(x: Any) -> Any:
    a, b = np.split(x, 2, axis=-1)
    y = sigmoid(b)
    y *= a
    return y


# Normalisation.


def layer_norm(x: Any, w: Any, b: Any) -> Any:
    y = x - x.mean(-1, keepdims=True)
    y /= np.sqrt((y * y).mean(-1, keepdims=True) + 1e-5)
    y *= w
    y += b
    return y


def rms_norm(x: Any, w: Any) -> Any:
    y = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.finfo(x.dtype).eps)
    y *= w
    return y


def group_norm(x: Any, w: Any, b: Any) -> Any:
    groups = x.reshape(len(x), 4, -1)
    y = groups - groups.mean(-1, keepdims=True)
    y /= np.sqrt((y * y).mean(-1, keepdims=True) + 1e-5)
    y = y.reshape(x.shape)
    y *= w[:, None, None]
    y += b[:, None, None]
    return y


def instance_norm(x: Any, w: Any, b: Any) -> Any:
    y = x - x.mean((2, 3), keepdims=True)
    y /= np.sqrt((y * y).mean((2, 3), keepdims=True) + 1e-5)
    y *= w[:, None, None]
    y += b[:, None, None]
    return y


def batch_norm(x: Any, mean: Any, var: Any, w: Any, b: Any) -> Any:
    scale = w / np.sqrt(var + 1e-5)
    y = x * scale[:, None, None]
    y += (b - mean * scale)[:, None, None]
    return y


def normalize(x: Any) -> Any:
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)


def cosine_similarity(x: Any, y: Any) -> Any:
    """Each over its norm first: of numbers above 1e19 the products are inf in float32, as are the norms."""
    x = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-8)
    y = y / np.maximum(np.linalg.norm(y, axis=-1, keepdims=True), 1e-8)
    x *= y
    return x.sum(-1)


# Layers.


def linear(x: Any, w: Any, b: Any) -> Any:
    y = x @ w.T
    y += b
    return y


def attention(q: Any, k: Any, v: Any) -> Any:
    scores = q @ k.mT
    scores /= math.sqrt(q.shape[-1])
    return softmax(scores) @ v


def causal_attention(q: Any, k: Any, v: Any) -> Any:
    scores = q @ k.mT
    scores /= math.sqrt(q.shape[-1])
    scores[:, ~np.tri(q.shape[1], k.shape[1], dtype=bool)] = -np.inf
    return softmax(scores) @ v


def conv1d(x: Any, w: Any, b: Any) -> Any:
    x = np.pad(x, ((0, 0), (0, 0), (1, 1)))
    windows = sliding_window_view(x, w.shape[2], axis=2)
    n, c, size = windows.shape[:3]
    y = windows.transpose(0, 2, 1, 3).reshape(n * size, -1) @ w.reshape(len(w), -1).T
    y += b
    return y.reshape(n, size, len(w)).transpose(0, 2, 1)


def conv2d(x: Any, w: Any, stride: int = 1) -> Any:
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(x, w.shape[2:], axis=(2, 3))[:, :, ::stride, ::stride]
    n, c, height, width = windows.shape[:4]
    y = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * height * width, -1) @ w.reshape(len(w), -1).T
    return y.reshape(n, height, width, len(w)).transpose(0, 3, 1, 2)


def conv2d_in_steps(x: Any, w: Any, b: Any) -> Any:
    y = conv2d(x, w, stride=2)
    y += b[:, None, None]
    return y


def conv_transpose2d(x: Any, w: Any) -> Any:
    """Windows of two in steps of two do not overlap."""
    n, c, height, width = x.shape
    y = x.transpose(0, 2, 3, 1).reshape(-1, c) @ w.reshape(c, -1)
    y = y.reshape(n, height, width, -1, 2, 2).transpose(0, 3, 1, 4, 2, 5)
    return y.reshape(n, -1, 2 * height, 2 * width)


def max_pool1d(x: Any) -> Any:
    return np.maximum(x[..., ::2], x[..., 1::2])


def max_pool2d(x: Any) -> Any:
    y = np.maximum(x[..., ::2], x[..., 1::2])
    return np.maximum(y[..., ::2, :], y[..., 1::2, :])


def max_pool2d_overlapping(x: Any) -> Any:
    """NumPy is slow along axes of three."""
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    y = np.maximum(x[..., :-2:2], x[..., 1:-1:2])
    np.maximum(y, x[..., 2::2], out=y)
    z = np.maximum(y[..., :-2:2, :], y[..., 1:-1:2, :])
    return np.maximum(z, y[..., 2::2, :], out=z)


def avg_pool1d(x: Any) -> Any:
    y = x[..., :-2] + x[..., 1:-1]
    y += x[..., 2:]
    y /= 3
    return y


def avg_pool2d(x: Any) -> Any:
    y = x[..., ::2] + x[..., 1::2]
    y = y[..., ::2, :] + y[..., 1::2, :]
    y /= 4
    return y


# Losses.


def cross_entropy(x: Any, target: Any) -> Any:
    keep = target != -100
    y = x - x.max(1, keepdims=True)
    chosen = y[keep, target[keep]]
    np.exp(y, out=y)
    return (np.log(y.sum(1))[keep] - chosen).mean()


def nll_loss(x: Any, target: Any) -> Any:
    keep = target != -100
    return -x[keep, target[keep]].mean()


def mse_loss(x: Any, y: Any) -> Any:
    d = x - y
    d *= d
    return d.mean()


def l1_loss(x: Any, y: Any) -> Any:
    d = x - y
    return np.abs(d, out=d).mean()


def huber_loss(x: Any, y: Any) -> Any:
    d = x - y
    np.abs(d, out=d)
    return np.where(d < 1, 0.5 * d * d, d - 0.5).mean()


def binary_cross_entropy(x: Any, target: Any) -> Any:
    """Logarithms of numbers next to 0 count as -100."""
    one, other = np.log(x), np.log1p(-x)
    np.maximum(one, -100, out=one)
    np.maximum(other, -100, out=other)
    one -= other
    one *= target
    one += other
    return -one.mean()


def binary_cross_entropy_with_logits(x: Any, target: Any) -> Any:
    losses = smooth_relu(x)
    losses -= x * target
    return losses.mean()


def kl_div(x: Any, target: Any) -> Any:
    y = np.zeros_like(target)
    np.log(target, out=y, where=target != 0)
    y -= x
    y *= target
    return y.sum() / len(x)

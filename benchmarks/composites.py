"""What NumPy has no word for, spelled out, beside what one writes by hand: with `out=` and `/=` where most
would, and some in place throughout, as one writes it where every pass counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from common import figure, side_by_side

import tracelate as tl

RNG = np.random.default_rng(0)


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    e /= e.sum(-1, keepdims=True)
    return e


def gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi, dtype=x.dtype) * (x + 0.044715 * x * x * x)))


def layer_norm(x: Any, w: Any, b: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w + b


def batch_norm(x: Any, mean: Any, var: Any, w: Any, b: Any) -> Any:
    scale = w / np.sqrt(var + 1e-5)
    return x * scale[:, None, None] + (b - mean * scale)[:, None, None]


def attention(q: Any, k: Any, v: Any) -> Any:
    return softmax(q @ k.mT * q.shape[-1] ** -0.5) @ v


def softmax_in_place(x: Any) -> Any:
    e = np.subtract(x, x.max(-1, keepdims=True))
    np.exp(e, out=e)
    e /= e.sum(-1, keepdims=True)
    return e


def gelu_in_place(x: Any) -> Any:
    inner = x * x
    inner *= x
    inner *= 0.044715
    inner += x
    inner *= 0.7978845608028654
    np.tanh(inner, out=inner)
    inner += 1
    inner *= x
    inner *= 0.5
    return inner


def layer_norm_in_place(x: Any, w: Any, b: Any) -> Any:
    y = x - x.mean(-1, keepdims=True)
    y /= np.sqrt((y * y).mean(-1, keepdims=True) + 1e-5)
    y *= w
    y += b
    return y


def convolution(x: Any, w: Any) -> Any:
    x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    n, c, h, v = windows.shape[:4]
    y = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * h * v, c * 9) @ w.reshape(len(w), -1).T
    return y.reshape(n, h, v, len(w)).transpose(0, 3, 1, 2)


def max_pool(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5))


def array(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


#: The function of torch, the one written by hand, arrays, and how many times as long it may take.
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...], float]] = {
    "softmax": (lambda x: torch.softmax(x, -1), softmax, (array(256, 1024),), 1.1),
    "gelu": (lambda x: F.gelu(x, approximate="tanh"), gelu, (array(256, 1024),), 1.1),
    "layer_norm": (
        lambda x, w, b: F.layer_norm(x, (1024,), w, b),
        layer_norm,
        (array(256, 1024), array(1024), array(1024)),
        1.1,
    ),
    "batch_norm": (
        lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b),
        batch_norm,
        (array(8, 16, 32, 32), array(16), array(16) ** 2, array(16), array(16)),
        1.1,
    ),
    "attention": (
        lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
        attention,
        (array(4, 128, 64),) * 3,
        1.1,
    ),
    "convolution": (
        lambda x, w: F.conv2d(x, w, padding=1),
        convolution,
        (array(4, 16, 32, 32), array(32, 16, 3, 3)),
        1.2,
    ),
    "max_pool": (lambda x: F.max_pool2d(x, 2), max_pool, (array(8, 16, 32, 32),), 1.1),
}


#: The same, in place throughout: what a text that reads like its formula costs.
IN_PLACE = {"softmax": softmax_in_place, "gelu": gelu_in_place, "layer_norm": layer_norm_in_place}


def main() -> None:
    for name, (fn, by_hand, arrays, limit) in CASES.items():
        emitted = tl.transpile(fn, tuple(map(torch.tensor, arrays)), to="numpy")
        np.testing.assert_allclose(emitted(*arrays), by_hand(*arrays), rtol=1e-3, atol=1e-4)
        ratio = side_by_side(lambda f=emitted, a=arrays: f(*a), lambda f=by_hand, a=arrays: f(*a), 30, 5)
        figure(f"{name} in NumPy, beside the one written by hand", ratio, limit)
        if (fast := IN_PLACE.get(name)) is not None:
            np.testing.assert_allclose(fast(*arrays), by_hand(*arrays), rtol=1e-3, atol=1e-4)
            ratio = side_by_side(lambda f=emitted, a=arrays: f(*a), lambda f=fast, a=arrays: f(*a), 30, 5)
            figure(f"{name} in NumPy, beside one in place throughout", ratio, 1.5)


if __name__ == "__main__":
    main()

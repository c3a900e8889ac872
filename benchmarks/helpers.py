"""Chains of calls of two small functions, taken from a list: beside torch.fx, which puts them inline and
propagates fake tensors, and how their cost grows.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.fx
from common import best, figure, side_by_side
from torch.fx.passes.fake_tensor_prop import FakeTensorProp

import tracelate as tl

LENGTHS = (1_000, 10_000, 100_000)
X = torch.ones(3)


def grow(x: torch.Tensor) -> torch.Tensor:
    return x * 2 + 1


def shrink(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5


def chain(length: int) -> Callable[[torch.Tensor], torch.Tensor]:
    functions = [grow, shrink] * (length // 2)

    def run(x: torch.Tensor) -> torch.Tensor:
        for function in functions:
            x = function(x)
        return x

    return run


def fx(length: int) -> None:
    FakeTensorProp(torch.fx.symbolic_trace(chain(length))).propagate(X)


def trace(length: int) -> None:
    tl.symbolic_trace(chain(length), (X,), unroll=True)


def main() -> None:
    trace(LENGTHS[0])
    ratio = side_by_side(lambda: trace(LENGTHS[0]), lambda: fx(LENGTHS[0]), repeat=3)
    figure("1e3 calls of helpers, beside torch.fx and its fake tensors", ratio, 1.5)
    times = [best(lambda length=length: trace(length), 2) for length in LENGTHS]  # type: ignore[misc]
    for (few, many), short, long in zip((("1e3", "1e4"), ("1e4", "1e5")), times, times[1:]):
        figure(f"calls of helpers: exponent of time, {few} to {many}", math.log10(long / short), 1.05, "")


if __name__ == "__main__":
    main()

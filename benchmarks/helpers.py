"""Chains of calls of two small functions, taken from a list: beside torch.fx, which puts them inline and
propagates fake tensors, and how their cost grows; with their number, and with what the program has in reach.
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
    traced(chain(length))


def traced(program: Callable[[torch.Tensor], torch.Tensor]) -> None:
    tl.symbolic_trace(program, (X,), unroll=True)


def beside(x: torch.Tensor) -> torch.Tensor:
    """It has a loop, and a way out before its end."""
    for _ in range(3):
        x = x + 1
    if x.ndim > 5:
        return x
    return x * 2


def among(size: int) -> Callable[[torch.Tensor], torch.Tensor]:
    """Calls of such a function by one that has many objects in reach."""
    objects = [{"number": i, "several": [i]} for i in range(size)]

    def run(x: torch.Tensor) -> torch.Tensor:
        assert len(objects) == size
        for _ in range(200):
            x = beside(x)
        return x

    return run


def main() -> None:
    trace(LENGTHS[0])
    ratio = side_by_side(lambda: trace(LENGTHS[0]), lambda: fx(LENGTHS[0]), repeat=3)
    figure("1e3 calls of helpers, beside torch.fx and its fake tensors", ratio, 1.5)
    times = [best(lambda length=length: trace(length), 2) for length in LENGTHS]  # type: ignore[misc]
    for (few, many), less, more in zip((("1e3", "1e4"), ("1e4", "1e5")), times, times[1:]):
        figure(f"calls of helpers: exponent of time, {few} to {many}", math.log10(more / less), 1.05, "")
    short, long = among(10), among(1_000)
    ratio = side_by_side(lambda: traced(long), lambda: traced(short), repeat=3)
    figure("200 calls with 1,000 objects in reach, beside 10", ratio, 1.5)


if __name__ == "__main__":
    main()

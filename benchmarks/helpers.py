"""Chains of calls of two small functions, taken from a list, and of ops: beside torch.fx, which puts calls
inline and propagates fake tensors, and how their cost grows; with their number, and with what the program has
in reach.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.fx
from common import figure, in_turns, side_by_side
from torch.fx.passes.fake_tensor_prop import FakeTensorProp

import tracelate as tl

#: How many calls, and how often each chain is traced.
LENGTHS = {1_000: 7, 10_000: 3, 100_000: 1}
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


def of_ops(length: int) -> Callable[[torch.Tensor], torch.Tensor]:
    def run(x: torch.Tensor) -> torch.Tensor:
        for _ in range(length):
            x = torch.sin(x)
        return x

    return run


def fx(program: Callable[[torch.Tensor], torch.Tensor]) -> None:
    FakeTensorProp(torch.fx.symbolic_trace(program)).propagate(X)


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
    for make, what in (chain, "calls of helpers"), (of_ops, "ops"):
        traced(make(1_000))
        before = None
        for length, repeat in LENGTHS.items():
            program = make(length)
            mine, theirs = in_turns(lambda: traced(program), lambda: fx(program), repeat)  # noqa: B023
            figure(f"{length:,} {what}, beside torch.fx and its fake tensors", mine / theirs, 1.5)
            if before is not None:
                figure(f"{length:,} {what}: exponent of time", math.log10(mine / before), 1.05, "")
            before = mine
    short, long = among(10), among(1_000)
    ratio = side_by_side(lambda: traced(long), lambda: traced(short), repeat=3)
    figure("200 calls with 1,000 objects in reach, beside 10", ratio, 1.5)


if __name__ == "__main__":
    main()

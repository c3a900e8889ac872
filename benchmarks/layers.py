"""96 calls of one function, the block of a transformer, beside 12 of them: its body is read, lowered and
written once. With weights of its own for each call, what is checked of these grows with their number.
"""

from __future__ import annotations

import pathlib
import sys
from typing import Any

import torch
from common import figure, side_by_side

import tracelate as tl

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "examples"))

from gpt_block import block, inputs  # noqa: E402

FEW, MANY = 12, 96


def again(count: int) -> tl.Traced:
    """One block, again and again."""

    def run(x: torch.Tensor, params: Any) -> torch.Tensor:
        for _ in range(count):
            x = block(x, params)
        return x

    return tl.symbolic_trace(run, inputs(), unroll=True)


def layers(count: int) -> tl.Traced:
    """Blocks with weights of their own."""

    def run(x: torch.Tensor, several: list[Any]) -> torch.Tensor:
        for params in several:
            x = block(x, params)
        return x

    return tl.symbolic_trace(run, (inputs()[0], [inputs()[1] for _ in range(count)]))


def main() -> None:
    programs = (again, "calls of a block", 1.5), (layers, "blocks with weights of their own", 3.5)
    for made, what, limit in programs:
        few, many = made(FEW), made(MANY)
        for target in ("numpy", "jax", "torch"):
            few.source(target)
            ratio = side_by_side(lambda: many.source(target), lambda: few.source(target), repeat=5)  # noqa: B023
            figure(f"{MANY} {what} as {target}, beside {FEW}", ratio, limit)


if __name__ == "__main__":
    main()

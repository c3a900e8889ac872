"""The cost of tracing a node, beside torch.fx's symbolic tracing of the same function."""

from __future__ import annotations

import torch
import torch.fx
from common import figure, side_by_side

import tracelate as tl

STEPS = 500


def repeated(x: torch.Tensor) -> torch.Tensor:
    """A chain whose specs repeat: what a call gives is known from the first time."""
    for _ in range(STEPS):
        x = torch.sin(x)
        x = x + 1.0
    return x


def new(x: torch.Tensor) -> torch.Tensor:
    """A chain in which every call meets a shape that it has not met before."""
    for _ in range(STEPS):
        x = torch.sin(x)
        x = x[1:]
    return x


def main() -> None:
    args = (torch.ones(STEPS + 8),)
    for function, limit, asked in (
        (repeated, 1.0, args), (repeated, 1.0, None), (new, 3.0, args),
    ):  # fmt: skip
        tl.symbolic_trace(function, asked, unroll=True)
        ratio = side_by_side(
            lambda: tl.symbolic_trace(function, asked, unroll=True),
            lambda: torch.fx.symbolic_trace(function),
            repeat=7,
        )
        specs = (
            "specs not asked for" if asked is None else "all specs new" if function is new else "specs repeat"
        )
        figure(f"trace, per node, beside torch.fx: {specs}", ratio, limit)


if __name__ == "__main__":
    main()

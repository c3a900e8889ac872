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


def new_sums(x: torch.Tensor) -> torch.Tensor:
    """The same for a call for which torch's own answer takes long."""
    for _ in range(STEPS):
        x = torch.cumsum(x, 0)
        x = x[1:]
    return x


def new_joins(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """A chain of arrays that are joined, whose sizes are longer expressions each time."""
    for _ in range(STEPS):
        x = torch.cat([x, y])
        x = torch.sin(x)
    return x


SPECS = {
    repeated: "repeat", new: "all new", new_sums: "all new, cumsum", new_joins: "all new, cat",
}  # fmt: skip


def main() -> None:
    args = (torch.ones(STEPS + 8),)
    for function, limit, asked in (
        (repeated, 1.0, args), (repeated, 1.0, None), (new, 3.0, args), (new_sums, 3.0, args),
        (new_joins, 3.0, (*args, torch.ones(3))),
    ):  # fmt: skip
        tl.symbolic_trace(function, asked, unroll=True)
        ratio = side_by_side(
            lambda: tl.symbolic_trace(function, asked, unroll=True),
            lambda: torch.fx.symbolic_trace(function),
            repeat=7,
        )
        specs = SPECS[function] if asked else "not asked for"
        figure(f"trace, per node, beside torch.fx: specs {specs}", ratio, limit)


if __name__ == "__main__":
    main()

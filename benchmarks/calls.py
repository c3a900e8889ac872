"""Calling an emitted function without guards on one element, beside the hand-written one."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from common import figure, side_by_side

import tracelate as tl


def source(x: torch.Tensor) -> torch.Tensor:
    h = torch.abs(x) * 2
    return h + torch.maximum(-h, x)


def by_hand(x: Any) -> Any:
    h = np.abs(x) * 2
    return h + np.maximum(-h, x)


def main() -> None:
    example = (torch.ones(3),)
    out = tl.transpile(source, example, to="numpy")
    arrays = (np.ones(1, np.float32),)
    ratio = side_by_side(lambda: out(*arrays), lambda: by_hand(*arrays), repeat=60, number=5_000)
    figure("an emitted NumPy function on one element, beside the hand-written one", ratio, 1.05)
    same = tl.transpile(source, example, to="torch")
    ratio = side_by_side(lambda: same(*example), lambda: source(*example), repeat=60, number=2_000)
    figure("an emitted torch function on one element, beside its source", ratio, 1.05)


if __name__ == "__main__":
    main()

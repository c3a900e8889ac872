"""The block of a transformer, traced and written: beside torch.fx, which traces it and propagates fake
tensors, and beside what Python takes to read its text, spell it and compile it.
"""

from __future__ import annotations

import ast
import pathlib
import sys

import torch
import torch.fx
from common import figure, side_by_side
from torch._subclasses import FakeTensorMode
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.utils._pytree import tree_map

import tracelate as tl

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "examples"))

from gpt_block import block, inputs  # noqa: E402

ARGS = inputs()


def fx() -> None:
    mode = FakeTensorMode()
    fakes = tree_map(mode.from_tensor, ARGS)
    FakeTensorProp(torch.fx.symbolic_trace(block), mode).propagate_dont_convert_inputs(*fakes)


def spelled(text: str) -> None:
    compile(ast.unparse(ast.parse(text)), "<text>", "exec")


def main() -> None:
    ratio = side_by_side(lambda: tl.symbolic_trace(block, ARGS), fx, repeat=10)
    figure("trace of a transformer block, beside torch.fx and its fake tensors", ratio, 2)
    traced = tl.symbolic_trace(block, ARGS)
    for target in ("numpy", "jax", "torch"):
        text = traced.source(target)
        ratio = side_by_side(lambda: traced.source(target), lambda: spelled(text), repeat=10)  # noqa: B023
        figure(f"source of a transformer block as {target}, beside unparse and compile of it", ratio, 45)
        ratio = side_by_side(lambda: traced.source(target), fx, repeat=10)  # noqa: B023
        figure(f"source of a transformer block as {target}, beside torch.fx", ratio, 4)


if __name__ == "__main__":
    main()

"""An op is elementwise because its row says so: what goes in permuted comes out permuted."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.backend import backend
from tracelate.backends.lowering.passes import Way
from tracelate.backends.rows import load as load_phrases
from tracelate.codegen.load import load as loaded
from tracelate.codegen.module import emit
from tracelate.codegen.pipeline import pipeline, run
from tracelate.ir.meaning.op import REGISTER, Op, inexact
from tracelate.ir.program import Program
from tracelate.ir.values import dtypes
from tracelate.ir.values.spec import Spec

load_phrases()
OPS = [op for op in REGISTER.values() if op.elementwise]
ORDER = [3, 0, 4, 1, 2]
#: Of other numbers than floats between 0 and 1.
INTS = {
    "gcd", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_invert", "bitwise_left_shift",
    "bitwise_right_shift",
}  # fmt: skip
PARAMS: dict[str, dict[str, Any]] = {
    "scaled_add": {"alpha": 2}, "scaled_subtract": {"alpha": 2}, "cast": {"dtype": dtypes.float64},
}  # fmt: skip


def called(op: Op) -> Any:
    """The op as a function of torch, written by its phrase or its meaning."""
    program = Program()
    operands = []
    for name in op.arrays:
        operands.append(program.create_node("placeholder", name, name=name))
        kind = dtypes.int64 if op.name in INTS else dtypes.complex64 if op.name == "imag" else dtypes.float32
        kind = dtypes.bool_ if name in ("c", "mask") else kind
        operands[-1].spec = Spec(() if name == "value" else (5,), kind)  # of masked_fill
    program.output(program.call(op, *operands, **PARAMS.get(op.name, {})))
    target = backend("torch")
    way = Way(target, target)
    text = emit(run(program, way, pipeline(way)), target, target)
    return loaded(text, text.partition("def ")[2].partition("(")[0]).function


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_elements_are_computed_each_by_itself(op: Op) -> None:
    values = np.random.default_rng(0).uniform(0.1, 0.9, (len(op.arrays), 5)).astype(np.float32)
    arrays = []
    for name, row in zip(op.arrays, values):
        array = (row * 10).astype(np.int64) + 1 if op.name in INTS else row * 1j if op.name == "imag" else row
        array = array[0] if name == "value" else array
        arrays.append(torch.tensor(row > 0.5 if name in ("c", "mask") else array))
    fn = called(op)
    whole = fn(*arrays)
    moved = (n in op.elementwise and a.dim() > 0 for n, a in zip(op.arrays, arrays))
    permuted = fn(*(a[ORDER] if move else a for move, a in zip(moved, arrays)))
    for one, other in zip(*(r if isinstance(r, tuple) else (r,) for r in (whole, permuted))):
        assert torch.equal(torch.nan_to_num(one[ORDER]), torch.nan_to_num(other))


DECLARED = """
import tracelate as tl
from tracelate.ir.meaning.op import inexact

@tl.op("X[~] -> Y[~]", dtype=inexact)
def share_of_all(x):
    \"""x over the sum of all of it.\"""
    ...
"""


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize("module", ["nn", "elementwise", "anything"])
def test_where_an_op_is_declared_says_nothing_of_it(module: str, tmp_path: Path) -> None:
    """What is written at a mask is computed of all elements only where each is computed by itself."""
    file = tmp_path / f"{module}.py"
    file.write_text(DECLARED)
    spec = importlib.util.spec_from_file_location(f"mine.{module}", file)
    assert spec is not None and spec.loader is not None
    declared = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(declared)
    op = declared.share_of_all
    tl.say(op, None, None, "torch.nn.functional.rrelu(x)")
    assert op.module.endswith(module) and not op.elementwise

    def written(x: Any) -> Any:
        y = x * 1
        y[x > 0] = torch.nn.functional.rrelu(x[x > 0])
        return y

    with pytest.raises(tl.UnsupportedError, match="how many elements the mask picks"):
        tl.transpile(written, args=(torch.arange(4.0),), to="jax")


@pytest.mark.usefixtures("dictionary")
def test_only_arrays_of_the_op_are_elementwise() -> None:
    with pytest.raises(ValueError, match="share has no array z"):

        @tl.op("X[~] -> Y[~]", dtype=inexact, elementwise="x z")
        def share(x: Any) -> Any: ...

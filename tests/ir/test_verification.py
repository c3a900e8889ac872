"""Verification finds what is wrong in a Program: specs, operands, and what regions are given and give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.ir.graphs.graph import Node
from tracelate.ir.graphs.regions import Function, graphs
from tracelate.ir.program import Program
from tracelate.ir.values import dtypes
from tracelate.ir.values.spec import Spec

X = np.arange(6.0).reshape(2, 3)


def scaled(x: Any) -> Any:
    y = x
    if x.sum() > 1:
        y = x * 2
    for row in x:
        y = y + row
    return helped(y)


def helped(x: Any) -> Any:
    return np.exp(x) + 1


def read() -> Program:
    program = tl.symbolic_trace(scaled, (X,)).read(())
    program.verify()
    return program


def node(program: Program, name: str) -> Node:
    return next(n for n in program.nodes if getattr(n.target, "name", None) == name)


def no_spec(program: Program) -> None:
    node(program, "sum").spec = None


def other_dtype(program: Program) -> None:
    node(program, "sum").spec = Spec((), dtypes.float32)
    node(program, "greater").args = (program.placeholders[0], node(program, "sum"))


def other_rank(program: Program) -> None:
    node(program, "sum").spec = Spec((3,), dtypes.float64)


def one_operand_less(program: Program) -> None:
    region = node(program, "cond")
    region.args = (*region.args[:3], ())


def one_result_less(program: Program) -> None:
    region = node(program, "cond")
    graphs(region)[0].output_node.args = ((),)


def one_carried_less(program: Program) -> None:
    region = node(program, "for_loop")
    graphs(region)[0].output_node.args = ((),)


def other_operand(program: Program) -> None:
    call = next(n for n in program.nodes if isinstance(n.target, Function))
    call.args = (node(program, "sum"),)


def inside(program: Program) -> None:
    call = next(n for n in program.nodes if isinstance(n.target, Function))
    node(call.target.graph, "exp").spec = Spec((), dtypes.float64)


FAULTS: dict[Callable[[Program], None], str] = {
    no_spec: "sum has no spec",
    other_dtype: "operands of greater are float32, float64",
    other_rank: r"sum is said to be float64\[3\], but sum gives float64\[\]",
    one_operand_less: "hands 0 values to then, which takes 1",
    one_result_less: "gives 1 values, but then ends with",
    one_carried_less: "gives 1 values, but body ends with",
    other_operand: r"helped takes float64\[.*\] and is given float64\[\]",
    inside: "exp is said to be",
}


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
def test_a_fault_is_found(spoil: Callable[[Program], None]) -> None:
    program = read()
    spoil(program)
    with pytest.raises(tl.GraphError, match=FAULTS[spoil]):
        program.verify()

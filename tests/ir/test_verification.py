"""Verification finds what is wrong in a Program: specs, operands, and what regions are given and give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.ir.graphs.graph import Node
from tracelate.ir.graphs.regions import Function, graphs, loop
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


def other_dtype_on_a_way(program: Program) -> None:
    side = graphs(node(program, "cond"))[0]
    side.output_node.args[0][0].spec = Spec(X.shape, dtypes.float32)


def other_rank_after_a_turn(program: Program) -> None:
    region = node(program, "for_loop")
    region.spec = (Spec((3,), dtypes.float64),)


def other_size_is_carried(program: Program) -> None:
    region = node(program, "for_loop")
    loop(region).carried[0].spec = Spec((2, 4), dtypes.float64)
    region.spec = (Spec((2, 4), dtypes.float64),)
    region.args[2][0].spec = Spec((2, 3), dtypes.float64)


def other_item(program: Program) -> None:
    loop(node(program, "for_loop")).items[0].spec = Spec(X.shape, dtypes.float64)


def number_for_an_array(program: Program) -> None:
    side = graphs(node(program, "cond"))[1]
    side.output_node.args = ((1.0,),)


def container_for_an_array(program: Program) -> None:
    region = node(program, "cond")
    region.spec = (region.spec,)


def other_result(program: Program) -> None:
    call = next(n for n in program.nodes if isinstance(n.target, Function))
    call.spec = Spec(X.shape, dtypes.float32)


def no_specs(program: Program) -> None:
    node(program, "cond").spec = None


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
    other_dtype_on_a_way: r"cond is said to give float64\[.*\], but then has float32\[2, 3\]",
    other_rank_after_a_turn: r"for_loop is said to give float64\[3\], but scaled has float64\[.*\]",
    other_size_is_carried: r"for_loop takes float64\[2, 4\] and is given float64\[2, 3\]",
    other_item: r"for_loop takes float64\[2, 3\] and is given float64\[.*\]",
    number_for_an_array: r"cond is said to give float64\[.*\], but orelse has 1.0",
    container_for_an_array: r"cond is said to give \(float64\[.*\],\), but then has float64\[.*\]",
    other_result: r"helped is said to give float32\[2, 3\], but helped has float64\[.*\]",
    no_specs: "cond has no specs",
    other_operand: r"helped takes float64\[.*\] and is given float64\[\]",
    inside: "exp is said to be",
}


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
def test_a_fault_is_found(spoil: Callable[[Program], None]) -> None:
    program = read()
    spoil(program)
    with pytest.raises(tl.GraphError, match=FAULTS[spoil]):
        program.verify()

"""Spelled: the dtype that comes of an op where a target spells it out, for whatever dtypes it is given."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..ir.dtypes import PYTHON, DType
from ..ir.errors import TraceError
from ..ir.graph import Node
from ..ir.op import Op, over
from ..ir.program import Program, Unknown, inline
from ..ir.spec import Spec
from .typing import NoTyping, Operand, typing


class Step(NamedTuple):
    """One op of a body.

    Attributes:
        cls, op: as in typing; "" where the dtype is that of the operand, or `fixed`.
        operands: numbers of earlier values, the body's own arrays first, each with its rank; and scalars.
        fixed: the dtype that the body itself says.
    """

    cls: str
    op: str
    operands: tuple[tuple[int, int | None] | Operand, ...]
    fixed: DType | None


def steps(node: Node) -> tuple[Step, ...] | None:
    """The body of an op on these operands; None where it is not known, or is more than ops on arrays."""
    op: Op = node.target  # type: ignore[assignment]
    if op.body is None or isinstance(node.spec, tuple):
        return None
    program = Program()
    operands = []
    for value in node.args:
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            made = program.create_node("placeholder", value.name, name=value.name)
            made.spec = value.spec
            value = made
        operands.append(value)
    numbers: dict[Node, int] = {n: i for i, n in enumerate(program.placeholders)}
    try:
        result = inline(program, op, operands, dict(node.kwargs))
    except (Unknown, TraceError):
        return None
    found = []
    for inner in program.nodes:
        if inner.op == "placeholder":
            continue
        made_step = step(inner, numbers)
        if made_step is None:
            return None
        numbers[inner] = len(numbers)
        found.append(made_step)
    if result not in numbers or not found or numbers[result] != len(numbers) - 1:
        return None
    if result.spec.dtype != node.spec.dtype:
        found.append(Step("", "", ((numbers[result], None),), node.spec.dtype))
    return tuple(found)


def step(node: Node, numbers: dict[Node, int]) -> Step | None:
    op = node.target
    if not isinstance(op, Op) or op.static or not isinstance(node.spec, Spec):
        return None
    if op.rules[0].cls == "free":
        like = [a for a in node.args if isinstance(a, Node)]
        if op.name == "cast" or not like or node.kwargs.get("dtype") is not None:
            return Step("", "", (), node.spec.dtype)
        return Step("", "", ((numbers[like[0]], node.spec.rank),), None)
    operands: list[Any] = []
    for value in over(op, op.rules[0], node.args):
        if value is None:
            continue
        while isinstance(value, Node) and value.meta.get("implicit"):
            value = value.args[0]
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            if value not in numbers or value.target is operator.getitem:
                return None
            operands.append((numbers[value], value.spec.rank))
        elif type(value) in PYTHON:
            operands.append(Operand(0, PYTHON[type(value)], "python", value))
        else:
            return None
    return Step(op.rules[0].cls, op.name, tuple(operands), None)


def result(found: Sequence[Step], given: Sequence[Operand], name: str, x64: bool) -> DType:
    """What comes of the steps on these operands.

    Raises:
        NoTyping: where that is not known. Refused: where the framework raises.
    """
    values = list(given)
    for made in found:
        operands = [
            o if isinstance(o, Operand) else Operand(o[1], values[o[0]].dtype, values[o[0]].form)
            for o in made.operands
        ]
        if made.fixed is not None:
            values.append(Operand(None, made.fixed))
        elif not made.cls:
            values.append(operands[0])
        else:
            typed = typing(name, made.cls, operands, op=made.op, x64=x64)
            values.append(Operand(None, typed.result, "weak" if typed.weak else "array"))
    last = values[-1].dtype
    if last is None:
        raise NoTyping("unknown")
    return last

"""Checks that Python makes: `if n < 1: raise ValueError(...)`, where n is a number that Python knows when it
calls the function. What is compiled cannot raise, but such a check is no part of that: it runs while JAX
compiles, if the program certainly comes by, and before any array has had a say in where it goes.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from ..ir.graph import Node
from ..ir.regions import LEAVING, Function, Region, cond, for_loop, is_loop, loop
from ..ir.static import Scalar, takes
from .closing import may_leave
from .structure import splice


def checks(program: Any) -> bool:
    """Note the checks of a program, and let what comes after one stand behind it. Returns whether the program
    goes on to its end, whatever the arrays hold.
    """
    for node in list(program.nodes):
        if isinstance(node.target, Function):
            checks(node.target.graph)
        elif node.target is cond and is_decided(node.args[0]):
            if not all([checks(side) for side in node.args[1:3]]):
                return False
            asserted(program, node)
        elif isinstance(node.target, Region):
            body = loop(node).body if is_loop(node) else None
            if body is not None and turns(node):
                checks(body)
            if may_leave(node):
                return False
    return program.output_node.target not in LEAVING or program.output_node.target == "raise"


def asserted(program: Any, node: Node) -> None:
    """Note a cond one side of which raises, and the other goes on."""
    sides = node.args[1:3]
    going = [side for side in sides if side.output_node.target not in LEAVING]
    if len(going) == 1 and any(side.output_node.target == "raise" for side in sides):
        splice(program, node, going[0])
        node.meta["check"] = True


def turns(node: Node) -> bool:
    """Whether a loop certainly turns: a range that is not empty."""
    if node.target is not for_loop:
        return False
    bounds = [s for s in node.args[0] if isinstance(s, tuple) and all(type(v) is int for v in s)]
    return any(len(range(*each)) > 0 for each in bounds)


def is_decided(value: Any, outside: Mapping[Node, Any] | None = None) -> bool:
    """Whether Python knows a number when it calls the function: also where others compute or choose it.

    Args:
        outside: what the placeholders of graphs inside stand for.
    """
    if not isinstance(value, Node):
        return True
    if not isinstance(value.spec, Scalar) or takes(value):
        return False
    if not value.spec.local:
        return True
    outside = outside or {}
    if value in outside:
        return is_decided(outside[value], outside)
    if value.op != "call_function":
        return False
    region = value.args[0] if value.target is operator.getitem else None
    if not isinstance(region, Node) or region.target is not cond:
        inputs = value.all_input_nodes
        return bool(inputs) and all(is_decided(n, outside) for n in inputs)
    predicate, *sides, operands = region.args
    inner = dict(outside)
    for side in sides:
        inner.update(zip(side.placeholders, operands))
    kept = [side for side in sides if side.output_node.target == "yield"]
    chosen = (side.output_node.args[0][value.args[1]] for side in kept)
    return is_decided(predicate, outside) and all(is_decided(v, inner) for v in chosen)


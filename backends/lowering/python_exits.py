"""Checks that Python makes: `if n < 1: raise ValueError(...)`, where n is a number that Python knows when it
calls the function. What is compiled cannot raise, but such a check is no part of that: it runs while JAX
compiles, if the program certainly comes by, and before any array has had a say in where it goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import LEAVING, Function, Region, cond, for_loop, is_loop, loop
from .compiled.exits import may_leave
from .exits import is_decided, splice


def checks(program: Graph, outside: Mapping[Node, Any] | None = None, met: set[int] | None = None) -> bool:
    """Note the checks of a program, and let what comes after one stand behind it. Returns whether the program
    goes on to its end, whatever the arrays hold.

    Args:
        outside: what its placeholders stand for.
        met: the functions that were looked at, by the ids of their graphs: what calls give for numbers that
            share one is known alike.
    """
    known, met = dict(outside or {}), set() if met is None else met
    for node in list(program.nodes):
        if isinstance(node.target, Function):
            inside = node.target.graph
            if id(inside) not in met:
                met.add(id(inside))
                checks(inside, {**known, **dict(zip(inside.placeholders, node.args))}, met)
        elif node.target is cond and is_decided(node.args[0], known):
            for side in node.args[1:3]:
                known.update(zip(side.placeholders, node.args[3]))
            if not all([checks(side, known, met) for side in node.args[1:3]]):
                return False
            asserted(program, node)
        elif isinstance(node.target, Region):
            if is_loop(node) and turns(node):
                checks(loop(node).body, {**known, **captured(node)}, met)
            if may_leave(node):
                return False
    return program.output_node.target not in LEAVING or program.output_node.target == "raise"


def asserted(program: Graph, node: Node) -> None:
    """Note a cond one side of which raises, and the other goes on."""
    sides = node.args[1:3]
    going = [side for side in sides if side.output_node.target not in LEAVING]
    if len(going) == 1 and any(side.output_node.target == "raise" for side in sides):
        splice(program, node, going[0])
        node.meta["check"] = True


def captured(node: Node) -> dict[Node, Any]:
    """What the placeholders of a loop's body stand for that are the same in every turn."""
    parts = loop(node)
    placeholders = parts.body.placeholders
    first = len(placeholders) - len(parts.operands)
    return dict(zip(placeholders[first:], parts.operands))


def turns(node: Node) -> bool:
    """Whether a loop certainly turns: a range that is not empty."""
    if node.target is not for_loop:
        return False
    bounds = [s for s in node.args[0] if isinstance(s, tuple) and all(type(v) is int for v in s)]
    return any(len(range(*each)) > 0 for each in bounds)

"""Verification: whether a Program is well-formed. A test holds this after every pass."""

from __future__ import annotations

from typing import Any

from .errors import GraphError
from .graphs.graph import Graph, Node
from .graphs.regions import Function, Region, cond, ends, graphs, is_loop, loop
from .graphs.static import values
from .meaning.op import HOMOGENEOUS, Op
from .meaning.operands import operand_specs
from .meaning.results import infer, over
from .values.spec import Spec


def verify(program: Graph) -> None:
    """Check links, specs, that the operands of each op have one dtype, and that regions and functions are
    given what their graphs take, and give what they are said to.

    Raises:
        GraphError: on the first fault, in the graphs inside too.
    """
    program.lint()
    for node in program.nodes:
        if node.op == "output":
            continue
        if isinstance(node.target, (Region, Function)):
            verify_region(node)
        elif node.spec is None:
            raise GraphError(f"{node.name} has no spec", span=node.span)
        if isinstance(node.target, Op) and not node.target.static:
            verify_op(node)


def verify_op(node: Node) -> None:
    op: Op = node.target
    specs = operand_specs(op, node.args)
    for rule in op.rules:
        found = {s.dtype for s in over(op, rule, specs) if s is not None and s.dtype is not None}
        if rule.cls in HOMOGENEOUS and len(found) > 1:
            raise GraphError(
                f"{node.name}: operands of {op.name} are {', '.join(sorted(map(str, found)))}", span=node.span
            )
    if "outer" in node.meta:  # written through several keys, of which the op knows the last
        return
    expected = infer(op, specs, values(node.kwargs))
    given = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    for want, have in zip(expected, given, strict=True):
        if want.shape is not None and have.shape is not None and len(want.shape) != len(have.shape):
            raise GraphError(f"{node.name} is said to be {have}, but {op.name} gives {want}", span=node.span)


def verify_region(node: Node) -> None:
    """Check that the graphs that a node holds take what they are given and give what it is said to."""
    for graph in graphs(node):
        verify(graph)
    for graph, given in handed(node):
        taken = graph.placeholders
        if len(taken) != len(given):
            raise GraphError(
                f"{node.name} hands {len(given)} values to {graph.name}, which takes {len(taken)}",
                span=node.span,
            )
        for placeholder, value in zip(taken, given):
            agree(node, placeholder.spec, value)
    if isinstance(node.target, Function) or not isinstance(node.spec, tuple):
        return
    for graph in graphs(node) if node.target is cond else (loop(node).body,):
        for output in ends(graph, inside=is_loop(node)):
            given = output.args[0]
            if not isinstance(given, tuple) or len(given) != len(node.spec):
                raise GraphError(
                    f"{node.name} gives {len(node.spec)} values, but {graph.name} ends with {given}",
                    span=node.span,
                )


def handed(node: Node) -> list[tuple[Graph, tuple[Any, ...]]]:
    """The graphs that a node holds, each with what it is given; what a turn takes is given as None."""
    if isinstance(node.target, Function):
        return [(node.target.graph, node.args)]
    if node.target is cond:
        return [(graph, tuple(node.args[3])) for graph in graphs(node)]
    found = loop(node)
    given = (*found.state, *found.operands)
    tests = [(found.test, given)] if found.test is not None else []
    return [*tests, (found.body, (*[None] * len(found.sources), *given))]


def agree(node: Node, spec: Any, value: Any) -> None:
    """Check that what a graph takes is of the rank and dtype of what it is given, if both are arrays."""
    given = value.spec if isinstance(value, Node) else None
    if not isinstance(spec, Spec) or not isinstance(given, Spec):
        return
    ranks = {len(s.shape) for s in (spec, given) if s.shape is not None}
    types = {s.dtype for s in (spec, given) if s.dtype is not None}
    if len(ranks) > 1 or len(types) > 1:
        raise GraphError(f"{node.name} takes {spec} and is given {given}", span=node.span)

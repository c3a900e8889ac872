"""Verification: whether a Program is well-formed. A test holds this after every pass."""

from __future__ import annotations

from typing import Any

from .errors import GraphError
from .graphs.graph import Graph, Node
from .graphs.regions import UNDEFINED, Function, Region, cond, ends, graphs, is_loop, loop
from .graphs.static import Scalar, values
from .graphs.walk import every_graph, returned
from .meaning.op import HOMOGENEOUS, Op
from .meaning.operands import operand_specs
from .meaning.results import infer, over
from .sizes.dim import Shape
from .values.dtypes import PYTHON, takes_number
from .values.spec import Spec
from .values.tree import children, leaves

#: The types of numbers, each wider than those before it.
NUMBERS = (int, float, complex)


def verify(program: Graph) -> None:
    """Check links, specs, that the operands of each op have one dtype, and that regions and functions are
    given what their graphs take, and give what they are said to, by each of their ways.

    Raises:
        GraphError: on the first fault, in the graphs inside too.
    """
    for graph in every_graph(program):
        graph.lint()
        for node in graph.nodes:
            if isinstance(node.target, (Region, Function)):
                verify_taken(node)
                verify_given(node)
            elif node.op != "output" and node.spec is None:
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


def verify_taken(node: Node) -> None:
    """Check that the graphs that a node holds take what they are given: operands, what a loop carries, and
    the items of what it goes through.
    """
    items = loop(node).items if is_loop(node) else []
    for graph, given in handed(node):
        taken = graph.placeholders
        if len(taken) != len(given):
            raise GraphError(
                f"{node.name} hands {len(given)} values to {graph.name}, which takes {len(taken)}",
                span=node.span,
            )
        for placeholder, source in zip(taken, given):
            for value in turns(source) if placeholder in items else [source]:
                if not fits(placeholder.spec, value):
                    raise GraphError(
                        f"{node.name} takes {placeholder.spec} and is given {said(value)}", span=node.span
                    )


def handed(node: Node) -> list[tuple[Graph, tuple[Any, ...]]]:
    """The graphs that a node holds, each with what it is given; a turn takes of a source an item."""
    if isinstance(node.target, Function):
        return [(node.target.graph, node.args)]
    if node.target is cond:
        return [(graph, tuple(node.args[3])) for graph in graphs(node)]
    found = loop(node)
    given = (*found.state, *found.operands)
    tests = [(found.test, given)] if found.test is not None else []
    return [*tests, (found.body, (*found.sources, *given))]


def turns(source: Any) -> list[Any]:
    """What the turns of a loop may take from a source."""
    if isinstance(source, list):
        return source
    return [Scalar(int) if isinstance(source, tuple) else row(source.spec)]


def row(spec: Any) -> Any:
    """An item of an array."""
    return Spec(spec.shape[1:], spec.dtype) if isinstance(spec, Spec) and spec.shape else spec


def verify_given(node: Node) -> None:
    """Check that each way of a region or a function gives what the node is said to give. A loop that does not
    turn gives the state that it is given; what it collects is one value a turn.
    """
    if isinstance(node.target, Function):
        for value in returned(node.target.graph):
            agree(node, node.target.graph, node.spec, value)
        return
    specs = node.spec
    if not isinstance(specs, tuple):
        raise GraphError(f"{node.name} has no specs", span=node.span)
    if is_loop(node):
        parts = loop(node)
        for spec, value, carried in zip(specs, parts.state, parts.carried):
            agree(node, node.graph, spec, value)
            agree(node, parts.body, spec, carried)
        specs = (*specs[: len(parts.state)], *map(row, specs[len(parts.state) :]))
    for graph in graphs(node) if node.target is cond else (loop(node).body,):
        for output in ends(graph, inside=is_loop(node)):
            given = output.args[0]
            short = is_loop(node) and output.target != "yield"  # which may hand on the state alone
            counts = {len(specs), len(loop(node).state) if short else len(specs)}
            if not isinstance(given, tuple) or len(given) not in counts:
                raise GraphError(
                    f"{node.name} gives {len(specs)} values, but {graph.name} ends with {given}",
                    span=node.span,
                )
            for spec, value in zip(specs, given):
                agree(node, output.graph, spec, value)


def agree(node: Node, graph: Graph, spec: Any, value: Any) -> None:
    """Check that a result of a node may be what one of its graphs has for it."""
    if not fits(spec, value):
        raise GraphError(
            f"{node.name} is said to give {spec}, but {graph.name} has {said(value)}", span=node.span
        )


def fits(spec: Any, value: Any) -> bool:
    """Whether a value may be what is said of it, as far as both are known: arrays of one dtype and rank, and
    of one size where both are numbers; numbers of one type; containers alike, of such. Of a number that is an
    int on one way and a float on another the wider type is said, at every stage.

    A number may stand where an array without axes is, of a dtype that holds such numbers: from the pass
    `exits` on, the flag by which a compiled loop says that it was left, which is an array in the loop and
    False before it; from the pass `stage` on, what a compiled loop counts, and what a loop of Python's begins
    with where its turns compute it with arrays.
    """
    given = value.spec if isinstance(value, Node) else value
    if value is UNDEFINED:
        return True
    if spec is None:  # of what a function gives where that is a constant
        return not any(isinstance(leaf, Node) for leaf in leaves(value))
    if (items := children(spec)) is not None:
        held = children(given) if type(spec) is type(given) else None
        alike = held is not None and [key for key, _ in items] == [key for key, _ in held]
        return alike and all(fits(one, other) for (_, one), (_, other) in zip(items, held or ()))
    if isinstance(spec, Spec) and isinstance(given, Spec):
        unlike = None not in (spec.dtype, given.dtype) and spec.dtype != given.dtype
        return not unlike and fit(spec.shape, given.shape)
    kind = given.type if isinstance(given, Scalar) else type(given)
    if isinstance(spec, Spec):
        return kind in PYTHON and not spec.shape and (spec.dtype is None or takes_number(spec.dtype, kind))
    known = spec.type if isinstance(spec, Scalar) else type(spec)
    return kind is known or kind in NUMBERS and known in NUMBERS[NUMBERS.index(kind) :]


def fit(one: Shape | None, other: Shape | None) -> bool:
    """Whether two shapes may be one. Graphs have names of their own for sizes, so these are not compared."""
    if one is None or other is None:
        return True
    sizes = [{size for size in pair if isinstance(size, int)} for pair in zip(one, other)]
    return len(one) == len(other) and all(len(known) < 2 for known in sizes)


def said(value: Any) -> str:
    return str(value.spec if isinstance(value, Node) else value)

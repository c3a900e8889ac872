"""Counting: loops for JAX that count their turns from 0, where it cannot go through what the program does."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.graph import Node
from ..ir.op import REGISTER
from ..ir.program import Program
from ..ir.regions import for_loop, graphs, loop, while_loop
from ..ir.static import Scalar


def from_zero(program: Any, is_open: Callable[[Any], bool]) -> bool:
    """Let a `for` through ranges that only the compiled program knows count from 0, where it would be a scan.
    Returns whether there is one.
    """
    found = False
    for node in list(program.nodes):
        for graph in graphs(node):
            found |= from_zero(graph, is_open)
        if node.target is for_loop and node.meta.get("lax") and any(map(is_open, bounds(node.args[0]))):
            parts = loop(node)
            plain = len(parts.sources) == 1 and parts.sources[0][2] == 1
            if not plain or len(parts.yields) > len(parts.state):
                begun(program, node)
                found = True
    return found


def bounds(sources: Any) -> list[Any]:
    return [v for source in sources if isinstance(source, tuple) for v in source]


def begun(program: Program, node: Node) -> None:
    """Put one count in the place of all ranges."""
    sources, body, state, operands = node.args
    arrays = [s for s in sources if isinstance(s, Node)]
    if not arrays and len(node.spec) > len(state):
        raise UnsupportedError(
            "collecting in a loop",
            backend="jax",
            why="how often it turns, and so how much it collects, changes while the program runs",
            span=node.span,
            hint="write into an array of full length instead of appending",
        )
    with program.inserting_before(node):
        length = turns(program, arrays or sources)
    extra = list(dict.fromkeys(v for v in bounds(sources) if isinstance(v, Node)))
    inner = {outer: placed(body, outer) for outer in extra}
    items = body.placeholders[: len(sources)]
    with body.inserting_before():
        place = body.create_node("placeholder", "count", name="count")
    place.spec, place.meta["item"] = Scalar(int, None, local=True), True
    with body.inserting_before(after_placeholders(body)):
        for item, source in zip(items, sources):
            if isinstance(source, tuple):
                item.replace_all_uses_with(taken(body, source, place, inner))
                body.erase_node(item)
    node.args = (((0, length, 1), *arrays), body, state, (*operands, *extra))


def placed(graph: Any, outer: Node) -> Node:
    """A placeholder, the last, for a value from outside."""
    with graph.inserting_after(graph.placeholders[-1]):
        made: Node = graph.create_node("placeholder", outer.name, name=outer.name)
    made.spec, made.meta = outer.spec, {k: v for k, v in outer.meta.items() if k != "for"}
    return made


def plus(program: Any, value: Any, number: int) -> Any:
    """A number, and another that Python knows."""
    return value if number == 0 else program.static(operator.add, value, number, spec=Scalar(int))


def counted(program: Program, node: Node) -> None:
    """A `for` as a `while` that counts its turns."""
    sources, body, state, operands = node.args
    with program.inserting_before(node):
        length = turns(program, sources)
    test = Program("test")
    count = test.create_node("placeholder", "count", name="count")
    count.spec = number = Scalar(int, None, local=True)
    for name, spec in [*((p.name, p.spec) for p in body.placeholders[len(sources) :])]:
        test.create_node("placeholder", name, name=name).spec = spec
    arrays = [s for s in sources if isinstance(s, Node)]
    bounds = [v for s in (*sources, (length,)) if isinstance(s, tuple) for v in s if isinstance(v, Node)]
    extra = list(dict.fromkeys([*arrays, *bounds]))
    inner: dict[Node, Node] = {}
    for outer in extra:
        for graph in (test, body):
            made = placed(graph, outer)
            if graph is body:
                inner[outer] = made
            elif outer is length:
                bound = made
    end = bound if isinstance(length, Node) else length
    test.output((test.static(operator.lt, count, end, spec=Scalar(bool, None, local=True)),), "yield")
    items = body.placeholders[: len(sources)]
    with body.inserting_before():
        place = body.create_node("placeholder", "count", name="count")
    place.spec = number
    with body.inserting_before(after_placeholders(body)):
        for item, source in zip(items, sources):
            item.replace_all_uses_with(taken(body, source, place, inner))
        new = body.static(operator.add, place, 1, spec=number)
    for item in items:
        body.erase_node(item)
    output = body.output_node
    output.args = ((new, *output.args[0]),)
    for user in list(node.users):
        user.args = (node, user.args[1] + 1)
    node.target = while_loop
    node.args = (test, body, (0, *state), (*operands, *extra))
    node.spec = (number, *node.spec)


def after_placeholders(graph: Program) -> Node:
    return graph.placeholders[-1].next


def taken(body: Program, source: Any, count: Node, inner: dict[Node, Node]) -> Node:
    """What a turn takes from a source."""
    if not isinstance(source, tuple):
        row = inner[source]
        made: Node = body.call(REGISTER["getitem"], row, key=(count,))
        return made
    start, _, step = (inner.get(v, v) if isinstance(v, Node) else v for v in source)
    number = Scalar(int, None, local=True)
    if step == -1:
        return body.static(operator.sub, start, count, spec=number)
    scaled = count if step == 1 else body.static(operator.mul, count, step, spec=number)
    return scaled if start == 0 else body.static(operator.add, start, scaled, spec=number)


def turns(program: Program, sources: Any) -> Any:
    """The number of turns: an int, or a node."""
    first = sources[0]
    if not isinstance(first, tuple):
        size = first.spec.shape[0]
        if isinstance(size, int):
            return size
        shape = program.static(getattr, first, "shape", spec=Scalar(tuple, first.spec.shape))
        return program.static(operator.getitem, shape, 0, spec=Scalar(int, size))
    start, stop, step = first
    if all(isinstance(v, int) for v in first):
        return len(range(start, stop, step))
    if step == -1:
        down = isinstance(stop, int)
        start, stop, step = (0, plus(program, start, -stop), 1) if down else (stop, start, 1)
    span = stop if start == 0 else program.static(operator.sub, stop, start, spec=Scalar(int))
    if step == 1:
        return span
    length = program.static(
        operator.floordiv, program.static(operator.neg, span, spec=Scalar(int)), step, spec=Scalar(int)
    )
    return program.static(operator.neg, length, spec=Scalar(int))

"""Counting: loops of compiled code that count, where it cannot go through what the program goes through."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Node
from ....ir.graphs.regions import for_loop, item_names, loop, through_list, while_loop
from ....ir.graphs.static import Scalar
from ....ir.graphs.walk import every_graph
from ....ir.meaning.op import REGISTER
from ....ir.program import Program
from ....ir.sizes.local import local
from ....ir.values.dtypes import int64
from .exits import result_names


def from_zero(program: Program, target: str, is_open: Callable[[Any], bool]) -> bool:
    """Let a `for` through ranges that only the compiled program knows count from 0, where it would be a scan.
    Returns whether there is one.
    """
    found = False
    for graph in every_graph(program, inner_first=True):
        found |= begin_at_zero(graph, target, is_open)
    return found


def begin_at_zero(program: Program, target: str, is_open: Callable[[Any], bool]) -> bool:
    found = False
    for node in list(program.nodes):
        if node.target is for_loop and node.meta.get("compiled") and any(map(is_open, bounds(node.args[0]))):
            parts = loop(node)
            plain = len(parts.sources) == 1 and parts.sources[0][2] == 1
            if not plain or len(parts.yields) > len(parts.state):
                begun(program, node, target)
                found = True
    return found


def bounds(sources: Any) -> list[Any]:
    return [v for source in sources if isinstance(source, tuple) for v in source]


def begun(program: Program, node: Node, target: str) -> None:
    """Put one count in the place of all ranges."""
    sources, body, state, operands = node.args
    if through_list(node):
        raise UnsupportedError(
            "a list in a loop",
            backend=target,
            why="how often it turns, only the running program knows, and what it goes through is no array",
            span=node.span,
            hint="stack the arrays, or loop over a number that the arguments or sizes give",
        )
    arrays = [s for s in sources if isinstance(s, Node)]
    if not arrays and len(node.spec) > len(state):
        raise UnsupportedError(
            "collecting in a loop",
            backend=target,
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


def placed(graph: Program, outer: Node) -> Node:
    """A placeholder, the last, for a value from outside."""
    with graph.inserting_after(graph.placeholders[-1]):
        made = graph.create_node("placeholder", outer.name, name=outer.name)
    made.resemble(outer, named=False)
    made.origin = outer.origin
    return made


def plus(program: Program, value: Any, number: int) -> Any:
    """A number, and another that Python knows."""
    return value if number == 0 else program.static(operator.add, value, number, spec=Scalar(int))


def uncollecting(program: Program) -> None:
    """Write every `for` that is compiled and collects nothing as a `while`, and let the others carry
    something: for a target that has no other loops. binding_time.py says which are compiled.
    """
    for graph in every_graph(program, inner_first=True):
        uncollect(graph)


def uncollect(program: Program) -> None:
    for node in list(program.nodes):
        if node.target is not for_loop or not node.meta["compiled"]:
            continue
        names = result_names(node)
        if len(node.spec) == len(node.args[2]):
            node.names = (counted(program, node), *names)
        elif not node.args[2]:
            stateful(program, node)
            node.names = ("state", *names)


def stateful(program: Program, node: Node) -> None:
    """Give a loop that has no state a number that stays as it is."""
    sources, body, _, operands = node.args
    with program.inserting_before(node):
        number = program.call(REGISTER["array"], value=0, dtype=int64)
    with body.inserting_after(body.placeholders[len(sources) - 1]):
        placeholder = body.create_node("placeholder", "state", name="state")
    placeholder.spec = number.spec
    output = body.output_node
    output.args = ((placeholder, *output.args[0]),)
    for user in list(node.users):
        user.args = (node, user.args[1] + 1)
    node.args = (sources, body, (number,), operands)
    node.spec = (number.spec, *node.spec)


def counted(program: Program, node: Node) -> str:
    """A `for` as a `while` that counts: its turns, or what a range goes through. Returns what the count is
    called.
    """
    sources, body, state, operands = node.args
    sources, first = whole(sources)
    node.args = (sources, *node.args[1:])
    name = counter(node)
    step, up = 1, goes_up(sources)
    if up:
        ((first, length, step),) = sources
    else:
        with program.inserting_before(node):
            length = turns(program, sources)
    test = Program("test")
    count = test.create_node("placeholder", "count", name="count")
    numbers = [(p.spec, s) for p, s in zip(body.placeholders, sources) if isinstance(s, tuple)]
    spec = next((spec for spec, source in numbers if up or source[::2] == (0, 1)), None)
    count.spec = number = spec or Scalar(int, local(f"{node.name} {id(node)}", 0), local=True)
    for inside in body.placeholders[len(sources) :]:
        test.create_node("placeholder", inside.name, name=inside.name).spec = inside.spec
    arrays = [s for s in sources if isinstance(s, Node)]
    asked = [length] if up else [*bounds(sources), length]
    extra = list(dict.fromkeys([*arrays, *(v for v in asked if isinstance(v, Node))]))
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
            item.replace_all_uses_with(place if up else taken(body, source, place, inner))
        new = body.static(operator.add, place, step, spec=Scalar(int, None, local=True))
    for item in items:
        body.erase_node(item)
    output = body.output_node
    output.args = ((new, *output.args[0]),)
    for user in list(node.users):
        user.args = (node, user.args[1] + 1)
    node.target = while_loop
    node.args = (test, body, (first, *state), (*operands, *extra))
    node.spec = (number, *node.spec)
    node.meta["counted"] = True
    return name


def whole(sources: Any) -> tuple[Any, int]:
    """What a loop goes through with the first items that it leaves out, and how many those are."""
    arrays = [s for s in sources if isinstance(s, Node)]
    skipped = beheaded(arrays[0]) if arrays else 0
    counts = [s for s in sources if isinstance(s, tuple)]
    alike = all(beheaded(a) == skipped for a in arrays) and all(s[::2] == (skipped, 1) for s in counts)
    if not skipped or not alike:
        return sources, 0
    return tuple(s.args[0] if isinstance(s, Node) else (0, s[1], 1) for s in sources), skipped


def beheaded(array: Node) -> int:
    """How many first items of another array one leaves out: the k of x[k:], 0 where it is something else."""
    key = array.kwargs["key"] if array.target is REGISTER["getitem"] else ()
    match key:
        case (slice(start=int(start), stop=None, step=None | 1),) if start > 0:
            return start
    return 0


def goes_up(sources: Any) -> bool:
    """Whether a loop goes through one range, by a step that is known to be positive: its number can count."""
    if len(sources) != 1 or not isinstance(sources[0], tuple):
        return False
    _, stop, step = sources[0]
    return stop is not None and isinstance(step, int) and step > 0


def counter(node: Node) -> str:
    """What the user calls the number that counts; what he has no name for is "count"."""
    (first, *rest), items = node.args[0], item_names(node)
    counts = goes_up((first,)) and (not rest or first[0] == 0 and first[2] == 1)
    named = counts and len(items) == 1 + len(rest) and items[0] not in ("", "_", *result_names(node))
    return items[0] if named else "count"


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

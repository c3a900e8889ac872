"""Closing: regions that are left early, for a target whose regions are functions of values.

What follows an `if` that may leave goes into its other side. Where both sides may still get there, a flag
says which did. A loop that is left carries a flag in its state, and what it returns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import LEAVING, UNDEFINED, Region, cond, graphs, is_loop
from ....ir.graphs.static import Scalar, in_words
from ....ir.graphs.walk import following
from ....ir.program import Program
from ....ir.sizes.dim import hint_of
from ....ir.values.dtypes import PYTHON, takes_number, widest
from ....ir.values.spec import Spec
from ....ir.values.tree import children, leaves, rebuilt
from .defined import WAY_OUT
from .sizes import same_size

#: How a graph is left whose values have the form of the end already.
CLOSED = "closed"


class End(Protocol):
    """What a graph yields once it is closed, for `target`: `width` values, whatever way it is left."""

    @property
    def target(self) -> str: ...

    @property
    def width(self) -> int: ...

    @property
    def names(self) -> tuple[str, ...]: ...

    def values(self, graph: Graph, kind: str, value: Any) -> tuple[Any, ...]: ...


@dataclass
class Returned:
    """The end of a function: the leaves of what it returns."""

    target: str
    name: str
    form: Any
    width: int

    @property
    def names(self) -> tuple[str, ...]:
        return ("result",) * self.width

    def values(self, graph: Graph, kind: str, value: Any) -> tuple[Any, ...]:
        if kind == CLOSED:
            return tuple(value)
        if kind == "raise":
            raise UnsupportedError(
                f"raising {value[0]} where an array, or the turn of a loop, decides",
                backend=self.target,
                why="what is compiled cannot raise",
                span=graph.output_node.span,
                hint='return a flag, or where(ok, value, nan); or ask for control="python"',
            )
        if not nested_alike(self.form, value):
            raise UnsupportedError(
                f"what {self.name} returns",
                backend=self.target,
                why="it is one container on one way and another on the other",
                span=graph.output_node.span,
                hint="return the same container of arrays on every way",
            )
        return tuple(leaves(value))


@dataclass
class Flagged:
    """The end of a side of a cond, both sides of which may go on: whether it left, what with, and what
    it hands on if not.
    """

    inner: End
    results: tuple[str, ...]

    @property
    def target(self) -> str:
        return self.inner.target

    @property
    def width(self) -> int:
        return len(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        return ("left", *self.inner.names, *self.results)

    def values(self, graph: Graph, kind: str, value: Any) -> tuple[Any, ...]:
        if kind == CLOSED:
            return tuple(value)
        if kind == "yield":
            return (False, *(UNDEFINED,) * self.inner.width, *value)
        return (True, *self.inner.values(graph, kind, value), *(UNDEFINED,) * len(self.results))


def nested_alike(one: Any, other: Any) -> bool:
    """Whether two values are nested alike."""
    mine, theirs = children(one), children(other)
    if mine is None or theirs is None:
        return mine is None and theirs is None
    same = type(one) is type(other) and [k for k, _ in mine] == [k for k, _ in theirs]
    return same and all(nested_alike(a, b) for (_, a), (_, b) in zip(mine, theirs))


def filled(form: Any, values: Iterator[Any]) -> Any:
    """A value nested like `form`."""
    items = children(form)
    return next(values) if items is None else rebuilt(form, {k: filled(v, values) for k, v in items})


def ways(graph: Graph) -> Iterator[tuple[str, Node]]:
    """How a graph may be left for somewhere else than right after its region, each with the output node."""
    output = graph.output_node
    if output.target in LEAVING or output.target == CLOSED:
        yield output.target, output
    for node in graph.nodes:
        if isinstance(node.target, Region) and not node.meta.get("check"):
            for inner in graphs(node):
                yield from (
                    w for w in ways(inner) if not is_loop(node) or w[0] in ("return", "raise", CLOSED)
                )


def may_leave(node: Node) -> bool:
    """Whether the program may go on from a region to somewhere else than right after it."""
    if not isinstance(node.target, Region) or node.meta.get("check"):
        return False
    found = (kind for graph in graphs(node) for kind, _ in ways(graph))
    return any(not is_loop(node) or kind in ("return", "raise", CLOSED) for kind in found)


def close(program: Program, end: End, close_loop: Callable[..., bool], *, always: bool = False) -> bool:
    """Let `program` yield what `end` makes of every way that it is left. Returns whether there was any
    but its end, or `always`.
    """
    changed = always
    for node in list(program.nodes):
        if node.graph is not program or node.next is node:
            continue
        if is_loop(node) and close_loop(program, node, end):
            return close(program, end, close_loop, always=always)  # there is a cond now that leaves
        if may_leave(node):
            close_cond(program, node, end, close_loop)
            return True
        for graph in graphs(node) if node.target is cond else ():
            close(graph, end, close_loop)  # type: ignore[arg-type]  # for the loops in it
    output = program.output_node
    if changed:
        output.args, output.target = (end.values(program, output.target, output.args[0]),), "yield"
    return changed


def close_cond(program: Program, node: Node, end: End, close_loop: Callable[..., bool]) -> None:
    """Close a cond that may leave, and what follows it."""
    sides: list[Program] = list(node.args[1:3])
    staying = [s for s in sides if s.output_node.target not in LEAVING and s.output_node.target != CLOSED]
    if len(staying) > 1:
        flag(program, node, end, close_loop)
        close(program, end, close_loop, always=True)
        return
    for side in staying:
        move_rest(program, node, side)
    for side in sides:
        close(side, end, close_loop, always=True)
    conclude(program, node, end)


def flag(program: Program, node: Node, end: End, close_loop: Callable[..., bool]) -> None:
    """Let a cond both sides of which may go on say whether it left; a second cond then leaves."""
    inner = Flagged(end, result_names(node))
    for side in node.args[1:3]:
        close(side, inner, close_loop, always=True)
    users = list(node.users)
    with program.inserting_before(node.next):
        left, *values = agree(program, node, inner)
    for user in users:
        user.replace_all_uses_with(values[end.width + user.args[1]])
        program.erase_node(user)
    with program.inserting_before(after_parts(node)):
        leave_if(program, left, values[: end.width], node)


def result_names(node: Node) -> tuple[str, ...]:
    names = node.own_names
    return names if len(names) == len(node.spec) else ("value",) * len(node.spec)


def after_parts(node: Node) -> Node:
    """The first node after a region and its results."""
    following = node.next
    while following.target is operator.getitem and following.args[0] is node:
        following = following.next
    return following


def leave_if(program: Program, test: Node, values: Sequence[Any], region: Node) -> None:
    """A cond that leaves with these values where the test is true, as the region before it was to."""
    then, orelse = Program("then"), Program("orelse")
    inner: dict[Node, Node] = {}
    nodes = [v for v in values if isinstance(v, Node)]
    for value in nodes:
        for graph in (orelse, then):
            inner[value] = graph.create_node("placeholder", value.name, name=value.name)
            inner[value].spec, inner[value].origin = value.spec, value.origin
    then.output(tuple(inner[v] if isinstance(v, Node) else v for v in values), CLOSED)
    orelse.output((), "yield")
    node = program.create_node("call_function", cond, (test, then, orelse, tuple(nodes)), name="cond")
    node.spec, node.origin = (), region


def move_rest(program: Program, node: Node, side: Program) -> None:
    """Put what follows a cond into the side of it that goes on."""
    yielded = side.output_node.args[0]
    values: dict[Node, Any] = {user: yielded[user.args[1]] for user in node.users}
    rest = list(following(node))
    side.erase_node(side.output_node)

    def known(outer: Node) -> Any:
        if outer not in values:
            values[outer] = captured(node, side, outer)
        return values[outer]

    for old in rest:
        if old not in values:
            values[old] = side.node_copy(old, known)
    for old in reversed(rest):
        program.erase_node(old)




def captured(node: Node, side: Program, outer: Node) -> Node:
    """What stands in `side`, a graph of the cond `node`, for a value from outside."""
    operands = list(node.args[3])
    if outer not in operands:
        operands.append(outer)
        for graph in node.args[1:3]:
            placed = graph.placeholders
            with graph.inserting_after(placed[-1]) if placed else graph.inserting_before():
                inner = graph.create_node("placeholder", outer.name, name=outer.name)
            inner.resemble(outer, named=False)
            inner.origin = outer.origin  # whose dtype it has, for other arguments too
        node.args = (*node.args[:3], tuple(operands))
    return side.placeholders[operands.index(outer)]


def conclude(program: Program, node: Node, end: End) -> None:
    """Let `program` end with what a closed cond gives."""
    last = program._root.prev
    if last.op == "output":
        program.erase_node(last)
    for user in list(node.users):
        program.erase_node(user)
    program.output(tuple(agree(program, node, end)), "yield")


def agree(program: Program, node: Node, end: End) -> list[Any]:
    """Let a closed cond give what its sides yield; UNDEFINED is what has no value on either."""
    sides = [graph.output_node for graph in node.args[1:3]]
    pairs = list(zip(*(output.args[0] for output in sides), strict=True))
    kept = [i for i, pair in enumerate(pairs) if any(v is not UNDEFINED for v in pair) and not constant(pair)]
    for output in sides:
        output.args = (tuple(output.args[0][i] for i in kept),)
    node.spec = tuple(agreed(node, pairs[i], end.target) for i in kept)
    node.form, node.meta = "array", {}
    node.names = tuple(end.names[i] for i in kept)
    made: list[Any] = [pair[0] for pair in pairs]
    for number, i in enumerate(kept):
        made[i] = program.project(node, number)
    return made


def constant(pair: tuple[Any, ...]) -> bool:
    """Whether a value is the same constant on both ways."""
    first, second = pair
    alike = type(first) is type(second) and repr(first) == repr(second)
    return alike and not isinstance(first, Node) and first is not UNDEFINED


def one_spec(one: Spec, other: Spec) -> bool:
    """Whether two arrays have one dtype and, in the example, one shape. Where they have not, JAX says so."""
    if one == other:
        return True
    mine, theirs = one.shape, other.shape
    if one.dtype != other.dtype or mine is None or theirs is None or len(mine) != len(theirs):
        return False
    return all(same_size(a, b) or hint_of(a) == hint_of(b) is not None for a, b in zip(mine, theirs))


def agreed(node: Node, pair: tuple[Any, ...], target: str) -> Any:
    """The spec of a value that is one of a pair on one way and the other on the other.

    Raises:
        UnsupportedError: where they differ.
    """
    specs = [v.spec if isinstance(v, Node) else Scalar(type(v), v) for v in pair if v is not UNDEFINED]
    first, *others = sorted(specs, key=lambda s: isinstance(s, Scalar)) or [Scalar(type(None))]
    for other in others:
        both = one_of(first, other)
        if both is None:
            raise UnsupportedError(
                "an `if` with different results",
                backend=target,
                why=f"one way gives {in_words(first)}, another {in_words(other)}",
                span=node.span,
                hint=way_out(first, other),
            )
        first = both
    return first


def way_out(one: Any, other: Any) -> str:
    """What to do about two values that cannot be one."""
    if type(None) in (getattr(spec, "type", None) for spec in (one, other)):  # what ends without `return`
        return "return something on every way; leave a loop by `break`, and return behind it"
    if isinstance(one, Spec) and isinstance(other, Spec):
        return WAY_OUT
    return "give every way the same kind of value: int(...) makes an int of a bool, float(...) a float"


def one_of(one: Any, other: Any) -> Any:
    """What is one of two values: of arrays of one spec, of a number among arrays without axes, or of two
    numbers; None where nothing is.
    """
    if isinstance(other, Spec):
        return one if one_spec(one, other) else None
    if isinstance(one, Spec):
        held = other.type in PYTHON and (one.dtype is None or takes_number(one.dtype, other.type))
        return one if held and one.shape in ((), None) else None
    if one == other:
        return one
    kind = widest({one.type, other.type})
    return None if kind is None else Scalar(kind, local=True)

"""Regions read from a tape: their graphs become Programs, and where a value is a number on one way and an
array on another, the number becomes an array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import UNDEFINED, guard, is_loop
from ...ir.graphs.static import Scalar
from ...ir.meaning.op import REGISTER
from ...ir.program import Program
from ...ir.sizes.dim import Sym
from ...ir.values.spec import Spec

if TYPE_CHECKING:
    from ..context import Reading


@dataclass(frozen=True, slots=True)
class Leaving:
    """The specs of what a graph hands on: after its region, and out of the loop around it, where that may be
    the state alone.
    """

    region: tuple[Any, ...]
    loop: tuple[Any, ...]

    def converted(self, reading: Reading, values: Any, kind: str) -> Any:
        if kind in ("return", "raise"):
            return values
        specs = self.loop if kind in ("break", "continue") else self.region
        return tuple(array(reading, v, s) for v, s in zip(values, specs))


def read(
    reading: Reading, node: Node, args: Sequence[Any], inner: Callable[[Graph, Leaving], Program]
) -> tuple[Any, ...]:
    """The arguments of a region in a Program; `inner` reads the graphs in it."""
    specs = node.spec
    outer = reading.leaving.loop if reading.leaving is not None else ()
    if not is_loop(node):
        graphs = [inner(g, Leaving(specs, outer)) for g in args[1:3]]
        hoisted(reading.program, graphs)
        return (args[0], *graphs, tuple(args[3]))
    first, body, state, operands = args
    state = tuple(array(reading, v, s) for v, s in zip(state, specs))
    turn = tuple(specs[: len(state)]) + tuple(item(s) for s in specs[len(state) :])
    made = inner(body, Leaving(turn, turn))
    if isinstance(first, Graph):
        test = (Scalar(bool),)
        first = inner(first, Leaving(test, ()))
        hoisted(reading.program, [first])
    hoisted(reading.program, [made])
    return (first, made, state, tuple(operands))


def item(spec: Spec) -> Spec:
    """What one turn adds to a collected value."""
    return Spec(None if spec.shape is None else spec.shape[1:], spec.dtype)


def array(reading: Reading, value: Any, spec: Any) -> Any:
    """A value in the form of its column: a number as an array of the column's dtype."""
    if value is UNDEFINED or not isinstance(spec, Spec) or spec.dtype is None:
        return value
    if isinstance(value, Node) and not isinstance(value.spec, Scalar):
        return value
    if isinstance(value, Node):
        made: Node = reading.program.call(REGISTER["full"], shape=(), fill_value=value, dtype=spec.dtype)
    else:
        kind = {"float": float, "complex": complex, "bool": bool}.get(spec.dtype.kind, int)
        made = reading.program.call(REGISTER["array"], value=kind(value), dtype=spec.dtype)
        made.meta["said"] = value
    made.meta["number"] = made.meta["decided"] = True
    made.meta["wrote"] = value.spec.type if isinstance(value, Node) else type(value)
    return made


def formed(node: Node, parts: Sequence[Node]) -> None:
    """Let the results of a region or function be of the form that the tape says: of jax's weak dtypes, or a
    number or an array.
    """
    for user in node.users:
        if len(user.args) == 2 and user.args[0] is node and isinstance(user.args[1], int):
            with_form(user, parts[user.args[1]])


def with_form(node: Node, made: Node) -> Node:
    """`made`, which is read of a node, with its form."""
    if node.form != "array":
        made.form = node.form
    return made


def hoisted(program: Program, graphs: Sequence[Program]) -> None:
    """Facts about the arguments belong to the function, wherever they were looked at."""
    for graph in graphs:
        for node in list(graph.nodes):
            if node.target is not guard or not isinstance(node.args[0], Sym):
                continue
            program.create_node("call_function", guard, node.args, node.kwargs).spec = node.spec
            graph.erase_node(node)

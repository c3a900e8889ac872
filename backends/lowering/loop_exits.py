"""Loops that are left early, see lowering/compiled/exits.py: they become a `while` whose state says whether
they were, and what with; or, where gradients go through them, a `for` that does nothing after that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import UNDEFINED, cond, for_loop, loop
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import functions
from ...ir.meaning.op import REGISTER
from ...ir.program import Program
from ...ir.values.dtypes import bool_
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from .compiled.exits import CLOSED, End, Returned, after_parts, close, filled, leave_if, result_names, ways
from .compiled.loops import counted
from .compiled.tidy import unread


def closed(program: Program, target: str) -> None:
    """Let a function be left by its end only, and likewise those that it calls.

    Raises:
        UnsupportedError: where it returns different things, or raises.
    """
    for function in functions(program, inner_first=True):
        close_function(function, target)


def close_function(program: Program, target: str) -> None:
    output = program.output_node
    kind, form = output.target, output.args[0]
    end = Returned(target, program.name, form, sum(1 for _ in leaves(form)))
    if kind == "raise":
        end.values(program, kind, form)
    if close(program, end, close_loop):
        output = program.output_node
        output.args, output.target = (filled(form, iter(output.args[0])),), kind


@dataclass
class Turned:
    """The end of a loop's body: the state, what is collected, whether it broke, and whether it returned
    and what.

    Attributes:
        state, collected: how many values each; `called` are their names.
        outer: the end of what is around the loop, where the body returns.
    """

    target: str
    state: int
    collected: int
    breaks: bool
    outer: End | None
    called: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (
            *self.called,
            *(("broke",) if self.breaks else ()),
            *(("left", *self.outer.names) if self.outer else ()),
        )

    @property
    def width(self) -> int:
        return len(self.names)

    def values(self, graph: Graph, kind: str, value: Any) -> tuple[Any, ...]:
        if kind == CLOSED:
            return tuple(value)
        if kind in ("return", "raise"):
            assert self.outer is not None
            made = self.outer.values(graph, kind, value)
            return (*(UNDEFINED,) * (self.state + self.collected), True, True, *made)
        kept = tuple(value) + (UNDEFINED,) * (self.state + self.collected - len(value))
        broke = (kind == "break",) if self.breaks else ()
        return (*kept, *broke, *((False, *(UNDEFINED,) * self.outer.width) if self.outer else ()))


def close_loop(program: Program, node: Node, end: End) -> bool:
    """Close a loop: its body yields, always. What it returns leaves by a cond after it; returns whether
    there is one.
    """
    parts = loop(node)
    kinds = {kind for kind, _ in ways(parts.body)}
    returns = bool(kinds & {"return", "raise", "closed"})
    breaks = "break" in kinds or returns
    width = len(parts.state)
    outer = end if returns else None
    body_end = Turned(end.target, width, len(node.spec) - width, breaks, outer, result_names(node))
    close(parts.body, body_end, close_loop, always=bool(kinds))  # type: ignore[arg-type]
    if not breaks:
        return False
    if body_end.collected:
        raise UnsupportedError(
            "collecting in a loop that is left early",
            backend=end.target,
            why="how much it collects is known only when the program runs",
            span=node.span,
            hint="write into an array of full length instead of appending",
        )
    kept = given(parts.body, width + 1)
    names, flags = tuple(body_end.names[i] for i in kept), len(kept) - width
    if node.meta.get("scanned"):
        go_on(node, flags, names)
    else:
        if node.target is for_loop:
            names = (counted(program, node), *names)
        widen(node, flags)
    node.names = names
    state = len(loop(node).state) - flags
    if returns:
        with program.inserting_before(after_parts(node)):
            found = {i: program.project(node, state + at - width) for at, i in enumerate(kept) if i > width}
            values = [found.get(width + 2 + i, UNDEFINED) for i in range(end.width)]
            leave_if(program, found[width + 1], values, node)
    return returns


def given(body: Graph, least: int) -> list[int]:
    """Let a body yield only what it gives a value on some way, but the first ones. Returns which they are."""
    output = body.output_node
    kept = [i for i, value in enumerate(output.args[0]) if i < least or value is not UNDEFINED]
    output.args = (tuple(output.args[0][i] for i in kept),)
    return kept


def widen(node: Node, flags: int) -> None:
    """Add what the body yields besides the state to the state of a `while`, the first of it being
    whether it broke.
    """
    test, body, state, operands = node.args
    specs = flagged(body, len(state))
    for graph in (test, body):
        add_flags(graph, specs, len(state))
    node.args = (test, body, (*state, *unset(flags)), operands)
    node.spec = (*node.spec[: len(state)], *specs)
    broke = test.placeholders[len(state)]
    output = test.output_node
    with test.inserting_before(output):
        more = test.call(REGISTER["logical_not"], broke)
        held = output.args[0][0]
        both = more if held is True else test.call(REGISTER["logical_and"], more, truth(test, held))
    output.args = ((both,),)


def go_on(node: Node, flags: int, names: tuple[str, ...]) -> None:
    """Let a `for` that is broken off turn on to its end, and do nothing any more."""
    sources, body, state, operands = node.args
    at = len(sources) + len(state)
    specs = flagged(body, len(state))
    add_flags(body, specs, at)
    whole, same = (placeholders_of(body, name) for name in ("body", "then"))
    same.output(tuple(same.placeholders[len(sources) : at + flags]), "yield")
    args = (whole.placeholders[at], same, body, tuple(whole.placeholders))
    turned = whole.create_node("call_function", cond, args, name="cond")
    node.spec = turned.spec = (*node.spec[: len(state)], *specs)
    turned.names = names
    unread(turned)
    whole.output(tuple(whole.project(turned, i) for i in range(len(turned.spec))), "yield")
    node.args = (sources, whole, (*state, *unset(flags)), operands)


def flagged(body: Graph, width: int) -> list[Any]:
    """The specs of what a body yields after its state."""
    yielded = body.output_node.args[0][width:]
    return [Spec((), bool_), *(v.spec if isinstance(v, Node) else Scalar(type(v)) for v in yielded[1:])]


def unset(flags: int) -> list[Any]:
    """What the flags are before the loop, and what goes with them."""
    return [False if i < 2 else UNDEFINED for i in range(flags)]


def add_flags(graph: Graph, specs: list[Any], at: int) -> None:
    """Placeholders for the flags, and what goes with them, after the state."""
    for i, spec in enumerate(specs):
        placed = graph.placeholders
        with graph.inserting_after(placed[at + i - 1]) if at + i else graph.inserting_before():
            inner = graph.create_node(
                "placeholder", "broke" if i == 0 else f"left_{i}", name="broke" if i == 0 else "left"
            )
        inner.spec = spec


def placeholders_of(graph: Graph, name: str) -> Program:
    """A new graph that takes what another does."""
    made = Program(name)
    for placeholder in graph.placeholders:
        inner = made.create_node("placeholder", placeholder.target, name=placeholder.name)
        inner.resemble(placeholder, named=False)
        inner.origin = placeholder.origin
    return made


def truth(program: Program, value: Any) -> Any:
    """A tested value as an array of bool."""
    if isinstance(value, Node) and isinstance(value.spec, Spec) and value.spec.dtype != bool_:
        return program.call(REGISTER["not_equal"], value, 0)
    return value

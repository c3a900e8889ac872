"""Walk: one pass over a function, its branches and loops, and the functions that it calls."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import (
    UNDEFINED,
    Function,
    Region,
    after,
    for_loop,
    graphs,
    is_loop,
    loop,
    through_list,
)
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import own_graphs
from ...ir.meaning.op import Op
from ...ir.values.dtypes import PYTHON
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ..backend import Backend
from ..lowering.compiled.defined import uneven
from ..lowering.compiled.needs import is_short, may_stay
from .arguments import BYTES, GIVEN, Arguments
from .calls import Inside
from .held import Held, form, handed
from .operands import form_of, path_of
from .ops import Ops
from .variants import Element, Place, Question, kind

#: How often the body of a loop is looked at until what it carries stays as it is.
TURNS = 4


class Walk(Ops):
    """One pass.

    Attributes:
        supposed: whether there are arguments without an example, of which a number of axes was supposed.
        left: what the ways out of a turn of the loop at hand hand on; `returned`: those out of the function.
        results: the arrays and numbers that the function gives, on each of its ways.
    """

    def __init__(self, arguments: Arguments, target: Backend, source: Backend, floats: type = float) -> None:
        super().__init__(arguments, target, source, floats)
        self.left: list[list[Held | None]] = []
        self.returned: list[list[Held | None]] = []
        self.results: list[list[Held | None]] = []
        self.supposed = False

    def graph(self, graph: Graph, given: Sequence[Held | None] | None) -> list[Held | None] | None:
        """What the graph of a region or function hands on; None where it leaves."""
        self.supposed = self.supposed or any(map(is_supposed, graph.meta.get("leaves", {}).values()))
        if given is not None:
            self.known.update(zip(graph.placeholders, given))
        for node in graph.nodes:
            if node.op == "get_attr" and isinstance(node.spec, Spec) and node.spec.dtype is not None:
                self.known[node] = self.fixed(node.spec.dtype, form_of(node))
            elif node.op == "call_function" and path_of(node) is None:
                self.known[node] = self.call(node)
            if (path := path_of(node)) is not None and (held := self.held(node)) is not None:
                if path in graph.meta.get("parts", ()):
                    self.stays(held)
                if path in graph.meta.get("places", ()):
                    for other in ("bool", BYTES) if self.source.byte_masks else ("bool",):
                        self.arguments.blame(held.behind, other)
        output = graph.output_node
        values = output.args[0]
        several = values if isinstance(values, (tuple, list)) else (values,)
        found = [self.handed(v) or constant(v) for v in several]
        if output.target in ("output", "return"):
            self.results.append([self.handed(v) or constant(v) or parameter(v) for v in leaves(values)])
        if output.target in ("yield", "output"):
            return found
        if output.target in ("break", "continue", "return"):
            (self.returned if output.target == "return" else self.left).append(found)
        return None

    def handed(self, value: Any) -> Held | None:
        """What a value may be that a region or function takes or gives."""
        found = self.held(value)
        return handed(found) if found is not None and self.target.weakens(self.source) else found

    def answered(self, question: Question, groups: list[list[Held]]) -> Held | None:
        """Likewise; of arguments without examples, with axes where none were supposed and without: torch lets
        arrays without axes count for little.
        """
        made = super().answered(question, groups)
        for places in other_ranks(question.places) if self.supposed and len(groups) > 1 else ():
            super().answered(question._replace(places=places), groups)
        return made

    def stays(self, held: Held) -> None:
        """Let a value be complex if it is in the example, and not if it is not, whatever the ops say that are
        made of it.
        """
        for other in {kind(dtype) for dtype in GIVEN}:
            if (other == "complex") != (kind(held.usual) == "complex"):
                self.arguments.blame(held.behind, other)

    def call(self, node: Node) -> Any:
        if isinstance(node.target, Function):
            return self.function(node)
        if isinstance(node.target, Region):
            made = self.loop(node) if is_loop(node) else self.cond(node)
            self.sure = self.sure and not any(map(may_leave, graphs(node)))
            return made
        if node.target is after:
            return self.held(node.args[0])
        if node.target is operator.getitem and isinstance(self.known.get(node.args[0]), list):
            found = self.known[node.args[0]]
            return found[node.args[1]] if node.args[1] < len(found) else None
        if isinstance(node.target, Op) and not node.target.static:
            return self.op(node)
        return None

    def function(self, node: Node) -> Any:
        """A call of a function of the user's. What it depends on is checked before it is called."""
        graph = node.target.graph
        said = {str(p.target): text(a) for p, a in zip(graph.placeholders, node.args)}
        inside = Inside(self.arguments, said)
        given = [inside.taken(self.handed(a)) for a in node.args]
        call = graph, tuple(map(form, given)), self.sure, self.depth > 0
        if not inside.again(call):
            made = self.inside(graph, given, inside)
            inside.remember(call, made)
        made = inside.made
        if made is None or isinstance(node.spec, dict):
            return None
        return self.result(node, [inside.given(held) for held in made])

    def inside(self, graph: Graph, given: list[Held | None], arguments: Inside) -> list[Held | None] | None:
        """What a function gives, in its own words."""
        outer = self.arguments, self.known, self.sure, self.returned, self.results
        self.arguments, self.known, self.returned, self.results = arguments, {}, [], []
        made = self.graph(graph, given)
        self.alike_on_all_ways()
        if made is not None and self.returned:
            made = [self.joined(*column) for column in zip(made, *self.returned)]
        self.arguments, self.known, self.sure, self.returned, self.results = outer
        return made

    def alike_on_all_ways(self) -> None:
        """Let what a function gives on one way be of the example's dtype where it gives a number on another,
        which the text writes in that.
        """
        for column in zip(*self.results) if len(self.results) > 1 and self.target.traces else ():
            self.one_dtype(column)
            self.joined(*column)

    def program(self, program: Graph) -> None:
        """Look at a whole program."""
        self.graph(program, None)
        self.alike_on_all_ways()

    def result(self, node: Node, made: list[Held | None]) -> Any:
        return made if isinstance(node.spec, tuple) else made[0] if len(made) == 1 else None

    def cond(self, node: Node) -> list[Held | None]:
        _, then, orelse, operands = node.args
        given = [self.held(o) for o in operands]
        self.depth += 1
        sides = [s for s in (self.graph(then, given), self.graph(orelse, given)) if s is not None]
        self.depth -= 1
        if self.target.traces:
            for column in zip(*sides):
                self.one_dtype(column)
        return [self.joined(*column) for column in zip(*sides)]

    def one_dtype(self, column: Sequence[Held | None]) -> None:
        """Let an array that one side of a `cond` gives have the dtype of the example where the other gives a
        number, which the text writes in that: JAX wants one dtype.
        """
        found = [held for held in column if held is not None]
        if any(held.number for held in found):
            for held in (held for held in found if not held.number and len(held.by) > 1):
                self.arguments.exactly(held.behind)

    def loop(self, node: Node) -> list[Held | None]:
        parts = loop(node)
        state = [None if v is UNDEFINED else self.handed(v) for v in parts.state]
        operands = [self.held(o) for o in parts.operands]
        items = [self.taken(s) for s in parts.sources]
        made: list[Held | None] = []
        stays = is_short(node) or through_list(node) or uneven(node) or may_stay(node)
        self.depth += 1
        outer, self.left = self.left, []
        for _ in range(TURNS):
            if parts.test is not None:
                self.graph(parts.test, [*state, *operands])
            made = self.graph(parts.body, [*items, *state, *operands]) or list(state)
            ends = [made[: len(state)], *self.left]
            made[: len(state)] = [self.joined(*column) for column in zip(*ends)]
            if self.target.traces and node.target is for_loop and not stays:
                state = [self.carried(*pair) for pair in zip(state, made)]
            before, state = state, [self.joined(*pair) for pair in zip(state, made)]
            if state == before:
                break
        else:
            state = [h and self.anything(h.usual.dtype, self.arguments.all) for h in state]
            made = self.graph(parts.body, [*items, *state, *operands]) or list(state)
        self.depth -= 1
        self.left = outer
        for value, held, then in zip(parts.state, map(self.held, parts.state), made):
            self.follows(value, held, then)
        return [*state, *made[len(state) :]]

    def taken(self, source: Any) -> Held | None:
        """What a turn may take from a source of a loop."""
        if not isinstance(source, list):
            return self.handed(source)
        found = [self.handed(each) for each in source]
        paths = frozenset(held.leaf for held in found if held is not None and held.leaf is not None)
        if len(paths) > 1 and self.arguments.may_be_alike(paths):  # the text says one thing of all of them
            self.arguments.join(paths, checked=True)
            found = [self.handed(each) for each in source]
        return self.joined(*found)

    def follows(self, value: Any, held: Held | None, then: Held | None) -> None:
        """Let what a turn makes have the dtype of the example where JAX gives that to a number with which a
        loop begins, and the text says it. What a turn would make of a number that has no dtype yet is not
        seen here: float16 beside the float32 of the example gives that again.
        """
        if not isinstance(value, Node) or held is None or then is None:
            return
        begins = value.origin is not None and value.origin.meta.get("begins")
        if not begins and "wrote" not in value.meta:
            return
        if held.usual.given_form == "array":
            self.arguments.exactly(then.behind, open=len(then.by) == 1)

    def carried(self, first: Held | None, then: Held | None) -> Held | None:
        """What a compiled loop begins with, without the dtypes that a turn would change: JAX raises there."""
        if first is None or then is None or first.leaf is None or first.leaf != then.leaf:
            return first
        by = {
            key: e
            for key, e in first.by.items()
            if e.given_form != "array" or key not in then.by or then.by[key].given == e.given
        }
        return replace(first, by=by) if first.example in by else first


def constant(value: Any) -> Held | None:
    """A number that is handed on as it is; None for anything else."""
    if type(value) not in PYTHON:
        return None
    made = Element(PYTHON[type(value)], "python", PYTHON[type(value)], "python")
    return Held(made, {made: made}, None, frozenset(), True)


def parameter(value: Any) -> Held | None:
    """A number of Python's that a function has; None for anything else."""
    is_scalar = isinstance(value, Node) and isinstance(value.spec, Scalar)
    return constant(value.spec.type()) if is_scalar and value.spec.type in PYTHON else None


def may_leave(graph: Graph) -> bool:
    """Whether a region's graph, or one in it, returns or raises."""
    return any(inner.output_node.target in ("return", "raise") for inner in own_graphs(graph))


def text(value: Any) -> str:
    """What a function says for an argument that it hands on; "" for what is none."""
    if not isinstance(value, Node):
        return ""
    if value.op == "placeholder":
        return str(value.target)
    if value.target is operator.getitem:
        return f"{text(value.args[0])}[{value.args[1]!r}]"
    return f"{text(value.args[0])}.{value.args[1]}" if value.target is getattr else ""


def is_supposed(leaf: Node) -> bool:
    """Whether an argument has no example, and was supposed to have some number of axes."""
    return bool(leaf.meta.get("assumed")) and leaf.spec.shape is not None


def other_ranks(places: Sequence[Place]) -> Iterator[tuple[Place, ...]]:
    """The operands of an op, one of which has axes where it has none, or none where it has some."""
    for i, place in enumerate(places):
        if place.group is not None:
            other = place._replace(rank=0 if place.rank else 1)
            yield (*places[:i], other, *places[i + 1 :])

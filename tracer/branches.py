"""Static branches: `if z is not None` on a parameter whose default is None, traced both ways.

Each way gets a Graph of its own, traced from the same state; what it changed and is still wanted comes out of
a `cond` node. The emitted source has a plain Python `if` there, in every framework.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.graph import Graph, Node
from ..ir.regions import cond
from ..ir.spec import Spec
from ..ir.static import Scalar
from .place import here
from .proxy import is_proxy
from .rewrite.hooks import Branch
from .rewrite.runtime import FELL, UNDEFINED, Exit


class Question:
    """`z is None`, not decided: whoever needs an answer settles it for good, and a guard says so."""

    def __init__(self, tracer: Any, value: Any, fn: Callable[[Any, Any], bool]) -> None:
        self.tracer = tracer
        self.value = value
        self.fn = fn

    def negated(self) -> Question:
        return Question(
            self.tracer, self.value, operator.is_ if self.fn is operator.is_not else operator.is_not
        )

    def __bool__(self) -> bool:
        return self.settle()

    def settle(self) -> bool:
        """The example's answer, guarded."""
        answer = self.fn(self.value, None)
        self.tracer.guard(self.node(), answer, "it was asked here")
        return answer

    def node(self) -> Node:
        node = self.tracer.graph.create_node(
            "call_function", self.fn, (self.tracer.use(self.value.node), None)
        )
        node.spec, node.place = Scalar(bool, self.fn(self.value, None)), here()
        return node  # type: ignore[no-any-return]


def root(node: Node) -> Node:
    """The placeholder that a captured value stands for."""
    return node.meta.get("outer", node)  # type: ignore[no-any-return]


def optional(value: Any) -> bool:
    return bool(value.node.meta.get("optional"))


def decided(tracer: Any, value: Any) -> bool | None:
    """Whether a branch around us has found the value to be None; None where none has asked."""
    return tracer.assumed_none.get(value.node.name) if value.node.meta.get("optional") else None


def both(
    hooks: Any, test: Question, then: Branch, orelse: Branch, state: tuple[Any, ...], names: tuple[str, ...]
) -> tuple[Exit, Any]:
    """Trace both ways and merge what they leave."""
    tracer = hooks.tracer
    predicate = test.node()
    absent = test.fn is operator.is_
    sides = [
        side(tracer, branch, state, names, test.value, none)
        for branch, none in ((then, absent), (orelse, not absent))
    ]
    exits = [s.exit for s in sides]
    if any(e is not FELL for e in exits):
        raise UnsupportedError(
            "leaving an `if` on an optional argument by return, break or continue",
            why="it is not recorded yet",
            span=tracer.span(),
            hint="assign to a name in both branches and return after them",
        )
    return FELL, merge(tracer, predicate, sides, names)


class Side:
    """One way: its graph, how it was left, the values of the names, and the proxies that it wrote into."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.exit: Exit = FELL
        self.values: tuple[Any, ...] = ()
        self.nodes: list[Any] = []
        self.written: dict[int, tuple[Any, Node]] = {}
        self.captures: dict[Node, Node] = {}


def side(
    tracer: Any, branch: Branch, state: tuple[Any, ...], names: tuple[str, ...], value: Any, none: bool
) -> Side:
    made = Side(Graph("then" if none is False else "orelse"))
    made.graph.meta["branch"] = True
    name = value.node.name
    before = tracer.assumed_none.get(name)
    tracer.assumed_none[name] = none
    with tracer.scope(made.graph) as scope:
        try:
            made.exit, made.values = branch(*state)
            made.written = {k: (p, p.node) for k, (p, _) in scope.journal.items()}
            made.nodes = (
                [tracer.digest(v)[0] if v is not UNDEFINED else v for v in made.values]
                if made.exit is FELL
                else []
            )
            made.captures = dict(scope.captures)
        finally:
            for proxy, old in scope.journal.values():
                proxy.node = old
            if before is None:
                del tracer.assumed_none[name]
            else:
                tracer.assumed_none[name] = before
    return made


def merge(tracer: Any, predicate: Node, sides: list[Side], names: tuple[str, ...]) -> tuple[Any, ...]:
    """The cond node, and for each name what it is afterwards."""
    then, orelse = sides
    results: list[Any] = []
    wanted: list[tuple[str, Any, Any, Any]] = []
    for i, name in enumerate(names):
        a, b = then.values[i], orelse.values[i]
        if a is b and not (is_proxy(a) and (id(a) in then.written or id(a) in orelse.written)):
            results.append(a)
            continue
        if a is UNDEFINED or b is UNDEFINED:
            results.append(UNDEFINED)
            continue
        if not mergeable(tracer, a, b):
            raise UnsupportedError(
                f"`{name}` after this if",
                why=f"it is {describe(a)} on one side and {describe(b)} on the other",
                span=tracer.span(),
                hint="make it an array of the same shape and dtype on both sides",
            )
        wanted.append((name, then.nodes[i], orelse.nodes[i], a if a is b else None))
        results.append(("merged", len(wanted) - 1))
    merged = finish(tracer, predicate, sides, wanted)
    return tuple(merged[r[1]] if isinstance(r, tuple) and r and r[0] == "merged" else r for r in results)


def mergeable(tracer: Any, a: Any, b: Any) -> bool:
    if is_proxy(a) and is_proxy(b):
        return True
    return False


def describe(value: Any) -> str:
    return str(value.node.spec) if is_proxy(value) else repr(value)


def finish(tracer: Any, predicate: Node, sides: list[Side], wanted: list[Any]) -> list[Any]:
    outer: dict[Node, None] = {}
    for s in sides:
        for node, inner in s.captures.items():
            if node.graph is tracer.graph:
                outer[node] = None
        _ = inner if s.captures else None
    for s, column in zip(sides, (1, 2)):
        align(s, list(outer))
        s.graph.output(tuple(entry[column] for entry in wanted), "yield")
    node = tracer.graph.create_node(
        "call_function", cond, (predicate, sides[0].graph, sides[1].graph, tuple(outer)), name="cond"
    )
    node.place = here()
    node.meta["names"] = tuple(entry[0] for entry in wanted)
    specs = []
    made = []
    for i, (name, a, b, shared) in enumerate(wanted):
        spec = agreed(tracer, name, a, b)
        part = tracer.graph.create_node("call_function", operator.getitem, (node, i), name=name)
        part.spec, part.place = spec, None
        if shared is None and any(
            n.op in ("placeholder", "get_attr") or n.meta.get("aliased") for n in (a, b)
        ):
            part.meta["aliased"] = True
        specs.append(spec)
        proxy = tracer.wrap(part, tracer.seen(part)[0])
        if shared is not None:
            tracer.framework.rebind(shared, proxy)
            proxy = shared
        made.append(proxy)
    node.spec = tuple(specs)
    return made


def align(side: Side, outer: list[Node]) -> None:
    """Both graphs take the same operands in the same order."""
    have = {node: inner for node, inner in side.captures.items()}
    first = next(iter(side.graph.nodes), None)
    placeholders = []
    for node in outer:
        inner = have.get(node)
        if inner is None:
            inner = side.graph.create_node("placeholder", node.name, name=node.name)
            inner.spec, inner.meta = node.spec, dict(node.meta)
        placeholders.append(inner)
    anchor = first
    for inner in reversed(placeholders):
        if anchor is not None and anchor is not inner:
            anchor.prepend(inner) if inner.next is not anchor else None
        anchor = inner


def agreed(tracer: Any, name: str, a: Node, b: Node) -> Any:
    """The spec of a value that is `a` on one side and `b` on the other.

    Raises:
        UnsupportedError: where the dtypes or ranks differ.
    """
    if a.spec == b.spec:
        return a.spec
    if isinstance(a.spec, Spec) and isinstance(b.spec, Spec) and a.spec.dtype == b.spec.dtype:
        if a.spec.shape is None or b.spec.shape is None:
            return Spec(None, a.spec.dtype)
        if a.spec.hint_shape == b.spec.hint_shape:
            return a.spec
    raise UnsupportedError(
        f"`{name}` after this if",
        why=f"it is {a.spec} on one side and {b.spec} on the other",
        span=tracer.span(),
        hint="make shape and dtype the same on both sides",
    )

"""Likeness: when two graphs are the same but for what they are called with."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from .dim import Sym
from .dtypes import DType
from .graph import Graph, Node
from .regions import Function
from .spec import Spec
from .static import Scalar
from .tree import holdings, is_record
from .walk import own_graphs

#: What is remembered of a node, and follows from the rest.
REMEMBERED = frozenset({"seen", "fake", "meta"})
#: What says where an operand comes from: what of that counts is in its spec.
CALLERS = frozenset({"given"})
#: Identities: only which of them are one counts.
IDENTITIES = frozenset({"object"})


def likeness(graph: Graph) -> Hashable:
    """What two recorded graphs of functions have in common exactly if they compute the same, in the same way,
    for operands that are alike: the same calls at the same places in the text, the same specs and sizes, the
    same facts noted, the very same objects among the constants.
    """
    return Likeness(graph).graph(graph)


class Likeness:
    """One graph, and those of its regions. Its nodes are known by their numbers, and what is outside of it by
    its identity.
    """

    def __init__(self, graph: Graph) -> None:
        mine = [node for one in own_graphs(graph) for node in one.nodes]
        self.numbers = {node: number for number, node in enumerate(mine)}
        self.met: dict[Any, int] = {}

    def value(self, value: Any) -> Hashable:
        return key(value, self.held)

    def held(self, value: Node | Graph) -> Hashable:
        return self.graph(value) if isinstance(value, Graph) else self.numbers.get(value, id(value))

    def graph(self, graph: Graph) -> Hashable:
        nodes = tuple(map(self.node, graph.nodes))
        return graph.name, nodes, self.facts({k: v for k, v in graph.meta.items() if k != "home"})

    def node(self, node: Node) -> Hashable:
        place = node.place
        where = None if place is None else (place.code, place.offset, self.nth(("frame", place.frame)))
        return (
            node.op, node.name, self.value(node.target), self.value(node.args), self.value(node.kwargs),
            self.value(node.spec), self.value(node.form), where, node.names, node.implicit,
            self.facts({k: v for k, v in node.meta.items() if k not in REMEMBERED | CALLERS}),
        )  # fmt: skip

    def facts(self, meta: Mapping[str, Any]) -> Hashable:
        found = ((k, self.nth(("", v)) if k in IDENTITIES else self.value(v)) for k, v in meta.items())
        return frozenset(found)

    def nth(self, value: Any) -> int:
        """How many others were met before this one was for the first time."""
        return self.met.setdefault(value, len(self.met))


#: What in a value is known in another way.
Held = Callable[[Any], Hashable]


def key(value: Any, held: Held) -> Hashable:
    """What tells a value among arguments and facts from others of other types, contents or signs; `held` says
    it for the nodes and graphs that it may nest. An object that is no such value is its identity.
    """

    def of(inner: Any) -> Hashable:
        return key(inner, held)

    match value:
        case Node() | Graph():
            return Node, held(value)
        case None | bool() | int() | str() | bytes() | DType() | type():
            return type(value), value
        case float() | complex():
            return type(value), *digits(value)
        case Sym():
            return Sym, value, value.hint
        case Spec():
            return Spec, of(value.shape), value.dtype
        case Scalar():
            return Scalar, value.type, of(value.value), value.local
        case Function():
            return Function, value.name, id(value.graph)
        case inspect.Parameter():
            return inspect.Parameter, value.name, value.kind, of(value.default)
        case slice():
            return slice, of(value.start), of(value.stop), of(value.step)
        case set() | frozenset():
            return type(value), frozenset(map(of, value))
        case tuple() | list():
            return type(value), *map(of, value)
        case Mapping():
            return type(value), *((of(k), of(v)) for k, v in value.items())
    if is_record(value):
        return type(value), *((k, of(v)) for k, v in holdings(value).items())
    return object, id(value)


def digits(value: complex) -> Iterator[Hashable]:
    """A number so that -0.0 is not 0.0, and NaN is NaN."""
    for part in (value.real, value.imag):
        yield math.copysign(1.0, part), None if math.isnan(part) else part

"""Likeness: when two recorded graphs of functions are the same but for what they are called with."""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from ..sizes.dim import Sym
from ..values.dtypes import DType
from ..values.spec import Spec
from ..values.tree import holdings, is_record
from .graph import Graph, Node
from .regions import Function
from .static import Scalar
from .walk import own_nodes

#: What is remembered of a node, and follows from the rest; and where an operand comes from: what of that
#: counts is in its spec.
ASIDE = frozenset({"seen", "fake", "meta", "given"})
#: Identities: only which of them are one counts.
IDENTITIES = frozenset({"object"})
#: What is one thing wherever it stands.
SAME = frozenset({int, bool, str, type(None), DType, type})
#: What is the very same thing or another.
IDENTICAL = frozenset({types.BuiltinFunctionType, types.FunctionType, types.MethodDescriptorType})
#: A node, or a graph, among the values of two graphs.
Held = Callable[[Any], Hashable]


def outline(graph: Graph) -> Hashable:
    """What two graphs that are alike certainly have in common, and others hardly."""
    plain = (int, float, str)
    return graph.name, *((n.name, *(v for v in n.args if type(v) in plain)) for n in graph.nodes)


def alike(one: Graph, other: Graph) -> bool:
    """Whether two graphs compute the same, in the same way, for operands that are alike: the same calls at
    the same places in the text, the same specs and sizes, the same facts noted, the very same objects among
    the constants.
    """
    mine, theirs = ([*own_nodes(graph)] for graph in (one, other))
    return len(mine) == len(theirs) and Likeness(dict(zip(mine, theirs))).graphs(one, other)


def noted(graph: Graph) -> dict[str, Any]:
    """The facts of a graph. A collection of them that is empty says nothing."""
    return {k: v for k, v in graph.meta.items() if k != "home" and (v or type(v) not in (dict, set, list))}


class Likeness:
    """The comparison of two graphs, by the nodes of one and what these are in the other."""

    def __init__(self, nodes: Mapping[Node, Node]) -> None:
        self.nodes = nodes
        #: The frames, and the identities, of one and what they are in the other.
        self.things: dict[Any, Any] = {}

    def graphs(self, one: Graph, other: Graph) -> bool:
        """Whether the nodes, which stand for each other by their order, and the facts are the same. (That
        none of the other is left over follows from their number and the graphs around.)
        """
        pairs = ((node, self.nodes[node]) for node in one.nodes)
        return (
            one.name == other.name
            and all(theirs.graph is other and self.node(mine, theirs) for mine, theirs in pairs)
            and self.facts(noted(one), noted(other), frozenset())
        )

    def node(self, one: Node, other: Node) -> bool:
        return (
            one.op == other.op
            and one.name == other.name
            and (one.target is other.target or self.value(one.target, other.target))
            and len(one.args) == len(other.args)
            and all(map(self.value, one.args, other.args))
            and (not one.kwargs and not other.kwargs or self.value(one.kwargs, other.kwargs))
            and (one.spec is other.spec or self.value(one.spec, other.spec))
            and (one.form is other.form or self.value(one.form, other.form))
            and self.places(one.place, other.place)
            and one.names == other.names
            and one.implicit == other.implicit
            and self.facts(one.meta, other.meta, ASIDE)
        )

    def places(self, one: Any, other: Any) -> bool:
        if one is None or other is None:
            return one is other
        same = one.offset == other.offset and (one.code is other.code or one.code == other.code)
        return same and self.is_same(("frame", one.frame), other.frame)

    def is_same(self, one: Any, other: Any) -> bool:
        """Whether a thing of one is the other's here if it was before."""
        return bool(self.things.setdefault(one, other) == other)

    def facts(self, one: Mapping[str, Any], other: Mapping[str, Any], aside: frozenset[str]) -> bool:
        if not one and not other:
            return True
        keys = one.keys() - aside
        if keys != other.keys() - aside:
            return False
        for fact in keys:
            same = self.is_same if fact in IDENTITIES else self.value
            if not same(one[fact], other[fact]):
                return False
        return True

    def value(self, one: Any, other: Any) -> bool:
        """Whether two values among arguments and facts are the same."""
        kind = type(one)
        if kind is not type(other):
            return False
        if kind in SAME:
            return bool(one == other)
        if kind is Node:
            return self.nodes.get(one, one) is other
        if kind is Sym:
            return one is other or one == other and one.hint == other.hint
        if kind is Spec:  # calls of which the tracer knows the result share one
            return one is other or one.dtype == other.dtype and self.value(one.shape, other.shape)
        if kind is tuple or kind is list:
            return len(one) == len(other) and all(map(self.value, one, other))
        if kind is dict:
            return len(one) == len(other) and all(map(self.value, one.items(), other.items()))
        if isinstance(one, Graph):
            return self.graphs(one, other)
        if kind in IDENTICAL:
            return one is other
        if kind is float:
            return repr(one) == repr(other)
        if kind is inspect.Parameter:
            same = one.name == other.name and one.kind is other.kind
            return same and self.value(one.default, other.default)
        return bool(key(one, self.mine) == key(other, id))

    def mine(self, value: Any) -> Hashable:
        """What a node inside a further value is known by: the identity of what it is in the other."""
        return id(self.nodes.get(value, value))


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
    stated = getattr(type(value), "__dataclass_params__", None)
    if stated is not None and stated.frozen and stated.eq:  # a value of ours
        return type(value), value
    return object, id(value)


def equal(one: Any, other: Any) -> bool:
    """Equality of parameters that tells True from 1, 1 from 1.0, 0.0 from -0.0, and nodes from all else."""
    if isinstance(one, Node) or isinstance(other, Node):
        return one is other
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(equal, one, other))
    if type(one) is not type(other):
        return False
    return [*digits(one)] == [*digits(other)] if isinstance(one, (float, complex)) else bool(one == other)


def digits(value: complex) -> Iterator[Hashable]:
    """A number so that -0.0 is not 0.0, and NaN is NaN."""
    for part in (value.real, value.imag):
        yield math.copysign(1.0, part), None if math.isnan(part) else part

"""Kept: what one call of a cached function gave, and what else is to be known of it, see caches.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Region
from ..memory import keys
from ..objects.containers import differs, inside, items
from ..objects.heap import Heap
from ..objects.reach import reachable
from ..proxy import is_proxy, isinstance_scalar
from ..weak import bare
from . import identity

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What can be told from an equal one by nothing that a program does.
PLAIN = (str, bytes, int, float, complex, bool, type(None))


class Token:
    """Stands for a recorded value in a key. Those of two values are equal if these surely are."""

    __slots__ = ("value", "same")

    def __init__(self, value: Any, same: Any) -> None:
        self.value = value
        self.same = same

    def __hash__(self) -> int:
        return hash(self.same)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and bool(self.same == other.same)


#: What the function reads that may change, by id: a container, what it holds, and the nodes of arrays in it.
State = dict[int, tuple[Any, Any, list[Any]]]


@dataclass(eq=False, slots=True)
class Kept:
    """What one call gave.

    Attributes:
        sure: whether it is known which keys equal this one.
        acted: whether the call did anything else. before: what the function had read by then.
        nodes: the arrays in the key and the result, as they were. held: likewise the containers.
        used: when it was asked for last.
    """

    key: Any
    sure: bool
    result: Any
    acted: bool
    before: State
    nodes: list[tuple[Any, Node]]
    held: Heap | None
    used: int

    def is_written(self) -> bool:
        changed = self.held is not None and bool(self.held.changed())
        return changed or any(origin(value) is not node for value, node in self.nodes)


def origin(value: Any) -> Node | None:
    """The node that a value has, if it has one already."""
    value = bare(value)
    if isinstance_scalar(value):
        return value._node if value.local else None
    return value.node if is_proxy(value) else None


def state(wrapper: Any, given: tuple[Any, ...]) -> State:
    """What a function may read that changes, and its arguments."""
    found: State = {}
    for _, container in reachable([("cached", wrapper), *(("argument", value) for value in given)]):
        nodes = [origin(value) for _, value in items(container) if is_proxy(value)]
        found[id(container)] = container, inside(container), nodes
    return found


def is_certain(tracer: Tracer, value: Any) -> bool:
    """Whether an array is no other on another way, or in another call of a function."""
    origins = identity.origins(tracer, value.node)
    return len(origins) == 1 and all(is_origin(tracer, node) for node in origins)


def is_origin(tracer: Tracer, node: Node) -> bool:
    if keys.is_part(node):
        return not isinstance(node.args[0].target, Region)
    return node.op != "placeholder" or node.graph is tracer.scopes[0].graph


def is_plain(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(is_plain, value))
    return type(value) in PLAIN


def states_agree(state: State, other: State) -> bool:
    """Whether what two have in common is the same."""
    for key in state.keys() & other.keys():
        (container, now, nodes), (_, before, nodes_before) = state[key], other[key]
        if differs(container, now, before) or len(nodes) != len(nodes_before):
            return False
        if any(a is not b for a, b in zip(nodes, nodes_before)):
            return False
    return True

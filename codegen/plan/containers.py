"""Containers: what calls of the user's functions give besides single arrays, and which of it is used."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Function
from ...ir.graphs.static import Scalar
from ...ir.worklist import reached


def part(node: Node) -> bool:
    """Whether the node picks one result of another, an item of a container, or one dim of a shape."""
    if node.target not in (operator.getitem, getattr) or not isinstance(node.args[0], Node):
        return False
    return isinstance(node.args[0].spec, (tuple, dict, Scalar))


def contains(node: Node) -> bool:
    """Whether the node is a call of a function of the user's that returns a container."""
    return isinstance(node.target, Function) and isinstance(node.spec, (tuple, dict))


def handed_on(node: Node) -> bool:
    """Whether such a container is used once, and whole."""
    uses = [user for user in node.users if not part(user)]
    if uses:
        return len(uses) == len(node.users) == 1
    inside = {*reached([node], lambda inner: [user for user in inner.users if part(user)])}
    outside = {user for inner in inside for user in inner.users if user not in inside}
    if len(outside) != 1:
        return False
    (user,) = outside
    return [whole(value) for value in nested(user.args)].count(node) == 1


def whole(value: Any) -> Node | None:
    """The container that a container of its items, all of them and in order, is: what a call of a function of
    the user's returns, or an item of that.
    """
    if not isinstance(value, (tuple, list, dict)) or not value:
        return None
    owners = set()
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        found = item if isinstance(item, Node) else whole(item)
        if found is None or not part(found) or found.args[1] != key:
            return None
        owners.add(found.args[0])
    owner = owners.pop()
    returned = None if owners else structure(owner)
    if not isinstance(returned, (tuple, list, dict)) or type(returned) is not type(value):
        return None
    if isinstance(value, dict) and list(returned) != list(value):
        return None  # whose keys are in another order
    return owner if len(returned) == len(value) else None


def structure(node: Node) -> Any:
    """What the function returns that a node, or the call whose item it is, calls; None for other nodes."""
    if isinstance(node.target, Function):
        return node.target.graph.output_node.args[0]
    above = structure(node.args[0]) if part(node) and node.target is operator.getitem else None
    return above[node.args[1]] if isinstance(above, (tuple, list, dict)) else None


def nested(value: Any) -> Iterator[Any]:
    """A container and all in it."""
    if isinstance(value, (tuple, list, dict)):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from nested(item)

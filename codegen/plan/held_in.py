"""Held in: the containers in which an array lies that is written into. Who is given one whole reads it."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...backends.backend import Backend
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function, Region
from ...ir.graphs.static import Scalar, static
from ...ir.values.spec import Spec
from ...ir.worklist import Worklist
from . import aliases
from .outsiders import each_of, memory

#: The containers in a graph inside in which what it is given may lie.
Inner = Mapping[Node, Sequence[Node]]


def containers(value: Any, inner: Inner, target: Backend) -> Iterator[Node]:
    """Those in which an array lies, or what it is a view of, each after those that are in it."""
    if not isinstance(value, Node) or not isinstance(memory(value), Node):
        return
    ahead = Worklist([memory(value)])
    for node in ahead:
        ahead.add(aliases.shared_with(node, target) or ())
        found = [*inner.get(node, ())]
        if takes(node) and isinstance(node.args[0], Node) and not isinstance(node.args[0].spec, Spec):
            found.append(node.args[0])
        yield from found
        ahead.add(found)


def readers(value: Any, inner: Inner, target: Backend) -> Iterator[Node]:
    """The functions and regions that are given such a container."""
    for container in containers(value, inner, target):
        yield from (user for user in container.users if isinstance(user.target, Function | Region))


def given_whole(graph: Graph) -> Iterator[Node]:
    """The functions and regions that are given a container which came in, or one in it, whole."""
    ahead = Worklist(node for node in graph.placeholders if is_container(node))
    for container in ahead:
        ahead.add(user for user in container.users if is_container(user) and takes(user))
        yield from (user for user in container.users if isinstance(user.target, Function | Region))


def is_container(node: Node) -> bool:
    return not isinstance(node.spec, Spec) and not static(node)


def takes(node: Node) -> bool:
    """Whether a node is an item, or an attribute, of another."""
    return node.target in (operator.getitem, getattr)


def inside(given: Mapping[Node, Any], inner: Inner, target: Backend) -> Inner:
    """For a graph inside, which is given this for its placeholders, the containers among these."""
    found: dict[Node, list[Node]] = {}
    for placeholder, value in given.items():
        around = {c for each in each_of(value) for c in containers(each, inner, target)}
        found[placeholder] = [p for p, v in given.items() if isinstance(v, Node) and v in around]
    return found


def gives_numbers(node: Node) -> bool:
    """Whether a node is a number of Python's, or a choice among such."""
    given = node.spec if isinstance(node.target, Region) else (node.spec,)
    return bool(given) and all(isinstance(spec, Scalar) for spec in given)

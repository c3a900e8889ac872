"""Recorded: what a trace knows of the user's containers, beyond what they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from ...ir.values.tree import leaves
from ..proxy import is_proxy, isinstance_scalar

if TYPE_CHECKING:
    from ...ir.graphs.graph import Node
    from ..regions.loop.comprehended import Making
    from .twins import Twins


class Noted(NamedTuple):
    """A container of proxies that a node gives, what it held then, by id, and what its arrays were."""

    container: Any
    node: Node
    items: tuple[Any, ...]
    arrays: tuple[Node, ...]


@dataclass(slots=True)
class Recorded:
    """What a trace knows of the user's containers.

    Attributes:
        nodes: those that came in, or out of a call, as a whole, by id.
        changed: the nodes of those that the program has changed, by id; regions/items.py writes it.
        twins: those that are taken for one; objects/twins.py writes it.
        generators: generators over lists, each with what it goes through; only regions/loop/comprehended.py
            has to do with it.
        collects: whether a list has been appended to in a recorded loop; values/list_rows.py writes it.
    """

    nodes: dict[int, Noted] = field(default_factory=dict)
    changed: dict[int, Node] = field(default_factory=dict)
    twins: list[Twins] = field(default_factory=list)
    generators: WeakKeyDictionary[Any, Making] = field(default_factory=WeakKeyDictionary)
    collects: bool = False

    def note(self, container: Any, node: Node) -> None:
        """Remember which node gives a container, so that the whole of it can be passed on."""
        arrays = tuple(proxy.node for proxy in arrays_of(container))
        self.nodes[id(container)] = Noted(container, node, fingerprint(container), arrays)

    def node_of(self, value: Any) -> Node | None:
        """The node of a container that has not been changed since; None of any other value."""
        found = self.nodes.get(id(value))
        if found is None or found.container is not value or found.items != fingerprint(value):
            return None
        return found.node

    def is_written(self, value: Any, current: Callable[[Any], Node]) -> bool:
        """Whether arrays in a container that a node gives have been written into since: what they are now it
        does not give where arrays are values, or are written into later than in the program.

        Args:
            current: gives what an array is now.
        """
        now = tuple(current(proxy) for proxy in arrays_of(value))
        return now != self.nodes[id(value)].arrays


def arrays_of(container: Any) -> list[Any]:
    return [leaf for leaf in leaves(container) if is_proxy(leaf) and not isinstance_scalar(leaf)]


def fingerprint(container: Any) -> tuple[Any, ...]:
    """What a container holds, and the containers in it, by id."""
    if not isinstance(container, (dict, tuple, list)):
        return ()
    held = container.values() if isinstance(container, dict) else container
    return tuple((id(item), fingerprint(item)) for item in held)

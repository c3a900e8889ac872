"""Undoing: what was recorded since a mark is taken back, so that it can be recorded in another way.

A loop is first run as Python runs it. Where it then turns out that only the running program knows how often
it turns, or which way an `if` inside goes, all of it is undone and recorded as a region.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...ir.graphs.graph import Node
from ..memory import making
from ..part import Part
from ..state.scopes import Scope
from ..values.caches import Caches


@dataclass(slots=True)
class Mark:
    """A point of the trace: the last node of the open graph, and copies of what its scope knows."""

    scope: Scope
    last: Node
    log: int
    constants: dict[int, tuple[Any, Node]]
    captures: dict[Node, Node]
    guards: set[Any]
    loops: int
    frames: int
    depth: int
    lost: dict[int, Any]
    leaked: dict[int, tuple[Any, str]]
    kept: tuple[int, int, int]
    written: int
    made: int


class Undoing(Part):
    """The part of a Tracer that keeps account of what can be undone."""

    @cached_property
    def caches(self) -> Caches:
        """What the user's cached functions remember."""
        return Caches(self.tracer)

    def rebind(self, proxy: Any, node: Node) -> None:
        """Let a proxy stand for a newer value, after a write in place."""
        self.memory.log.append((proxy, proxy.node))
        self.memory.touched[id(proxy)] = proxy
        proxy.node = node

    def undo(self, mark: int) -> None:
        """Let all proxies that were written into since stand for what they stood for."""
        while len(self.memory.log) > mark:
            proxy, node = self.memory.log.pop()
            proxy.node = node

    def mark(self) -> Mark:
        scope = self.scopes[-1]
        return Mark(
            scope, scope.graph._root.prev, len(self.memory.log), dict(scope.constants), dict(scope.captures),
            set(scope.guards), len(self.stack.loops), len(self.stack.frames), len(self.scopes),
            dict(self.memory.lost), dict(self.memory.leaked), self.caches.mark(),
            len(self.memory.making.written), self.memory.making.count,
        )  # fmt: skip

    def rollback(self, mark: Mark) -> None:
        """Take back everything since the mark, which was made in the scope that is open now. What containers
        held is not looked after here, see objects/heap.py.
        """
        del self.scopes[mark.depth :], self.stack.loops[mark.loops :], self.stack.frames[mark.frames :]
        making.taken_back(self.tracer, mark.written, mark.made)
        scope = mark.scope
        assert self.scopes[-1] is scope
        self.undo(mark.log)
        self.caches.back(mark.kept)
        self.memory.lost, self.memory.leaked = dict(mark.lost), dict(mark.leaked)
        scope.constants, scope.captures = dict(mark.constants), dict(mark.captures)
        scope.guards = set(mark.guards)  # whoever comes back may do so again
        node = scope.graph._root.prev
        while node is not mark.last:
            before = node.prev
            scope.graph.erase_node(node)
            node = before

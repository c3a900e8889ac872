"""Asked: what a program has asked of its arguments, to compare with later and to come back to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.graphs.graph import Graph
from ..ir.graphs.regions import NOTED, guard

if TYPE_CHECKING:
    from .tracer import Tracer

#: What of a graph says what the program has asked of its arguments.
ASKED = frozenset({*NOTED, "parts", "places", "listless", "listed"})


class Asked:
    """What is asked until now."""

    def __init__(self, tracer: Tracer) -> None:
        graphs = [scope.graph for scope in tracer.scopes]
        homes = {id(home): home for home in (graph.meta.get("home", graph) for graph in graphs)}
        self.known = [(home, facts_of(home)) for home in homes.values()]
        self.guards = [(scope, set(scope.guards)) for scope in tracer.scopes]

    def more(self) -> bool:
        """Whether anything was asked since."""
        asked = any(len(scope.guards) > len(known) for scope, known in self.guards)
        return asked or any(facts_of(home) != known for home, known in self.known)

    def restore(self) -> None:
        """Forget what was asked since, where the graphs are taken back themselves."""
        for home, known in self.known:
            for key in ASKED & home.meta.keys():
                home.meta[key] = copied(known[key]) if key in known else type(home.meta[key])()

    def forget(self) -> None:
        """Forget what was asked since in graphs that stay."""
        self.restore()
        for scope, known in self.guards:
            made = scope.guards - known
            for node in reversed(scope.graph.nodes) if made else ():
                if node.target is guard and node.args in made:
                    scope.graph.erase_node(node)
            scope.guards -= made


def facts_of(home: Graph) -> dict[str, Any]:
    return {key: copied(home.meta[key]) for key in ASKED & home.meta.keys()}


def copied(asked: Any) -> Any:
    """A set, or a dict of what may be dicts again."""
    if isinstance(asked, dict):
        return {key: dict(value) if isinstance(value, dict) else value for key, value in asked.items()}
    return set(asked)

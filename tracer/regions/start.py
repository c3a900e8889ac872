"""Start: the state of a trace before something that may have to be traced in another way."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Graph
from ...ir.graphs.regions import NOTED
from ..objects import heap
from ..objects.unseen import may_work_unseen
from ..values import advancing

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What of a graph says what the program has asked of its arguments.
ASKED = frozenset({*NOTED, "parts", "places", "listless", "listed"})


class Facts:
    """What the program has asked of the arguments of functions until now."""

    def __init__(self, tracer: Tracer) -> None:
        graphs = [scope.graph for scope in tracer.scopes]
        homes = {id(home): home for home in (graph.meta.get("home", graph) for graph in graphs)}
        self.known = [(home, facts_of(home)) for home in homes.values()]
        self.guards = [(scope, len(scope.guards)) for scope in tracer.scopes]

    def more(self) -> bool:
        """Whether anything was asked since."""
        asked = any(len(scope.guards) > number for scope, number in self.guards)
        return asked or any(facts_of(home) != known for home, known in self.known)

    def restore(self) -> None:
        """Forget what was asked since."""
        for home, known in self.known:
            for key in ASKED & home.meta.keys():
                home.meta[key] = copied(known[key]) if key in known else type(home.meta[key])()


def facts_of(home: Graph) -> dict[str, Any]:
    return {key: copied(home.meta[key]) for key in ASKED & home.meta.keys()}


def copied(asked: Any) -> Any:
    """A set, or a dict of what may be dicts again."""
    if isinstance(asked, dict):
        return {key: dict(value) if isinstance(value, dict) else value for key, value in asked.items()}
    return set(asked)


class Start:
    """The state of the trace before a loop or a call, to come back to.

    Args:
        runs: what is run, and what it is given: the user may hold none of it in a variable.
    """

    def __init__(self, tracer: Tracer, *runs: Any) -> None:
        self.tracer = tracer
        self.mark = tracer.mark()
        self.facts = Facts(tracer)
        self.heap = heap.Later(tracer, sys._getframe(1), [("given", each) for each in runs])
        self.since = advancing.Since.begins(tracer, self.heap)
        self.runs = runs

    def rewritten(self) -> Start:
        """The same where what is run is rewritten already, and may change something unseen."""
        if may_work_unseen(self.runs):
            heap.wake(self.tracer)
        return self

    def __enter__(self) -> Start:
        return self

    def __exit__(self, *error: object) -> None:
        """Nobody comes back any more."""
        self.heap.done()

    def back(self) -> None:
        """
        Raises:
            UnsupportedError: where something was changed since that cannot be put back.
        """
        self.tracer.rollback(self.mark)
        self.facts.restore()
        self.heap.restore()
        self.since.back(self.tracer)

"""Idle looks, see rewrite/idle.py: what they cost in checks is forgotten, if all that they do is ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..ir.graphs.graph import Graph
from ..ir.graphs.regions import NOTED, guard
from .bound import Bound
from .own import tabled
from .proxy import Shape
from .rewrite.hooks import Thunk
from .trying import watching
from .values import list_rows, predicate

if TYPE_CHECKING:
    from .python.structure import Watching
    from .tracer import Tracer

#: Python's own functions that only ask.
ASKING = frozenset({isinstance, type, callable, hasattr, len, bool})
#: The types of values whose truth Python tells without asking anybody.
PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None), Shape)


class Notes:
    """The checks that were noted before something is looked at."""

    def __init__(self, tracer: Tracer) -> None:
        homes: list[Graph] = [scope.graph.meta.get("home", scope.graph) for scope in tracer.scopes]
        self.metas = [(home.meta, {key: copied(home.meta.get(key)) for key in NOTED}) for home in homes]
        self.guards = [(scope, set(scope.guards)) for scope in tracer.scopes]

    def back(self) -> None:
        """Let nothing be checked that was noted since."""
        for meta, noted in self.metas:
            for key, value in noted.items():
                if value is None:
                    meta.pop(key, None)
                else:
                    meta[key] = value
        for scope, before in self.guards:
            made = scope.guards - before
            for node in reversed(scope.graph.nodes) if made else ():
                if node.target is guard and node.args in made:
                    scope.graph.erase_node(node)
            scope.guards -= made


def copied(noted: Any) -> Any:
    if isinstance(noted, Mapping):
        return {key: copied(value) for key, value in noted.items()}
    return set(noted) if isinstance(noted, set) else noted


def only_asks(tracer: Tracer, f: Any) -> bool:
    """Whether a call changes nothing, and is no function of the user's."""
    if tabled(f) and (f in ASKING or f in tracer.framework.asked):
        return True
    return isinstance(f, Bound) and f.name in tracer.framework.queries


def looked(hooks: Watching, look: Thunk, asks: bool) -> Any:
    """`look()`, without what it costs; `asks`: its truth, where Python can tell it without being told."""
    notes = Notes(hooks.tracer)
    outer, hooks.looking = (hooks.looking, hooks.stirred), True
    hooks.stirred = watching.goes_on(hooks.tracer)  # where a look that raises is an answer
    try:
        value = look()
        if hooks.stirred:
            hooks.tracer.entry.unread = frozenset()
        if asks and not hooks.stirred and (answer := predicate.by_flags(value)) is not None:
            value = answer
        if predicate.is_open(hooks.tracer, value) or list_rows.holds(value):
            return value
        # A method of the user's may say what its truth is.
        if hooks.stirred or asks and type(value) not in PLAIN:
            hooks.tracer.entry.unread = frozenset()
            return value
        found = hooks.truth(value) if asks else value
        notes.back()
        return found
    finally:
        hooks.looking, hooks.stirred = outer

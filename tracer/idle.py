"""Idle looks, see rewrite/idle.py: what they cost in checks is forgotten, if all that they do is ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .asked import Asked
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


def only_asks(tracer: Tracer, f: Any) -> bool:
    """Whether a call changes nothing, and is no function of the user's."""
    if tabled(f) and (f in ASKING or f in tracer.framework.asked):
        return True
    return isinstance(f, Bound) and f.name in tracer.framework.queries


def looked(hooks: Watching, look: Thunk, asks: bool) -> Any:
    """`look()`, without what it costs; `asks`: its truth, where Python can tell it without being told."""
    asked = Asked(hooks.tracer)
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
        asked.forget()
        return found
    finally:
        hooks.looking, hooks.stirred = outer

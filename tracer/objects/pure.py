"""Pure: functions that JAX compiles or its control flow calls. It traces them, once or on both ways, and what
they change of Python's meanwhile has nothing to do with how often they run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from . import heap, opaque
from .global_names import rebound
from .outside import differing, is_remembered

if TYPE_CHECKING:
    from ..tracer import Tracer


def run(tracer: Tracer, what: str, function: Any, call: Callable[[], Any]) -> Any:
    """What `call()` gives, which calls a function of the user's under `what`.

    Raises:
        UnsupportedError: where it changes what was there before.
    """
    before = heap.in_reach(tracer, [function])
    found = [*before.met.values(), *((value, name) for value, name, _ in before.held.values())]
    states = [(value, name, state(value)) for value, name in found if is_asked(value)]
    globals_ = tracer.outside.reach.globals
    names = {key: module.now() for key, (module, _) in globals_.items()}
    result = call()
    changed = [change.name for change in before.changed() if not remembers(tracer, change)]
    changed += [name for value, name, held in states if opaque.differs(state(value), held)]
    for key, (module, held) in globals_.items():
        changed += rebound(module.now(), names.get(key, held))
    if changed:
        raise UnsupportedError(
            f"changing `{changed[0]}` under {what}",
            why=f"{tracer.backend.words} traces a function once, or both ways of a branch, however often "
            "they run",
            span=tracer.span(),
            hint="hand it in as an argument, and give back what is new",
        )
    return result


def is_asked(value: Any) -> bool:
    """Whether a value that is no container may change, and says whether it did."""
    return opaque.is_iterator(value) or opaque.is_small(value)


def state(value: Any) -> Any:
    return opaque.progress(value) if opaque.is_iterator(value) else opaque.state(value)


def remembers(tracer: Tracer, change: heap.Change) -> bool:
    """Whether a container has only gained what it would gain anywhere: a cache, or a property."""
    if not tracer.outside.remembers(change):
        return False
    outlives = id(change.container) in tracer.outside.heap.held
    return outlives or all(is_remembered(change.container, str(name)) for name in differing(change))

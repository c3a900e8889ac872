"""Outside: what outlives the call that is traced, and must be after the trace what it was before.

Arguments, what the function closes over, and the globals of the functions that it calls. An emitted function
changes none of it, so that a program which does is refused, save where it only remembers constants, as a
cache does.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterable, Iterator
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.span import Span
from ..ir.tree import leaves
from .place import here
from .proxy import is_proxy
from .rewrite.runtime import UNDEFINED
from .staging.containers import is_object
from .staging.heap import Change, Heap


class Outside:
    """See the module."""

    def __init__(self, roots: Iterable[tuple[str, Any]]) -> None:
        self.heap = Heap(roots)
        self.seen: set[types.CodeType] = set()
        self.globals: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}
        #: Where the user last touched a container.
        self.spans: dict[int, Span | None] = {}

    def entering(self, fn: Any) -> None:
        """Look at the globals of a function of the user's, before it runs for the first time."""
        code = getattr(fn, "__code__", None)
        if code is None or code in self.seen:
            return
        self.seen.add(code)
        module = fn.__globals__
        read, stored = names(code)
        found = Heap((name, module[name]) for name in read if name in module)
        for key, held in found.held.items():
            self.heap.held.setdefault(key, held)
        for name in stored:
            self.globals.setdefault((id(module), name), (module, name, module.get(name, UNDEFINED)))

    def touch(self, container: Any) -> None:
        """Something may be about to change this container."""
        if id(container) in self.heap.held:
            place = here()
            self.spans[id(container)] = place.span if place is not None else None

    def restored(self) -> list[tuple[str, str, Span | None]]:
        """Undo all changes.

        Returns:
            What an emitted function would have to change as well: its kind and name, and where it is
            changed.
        """
        changes = [change for change in self.heap.changed() if not remembers(change)]
        found = [
            (type(c.container).__name__, c.name, self.spans.get(id(c.container))) for c in changes
        ]
        self.heap.restore()
        for module, name, before in self.globals.values():
            if module.get(name, UNDEFINED) is before:
                continue
            found.append(("global", name, None))
            module.pop(name, None)
            if before is not UNDEFINED:
                module[name] = before
        return found


def names(code: types.CodeType) -> tuple[list[str], list[str]]:
    """The globals that a function reads and binds, its inner functions included."""
    read, stored = list(code.co_names), []
    stored += [i.argval for i in dis.get_instructions(code) if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")]
    for inner in inner_codes(code):
        more, bound = names(inner)
        read, stored = read + more, stored + bound
    return read, stored


def inner_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def remembers(change: Change) -> bool:
    """Whether a container only gained values that no trace made."""
    before, after = change.before, change.after
    if isinstance(before, set):
        return bool(before <= after)
    if not isinstance(before, dict):
        return False
    kept = all(
        key in after and (after[key] is value or value is None and is_object(change.container))
        for key, value in before.items()
    )
    gained = [value for key, value in after.items() if before.get(key) is not value]
    return kept and not any(is_proxy(leaf) for value in gained for leaf in leaves(value))


def refusal(changes: list[tuple[str, str, Span | None]]) -> UnsupportedError:
    kind, name, span = changes[0]
    new = {"dict": f"a new dict, {{**{name}, key: value}}", "list": f"a new list, [*{name}, value]"}
    return UnsupportedError(
        f"changing the {kind} `{name}`",
        why="it outlives the call, and the emitted function would not change it",
        span=span,
        hint=f"return {new.get(kind, 'what is new')} instead",
    )

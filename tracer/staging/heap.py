"""Heap: the containers that a branch or a loop may change, and what it did to them.

Whatever the user's frames, from the traced function down, can reach is looked at: lists, dicts, sets, and
the attributes of objects.
A shallow copy of each is compared afterwards, so that no way of changing them goes unseen.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

from ...ir.tree import is_record
from ..place import users
from ..proxy import Proxy

#: How many objects are looked at. Whoever holds more than this in his variables means data, not state.
LIMIT = 20_000
SKIPPED = (str, bytes, int, float, complex, bool, type(None), type, types.ModuleType, types.CodeType)


class Heap:
    """What the containers in reach hold now."""

    def __init__(self, roots: list[Any]) -> None:
        self.held: dict[int, tuple[Any, Any]] = {}
        for container in reachable(roots):
            self.held[id(container)] = container, contents(container)

    def changed(self) -> list[tuple[Any, Any]]:
        """The containers that hold something else than they did, with what they held."""
        return [(c, before) for c, before in self.held.values() if differs(contents(c), before)]

    def restore(self) -> None:
        for container, before in self.changed():
            put(container, before)


def in_reach(tracer: Any, further: Sequence[Any] = ()) -> Heap:
    """The containers that the user's frames reach, up to the traced function, and further ones."""
    return Heap([*variables(tracer.outermost), *further])


def variables(outermost: types.FrameType | None) -> Iterator[Any]:
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame is not outermost:
        if users(frame.f_code):
            yield from frame.f_locals.values()
            module = frame.f_globals
            yield from (module[name] for name in frame.f_code.co_names if name in module)
        frame = frame.f_back


def name_of(tracer: Any, value: Any) -> str | None:
    """What the user calls an object: a variable in the innermost frame that has one."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame is not tracer.outermost:
        if users(frame.f_code):
            for name, held in frame.f_locals.items():
                if held is value and name.isidentifier():
                    return name
        frame = frame.f_back
    return None


def held_elsewhere(tracer: Any, value: Any, name: str) -> bool:
    """Whether a variable of another name, or a container, holds an object."""
    frame: types.FrameType | None = sys._getframe(1)
    roots: list[Any] = []
    while frame is not None and frame is not tracer.outermost:
        if users(frame.f_code):
            for other, held in frame.f_locals.items():
                if held is value and other != name and other.isidentifier():
                    return True
                roots.append(held)
        frame = frame.f_back
    return any(any(item is value for item in items(c)) for c in reachable(roots))


def items(container: Any) -> Any:
    if isinstance(container, (list, set)):
        return container
    return container.values() if isinstance(container, dict) else vars(container).values()


def reachable(roots: list[Any]) -> Iterator[Any]:
    """The containers among nested values, each once."""
    seen: set[int] = set()
    stack = list(roots)
    while stack and len(seen) < LIMIT:
        value = stack.pop()
        kind = type(value)
        if kind in SKIPPED or id(value) in seen or issubclass(kind, (Proxy, *SKIPPED)):
            continue
        seen.add(id(value))
        if isinstance(value, types.FunctionType):
            stack += [c.cell_contents for c in value.__closure__ or () if filled(c)]
        elif isinstance(value, types.MethodType):
            stack.append(value.__self__)
        elif kind in (list, set, dict) or isinstance(value, (list, set, dict)):
            yield value
            stack += value.values() if isinstance(value, dict) else value
        elif isinstance(value, tuple):
            stack += value
        elif mutable(value):
            yield value
            stack += vars(value).values()


def filled(cell: Any) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True


def mutable(value: Any) -> bool:
    """Whether a value is an object of a class of the user's, whose attributes are its state."""
    kind = type(value)
    if not isinstance(getattr(value, "__dict__", None), dict) or callable(kind.__dict__.get("__get__")):
        return False
    module = sys.modules.get(kind.__module__)
    file = getattr(module, "__file__", None)
    code = next((f.__code__ for f in vars(kind).values() if isinstance(f, types.FunctionType)), None)
    return is_record(value) or (code is not None and users(code)) or file is None


def contents(container: Any) -> Any:
    if isinstance(container, (list, set, dict)):
        return container.copy()
    return dict(vars(container))


def differs(now: Any, before: Any) -> bool:
    """Whether two copies hold different objects, or in another order."""
    if len(now) != len(before):
        return True
    if isinstance(now, dict):
        return any(a is not b or x is not y for (a, x), (b, y) in zip(now.items(), before.items()))
    if isinstance(now, set):
        return bool(now != before)
    return any(a is not b for a, b in zip(now, before))


def put(container: Any, held: Any) -> None:
    """Let a container hold what it held."""
    if isinstance(container, list):
        container[:] = held
    elif isinstance(container, (dict, set)):
        container.clear()
        container.update(held)
    else:
        vars(container).clear()
        vars(container).update(held)

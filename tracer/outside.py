"""Outside: what outlives the call that is traced, and must be after the trace what it was before.

Arguments, what the function closes over, and the globals of the functions that it calls. An emitted function
changes none of it, so that a program which does is refused, save where it only remembers constants, as a
cache does.
"""

from __future__ import annotations

import io
import random
import types
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.span import Span
from ..ir.tree import leaves
from . import opaque
from .place import FRAMEWORKS, Place, here
from .proxy import is_proxy
from .rewrite.runtime import UNDEFINED
from .staging.containers import is_object
from .staging.heap import Change, Heap


class Outside:
    """See the module."""

    def __init__(self, roots: Iterable[tuple[str, Any]]) -> None:
        #: What else can be reached, and outlives the call, by id; and its state where it was touched.
        self.met: dict[int, tuple[Any, str]] = {}
        self.touched: dict[int, tuple[Any, str, Any]] = {}
        self.heap = Heap(roots, met=self.met)
        self.seen: set[types.CodeType] = set()
        self.globals: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
        #: What only remembers constants, as a cache does: it must not matter whether it does already.
        self.gained: list[Change] = []
        #: Where the user last touched a container.
        self.places: dict[int, Place | None] = {}

    def entering(self, fn: Any) -> None:
        """Look at the globals of a function of the user's, before it runs for the first time."""
        code = getattr(fn, "__code__", None)
        if code is None or code in self.seen:
            return
        self.seen.add(code)
        module = fn.__globals__
        read = set(names(code))
        found = Heap(named(module, read), met=self.met)
        for key, held in found.held.items():
            self.heap.held.setdefault(key, held)
        self.globals.setdefault(id(module), (module, dict(module)))

    def touch(self, value: Any, again: bool = True) -> None:
        """Something may be about to change this value.

        Args:
            again: whether it is likelier than what has touched it before.

        Raises:
            UnsupportedError: for an iterator that outlives the call.
        """
        if id(value) in self.heap.held:
            if again or id(value) not in self.places:
                self.places[id(value)] = here()
        if id(value) in self.touched or not self.is_opaque(value):
            return
        self.handed(value)
        held = opaque.state(value)
        if held is not None:
            name = self.met[id(value)][1] if id(value) in self.met else self.heap.held[id(value)][1]
            self.touched[id(value)] = value, name, held
            self.places[id(value)] = here()

    def is_opaque(self, value: Any) -> bool:
        """Whether a value outlives the call, and has other state than that of a container."""
        return id(value) in self.met or isinstance(value, random.Random) and id(value) in self.heap.held

    def handed(self, value: Any) -> None:
        """Something may be about to take items from this value.

        Raises:
            UnsupportedError: for an iterator that outlives the call.
        """
        if id(value) in self.met and opaque.is_iterator(value):
            place = here()
            span = place.span if place is not None else None
            kind = type(value).__name__ if isinstance(value, io.IOBase) else "iterator"
            raise refusal([(kind, self.met[id(value)][1], span)])

    def span(self, value: Any) -> Span | None:
        """Where the user last touched a container."""
        place = self.places.get(id(value))
        return place.span if place is not None else None

    def restored(self, put: Collection[int] = ()) -> list[tuple[str, str, Span | None]]:
        """Undo all changes. `put`: the containers that an emitted function changes as well, by id.

        Returns:
            What an emitted function would have to change as well: its kind and name, and where it is
            changed.
        """
        every = [change for change in self.heap.changed() if id(change.container) not in put]
        self.gained = [change for change in every if remembers(change)]
        changes = [change for change in every if not remembers(change)]
        found = [
            (type(c.container).__name__, c.name, self.span(c.container)) for c in changes
        ]
        self.heap.restore()
        for value, name, before in self.touched.values():
            if opaque.differs(opaque.state(value), before):
                opaque.restore(value, before)
                found.append((type(value).__name__, name, self.span(value)))
        for module, held in self.globals.values():
            found += [("global", name, None) for name in changed(module, held)]
        return found


def changed(module: dict[str, Any], before: dict[str, Any]) -> list[str]:
    """The names of a module that stand for something else than they did; they are put back."""
    found = [n for n, v in module.items() if before.get(n, UNDEFINED) is not v and n not in KEPT]
    found += [n for n in before if n not in module]
    for name in found:
        module.pop(name, None)
        if name in before:
            module[name] = before[name]
    return found


#: What Python itself puts into modules.
KEPT = frozenset({"__warningregistry__", "__builtins__"})


def named(module: dict[str, Any], read: set[str]) -> Iterator[tuple[str, Any]]:
    """The globals among names that code reads, and what it may read of the modules among them."""
    for name in read & module.keys():
        value = module[name]
        yield name, value
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in FRAMEWORKS:
            inner = vars(value)
            yield from ((attribute, inner[attribute]) for attribute in read & inner.keys())


def names(code: types.CodeType) -> Iterator[str]:
    """The globals and attributes that a function names, its inner functions included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names(constant)


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


#: What an error says of a change that outlives the call, by kind: how, why, and the way out.
CHANGES = {
    "setting": ("changing the setting", "leave it out of the traced function"),
    "iterator": ("taking items from the iterator", "give a list, or make the iterator within the function"),
    "generator": ("drawing random numbers from", "draw them before, and give them as arguments"),
}


def refusal(changes: list[tuple[str, str, Span | None]]) -> UnsupportedError:
    kind, name, span = changes[0]
    new = {"dict": f"a new dict, {{**{name}, key: value}}", "list": f"a new list, [*{name}, value]"}
    usual = f"changing the {kind}", f"return {new.get(kind, 'what is new')} instead"
    what, hint = CHANGES.get(kind, usual)
    return UnsupportedError(
        f"{what} `{name}`",
        why="it outlives the call, and the emitted function would not change it",
        span=span,
        hint=hint,
    )

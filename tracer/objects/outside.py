"""Outside: what outlives the call that is traced, and must be after the trace what it was before.

Arguments, what the function closes over, and the globals that it names, and the same of the functions and
classes that it reaches. An emitted function changes none of it, so that a program which does is refused, save
where it only remembers constants, as a cache does.
"""

from __future__ import annotations

import functools
import io
import os
import types
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.source.span import Span
from ...ir.values.tree import leaves
from ..place import Place, here, is_own, users_own
from ..proxy import current, is_proxy
from ..rewrite.runtime import UNDEFINED
from . import cores, opaque
from .buffers import Memories
from .changes import Changed, refusal, unreadable
from .containers import (
    PLAIN,
    beyond_attributes,
    dicts,
    fill,
    is_container,
    is_module,
    is_object,
    member,
    ordinary,
)
from .global_names import Globals, Names, changed, named, names, rebound
from .heap import Change, Heap, wake
from .reach import Reach, is_own_class, of_class
from .special_methods import answers_as
from .standing import Standing, members
from .unseen import is_loud


class Everything(Reach):
    """What a program can reach: also the globals that the user's functions name, and all of his classes.

    Attributes:
        globals: the modules in which these stand, by id, each with what it held.
        codes: the functions, in the order in which they were met.
        classes: the user's, in which nothing stands yet, see standing.py.
        owners: the objects of libraries behind containers in them, by the container's id.
    """

    def __init__(self) -> None:
        self.met: dict[int, tuple[Any, str]] = {}
        super().__init__(self.met)
        self.globals: dict[int, tuple[Globals, Names]] = {}
        self.codes: dict[types.CodeType, None] = {}
        self.classes: list[type] = []
        self.owners: dict[int, tuple[Any, str]] = {}
        #: The modules of torch's own, by id: branches look at them where something is done to them.
        self.modules: set[int] = set()

    def is_held(self, value: Any) -> bool:
        is_function = isinstance(value, types.FunctionType) and users_own(value)
        return is_container(value) or is_function or is_own_class(value)

    def held_by(self, name: str, value: Any) -> Iterable[tuple[str, Any]]:
        held = super().held_by(name, value)
        if isinstance(value, types.FunctionType):
            own = (each for called, each in dicts(name, value) if called == name)
            self.owners.update((id(each), (value, name)) for each in own)
            return [*held, *self.of_globals(value)] if users_own(value) else held
        if isinstance(value, types.GeneratorType) and value.gi_frame is not None:
            held = [*value.gi_frame.f_locals.items()]
            for _, item in held:  # what is not held elsewhere, and changes, tells that it goes on
                self.owners.setdefault(id(item), (value, name))
            return held
        if isinstance(value, type):
            self.classes.append(value)
            return [*of_class(value), *((n, v) for n, v in members(value).items() if n.startswith("__"))]
        owner, _ = self.owners.get(id(value), (None, ""))
        within = owner is not None and type(owner) is not types.FunctionType
        within = within and isinstance(value, (*PLAIN, tuple))
        if within or is_object(value) and not is_own(type(value).__module__):
            held = list(held)
            for _, item in held:
                self.owners.setdefault(id(item), (value, name))
            if is_module(type(value)):
                self.modules.add(id(value))
        return held

    def of_globals(self, fn: types.FunctionType) -> Iterator[tuple[str, Any]]:
        """The globals that a function names."""
        code = fn.__code__
        if code in self.codes:
            return
        self.codes[code] = None
        module = fn.__globals__
        if id(module) not in self.globals:
            self.globals[id(module)] = Globals(module), Names(module)
        yield from named(module, names(code))


class Outside:
    """See the module.

    Args:
        roots: where all begins, with names.
        given: those that are arguments, of which the caller sees what they hold.
    """

    def __init__(self, roots: Iterable[tuple[str, Any]], given: Iterable[tuple[str, Any]] = ()) -> None:
        self.reach = Everything()
        self.standing = Standing()
        #: What else can be reached, and outlives the call, by id; and its state where it was touched.
        self.met = self.reach.met
        self.touched: dict[int, tuple[Any, str, Any]] = {}
        self.memories = Memories(self.met)
        self.heap = Heap([])
        #: Those of branches and loops, which hold it as well.
        self.heaps: weakref.WeakSet[Heap] = weakref.WeakSet()
        given = list(given)
        self.given = {id(container) for _, container in Arguments().walk(given)}
        self.inner: dict[int, tuple[Any, list[Any]]] = {}
        #: Where the user last touched a container.
        self.places: dict[int, Place | None] = {}
        self.look([*given, *roots])
        for value, name, *_ in [*self.met.values(), *self.heap.held.values()]:
            if opaque.is_small(value):  # what Python runs by itself touches it unseen
                self.touched[id(value)] = value, name, opaque.state(value)
        #: How far iterators have gone, as far as it can be told.
        self.progress = {
            id(value): (value, name, opaque.progress(value))
            for value, name in self.met.values()
            if opaque.is_iterator(value)
        }
        #: What only remembers constants, as a cache does: it must not matter whether it does already.
        self.gained: list[Change] = []

    def look(self, roots: Iterable[tuple[str, Any]]) -> None:
        """Look at more that outlives the call."""
        found = [*self.reach.walk(roots)]
        self.heap.hold(found)
        for heap in self.heaps:
            heap.hold(self.changing(found))

    def changing(self, found: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
        """Those that branches and loops look at: no class, function, or module of torch."""
        return ((n, v) for n, v in found if is_container(v) and id(v) not in self.reach.modules)

    def containers(self) -> Iterator[tuple[str, Any]]:
        """The containers that outlive the call, with names."""
        return self.changing((name, value) for value, name, _ in self.heap.held.values())

    def entering(self, fn: Any) -> None:
        """Look at the globals of a function of the user's, before it runs for the first time."""
        if isinstance(fn, types.FunctionType) and fn.__code__ not in self.reach.codes:
            defaults = [(fn.__name__, default) for default in fn.__defaults__ or ()]
            self.look([*self.reach.of_globals(fn), *defaults])
        while self.reach.classes:
            self.enter(self.reach.classes.pop())

    def enter(self, kind: type) -> None:
        """Let ours stand in a class of the user's; if there are methods that nobody sees run, say so."""
        if self.standing.enter(kind) and any(map(is_loud, self.standing.own(kind))):
            current().tries.unseen = True
            wake(current())

    def unseen(self, fn: types.FunctionType) -> None:
        """A function of the user's runs as it is: what it closes over is handed to it.

        Raises:
            UnsupportedError: for an iterator that outlives the call.
        """
        for cell in fn.__closure__ or ():
            try:
                held = cell.cell_contents
            except ValueError:
                continue
            self.touch(held.__self__ if isinstance(held, METHODS) else held, again=False)

    def touch(self, value: Any, again: bool = True) -> None:
        """Something may be about to change this value, or the arrays whose memory it lies in.

        Args:
            again: whether it is likelier than what has touched it before: it is no argument of a call.

        Raises:
            UnsupportedError: for an iterator that outlives the call, and where nobody can tell what it holds.
        """
        for behind in self.memories.behind(value):
            if behind is not value:
                self.touch_itself(behind, again)
        self.touch_itself(value, again)

    def touch_itself(self, value: Any, again: bool) -> None:
        is_held = id(value) in self.heap.held or id(value) in self.reach.globals
        if is_held and again or (is_held or id(value) in self.touched) and id(value) not in self.places:
            self.places[id(value)] = here()
        for held in self.within(value) if again and id(value) in self.heap.held else ():
            self.touch(held)
        if id(value) in self.touched or not self.is_opaque(value):
            return
        self.handed(value)
        held = opaque.state(value)
        name = self.met[id(value)][1] if id(value) in self.met else self.heap.held[id(value)][1]
        if held is opaque.UNREADABLE:
            if again:
                raise unreadable(type(value).__name__, name, self.here())
        elif held is not None:
            self.touched[id(value)] = value, name, held
            self.places[id(value)] = here()

    def within(self, value: Any) -> list[Any]:
        """See cores.within: what a value held when a method of it was first called."""
        if id(value) not in self.inner:
            self.inner[id(value)] = value, cores.within(value)
        return self.inner[id(value)][1]

    def attributed(self, value: Any, name: str) -> None:
        """An attribute of this value is about to be set, see `touch`."""
        self.touch(value)
        if id(value) in self.touched and isinstance(held := self.touched[id(value)][2], opaque.Attributes):
            held.setdefault(name, UNDEFINED)

    def is_opaque(self, value: Any) -> bool:
        """Whether a value outlives the call, and has other state than that of a container."""
        if id(value) in self.heap.held:
            return cores.core(type(value)) is not None and not isinstance(value, types.FunctionType)
        return id(value) in self.met

    def handed(self, value: Any) -> None:
        """Something may be about to take items from this value.

        Raises:
            UnsupportedError: for an iterator that outlives the call.
        """
        if id(value) in self.met and opaque.is_iterator(value):
            raise refusal(advanced(value, self.met[id(value)][1], self.here()))

    def rebinding(self, owner: Any) -> UnsupportedError:
        """The error for setting an attribute of a class or module."""
        kind = "class" if isinstance(owner, type) else "module"
        if kind == "module" or id(owner) in self.heap.held:
            return refusal(Changed(kind, owner.__name__, None, self.here()))
        return UnsupportedError(
            f"changing the class `{owner.__name__}`",
            why="what a class holds is not followed through branches and loops",
            span=self.here(),
            hint="keep it in a dict, or in an attribute of an object",
        )

    def here(self) -> Span | None:
        place = here()
        return place.span if place is not None else None

    def span(self, value: Any) -> Span | None:
        """Where the user last touched a container, or the object of a library that it is in."""
        while value is not None:
            if (place := self.places.get(id(value))) is not None:
                return place.span
            value, _ = self.reach.owners.get(id(value), (None, ""))
        return None

    def restored(self, put: Collection[int] = ()) -> list[Changed]:
        """Undo all changes. `put`: the containers that an emitted function changes as well, by id.

        Returns:
            What an emitted function would have to change as well, and where it is changed.
        """
        found = [*self.restored_opaque()]
        every = self.heap.changed()
        for change in every:
            fill(change.container, change.before)
        every = [change for change in every if id(change.container) not in put]
        self.gained = [change for change in every if self.remembers(change)]
        found = [self.described(change) for change in every if change not in self.gained] + found
        for value, name, before in self.progress.values():
            if opaque.progress(value) != before:
                found.append(advanced(value, name, None))
        for names_of, held in self.reach.globals.values():
            at = self.span(names_of.module)
            found += [Changed("global", name, None, at) for name in changed(names_of.module, held)]
        found.sort(key=lambda change: change.span is None)
        return [change.found(self.reach.codes) for change in found[:1]]

    def watched(self) -> Iterator[tuple[Any, Any, Callable[[], UnsupportedError]]]:
        """See values/advancing.py."""
        for value, name, before in self.touched.values():
            yield value, before, functools.partial(self.refused, value, name)
        for module, held in self.reach.globals.values():
            yield module, held, functools.partial(self.rebound, module, held)

    def refused(self, value: Any, name: str) -> UnsupportedError:
        return refusal(self.opaquely(value, name))

    def rebound(self, module: Globals, held: Names) -> UnsupportedError:
        """The error for a name of a module that stands for something else than it did."""
        name = next(iter(rebound(module.now(), held)), "")
        change = Changed("global", name, None, self.span(module.module)).found(self.reach.codes)
        return UnsupportedError(
            f"binding the global `{name}` in a branch or loop",
            why="only the running program knows whether it happens",
            span=change.span,
            hint="keep it in a variable or a dict",
        )

    def opaquely(self, value: Any, name: str) -> Changed:
        """How the user knows what is changed and no container."""
        kind = "generator" if opaque.is_generator(value) else type(value).__name__
        if value is os.environ:
            kind, name = "setting", "os.environ"
        return Changed(kind, name, value, self.span(value))

    def restored_opaque(self) -> Iterator[Changed]:
        for value, name, before in self.touched.values():
            if opaque.differs(opaque.state(value), before):
                opaque.restore(value, before)
                yield self.opaquely(value, name)

    def described(self, change: Change) -> Changed:
        """How the user knows what was changed, and where."""
        value, name = change.container, change.name
        span = self.span(value)
        while id(value) in self.reach.owners:
            value, name = self.reach.owners[id(value)]
        made = Changed(type(value).__name__, name, value, span)
        if opaque.is_iterator(value):
            return advanced(value, name, span)
        if isinstance(value, (type, types.FunctionType)):
            made = Changed("class" if isinstance(value, type) else "function", value.__name__, value, span)
        made.keys = differing(change)
        return made

    def remembers(self, change: Change) -> bool:
        """Whether a container only gained values that no trace made. The caller sees what arguments gain,
        save properties that they remember.
        """
        if id(change.container) in self.given:
            names = [name for name in differing(change) if isinstance(name, str)]
            if not is_object(change.container) or not all(is_remembered(change.container, n) for n in names):
                return False
        return remembers(change)


class Arguments(Reach):
    """What arguments hold, and no class or function does."""

    def held_by(self, name: str, value: Any) -> Iterable[tuple[str, Any]]:
        return () if isinstance(value, (type, types.FunctionType)) else super().held_by(name, value)


#: Functions that hold what they are methods of.
METHODS = (types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType)


def advanced(value: Any, name: str, span: Span | None) -> Changed:
    kind = type(value).__name__ if isinstance(value, io.IOBase) else "iterator"
    return Changed(kind, name, value, span)


def both(change: Change) -> tuple[Any, Any]:
    """What a container held before and after."""
    if not isinstance(change.before, dict):
        return change.before, change.after
    return ordinary(change.container, change.before), ordinary(change.container, change.after)


def remembers(change: Change) -> bool:
    """Whether a container only gained values that no trace made."""
    before, after = both(change)
    if isinstance(before, set):
        return {*map(member, before)} <= {*map(member, after)}
    if beyond_attributes(change):
        return False
    if not isinstance(before, dict):
        return False
    fills = is_object(change.container) or isinstance(change.container, type)
    kept = all(key in after and (after[key] is v or v is None and fills) for key, v in before.items())
    gained = [value for key, value in after.items() if before.get(key) is not value]
    return kept and not any(is_proxy(leaf) for value in gained for leaf in leaves(value))


def differing(change: Change) -> list[Any]:
    """The keys or attributes at which a container holds something else."""
    before, after = both(change)
    if not isinstance(before, dict):
        return []
    if beyond_attributes(change):
        return ["__class__"]
    return [k for k in {**before, **after} if before.get(k, UNDEFINED) is not after.get(k, UNDEFINED)]


def is_remembered(value: Any, name: str) -> bool:
    """Whether an attribute is a property that is computed once."""
    found = next((vars(base)[name] for base in type(value).__mro__ if name in vars(base)), None)
    return answers_as(found, functools.cached_property)

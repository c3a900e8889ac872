"""Heap: the containers that a branch or a loop may change, and what it did to them.

Whatever the user's frames, from the traced function down, can reach is looked at. A shallow copy of each
container is compared afterwards, so that no way of changing one goes unseen.
"""

from __future__ import annotations

import contextlib
import sys
import types
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..place import users
from .containers import differs, fill, inside
from .reach import Reach, reachable

if TYPE_CHECKING:
    from ..tracer import Tracer


@dataclass(frozen=True, slots=True)
class Change:
    """A container, how the user reaches it, and what it held before and after."""

    container: Any
    name: str
    before: Any
    after: Any


class Heap:
    """What the containers in reach hold now, but for some.

    Args:
        met: gets whatever else is in reach, by id, with a name; an attribute by default.
        seen: what need not be looked at, by id.
    """

    def __init__(
        self,
        roots: Iterable[tuple[str, Any]],
        without: Sequence[Any] = (),
        met: dict[int, tuple[Any, str]] | None = None,
        seen: Collection[int] = (),
    ) -> None:
        self.held: dict[int, tuple[Any, str, Any]] = {}
        self.met = {} if met is None else met
        self.hold(reachable(roots, self.met, seen), {id(container) for container in without})

    def hold(self, containers: Iterable[tuple[str, Any]], apart: Collection[int] = ()) -> None:
        """Note what further containers hold now."""
        for name, container in containers:
            if id(container) not in apart and id(container) not in self.held:
                self.held[id(container)] = container, name, inside(container)

    def then(self, look: Callable[[], None]) -> None:
        """Call this as soon as is known what the containers hold."""
        look()

    def changed(self, among: Collection[int] | None = None) -> list[Change]:
        """The containers that hold something else than they did. `among`: only these are looked at, by id."""
        found = []
        looked = self.held if among is None else [key for key in among if key in self.held]
        for container, name, before in map(self.held.__getitem__, looked):
            now = inside(container)
            if differs(container, now, before):
                found.append(Change(container, name, before, now))
        return found

    def restore(self) -> None:
        for change in self.changed():
            fill(change.container, change.before)


class Later(Heap):
    """The same for a call, a branch or a loop, from the frames around which it is looked at: not before
    something may be about to change. Most of them only compute, and what all frames can reach is much. The
    variables of frames that wait stay what they are.

    Args:
        frame: one inside the innermost of the frames.
        runs: what runs, and what it is given: it may be in no variable.
        without: containers that are not looked at.

    Attributes:
        made: what stands for what is given, in there.
    """

    def __init__(
        self,
        tracer: Tracer,
        frame: types.FrameType | None,
        runs: Sequence[tuple[str, Any]] = (),
        without: Sequence[Any] = (),
    ) -> None:
        while frame is not None and frame is not tracer.stack.outermost and not users(frame.f_code):
            frame = frame.f_back
        self.tracer = tracer
        self.frame = frame
        self.roots = [*beside(tracer), *runs]
        self.without = without
        self.made: list[tuple[str, Any]] = []
        self.waiting: list[Callable[[], None]] = []
        self.found: Heap | None = None
        self.noted = weakref.ref(self, tracer.tries.later.discard)
        tracer.tries.later.add(self.noted)
        if tracer.tries.unseen:
            self.look()

    def look(self) -> Heap:
        if self.found is None:
            roots = [*variables(self.tracer.stack.outermost, self.frame), *self.roots]
            self.forget()
            self.found = of(self.tracer, roots, self.without)
            self.found.held.update(Heap(self.made).held)
            for each in self.waiting:
                each()
        return self.found

    def stand_in(self, made: Iterable[tuple[str, Any]]) -> None:
        """What stands in there for what is given."""
        self.made += made
        if self.found is not None:
            self.found.held.update(Heap(self.made).held)

    def done(self) -> None:
        """Nothing is going to change any more."""
        self.tracer.tries.later.discard(self.noted)

    def forget(self) -> None:
        """Nor will anybody ask what was there."""
        self.frame, self.roots = None, []
        self.done()

    @property
    def held(self) -> dict[int, tuple[Any, str, Any]]:  # type: ignore[override]
        return self.look().held

    @property
    def met(self) -> dict[int, tuple[Any, str]]:  # type: ignore[override]
        return self.look().met

    def then(self, look: Callable[[], None]) -> None:
        self.waiting.append(look) if self.found is None else look()

    def changed(self, among: Collection[int] | None = None) -> list[Change]:
        return [] if self.found is None else self.found.changed(among)


def in_reach(tracer: Tracer, further: Sequence[Any] = (), without: Sequence[Any] = ()) -> Heap:
    """The containers that the user's frames reach, up to the traced function, and further ones."""
    roots = [*variables(tracer.stack.outermost), *beside(tracer), *(("collected", f) for f in further)]
    return of(tracer, roots, without)


def wake(tracer: Tracer) -> None:
    """Something may be about to change: look now at what was to be looked at later."""
    for noted in [*tracer.tries.later]:
        if (later := noted()) is not None:
            later.look()


def beside(tracer: Tracer) -> list[tuple[str, Any]]:
    """What is reached from no variable."""
    return [*managers(tracer), *tracer.caches.remembered()]


def of(tracer: Tracer, roots: Iterable[tuple[str, Any]], without: Sequence[Any] = ()) -> Heap:
    """What can be reached from there, and what outlives the call: a function that is called may name it."""
    outside = tracer.outside
    found = Heap([*roots, *outside.containers()], without, seen=outside.reach.modules)
    outside.heaps.add(found)
    if (decimal := sys.modules.get("decimal")) is not None:
        context = decimal.getcontext()
        found.met[id(context)] = context, "context"
    return found


def managers(tracer: Tracer) -> Iterator[tuple[str, Any]]:
    """What the managers hold that a `with` has entered: nobody else may, till it is left."""
    for each in tracer.tries.finishing:
        manager = getattr(each.owner, "manager", None)
        if isinstance(manager, contextlib._GeneratorContextManager):
            frame = getattr(manager.gen, "gi_frame")
            yield from ((f"manager_{n}", v) for n, v in (frame.f_locals if frame is not None else {}).items())
        elif manager is not None:
            yield "manager", manager


def variables(
    outermost: types.FrameType | None, frame: types.FrameType | None = None
) -> Iterator[tuple[str, Any]]:
    """The variables of the user's frames, the innermost first, from `frame` on or that of who asks, and the
    globals that they name.
    """
    frame = frame or sys._getframe(1)
    while frame is not None and frame is not outermost:
        if users(frame.f_code):
            yield from ((n, v) for n, v in frame.f_locals.items() if n.isidentifier())
            yield from ((n, v) for n, v in frame.f_locals.items() if not n.isidentifier())
            module = frame.f_globals
            yield from ((name, module[name]) for name in frame.f_code.co_names if name in module)
        frame = frame.f_back


def name_of(tracer: Tracer, value: Any) -> str | None:
    """What the user calls an object: a variable in the innermost frame that has one."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame is not tracer.stack.outermost:
        if users(frame.f_code):
            for name, held in frame.f_locals.items():
                if held is value and name.isidentifier():
                    return name
        frame = frame.f_back
    return None


def held_elsewhere(tracer: Tracer, value: Any, name: str) -> bool:
    """Whether a variable of another name, or a container, holds an object."""
    roots = locals_of(tracer)
    if any(held is value and other != name and other.isidentifier() for other, held in roots):
        return True
    return Holders(tracer, value).are_in(roots)


def held_twice(tracer: Tracer, value: Any, times: int = 2) -> bool:
    """Whether several variables, or so many, or anything else, hold an object."""
    named = [*by_function(tracer), *(pair for pair in managers(tracer) if pair[0].isidentifier())]
    names = [name for name, held in named if held is value]
    return len(names) >= times or Holders(tracer, value).are_in(locals_of(tracer))


def by_function(tracer: Tracer) -> Iterator[tuple[str, Any]]:
    """The variables of the user's functions that run. What is rewritten of a function, as a loop's body is,
    has those of the function.
    """
    owners: list[tuple[types.CodeType, int]] = []
    found: dict[tuple[int, str], Any] = {}
    for number, (code, held) in enumerate([*frames_of(tracer)][::-1]):
        name = code.co_qualname
        around = next((n for c, n in owners[::-1] if c.co_qualname == name and code in c.co_consts), number)
        owners.append((code, around))
        found |= {(around, name): value for name, value in held.items() if name.isidentifier()}
    yield from ((name, value) for (_, name), value in found.items())


def seen_elsewhere(tracer: Tracer, array: Any) -> bool:
    """Whether somebody sees an array change beside the variable that holds it: under another name, or by a
    view.
    """
    views = (view for view in tracer.memory.views.values() if view.parent is array)
    return held_twice(tracer, array) or any(
        held_twice(tracer, view.proxy, 1) or seen_elsewhere(tracer, view.proxy) for view in views
    )


def locals_of(tracer: Tracer) -> list[tuple[str, Any]]:
    """The variables of the user's functions that run, innermost first."""
    found = [pair for _, held in frames_of(tracer) for pair in held.items()]
    return [*found, *managers(tracer)]


def frames_of(tracer: Tracer) -> Iterator[tuple[types.CodeType, dict[str, Any]]]:
    """The user's functions that run, innermost first, with their variables."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and frame is not tracer.stack.outermost:
        if users(frame.f_code):
            yield frame.f_code, frame.f_locals
        frame = frame.f_back


class Holders(Reach):
    """What holds an object, beside variables of functions that run: those of others, which close over it,
    count as well.
    """

    def __init__(self, tracer: Tracer, value: Any) -> None:
        super().__init__()
        self.value = value
        codes = [code for code, held in frames_of(tracer) if any(v is value for v in held.values())]
        self.running = {name for code in codes for name in (*code.co_cellvars, *code.co_freevars)}
        self.found = False

    def are_in(self, roots: Iterable[tuple[str, Any]]) -> bool:
        return any(self.found for _ in self.walk(roots)) or self.found

    def held_by(self, name: str, value: Any) -> Iterable[tuple[str, Any]]:
        held = [*super().held_by(name, value)]
        if type(value) is types.FunctionType:
            closed = zip(value.__code__.co_freevars, value.__closure__ or ())
            self.found |= any(inside(c) is self.value for n, c in closed if n not in self.running)
        if type(value) is not types.CellType:
            self.found |= any(each is self.value for _, each in held)
        return held

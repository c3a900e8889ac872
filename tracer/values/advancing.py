"""Advancing: objects that objects/heap.py does not put back, changed in a loop or branch that is tried anew.

Loops and branches are traced, taken back and traced anew. Containers are then what they were, see
objects/heap.py. Of what else may change, see objects/cores.py, the state is asked before anything is done to
it, and again when the way has ended (objects/opaque.py): if it is another then, a branch is refused, and a
loop is Python's, turn by turn. How far an iterator has gone nobody can ask, and a hash cannot be put back: a
loop that is about to change one which is older than itself is Python's from there on; and in a region that is
recorded it is refused before it changes.
"""

from __future__ import annotations

import array
import types
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from ...ir.errors import TraceError, UnsupportedError
from ...ir.values.tree import by_type
from ..objects import cores, heap, opaque
from ..objects.buffers import is_way_in
from ..objects.containers import is_module
from ..objects.reach import OURS, Reach
from ..own import attribute
from ..place import Place, here, is_own, module_of, own_place
from ..proxy import current, is_proxy

if TYPE_CHECKING:
    from ..tracer import Tracer

#: Methods of C, which are given what they are methods of.
METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)
#: What is looked into for iterators.
HELD = (list, tuple, dict)
#: What gives its items without a change.
HOLDING = frozenset({list, tuple, dict, range, str, int, float, bool, type(None)})
#: For what is a sequence of numbers there is another one.
NUMBERS = (bytearray, array.array, memoryview)
#: What is asked for its state even where nothing is seen to touch it.
SMALL = frozenset((*NUMBERS, ContextVar))


@dataclass(slots=True)
class Touched:
    """A value that something was done to, what it held before, and what was done, and where, last."""

    value: Any
    state: Any
    what: str
    place: Place | None


def is_other(value: Any, before: Any) -> bool:
    """Whether a value holds something else than it did, for all that is known."""
    return before is opaque.UNREADABLE or opaque.differs(opaque.state(value), before)


class Running(Protocol):
    """A loop whose turns Python runs: whether it may be recorded, and why not."""

    stageable: bool
    refusal: TraceError | None


class Since:
    """What was done since a moment that may be come back to.

    Attributes:
        before: what could be reached then, a Heap.
        loop: the loop whose turns Python runs.
        region: whether it is a region that is recorded.
        touched: the values, by id; with the state UNREADABLE those that cannot be put back.
        names: what the names of modules stood for, by module.
    """

    def __init__(
        self, tracer: Tracer, before: heap.Heap, loop: Running | None = None, region: bool = False
    ) -> None:
        self.before = before
        self.outside = tracer.outside
        self.names = {key: module.now() for key, (module, _) in tracer.outside.reach.globals.items()}
        self.loop = loop
        self.region = region
        self.touched: dict[int, Touched] = {}

    def is_older(self, value: Any) -> bool:
        return id(value) in self.before.met or id(value) in self.before.held

    def watch(self) -> None:
        """Ask at once for the state of what Python may change unseen, where that takes no time."""
        for value, _ in self.before.met.values():
            kind = type(value)
            if kind in SMALL and opaque.is_small(value):
                state = opaque.state(value)
                self.touched[id(value)] = Touched(value, state, f"changing a {kind.__name__}", None)

    @classmethod
    def begins(cls, tracer: Tracer, before: heap.Heap) -> Since:
        """A moment to which the trace may come back for as long as this is held."""
        made = cls(tracer, before)
        tracer.tries.moments.append(weakref.ref(made, tracer.tries.moments.remove))
        return made

    def has_changed(self) -> bool:
        """Whether something that is older holds something else now."""
        others = any(is_other(value, state) for value, state, _ in self.watched())
        return bool(self.before.changed()) or others

    def watched(self) -> Iterator[tuple[Any, Any, Callable[[], UnsupportedError]]]:
        """What is no container and was touched since, and the names of modules: what each held then, and how
        a change is refused.
        """
        for each in self.touched.values():
            yield each.value, each.state, partial(refused, each.value, each.what, each.place)
        for key, (module, held) in self.outside.reach.globals.items():
            before = self.names.get(key, held)
            yield module, before, partial(self.outside.rebound, module, before)

    def back(self, tracer: Tracer) -> None:
        """Put back what was changed.

        Raises:
            UnsupportedError: where that cannot be done.
        """
        if (refusal := self.restored(tracer)) is not None and tracer.tries.spoiled is refusal:
            raise refusal

    def restored(self, tracer: Tracer) -> UnsupportedError | None:
        """The same. Returns why a region cannot be recorded, if something was changed."""
        refusal = None
        watched, self.touched = [*self.watched()], {}
        for value, before, refuse in watched:
            if not is_other(value, before):
                continue
            refusal = refuse()
            if before is opaque.UNREADABLE or not opaque.restore(value, before):
                tracer.tries.spoiled = tracer.tries.spoiled or refusal
                return refusal
        return refusal


class Way:
    """A way that leaves what began at a moment. What is still to be done on the way out is done once, see
    trying/finishing.py, on the way that goes on: it must begin there as it would here.
    """

    def __init__(self, tracer: Tracer, moment: Any, through: Sequence[Any]) -> None:
        self.tracer = tracer
        self.moment = moment
        self.left = len(through)
        self.held = self.now()
        for each in through:
            each.ways.append(self)

    def now(self) -> dict[int, Any]:
        return {id(value): opaque.state(value) for value, *_ in self.moment.watched()}

    def begins(self) -> None:
        """Something is about to be done on the way out."""
        for value, before, refusal in self.moment.watched():
            if opaque.differs(opaque.state(value), self.held.get(id(value), before)):
                self.tracer.tries.advanced = refusal()
                raise self.tracer.tries.advanced

    def ends(self) -> None:
        """That was done."""
        self.held = self.now()
        self.left -= 1
        if not self.left:
            leaves(self.tracer, self.moment, ())


def leaves(tracer: Tracer, moment: Any, through: Sequence[Any]) -> None:
    """Called where an array or a size decides that what began at a moment is left: what follows has it as it
    was then, whatever is undone on the way that goes on.

    Args:
        moment: a Since, or Outside for the whole program.
        through: what is still to be done on the way out.

    Raises:
        UnsupportedError: where something that is no container is another than it was.
    """
    if through:
        Way(tracer, moment, through)
        return
    for value, before, refusal in moment.watched():
        if is_other(value, before):
            tracer.tries.advanced = refusal()
            raise tracer.tries.advanced


@contextmanager
def tried(tracer: Tracer, before: heap.Later, loop: Running | None = None) -> Iterator[Since]:
    """Gives the moment at which it begins.

    Args:
        loop: the loop whose turns Python runs; None: a region that is recorded.

    Raises:
        UnsupportedError: where a region has changed what its other ways, or turns, would share.
    """
    attempt = Since(tracer, before, loop, loop is None)
    if attempt.region:
        before.then(attempt.watch)
    tracer.tries.attempts.append(attempt)
    depth = len(tracer.tries.attempts)
    try:
        yield attempt
    except BaseException as error:
        if attempt.region and (isinstance(error, TraceError) or not isinstance(error, Exception)):
            attempt.restored(tracer)
        raise
    finally:
        del tracer.tries.attempts[depth - 1 :]
    if attempt.region and (refusal := attempt.restored(tracer)) is not None:
        tracer.tries.advanced = refusal
        raise refusal


def called(tracer: Tracer, f: Any, args: Any) -> None:
    """A function that is not rewritten is about to be called, which may change what it is a method of."""
    if not tracer.tries.attempts and not tracer.tries.moments:
        return
    if not (isinstance(f, type) and f in HOLDING):  # of what these are given see `handed`
        heap.wake(tracer)
    value, name = attribute(f, "__self__"), attribute(f, "__name__", "")
    if value is None and isinstance(f, METHODS) and args:
        value = args[0]
    if value is None or isinstance(value, types.ModuleType):
        return
    if isinstance(value, type) and not cores.may_change(value):
        return
    what = f"{type(value).__name__}.{name}"
    if type(value) is set and name == "pop":  # which of them hangs on those before
        advance(tracer, value, what)
    changing(tracer, value, what)
    for held in tracer.outside.within(value):
        changing(tracer, held, what)


def handed(tracer: Tracer, value: Any) -> None:
    """Something may be about to take items from this value, or to change it."""
    if tracer.tries.attempts or tracer.tries.moments:
        takes = opaque.is_iterator(value)
        if takes or not gives_only(type(value)) and not is_proxy(value):
            heap.wake(tracer)
        what = "taking items from an iterator" if takes else f"handing on a {type(value).__name__}"
        changing(tracer, value, what, surely=False)


def within(given: Sequence[Any]) -> list[Any]:
    """What a function written in C may take items from, or change, that is given these: iterators in a list;
    and all that can be reached where it calls something for each, as `map(next, its)` does.
    """
    if any(map(is_called, given)):
        return reached(given)
    items = [v.values() if isinstance(v, dict) else v for v in given if type(v) in HELD]
    return [item for each in items for item in each if opaque.is_iterator(item)]


def is_called(value: Any) -> bool:
    """Whether a value that is given to a function written in C may be called by it, unseen: the user's own
    functions, and his objects, run rewritten.
    """
    if not callable(value) or is_proxy(value) or is_own(type(value).__module__):
        return False
    plain = value.__func__ if isinstance(value, types.MethodType) else value
    return not isinstance(plain, (type, types.FunctionType))


def reached(given: Sequence[Any]) -> list[Any]:
    """All that can be reached from these."""
    met: dict[int, tuple[Any, str]] = {}
    held = [*Reach(met).walk([("given", v) for v in given if not isinstance(v, types.ModuleType)])]
    return [*(value for value, _ in met.values()), *(value for _, value in held)]


@by_type
def gives_only(kind: type) -> bool:
    """Whether what is of a type gives its items without a change: also what stands for such values here."""
    return kind in HOLDING or module_of(kind).startswith(OURS)


def changing(tracer: Tracer, value: Any, what: str, surely: bool = True) -> None:
    """This value may be about to change.

    Args:
        surely: whether it will, for all that is known, if nobody can ask.

    Raises:
        UnsupportedError: where a region is being recorded, and whether it does cannot be asked.
    """
    if not (tracer.tries.attempts or tracer.tries.moments):
        return
    if surely:
        heap.wake(tracer)
    if opaque.is_iterator(value):
        advance(tracer, value, what)
        return
    if not cores.may_change(value):
        return
    if is_module(type(value)) and id(value) not in tracer.outside.reach.modules:
        return
    state, place = None, here()
    for since in moments(tracer, value):
        if (touched := since.touched.get(id(value))) is not None:
            if surely or touched.place is None:
                touched.what, touched.place = what, place
            continue
        state = opaque.state(value) if state is None else state
        if state is None:
            return
        if state is not opaque.UNREADABLE:
            since.touched[id(value)] = Touched(value, state, what, place)
        elif surely:
            advance(tracer, value, what)
            return


def sets(tracer: Tracer, value: Any, what: str) -> None:
    """An attribute or item of this value is about to be set. What is in an object of a framework's nobody
    knows; of arrays see memory/constants.py.
    """
    changing(tracer, value, what)
    known = is_proxy(value) or is_way_in(value) or cores.may_change(value)
    if not known and cores.in_framework(type(value)):
        advance(tracer, value, what)


def moments(tracer: Tracer, value: Any) -> list[Since]:
    """Those than which a value is older."""
    alive = [since for since in (each() for each in tracer.tries.moments) if since is not None]
    outlives = id(value) in tracer.outside.met or id(value) in tracer.outside.heap.held
    return [since for since in (*tracer.tries.attempts, *alive) if outlives or since.is_older(value)]


def advance(tracer: Tracer, value: Any, what: str) -> None:
    """A value is about to change that cannot be put back.

    Raises:
        UnsupportedError: where a region is being recorded, which all turns or both ways would share;
            `tracer.tries.advanced` is that.
    """
    older = moments(tracer, value)
    if not older:
        return
    refusal, place = refused(value, what, here()), here()
    if any(since.region for since in older):
        tracer.tries.advanced = refusal
        raise refusal
    for since in older:
        since.touched[id(value)] = Touched(value, opaque.UNREADABLE, what, place)
        if since.loop is not None:
            since.loop.stageable = False
            since.loop.refusal = since.loop.refusal or refusal


def refused(value: Any, what: str, place: Place | None) -> UnsupportedError:
    kind = type(value)
    why = "only the running program knows whether it happens, and what is in "
    why += f"the {kind.__name__} is not followed there"
    if opaque.is_iterator(value) or isinstance(value, set):
        why = "how far it has gone would depend on the way taken"
        hint = "take the items before, or loop over them"
    elif isinstance(value, NUMBERS):
        hint = "use a list instead"
    elif opaque.is_generator(value):
        hint = "draw the numbers before, whichever way is taken"
    elif opaque.state(value) is opaque.UNREADABLE:
        hint = "do it before, whichever way is taken"
    else:
        hint = "keep what changes in a variable or a dict"
    place = place or own_place(current().stack.outermost)
    span = place.span if place is not None else None
    return UnsupportedError(f"{what} in a branch or loop", why=why, span=span, hint=hint)

"""Caches: functools.cache and lru_cache around functions of the user's, as Python keeps them. What the
user's own cache holds does not matter, and it is never asked or told.

Where it is not certain whether Python would find a result, it must not matter: the function is called anew,
may do nothing but give something, and what it gives stays as it is. So it is for keys that only the running
program knows, for what a branch, a turn of a loop or another function may have found before, and for what
outlives the call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.sizes.dim import Sym
from ...ir.values.tree import leaves
from ..memory.aliasing import Remembered
from ..memory.making import root
from ..objects.containers import items
from ..objects.heap import Heap
from ..objects.reach import reachable
from ..proxy import is_array_proxy, is_proxy, isinstance_scalar
from . import gathering, hashing, identity
from .kept import Kept, State, Token, is_certain, is_plain, origin, state, states_agree

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer

#: What is known of a cache whatever way was gone.
LASTING = ("counted", "fluid")


class Caches:
    """Those of one trace, and how what they hold is taken back."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.by_id: dict[int, Cache] = {}
        #: What undoes each change; the same of what stays when a way has ended; and all calls that were made.
        self.log: list[Callable[[], Any]] = []
        self.lasting: list[Callable[[], Any]] = []
        self.made: list[tuple[Cache, Kept]] = []
        #: What may be one object with another: the results that were made anew, by id.
        self.loose: dict[int, Any] = {}
        #: The arrays that were looked for, by id.
        self.sought: dict[int, Any] = {}
        self.clock = 0

    def of(self, wrapper: Any) -> Cache:
        found = self.by_id.get(id(wrapper))
        if found is None:
            found = self.by_id[id(wrapper)] = Cache(self, wrapper)
        return found

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def mark(self) -> tuple[int, int, int]:
        return len(self.log), len(self.made), len(self.lasting)

    def back(self, mark: tuple[int, int, int]) -> None:
        """Take back everything since a mark."""
        undo(self.log, mark[0])
        undo(self.lasting, mark[2])
        while len(self.made) > mark[1]:
            cache, kept = self.made.pop()
            cache.forget(kept)

    def leave(self, mark: tuple[int, int, int]) -> None:
        """A way has ended that was gone since a mark, or a function that has a graph of its own: nobody knows
        what it has left, but for what it does not matter of.
        """
        undo(self.log, mark[0])
        for cache, kept in self.made[mark[1] :]:
            if kept.sure and not kept.acted and not kept.before and is_plain(kept.result):
                cache.put(kept)

    def remembered(self) -> Iterator[tuple[str, Any]]:
        """The containers that they give again, though no variable may hold them."""
        for cache in self.by_id.values():
            yield from ((cache.name, kept.result) for kept in cache.held.values() if kept.held is not None)

    def may_be_one(self, a: Any, b: Any) -> bool:
        """Whether two different objects may be one while the program runs."""
        return id(a) in self.loose and id(b) in self.loose

    def same_array(self, value: Any) -> tuple[Any, bool]:
        """The array that was looked for before and is surely this one, and whether no other may be it."""
        tracer, sure = self.tracer, is_certain(self.tracer, value)
        if id(value) in self.sought:
            return self.sought[id(value)], sure
        for other in self.sought.values():
            if identity.same_object(tracer, value, other):
                self.sought[id(value)] = other
                return other, sure
        self.sought[id(value)] = value
        return value, sure


def undo(log: list[Callable[[], Any]], mark: int) -> None:
    while len(log) > mark:
        log.pop()()


class Cache:
    """What stands for one of the user's."""

    def __init__(self, caches: Caches, wrapper: Any) -> None:
        self.caches = caches
        self.tracer = caches.tracer
        self.wrapper = wrapper
        self.name: str = wrapper.__wrapped__.__name__
        parameters = wrapper.cache_parameters()
        self.maxsize: int | None = parameters["maxsize"]
        self.typed: bool = parameters["typed"]
        #: Whether it was there before the program was called.
        self.outlives = id(wrapper) in self.tracer.outside.met
        self.held: dict[Any, Kept] = {}
        self.hits = self.misses = 0
        #: Whether it can be told how often it was asked, and in which order.
        self.counted = not self.outlives
        #: Whether it forgets, and nobody knows what.
        self.fluid = False
        #: Calls that were made by key, also on ways that have ended; and those of keys that are not sure.
        self.known: dict[Any, list[Kept]] = {}
        self.unsure: list[Kept] = []

    # What changes, and can be taken back.

    def let(self, name: str, value: Any) -> None:
        before = getattr(self, name)
        if before is not value:
            log = self.caches.lasting if name in LASTING else self.caches.log
            log.append(lambda: setattr(self, name, before))
            setattr(self, name, value)

    def put(self, kept: Kept) -> None:
        before = self.held.get(kept.key)
        if before is None:
            self.caches.log.append(lambda: self.held.pop(kept.key, None))
        else:
            self.caches.log.append(lambda: self.held.__setitem__(kept.key, before))
        self.held[kept.key] = kept

    def use(self, kept: Kept) -> None:
        before = kept.used
        self.caches.log.append(lambda: setattr(kept, "used", before))
        kept.used = self.caches.tick()

    def forget(self, kept: Kept) -> None:
        among = self.known.get(kept.key, []) if kept.sure else self.unsure
        among[:] = [each for each in among if each is not kept]

    # What is asked of it.

    def clear(self) -> None:
        if self.region() is not None:
            raise self.refusal(f"{self.name}.cache_clear() in a branch or loop", "forget it before, or after")
        for name in ("held", "known"):
            self.let(name, {})
        self.let("unsure", [])
        self.let("hits", 0)
        self.let("misses", 0)
        self.let("counted", True)
        self.let("fluid", False)

    def info(self) -> Any:
        if not self.counted or self.region() is not None:
            raise self.refusal(f"{self.name}.cache_info()", "count the calls yourself")
        return functools._CacheInfo(self.hits, self.misses, self.maxsize, len(self.held))

    def call(self, hooks: Tracing, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the function gives, remembered or anew.

        Raises:
            UnsupportedError: where it matters which, and only the running program knows.
        """
        region = self.region()
        if region is not None:
            self.let("counted", False)
        if self.maxsize == 0:
            self.let("misses", self.misses + 1)
            return hooks.call(self.wrapper.__wrapped__, *args, **kwargs)
        key, sure = self.key(args, kwargs)
        found = self.held.get(key)
        if found is not None and not self.in_sight(found):
            found = None
        if found is not None:
            if self.fluid and not states_agree(found.before, state(self.wrapper, (*args, *kwargs.values()))):
                raise self.refusal(f"what {self.name}() remembers")
            self.let("hits", self.hits + 1)
            self.use(found)
            return found.result
        self.let("misses", self.misses + 1)
        if not sure:
            self.let("counted", False)
        return self.anew(hooks, key, sure, region, args, kwargs)

    def anew(
        self, hooks: Tracing, key: Any, sure: bool, region: int | None, args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        before = state(self.wrapper, (*args, *kwargs.values()))
        if region is not None and self.varies(before, region):
            raise self.refusal(f"what {self.name}() remembers of a branch or loop")
        others = self.others(key, sure)
        differs = (not states_agree(other.before, before) for other in others)
        if any(other.acted or other.is_written() for other in others) or any(differs):
            raise self.refusal(f"what {self.name}() remembers")
        open_ = region is not None or not sure or bool(others)
        moment = gathering.moment(self.tracer)
        result = hooks.call(self.wrapper.__wrapped__, *args, **kwargs)
        acted = gathering.acted(self.tracer, moment)
        if acted and (open_ or self.outlives):
            raise self.refusal(f"{self.name}(), which prints or changes something, under a cache")
        nodes = [(v, node) for v in leaves((args, kwargs, result)) if (node := origin(v)) is not None]
        held = None if is_proxy(result) or is_plain(result) else Heap([(self.name, result)])
        kept = Kept(key, sure, result, acted, before, nodes, held, self.caches.tick())
        self.remember(kept)
        if open_ or self.outlives:
            self.freeze(kept, open_)
        for other in others:
            self.freeze(other, True)
        return result

    def remember(self, kept: Kept) -> None:
        """Put it where it is found; the oldest goes where there is no room."""
        full = self.maxsize is not None and len(self.held) >= self.maxsize and kept.key not in self.held
        if full and not self.fluid and self.counted:
            oldest = min(self.held.values(), key=lambda each: each.used)
            self.let("held", {k: v for k, v in self.held.items() if v is not oldest})
            known = {k: v for k, v in self.known.items() if k != oldest.key}
            self.let("known", known)
        elif full and not self.fluid:
            every = self.every()
            if kept.acted or any(each.acted or each.is_written() for each in every):
                raise self.refusal(f"what {self.name}() forgets of more than {self.maxsize} results")
            self.let("fluid", True)
            for each in (*every, kept):
                self.freeze(each, True)
        elif self.fluid and kept.acted:
            raise self.refusal(f"{self.name}(), which prints or changes something, under a cache")
        self.put(kept)
        if kept.sure:
            self.known.setdefault(kept.key, []).append(kept)
        else:
            self.unsure.append(kept)
        self.caches.made.append((self, kept))

    # Keys.

    def key(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, bool]:
        """What the result is looked for by, and whether it is known which others are equal.

        Raises:
            TypeError: where it cannot be hashed.
            UnsupportedError: for a number of NumPy's, which finds what another call of an equal one gave, of
                whatever dtype.
        """
        unsure: list[Any] = []

        def stand_in(value: Any) -> Any:
            if is_proxy(value):
                token, sure = self.token(value)
                unsure.extend(() if sure else (value,))
                return token
            if type(value) is not tuple:
                return value
            return tuple(map(stand_in, value))

        given = tuple(map(stand_in, args))
        named = {name: stand_in(value) for name, value in kwargs.items()}
        key = functools._make_key(given, named, self.typed)
        hash(key)
        return key, not unsure

    def token(self, value: Any) -> tuple[Token, bool]:
        if isinstance_scalar(value):
            expression = value.spec.value
            known = isinstance(expression, Sym)
            return Token(value, (value.spec.type, expression) if known else id(value)), False
        hashing.keyed(self.tracer, value, f"call {self.name}.__wrapped__, which keeps nothing")
        if not self.tracer.backend.hashed_by_identity:
            return Token(value, id(value)), False
        found, sure = self.caches.same_array(value)
        if not sure and self.region() is not None:
            raise self.refusal(f"what {self.name}() remembers of a branch or loop")
        return Token(found, id(found)), sure

    def others(self, key: Any, sure: bool) -> list[Kept]:
        """The calls that were made with keys that may equal this one."""
        if self.fluid or not sure:
            return self.every()
        return [*self.known.get(key, ()), *self.unsure]

    def every(self) -> list[Kept]:
        return [*(kept for several in self.known.values() for kept in several), *self.unsure]

    # Where it is asked.

    def region(self) -> int | None:
        """The number of the scope inside which it may be found in another state than it is in now: the
        outermost branch, loop or function with a graph of its own that is younger than it.
        """
        attempts = [attempt for attempt in self.tracer.tries.attempts if attempt.loop is None]
        for number, attempt in enumerate(attempts, 1):
            if self.outlives or id(self.wrapper) in attempt.before.met:
                return number
        return None

    def in_sight(self, kept: Kept) -> bool:
        """Whether what was found can be used in the function that is open."""
        graphs = set(own_graphs(self.tracer))
        return all(node.graph in graphs for _, node in kept.nodes)

    def varies(self, before: State, region: int) -> bool:
        """Whether any of it was made in the branch, or is another in each turn of the loop."""
        graphs = [scope.graph for scope in self.tracer.scopes[region:]]
        for container, _, _ in before.values():
            for _, value in items(container):
                node = origin(value)
                if node is not None and node.graph in graphs:
                    return True
        return False

    def freeze(self, kept: Kept, open_: bool) -> None:
        """See to it that a result stays what it is; `open_`: there may be another for an equal key."""
        tracer = self.tracer
        parts = [*leaves(kept.result)]
        for value in [v for v, _ in kept.nodes] if open_ else parts:
            if tracer.framework.aliasing and is_array_proxy(value):
                tracer.leak(value, Remembered(f"{self.name}()"))
        for value in parts:
            if not is_proxy(value) and tracer.framework.is_array(value):
                tracer.memory.making.known.pop(id(root(value)), None)
        if kept.held is not None:
            tracer.outside.look([(self.name, kept.result)])
        if open_:
            for value in filter(is_array_proxy, parts):
                value.node.meta["again"] = True
            made = [*(value for _, value in reachable([("", kept.result)])), *parts]
            self.caches.loose.update({id(v): v for v in made if not is_plain(v)})

    def refusal(self, what: str, hint: str = "") -> UnsupportedError:
        """The error, after which a loop is left to Python, and a function has no graph of its own."""
        error = UnsupportedError(
            what,
            why="calls of equal arguments are left out, and which are only the running program knows"
            if not self.outlives
            else "calls of equal arguments are left out, those of earlier calls of the program included",
            span=self.tracer.span(),
            hint=hint or f"call {self.name}.__wrapped__ where each call counts",
        )
        if self.region() is not None:
            self.tracer.tries.advanced = error
        return error


def own_graphs(tracer: Tracer) -> Iterator[Any]:
    """The open graphs of the function that runs."""
    for scope in reversed(tracer.scopes):
        yield scope.graph
        if not scope.graph.meta.get("branch"):
            return

"""Programs that change what outlives the call, each in another way to get at it: for test_reach.py.

What is changed is `state`, a list; each row gives a program and the words by which an error names what it is.
"""

from __future__ import annotations

import collections
import contextvars
import dataclasses
import functools
import queue
import types
from collections.abc import Callable
from typing import Any

import numpy as np


def bump(state: list[int]) -> int:
    state.append(1)
    return len(state)


def by_base(state: Any) -> Any:
    class Base:
        kept = state

    class Derived(Base):
        def count(self) -> int:
            return bump(self.kept)

    return lambda x: x * Derived().count()


def by_partial(state: Any) -> Any:
    held = functools.partial(lambda kept, x: x * bump(kept), state)
    return lambda x: held(x)


def by_keyword_of_a_partial(state: Any) -> Any:
    held = functools.partial(lambda x, kept: x * bump(kept), kept=state)
    return lambda x: held(x)


def by_static_method(state: Any) -> Any:
    class Holder:
        @staticmethod
        def go(x: Any, kept: Any = state) -> Any:
            return x * bump(kept)

    return lambda x: Holder.go(x)


def by_class_method(state: Any) -> Any:
    class Holder:
        @classmethod
        def go(cls, x: Any) -> Any:
            return x * bump(state)

    return lambda x: Holder.go(x)


def by_property(state: Any) -> Any:
    class Holder:
        @property
        def count(self, kept: Any = state) -> int:
            return bump(kept)

    held = Holder()
    return lambda x: x * held.count


def by_cached_function(state: Any) -> Any:
    @functools.lru_cache
    def count(n: int, kept: Any = state) -> int:
        return bump(kept)

    return lambda x: x * count(x.shape[0])


def by_decorator(state: Any) -> Any:
    def decorated(fn: Any) -> Any:
        @functools.wraps(fn)
        def inner(x: Any) -> Any:
            return fn(x) * bump(state)

        return inner

    return decorated(lambda x: x + 1)


def by_descriptor(state: Any) -> Any:
    class Descriptor:
        def __init__(self) -> None:
            self.held = state

        def __get__(self, owner: Any, kind: Any) -> int:
            return bump(self.held)

    class Holder:
        count = Descriptor()

    held = Holder()
    return lambda x: x * held.count


def by_bound_method(state: Any) -> Any:
    class Holder:
        def go(self, x: Any) -> Any:
            return x * bump(self.kept)  # type: ignore[attr-defined]

    held = Holder()
    held.kept = state  # type: ignore[attr-defined]
    go = held.go
    return lambda x: go(x)


def by_proxy_of_a_dict(state: Any) -> Any:
    held = types.MappingProxyType({"kept": state})
    return lambda x: x * bump(held["kept"])


def by_vectorized(state: Any) -> Any:
    held = np.vectorize(lambda v: bump(state))
    return lambda x: x * held.pyfunc(1)


REACHED: list[Callable[[Any], Any]] = [
    by_base, by_partial, by_keyword_of_a_partial, by_static_method, by_class_method, by_property,
    by_cached_function, by_decorator, by_descriptor, by_bound_method, by_proxy_of_a_dict,
    by_vectorized,
]  # fmt: skip

#: What Python runs by itself, of a class whose method it is: `use(thing, x)`, and nothing rewrites it.
SEEN: list[int] = []


def tell(*_: Any) -> int:
    SEEN.append(1)
    return len(SEEN)


@dataclasses.dataclass
class Posted:
    value: Any

    def __post_init__(self) -> None:
        SEEN.append(2)


@dataclasses.dataclass
class Made:
    value: list[int] = dataclasses.field(default_factory=lambda: [tell()])


class Missing(dict[str, Any]):
    def __missing__(self, key: str) -> int:
        return tell()


class Told:
    """A class whose methods tell."""

    def __getattr__(self, name: str) -> int:
        return tell()

    def __len__(self) -> int:
        return min(tell(), 3)

    def __bool__(self) -> bool:
        return tell() > 0

    def __iter__(self) -> Any:
        return iter([tell()])

    def __eq__(self, other: Any) -> bool:
        return tell() > 0

    def __hash__(self) -> int:
        return tell()

    def __lt__(self, other: Any) -> bool:
        return tell() > 0

    def __radd__(self, other: Any) -> int:
        return tell()

    def __format__(self, form: str) -> str:
        return str(tell())

    def __contains__(self, item: Any) -> bool:
        return tell() > 0

    def __index__(self) -> int:
        return tell()


class Old:
    def __getitem__(self, place: int) -> int:
        if place > 1:
            raise IndexError
        return tell()


class New:
    count = 0

    def __new__(cls) -> New:
        cls.count += 1
        return super().__new__(cls)


UNHOOKED: list[Callable[[Any], Any]] = [
    lambda x: x * len([Posted(x)]),
    lambda x: x * len(Made().value),
    lambda x: x * Missing()["k"],
    lambda x: x * collections.defaultdict(tell)["k"],
    lambda x: x * Told().name,
    lambda x: x * len(Told()),
    lambda x: x * 2 if Told() else x,
    lambda x: x * list(Told())[0],
    lambda x: x * ([Told()].index(Told()) + 1),
    lambda x: x * len({Told(): 1}),
    lambda x: x * len(sorted([Told(), Told()])),
    lambda x: x * sum([Told()]),  # type: ignore[list-item]
    lambda x: x * int(f"{Told()}"),
    lambda x: x * 2 if 1 in Told() else x,
    lambda x: x * [0, 5, 6, 7, 8][Told()],
    lambda x: x * list(Old())[0],
    lambda x: x * New().count,
]

COUNT = 0
VARIABLE: contextvars.ContextVar[int] = contextvars.ContextVar("VARIABLE", default=0)
USERS_LIST, USERS_DICT = collections.UserList([1]), collections.UserDict({"n": 1})
CHAIN: Any = collections.ChainMap({"n": 1})
QUEUE: queue.Queue[int] = queue.Queue()


def counts(x: Any) -> Any:
    global COUNT
    COUNT += 1
    return x * COUNT


def counts_by_dict(x: Any) -> Any:
    globals()["COUNT"] += 1
    return x * COUNT


def closing() -> Any:
    count = 0

    def program(x: Any) -> Any:
        nonlocal count
        count += 1
        return x * count

    return program


def lists(x: Any) -> Any:
    USERS_LIST.append(1)
    return x * len(USERS_LIST)


def dicts(x: Any) -> Any:
    USERS_DICT["n"] += 1
    return x * USERS_DICT["n"]


def chains(x: Any) -> Any:
    CHAIN["n"] += 1
    return x * CHAIN["n"]


def queues(x: Any) -> Any:
    QUEUE.put(1)
    return x * 2


def names(x: Any) -> Any:
    names.count += 1  # type: ignore[attr-defined]
    return x


names.count = 0  # type: ignore[attr-defined]


def annotates(x: Any) -> Any:
    annotates.__annotations__["z"] = annotates.__annotations__.get("z", 0) + 1
    return x


def helper(x: Any, log: list[int] = []) -> Any:
    log.append(1)
    return x * len(log)


def news(x: Any) -> Any:
    return x * New().count


def sets(x: Any) -> Any:
    VARIABLE.set(VARIABLE.get() + 1)
    return x + VARIABLE.get()


#: Each with what an error says, and the user's line.
SAID: list[tuple[Callable[[Any], Any], str, str]] = [
    (counts, "changing the global `COUNT`", "COUNT += 1"),
    (counts_by_dict, "changing the global `COUNT`", 'globals()["COUNT"] += 1'),
    (closing(), "changing the variable `count`", "count += 1"),
    (lists, "changing the UserList `USERS_LIST`", "USERS_LIST.append(1)"),
    (dicts, "changing the UserDict `USERS_DICT`", 'USERS_DICT["n"] += 1'),
    (chains, "changing the ChainMap `CHAIN`", 'CHAIN["n"] += 1'),
    (queues, "changing the Queue `QUEUE`", "QUEUE.put(1)"),
    (names, "changing the function `names`", "names.count += 1"),
    (annotates, "changing the dict `__annotations__`", 'annotates.__annotations__["z"] ='),
    (lambda x: helper(x), "changing the list `log`", "log.append(1)"),
    (news, "changing the class `New`", "cls.count += 1"),
    (sets, "changing the ContextVar `VARIABLE`", "VARIABLE.set(VARIABLE.get() + 1)"),
]

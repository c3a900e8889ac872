"""Standing: while a trace runs, functions of ours stand in the user's classes for the methods there.

Python itself calls many of them: `__bool__` for an `if`, `__hash__` for a dict, `__lt__` in sorted(), and
so does the code of libraries. Whoever calls one runs it rewritten, so that what it asks is seen. The program
gets to see nothing of ours: `original` and `members` say what it has there.
"""

from __future__ import annotations

import functools
import linecache
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from ..place import GATES, is_ours, is_own, loose_gate, users_own
from ..proxy import ACTIVE

#: What is called whenever somebody asks for the class of an object, as we do ourselves.
ASKING = frozenset({"__getattribute__", "__getattr__"})
#: What Python calls at any time, and keeps the exceptions of.
LEFT_ALONE = frozenset({"__del__"})


def standing(fn: Any, name: str) -> Callable[..., Any]:
    """What stands in a class for a function that it has under a name. Other threads get the function."""
    thread = threading.get_ident()

    @functools.wraps(fn)
    @loose_gate
    def method(*args: Any, **kwargs: Any) -> Any:
        if not ACTIVE or threading.get_ident() != thread or name in ASKING and is_by_us():
            return fn(*args, **kwargs)
        return ACTIVE[-1].hooks.method(fn, name, args, kwargs)

    return method


def is_by_us() -> bool:
    """Whether the caller's caller is code of ours that does not stand in for the program's."""
    code = sys._getframe(2).f_code
    return is_ours(code.co_filename) and code not in GATES


#: The code that they have in common.
CODE = getattr(standing(is_by_us, ""), "__code__")


def original(value: Any) -> Any:
    """What the program has there: the user's function for one that stands for it, else the value."""
    if type(value) is types.FunctionType and value.__code__ is CODE:
        return getattr(value, "__wrapped__")
    if type(value) is types.MethodType and type(value.__func__) is types.FunctionType:
        function = original(value.__func__)
        return value if function is value.__func__ else types.MethodType(function, value.__self__)
    return value


def members(kind: type) -> dict[str, Any]:
    """What the program has in a class, by name."""
    return {name: original(value) for name, value in vars(kind).items()}


def member(kind: type, name: str) -> Any:
    """What the program finds in a class under a name, or in its bases; None where there is nothing."""
    for base in kind.__mro__:
        if name in vars(base):
            return original(vars(base)[name])
    return None


class Standing:
    """The classes in which ours stand, till the trace has ended."""

    def __init__(self) -> None:
        self.classes: dict[int, type] = {}
        self.put: list[tuple[type, str, Any]] = []

    def enter(self, kind: type) -> None:
        """Let ours stand in a class of the user's, and in those that it is made of."""
        if id(kind) in self.classes:
            return
        for base in kind.__mro__:
            if id(base) in self.classes:
                continue
            self.classes[id(base)] = base
            for name, value in list(vars(base).items()) if is_own(base.__module__) else ():
                if type(value) is types.FunctionType and name not in LEFT_ALONE and is_seen(value):
                    made = standing(value, name)
                    type.__setattr__(base, name, made)
                    self.put.append((base, name, made))

    def leave(self) -> None:
        for kind, name, made in self.put:
            if vars(kind).get(name) is made:
                type.__setattr__(kind, name, original(made))
        self.put.clear()


def is_seen(fn: types.FunctionType) -> bool:
    """Whether a function is the user's, and its text is to be had. What dataclasses write for one is not."""
    return fn.__code__ is not CODE and users_own(fn) and has_text(fn.__code__.co_filename)


@functools.cache
def has_text(file: str) -> bool:
    return bool(linecache.getlines(file))

"""Standing: while a trace runs, functions of ours stand in the user's classes for the methods there, and
within the properties and class methods.

Python itself calls many of them: `__bool__` for an `if`, `__hash__` for a dict, `__lt__` in sorted(), and
so does the code of libraries. Whoever calls one runs it rewritten, so that what it asks is seen. The program
gets to see nothing of ours: `original` and `members` say what it has there.
"""

from __future__ import annotations

import dis
import functools
import linecache
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from ..place import GATES, is_ours, is_own, loose_gate, module_of, users_own
from ..proxy import ACTIVE

#: What a class says of itself that is not written in C.
MADE_BY_CODE = 1 << 9
#: What is called whenever somebody asks for the class of an object, as we do ourselves.
ASKING = frozenset({"__getattribute__", "__getattr__"})
#: What Python calls at any time, and keeps the exceptions of.
LEFT_ALONE = frozenset({"__del__"})
#: What tells Python by an exception that there is no more, or no such thing.
CAUGHT = frozenset({"__next__", "__getitem__", "__missing__", "__len__", "__length_hint__"}) | ASKING


def standing(fn: Any, name: str) -> Callable[..., Any]:
    """What stands in a class for a function that it has under a name. Other threads get the function."""
    thread = threading.get_ident()

    @functools.wraps(fn)
    @loose_gate
    def method(*args: Any, **kwargs: Any) -> Any:
        if not ACTIVE or threading.get_ident() != thread:
            return fn(*args, **kwargs)
        if name in ASKING and is_by_us():
            value, asked = args
            return answered(value, asked, name)
        return ACTIVE[-1].hooks.method(fn, name, args, kwargs)

    return method


def answered(value: Any, name: str, asked: str) -> Any:
    """What we get of an object of the user's for a name: what it has, without his method, which must not
    notice. His program may never ask, and the method do anything; where it was made while tracing, it tells
    the hooks, which may ask again.
    """
    if asked == "__getattr__":
        raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")
    base: Any = type if issubclass(type(value), type) else object
    return base.__getattribute__(value, name)


def is_by_us() -> bool:
    """Whether the caller's caller is code of ours that does not stand in for the program's, or Python's own
    that we called: what tells of an abstract class.
    """
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith("<frozen "):
        frame = frame.f_back
    return frame is not None and is_ours(frame.f_code.co_filename) and frame.f_code not in GATES


#: The code that they have in common.
CODE = getattr(standing(is_by_us, ""), "__code__")
#: What holds functions in a class that are no plain methods, and where.
HOLDERS: dict[type, tuple[str, ...]] = {
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
}
#: Where a function that stands within one of these has what its class had there.
HELD_BY = "_held_by"


def stands(value: Any) -> bool:
    """Whether a value is a function that stands for one of the user's."""
    return type(value) is types.FunctionType and value.__code__ is CODE


def parts(holder: Any) -> list[Any]:
    """The functions that a property, or a method of another kind, is made of."""
    return [getattr(holder, name) for name in HOLDERS[type(holder)]]


def stand_in(value: Any, name: str) -> Any:
    """What stands in a class for what it has under a name; that itself where nothing need."""
    if type(value) is types.FunctionType:
        return standing(value, name) if is_seen(value) else value
    if type(value) not in HOLDERS:
        return value
    found = parts(value)
    made = [standing(f, name) if type(f) is types.FunctionType and is_seen(f) else f for f in found]
    if made == found:
        return value
    for function in filter(stands, made):
        setattr(function, HELD_BY, value)
    holder: Any = type(value)(*made)
    if type(value) is functools.cached_property:
        holder.attrname = value.attrname
    return holder


def original(value: Any) -> Any:
    """What the program has there: the user's function for one that stands for it, else the value."""
    if stands(value):
        return getattr(value, "__wrapped__")
    if type(value) in HOLDERS:
        return next((getattr(f, HELD_BY) for f in filter(stands, parts(value))), value)
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

    def own(self, kind: type) -> list[type]:
        """The user's classes among those that one is made of. One that `exec` makes may say of itself that it
        is Python's.
        """
        made = (base for base in kind.__mro__ if base.__flags__ & MADE_BY_CODE)
        return [base for base in made if is_own(module_of(base)) or base.__module__ == "builtins"]

    def enter(self, kind: type) -> bool:
        """Let ours stand in a class of the user's, and in those that it is made of. Returns whether that is
        new.
        """
        if id(kind) in self.classes:
            return False
        for base in kind.__mro__:
            if id(base) in self.classes:
                continue
            self.classes[id(base)] = base
            for name, value in list(vars(base).items()) if is_own(module_of(base)) else ():
                made = value if name in LEFT_ALONE else stand_in(value, name)
                if made is not value:
                    type.__setattr__(base, name, made)
                    self.put.append((base, name, made))
        return True

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


def may_be_caught(fn: types.FunctionType, name: str) -> bool:
    """Whether a method raises what Python, which calls it, may catch: no way of a recorded program."""
    return name in CAUGHT and raises(fn.__code__)


@functools.cache
def raises(code: types.CodeType) -> bool:
    return any(instruction.opname == "RAISE_VARARGS" for instruction in dis.get_instructions(code))

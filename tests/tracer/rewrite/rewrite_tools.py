"""What the tests of the rewriter share: hooks that tell what they are asked, and all that a call shows."""

from __future__ import annotations

import copy
import linecache
import re
import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from tracelate.tracer.rewrite import Plain, rewrite


class Slow(Plain):
    """Plain, but every hook is a frame of Python's, as a tracer's are."""


def _slowly(name: str) -> Callable[..., Any]:
    plain = getattr(Plain(), name)

    def hook(self: Slow, /, *args: Any, **kwargs: Any) -> Any:
        return plain(*args, **kwargs)

    return hook


for _name in "call star dstar function getattr_ setattr_ getitem setitem is_ truth iter_".split():
    setattr(Slow, _name, _slowly(_name))


class Seen(Plain):
    """Writes down each hook that is asked, and the text of the user's that it stands for."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __getattribute__(self, name: str) -> Any:
        hook = super().__getattribute__(name)
        if name.startswith("_") or name in ("calls", "texts", "codes"):
            return hook

        def seen(*args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            if "tracer/rewrite/hooks.py" not in frame.f_code.co_filename:
                self.calls.append((name, text_at(frame), *args))
            return hook(*args, **kwargs)

        return seen

    def texts(self, name: str) -> list[str]:
        return [call[1] for call in self.calls if call[0] == name]


def text_at(frame: types.FrameType) -> str:
    line, end_line, column, end_column = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    assert None not in (line, end_line, column, end_column)
    lines = linecache.getlines(frame.f_code.co_filename)[line - 1 : end_line]
    lines[-1] = lines[-1].encode()[:end_column].decode()
    lines[0] = lines[0].encode()[column:].decode()
    return "".join(lines)


def plain_text(value: object) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", repr(value))


def outcome(fn: types.FunctionType, *args: Any, **kwargs: Any) -> Any:
    """What a call returns or raises, and where in the file of `fn`; our thunks are part of their function."""
    args, kwargs = copy.deepcopy((args, kwargs))
    try:
        value = fn(*args, **kwargs)
        if isinstance(value, types.GeneratorType):
            value = list(value)
    except Exception as error:
        places: list[tuple[str, int]] = []
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == fn.__code__.co_filename:
                if places and places[-1][0] == frame.f_code.co_qualname:
                    places.pop()
                places.append((frame.f_code.co_qualname, line))
        return type(error), plain_text(error.args), places, type(error.__context__), plain_text(args)
    return plain_text(value), plain_text(args)


class Formed(Plain):
    """Writes down each construct that is formed, and why any other is not."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.whys: list[str] = []
        self.turns: list[Any] = []

    def if_(self, test: Any, then: Any, orelse: Any, state: Any, names: Any, /) -> Any:
        self.calls.append(("if", names, state))
        return super().if_(test, then, orelse, state, names)

    def while_(self, test: Any, body: Any, orelse: Any, state: Any, names: Any, /) -> Any:
        self.calls.append(("while", names, state))
        return super().while_(test, self.told(body), orelse, state, names)

    def for_(self, iterable: Any, body: Any, orelse: Any, state: Any, names: Any, /) -> Any:
        self.calls.append(("for", names, state))
        return super().for_(iterable, self.told(body), orelse, state, names)

    def truth(self, value: Any, why: str = "", /) -> bool:
        self.whys += [why] if why else []
        return bool(value)

    def told(self, body: Any) -> Any:
        def turn(*args: Any) -> Any:
            result = body(*args)
            self.turns.append((*args, result))
            return result

        return turn


def formed(fn: Any, *args: Any) -> Formed:
    """The constructs that a call runs into; that it does what it did goes without saying."""
    hooks = Formed()
    assert rewrite(fn, hooks)(*args) == fn(*args)
    return hooks

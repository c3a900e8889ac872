"""Changes: what an error says of what a program changes and outlives the call: what, where, and the way out.

The user's line is where code that is rewritten last touched it. What Python runs by itself, `__len__` or a
`global` statement, tells nobody: then the code that was reached says where it may be.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.source.span import Span
from ..place import Place, own_file
from . import special_methods
from .containers import is_module, is_object


@dataclass(slots=True, eq=False)
class Changed:
    """What an emitted function would have to change as well.

    Attributes:
        kind, name: what the user calls it. keys: the attributes or keys that are others now.
    """

    kind: str
    name: str
    value: Any = None
    span: Span | None = None
    keys: list[Any] = field(default_factory=list)

    def found(self, codes: Iterable[types.CodeType]) -> Changed:
        """The same with a line of the user's, if one can be found."""
        if self.span is None:
            if self.kind == "global":
                self.span = stored(codes, {self.name}, "GLOBAL")
            elif self.kind == "cell":
                self.span = stored(codes, {self.name}, "DEREF")
            elif isinstance(self.value, (type, types.FunctionType)) or is_object(self.value):
                self.span = stored(codes, self.keys, "ATTR")
            if self.kind in ("setting", "generator"):
                self.span = changing(codes, self.keys) or stored(codes, self.keys, "ATTR")
            self.span = self.span or changing(codes, {self.name, getattr(self.name, "key", self.name)})
        return self


def stored(codes: Iterable[types.CodeType], names: Collection[Any], how: str) -> Span | None:
    """Where code binds one of the names anew."""
    for code in every(codes):
        for each in dis.get_instructions(code):
            if each.opname in (f"STORE_{how}", f"DELETE_{how}") and each.argval in names:
                return Place(code, each.offset, 0).span
    return None


#: How code changes what it has just read, and within how many instructions.
CHANGING = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_ATTR", "LOAD_METHOD", "CALL")
NEAR = 8


def changing(codes: Iterable[types.CodeType], names: Collection[Any]) -> Span | None:
    """Where code may change what has one of the names."""
    for code in every(codes):
        instructions = list(dis.get_instructions(code))
        for i, each in enumerate(instructions):
            if each.opname.startswith("LOAD_") and each.argval in names:
                if any(after.opname in CHANGING for after in islice(instructions, i + 1, i + NEAR)):
                    return Place(code, each.offset, 0).span
    return None


def every(codes: Iterable[types.CodeType]) -> Iterable[types.CodeType]:
    """The user's own code among these, and what stands in it; the likeliest first."""
    for code in sorted(codes, key=lambda code: code.co_name == "__init__"):  # which changes what is new
        if own_file(code.co_filename):
            yield code
            yield from every(constant for constant in code.co_consts if isinstance(constant, types.CodeType))


#: How an error says it, by kind, and the way out.
CHANGES = {
    "setting": ("changing the setting", "leave it out of the traced function"),
    "iterator": ("taking items from the iterator", "give a list, or make the iterator within the function"),
    "generator": (
        "drawing random numbers from, or seeding,",
        "seed it before, and give the numbers as arguments",
    ),
    "cell": ("changing the variable", "return what is new instead"),
}
NEW = {"dict": "a new dict, {{**{0}, key: value}}", "list": "a new list, [*{0}, value]"}
OUTLIVES = "it outlives the call, and the emitted function would not change it"


def refusal(change: Changed) -> UnsupportedError:
    kind, name = change.kind, change.name
    usual = f"changing the {kind}", f"return {NEW.get(kind, 'what is new').format(name)} instead"
    what, hint = CHANGES.get(kind, usual)
    if is_module(type(change.value)):
        hint = "do it before, where the function is called"
    for key in change.keys:
        if isinstance(special_methods.declared(change.value, key), functools.cached_property):
            hint = f"ask for `{name}.{key}` before it is traced, so that it is a constant"
    return UnsupportedError(f"{what} `{name}`", why=OUTLIVES, span=change.span, hint=hint)


def unreadable(kind: str, name: str, span: Span | None) -> UnsupportedError:
    return UnsupportedError(
        f"using the {kind} `{name}`",
        why="it outlives the call, and whether that changes it cannot be asked",
        span=span,
        hint="use it before, and give what comes of it as an argument",
    )

"""`"..." % values` and `"...".format(values)`: texts like those of f-strings, see printing.py."""

from __future__ import annotations

import operator
import re
import string
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.static import in_words
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ..printing import convert, formatted, is_open, is_recorded, marked, spelled
from ..proxy import Shape, isinstance_scalar
from ..rewrite.runtime import ALONE, ONE
from ..trying.catching import may_catch
from ..values import list_rows

if TYPE_CHECKING:
    from ..tracer import Tracer
    from .hooks import Tracing

#: `%(name)-08.3f`: name, flags, width and precision, kind.
FIELD = re.compile(
    r"%(?:\((?P<name>[^)]*)\))?(?P<flags>[-+ #0]*)(?P<size>\d*(?:\.\d*)?)[hlL]?(?P<kind>[a-zA-Z%])"
)
#: The kinds that a number of each type may be said in.
KINDS = {"bool": "dixXo", "int": "dixXo", "uint": "dixXo", "float": ""}
FLOATS = "eEfFgG"
BUILTIN = type(len)


def has_open(values: Any) -> bool:
    """Whether only the running program knows some of the values."""
    return any(map(is_open, leaves(values)))


def worded(hooks: Tracing, f: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str | None:
    """What `str(x)` or `text.format(x)` gives of what only the running program knows; else None."""
    if (f is str or f is repr) and len(args) == 1 and is_open(args[0]):
        return formatted(hooks.tracer, args[0], f.__name__[0], "")
    if (f is str or f is repr or f is ascii or f is format) and has_open(args):
        found: str = spelled(hooks.tracer, f, *args)
        return found
    text: Any = getattr(f, "__self__", None) if type(f) is BUILTIN else None
    if isinstance(text, str) and f.__name__ == "format" and has_open((args, kwargs)):
        made: str = marked(hooks.tracer, format_(hooks, text, args, kwargs))
        return made
    return None


class Formatter(string.Formatter):
    """`str.format`, with marks for what only the running program knows."""

    def __init__(self, hooks: Tracing) -> None:
        self.hooks = hooks

    def convert_field(self, value: Any, conversion: Any) -> Any:
        if is_open(value):
            return value, conversion
        return spelled(self.hooks.tracer, super().convert_field, value, conversion)

    def format_field(self, value: Any, format_spec: str) -> Any:
        if isinstance(value, tuple) and len(value) == 2 and is_open(value[0]):
            return formatted(self.hooks.tracer, value[0], value[1], format_spec)
        return spelled(self.hooks.tracer, format, value, format_spec)

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if re.search(r"[.\[]", field_name):
            raise refused(self.hooks.tracer, "str.format()", f"{{{field_name}}} looks into a value")
        return super().get_field(field_name, args, kwargs)


def format_(hooks: Tracing, text: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """`text.format(*args, **kwargs)`"""
    return Formatter(hooks).vformat(text, args, kwargs)


def percent(hooks: Tracing, text: str, values: Any) -> str:
    """`text % values`"""
    named = values if isinstance(values, Mapping) else None
    waiting = list(values if isinstance(values, tuple) else (values,))

    def field(found: re.Match[str]) -> str:
        if found["kind"] == "%":
            return "%"
        if named is None and not waiting:
            raise TypeError("not enough arguments for format string")
        value = waiting.pop(0) if named is None else named[found["name"]]
        if not is_open(value):
            plain = found[0].replace(f"({found['name']})", "")
            return str(spelled(hooks.tracer, operator.mod, plain, (value,)))
        conversion, spec = said(hooks, found, value)
        return convert(hooks, value, conversion, spec)

    if text.count("%") != sum(1 + (f["kind"] == "%") for f in FIELD.finditer(text)):
        raise refused(hooks.tracer, "% of a string", "what stands behind a % is not known")
    made = FIELD.sub(field, text)
    if named is None and waiting:
        raise TypeError("not all arguments converted during string formatting")
    return made


def said(hooks: Tracing, found: re.Match[str], value: Any) -> tuple[str | None, str]:
    """A field as an f-string says it: its conversion and format."""
    flags, size, kind = found["flags"], found["size"], found["kind"]
    left = "-" in flags
    if kind in "sra" and "." not in size:
        return kind, ("<" if left else ">" if size else "") + size
    spec = value.spec if isinstance_scalar(value) else value.node.spec
    known = spec.dtype.kind if isinstance(spec, Spec) and spec.dtype else getattr(spec, "type", None)
    number = known.__name__ if isinstance(known, type) else str(known)
    alone = not isinstance(spec, Spec) or spec.shape == ()
    if not alone or kind not in FLOATS + KINDS.get(number, ""):
        hint = "give it int(...) of the value" if kind in "di" else "write it as an f-string"
        raise refused(hooks.tracer, f"{found[0]} of {in_words(spec)}", "no f-string says that so", hint)
    sign = "+" if "+" in flags else " " if " " in flags else ""
    zero = "0" if "0" in flags and not left else ""
    rest = ("#" if "#" in flags else "") + zero + size + {"i": "d"}.get(kind, kind)
    return None, ("<" if left else "") + sign + rest


def refused(tracer: Tracer, what: str, why: str, hint: str = "write it as an f-string") -> UnsupportedError:
    return UnsupportedError(what, why=why, span=tracer.span(), hint=hint)


def in_error(hooks: Tracing, value: Any, conversion: str | None, spec: str) -> str:
    """`{value!conversion:spec}` of an f-string that an exception is given, or `%spec`. What a branch raises
    may never be raised, so that numbers are not asked for there; unless the user may catch it, and read it.
    """
    tracer = hooks.tracer
    quiet = is_recorded(value) and tracer.graph.meta.get("branch") and not may_catch(tracer)
    if conversion in (ALONE, ONE):
        found = FIELD.fullmatch(f"%{spec}")
        if not quiet or found is None or isinstance(value, tuple | Shape) and conversion == ALONE:
            text: str = hooks.binary("mod", f"%{spec}", (value,) if conversion == ONE else value)
            return text
        conversion, spec = said(hooks, found, value)
    return formatted(tracer, value, conversion, spec) if quiet else convert(hooks, value, conversion, spec)


def in_string(hooks: Tracing, value: Any, conversion: str | None, spec: str, printed: bool) -> str:
    """`{value!conversion:spec}` of an f-string. Where that is `printed` nobody looks at it: numbers and sizes
    are said as they are then.
    """
    value = list_rows.spread(hooks.tracer, value)
    if conversion in (ALONE, ONE):
        found = FIELD.fullmatch(f"%{spec}")
        if not (printed and is_recorded(value)) or isinstance(value, Shape) or found is None:
            text: str = hooks.binary("mod", f"%{spec}", (value,) if conversion == ONE else value)
            return text
        conversion, spec = said(hooks, found, value)
    if printed and is_recorded(value) and type(spec) is str:
        return formatted(hooks.tracer, value, conversion, spec)
    return convert(hooks, value, conversion, spec)

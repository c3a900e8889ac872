"""Printing: `print`, and strings that hold values of arrays.

Such a string is made of marks, which stand for the values until it is printed. Whoever does anything else
with it gets an error.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..ir.errors import UnsupportedError
from ..ir.sizes.dim import hint_of
from ..ir.source.printing import CONVERSIONS, Text, converted, print_
from ..ir.source.span import Span
from ..ir.values.tree import leaves
from .own import attribute, tabled
from .place import here
from .proxy import Shape, current, is_proxy, isinstance_scalar

if TYPE_CHECKING:
    from .python.hooks import Tracing
    from .tracer import Tracer

#: A mark: characters of a private area of Unicode around a number.
MARK = re.compile("\ue000(\\d+)\ue001")


@dataclass(slots=True)
class Texts:
    """The strings that hold values which only the running program knows.

    Attributes:
        marks: these values, by the numbers of their marks, each with how it is written.
        spelling: whether Python is making a text of a container.
    """

    marks: list[tuple[Any, str, str]] = field(default_factory=list)
    spelling: bool = False


def is_open(value: Any) -> bool:
    """Whether only the running program knows a value: an array, or a number that a branch or loop made."""
    return is_proxy(value) and (not isinstance_scalar(value) or value.local)


def is_recorded(value: Any) -> bool:
    """Whether a value may change from call to call."""
    return is_proxy(value) or isinstance(value, Shape) and any(map(is_proxy, value.dims))


def formatted(tracer: Tracer, value: Any, conversion: str | None, spec: str) -> str:
    """What stands in a string for a value."""
    tracer.texts.marks.append((value, conversion or "", spec))
    return Marked(f"\ue000{len(tracer.texts.marks) - 1}\ue001")


class Marked(str):
    """A string with marks in it, which cannot be told from others."""

    __slots__ = ()

    def __hash__(self) -> int:
        refuse(self, "looking up a string", current().span())
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        if self is not other and isinstance(other, str):
            refuse(self, "comparing a string", current().span())
        return self is other

    def __ne__(self, other: object) -> bool:
        return not self == other


def marked(tracer: Tracer, value: Any) -> Any:
    """What Python makes of strings, one of which may have marks in it."""
    return Marked(value) if tracer.texts.marks and type(value) is str and has_marks(value) else value


def spelled(tracer: Tracer, fn: Callable[..., Any], *args: Any) -> Any:
    """What Python's own function makes of a container: arrays in it stand in the text as they would alone."""
    before, tracer.texts.spelling = tracer.texts.spelling, True
    try:
        return marked(tracer, fn(*args))
    finally:
        tracer.texts.spelling = before


def has_marks(value: Any) -> bool:
    return isinstance(value, str) and MARK.search(value) is not None


def pieces(tracer: Tracer, value: str) -> Text:
    """A string with marks as a text."""
    found: list[Any] = []
    for i, part in enumerate(MARK.split(value)):
        if i % 2:
            marked, conversion, spec = tracer.texts.marks[int(part)]
            found.append((tracer.digest(marked)[0], conversion, spec))
        elif part:
            found.append(part)
    return tuple(found)


def printed(tracer: Tracer, *values: Any, **options: Any) -> None:
    """Record a `print`.

    Raises:
        UnsupportedError: where it prints into a file.
    """
    if options.pop("file", None) not in (None, sys.stdout):
        raise UnsupportedError(
            "print to a file", why="what is emitted prints to the standard output only", span=tracer.span(),
            hint="leave file= out",
        )  # fmt: skip
    tracer.modes.check(prints=True)
    texts = [text(tracer, value) for value in values]
    node = tracer.graph.create_node("call_function", print_, tuple(texts), options)
    node.place = here()


def text(tracer: Tracer, value: Any) -> Text:
    """What `print` makes of a value."""
    if isinstance(value, str):
        return pieces(tracer, value)
    if is_proxy(value) or type(value) is Shape:
        return ((tracer.digest(value)[0], "s", ""),)
    if tracer.framework.is_array(value):
        return ((tracer.constant(value), "s", ""),)
    return pieces(tracer, spelled(tracer, str, value))


def convert(hooks: Tracing, value: Any, conversion: str | None, spec: str) -> str:
    """`{value!conversion:spec}` of an f-string."""
    if is_open(value):
        return formatted(hooks.tracer, value, conversion, spec)
    refuse(spec, "a format that the program computes", hooks.tracer.span())
    if conversion is not None:
        value = spelled(hooks.tracer, CONVERSIONS[conversion], value)
    text: str = spelled(hooks.tracer, format, value, spec)
    return text


def spoken(tracer: Tracer, error: BaseException) -> BaseException:
    """An exception with its texts as far as they are known while tracing."""

    def known(mark: re.Match[str]) -> str:
        value, conversion, spec = tracer.texts.marks[int(mark[1])]
        hint = value.spec.hint if isinstance_scalar(value) else None
        if hint is not None:
            return format(converted(hint, conversion), spec)
        return str([hint_of(d) for d in value.dims]) if isinstance(value, Shape) else f"<{value.node.spec}>"

    error.args = tuple(MARK.sub(known, a) if isinstance(a, str) else a for a in error.args)
    return error


#: What looks into a string that it is given; and the methods that do not look into their own.
READING = frozenset({len, int, float, complex, ord, hash, ascii, repr, sorted, set, list, tuple})
PASSING = frozenset({"format", "join"})


def refuse_reading(tracer: Tracer, f: Any, args: Any) -> None:
    """Refuse a call of Python's that looks into a string that holds values."""
    if not tracer.texts.marks:
        return
    own = attribute(f, "__self__")
    if isinstance(own, str) and f.__name__ not in PASSING:
        refuse(own, f"str.{f.__name__}()", tracer.span())
    if args and isinstance(args[0], str) and tabled(f) and f in READING:
        refuse(args[0], f"{f.__name__}() of a string", tracer.span())


def logged(tracer: Tracer, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuse to log values, where somebody would get to see what stands for them."""
    if getattr(type(f), "__module__", "") != "builtins" or attribute(f, "__module__") != "logging":
        return
    log = attribute(f, "__self__", logging.getLogger())
    level = LEVELS.get(attribute(f, "__name__", ""), args[0] if args else None)
    if not isinstance(log, (logging.Logger, logging.LoggerAdapter)) or type(level) is not int:
        return
    if log.isEnabledFor(level) and any(is_open(v) or has_marks(v) for v in leaves((args, kwargs))):
        raise UnsupportedError(
            "logging values", why="they are known only when the program runs, which keeps no log",
            span=tracer.span(), hint="print them",
        )  # fmt: skip


#: The functions of loggers that say of which level they are.
LEVELS = {name: getattr(logging, name.upper()) for name in ("debug", "info", "warning", "error", "critical")}
LEVELS["exception"] = logging.ERROR


def refuse(value: Any, what: str, span: Span | None) -> None:
    """Raises UnsupportedError where a string holds values that only the running program knows."""
    if has_marks(value):
        raise UnsupportedError(
            what, why="its text has values of arrays in it", span=span,
            hint="return the values themselves, or print them",
        )  # fmt: skip

"""What rewritten code calls besides the hooks: small facts of Python that no hook may change.

Law: generated code alone uses these names, through the constant RUNTIME of template.py.
"""

from __future__ import annotations

import builtins
import enum
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..python.hooks import Tracing


class Exit(enum.Enum):
    """How a branch, or a turn of a loop, was left. An exception leaves by itself."""

    FELL = "reached its end"
    RETURNED = "return"
    BROKE = "break"
    CONTINUED = "continue"


class Undefined(enum.Enum):
    """The value of a variable that has none; reading the variable raises UnboundLocalError."""

    UNDEFINED = "undefined"

    def __repr__(self) -> str:
        return "UNDEFINED"


FELL: Final = Exit.FELL
RETURNED: Final = Exit.RETURNED
BROKE: Final = Exit.BROKE
CONTINUED: Final = Exit.CONTINUED
UNDEFINED: Final = Undefined.UNDEFINED

slice = builtins.slice

#: Builtins that see the variables of the frame they are called from.
VARIABLE_READERS: Final = {f.__name__: f for f in (builtins.locals, builtins.vars, builtins.dir, eval, exec)}

#: Builtins that look at that frame at all: a hook in between would show them its own.
FRAME_READERS: Final = {**VARIABLE_READERS, "globals": builtins.globals, "super": builtins.super}


def in_frame(hooks: Tracing, f: Any) -> Any:
    """What to call for `f` in the user's own frame: a frame reader itself, for anything else `hooks.call`."""
    if any(f is reader for reader in FRAME_READERS.values()):
        return f
    return functools.partial(hooks.call, f)


def peek(read: Callable[[], Any]) -> Any:
    """The variable that `read` reads, or UNDEFINED."""
    try:
        return read()
    except NameError:
        return UNDEFINED


def local(name: str, read: Callable[[], Any]) -> Any:
    """The variable that `read` reads in a function of ours, or the error that the user's would raise."""
    value = peek(read)
    if value is UNDEFINED:
        why = "where it is not associated with a value"
        raise UnboundLocalError(f"cannot access local variable '{name}' {why}")
    return value

#: How a value is formatted that stands alone behind `%`, and may be a tuple of several; and one of several.
ALONE, ONE = "%", "%,"

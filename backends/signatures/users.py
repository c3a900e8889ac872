"""The functions of users' libraries that rows of theirs name, `mylib.rms_norm`: looked up where they live,
with the parameters that Python knows of them.
"""

from __future__ import annotations

import inspect
import sys

from ...ir.meaning.layers import Table, remembered
from .model import REQUIRED, Overload, Parameter, Passing, Signature, SignatureError

#: The dotted names.
LIBRARIES: Table[str, bool] = Table("libraries")


def declare(name: str) -> None:
    """Say that a row names a function."""
    LIBRARIES[name] = True


def module_of(name: str) -> str:
    """The module in which a name lives: the longest that is imported, and else all but the last word."""
    words = name.split(".")
    modules = (".".join(words[:i]) for i in range(len(words) - 1, 0, -1))
    return next((module for module in modules if module in sys.modules), ".".join(words[:-1]))


def function(name: str) -> object | None:
    """The function of this name; None where its module is not imported."""
    module, _, word = name.rpartition(".")
    if module in sys.modules:  # as for most
        return getattr(sys.modules[module], word, None)
    module = module_of(name)
    found: object = sys.modules.get(module)
    for word in name[len(module) + 1 :].split("."):
        found = getattr(found, word, None)
    return found


def names_of(value: object) -> tuple[str, ...]:
    """The names by which rows name a function."""
    return tuple(name for name in declared() if function(name) is value)


@remembered()
def declared() -> tuple[str, ...]:
    return tuple(LIBRARIES)


def known(name: str) -> bool:
    """Whether a row names a function so, and it is at hand."""
    return name in LIBRARIES and callable(function(name))


def signature(name: str) -> Signature:
    """What the function of this name takes.

    Raises:
        SignatureError: where it is not at hand, or Python does not know its parameters.
    """
    found = function(name)
    try:
        given = inspect.signature(found)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise SignatureError(name, "is no function whose parameters are known") from None
    return Signature(name, (Overload(str(given), tuple(map(parameter, given.parameters.values()))),))


def parameter(given: inspect.Parameter) -> Parameter:
    passing = Passing(given.kind.name.lower().replace("_", "-"))
    return Parameter(given.name, passing, REQUIRED if given.default is given.empty else given.default)

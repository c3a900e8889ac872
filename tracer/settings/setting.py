"""Setting: the rows that a framework has here: modes, generators of random numbers, and the managers that a
`with` may enter.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ...backends.backend import NAMES, owner

# Why a program is refused that sets a mode.
DTYPES = "it changes the dtypes of what calls give, which is not recorded"
PRECISION = "it changes how exactly products are computed, which is not recorded"
ERRORS = "what is emitted raises no error for the numbers that it computes"

# Why a manager may be entered.
GRADIENTS = "only gradients depend on it"
OBSERVED = "it only watches"
CHOICE = "it chooses among ways to compute one number"
PLACED = "where an array is changes no number"


def anything(_: Any) -> bool:
    return True


def never(_: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Mode:
    """A setting.

    Attributes:
        name: what sets it, as users write it.
        read, write: ask for it and set it, given the module; None where only its managers may set it.
        inside: whether calls mean the same where the program itself has set it so.
        around: whether they do where whoever calls the program has. Most settings he may make around the
            translation too.
        hint: the way out.
        often: whether it is asked at every call that is recorded: code that is not rewritten may set it.
        why: what it does, where a program that sets it is refused.
        words: by what else in a program's text it may be recognised.
    """

    name: str
    read: Callable[[Any], Any]
    write: Callable[[Any, Any], Any] | None = None
    inside: Callable[[Any], bool] = anything
    around: Callable[[Any], bool] = anything
    why: str = ""
    hint: str = ""
    often: bool = False
    words: tuple[str, ...] = ()


def nobody(_: Any) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Settings:
    """One framework's.

    Attributes:
        modes: on what is not here no number depends, or it is another word for one of these.
        generator: the state of the random numbers that its functions draw; their next number depends on how
            often they were asked.
        drawing: what asks an object that draws random numbers for its state, and what sets it.
        harmless: the managers that may be entered, and why that is right.
        setting: those that set a mode: that decides, once they are entered.
        called: what a user calls a manager that bears no name of its own.
    """

    modes: tuple[Mode, ...]
    generator: Mode | None = None
    drawing: tuple[Callable[[Any], Any], Callable[[Any, Any], Any]] | None = None
    harmless: Mapping[str, str] = field(default_factory=dict)
    setting: frozenset[str] = frozenset()
    called: Callable[[Any], str | None] = nobody


@cache
def settings(framework: str) -> Settings:
    found: Settings = importlib.import_module(f".{framework}", __package__).SETTINGS
    return found


@cache
def every() -> dict[str, Settings]:
    """Those of all frameworks."""
    return {name: settings(name) for name in NAMES}


def settings_of(module: str) -> Settings | None:
    """Those of the framework that a module belongs to, by its dotted name."""
    found = owner(module)
    return settings(found.name) if found is not None else None

"""Backend: one record a framework, of the facts that belong to it rather than to an op: see facts.py. The
records stand in numpy.py, jax.py and torch.py.

A framework is text here, and is imported only once the user has imported it or asks to run in it.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter
from typing import Any

from ..ir.errors import TraceError
from ..ir.meaning.layers import Table, remembered
from ..ir.values import dtypes
from ..ir.values.dtypes import DType
from .compiled import Compiled
from .facts import Facts

NAMES = ("numpy", "jax", "torch")
#: The framework that all others know: their arrays are turned into its arrays and back, Tracelate itself
#: computes in it, and a program of another one takes its functions for Python's own.
COMMON = "numpy"
#: What 64-bit integers are where there are none; see `Backend.x64`.
NARROW: dict[str, DType] = {
    "int64": dtypes.int32, "uint64": dtypes.uint32, "float64": dtypes.float32, "complex128": dtypes.complex64
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Backend(Facts):
    """A framework, or a column of the users': its facts, and what follows from them. There is one object for
    equal requests, so that it can be a key.
    """

    def spelled(self, dotted: str) -> tuple[str, str | None]:
        """How a dotted name is written, and the import line that this needs."""
        prefix = max(
            (p for p in self.imports if dotted == p or dotted.startswith(p + ".")), key=len, default=""
        )
        if not prefix:
            return dotted, None
        alias, line = self.imports[prefix]
        return alias + dotted[len(prefix) :], line

    def with_x64(self, x64: bool) -> Backend:
        """The same framework with 64-bit dtypes on or off, where they can be switched off."""
        return variant(self.name, x64, self.control, self.device) if self.narrows else self

    def narrowed(self, dtype: DType) -> DType:
        """The dtype in which the framework has what is of this one."""
        return dtype if self.x64 else NARROW.get(dtype.name, dtype)

    def with_control(self, control: str | None) -> Backend:
        """The same framework with another form of control flow; None is the usual one.

        Raises:
            ValueError: for a form that it does not have.
        """
        if control is not None and control not in self.controls:
            known = " or ".join(f"{c!r}" for c in self.controls)
            raise ValueError(f"control={control!r} makes no sense for {self.name}: it is {known} there")
        return variant(self.name, self.x64, control or self.controls[0], self.device)

    def with_device(self, device: str | None) -> Backend:
        """The same framework, for texts that run on such a device; None for any."""
        return variant(self.name, self.x64, self.control, device)

    def accepts(self, value: object) -> bool:
        """Whether a value is an array to its functions: one of its own, or of a framework that it takes."""
        return framework_of(value) in (self.name, *self.takes)

    def weakens(self, source: Backend) -> bool:
        """Whether what is weak here was not in a program of the source's."""
        return self.weak and not source.weak

    @property
    def narrows(self) -> bool:
        """Whether 64-bit dtypes can be switched off."""
        return bool(self.x64_flag)

    def configured(self) -> Backend:
        """The same framework as the running program has configured it, once that has imported it."""
        if not self.narrows or (module := sys.modules.get(self.module)) is None:
            return self
        return self.with_x64(bool(attrgetter(self.x64_flag.partition(".")[2])(module)))

    @property
    def own_numbers(self) -> bool:
        """Whether what has no axes is a number of the framework's, and no array; see `number_type`."""
        return self.number_type is not None

    @property
    def is_common(self) -> bool:
        """Whether its functions and arrays are what others take for Python's own; see COMMON."""
        return self.name == COMMON

    @property
    def compiles(self) -> bool:
        """Whether regions are functions of values, which a compiler can take, and not Python's statements."""
        return self.control != "python"

    @property
    def regions(self) -> Compiled:
        """How regions are compiled; only where they are, or could be."""
        assert self.compiled is not None
        return self.compiled

    @property
    def traces(self) -> bool:
        """Whether what regions are made of runs once, with stand-ins, before it is compiled."""
        return self.compiles and bool(self.regions.jit)

    @property
    def exports(self) -> bool:
        """Whether regions are compiled by whoever exports the text."""
        return self.compiles and not self.regions.jit

    @property
    def imported(self) -> Any:
        """The framework's module, imported now if it was not.

        Raises:
            TraceError: when it is not installed.
        """
        try:
            return importlib.import_module(self.module)
        except ImportError as error:
            raise TraceError(
                f"{self.name} is not installed, and this needs to run in it",
                hint=f"pip install tracelate[{self.name}]",
            ) from error


def backend(name: str) -> Backend:
    """The record of "numpy", "jax" or "torch", or of a column of the users'.

    Raises:
        TraceError: for any other name.
    """
    if name not in NAMES and name not in ADDED:
        known = ", ".join((*NAMES, *ADDED))
        raise TraceError(f"{name!r} is no framework that tracelate knows", hint=f"one of {known}")
    return record(name)


#: Columns of the users'.
ADDED: Table[str, Backend] = Table("columns")


def column(name: str, base: str, **facts: Any) -> Backend:
    """Add a column to the dictionary: another way to write for a framework, such as NumPy's functions where
    Numba compiles them. It says what its base says, save where it has phrases of its own, `tl.say(op,
    name="…")`.

    Args:
        base: the framework that it writes for, whose dtypes and memory it has.
        facts: of its record, where they are not its base's: see Backend.

    Raises:
        ValueError: where the name is taken, or no name. TraceError: for an unknown base.
    """
    if name in NAMES or not name.isidentifier():
        raise ValueError(f"{name!r} is no name for a column of your own")
    made = ADDED[name] = replace(backend(base), **{"words": name, **facts, "name": name, "base": base})
    return made


@remembered()
def chain(name: str) -> tuple[str, ...]:
    """A column, and those that speak where it does not."""
    base = backend(name).base
    return (name, *chain(base)) if base else (name,)


def ground(name: str) -> str:
    """The framework for which a column writes."""
    return chain(name)[-1]


@remembered()
def record(name: str) -> Backend:
    if name in ADDED:
        return ADDED[name]
    found: Backend = importlib.import_module(f".{name}", __package__).BACKEND
    return found


@remembered()
def variant(name: str, x64: bool, control: str, device: str | None = None) -> Backend:
    """The record of a framework with other flags: one for each."""
    found = record(name)
    if x64 != found.x64:
        wide = (dtypes.float64, dtypes.int64) if x64 else (dtypes.float32, dtypes.int32)
        found = replace(found, x64=x64, default_float=wide[0], default_int=wide[1])
    if (control, device) == (found.control, found.device):
        return found
    return replace(found, control=control, device=device)


def target_of(
    name: str, x64: bool | None, control: str | None = None, device: str | None = None
) -> Backend:
    """The record to write for: where 64-bit dtypes can be switched off, with them where `x64` says so; None
    is as the framework is configured now, if it is imported.

    Raises:
        ValueError: where the framework has no such form of control flow. TypeError: where `x64` is no bool.
    """
    if x64 not in (None, False, True):
        raise TypeError(f"x64= is True or False, not {x64!r}")
    found = backend(name).with_x64(bool(x64)) if x64 is not None else backend(name).configured()
    return found.with_control(control).with_device(device)


@cache
def classes() -> dict[tuple[str, str], str]:
    """The classes of arrays, by package and name, and whose they are."""
    known = map(record, NAMES)
    return {(root, kind): own.name for own in known for root in own.packages for kind in own.array_classes}


def framework_of(value: object) -> str | None:
    """Which framework an array belongs to; None for what is no array. Imports nothing."""
    known = classes()
    for kind in type(value).__mro__:
        found = known.get((kind.__module__.partition(".")[0], kind.__name__))
        if found is not None:
            return found
    return None


def is_common(value: object) -> bool:
    """Whether a value is an array, or a number, of the framework that all others know."""
    return framework_of(value) == COMMON


def owner(module: str) -> Backend | None:
    """The framework to which a module belongs, by its dotted name."""
    root = module.partition(".")[0]
    return next((own for own in map(record, NAMES) if root in own.packages), None)


@cache
def roots() -> dict[str, str]:
    """The words with which names of functions begin, and whose they are."""
    return {root: own.name for own in map(record, NAMES) for root in own.roots}


def speaker(name: str) -> str | None:
    """The framework to which a dotted name such as "jnp.sum" belongs; None where it begins like no one's."""
    return roots().get(name.partition(".")[0])


@cache
def whole() -> tuple[str, ...]:
    """The packages whose functions are calls of a program, whichever framework it is written for."""
    return tuple(package for own in map(record, NAMES) for package in own.whole)


def loaded(name: str) -> bool:
    """Whether the user has imported the framework."""
    return name in sys.modules


def tupled(value: Any) -> Any:
    """Lists and lines of ints as tuples, and numbers of NumPy's as Python's, all the way down."""
    if type(value) in (tuple, list):
        return tuple(map(tupled, value))
    if not is_common(value) or value.shape != () and (value.ndim != 1 or value.dtype.kind not in "iu"):
        return value
    return value.item() if value.shape == () else tuple(value.tolist())

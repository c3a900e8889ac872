"""Naming: which numbers the program reads by a name, of what outlives the call and is no argument.

What the program makes itself may be another thing each time; and what arguments hold is the caller's.
"""

from __future__ import annotations

import cmath
import enum
import keyword
import math
import types
from typing import TYPE_CHECKING, Any

from ...backends.backend import framework_of
from ...ir.source.readings import Reading
from ...ir.values.tree import plain_constant, tuple_fields
from ..own import attributes
from ..place import here, is_module_dict, is_own, module_of
from ..proxy import is_proxy
from .containers import is_object

if TYPE_CHECKING:
    from ..tracer import Tracer

NUMBERS = (int, float, complex)
#: An array of more elements, or an int of more bits, is no constant that a person would write.
LARGEST, LONGEST = 32, 1024


def constant(value: Any) -> Any:
    """What has a literal: a number, also that which a member of an IntEnum is, and a small array."""
    if framework_of(value) is not None:
        return value if not is_proxy(value) and is_small(value) else None
    plain = plain_constant(value)
    if type(plain) is int:
        return plain if plain.bit_length() <= LONGEST else None
    return plain if type(plain) in NUMBERS and cmath.isfinite(plain) else None


def is_small(value: Any) -> bool:
    try:
        return bool(math.prod(value.shape) <= LARGEST)
    except (RuntimeError, TypeError):  # torch's nested tensors have no shape
        return False


def key(value: Any) -> Any:
    """What tells a constant from others."""
    return id(value) if framework_of(value) is not None else repr(value)


def attribute_read(tracer: Tracer, owner: Any, name: str, value: Any) -> None:
    """The program has read an attribute."""
    if (found := constant(value)) is not None and (home := lasting(tracer, owner)) is not None:
        own = attributes(owner) if issubclass(type(owner), enum.Enum) else None
        word = str((own or {}).get("_name_", name))
        if is_name(word):  # flags together are called `A|B`
            note(tracer, Reading(found, word, home))


def item_read(tracer: Tracer, owner: Any, name: Any, value: Any) -> None:
    """The program has read an item: of a dict that outlives the call it may be a constant."""
    if type(owner) is not dict or type(name) is not str or not is_name(name):
        return
    if is_held(tracer, owner) and not is_module_dict(owner) and (found := constant(value)) is not None:
        note(tracer, Reading(found, name, None))


def note(tracer: Tracer, reading: Reading) -> None:
    place = here()
    if place is not None and (positions := place.positions) is not None:
        read = tracer.readings.attributes.setdefault((place.code.co_filename, positions), {})
        read.setdefault((key(reading.value), id(reading.home)), reading)


def is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def is_held(tracer: Tracer, owner: Any) -> bool:
    """Whether a container outlives the call, and is in no argument."""
    held = id(owner) in tracer.outside.heap.held and id(owner) not in tracer.outside.given
    return held and tracer.structure.frozen.path(owner) is None


def lasting(tracer: Tracer, owner: Any) -> Any:
    """The module, the class or the class of the object that this is, if it outlives the call."""
    kind = type(owner)
    if issubclass(kind, types.ModuleType):
        return owner if is_own(str(vars(owner).get("__name__"))) else None
    if issubclass(kind, type):
        mine = is_own(str(type.__getattribute__(owner, "__module__")))
        return owner if mine and tracer.structure.frozen.path(owner) is None else None
    if issubclass(kind, enum.Enum):
        return kind if is_own(module_of(kind)) and tracer.structure.frozen.path(owner) is None else None
    if tuple_fields(kind) is not None:
        return kind if is_own(module_of(kind)) and id(owner) in tracer.outside.met else None
    return kind if is_held(tracer, owner) and is_object(owner) else None


def entered(tracer: Tracer, fn: types.FunctionType) -> None:
    """A function is about to run: what it closes over, it may read."""
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        if id(cell) not in tracer.outside.heap.held:
            continue
        try:
            found = constant(cell.cell_contents)
        except ValueError:
            continue
        if found is not None:
            read = tracer.readings.cells.setdefault((fn.__code__.co_filename, name), {})
            read[fn.__code__.co_firstlineno, key(found)] = found

"""Naming: which numbers the program reads by a name, of what outlives the call and is no argument.

What the program makes itself may be another thing each time; and what arguments hold is the caller's.
"""

from __future__ import annotations

import cmath
import enum
import types
from typing import TYPE_CHECKING, Any

from ...ir.readings import Reading
from ...ir.tree import plain_constant
from ..own import attributes
from ..place import here, is_own, module_of
from .containers import is_object

if TYPE_CHECKING:
    from ..tracer import Tracer

NUMBERS = (int, float, complex)


def number(value: Any) -> complex | None:
    """What has a literal; the number that a member of an IntEnum is."""
    plain = plain_constant(value)
    return plain if type(plain) in NUMBERS and cmath.isfinite(plain) else None


def attribute_read(tracer: Tracer, owner: Any, name: str, value: Any) -> None:
    """The program has read an attribute."""
    if (found := number(value)) is None or (home := lasting(tracer, owner)) is None:
        return
    place = here()
    if place is None or (positions := place.positions) is None:
        return
    word = str((attributes(owner) or {}).get("_name_", name)) if isinstance(owner, enum.Enum) else name
    read = tracer.readings.attributes.setdefault((place.code.co_filename, positions), {})
    read.setdefault((repr(found), id(home)), Reading(found, word, home))


def lasting(tracer: Tracer, owner: Any) -> Any:
    """The module, the class or the class of the object that this is, if it outlives the call."""
    if isinstance(owner, types.ModuleType):
        return owner if is_own(str(vars(owner).get("__name__"))) else None
    kind = owner if isinstance(owner, type) else type(owner)
    if tracer.structure.frozen.path(owner) is not None:
        return None
    if isinstance(owner, type) or isinstance(owner, enum.Enum):
        return kind if is_own(module_of(kind)) else None
    held = id(owner) in tracer.outside.heap.held and id(owner) not in tracer.outside.given
    return kind if held and is_object(owner) else None


def entered(tracer: Tracer, fn: types.FunctionType) -> None:
    """A function is about to run: what it closes over, it may read."""
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
        if id(cell) not in tracer.outside.heap.held:
            continue
        try:
            found = number(cell.cell_contents)
        except ValueError:
            continue
        if found is not None:
            read = tracer.readings.cells.setdefault((fn.__code__.co_filename, name), {})
            read[fn.__code__.co_firstlineno, repr(found)] = found

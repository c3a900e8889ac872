"""Hashing: what sets, dicts and caches ask of a stand-in before they compare it.

A number is looked up by its value, of NumPy's as of Python's own, a tensor of torch's by its identity; arrays
of NumPy's and JAX's are not looked up at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ..memory import numpy_scalars
from ..place import own_place
from ..plain import exactly
from ..proxy import isinstance_scalar
from . import kinds, predicate

if TYPE_CHECKING:
    from ..tracer import Tracer

#: How to look for a number among others, without its hash.
COMPARED = "compare it: `v == 3`, or `any(v == k for k in (3, 7))` where `v in {3, 7}` stands"


def hashed(tracer: Tracer, value: Any) -> int:
    """`hash(value)` of a recorded number or array.

    Raises:
        UnsupportedError: where only the running program knows its value.
        TypeError: where the program raises it.
    """
    if isinstance_scalar(value):
        if value.local:
            raise unknown(tracer)
        return hash(value.look())
    if tracer.backend.hashed_by_identity:
        return id(value)
    if (known := tracer.concrete(value.node)) is not None:
        return int(exactly(hash, known))
    if value.node.spec.shape is None:
        raise tracer.error("whether this can be a key is not known", "give example arguments with args=")
    if may_be_number(tracer, value):
        raise unknown(tracer)
    tracer.guard_kind(value)
    made = tracer.framework.made_class
    raise TypeError(f"unhashable type: '{made.__module__}.{made.__qualname__}'")


def may_be_number(tracer: Tracer, value: Any) -> bool:
    """Whether a value is no array, or none on another way."""
    node = value.node
    several = node.meta.get("number") is False and not tracer.is_argument(node)
    several = several or predicate.optional(value) is not None or kinds.may_be_number(node)
    return several or numpy_scalars.is_number(tracer, node)


def sought(error: UnsupportedError) -> UnsupportedError:
    """An error of what `in` asked of a list or a tuple, with a way out."""
    return UnsupportedError(error.op, why=error.why, span=error.span, hint=COMPARED)


def keyed(tracer: Tracer, value: Any, instead: str) -> None:
    """Raise what `hash(value)` raises, with another way out."""
    try:
        hash(value)
    except UnsupportedError:
        raise unknown(tracer, instead) from None


def unknown(tracer: Tracer, instead: str = "") -> UnsupportedError:
    place = own_place(tracer.stack.outermost)
    own = tracer.backend  # a function that is compiled cannot ask how many distinct values there are
    gathers = "" if own.jits else f"{own.functions[0]}.unique gathers what is equal; "
    return UnsupportedError(
        "the hash of a number",
        why="sets, dicts and caches look for a key by its value, which is known only when the program runs",
        span=place.span if place is not None else tracer.span(),
        hint=instead or f"{COMPARED}; {gathers}constants and sizes may be keys",
    )

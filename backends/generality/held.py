"""Held: all that an array may be, by the dtypes that the arguments may have."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.meaning.op import Rule
from ...ir.values.dtypes import COMPLEX, PYTHON, DType
from ..typing.jax import narrow
from .variants import Element, kind


@dataclass(frozen=True, slots=True)
class Held:
    """All that an array may be.

    Attributes:
        example: its key in the example.
        by: what it is, by the dtype of the one argument that decides it, else by itself.
        leaf: the path of that argument.
        behind: the paths of all arguments that may have to do with it.
        number: whether the source has a Python number here.
        mixed: whether it may have one here, on another way.
        follows: whether it is of the dtype of the arguments behind it, if these are all of one.
        rounded: whether the text has an array for a number here that more bits would hold better.
    """

    example: Any
    by: Mapping[Any, Element]
    leaf: str | None
    behind: frozenset[str]
    number: bool = False
    mixed: bool = False
    follows: bool = False
    rounded: bool = False

    @property
    def usual(self) -> Element:
        """What it is in the example."""
        return self.by[self.example]


@cache
def given_as(options: tuple[DType, ...], form: str, x64: bool) -> Mapping[DType, Element]:
    """What an array is that may be given as these, by dtype, for a target with 64 bits or without: that of
    many arguments is the same.
    """
    return {d: Element(d, form, d if x64 else narrow(d), form) for d in options}


def rows(columns: Sequence[Held]) -> tuple[tuple[Any, tuple[Element, ...]], ...]:
    """What operands that hang together are, by key."""
    if len(columns) == 1:
        return tuple([(key, (element,)) for key, element in columns[0].by.items()])
    keys = [key for key in columns[0].by if all(key in held.by for held in columns)]
    return tuple((key, tuple(held.by[key] for held in columns)) for key in keys)


def converted(held: Held, cls: str, otherwise: Held) -> Held:
    """A further result of an op, of this class."""
    if cls not in ("real", "complex") or held.leaf is None:
        return otherwise

    def change(dtype: DType) -> DType:
        return dtype.real if cls == "real" else COMPLEX.get(dtype.name, dtype)

    by = {k: Element(change(e.dtype), e.form, change(e.given), e.given_form) for k, e in held.by.items()}
    return Held(held.example, by, held.leaf, held.behind)


#: What arguments could be given as if nothing was checked.
Ever = Callable[[frozenset[str]], frozenset[DType]]


def are_own(arrays: Iterable[Held], ever: Ever) -> bool:
    """Whether all of these have the dtypes of the arguments that decide them, whatever these are given as.
    That two of them must be of one dtype then says so of the arguments; `x @ (w * 0.5)` takes a w of ints.
    (Of floats of 16 bits, in which target and source may differ, no op makes others by itself.)
    """

    def own(held: Held, key: DType) -> bool:
        return held.by[key].dtype == key if key in held.by else kind(key) == "half"

    return all(held.leaf is not None and all(own(held, k) for k in ever(held.behind)) for held in arrays)


def has_no_say(held: Held) -> bool:
    """Whether it leaves the dtype to the arrays beside it: a number, what is weak, what is always bool."""
    weak = held.number or held.usual.form != "array"
    return weak or len(held.by) == 1 and held.usual.dtype.kind == "bool"


def form(held: Held | None) -> Hashable:
    """All that counts of it in a function that it is handed to, but for the arguments behind it."""
    return held and (held.example, tuple(held.by.items()), held.leaf, held.number, held.mixed, held.follows)


def unsettled(element: Element) -> Element:
    """What a region of JAX's carries where it was weak: it is as long as it meets no array."""
    return element._replace(given_form="either") if element.given_form == "weak" else element


def handed(held: Held) -> Held:
    """What the text makes an array of its dtype where it hands it on, see statements/control/strong.py."""
    usual = held.usual
    if usual.given_form not in ("weak", "either"):
        return held

    def strong(element: Any) -> Any:
        return element._replace(given=usual.given, given_form="array")

    def key(of: Any) -> Any:
        return strong(of) if isinstance(of, Element) else of

    return replace(held, example=key(held.example), by={key(k): strong(e) for k, e in held.by.items()})


def numbers(held: Held) -> Held:
    """The number that stands for an array on one way."""
    kinds = {"bool": bool, "float": float, "complex": complex}
    by = {
        key: element._replace(dtype=PYTHON[kinds.get(element.dtype.kind, int)], form="python")
        for key, element in held.by.items()
    }
    return replace(held, by=by)


def strong(held: Held) -> Held:
    """What the source makes an array of its own dtype: of a list, where the text has what is not."""
    return replace(held, by={key: element._replace(form="array") for key, element in held.by.items()})


#: Classes of ops whose results have the dtype of all that they are made of; and those that do if it is one
#: of floats: made of ints they are floats, which nobody writes into ints.
FOLLOWING = frozenset("same promote bitwise keep".split())
OF_FLOATS = frozenset("inexact divide power mean".split())


def follows(rule: Rule, arrays: Sequence[Held], numbers: bool) -> bool:
    """Whether the result of an op follows the dtype of the arguments behind it, of whatever kind they are: of
    ints a float beside them makes floats, and so does a quotient.

    Args:
        numbers: whether a float of Python's is beside the arrays.
    """
    having = [held for held in arrays if not has_no_say(held)]
    beside = numbers or any(has_no_say(held) and held.usual.dtype.is_inexact for held in arrays)
    if rule.cls in OF_FLOATS or rule.cls in FOLLOWING and beside:
        floats = all(element.dtype.is_inexact for held in having for element in held.by.values())
    else:
        floats = rule.cls in FOLLOWING
    return bool(having) and floats and all(held.follows for held in having)


def is_float(value: Any) -> bool:
    """Whether an operand is a float of Python's, or a complex number."""
    known = isinstance(value, Node) and isinstance(value.spec, Scalar)
    return (value.spec.type if known else type(value)) in (float, complex)

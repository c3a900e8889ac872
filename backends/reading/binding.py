"""Binding: the arguments of a call by the names of the parameters of what it calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.noting import note_no_flag
from ...ir.values.spec import Spec
from ..context import Refusal
from ..phrase import Hole, Lensed, Phrase
from ..signatures import Binding, Signature, SignatureError, known, signature


def bind(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by the callee's own parameter names. Operators and attributes take theirs by position."""
    if not known(name):
        return {str(i): a for i, a in enumerate(args)} | dict(kwargs)
    called = signature(name)
    try:
        bound = called.bind(args, kwargs, kind_of=kind_of_node)
    except SignatureError as error:
        raise Refusal(error.why) from None
    for number in filter(is_int, (*args, *kwargs.values())) if len(called.overloads) > 1 else ():
        if means_another(called, bound, number, args, kwargs):
            note_no_flag(number.origin or number)
    return bound


def is_int(value: Any) -> bool:
    """Whether an argument is an int that the program is given, or computes."""
    return isinstance(value, Node) and isinstance(value.spec, Scalar) and value.spec.type is int


def means_another(
    called: Signature, bound: Binding, number: Node, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> bool:
    """Whether True and False in the place of an int call another overload: `x.std(False)` is of all axes, and
    `x.std(0)` of one.
    """
    try:
        other = called.bind(args, kwargs, lambda value: "bool" if value is number else kind_of_node(value))
    except SignatureError:
        return False
    return other.overload is not bound.overload


def kind_of_node(value: Any) -> str | None:
    """What a recorded value is to a signature with several overloads."""
    if isinstance(value, Node):
        kind = value.spec.type.__name__ if isinstance(value.spec, Scalar) else "tensor"
        return "ints" if kind == "tuple" else kind
    if isinstance(value, (tuple, list)) and value and all(isinstance(v, Node) for v in value):
        return "tensors" if all(isinstance(v.spec, Spec) for v in value) else "ints"
    return None


def shape_of_call(name: str, bound: Mapping[str, Any]) -> tuple[Sequence[str], Mapping[str, Any]]:
    """The parameters of the overload that was called, in order, and the defaults of those omitted."""
    if isinstance(bound, Binding):
        return bound.overload.names, bound.overload.defaults
    return list(bound) if not known(name) else [p.name for p in signature(name).parameters], {}


def canonical_parameter(bound: Mapping[str, Any], name: str) -> str:
    """The parameter that a phrase names, by any of its spellings."""
    if isinstance(bound, Binding):
        for parameter in bound.overload.parameters:
            if name == parameter.name or name in parameter.spellings:
                return parameter.name
    return name


def told(phrase: Phrase, bound: Mapping[str, Any], order: Sequence[str]) -> frozenset[str]:
    """The axes that a call says, though it might leave them out. (Of other parameters one cannot tell: torch
    hands on what its functions have as defaults.)
    """
    found = set()
    for key, argument in phrase.arguments:
        parameter = order[key] if isinstance(key, int) else canonical_parameter(bound, key)
        if isinstance(argument, (Hole, Lensed)) and bound.get(parameter) is not None:
            found.add(argument.name)
    return frozenset(found & {"axis"})

"""Conditions: what a phrase asks of the call that it is to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.static import static
from ...ir.meaning.operands import scalar
from ...ir.noting import note_type
from ...ir.values.spec import Spec
from ..context import Reading, Refusal
from ..phrase import Condition, holds
from ..rows import FOR_NUMBERS


class Mismatch(Refusal):
    """A phrase says another call than this one."""


def hold_conditions(
    reading: Reading, op: str, tests: Sequence[Condition], operands: Mapping[str, Any], params: dict[str, Any]
) -> None:
    """Hold the conditions of a phrase against what the call has; what must be known is known from then on."""
    for test in tests:
        if test.kind == "known" and test.name in params:
            params[test.name] = reading.known(params[test.name], f"{op} depends on its {test.name}")
            continue
        value = {**operands, **params}.get(test.name)
        hold_condition(test, value, op)
        if test.kind == "natural":
            reading.least(value, 0, f"it means another thing of a negative {test.name}")


def hold_condition(test: Condition, value: Any, op: str) -> None:
    """Hold a condition of a phrase against what the call has.

    Raises:
        Refusal: where it does not hold.
    """
    spec = getattr(value, "spec", None) if isinstance(value, Node) else None
    if holds(test, value, spec):
        if test.of_dtypes and isinstance(value, Node) and static(value):  # one of another type has another
            note_type(value.origin or value)
        return
    if isinstance(spec, Spec) and (spec.shape is None or spec.dtype is None) and test.kind is not None:
        raise Refusal(
            f"its meaning depends on shape and dtype, and {spec} is all that is known of {test.name}",
            "give example arguments with args=",
        )
    if test.kind == "array" and scalar(value):
        why = "a Python number counts as an array of 64 bits here, whatever is beside it"
        raise Refusal(why, FOR_NUMBERS.get(op, "make it an array with a dtype"))
    raise Mismatch(f"{test.name} is not {test.literal if test.kind is None else test.kind}")

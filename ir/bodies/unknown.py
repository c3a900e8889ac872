"""Numbers in the body of an op that only the running program knows: parameters that it computes, and sizes.

They can be computed with, and handed on as parameters and operands. What asks Python about one, a test, a
comparison, a conversion, cannot be answered, and says so.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from ..graphs.graph import Node
from ..graphs.static import Scalar
from ..meaning.operators import BINARY, COMPARING

if TYPE_CHECKING:
    from ..program import Program

#: What computes with two numbers.
COMPUTING: dict[str, Callable[[Any, Any], Any]] = {
    each.method: getattr(operator, f"__{each.method}__")
    for each in BINARY
    if each.method in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
}


class Asked(Exception):
    """Python was asked about a number that only the running program knows."""

    def __init__(self, node: Node) -> None:
        super().__init__("its meaning depends on a number that only the running program knows")
        self.node = node


class Number:
    """A number that is a node of a Program."""

    __slots__ = ("node", "program")

    def __init__(self, program: Program, node: Node) -> None:
        self.program = program
        self.node = node

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return self.node.spec.type

    def _asked(self, *_: object) -> NoReturn:
        raise Asked(self.node)

    __bool__ = __int__ = __float__ = __index__ = __str__ = __format__ = __round__ = _asked
    __hash__ = _asked

    def __neg__(self) -> Number:
        return computed(self.program, operator.neg, self)

    def __abs__(self) -> Number:
        return computed(self.program, operator.abs, self)

    def __repr__(self) -> str:
        return f"Number({self.node})"


def computed(program: Program, function: Callable[..., Any], *numbers: Any) -> Number:
    """What is computed of numbers, some of which only the running program knows."""
    nodes = [number.node if type(number) is Number else number for number in numbers]
    values = [node.spec.value if isinstance(node, Node) else node for node in nodes]
    types = [node.spec.type if isinstance(node, Node) else type(node) for node in nodes]
    floats = float in types or function is operator.truediv
    try:
        value = None if None in values or floats else function(*values)
    except (ArithmeticError, TypeError, ValueError):
        value = None
    local = any(isinstance(node, Node) and node.spec.local for node in nodes)
    spec = Scalar(float if floats else int, value, local)
    return Number(program, program.static(function, *nodes, spec=spec))


def _method(function: Callable[..., Any], swapped: bool) -> Any:
    def method(self: Number, other: Any) -> Any:
        if type(other) is not Number and not isinstance(other, (int, float)):
            return NotImplemented  # an array, which takes it for an operand
        pair = (other, self) if swapped else (self, other)
        return computed(self.program, function, *pair)

    return method


for _name, _function in COMPUTING.items():
    setattr(Number, f"__{_name}__", _method(_function, False))
    setattr(Number, f"__r{_name}__", _method(_function, True))
for _each in COMPARING:
    setattr(Number, f"__{_each.method}__", Number._asked)

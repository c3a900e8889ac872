"""Weak arrays: what JAX makes of a number of Python's that it hands to a function which it compiles, and of
what its loops count.

Beside an array, as an index and among the arguments of a function such an array counts as the number does,
and is recorded as that. What is computed of several is the number too, where Python gives what the dtype
would hold; else, and wherever only an array has what is asked for, it is recorded as an array.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.sizes.dim import Sym
from ..ir.sizes.extent import within
from ..ir.values.tree import children, rebuilt
from .proxy import COMPARE, UNARY, Duck, is_proxy, isinstance_scalar

if TYPE_CHECKING:
    from .tracer import Tracer

COMPARING = frozenset(getattr(operator, name) for name in COMPARE)
#: What stays whole, and is the same in any number of bits that holds it.
WHOLE = frozenset({operator.add, operator.sub, operator.mul})
DIVIDING = frozenset({operator.floordiv, operator.mod})
#: What is the same up to rounding, if done once.
ROUNDING = frozenset({operator.mul, operator.truediv})
LOGICAL = frozenset({operator.and_, operator.or_, operator.xor})
#: Calls in which the first operand is what is asked, and no number beside an array.
ASKING = frozenset({getattr, operator.not_, operator.truth, *(getattr(operator, name) for name in UNARY)})


class Weak(Duck):
    """A number of Python's, known or recorded, that is an array without axes to the program."""

    __slots__ = ("number", "made")

    def __init__(self, tracer: Tracer, number: Any) -> None:
        object.__setattr__(self, "tracer", tracer)
        object.__setattr__(self, "number", number)
        object.__setattr__(self, "made", None)

    @property
    def node(self) -> Any:
        """That of the array, made where it is wanted; again where a branch made it that is closed."""
        if self.made is None or not self.tracer.reaches(self.made):
            object.__setattr__(self, "made", self.tracer.framework.number(self.tracer, self.number).node)
        return self.made

    def __getitem__(self, key: Any) -> Any:
        return array(self)[key]


def array(value: Any) -> Any:
    """A weak array as one that is recorded; anything else itself."""
    return value.tracer.framework.wrap(value.tracer, value.node) if type(value) is Weak else value


def bare(value: Any) -> Any:
    """The number that a weak array is; anything else itself."""
    return value.number if type(value) is Weak else value


def is_number(value: Any) -> bool:
    return type(value) in (bool, int, float, complex) or isinstance_scalar(value)


def binary(tracer: Tracer, fn: Callable[..., Any], a: Any, b: Any) -> Any:
    """An operator on a weak array and something else."""
    numbers = [bare(a), bare(b)]
    if not all(map(is_number, numbers)):
        return tracer.record(fn, (a, b))
    if exact(tracer, fn, numbers):
        found = tracer.scalar(fn, *numbers) if any(map(isinstance_scalar, numbers)) else fn(*numbers)
        return Weak(tracer, found)
    return tracer.record(fn, tuple(array(v) for v in (a, b)))


def exact(tracer: Tracer, fn: Callable[..., Any], numbers: Sequence[Any]) -> bool:
    """Whether Python computes of these what arrays of JAX's default dtypes would."""
    kinds = [n.spec.type if isinstance_scalar(n) else type(n) for n in numbers]
    if bool in kinds:
        return fn in LOGICAL and kinds == [bool, bool]
    values = [n.spec.value if isinstance_scalar(n) else n for n in numbers]
    if kinds == [int, int]:
        if fn in COMPARING:
            return True
        if fn in WHOLE or fn in DIVIDING and type(values[1]) is int and values[1] != 0:
            return held(tracer, fn(*values))
    if fn not in ROUNDING or not all(map(few, numbers, kinds)):
        return False
    most = highest(tracer)
    return fn is operator.mul or within(values[1], 1, most) or within(values[1], -most, -1)


def few(number: Any, kind: type) -> bool:
    """Whether a number is an int, or a float that the user wrote."""
    return kind is int or type(number) is float


def held(tracer: Tracer, value: Any) -> bool:
    """Whether an int surely lies among those of JAX's default dtype, if all that it is computed of do."""
    return isinstance(value, (int, Sym)) and within(value, -highest(tracer) - 1, highest(tracer))


def highest(tracer: Tracer) -> int:
    bits: int = tracer.backend.default_int.bits
    return (1 << bits - 1) - 1


def filled(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """Nested values with others in the place of proxies."""
    found = children(value)
    if found is None:
        return leaf(value) if is_proxy(value) else value
    return rebuilt(value, {k: filled(v, leaf) for k, v in found})

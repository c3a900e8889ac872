"""Scalar: what is known of a value that Python, not a framework, computes with: a dim, a flag, a float
parameter, a shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .dim import Sym, hint_of
from .graph import Node, map_arg
from .spec import Spec


@dataclass(frozen=True, slots=True)
class Scalar:
    """`type` is the Python type; `value` an int, float, bool, str, a Sym, or a tuple of these: an expression
    with a hint.

    `value` is None where only the type is known. A `local` value depends on the way that the program
    went, or on the
    turn of a loop: no check at the top of the function could speak of it.
    """

    type: type
    value: Any = None
    local: bool = False

    @property
    def hint(self) -> Any:
        """The value at the example inputs, free of symbols; None where it is not known."""
        if isinstance(self.value, tuple):
            return tuple(hint_of(v) if isinstance(v, Sym) else v for v in self.value)
        return hint_of(self.value) if isinstance(self.value, Sym) else self.value

    def __str__(self) -> str:
        return self.type.__name__


def in_words(spec: Spec | Scalar) -> str:
    """What a value is, for who reads a message: as the example has it."""
    if isinstance(spec, Spec):
        dtype = "" if spec.dtype is None else f" of {spec.dtype}"
        shape = spec.hint_shape
        if shape == ():
            return f"an array{dtype} without axes"
        return f"an array{dtype}" if shape is None else f"an array{dtype} of shape {shape}"
    if spec.type is str or spec.type is type(None):
        return repr(spec.value)
    return f"{'an' if spec.type is int else 'a'} {spec.type.__name__}"


def item(array: Any) -> Any:
    """The number of an array of one element, of the type that the array has."""
    return array.item()


#: What takes the number out of an array.
TAKING = (item, int, float, bool, complex)


def number_leaves(node: Node) -> Iterator[tuple[str, Node]]:
    """The numbers among the arguments that decide the type of one, by path."""
    while "outer" in node.meta:
        node = node.meta["outer"]
    if "number path" in node.meta:
        yield node.meta["number path"], node
        return
    if node.target in TAKING:
        return
    for inner in node.all_input_nodes:
        if isinstance(inner.spec, Scalar):
            yield from number_leaves(inner)


def takes(node: Node) -> bool:
    """Whether a call takes the number out of an array, which only the running program knows."""
    return node.target in TAKING and isinstance(node.args[0], Node) and isinstance(node.args[0].spec, Spec)


def taken(node: Node) -> bool:
    """Whether a number is computed from one that was taken out of an array."""
    if "taken" not in node.meta:
        numbers = node.all_input_nodes if node.op == "call_function" and static(node) else []
        node.meta["taken"] = takes(node) or any(taken(n) for n in numbers)
    return bool(node.meta["taken"])


def static(node: Node) -> bool:
    """Whether the node is a Python value rather than an array."""
    return isinstance(node.spec, Scalar)


def decided(predicate: Any) -> bool:
    """Whether Python knows a predicate when it calls the function."""
    return not isinstance(predicate, Node) or isinstance(predicate.spec, Scalar) and not predicate.spec.local


def values(params: Mapping[str, Any]) -> dict[str, Any]:
    """`params` with every static node replaced by its expression, so that shapes can be computed from
    them; None stands for a number that an array has.
    """
    return {name: map_arg(value, lambda n: getattr(n.spec, "value", None)) for name, value in params.items()}

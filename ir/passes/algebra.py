"""Algebra that never changes a number: only laws that hold for NaN, -0.0 and inf stand here."""

from __future__ import annotations

from ..graphs.graph import Node
from ..ops.elementwise import divide_, multiply, negative, pow_, subtract
from ..program import Program
from .pattern import Rules, Variable, counts, pattern

x = Variable("x")
RULES = Rules(
    (pattern(negative, pattern(negative, x)), x),
    (pattern(multiply, x, 1), x),
    (pattern(multiply, 1, x), x),
    (pattern(multiply, x, 1.0), x),
    (pattern(multiply, 1.0, x), x),
    (pattern(divide_, x, 1), x),
    (pattern(divide_, x, 1.0), x),
    (pattern(subtract, x, 0), x),
    (pattern(pow_, x, 1), x),
)


def algebra(program: Program) -> None:
    """Apply the laws. Floats: x + 0 is no law (-0.0 + 0 is 0.0), x * 1, x / 1, x - 0 and x ** 1 are. One that
    makes floats of ints is a cast of the user's, which stays as it was written.
    """
    RULES(program)


def hands_on(node: Node) -> bool:
    """Whether a law leaves nothing of an op but an operand."""
    operand = RULES.left(node)
    return operand is not None and not counts(node, operand)


def only_casts(node: Node) -> Node | None:
    """The cast that promotion asks for, of an op that does nothing else."""
    operand = RULES.left(node)
    return operand if isinstance(operand, Node) and operand.implicit else None

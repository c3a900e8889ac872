"""Raising: a pattern that is a named op, spelled out, becomes that op, so that a target can say its own word.

Only spellings that round and overflow as the op itself does: exp(x) / sum(exp(x)) is no softmax, since it
overflows.
"""

from __future__ import annotations

from ..ops.activation import silu
from ..ops.elementary import sigmoid
from ..ops.elementwise import multiply
from ..program import Program
from .pattern import Rules, Variable, pattern

x = Variable("x")
RULES = Rules(
    (pattern(multiply, x, pattern(sigmoid, x)), lambda x: silu(x)),
    (pattern(multiply, pattern(sigmoid, x), x), lambda x: silu(x)),
)


def raise_patterns(program: Program) -> None:
    """Apply the rules."""
    RULES(program)

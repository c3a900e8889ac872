"""Algebra that never changes a number: only laws that hold for NaN, -0.0 and inf stand here."""

from __future__ import annotations

from ..op import REGISTER
from ..ops import load
from ..program import Program
from .pattern import Rules, Variable, pattern


def algebra(program: Program) -> None:
    """Apply the laws. Floats: x + 0 is no law (-0.0 + 0 is 0.0), x * 1, x / 1, x - 0 and x ** 1 are."""
    rules()(program)


def rules() -> Rules:
    global _rules
    if _rules is None:
        load()
        x = Variable("x")
        neg, mul, div, sub, power = (
            REGISTER[n] for n in ("negative", "multiply", "divide", "subtract", "pow")
        )
        _rules = Rules(
            (pattern(neg, pattern(neg, x)), x),
            (pattern(mul, x, 1), x),
            (pattern(mul, 1, x), x),
            (pattern(mul, x, 1.0), x),
            (pattern(mul, 1.0, x), x),
            (pattern(div, x, 1), x),
            (pattern(div, x, 1.0), x),
            (pattern(sub, x, 0), x),
            (pattern(power, x, 1), x),
        )
    return _rules


_rules: Rules | None = None

"""Raising: a pattern that is a named op, spelled out, becomes that op, so that a target can say its own word.

Only spellings that round and overflow as the op itself does: exp(x) / sum(exp(x)) is no softmax, since it
overflows.
"""

from __future__ import annotations

from ..op import REGISTER
from ..ops import load
from ..program import Program
from .pattern import Rules, Variable, pattern


def raise_patterns(program: Program) -> None:
    """Apply the rules."""
    rules()(program)


def rules() -> Rules:
    global _rules
    if _rules is None:
        load()
        x = Variable("x")
        made = []
        if {"silu", "sigmoid"} <= REGISTER.keys():
            silu, sigmoid, multiply = (REGISTER[n] for n in ("silu", "sigmoid", "multiply"))
            made += [
                (pattern(multiply, x, pattern(sigmoid, x)), lambda x: silu(x)),
                (pattern(multiply, pattern(sigmoid, x), x), lambda x: silu(x)),
            ]
        _rules = Rules(*made)
    return _rules


_rules: Rules | None = None

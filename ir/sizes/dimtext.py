"""How a Dim is written: as the Python expression that a person would write for it."""

from __future__ import annotations

import ast
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from ..errors import UnsupportedError

if TYPE_CHECKING:
    from .dim import Dim, Monomial, Terms


#: The most characters of an expression that is part of another.
LONGEST = 1000


def abridged(text: str) -> str:
    """`text`, or, where it is very long, one that no other expression has, and that is no Python."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:40]}…{blake2b(text.encode(), digest_size=12).hexdigest()}"


def source(dim: Dim) -> str:
    """A size as the expression that the emitted program computes.

    Raises:
        UnsupportedError: where it is too long for anybody to read.
    """
    text = str(dim)
    if "…" in text:
        raise UnsupportedError(
            "a size that the program depends on",
            why=f"written out, it has parts of over {LONGEST} characters: {text[:60]}",
            hint="compute that size from the arguments in fewer steps, or make it an argument",
        )
    return text


@lru_cache(maxsize=4096)
def is_atomic(text: str) -> bool:
    """Whether this expression can be an operand of any operator without brackets."""
    if text.rstrip("@").isidentifier():
        return True
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return True
    return isinstance(tree, (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant))


def operand(dim: Dim, *, left: bool) -> str:
    """`dim` beside `//` or `%`: on the left a product needs no brackets, on the right only one factor."""
    if isinstance(dim, int):
        return str(dim) if dim >= 0 or left else f"({dim})"
    ((monomial, coefficient), *others) = dim._terms.items()
    if not others and coefficient == 1 and len(monomial) == 1:
        atom, power = monomial[0]
        return f"{atom.factor}**{power}" if power > 1 else atom.text if left and atom.op else atom.factor
    return str(dim) if left and not others else f"({dim})"


def written(terms: Terms) -> str:
    """A polynomial: highest powers first, a positive term at the front."""
    if len(terms) == 1:
        ((monomial, coefficient),) = terms.items()
        if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
            return monomial[0][0].text
    ordered = sorted(terms.items(), key=lambda t: (-sum(p for _, p in t[0]), [a.text for a, _ in t[0]]))
    first = next((position for position, term in enumerate(ordered) if term[1] > 0), 0)
    ordered.insert(0, ordered.pop(first))
    text = ""
    for monomial, coefficient in ordered:
        sign = ("-" if coefficient < 0 else "") if not text else (" - " if coefficient < 0 else " + ")
        text += sign + product(monomial, abs(coefficient), bare=sign != "-")
    return text


def product(monomial: Monomial, coefficient: int, *, bare: bool) -> str:
    if bare and coefficient == 1 and len(monomial) == 1 and monomial[0][0].op and monomial[0][1] == 1:
        return monomial[0][0].text
    factors = [f"{atom.factor}**{power}" if power > 1 else atom.factor for atom, power in monomial]
    return " * ".join([str(coefficient), *factors] if coefficient != 1 or not factors else factors)

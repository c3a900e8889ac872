"""Stretched: the size to which sizes broadcast, where each may be 1 when the program runs.

Law: it holds for all arguments that the operation takes. Nothing is assumed, until somebody asks for its
value.
"""

from __future__ import annotations

from typing import Any

from .dim import APPLY, REDUCE, Dim, Sym, alone, compound, hint_of, laid_open
from .sliced import Facts, as_in_the_example


def broadcast(*dims: Dim) -> Dim:
    """The size to which these broadcast: that of all of them that are not 1."""
    kept = sorted({dim for dim in laid_open("broadcast", dims) if dim != 1}, key=str)
    known = [dim for dim in kept if isinstance(dim, int)]
    if known or len(kept) < 2:
        return (known or kept or [1])[0]
    words = ", ".join(map(str, kept))
    return compound("broadcast", tuple(kept), together, f"max({words}) * min({words}, 1)")


def together(*sizes: int) -> int:
    """Likewise of known sizes; where one is 0, so is the least of them."""
    return max(sizes) * min(*sizes, 1)


APPLY["broadcast"] = REDUCE["broadcast"] = broadcast


def unstretched(what: Any, expected: Any) -> Facts:
    """That `what` is `expected` as facts in which nothing broadcasts: a size to which others broadcast is
    the first of them that is not 1 in the example, and the others are equal to it or 1, as they are there.
    """
    if not isinstance(what, Sym):
        return [(what, expected)]
    found: Facts = []
    size = settled(what, found)
    if is_broadcast(what) and what.hint == expected != 1:  # the others are 1 or that, or nothing fits
        found = []
    return [*([(size, expected)] if isinstance(size, Sym) else ()), *found]


def facts_of_equality(one: Dim, other: Dim) -> Facts:
    """The facts by which two sizes are equal, as sizes broadcast in the example; none where they are not."""
    found: Facts = []
    difference = settled(one, found) - settled(other, found)
    if difference == 0 or any(difference in (size - known, known - size) for size, known in found):
        return found
    return []


def is_broadcast(dim: Sym) -> bool:
    """Whether a size is one to which others broadcast, and nothing else."""
    (atom, *more) = dim.factors
    return not more and dim == alone(atom) and atom.op == "broadcast"


def settled(dim: Dim, found: Facts) -> Dim:
    """The size, as if what broadcasts were as it is in the example; that it is so is `found`."""

    def value(atom: Any) -> Dim:
        parts = [settled(part, found) for part in atom.parts]
        if atom.op == "slicelen":
            return as_in_the_example(parts, found)
        if atom.op != "broadcast":
            return APPLY[atom.op](*parts) if atom.op else alone(atom)
        first = next((part for part in parts if hint_of(part) != 1), 1)
        for part in (part for part in parts if part is not first):
            found.append((part, 1) if hint_of(part) == 1 else (part - first, 0))
        return first

    return dim.mapped(value) if isinstance(dim, Sym) else dim

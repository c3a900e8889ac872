"""Extent: how small and how large an expression can be, by what its names are at least and at most.

The numbers that a loop counts have such bounds, and a quotient lies close to what is divided. Bounds may hold
names that have bounds themselves: how far an inner loop goes may depend on the outer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: How many names are looked through, one after another.
ROUNDS = 16


def judged(op: str, difference: Any) -> bool | None:
    """Whether `difference op 0` holds whatever its names stand for; None where that depends on them."""
    if not any(map(has_bounds, difference.factors)):
        return None
    if op in (">", ">="):
        return judged("<" if op == ">" else "<=", -difference)
    high = extent(difference, upper=True)
    limit = -1 if op in ("<", "!=", "==") else 0
    if high is not None and high <= limit:
        return op != "=="
    low = extent(difference, upper=False)
    if op in ("==", "!="):
        if low == high == 0:
            return op == "=="
        return op == "!=" if low is not None and low > 0 else None
    return False if low is not None and low > limit else None


def extent(dim: Any, *, upper: bool) -> int | None:
    """The largest that an expression can be, or the smallest; None where no int is known."""
    for _ in range(ROUNDS):
        if isinstance(dim, int):
            return dim
        bounded = [atom for atom in dim.factors if has_bounds(atom)]
        atom = first(bounded)
        dim = replaced(dim, atom, upper) if atom is not None else None
        if dim is None:
            return None
    return None


def ends(op: str, parts: Sequence[Any]) -> tuple[int | None, int | None]:
    """What a maximum, a minimum or the length of a slice is at least and at most: None is not known."""
    if op not in ("max", "min", "slicelen"):
        return None, None
    if op == "slicelen":
        return 0, extent(parts[0], upper=True)
    low, high = ([extent(part, upper=upper) for part in parts] for upper in (False, True))
    choose, unsure, sure = (max, high, low) if op == "max" else (min, low, high)
    known = [end for end in sure if end is not None]
    all_known = None if None in unsure else choose(end for end in unsure if end is not None)
    one_known = choose(known) if known else None
    return (one_known, all_known) if op == "max" else (all_known, one_known)


def within(dim: Any, low: int, high: int) -> bool:
    """Whether an expression surely lies there, if all names in it do."""
    if isinstance(dim, int):
        return low <= dim <= high
    least, most = (reach(dim, low, high, upper=upper) for upper in (False, True))
    return least is not None and most is not None and low <= least and most <= high


def reach(dim: Any, low: int, high: int, *, upper: bool) -> int | None:
    """As `extent`, where names without bounds of their own lie between these."""
    for _ in range(ROUNDS):
        if isinstance(dim, int):
            return dim
        atom = first(dim.factors)
        if atom is None:
            return None
        slope, rest = dim.split(atom)
        if not isinstance(slope, int):
            return None
        found = replaced(dim, atom, upper) if has_bounds(atom) else None
        if found is None:
            lowest, highest = remainder(atom) or (low, high)
            found = slope * (highest if (slope > 0) == upper else lowest) + rest
        dim = found
    return None


def remainder(atom: Any) -> tuple[int, int] | None:
    """Between what the remainder of a division lies."""
    divisor = atom.parts[1] if atom.op == "%" else None
    if not isinstance(divisor, int) or divisor == 0:
        return None
    return (0, divisor - 1) if divisor > 0 else (divisor + 1, 0)


def has_bounds(atom: Any) -> bool:
    return atom.least is not None or atom.most is not None or is_quotient(atom)


def is_quotient(atom: Any) -> bool:
    return atom.op == "//" and isinstance(atom.parts[1], int) and atom.parts[1] > 0


def first(atoms: Sequence[Any]) -> Any:
    """One that is in the bounds of no other."""
    if len(atoms) == 1:
        return atoms[0]
    needed = set().union(*map(depends, atoms))
    return next((atom for atom in atoms if atom.text not in needed), None)


def depends(atom: Any) -> set[str]:
    """The names that the bounds of an atom are computed from, and those that their bounds are."""
    bounds = (*(atom.parts[:1] if is_quotient(atom) else ()), atom.least, atom.most)
    inner = [factor for bound in bounds if hasattr(bound, "factors") for factor in bound.factors]
    return {factor.text for factor in inner}.union(*map(depends, inner)) if inner else set()


def replaced(dim: Any, atom: Any, upper: bool) -> Any:
    """`dim` with the bound of an atom that makes it largest, or smallest, in the atom's place; None where
    there is none.
    """
    slope, rest = dim.split(atom)
    if not isinstance(slope, int):
        return None
    high = (slope > 0) == upper
    if not is_quotient(atom):
        bound = atom.most if high else atom.least
        return None if bound is None else slope * bound + rest
    top, bottom = atom.parts
    if slope % bottom:
        return None
    return slope // bottom * (top if high else top - bottom + 1) + rest

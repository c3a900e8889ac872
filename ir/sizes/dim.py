"""Dim: a size. An int where it is known, else a Sym: an expression that the emitted program can compute.

A Sym is a polynomial with integer coefficients over atoms: names, which are any Python expression text
("n", "x.shape[0]"), and `//`, `%`, `max`, `min` and `broadcast` of dims. Two Syms are equal when their
polynomials are. Every name may bear a hint, its value at the example inputs; hints take no part in equality.
Law: nobody looks at a Sym by accident. Truth, int() and order raise; `compare` is None where it cannot know.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from ..errors import Undecided
from .dimtext import abridged, is_atomic, operand, written
from .extent import ends, judged


@dataclass(slots=True, eq=False)
class Atom:
    """What a polynomial is made of: a name (`op` is ""), or `op` of `parts`. Equal when the text is, which is
    abridged where it would be long: sizes are nested, and what is shared would be written out each time.
    """

    text: str
    op: str
    parts: tuple[Dim, ...]
    hint: int | None
    #: What it is computed from.
    names: frozenset[str]
    #: In the form in which dims are compared, once that was asked for.
    reduced: Dim | None = None
    #: What it is at least and at most, where that is known.
    least: Dim | None = None
    most: Dim | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def factor(self) -> str:
        """The text, in brackets where it could not stand in a product."""
        bare = self.op in ("max", "min", "slicelen") if self.op else is_atomic(self.text)
        return self.text if bare else f"({self.text})"


Monomial: TypeAlias = tuple[tuple[Atom, int], ...]  # (atom, power), by text; () is the constant
Terms: TypeAlias = dict[Monomial, int]


class Sym:
    """A size that is known only when the program runs. Made by `sym` and by arithmetic, never directly."""

    __slots__ = ("_terms", "_hash", "_hint", "_text")
    # NumPy's scalars would wrap a Sym in an object array instead of leaving the operator to it.
    __array_ufunc__ = None

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._hash: int | None = None
        self._hint: int | None | str = "unset"
        self._text: str | None = None

    @property
    def hint(self) -> int | None:
        """The value at the example inputs; None where an atom has no hint."""
        if isinstance(self._hint, str):
            self._hint = self._hinted()
        return self._hint

    @property
    def atoms(self) -> frozenset[str]:
        """The names that it is computed from."""
        return frozenset().union(*(atom.names for atom in self.factors))

    def evaluate(self, env: Mapping[str, Dim]) -> Dim:
        """The value where every name in `env` has that value; a Sym while other names are left."""
        values: dict[Atom, Dim] = {}

        def value(atom: Atom) -> Dim:
            if atom not in values:
                if atom.op:
                    parts = (p.mapped(value) if isinstance(p, Sym) else p for p in atom.parts)
                    values[atom] = APPLY[atom.op](*parts)
                else:
                    values[atom] = env[atom.text] if atom.text in env else alone(atom)
            return values[atom]

        return self.mapped(value)

    def linear_in(self, name: str) -> tuple[Dim, Dim] | None:
        """(a, b), both without `name`, such that this is a * name + b; None where it is not affine."""
        slope, rest = self.split(Atom(name, "", (), None, frozenset()))
        affine = all(name not in part.atoms for part in (slope, rest) if isinstance(part, Sym))
        return (slope, rest) if affine else None

    @property
    def sides(self) -> tuple[Dim, Dim]:
        """(a, b), neither with a negative term, such that this is a multiple of a - b."""
        shared = math.gcd(*self._terms.values())
        by = {s: {m: s * c // shared for m, c in self._terms.items() if s * c > 0} for s in (1, -1)}
        return _folded(by[1]), _folded(by[-1])

    @property
    def factors(self) -> list[Atom]:
        """The names, quotients, maxima and the like that it is a polynomial of."""
        return [atom for monomial in self._terms for atom, _ in monomial]

    def split(self, factor: Atom) -> tuple[Dim, Dim]:
        """(a, b), b without `factor`, such that this is a * factor + b."""
        slope: Terms = {}
        rest: Terms = {}
        for monomial, coefficient in self._terms.items():
            powers = dict(monomial)
            if factor in powers:
                powers[factor] -= 1
                slope[tuple(f for f in powers.items() if f[1])] = coefficient
            else:
                rest[monomial] = coefficient
        return _folded(slope), _folded(rest)

    def _hinted(self) -> int | None:
        total = 0
        for monomial, value in self._terms.items():
            for atom, power in monomial:
                if atom.hint is None:
                    return None
                value *= atom.hint**power
            total += value
        return total

    def mapped(self, value: Callable[[Atom], Dim]) -> Dim:
        """The polynomial with values for its atoms."""
        total: Terms = {}
        for monomial, coefficient in self._terms.items():
            product: Dim = 1
            for atom, power in monomial:
                product = value(atom) ** power * product
            for made, count in product._terms.items() if isinstance(product, Sym) else (((), product),):
                total[made] = total.get(made, 0) + coefficient * count
        return _folded(total)

    def __add__(self, other: Dim) -> Dim:
        if isinstance(other, int):
            return _sum(self._terms, {(): other}) if other else self
        return _sum(self._terms, other._terms) if isinstance(other, Sym) else NotImplemented

    __radd__ = __add__

    def __neg__(self) -> Sym:
        return Sym({monomial: -coefficient for monomial, coefficient in self._terms.items()})

    def __sub__(self, other: Dim) -> Dim:
        return self + -other if isinstance(other, (int, Sym)) else NotImplemented

    def __rsub__(self, other: int) -> Dim:
        return -self + other if isinstance(other, int) else NotImplemented

    def __mul__(self, other: Dim) -> Dim:
        if isinstance(other, int):
            return Sym({m: c * other for m, c in self._terms.items()}) if other else 0
        if not isinstance(other, Sym):
            return NotImplemented
        product: Terms = {}
        for left, a in self._terms.items():
            for right, b in other._terms.items():
                monomial = _times(left, right)
                product[monomial] = product.get(monomial, 0) + a * b
        return _folded(product)

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Dim:
        if not isinstance(power, int):
            return NotImplemented
        if power < 0:
            raise ValueError(f"a size has no power {power}")
        product: Dim = self if power else 1
        for _ in range(1, power):
            product = product * self
        return product

    def __floordiv__(self, other: Dim) -> Dim:
        return _floordiv(self, other) if isinstance(other, (int, Sym)) else NotImplemented

    def __rfloordiv__(self, other: int) -> Dim:
        return _floordiv(other, self) if isinstance(other, int) else NotImplemented

    def __mod__(self, other: Dim) -> Dim:
        return _mod(self, other) if isinstance(other, (int, Sym)) else NotImplemented

    def __rmod__(self, other: int) -> Dim:
        return _mod(other, self) if isinstance(other, int) else NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sym) and self._terms == other._terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._terms.items()))
        return self._hash

    def __str__(self) -> str:
        if self._text is None:
            self._text = written(self._terms)
        return self._text

    __repr__ = __str__

    def _refuse(self, *_: object) -> NoReturn:
        raise Undecided(f"the size {self} is known only when the program runs: it cannot be looked at")

    __bool__ = __int__ = __index__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


Dim: TypeAlias = int | Sym
Shape: TypeAlias = tuple[Dim, ...]


def sym(name: str, hint: int | None = None, least: Dim | None = None, most: Dim | None = None) -> Sym:
    """The size that the expression `name` has in the emitted program; `hint` is its example value."""
    return alone(Atom(name, "", (), hint, frozenset((name,)), least=least, most=most))


def hint_of(dim: Dim) -> int | None:
    """The value at the example inputs: of an int itself."""
    return dim.hint if isinstance(dim, Sym) else dim


def maximum(*dims: Dim) -> Dim:
    """The largest of `dims`, as an expression where that is not decided."""
    return _extreme("max", dims)


def minimum(*dims: Dim) -> Dim:
    """The smallest of `dims`, as an expression where that is not decided."""
    return _extreme("min", dims)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def compare(op: str, left: Dim, right: Dim) -> bool | None:
    """Whether `left op right` holds whatever the names stand for; None where that depends on them."""
    if isinstance(left, int) and isinstance(right, int):
        return COMPARISONS[op](left, right)
    difference = _reduced(left - right)
    return judged(op, difference) if isinstance(difference, Sym) else COMPARISONS[op](difference, 0)


def alone(atom: Atom) -> Sym:
    return Sym({((atom, 1),): 1})


def _folded(terms: Terms) -> Dim:
    kept = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}
    if not kept or (len(kept) == 1 and () in kept):
        return kept.get((), 0)
    return Sym(kept)


def _sum(left: Terms, right: Terms) -> Dim:
    terms = dict(left)
    for monomial, coefficient in right.items():
        terms[monomial] = terms.get(monomial, 0) + coefficient
    return _folded(terms)


def _times(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted(powers.items(), key=lambda factor: factor[0].text))


def _quotient(monomial: Monomial, coefficient: int, divisor: Terms) -> tuple[Monomial, int] | None:
    """One term over a divisor of one term, where that leaves nothing over."""
    ((below, scale),) = divisor.items()
    if coefficient % scale:
        return None
    powers = dict(monomial)
    for atom, power in below:
        powers[atom] = powers.get(atom, 0) - power
        if powers[atom] < 0:
            return None
    return tuple(factor for factor in powers.items() if factor[1]), coefficient // scale


def _split(top: Dim, bottom: Dim) -> tuple[Dim, Dim]:
    """(q, r) with top == q * bottom + r. A constant stays beside other terms: (h + 2) // 2 reads best so."""
    divisor: Terms = bottom._terms if isinstance(bottom, Sym) else {(): bottom}
    terms: Terms = top._terms if isinstance(top, Sym) else {(): top}
    if len(divisor) > 1:
        return (1, 0) if terms == divisor else (0, top)
    quotient: Terms = {}
    rest: Terms = {}
    for monomial, coefficient in terms.items():
        exact = _quotient(monomial, coefficient, divisor) if monomial else None
        if exact is None:
            rest[monomial] = coefficient
        else:
            quotient[exact[0]] = exact[1]
    return (_folded(quotient), _folded(rest)) if quotient else (0, top)


def _floordiv(top: Dim, bottom: Dim) -> Dim:
    quotient, rest = _split(top, bottom)
    if isinstance(rest, int) and isinstance(bottom, int):
        return quotient + rest // bottom
    return quotient if rest == 0 else quotient + compound("//", (rest, bottom), operator.floordiv)


def _mod(top: Dim, bottom: Dim) -> Dim:
    _, rest = _split(top, bottom)
    if isinstance(rest, int) and isinstance(bottom, int):
        return rest % bottom
    return 0 if rest == 0 else compound("%", (rest, bottom), operator.mod)


def _extreme(op: str, dims: Sequence[Dim]) -> Dim:
    """max or min: nested ones are laid open, and of two dims whose difference is known one goes."""
    worse = "<=" if op == "max" else ">="
    kept: list[Dim] = []
    for dim in laid_open(op, dims):
        if any(compare(worse, dim, other) for other in kept):
            continue
        kept = [other for other in kept if not compare(worse, other, dim)] + [dim]
    if len(kept) == 1:
        return kept[0]
    kept.sort(key=lambda dim: (isinstance(dim, int), str(dim)))
    return compound(op, tuple(kept), max if op == "max" else min)


def laid_open(op: str, dims: Sequence[Dim]) -> list[Dim]:
    flat: list[Dim] = []
    for dim in dims:
        inner = next(iter(dim._terms)) if isinstance(dim, Sym) and list(dim._terms.values()) == [1] else ()
        if len(inner) == 1 and inner[0][1] == 1 and inner[0][0].op == op:
            flat.extend(inner[0][0].parts)
        else:
            flat.append(dim)
    return flat


def compound(op: str, parts: tuple[Dim, ...], function: Callable[..., int], text: str = "") -> Sym:
    if not text and op in ("max", "min"):
        text = f"{op}({', '.join(map(str, parts))})"
    elif not text:
        text = f"{operand(parts[0], left=True)} {op} {operand(parts[1], left=False)}"
    hints = [hint_of(part) for part in parts]
    known = None not in hints and (op not in ("//", "%") or hints[1] != 0)
    names: frozenset[str] = frozenset().union(*(part.atoms for part in parts if isinstance(part, Sym)))
    hint = function(*hints) if known else None
    return alone(Atom(abridged(text), op, parts, hint, names, None, *ends(op, parts)))


def _reduced(dim: Dim) -> Dim:
    """The form of a dim in which equal ones look alike more often. Atoms remember theirs: they are nested."""
    if not isinstance(dim, Sym):
        return dim
    return dim.mapped(_reduced_atom)


def _reduced_atom(atom: Atom) -> Dim:
    if not atom.op:
        return alone(atom)
    if atom.reduced is None:
        atom.reduced = REDUCE[atom.op](*map(_reduced, atom.parts))
        for made in atom.reduced.factors if isinstance(atom.reduced, Sym) else ():
            if made.reduced is None:
                made.reduced = alone(made)
    return atom.reduced


def _reduced_floordiv(top: Dim, bottom: Dim) -> Dim:
    """`//` with the constant taken out too, so that (h - 3) // 2 + 1 and (h - 1) // 2 become one form."""
    if not isinstance(bottom, int) or not isinstance(top, Sym) or bottom == 0:
        return top // bottom
    constant = top._terms.get((), 0)
    return (top - constant + constant % bottom) // bottom + constant // bottom


APPLY: dict[str, Callable[..., Dim]] = {
    "//": operator.floordiv, "%": operator.mod, "max": maximum, "min": minimum,
}  # fmt: skip
REDUCE: dict[str, Callable[..., Dim]] = {
    **APPLY, "//": _reduced_floordiv, "%": lambda top, bottom: top - bottom * _reduced_floordiv(top, bottom),
}  # fmt: skip

"""Judge: what dims are to each other, with a record of all that had to be assumed.

Law: what holds for all values is said without a record. What the hints decide, or nothing does, is recorded
as a Constraint, and so becomes a check in the program that runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..sizes.dim import COMPARISONS, Dim, Shape, Sym, compare, compound, hint_of
from ..sizes.local import is_local
from ..sizes.stretched import broadcast

SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
NEGATED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True, slots=True)
class Constraint:
    """What was taken for granted about dims, and has to be checked where the program runs: `lhs op rhs`.

    Attributes:
        stretches: whether the size that came of it is right without it, as long as the two broadcast.
        broadcasts: whether they broadcast, so that a call does without it where one of them is 1.
    """

    lhs: Dim
    op: str
    rhs: Dim
    stretches: bool = field(default=False, compare=False)
    broadcasts: bool = field(default=False, compare=False)

    @classmethod
    def of(cls, lhs: Dim, op: str, rhs: Dim) -> Constraint:
        """The same, a Sym on the left."""
        return cls(rhs, SWAPPED[op], lhs) if isinstance(lhs, int) else cls(lhs, op, rhs)

    @property
    def orders(self) -> bool:
        """Whether it says that one is smaller than the other, without which no call raises."""
        return self.op in ("<", "<=", ">", ">=")

    @property
    def excess(self) -> Dim:
        """Of one that orders: what is 0 where it holds, and more elsewhere."""
        less, more = (self.lhs, self.rhs) if self.op in ("<", "<=") else (self.rhs, self.lhs)
        over = less - more + (self.op in ("<", ">"))
        # Which of the two is larger is not decided, or nothing would have been assumed.
        return compound("max", (over, 0), max) if isinstance(over, Sym) else max(over, 0)

    def holds(self, env: Mapping[str, Dim]) -> bool | None:
        """Whether it holds where the names have these values; None while that is not decided."""
        left, right = (d.evaluate(env) if isinstance(d, Sym) else d for d in (self.lhs, self.rhs))
        return compare(self.op, left, right)

    def __str__(self) -> str:
        return f"{self.lhs} {self.op} {self.rhs}"


class Judge:
    """Decides about dims. With `strict`, two dims are equal only where their expressions are."""

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self._assumed: dict[Constraint, None] = {}

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What was assumed, in order, each once."""
        return tuple(self._assumed)

    def taken(self) -> tuple[Constraint, ...]:
        """What was assumed since this was asked last."""
        found, self._assumed = tuple(self._assumed), {}
        return found

    def holds(self, op: str, left: Dim, right: Dim, want: bool = True) -> bool:
        """Whether `left op right`: by the hints where that is open, as `want` says where there are none."""
        decided = compare(op, left, right)
        if decided is not None:
            return decided
        here, there = hint_of(left), hint_of(right)
        truth = want if here is None or there is None else COMPARISONS[op](here, there)
        self._assume(left, op if truth else NEGATED[op], right)
        return truth

    def unify(self, first: Dim, second: Dim) -> Dim | None:
        """The one size that both are, an int rather than an expression; None where they differ."""
        if first == second:
            return first
        if not self._equal(first, second):
            return None
        return second if isinstance(second, int) else first

    def fit(self, dim: Dim, size: Dim) -> Dim | None:
        """`size`, where `dim` is that or broadcasts to it; None where it does not."""
        if dim == 1 or dim == size:
            return size
        if hint_of(dim) == 1 and hint_of(size) not in (1, None):
            return size if self._equal(dim, 1) else None
        return self.unify(size, dim)

    def stretch(self, first: Dim, second: Dim) -> Dim | None:
        """The size that both broadcast to; None where there is none."""
        if first == 1 or first == second:
            return second
        if second == 1:
            return first
        hints = hint_of(first), hint_of(second)
        if 1 not in hints or None in hints or self.strict:
            size = self.unify(first, second)
            if isinstance(size, Sym):
                self._assume(first, "==", second, broadcasts=True)
            return size
        if is_local(first) or is_local(second):
            return self.fit(first, second) if hints[0] == 1 else self.fit(second, first)
        sides = [dim for dim, hint in zip((first, second), hints) if hint == 1]
        self._assume(sides[0], "==", sides[1] if len(sides) > 1 else 1, stretches=True)
        return broadcast(first, second)

    def broadcast(self, first: Shape, second: Shape) -> tuple[Shape, Sequence[int]]:
        """The shape that both broadcast to, by NumPy's rule; and its axes that clash, where `first` stays."""
        rank = max(len(first), len(second))
        first, second = ((1,) * (rank - len(shape)) + shape for shape in (first, second))
        sizes = [self.stretch(a, b) for a, b in zip(first, second)]
        kept = tuple(a if size is None else size for a, size in zip(first, sizes))
        return kept, [axis for axis, size in enumerate(sizes) if size is None]

    def _assume(
        self, left: Dim, op: str, right: Dim, *, stretches: bool = False, broadcasts: bool = False
    ) -> None:
        made = replace(Constraint.of(left, op, right), stretches=stretches, broadcasts=broadcasts)
        if not stretches:  # which asks for more
            self._assumed.pop(made, None)
        self._assumed.setdefault(made)

    def _equal(self, first: Dim, second: Dim) -> bool:
        if self.strict and compare("==", first, second) is None:
            return False
        before = dict(self._assumed)
        equal = self.holds("==", first, second)
        if not equal:
            self._assumed = before  # a clash is reported, not recorded
        return equal


#: Whom those functions ask that compute shapes by themselves.
JUDGE = Judge()

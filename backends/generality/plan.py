"""Plan: what the text says of an op's dtypes, as the example decides it; the writer's own choice, on typings.

A cast that is printed stays in the text whatever the arguments are, and so does a `dtype=`; one that the
target's promotion made superfluous is not there for other arguments either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from ...ir.values.dtypes import KINDS, DType
from ..typing import NoTyping, Operand, Typing

#: A framework's typing of these operands, with this dtype said.
Typed = Callable[[Sequence[Operand], "DType | None"], Typing]


class Plan(NamedTuple):
    """What the text says of the dtypes of one op.

    Attributes:
        casts: of each operand, the dtype in which the text has it; None where it is as it comes.
        dtype: what is said with `dtype=`.
        result: the dtype to which what comes out is cast.
    """

    casts: tuple[DType | None, ...]
    dtype: DType | None = None
    result: DType | None = None

    def typed(self, operands: Sequence[Operand], typed: Typed) -> Typing:
        """What the text computes of these operands.

        Raises:
            NoTyping: where the target has no such op, or it is not known. Refused: where it raises.
        """
        given = [o if d is None else replace(o, dtype=d, form="array") for o, d in zip(operands, self.casts)]
        found = typed(given, self.dtype)
        return found if self.result is None else replace(found, result=self.result, weak=False)


    def cuts(self, operands: Sequence[Operand]) -> bool:
        """Whether a cast of the text would lose some of what an array may hold."""
        return any(d is not None and loses(o, d) for o, d in zip(operands, self.casts))


def loses(operand: Operand, to: DType) -> bool:
    """Whether a dtype has no room for all that an operand may hold. Python's own numbers are as they are in
    the example, but for their kind; ints become floats as promotion has it.
    """
    dtype = operand.dtype
    if dtype is None or dtype == to or dtype.kind == "bool":
        return False
    if dtype.is_integer and to.is_integer and operand.form != "python":
        signed = dtype.kind == "int"
        return signed > (to.kind == "int") or dtype.bits + (not signed and to.kind == "int") > to.bits
    mine, theirs = (KINDS.index("int" if d.is_integer else d.kind) for d in (dtype, to))
    return mine > theirs or mine == theirs and operand.form != "python" and dtype.bits >= to.bits


def planned(
    operands: Sequence[Operand],
    casts: Sequence[DType | None],
    wanted: DType,
    sums: bool | None,
    typed: Typed,
    fine: Callable[[Typing], bool],
) -> Plan | None:
    """What the writer does with an op in the example; None where it is not known.

    Args:
        operands: as the target has them, before promotion casts them.
        casts: the dtypes to which promotion casts them; None where it does not.
        wanted: the dtype that comes out.
        sums: of an op that makes sums, whether the target's function takes `dtype=`; None of any other op.
        fine: whether the target computes what it should.
    """
    free: tuple[DType | None, ...] = (None,) * len(operands)
    if sums is not None:
        found = summed(operands, wanted, sums, typed)
        if found is not None:
            return found
    places = [i for i, cast in enumerate(casts) if cast is not None]
    for kept in subsets(places):
        plan = Plan(tuple(c if i in kept else None for i, c in enumerate(casts)))
        try:
            made = plan.typed(operands, typed)
        except NoTyping:
            continue
        if made.result == wanted and fine(made):
            return plan
    strong = tuple(wanted if o.form == "python" else c for o, c in zip(operands, casts))
    for all_ in (tuple(casts), strong):
        try:
            made = Plan(all_ or free).typed(operands, typed)
        except NoTyping:
            continue
        if fine(made):
            return Plan(all_, result=wanted if made.result != wanted else None)
    return None


def summed(operands: Sequence[Operand], wanted: DType, dtype: bool, typed: Typed) -> Plan | None:
    """A sum as it comes, or with a dtype, or cast. None where only casts of its terms would do."""
    free = (None,) * len(operands)
    plain, asked = (attempted(typed, operands, d) for d in (None, wanted))
    if plain is not None and plain.result == wanted:
        return Plan(free)
    if asked is not None and dtype:
        return Plan(free, dtype=wanted)
    whole = plain is not None and plain.result.is_integer and not wanted.is_inexact
    wraps = plain is not None and whole and plain.result.bits >= wanted.bits
    return Plan(free, result=wanted) if wraps else None


def attempted(typed: Typed, operands: Sequence[Operand], dtype: DType | None) -> Typing | None:
    try:
        return typed(operands, dtype)
    except NoTyping:
        return None


def subsets(places: Sequence[int]) -> Iterator[frozenset[int]]:
    """All subsets, the smallest first."""
    for size in range(len(places) + 1):
        yield from map(frozenset, combinations(places, size))

"""Pipeline: all that a Program goes through from when it was read to when it is written, one list for each
target.

    dtype-checks │ the passes of ir/passes │ those of lowering │ those of planning

Each is a named pass; `tracelate passes` lists them and `tracelate show --after NAME` prints what one leaves.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..backends import failing, unions
from ..backends.generality import checks
from ..backends.lowering.compiled import powers
from ..backends.lowering.passes import PASSES as LOWERING
from ..backends.lowering.passes import Way
from ..backends.lowering.precision import supposed
from ..backends.turning import check_turns
from ..ir.errors import TraceError
from ..ir.passes import Pass, chosen, prepare
from ..ir.program import Program
from .plan.passes import PASSES as PLANNING


def note_checks(program: Program, way: Way) -> None:
    program.meta |= checks(program, way.target, way.source)


def refuse_lost(program: Program, way: Way) -> None:
    """What no rewriting would keep."""
    for lost in (unions.overflowing, unions.lost, unions.mixed, powers.lost):
        way.refusals += [*lost(program, way.target, way.source)][:1]
    failing.reached(program, way.target, way.refusals)
    way.end()


#: Asked while only those dtypes are pinned that the trace looked at.
SUPPOSED = Pass(
    "supposed-dtypes",
    "what was decided by a dtype that nobody gave is refused where there is no such dtype",
    supposed,
    ("way",),
    lambda way: not way.x64,
)
#: Asked before any rewrite, which may leave out what only other dtypes make a difference to.
FIRST = Pass(
    "dtype-checks", "it is noted which dtypes of other arguments mean something else", note_checks, ("way",)
)
TURNS = Pass(
    "turns",
    "loops are checked to turn where a number would be lost that one gives which does not",
    check_turns,
    ("target", "source"),
)
LOST = Pass("lost", "what the target has in no form is refused", refuse_lost, ("way",))


def pipeline(way: Way, names: Sequence[str] | None = None) -> list[Pass]:
    """The passes that a Program goes through on this way, in order.

    Args:
        names: those of `ir/passes` that are wanted; None: the usual ones.

    Raises:
        TraceError: for a pass that does not exist.
    """
    listed = [SUPPOSED, FIRST, *chosen(names), TURNS, LOST, *LOWERING, *PLANNING]
    without = () if names is None or "common" in names else ("steps",)
    return [each for each in listed if each.when(way) and each.name not in without]


def run(program: Program, way: Way, passes: Sequence[Pass], after: str | None = None) -> Program:
    """A Program as it was read, after these passes, or all up to the one named `after`; changed in place.

    Raises:
        UnsupportedError: listing what the target cannot say.
        TraceError: for a pass that does not exist.
    """
    names = [each.name for each in passes]
    if after is not None and after not in names:
        raise TraceError(
            f"there is no pass named {after!r} on the way to {way.name}", hint=f"they are {', '.join(names)}"
        )
    prepare(program, names)
    program.meta["entry"] = True
    for each in passes:
        each(program, way)
        if each.name == after:
            break
    return program

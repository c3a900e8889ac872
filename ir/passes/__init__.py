"""Passes: Program -> Program, each a switch. `optimise` runs them in order; the usual ones never change a
number.

dead      what nothing uses and has no effect
fold      ops that do nothing on these operands: a cast to the dtype it has, an idle permutation
algebra   laws that hold for every value, NaN, -0.0 and inf included
common    one value for expressions that are the same, unless the user gave both a name
raise     patterns that are a named op, spelled out: x * sigmoid(x) is silu(x)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import TraceError
from ..ops import load
from ..outside import is_written
from ..program import Program, inner_graphs
from . import algebra, common, fold, raising


def dead(program: Program) -> None:
    program.eliminate_dead_code()


#: By name, in the order in which they run.
PASSES: dict[str, Callable[[Program], None]] = {
    "fold": fold.fold,
    "algebra": algebra.algebra,
    "raise": raising.raise_patterns,
    "common": common.common,
    "dead": dead,
}
USUAL = tuple(PASSES)


def optimise(program: Program, names: Sequence[str] | None = None) -> Program:
    """`program` after these passes (None: the usual ones), changed in place, the graphs inside it too.

    Raises:
        TraceError: for a pass that does not exist.
    """
    load()
    program.meta["written"] = program.meta.get("written") or is_written(program)
    for name in USUAL if names is None else names:
        if name not in PASSES:
            raise TraceError(f"there is no pass named {name!r}", hint=f"the passes are {', '.join(PASSES)}")
        PASSES[name](program)
    for inner in inner_graphs(program):
        if isinstance(inner, Program):
            inner.meta["written"] = program.meta["written"]
            inner.meta["inner"] = True
            optimise(inner, names)
    return program

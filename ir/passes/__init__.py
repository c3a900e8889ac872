"""Passes: Program -> Program, each a switch. `optimise` runs them in order; by default those that never change a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..errors import TraceError
from ..program import Program

#: By name, in the order in which they run.
PASSES: dict[str, Callable[[Program], None]] = {"dead": lambda program: (program.eliminate_dead_code(), None)[1]}
USUAL = tuple(PASSES)


def optimise(program: Program, names: Sequence[str] | None = None) -> Program:
    """`program` after these passes (None: the usual ones), changed in place.

    Raises:
        TraceError: for a pass that does not exist.
    """
    for name in USUAL if names is None else names:
        if name not in PASSES:
            raise TraceError(f"there is no pass named {name!r}", hint=f"the passes are {', '.join(PASSES)}")
        PASSES[name](program)
    return program

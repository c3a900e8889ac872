"""Passes: the rewrites of a Program, each under the name that people know it by.

Those of this list know no framework, are switches for users, and the usual ones never change a number.
Lowering and planning have lists of their own (`backends/lowering/passes.py`, `codegen/plan/passes.py`);
`tracelate passes` prints all that a Program goes through on its way to a target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..analysis.outside import is_written
from ..errors import TraceError
from ..graphs.walk import every_graph
from ..program import Program
from . import algebra, common, fold, raising


class Pass(NamedTuple):
    """A rewrite of a Program, in place.

    Attributes:
        says: what holds after it, for people.
        run: called with the program, and with what `given` names of the way that the program goes.
        when: whether a program needs it on this way.
    """

    name: str
    says: str
    run: Callable[..., object]
    given: tuple[str, ...] = ()
    when: Callable[[Any], bool] = lambda way: True

    def __call__(self, program: Program, way: Any = None) -> None:
        self.run(program, *(getattr(way, name) for name in self.given))


def everywhere(run: Callable[[Program], object]) -> Callable[[Program], None]:
    """The same on the graphs inside a program."""

    def ran(program: Program) -> None:
        for graph in every_graph(program):
            run(graph)

    return ran


#: By name, in the order in which they run.
PASSES: dict[str, Pass] = {
    each.name: each
    for each in (
        Pass(
            "fold",
            "what does nothing is gone: casts to the dtype at hand, idle permutations",
            everywhere(fold.fold),
        ),
        Pass(
            "algebra",
            "what laws leave out that hold for every value is gone: x * 1 is x",
            everywhere(algebra.algebra),
        ),
        Pass(
            "raise",
            "what spells out a named op is that op: x * sigmoid(x) is silu(x)",
            everywhere(raising.raise_patterns),
        ),
        Pass(
            "common",
            "expressions that are the same are one, unless the user named both",
            everywhere(common.common),
        ),
        Pass("dead", "what nothing uses and has no effect is gone", everywhere(Program.eliminate_dead_code)),
    )
}
#: Those that run unless others are named: what the user wrote stays, `x * 1` too.
USUAL = tuple(name for name in PASSES if name != "algebra")


def optimise(program: Program, names: Sequence[str] | None = None) -> Program:
    """`program` after these passes (None: the usual ones), changed in place, the graphs inside it too.

    Raises:
        TraceError: for a pass that does not exist.
    """
    prepare(program, names)
    for each in chosen(names):
        each(program)
    return program


def chosen(names: Sequence[str] | None) -> list[Pass]:
    """The passes of these names; None: the usual ones.

    Raises:
        TraceError: for a pass that does not exist.
    """
    for name in names or ():
        if name not in PASSES:
            raise TraceError(f"there is no pass named {name!r}", hint=f"the passes are {', '.join(PASSES)}")
    return [PASSES[name] for name in (USUAL if names is None else names)]


def prepare(program: Program, names: Sequence[str] | None) -> None:
    """Note, in all graphs of a program, what the passes ask."""
    written = is_written(program)
    for graph in every_graph(program):
        graph.meta["written"] = written
        graph.meta["laws"] = "algebra" in (USUAL if names is None else names)
        if graph is not program:
            graph.meta["inner"] = True

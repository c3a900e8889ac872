"""vary: a translation and its source, on the example and on what else the function might be called with."""

from __future__ import annotations

from typing import Any

from ..backends.backend import Backend
from ..checking import Report, real
from .report import Case, Varied
from .running import Outcome, Runner
from .shrinking import smallest
from .variations import Arguments, Example, variations

#: How many variations there are unless one says.
USUAL = 48

#: How many tries it may take to make arguments small; what is compiled takes its time for each shape.
TRIES = 150
COMPILED_TRIES = 40


def varied(report: Report, traced: Any, out: Any, target: Backend, count: int) -> Varied:
    """Try variations of the example.

    Args:
        report: what the check of the example found.
        traced: an traced.Traced, with real arguments. `out` is its translation, for `target`.
        count: how many.
    """
    made = Varied(
        report.name, report.source, report.target, report.differences, report.first, report.compared
    )
    bound = real(traced.fn, traced.args or (), traced.kwargs or {})
    arguments = dict(bound.arguments)
    runner = Runner(traced, out, bound, target)
    example = Example(arguments, bound.signature.parameters, known(traced.origin, target))
    made.cases.append(Case("the example", arguments, runner.outcome(arguments)))
    for variation in variations(example, count):
        outcome = runner.outcome(variation.arguments)
        made.cases.append(Case(variation.what, variation.arguments, outcome))
        if outcome.kind == "differs" and made.smallest is None:
            made.smallest = small(made.cases[-1], arguments, runner)
    if made.cases[0].outcome.kind == "differs" and made.smallest is None:
        made.smallest = small(made.cases[0], arguments, runner)
    return made


def small(case: Case, example: Arguments, runner: Runner) -> Case:
    """The same case with the smallest arguments that differ."""
    last: list[Outcome] = [case.outcome]

    def differs(arguments: Arguments) -> bool:
        try:
            outcome = runner.outcome(arguments)
        except (TypeError, ValueError):
            return False  # nothing that binds to the parameters
        if outcome.kind == "differs":
            last[0] = outcome
        return outcome.kind == "differs"

    tries = COMPILED_TRIES if runner.target.compiles else TRIES
    found = smallest(case.arguments, example, differs, tries)
    return Case(case.what, found, last[0])


def known(source: Backend, target: Backend) -> tuple[str, ...]:
    """The dtypes that both sides have: without 64 bits JAX would narrow them, and other numbers come out."""
    names = [name for name in source.tries if name in target.dtypes and name in source.dtypes]
    names = [name for name in names if name not in target.borrowed]  # of which it knows only what it is told
    if source.x64 and target.x64:
        return tuple(names)
    return tuple(name for name in names if name not in ("float64", "complex128", "int64"))

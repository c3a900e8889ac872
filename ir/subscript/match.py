"""match: shapes against a Subscript: what every symbol is, what comes out, and all that does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..sizes.dim import Dim, Shape
from ..source.span import Span
from ..values.dtypes import DType
from .form import Form
from .judge import Constraint, Judge
from .kinds import Promote, match_dtypes
from .matcher import Matcher, Taken
from .report import MatchError, Report
from .table import size_of

if TYPE_CHECKING:
    from .subscript import Subscript

Given: TypeAlias = Sequence[Dim | str]
RANK_ERRORS = ("arity", "rank", "batch-length")
LAST = ("let", "undetermined")


@dataclass(frozen=True, slots=True)
class Match:
    """What came of matching shapes.

    `outputs` are predicted as far as possible even where `reports` has complaints: a size that could not be
    determined is "?". `table` says what each symbol is, None where undetermined; `constraints` what was
    assumed about symbolic sizes. `labels` and `output_labels` are what the arrays are called in messages.
    """

    subscript: Subscript
    inputs: tuple[Shape | None, ...]
    outputs: tuple[Shape, ...]
    dtypes: tuple[DType | None, ...]
    table: dict[str, Any]
    reports: tuple[Report, ...]
    constraints: tuple[Constraint, ...]
    labels: tuple[str, ...]
    output_labels: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.reports

    @property
    def rank_error(self) -> bool:
        """Whether the number of arrays, or of the axes of one, is wrong."""
        return any(report.kind in RANK_ERRORS for report in self.reports)

    def raise_if_bad(self, node: object = None, user_loc: Span | None = None, when: str = "forward") -> Match:
        """Itself, where nothing is wrong.

        Raises:
            MatchError: a ShapeError with all reports.
        """
        if self.reports:
            raise MatchError(self, node=node, user_loc=user_loc, when=when)
        return self


def match(
    subscript: Subscript,
    shapes: Sequence[Given | None],
    env: Mapping[str, Any],
    dtypes: Sequence[DType | None] | None,
    promote: Promote | None,
    strict_symbols: bool,
    allow_symbol: bool,
) -> Match:
    """See Subscript.match."""
    form = subscript.form
    inputs = tuple(None if shape is None else tuple(map(size_of, shape)) for shape in shapes)
    matcher = Matcher(form, Judge(strict_symbols), allow_symbol)
    taken, arity = allot(form, inputs)
    matcher.begin(env, len(taken))
    matcher.take_all(taken)
    outputs = matcher.finish()
    given = dtypes if dtypes is not None else [None] * len(inputs)
    typed = [(label, arg, dtype) for (label, arg, _), dtype in zip(taken, given)]
    found, dtype_reports = match_dtypes(form, typed, [arg for _, arg, _ in outputs], env, promote)
    ordered = sorted([*matcher.table.reports, *dtype_reports], key=lambda report: report.kind in LAST)
    return Match(
        subscript=subscript,
        inputs=inputs,
        outputs=tuple(shape for _, _, shape in outputs),
        dtypes=found,
        table={name: matcher.table.values.get(name) for name in subscript.symbols},
        reports=tuple(ordered) if arity is None else (arity,),
        constraints=matcher.table.judge.constraints,
        labels=tuple(label for label, _, _ in taken[: len(inputs)]) + ("extra",) * (len(inputs) - len(taken)),
        output_labels=tuple(label for label, _, _ in outputs),
    )


def allot(form: Form, shapes: Sequence[Shape | None]) -> tuple[Taken, Report | None]:
    """Which argument each shape is for, under its name in messages; and what is wrong with their number.

    An argument with ... takes what the others, optional ones included, leave over.
    """
    single = [arg for arg in form.inputs if not arg.variadic]
    taken: Taken = []
    remaining = list(shapes)
    for number, arg in enumerate(form.inputs, 1):
        count = max(len(shapes) - len(single), 0) if arg.variadic else 1
        for copy in range(count):
            label = (arg.name or f"input {number}") + (f"[{copy}]" if arg.variadic else "")
            taken.append((label, arg, remaining.pop(0) if remaining else None))
    missing = any(shape is None and not arg.optional for _, arg, shape in taken)
    if not missing and not remaining:
        return taken, None
    names = ", ".join(f"{arg.name or '_'}{'...' * arg.variadic}{'?' * arg.optional}" for arg in form.inputs)
    expected, got = _expected(form), _count(shapes)
    text = f"too {'few' if missing else 'many'} arguments: expected {expected} ({names}), got {got}"
    return taken, Report("arity", text, expected=expected, got=got)


def _count(shapes: Sequence[Shape | None]) -> int:
    return sum(shape is not None for shape in shapes)


def _expected(form: Form) -> str:
    required = sum(not arg.variadic and not arg.optional for arg in form.inputs)
    if any(arg.variadic for arg in form.inputs):
        return f"at least {required}"
    return str(required) if required == len(form.inputs) else f"{required} to {len(form.inputs)}"

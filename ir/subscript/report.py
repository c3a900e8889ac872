"""What a Subscript says when its text is wrong (SubscriptError) or shapes are (Report, MatchError)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ShapeError, TraceError
from ..sizes.dim import Shape
from ..source.span import Span

if TYPE_CHECKING:
    from .match import Match

#: What could not be done, by the moment at which the shapes were seen.
INTRODUCTIONS = {
    "forward": "couldn't step forward because of a shape error.",
    "backward": "couldn't step backward because of a shape error.",
    "call": "couldn't call it because of a shape error.",
    "moving": "couldn't move the result because of a shape error.",
}


class SubscriptError(TraceError, ValueError):
    """An ill-formed Subscript: `why` says how, `subscript` is the text, `position` where in it, from 0."""

    def __init__(self, why: str, subscript: str, position: int) -> None:
        self.why = why
        self.subscript = subscript
        self.position = position
        super().__init__(f"{why}\n  {subscript}\n  {' ' * position}^")


@dataclass(frozen=True, slots=True)
class Report:
    """One thing that does not fit.

    `kind` is one of arity, rank, mismatch, batch-length, batch-axis, broadcast, literal, expr, let,
    constraint, undetermined, dtype. `arg` is the argument as it is called in messages, `axis` its axis,
    from 0.
    """

    kind: str
    text: str
    arg: str | None = None
    axis: int | None = None
    symbol: str | None = None
    expected: object = None
    got: object = None
    suggestion: str | None = None


class MatchError(ShapeError):
    """The shapes that a Subscript refuses, with all of its reports.

    `inputs` are the shapes as given, `predicted` the outputs as far as they are known, `node` is what
    was to run, `when` is forward, backward, call or moving.
    """

    def __init__(
        self, match: Match, *, node: object = None, user_loc: Span | None = None, when: str = "forward"
    ) -> None:
        self.match = match
        self.node = node
        self.inputs = match.inputs
        self.predicted = match.outputs
        self.when = when
        super().__init__(full_text(match, node, user_loc, when), reports=match.reports)
        self.span = user_loc  # after the text, which shows it in a line of its own

    def tree(self) -> str:
        """The reports by argument."""
        lines = []
        reports = self.match.reports
        for label, shape in zip(self.match.labels, self.inputs):
            lines.append(f"{label}{shown(shape)}")
            lines += _branches([report for report in reports if report.arg == label])
        rest = [report for report in reports if report.arg not in self.match.labels]
        if rest:
            lines += ["(all)", *_branches(rest)]
        return "\n".join(lines)


def shown(shape: Shape | None) -> str:
    """A shape as Python writes a tuple."""
    if shape is None:
        return " absent"
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def full_text(match: Match, node: object, user_loc: Span | None, when: str) -> str:
    """The error as the user reads it."""
    lines = [INTRODUCTIONS[when], ""]
    lines.append(f"The operation was   : {node if node is not None else match.subscript}")
    if user_loc is not None:
        lines.append(f"User code           : {user_loc.place}  `{user_loc.source_line.strip()}`")
    lines.append(f"Input(s)            : {_listed(match.labels, match.inputs)}")
    lines.append(f"Predicted output(s) : {_listed(match.output_labels, match.outputs)}")
    lines += ["", "Here's a list of reports.", ""]
    for number, report in enumerate(match.reports, 1):
        if number == 2:
            lines += [
                "Also, these reports could be helpful for you (calculated ignoring the first errors).",
                "",
            ]
        lines += [f"{number}. {report.text}", ""]
    lines += [f"Suggestion: {report.suggestion}" for report in match.reports if report.suggestion]
    return "\n".join(lines).rstrip()


def _listed(labels: Sequence[str], shapes: Sequence[Shape | None]) -> str:
    """Names with their shapes; a label of two words stands for an argument that has no name."""
    named = (f"{'' if ' ' in label else label}{shown(shape)}" for label, shape in zip(labels, shapes))
    return " ".join(named) or "none"


def _branches(reports: Sequence[Report]) -> list[str]:
    lines = []
    for number, report in enumerate(reports, 1):
        last = number == len(reports)
        first, *others = report.text.removeprefix(f"{report.arg}: ").split("\n")
        lines.append(f"{'└── ' if last else '├── '}{first}")
        lines += [f"{'    ' if last else '│   '}{line}" for line in others]
    return lines

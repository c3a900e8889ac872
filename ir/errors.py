"""What a user is told when a program cannot be traced or translated.

Every error says what happened, where in the user's own text, why, and what to do. The parts are attributes
too, so that several refusals can be listed in one error and tests need not parse text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .source.span import Span

#: What comes of an argument of a kind that nothing was written for, and what is said of it where the
#: framework could not be asked whether it takes that.
UNFIT = (TypeError, AttributeError, KeyError)
UNLIKE = "is given an argument of a kind that it does not take, beside an array whose size is not known"


class TraceError(Exception):
    """The base of every error that tracelate raises on purpose.

    Args:
        message: what happened, in one line.
        span: where, in the user's own file.
        hint: what to do instead, after "try: ".
    """

    def __init__(self, message: str, *, span: Span | None = None, hint: str | None = None) -> None:
        self.message = message
        self.span = span
        self.hint = hint
        super().__init__(self.text())

    def text(self) -> str:
        lines = [self.message]
        if self.span is not None:
            lines.append(self.span.report())
        if self.hint:
            lines.append(f"  try: {self.hint}")
        return "\n".join(lines)


class UnsupportedError(TraceError):
    """A meaning that cannot be kept: the operation, the backend that lacks it, why, and a way out.

    Args:
        op: the operation as the user wrote it, e.g. "torch.nonzero".
        backend: the target that cannot say it, or the source that cannot read it; None where neither is at
            fault.
        why: the reason, without a full stop.

    Attributes:
        tries: where the `try` stand whose handlers may catch what the operation raises.
    """

    tries: tuple[Any, ...] = ()

    def __init__(
        self,
        op: str,
        *,
        why: str,
        backend: str | None = None,
        span: Span | None = None,
        hint: str | None = None,
    ) -> None:
        self.op = op
        self.backend = backend
        self.why = why
        goal = f"cannot be written for {backend}" if backend else "cannot be translated"
        super().__init__(f"{op} {goal}: {why}", span=span, hint=hint)


class ShapeError(TraceError, ValueError):
    """Shapes that do not fit each other. `reports` lists every clash, see ir.subscript."""

    def __init__(
        self,
        message: str,
        *,
        reports: Sequence[object] = (),
        span: Span | None = None,
        hint: str | None = None,
    ) -> None:
        self.reports = tuple(reports)
        super().__init__(message, span=span, hint=hint)


class PlaceError(ShapeError):
    """An index that an axis does not have."""


class PrecisionWarning(UserWarning):
    """Floats of 64 bits became floats of 32, since the target has no others, and nobody said so."""


class MismatchError(TraceError):
    """Source and translation were run and gave different numbers, dtypes or shapes."""


class GraphError(TraceError):
    """An edit that would leave a graph inconsistent, or a graph found to be so."""


class Undecided(TypeError):
    """A number was needed where a size stands that only the running program knows."""


class InternalError(TraceError):
    """A fault of tracelate's own, and none of the user's program. What went wrong is its `__cause__`.

    Args:
        message: the exception that should not have been.
        versions: of what takes part, by name.
        source: the text of the user's function.
    """

    def __init__(
        self, message: str, *, span: Span | None = None, versions: Mapping[str, str], source: str = ""
    ) -> None:
        self.versions = dict(versions)
        self.source = source
        super().__init__(f"{message}: this is our fault, not your program's", span=span)

    def text(self) -> str:
        known = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        lines = [super().text(), f"  please report it with the traceback above, {known}, and"]
        return "\n".join([*lines, *(f"    {line}" for line in self.source.splitlines())])


EXAMPLES = "give example arguments with args="
#: What the rules of dtypes say where they do not know one.
VAGUE = "give args="
DECIDED = "values, or the way that was taken, decide that here: where(mask, x, 0) keeps shape and dtype"


@contextmanager
def told(examples: bool) -> Iterator[None]:
    """Nobody who has given example arguments is told to give some."""
    try:
        yield
    except TraceError as error:
        if examples:
            error.hint = DECIDED if error.hint == EXAMPLES else error.hint
            text = str(error.args[0]).replace(EXAMPLES, DECIDED).replace(VAGUE, "cast them to one")
            error.args = (text, *error.args[1:])
        raise


def several(refusals: Sequence[UnsupportedError]) -> UnsupportedError:
    """One error for all refusals of a program: the first in full, the others a line each."""
    first = refusals[0]
    if len(refusals) == 1:
        return first
    error = UnsupportedError(first.op, why=first.why, backend=first.backend, span=first.span, hint=first.hint)
    lines = [error.args[0], "also, further down:"]
    seen = {(first.op, first.span)}
    for other in refusals[1:]:
        if (other.op, other.span) in seen:
            continue
        seen.add((other.op, other.span))
        place = f"{other.span.place + '  ':<16}{other.span.source_line.strip()}" if other.span else other.op
        reason = "the same reason" if other.why == first.why else other.why
        lines.append(f"  {place}    {other.op}: {reason}" if other.span else f"  {other.op}: {reason}")
    if len(lines) > 2:
        error.args = ("\n".join(lines),)
    return error

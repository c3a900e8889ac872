"""Running: what both kinds of a user's loop have in common: Python runs it, or it is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ....ir.errors import TraceError, UnsupportedError
from ...rewrite.hooks import Branch
from ...rewrite.moving import handed_on
from ...rewrite.runtime import FELL, Exit
from ...values import advancing
from ..branch import both
from ..start import Start
from .record import Staged

if TYPE_CHECKING:
    from ...objects import heap
    from ...python.hooks import Tracing


class MustStage(BaseException):
    """A loop that Python was running has to be recorded."""

    def __init__(self, loop: Running) -> None:
        self.loop = loop


class Running:
    """A loop of the user's; the base of both kinds."""

    def __init__(
        self,
        hooks: Tracing,
        body: Branch,
        orelse: Branch | None,
        state: tuple[Any, ...],
        names: tuple[str, ...],
    ) -> None:
        self.hooks = hooks
        self.tracer = hooks.tracer
        self.body = body
        self.orelse = orelse
        self.state = state
        self.names = names
        self.stageable = True
        self.turns = 0
        self.wrote: dict[int, Any] = {}
        self.before: heap.Later
        self.refusal: TraceError | None = None
        self.tried: Staged | None = None
        self.without = handed_on((f for f in (body, orelse) if f is not None), names)

    def go(self) -> tuple[Exit, Any]:
        with self.start() as start:
            self.before = start.heap
            if not self.at_once():
                try:
                    return self.run()
                except MustStage as stop:
                    if stop.loop is not self:
                        raise
                start.back()
            try:
                return self.recorded(self.state)
            except TraceError as error:
                refusal = self.refusal = error
            start.back()
            return self.otherwise(refusal)

    def start(self) -> Start:
        """The state of the trace now."""
        return Start(self.tracer, *self.runs()).rewritten()

    def runs(self) -> tuple[Any, ...]:
        """What is run, and what it is given."""
        return self.body, self.orelse, self.state

    def at_once(self) -> bool:
        """Whether the loop is to be recorded before Python has tried."""
        raise NotImplementedError

    def run(self) -> tuple[Exit, Any]:
        """Let Python run it."""
        raise NotImplementedError

    def staged(self, state: Sequence[Any]) -> Staged:
        raise NotImplementedError

    def otherwise(self, refusal: TraceError) -> tuple[Exit, Any]:
        """What to do where the loop cannot be recorded."""
        raise NotImplementedError

    @contextmanager
    def running(self) -> Iterator[None]:
        self.tracer.stack.loops.append(self)
        depth = len(self.tracer.stack.loops)
        try:
            with advancing.tried(self.tracer, self.before, self):
                yield
        finally:
            del self.tracer.stack.loops[depth - 1 :]

    def turn(self, *values: Any) -> tuple[Exit, Any]:
        """One turn that Python runs."""
        self.turns += 1
        if self.stageable and self.turns > self.tracer.rolling.unroll:
            self.tracer.rolling.rolled.append(self.turns)
            raise MustStage(self)
        return self.body(*values)

    def ended(self, values: Any) -> tuple[Exit, Any]:
        """The loop has ended, and not by a break."""
        return (FELL, values) if self.orelse is None else self.orelse(*values)

    def recorded(self, state: Sequence[Any]) -> tuple[Exit, Any]:
        self.tried = staged = self.staged(state)
        values = tuple(staged.record())
        self.passed(staged)
        if self.orelse is None:
            return FELL, values
        if not staged.breaks:
            return self.orelse(*values[: len(self.names)])
        *kept, finished = values
        orelse = self.orelse
        return both(
            self.hooks,
            finished,
            (lambda: orelse(*kept), lambda: (FELL, tuple(kept))),
            self.names,
            without=self.without,
        )

    def passed(self, staged: Staged) -> None:
        """Called where the loop was recorded, before what follows it."""

    def left(self) -> None:
        """Called where one side of an `if` that an array decides leaves the loop."""
        if self.stageable:
            raise MustStage(self)

    def leaving(self, values: Any, kind: str, through: Sequence[Any] = ()) -> Any:
        if self.refusal is not None:  # why it cannot be recorded
            raise self.refusal
        raise UnsupportedError(
            f"`{kind}` where an array decides",
            why="the turns of this loop are not alike, so that it cannot be recorded as one",
            span=self.tracer.span(),
            hint="loop over range(n) or over the rows of an array",
        )

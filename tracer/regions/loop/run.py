"""`while` and `for`: run as Python runs them where it can, recorded as one loop where only the running
program knows how often they turn, or where they turn often.

A loop that has to be recorded after all, because its test or a way out of it asks an array, is taken back to
its start first. One that cannot be recorded goes as far as Python can.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....ir.errors import TraceError, UnsupportedError
from ....ir.sizes.dim import hint_of
from ....ir.sizes.local import is_local
from ...place import gate
from ...rewrite.runtime import BROKE, CONTINUED, FELL, RETURNED, Exit
from ...values import predicate, sources
from ...values.listed import Listed
from ...values.streams import Stream
from ..branch import both, settled
from .placed import Through, without
from .record import Staged, Writes
from .running import MustStage, Running

if TYPE_CHECKING:
    from ...python.hooks import Tracing

#: Python runs a loop of more turns than this, if it cannot be recorded, only up to so many.
MOST = 1000
#: So many first turns may be unlike the others, and are Python's.
PEELED = 8
#: A `for` of fewer turns is not taken apart.
FEWEST = 5


def always(*state: Any) -> bool:
    """The test of `while True`."""
    return True


class While(Running):
    """A `while`."""

    def __init__(self, hooks: Tracing, test: Any, *rest: Any) -> None:
        super().__init__(hooks, *rest)
        self.test = test if test is not None else always
        self.peel = -1
        #: Whether a turn asks the test first, and leaves the loop by a break.
        self.asks = False

    def at_once(self) -> bool:
        return False

    def run(self) -> tuple[Exit, Any]:
        values: Any = self.state
        self.turns = 0
        with self.running():
            while self.turns != self.peel:
                tested = self.asked(values)
                static = predicate.can_settle(tested)
                if predicate.is_open(self.tracer, tested) and self.stageable:
                    raise MustStage(self)
                if predicate.is_open(self.tracer, tested) and not static and self.refusal is not None:
                    raise self.refusal
                if not (settled(self.tracer, tested) if static else self.hooks.truth(tested)):
                    break
                exit, values = self.turn(*values)
                if exit is RETURNED:
                    return exit, values
                if exit is BROKE:
                    return FELL, values
        if self.turns == self.peel:
            return self.recorded(values)
        return self.ended(values)

    def recorded(self, state: Sequence[Any]) -> tuple[Exit, Any]:
        """A test that writes is part of the turn."""
        start = self.start()
        try:
            return super().recorded(state)
        except Writes:
            start.back()
        if self.orelse is not None:
            raise UnsupportedError(
                "a `while` with an `else` whose test writes into arrays",
                why="what it writes is part of the turn, which then ends by a break",
                span=self.tracer.span(),
                hint="write it as `while True` with a break",
            )
        self.asks = True
        return super().recorded(state)

    def runs(self) -> tuple[Any, ...]:
        return self.test, *super().runs()

    def staged(self, state: Sequence[Any]) -> Staged:
        test, body = (always, self.asking) if self.asks else (self.test, self.body)
        made = Staged(self.hooks, self.names, state, test, body, None, self.orelse is not None)
        made.without = self.without
        return made

    def asking(self, *values: Any) -> tuple[Exit, Any]:
        """A turn that asks the test first."""
        body = self.body
        ways = (lambda: body(*values), lambda: (BROKE, values))
        return both(self.hooks, self.test(*values), ways, self.names, without=self.without)

    def otherwise(self, refusal: TraceError) -> tuple[Exit, Any]:
        """The first turns, which Python can decide, are Python's; a test of numbers is settled turn by
        turn.
        """
        turns, self.stageable = self.turns, False
        if refusal is self.tracer.tries.advanced:
            return self.run()
        if 0 < turns <= max(self.tracer.rolling.unroll, PEELED):
            self.peel = turns
            return self.run()
        with self.running():
            start = self.start()
            tested = self.test(*self.state)
            static = predicate.can_settle(tested) or not predicate.is_open(self.tracer, tested)
        start.back()
        if not static:
            raise refusal
        return self.after_first() or self.run()

    def asked(self, values: Sequence[Any]) -> Any:
        """What the test says; before a turn that stands before the loop, as far as Python knows."""
        before = self.tracer.answers.on
        self.tracer.answers.on = self.peel > 0
        try:
            return self.test(*values)
        finally:
            self.tracer.answers.on = before

    def after_first(self) -> tuple[Exit, Any] | None:
        """The loop after its first turn, where numbers are arrays; None where that cannot be recorded."""
        start = self.start()
        self.peel = 1
        try:
            return self.run() if any(type(value) in (int, float) for value in self.state) else None
        except TraceError:
            start.back()
            return None
        finally:
            self.peel = -1


class For(Running):
    """A `for`."""

    def __init__(self, hooks: Tracing, iterable: Any, *rest: Any) -> None:
        super().__init__(hooks, *rest)
        self.iterable = iterable
        self.sources = sources.of(self.tracer, iterable)
        self.stream = iterable if isinstance(iterable, Stream) and self.sources is not None else None
        self.listed = self.sources is not None and any(isinstance(e, Listed) for e in self.sources.each)
        self.items: tuple[str, ...] = ()
        self.stageable = self.sources is not None and (not self.listed or self.tracer.rolling.goes())

    def runs(self) -> tuple[Any, ...]:
        return self.iterable, *super().runs()

    def at_once(self) -> bool:
        if self.sources is None or not self.stageable:
            return False
        length = self.sources.length
        turns = hint_of(length) if self.listed and length is not None else self.sources.turns
        if turns is not None and turns > self.tracer.rolling.unroll:
            self.tracer.rolling.rolled.append(0 if self.listed else turns)
        return turns is None or turns > self.tracer.rolling.unroll

    @gate
    def run(self) -> tuple[Exit, Any]:
        values: Any = self.state
        self.turns = 0
        with self.running():
            for item in self.through():
                exit, values = self.turn(item, *values)
                if exit is RETURNED:
                    return exit, values
                if exit is BROKE:
                    return FELL, values
        return self.ended(values)

    def through(self) -> Any:
        """The items, as Python gets them; the body may take of the same stream."""
        if self.stream is not None:
            return self.stream.anew()
        return self.hooks.iter_(self.iterable) if self.sources is None else iter(self.sources)

    def passed(self, staged: Staged) -> None:
        if self.stream is not None and not staged.breaks:
            self.stream.finish()

    def recorded(self, state: Sequence[Any]) -> tuple[Exit, Any]:
        """The first turn is Python's where the state is another kind of thing before it than after it."""
        start = self.start()
        refusal: TraceError | None = None
        try:
            found = self.once(state)
        except TraceError as error:
            if error is self.tracer.tries.advanced:
                raise
            refusal = error
        if self.peels(refusal is not None):
            for turns in (1, 2):
                start.back()
                if (rest := self.peeled(turns, state)) is not None:
                    return rest
            start.back()
            if refusal is None:
                found = self.once(state)
        if refusal is not None:
            raise refusal
        return found

    def once(self, state: Sequence[Any]) -> tuple[Exit, Any]:
        """Recorded as it is, through whatever it turns out to go."""
        start = self.start()
        try:
            return super().recorded(state)
        except Through as other:
            if other.staged is not self.tried:
                raise
            start.back()
            self.sources, self.items = other.found()
        if any(isinstance(each, Listed) for each in self.sources.each):
            self.listed = True
            self.tracer.rolling.rolled.append(0)
        return self.once(state)

    def peels(self, refused: bool) -> bool:
        """Whether it may be the first turns that make the loop uneven, or refused, and there are others.
        Where the loop can be recorded as it is, a number that may be 0 is not asked to be more.
        """
        assert self.sources is not None and self.tried is not None
        length = self.sources.length
        if self.sources.placed or length is None or (hint_of(length) or 0) < FEWEST:
            return False
        if refused:
            numbers = (int, float, type(None))
            return self.tried.uneven or any(type(value) in numbers for value in self.state)
        rows = isinstance(length, int) or all(".shape[" in atom for atom in length.atoms)
        return self.tried.uneven and rows

    def peeled(self, turns: int, state: Sequence[Any]) -> tuple[Exit, Any] | None:
        """The first turns by Python and the rest recorded; None where that is no better."""
        whole, items = self.sources, self.items
        assert whole is not None and self.tried is not None
        self.stageable = False
        try:
            for item in whole.first(turns):
                with self.running():
                    exit, state = self.body(item, *state)
                if exit not in (FELL, CONTINUED):
                    return None
            self.sources, self.stageable = whole.after(self.hooks, turns), True
            found = self.once(state)
            return None if self.tried.uneven else found
        except TraceError:
            return None
        finally:
            self.sources, self.items, self.stageable = whole, items, True

    def staged(self, state: Sequence[Any]) -> Staged:
        made = Staged(self.hooks, self.names, state, None, self.body, self.sources, self.orelse is not None)
        made.without, made.items = self.without, self.items
        return made

    def otherwise(self, refusal: TraceError) -> tuple[Exit, Any]:
        """Turn by turn, where the example says how many there are."""
        self.stageable = False
        if self.sources is not None:
            self.sources = without(self.sources)
        length = None if self.sources is None else self.sources.length
        hint = hint_of(length) if length is not None else None
        if length is None or hint is None or hint > MOST or is_local(length):
            raise refusal
        return self.run()

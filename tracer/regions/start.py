"""Start: the state of a trace before something that may have to be traced in another way."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ..asked import Asked
from ..objects import heap
from ..objects.unseen import may_work_unseen
from ..values import advancing

if TYPE_CHECKING:
    from ..tracer import Tracer


class Start:
    """The state of the trace before a loop or a call, to come back to.

    Args:
        runs: what is run, and what it is given: the user may hold none of it in a variable.
    """

    def __init__(self, tracer: Tracer, *runs: Any) -> None:
        self.tracer = tracer
        self.mark = tracer.mark()
        self.asked = Asked(tracer)
        self.heap = heap.Later(tracer, sys._getframe(1), [("given", each) for each in runs])
        self.since = advancing.Since.begins(tracer, self.heap)
        self.runs = runs

    def rewritten(self) -> Start:
        """The same where what is run is rewritten already, and may change something unseen."""
        if may_work_unseen(self.runs):
            heap.wake(self.tracer)
        return self

    def __enter__(self) -> Start:
        return self

    def __exit__(self, *error: object) -> None:
        """Nobody comes back any more."""
        self.heap.done()

    def back(self) -> None:
        """
        Raises:
            UnsupportedError: where something was changed since that cannot be put back.
        """
        self.tracer.rollback(self.mark)
        self.asked.restore()
        self.heap.restore()
        self.since.back(self.tracer)

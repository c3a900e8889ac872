"""Start: the state of a trace before something that may have to be traced in another way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..objects import heap
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
        self.heap = heap.in_reach(tracer, runs)
        self.since = advancing.Since.begins(tracer, self.heap)

    def back(self) -> None:
        """
        Raises:
            UnsupportedError: where something was changed since that cannot be put back.
        """
        self.tracer.rollback(self.mark)
        self.heap.restore()
        self.since.back(self.tracer)

"""`finally`, and what a `with` does when it is left: it runs once while tracing, behind the way that goes on.

A way on which an array decides that the function returns, or a loop is left, has ended by then, and is
without it. Where it does anything that others see, the program is refused.
"""

from __future__ import annotations

import sys
from itertools import takewhile
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.regions import guard
from ..objects import heap

if TYPE_CHECKING:
    from ..tracer import Tracer


class Finishing:
    """A `try` with a `finally`, or a `with`, that has begun.

    Args:
        owner: what begins and ends it: a frame or a manager.
        what: what it is called.
    """

    def __init__(self, tracer: Tracer, owner: Any, what: str) -> None:
        self.tracer = tracer
        self.owner = owner
        self.what = what
        self.frames, self.loops = len(tracer.stack.frames), len(tracer.stack.loops)
        self.handled = sys.exc_info()[1]
        #: Where an array decides that it is left.
        self.crossed: Any = None
        #: The ways on which it is, see values/advancing.py.
        self.ways: list[Any] = []

    def __enter__(self) -> None:
        self.tracer.tries.finishing.remove(self)
        if sys.exc_info()[1] is not self.handled:
            self.crossed, self.ways = None, []  # by an exception, which another way may be tried for
        if self.crossed is not None:
            self.before, self.log = heap.in_reach(self.tracer), len(self.tracer.memory.log)
            self.graph, self.last = self.tracer.graph, self.tracer.graph._root.prev
        for way in self.ways:
            way.begins()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.crossed is not None and error is None and self.has_effect():
            raise UnsupportedError(
                f"leaving {self.what} where an array decides",
                why="what is done on the way out would be left out there",
                span=self.crossed,
                hint="give the result a name and return it behind the whole; or do that before, on each way",
            )
        for way in self.ways if error is None else ():
            way.ends()

    def has_effect(self) -> bool:
        """Whether something was done that others can see."""
        tracer = self.tracer
        if len(tracer.memory.log) > self.log or self.before.changed() or self.graph is not tracer.graph:
            return True
        new = takewhile(lambda node: node is not self.last, reversed(self.graph.nodes))
        return any(node.is_impure() and node.target is not guard for node in new)


def begun(tracer: Tracer, owner: Any, what: str) -> None:
    tracer.tries.finishing.append(Finishing(tracer, owner, what))


def ended(tracer: Tracer, owner: Any) -> Finishing:
    """What was begun last by the same owner, to do what there is to do in."""
    found: Finishing = next(each for each in reversed(tracer.tries.finishing) if each.owner is owner)
    return found


def crossed(tracer: Tracer, returns: bool) -> list[Finishing]:
    """Called where an array decides that the function that runs is left, or else the loop that does. Returns
    what is done on the way out.
    """
    found: list[Finishing] = [
        each for each in tracer.tries.finishing
        if (len(tracer.stack.frames) <= each.frames if returns else len(tracer.stack.loops) <= each.loops)
    ]  # fmt: skip
    for each in found:
        each.crossed = each.crossed or tracer.span()
    return found

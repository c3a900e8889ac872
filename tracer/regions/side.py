"""Side: one way that the program may go, run once into a Graph of its own and undone."""

from __future__ import annotations

import dis
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.errors import TraceError, UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.values.tree import leaves
from ..faults import ours
from ..objects import heap
from ..objects.containers import beyond_attributes, fill, inside
from ..objects.unseen import may_work_unseen
from ..place import here, raised_at, users
from ..printing import formatted, has_marks, pieces
from ..proxy import isinstance_scalar
from ..rewrite.runtime import FELL, Exit
from ..values import advancing

if TYPE_CHECKING:
    from ..state.scopes import Scope
    from ..tracer import Tracer

#: How a side may be left beside rewrite.Exit.
RAISED = "raise"


class Side:
    """One way.

    Attributes:
        exit: how it was left; `value`: what it handed on: the values of names, the value returned, or the
            exception raised.
        written: the proxies from outside that it wrote into, by id, each with its node at the end;
            `finals`: all of them.
        changed: the containers that it changed, by id; `before`: what all held that were there before.
        since: what else was touched since then.
    """

    def __init__(
        self, tracer: Tracer, name: str, containers: Sequence[Any] = (), without: Sequence[Any] = ()
    ) -> None:
        """
        Args:
            containers: some that no frame of the user's reaches.
            without: cells of variables whose values it hands on.
        """
        self.tracer = tracer
        self.containers = containers
        self.without = without
        self.graph = Graph(name)
        self.graph.meta["branch"] = True
        self.scope: Scope
        self.exit: Exit | str = FELL
        self.value: Any = ()
        self.written: dict[int, tuple[Any, Node]] = {}
        self.finals: list[tuple[Any, Node]] = []
        self.changed: dict[int, heap.Change] = {}
        self.before: heap.Later
        self.since: advancing.Since

    def run(self, way: Callable[[], tuple[Exit, Any]], *functions: Any) -> Side:
        """Go this way, which runs these functions of the user's, and undo what it did."""
        tracer = self.tracer
        runs = [("collected", each) for each in (*self.containers, way, *functions)]
        before = self.before = heap.Later(tracer, sys._getframe(1), runs, self.without)
        if self.containers:  # which are ours, and changed without a word
            before.look()
        if may_work_unseen((way, *functions)):
            heap.wake(tracer)
        mark, kept = len(tracer.memory.log), tracer.caches.mark()
        with tracer.scope(self.graph) as self.scope, advancing.tried(tracer, before) as self.since:
            try:
                self.exit, self.value = way()
                for leaf in filter(isinstance_scalar, leaves(self.value)):
                    leaf.node  # a size is recorded when it is first wanted: here, where its array is known
            except Exception as error:
                if error is not tracer.stack.raised and not isinstance(error, UnboundLocalError):
                    own = type(error).__module__.partition(".")[0] == __name__.partition(".")[0]
                    if own or isinstance(error, TraceError) or ours(error):
                        raise
                    raise by_example(error) from error
                self.exit, self.value = RAISED, error
            finally:
                self.written = written(tracer, mark, self.graph)
                self.finals = list({id(p): (p, p.node) for p, _ in tracer.memory.log[mark:]}.values())
                tracer.undo(mark)
                tracer.caches.leave(kept)
                self.changed = {id(change.container): change for change in before.changed()}
                before.restore()
                before.done()
        self.joins(self.changed.values())
        return self

    def left(self, through: Sequence[Any]) -> list[heap.Change]:
        """Called where an array or a size decides that this way is left before its end; `through`: what is
        done on the way out. Returns the containers that are changed by then.

        Raises:
            UnsupportedError: where something else is changed by then, though that may be undone behind.
        """
        advancing.leaves(self.tracer, self.since, through)
        changes = self.before.changed()
        self.joins(changes)
        return changes

    def joins(self, changes: Iterable[heap.Change]) -> None:
        """Raises UnsupportedError where a change is none of what a container holds."""
        for change in filter(beyond_attributes, changes):
            what = f"changing the {type(change.container).__name__} `{change.name}`"
            place = self.tracer.outside.places.get(id(change.container)) or here()
            self.tracer.tries.advanced = advancing.refused(change.container, what, place)
            raise self.tracer.tries.advanced

    @contextmanager
    def reopened(self) -> Iterator[None]:
        """The graph is the open one again, and what was written into and changed is what it was at the
        end.
        """
        outside = [(proxy, proxy.node) for proxy, _ in self.finals]
        held = [(change.container, inside(change.container)) for change in self.changed.values()]
        for proxy, node in self.finals:
            proxy.node = node
        for change in self.changed.values():
            fill(change.container, change.after)
        self.tracer.scopes.append(self.scope)
        mark = len(self.tracer.memory.log)
        try:
            yield
        finally:
            self.tracer.scopes.pop()
            self.tracer.undo(mark)  # views that are taken anew here, of what was written into
            for proxy, node in outside:
                proxy.node = node
            for container, before in held:
                fill(container, before)

    @property
    def existing(self) -> frozenset[int]:
        """The containers that were there before, by id."""
        return frozenset(self.before.held)

    def outer(self) -> list[Node]:
        """The nodes of the graph around it that it reads."""
        return [node for node in self.scope.captures if node.graph is self.tracer.graph]


def written(tracer: Tracer, mark: int, graph: Graph) -> dict[int, tuple[Any, Node]]:
    """The proxies that were made before and written into since."""
    found: dict[int, tuple[Any, Node]] = {}
    first: dict[int, Node] = {}
    for proxy, old in tracer.memory.log[mark:]:
        first.setdefault(id(proxy), old)
        if first[id(proxy)].graph is not graph:
            found[id(proxy)] = proxy, proxy.node
    return found


def aligned(sides: Sequence[Side], leading: Sequence[Sequence[Node]]) -> list[Node]:
    """Let all graphs take the same operands, in the same order, after their `leading` placeholders.
    Returns the operands.
    """
    outer = list(dict.fromkeys(node for side in sides for node in side.outer()))
    for side, first in zip(sides, leading):
        placeholders = list(first)
        for node in outer:
            inner = side.scope.captures.get(node)
            if inner is None:
                inner = side.graph.create_node("placeholder", node.name, name=node.name)
                inner.resemble(node)
                side.scope.captures[node] = inner
            placeholders.append(inner)
        for inner in reversed(placeholders):
            top = next(iter(side.graph.nodes))
            if top is not inner:
                top.prepend(inner)
    return outer


def by_example(error: BaseException) -> UnsupportedError:
    """The refusal of a way on which Python or the program raises something: nobody knows that it is taken."""
    place = raised_at(error)
    if is_said(error):
        return UnsupportedError(
            f"raising {type(error).__name__} behind a way that returns",
            why="only the running program knows whether it gets there",
            span=place.span if place is not None else None,
            hint="leave a loop by `break` and raise in its `else`; raise in the `else` of an `if`",
        )
    return UnsupportedError(
        f"a way on which {type(error).__name__} is raised",
        why=f"the example's shapes and dtypes raise it there, and others may not: {error}",
        span=place.span if place is not None else None,
        hint="give example arguments for which both ways can be gone",
    )


def has_left(error: BaseException) -> bool:
    """Whether an exception of the user's has left a function that the traced one has called."""
    return sum(users(frame.f_code) for frame, _ in traceback.walk_tb(error.__traceback__)) > 1


def is_said(error: BaseException) -> bool:
    """Whether a `raise` or `assert` made an exception, and not what it stands in."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and dis.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


def raising(tracer: Tracer, error: BaseException) -> tuple[str, tuple[Any, ...]]:
    """What the output of a graph that raises holds: the name of the exception and its arguments, each a
    constant or a text.

    Raises:
        UnsupportedError: for an exception of the user's own, or arguments that cannot be written.
    """
    kind = type(error)
    args = [formatted(tracer, a, "s", "") if isinstance_scalar(a) else a for a in error.args]
    plain = all(isinstance(a, (str, int, float, bool, type(None))) for a in args)
    if kind.__module__ != "builtins" or not plain:
        raise UnsupportedError(
            f"raising {kind.__name__}",
            why="only exceptions of Python's own with plain arguments can be written",
            span=here().span if here() is not None else None,  # type: ignore[union-attr]
            hint="raise ValueError with a message, a string or an f-string",
        )
    return kind.__name__, tuple(pieces(tracer, a) if has_marks(a) else a for a in args)


@dataclass(frozen=True)
class Raised:
    """What a function raises at its end, where only the running program knows whether it gets there.

    Attributes:
        said: the name of the exception, and its arguments.
    """

    said: tuple[str, tuple[Any, ...]]
    place: Any

    @classmethod
    def by(cls, tracer: Tracer, error: BaseException) -> Raised:
        return cls(raising(tracer, error), raised_at(error))

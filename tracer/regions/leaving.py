"""Leaving: `return`, `break` and exceptions on one side of an `if` that Python cannot decide."""

from __future__ import annotations

import types
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.values.tree import children, leaves, plain_constant
from ..memory.giving import code_of
from ..part import Part
from ..printing import formatted, refuse
from ..proxy import is_proxy
from ..state.stack import Frame
from ..trying.catching import may_catch
from ..values import advancing, given_back
from ..weak import Weak, array, filled

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What to do about a loop that stays Python's, by what stands in the way (rewrite/region.py).
WAYS_OUT = {
    "the loop yields": "collect what it yields in a list",
    "the loop ends a generator": "collect what it yields in a list, or end it by `break` and `if`",
    "it is left through a `finally`, or an `except` with a name": "write `if` and `else` in the `try`, "
    "without `break` and `continue`; or do what the `finally` does before them and at the end of the turn",
}


class Jump(tuple[Any, ...]):
    """The values of variables where a turn of a loop is left that Python runs; `why` says why it does."""

    why: str

    def __new__(cls, values: tuple[Any, ...], why: str) -> Jump:
        made = super().__new__(cls, values)
        made.why = why
        return made


class EarlyReturn(BaseException):
    """A function that was to end up inline returns where an array decides: it needs a Graph of its own.

    Attributes:
        static: no array decides, but a size, or a number among the arguments.
    """

    def __init__(self, frame: Frame, static: bool = False) -> None:
        self.frame = frame
        self.static = static


class Leaving(Part):
    """The part of a Tracer that knows what can be left, and how."""

    def in_text(self, value: Any, conversion: str | None, spec: str) -> str:
        """What stands in a string for a value that only the running program knows."""
        return formatted(self.tracer, value, conversion, spec)

    def may_leave(self) -> bool:
        """Whether a `return` can end a graph here."""
        return not self.stack.frames[-1].inline

    @property
    def recurs(self) -> int:
        """How often the function that runs is among those that wait for it."""
        code = self.stack.frames[-1].code
        return sum(frame.code is code for frame in self.stack.frames) - 1

    def leaves_function(
        self, writes: bool = False, static: bool = False, through: Sequence[Any] = ()
    ) -> None:
        """Called where one side of an `if` returns and the other does not; `static`: no array decides,
        `through`: what is done on the way out. What the function has changed is what it is where that side
        ends.

        Raises:
            EarlyReturn: where the function is to end up inline. MustStage: where a loop around it should be
                recorded.
        """
        frame = self.stack.frames[-1]
        for loop in self.stack.loops[frame.loops :]:
            loop.left()
        if frame.inline:
            raise EarlyReturn(frame, static)
        if writes and len(self.stack.frames) > 1:
            raise self.returning(
                frame.code,
                UnsupportedError(
                    "writing into an array and returning, in a branch of a helper",
                    why="its caller would have to see what was written on one way and not on the other",
                    span=self.tracer.span(),
                    hint="write after the branch, or return the new array",
                ),
            )
        advancing.leaves(self.tracer, frame.since or self.outside, through)
        for change in frame.heap.changed() if frame.heap is not None else ():
            error = UnsupportedError(
                f"changing `{change.name}` and returning, in a branch",
                why="who called would have to see it changed on one way and not on the other",
                span=self.tracer.span(),
                hint="change it after the branch, or return what is new",
            )
            if static:
                self.tries.advanced = error  # it may be put inline, and go as the example does
                raise error
            raise self.returning(frame.code, error)

    def returning(self, code: types.CodeType, error: UnsupportedError) -> UnsupportedError:
        """An error that would not be one if the function returned at its end alone."""
        self.entry.left = error, code_of(code)
        return error

    def left_loop(self, values: Any) -> Any:
        """The loop that one side of an `if` leaves, handing `values` over.

        Raises:
            UnsupportedError: where it is Python's, that of a generator, say.
        """
        if isinstance(values, Jump):
            raise UnsupportedError(
                "leaving a loop where an array decides",
                why=f"{values.why}, so that the loop cannot be recorded",
                span=self.tracer.span(),
                hint=WAYS_OUT.get(values.why, "let a flag say what is left to do, or take the loop apart"),
            )
        self.stack.loops[-1].left()
        return self.stack.loops[-1]

    def may_raise(self, error: BaseException) -> None:
        """Raises UnsupportedError where a `try` of the user's might catch an exception that an array
        decides on.
        """
        if may_catch(self.tracer, error):
            raise UnsupportedError(
                f"raising {type(error).__name__} inside a try",
                why="only the running program knows whether it is raised, and something may catch it",
                span=self.tracer.span(),
                hint="use where(...) instead of an exception",
            )

    def outgoing(self, value: Any) -> Any:
        """What a function with a graph of its own returns, as its caller gets it: where JAX compiles it all
        is arrays, and weak ones are numbers only inside.
        """
        if self.stack.frames and self.stack.frames[-1].compiled:
            value = self.framework.handed(self.tracer, value)
        return filled(value, array) if any(type(leaf) is Weak for leaf in leaves(value)) else value

    def returned(self, value: Any) -> Any:
        """What a function returns, with nodes for proxies.

        Raises:
            UnsupportedError: for something that cannot be emitted.
        """
        from ..values.list_rows import Rows, refusal
        from ..values.lists_returned import returned
        from . import items

        if len(self.stack.frames) == 1:
            given_back.check(self.tracer, value)
        value = self.outgoing(value)
        refuse_lists(self.tracer, value)
        nodes = self.tracer.digest(items.whole(self.tracer, returned(self.tracer, value)))[0]
        span = self.tracer.span() if self.stack.left is None else self.stack.left.span
        for key in items.keys(nodes):
            if not items.is_key(key):
                raise UnsupportedError(
                    f"returning a dict with the key {key!r}",
                    why=f"the text has no {type(key).__name__}",
                    span=span,
                    hint="make it a number or a string: its .name, or str.__str__(key)",
                )
        for leaf in leaves(nodes):
            refuse(leaf, "returning a string", span)
            if isinstance(leaf, Rows):
                raise refusal(span)
            own = plain_constant(leaf) is not leaf or isinstance(leaf, Enum)
            if own or not isinstance(leaf, (Node, bool, int, float, complex, str, type(None))):
                raise UnsupportedError(
                    f"returning a {type(leaf).__name__}",
                    why="only arrays, numbers, strings, None and containers of these can be written",
                    span=span,
                    hint="return a tuple of arrays",
                )
        return nodes


def refuse_lists(tracer: Tracer, value: Any) -> None:
    """Refuse lists of classes of their own among what is returned, which would be plain ones."""
    if isinstance(value, list) and type(value) is not list and not is_proxy(value):
        name = type(value).__name__
        raise tracer.error(f"a list of the class {name}", "make it a plain one: list(...) of it")
    for _, item in (children(value) or ()) if not is_proxy(value) else ():
        refuse_lists(tracer, item)

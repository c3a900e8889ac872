"""Stack: the functions and loops of the user's that are running, and how he left one last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import types

    from ..objects.heap import Heap
    from ..place import Place
    from ..values.advancing import Since


class Loop(Protocol):
    """A loop that is open: Python runs it, or a turn of it is recorded (regions/loop)."""

    @property
    def names(self) -> Sequence[str]:
        """The variables that it hands on."""

    def left(self) -> None:
        """One side of an `if` leaves it."""


@dataclass(slots=True)
class Frame:
    """A call of a function of the user's that is being traced: whether it ends up inline, and how many loops
    were open when it began.
    """

    code: types.CodeType
    inline: bool
    loops: int
    #: What its caller can reach.
    heap: Heap | None = None
    #: The moment of the call, as far as a region of its own has one.
    since: Since | None = None
    #: What it returns before its end.
    returned: list[Any] = field(default_factory=list)
    #: Whether it has a graph of its own, and stands under jax.jit.
    compiled: bool = False
    #: Whether it copies deeply what its caller may give twice.
    copies: bool = False


@dataclass(slots=True)
class Stack:
    """Where the trace is in the user's program. The hooks write it as functions and loops begin and end, and
    Undoing.rollback cuts it back.

    Attributes:
        frames: the calls of functions that wait for one another, the traced function first.
        loops: the loops that are open, in all of them.
        outermost: Python's frame around the traced function; None before and after.
        raised: what the user raised last, to be told from errors of tracing.
        left: where a function of his returned last: an error of what it returns finds nobody there any more.
        compiled: whether some of what is traced stands under jax.jit.
        static: of functions that JAX compiles, the parameters that it must know when it does.
        assumed_none: of the parameters that were asked, whether they are None on the way that is gone now.
        elsewhere: whether a flag keeps the example from the way that is gone now.
    """

    frames: list[Frame] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    outermost: types.FrameType | None = None
    raised: BaseException | None = None
    left: Place | None = None
    compiled: bool = False
    static: dict[Any, frozenset[str]] = field(default_factory=dict)
    assumed_none: dict[str, bool] = field(default_factory=dict)
    elsewhere: bool = False

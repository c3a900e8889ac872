"""Entry: the function that is traced, as the trace was given it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...ir.graphs.graph import Graph


@dataclass(slots=True)
class Entry:
    """The function that is traced. trace.py writes it, and `unread` the hooks, who see the function's text.

    Attributes:
        given: the leaves of the example arguments.
        decorated: the function inside it, where a decorator has made it: its body is the entry's own.
        unread: the parameters that it reads in idle looks at most, see rewrite/idle.py.
        tape: what was recorded, once all of it is.
    """

    given: Sequence[Any] = ()
    decorated: Any = None
    unread: frozenset[str] = frozenset()
    tape: Graph = field(init=False)

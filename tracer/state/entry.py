"""Entry: the function that is traced, as the trace was given it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...ir.graphs.regions import Effect
from ...ir.graphs.static import static

if TYPE_CHECKING:
    from ...ir.errors import TraceError
    from ...ir.graphs.graph import Graph, Node
    from ..memory.giving import Code
    from ..tracer import Tracer


@dataclass(slots=True)
class Entry:
    """The function that is traced. trace.py writes it, and `unread` the hooks, who see the function's text.

    Attributes:
        given: the leaves of the example arguments.
        decorated: the function inside it, where a decorator has made it: its body is the entry's own.
        form: whether the program's form is kept where that may be refused: bools among the parameters are
            recorded, functions that others define have graphs of their own. `formed`: whether there is such.
        joined: the functions that return at their end alone, see rewrite/single_exit.py.
        left: what was raised for one that does not, and which that is.
        unread: the parameters that it reads in idle looks at most, see rewrite/idle.py.
        copies: which containers of a result have the items of an argument, and are others: their keys in it,
            and its path.
        tape: what was recorded, once all of it is.
        gradients: says whether gradients are on, where there are such; `switches`: where the program switches
            them on or off, and behind which node, which is None in a loop or a function.
    """

    given: Sequence[Any] = ()
    decorated: Any = None
    form: bool = False
    formed: bool = False
    joined: frozenset[Code] = frozenset()
    left: tuple[TraceError, Code] | None = None
    unread: frozenset[str] = frozenset()
    gradients: Callable[[], bool] | None = None
    switches: list[tuple[bool, Node | None]] = field(default_factory=list)
    copies: set[tuple[tuple[Any, ...], str]] = field(default_factory=set)
    tape: Graph = field(init=False)

    def returning(self, error: TraceError) -> Code | None:
        """The function for which an error was raised, since it returns on its way, and might not."""
        left = self.left
        return left[1] if left is not None and left[0] is error and left[1] not in self.joined else None

    def switched(self, tracer: Tracer) -> None:
        """Note where gradients are switched on or off; called where that may have been."""
        known = self.switches[-1][0] if self.switches else True
        if self.gradients is not None and self.gradients() != known:
            latest = tracer.graph.latest if len(tracer.scopes) == 1 else None
            self.switches.append((not known, latest))

    def is_without_gradients(self, graph: Graph) -> bool:
        """Whether gradients are off wherever anything is computed, since the program switches them off."""
        places: dict[Node | None, int] = {node: place for place, node in enumerate(graph.nodes)}
        if not self.switches or any(node is None for _, node in self.switches):
            return False
        (first, begins), (last, ends) = self.switches[0], self.switches[-1]
        off = not first and not any(on for on, _ in self.switches[: -1 if last else None])
        nodes = [*graph.nodes]
        outside = nodes[: places.get(begins, -1) + 1]
        outside += nodes[places.get(ends, -1) + 1 :] if last else []
        return off and all(computes_nothing(node) for node in outside)


def computes_nothing(node: Node) -> bool:
    taken = node.target is operator.getitem and isinstance(node.args[0].spec, (tuple, dict))
    return taken or node.op in ("placeholder", "output") or isinstance(node.target, Effect) or static(node)

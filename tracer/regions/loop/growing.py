"""Growing lists: `outs.append(y)` in a loop that is recorded.

What a turn appends is collected, stacked along a new first axis. Afterwards the list holds Rows
(values/list_rows.py).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from ....backends.reading.inference import Seen
from ....ir.errors import UnsupportedError
from ....ir.graphs.static import ask_type
from ....ir.sizes.dim import hint_of, maximum
from ....ir.sizes.local import is_local, local
from ....ir.values.dtypes import PYTHON
from ....ir.values.spec import Spec
from ....ir.values.tree import children, leaves, rebuilt
from ...objects import heap
from ...objects.reach import reachable
from ...place import here
from ...proxy import is_array_proxy, is_proxy, isinstance_scalar
from ...values.list_rows import Earlier, NumberRows, Rows, refusal
from ..join import Columns

if TYPE_CHECKING:
    from ...tracer import Tracer
    from ..side import Side
    from .turn import Turn


class Growing:
    """A list that every turn appends the same number of items to.

    Attributes:
        items: what the last tracing of the body appended.
        nodes: where what is collected of these comes from.
        name: what the user calls the list.
        first: the number of the first column of what is collected.
        uneven: whether turns may append arrays of several shapes.
    """

    def __init__(self, container: list[Any], items: list[Any], name: str) -> None:
        self.container = container
        self.items = items
        self.nodes = [leaf.node for leaf in self.leaves]
        self.name = name
        self.first = 0
        self.uneven = False

    @property
    def leaves(self) -> list[Any]:
        return [leaf for item in self.items for leaf in leaves(item)]

    @property
    def numbers(self) -> bool:
        """Whether it is Python's numbers that are collected."""
        return any(map(isinstance_scalar, self.leaves))

    def add(self, columns: Columns, tracer: Tracer, length: Any, *, even: bool, listed: bool) -> None:
        """Columns for what is collected. `even`: whether all turns are alike in the example, so that they
        add arrays of one shape though that is not known; `listed`: whether what they add stays in a list.
        """
        self.first = len(columns.seen)
        size = length if length is not None else local(tracer.names.fresh("n"), None, 0)
        if (hint_of(size) or 0) < 0:  # of a range that ends before it begins
            size = maximum(size, 0)
        for leaf, node in zip(self.leaves, self.nodes):
            if isinstance_scalar(leaf):  # of Python's numbers an array is of the widest dtype
                ask_type(node)
                columns.add(self.name, [leaf], Seen(Spec((size,), PYTHON[leaf.spec.type])))
                continue
            shape = node.spec.shape
            uneven = shape is None or not even and any(map(is_local, shape))
            if uneven and (shape is None or not listed):
                raise UnsupportedError(
                    "appending arrays of different shapes in a loop",
                    why="what a loop collects is stacked",
                    span=tracer.span(),
                    hint="make them of one shape, or loop over a constant range",
                )
            self.uneven |= uneven
            form = node.form  # what is a number on one way makes another array
            columns.add(self.name, [leaf], Seen(Spec((size, *shape), node.spec.dtype), form))

    def last(self, tracer: Tracer, before: list[Any]) -> Any:
        """What stands last in the list before the loop, which holds `before`.

        Raises:
            UnsupportedError: where it is empty.
        """
        if not before or isinstance(before[-1], Rows):
            raise refusal(tracer.span())
        return before[-1]

    def put(self, tracer: Tracer, results: list[Any], listed: bool, spelled: Any) -> None:
        """Let the list hold what was collected. See Rows; `spelled`: where the loop is, if it may be written
        out.
        """
        supply = iter(results)
        for part in results[: len(self.leaves)]:
            part.node.meta["collected"] = True
        items = [filled(item, supply) for item in self.items]
        tracer.entry.formed |= self.numbers
        made = NumberRows if self.numbers else Rows
        self.container.append(made(tracer, items, listed, self.uneven, spelled))


def grown(change: Any) -> bool:
    """Whether a list holds more than it did, a stand-in for what earlier turns appended aside."""
    return type(change.container) is list and any(
        type(item) is not Earlier for item in change.after[len(change.before) :]
    )


def shared(side: Side, grown: list[Any], items: list[Any]) -> bool:
    """Whether a container among what a turn appended can be changed by somebody who does not ask the list for
    it: it was there before, it is appended twice, or something else holds it at the end of the turn.
    """
    mine = [id(c) for _, c in reachable([("item", item) for item in items])]
    if not mine:
        return False
    others = [change.after for change in side.changed.values() if change.container is not grown]
    held = {id(c) for _, c in reachable([("state", side.value), *(("held", after) for after in others)])}
    twice = sum(len(list(reachable([("item", item)]))) for item in items) > len(mine)
    return twice or not held.union(side.existing).isdisjoint(mine)


def own_name() -> str:
    """What a list is called that no variable holds: as the statement calls what it is."""
    place = here()
    return place.names[0] if place is not None and len(place.names) == 1 else "collected"


def filled(item: Any, supply: Iterator[Any]) -> Any:
    if is_proxy(item):
        return next(supply)
    return rebuilt(item, {k: filled(v, supply) for k, v in children(item) or ()})


def appended(tracer: Tracer, side: Side, known: Container[int], numbers: bool) -> list[Growing]:
    """The lists from outside that a turn does nothing to but append arrays.

    Args:
        known: ids of the containers that were found to change in other ways.
        numbers: whether they may also be numbers of Python's.
    """
    found = []
    for key, change in side.changed.items():
        container, before, after = change.container, change.before, change.after
        items = [i for i in after[len(before) :] if type(i) is not Earlier] if type(container) is list else []
        kept = isinstance(container, list) and all(a is b for a, b in zip(after, before))
        arrays = all(is_array_proxy(leaf) for item in items for leaf in leaves(item))
        collected = arrays or numbers and len(items) == 1 and is_number(tracer, items[0])
        if key not in known and items and kept and collected and not shared(side, container, items):
            found.append(Growing(container, items, heap.name_of(tracer, container) or own_name()))
    order = {node: number for number, node in enumerate(side.graph.nodes)}
    return sorted(found, key=lambda g: min(order.get(node, -1) for node in g.nodes))


def is_number(tracer: Tracer, item: Any) -> bool:
    """Whether an item is a number of Python's of which an array can be made that has its very value."""
    made = tracer.framework.lists is not None
    return made and isinstance_scalar(item) and item.spec.type in (bool, int, float)


# What leaves a turn.


def refuse_uneven(turn: Turn) -> None:
    """Raises UnsupportedError where a turn may append to a list and then leave the loop with another value in
    it, or with nothing in some other list; or end before it has appended.
    """
    wanted = {id(g.container): g.nodes for g in turn.growing}
    found = [{key: [node for node, _ in arrays] for key, arrays in then.items()} for _, then in turn.broken]
    others = [given for given in found if given and given != wanted]
    why = "what a loop collects must be as much in every turn"
    hint = "append once in every turn, and to all lists, before the `if` that leaves it"
    if others and all(given.keys() == wanted.keys() for given in others):
        why = "by the end of a turn that goes on, what was appended is written into, or is another array"
        hint = "append a copy of it, or append as the last thing before the `if` that leaves the loop"
    for each in turn.growing[:1] if others or turn.continued else ():
        way = "`break` behind it" if others else "`continue`"
        raise UnsupportedError(
            f"appending to `{each.name}` in a loop with a {way}", why=why, span=turn.tracer.span(), hint=hint
        )


def append_then(turn: Turn) -> None:
    """Let what leaves the loop behind an `append` hand that on, too."""
    for graph, then in turn.broken:
        output = graph.output_node
        # One that some list is missing from is refused once the turn is known.
        more = [inner for g in turn.growing for _, inner in then.get(id(g.container), ())]
        output.args = ((*output.args[0], *more),)

"""What a function returns of lists that loops have appended to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.analysis.outside import NEW
from ...ir.graphs.static import Scalar
from ...ir.values.listing import Listed, numbered
from ...ir.values.tree import children, leaves, rebuilt
from ..memory.aliasing import current
from ..proxy import Scalar_, is_proxy, isinstance_scalar
from .list_rows import (
    Earlier,
    NumberRows,
    Rows,
    along,
    has_numbers,
    holds,
    nested,
    numbers_of,
    of_one_form,
    refusal,
)

if TYPE_CHECKING:
    from ..tracer import Tracer

#: So many arrays in what a turn appends are put together again where the list is returned.
MOST = 16


def returned(tracer: Tracer, value: Any) -> Any:
    """What a function returns, with a recorded list for each that a loop has appended to."""
    if not holds(value):
        items = children(value) or [] if tracer.containers.collects else []
        made = {k: returned(tracer, v) for k, v in items}
        return value if all(made[k] is v for k, v in items) else rebuilt(value, made)
    if any(isinstance(v, Earlier) for v in value):  # in the loop that appends
        raise refusal(tracer.span() if tracer.stack.left is None else tracer.stack.left.span)
    numbers = has_numbers(value)
    column = numbers_of(tracer.hooks, value) if numbers else None
    formed = column is not None if numbers else of_one_form(value) or is_formed(value)
    if tracer.graph.meta.get("branch") or not formed:
        for rows in value:
            if isinstance(rows, NumberRows):
                rows.spell()
        raise refusal(tracer.span() if tracer.stack.left is None else tracer.stack.left.span)
    before = tracer.graph.latest
    found: list[Any]
    joins: Any = list
    if numbers:
        found, joins = [column], Listed((0,), frozenset((0,)))
    elif not of_one_form(value):
        found = []
        joins = Listed(tuple(numbered(item, found) for item in value[0].items))
    else:
        found = [value[0].items[0] if len(value) == 1 else along(tracer.hooks, value)]
    arrays = tuple(tracer.use(current(tracer, v)) for v in found)
    node = tracer.graph.create_node("call_function", joins, arrays)
    node.spec = Scalar(list)
    if tracer.backend.own_numbers and all(array.spec.rank == 1 for array in arrays) or numbers:
        node.meta["gives"] = NEW  # its numbers
    while before is not tracer.graph.latest:
        before = before.next
        before.place = tracer.stack.left
    return Scalar_(tracer, node.spec, node=node)


def is_formed(items: list[Any]) -> bool:
    """Whether such a list holds nothing but what the turns of one loop appended: arrays in containers."""
    rows = items[0]
    if len(items) > 1 or type(rows) is not Rows or not rows.items:
        return False
    arrays = [leaf for item in rows.items for leaf in leaves(item)]
    plain = all(type(held) in (tuple, list, dict) for item in rows.items for held in nested(item))
    return plain and len(arrays) <= MOST and all(is_proxy(v) and not isinstance_scalar(v) for v in arrays)

"""Joining: functions that are given a list which a loop has appended to. Those that stack it, or join its
arrays, take what is stacked already; others its elements one by one.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir.values.tree import leaves
from ..own import attribute, tabled
from ..proxy import isinstance_scalar
from .list_rows import Rows, along, expanded, has_numbers, holds, is_array, numbers_of, spread, within

if TYPE_CHECKING:
    from ..python.hooks import Tracing

#: Functions that join arrays along a new axis, and along one that they have, by their names in all
#: frameworks.
STACKS = frozenset({"stack", "array", "asarray", "vstack"})
JOINS = frozenset({"concatenate", "concat", "cat"})
#: Functions of Python's that read a list and do not keep it.
READING = (sum, tuple, sorted, any, all, functools.reduce)


def with_rows(hooks: Tracing, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call with such a list among its arguments, or a method of one."""
    items, *rest = args or (None,)
    name = attribute(f, "__name__", "")
    own = attribute(f, "__self__")
    if name in ("append", "extend", "copy") and isinstance(own, list):
        hooks.touches(f, args, kwargs)
        return f(*args, **kwargs)
    along_one = len(rest) + len(kwargs) <= 1 and kwargs.keys() <= {"axis", "dim"}  # and no dtype= or out=
    if holds(items) and has_numbers(items) and (made := array_of(hooks, f, items, rest, kwargs)) is not None:
        return made
    if is_array(items) and along_one and not within((rest, kwargs)) and not isinstance(own, list):
        axis = rest[0] if rest else kwargs.get("axis", kwargs.get("dim", 0))
        stacks = name in STACKS and not (name in ("array", "asarray") and (rest or kwargs))
        if stacks and name in ("array", "asarray"):
            stacks = some(hooks, items) is not False
        if stacks and (name != "vstack" or all([rank(r) == 1 for r in items if isinstance(r, Rows)])):
            return turned(hooks, along(hooks, items), axis)
        if name in JOINS and type(axis) is int and axis == 0 and len(items) == 1 and not items[0].spelled:
            return joined(hooks, items[0])
    if tabled(f) and f in READING or hooks.tracer.framework.recorded(f):
        args, kwargs = spread(hooks.tracer, args), spread(hooks.tracer, kwargs)
    else:
        expanded(hooks.tracer, (own, args, kwargs))
    return hooks.call(f, *args, **kwargs)


def array_of(hooks: Tracing, f: Any, items: list[Any], rest: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The array that a function makes of a list of numbers which a loop has appended; None where it makes
    something else, or the list holds other things.
    """
    lists = hooks.tracer.framework.lists
    if lists is None or f not in lists.functions or rest or kwargs.keys() - {"dtype"}:
        return None
    if (column := numbers_of(hooks, items)) is None:
        return None
    if column.node.spec.dtype.kind != "float" and some(hooks, items) is not True:
        return None
    return lists.array(hooks, column, kwargs.get("dtype"))


def some(hooks: Tracing, items: Any) -> bool | None:
    """Whether there is something, which is checked: of nothing `np.array` makes an array of another shape and
    dtype. None where that cannot be checked.
    """
    tracer = hooks.tracer
    if not all(isinstance(item, Rows) for item in items):
        return True
    size = tracer.shape(next(leaves(items[0].items)), named=False).dims[0]
    if not isinstance_scalar(size):
        return bool(size > 0)
    if size.local:
        return None
    asked = tracer.scalar(operator.gt, size, 0)
    size.node.names = asked.node.names = ()
    return bool(tracer.look(asked, "an array is made of a list that a loop appends to"))


def joined(hooks: Tracing, rows: Rows) -> Any:
    """The elements along the first axis that they have themselves."""
    rank(rows)
    stacked = along(hooks, [rows])
    sizes = hooks.tracer.shape(stacked, named=False).dims[2:]
    for each in (stacked, *filter(isinstance_scalar, sizes)):  # the user names none of them
        each.node.names = ()
    return hooks.call(hooks.getattr_(stacked, "reshape"), (-1, *sizes))


def turned(hooks: Tracing, stacked: Any, axis: Any) -> Any:
    """The new axis where it was asked for."""
    if type(axis) is int and axis == 0:
        return stacked
    return hooks.call(hooks.tracer.framework.moves, stacked, 0, axis)


def rank(rows: Rows) -> int:
    """The rank of each, which is checked from here on; -1 where it is not known."""
    found = rows.tracer.rank(rows.stacked.node)
    return -1 if found is None else found - 1

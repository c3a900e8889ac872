"""Rows: what stands in a list for the elements that a recorded loop has appended to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.errors import UnsupportedError
from ...ir.static import Scalar
from ...ir.tree import children, rebuilt
from ..proxy import Scalar_, is_proxy, isinstance_scalar

#: Functions that join arrays along a new axis, and along one that they have, by their names in all
#: frameworks.
STACKS = frozenset({"stack", "array", "asarray", "vstack"})
JOINS = frozenset({"concatenate", "concat", "cat"})


class Rows:
    """The elements of a list that a loop has appended to.

    Attributes:
        items: what one turn appends, every array of it stacked over all turns.
    """

    def __init__(self, tracer: Any, items: list[Any]) -> None:
        self.tracer = tracer
        self.items = items

    @property
    def stacked(self) -> Any:
        """The stacked array.

        Raises:
            UnsupportedError: where every turn appends several things, or something else than an array.
        """
        if len(self.items) == 1 and is_proxy(self.items[0]):
            return self.items[0]
        raise refusal(self.tracer.span())

    def element(self, hooks: Any, index: int) -> Any:
        """One of them; a negative index counts from the end."""
        return hooks.getitem(self.stacked, index)


class Earlier(Rows):
    """What the turns before this one have appended to a list, in the loop that appends to it.

    Attributes:
        ask: gives what was appended last, or was there before the loop.
    """

    def __init__(self, tracer: Any, ask: Callable[[], Any]) -> None:
        super().__init__(tracer, [])
        self.ask = ask

    def element(self, hooks: Any, index: int) -> Any:
        if index != -1:
            raise refusal(self.tracer.span())
        return self.ask()


def refusal(span: Any) -> UnsupportedError:
    return UnsupportedError(
        "a list that a loop appends to",
        why="how long it is, and so what becomes of it, is known only when the program runs",
        span=span,
        hint="stack or concatenate it, take its length or one of its elements, or loop over it",
    )


def holds(value: Any) -> bool:
    """Whether a value is a list that a loop has appended to."""
    return type(value) is list and any(isinstance(v, Rows) for v in value)


def truth(value: list[Any]) -> bool:
    """Whether such a list has elements."""
    if all(isinstance(v, Rows) for v in value):
        raise refusal(value[0].tracer.span())
    return True


def call(hooks: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call with such a list as its first argument."""
    tracer = hooks.tracer
    items, *rest = args or (None,)
    name = getattr(f, "__name__", "")
    own = getattr(f, "__self__", None)
    if name in ("append", "extend") and isinstance(own, list) and not any(map(holds, args)):
        return f(*args, **kwargs)
    if isinstance(own, list) or not holds(items) or any(map(holds, rest)):
        raise refusal(tracer.span())
    axis = rest[0] if rest else kwargs.get("axis", kwargs.get("dim", 0))
    stacks = name in STACKS and not (name in ("array", "asarray") and (rest or kwargs))
    if stacks and (name != "vstack" or all(rank(r) == 1 for r in items if isinstance(r, Rows))):
        return turned(hooks, along(hooks, f, items), axis)
    if name in JOINS and type(axis) is int and axis == 0 and len(items) == 1:
        joined = items[0].stacked
        shape = tracer.shape(joined)
        return hooks.call(hooks.getattr_(joined, "reshape"), (-1, *shape[2:]))
    raise refusal(tracer.span())


def returned(tracer: Any, value: Any) -> Any:
    """What a function returns, with a recorded list for each that a loop has appended to."""
    if not holds(value):
        items = children(value)
        return rebuilt(value, {k: returned(tracer, v) for k, v in items}) if items else value
    if tracer.graph.meta.get("branch") or not alike(value):
        raise refusal(tracer.span() if tracer.left is None else tracer.left.span)
    before = tracer.graph.latest
    stacked = along(tracer.hooks, list, value)
    node = tracer.graph.create_node("call_function", list, (tracer.use(stacked.node),))
    node.spec = Scalar(list)
    while before is not tracer.graph.latest:
        before = before.next
        before.place = tracer.left
    return Scalar_(tracer, node.spec, node=node)


def alike(items: list[Any]) -> bool:
    """Whether all that such a list holds are arrays of one shape and dtype."""
    found = set()
    for item in items:
        rows = isinstance(item, Rows)
        array = item.items[0] if rows else item  # of several no array is made
        if rows and len(item.items) > 1 or not is_proxy(array) or isinstance_scalar(array) or array.node.spec.shape is None:
            return False
        found.add((array.node.spec.shape[rows:], array.node.spec.dtype))
    return len(found) == 1


def rank(rows: Rows) -> int:
    shape = rows.stacked.node.spec.shape
    return -1 if shape is None else len(shape) - 1


def along(hooks: Any, f: Callable[..., Any], items: list[Any]) -> Any:
    """All elements along a new first axis."""
    if len(items) == 1:
        return items[0].stacked
    parts = [v.stacked if isinstance(v, Rows) else hooks.getitem(v, None) for v in items]
    joins = hooks.tracer.framework.joins
    return hooks.call(joins, parts)


def turned(hooks: Any, stacked: Any, axis: Any) -> Any:
    """The new axis where it was asked for."""
    if type(axis) is int and axis == 0:
        return stacked
    return hooks.call(hooks.tracer.framework.moves, stacked, 0, axis)


def length(tracer: Any, items: list[Any]) -> Any:
    rows = [v for v in items if isinstance(v, Rows)]
    if len(rows) > 1:
        raise refusal(tracer.span())
    return tracer.shape(rows[0].stacked, named=False)[0] + (len(items) - 1)


def element(hooks: Any, items: list[Any], index: Any) -> Any:
    """`items[index]`"""
    if type(index) is int:
        first = next(i for i, v in enumerate(items) if isinstance(v, Rows))
        last = next(i for i, v in enumerate(reversed(items)) if isinstance(v, Rows))
        if 0 <= index < first:
            return items[index]
        if -last <= index < 0:
            return items[index]
        if len(items) - first - last == 1:
            return items[first].element(hooks, index - first if index >= 0 else index + last)
    raise refusal(hooks.tracer.span())

"""Rows: what stands in a list for the elements that a recorded loop has appended to it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.sizes.local import is_local
from ...ir.values.dtypes import PYTHON
from ...ir.values.tree import children, leaves, rebuilt
from ..objects import heap
from ..proxy import is_proxy, isinstance_scalar
from ..settling import Spell

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer


class Rows:
    """The elements of a list that a loop has appended to.

    Attributes:
        items: what one turn appends, every array of it stacked over all turns.
        listed: whether the loop goes through lists, so that the elements stay in one.
        uneven: whether they are of several shapes, so that nothing is stacked.
        spelled: where the loop stands, if it is written out for who wants the elements one by one.
    """

    def __init__(
        self,
        tracer: Tracer,
        items: list[Any],
        listed: bool = False,
        uneven: bool = False,
        spelled: Any = None,
    ) -> None:
        self.tracer = tracer
        self.items = items
        self.listed = listed
        self.uneven = uneven
        self.spelled = spelled
        tracer.containers.collects = True

    @property
    def stacked(self) -> Any:
        """The stacked array.

        Raises:
            UnsupportedError: where every turn appends several things, or something else than an array.
        """
        if self.uneven:
            self.spell()
        if len(self.items) == 1 and is_proxy(self.items[0]):
            return self.items[0]
        raise refusal(self.tracer.span())

    def spell(self) -> None:
        """Somebody wants the elements as they are not kept.

        Raises:
            Spell: where the loop may be written out for that. UnsupportedError: elsewhere.
        """
        if self.spelled is None:
            raise refusal(self.tracer.span())
        self.tracer.rolling.spelled.add(self.spelled)
        raise Spell

    @property
    def changeable(self) -> bool:
        """Whether there are containers among them that somebody may change."""
        return any(type(held) in (list, dict) for item in self.items for held in nested(item))

    @property
    def count(self) -> Any:
        """How many they are."""
        stacked = next(leaves(self.items[0]))
        return self.tracer.shape(stacked, named=False)[0] * len(self.items)

    def element(self, hooks: Tracing, index: Any) -> Any:
        """One of them; a negative index counts from the end."""
        self.stay()
        return hooks.getitem(self.stacked, index)

    def stay(self) -> None:
        """Of a list that is not stacked one is taken where the list is, and no region has it: it may be of
        another shape or dtype than the others.
        """
        if self.listed and any(array.node.graph is not self.tracer.graph for array in self.arrays):
            self.spell()

    @property
    def arrays(self) -> Iterator[Any]:
        """The stacked arrays."""
        return (leaf for item in self.items for leaf in leaves(item) if is_proxy(leaf))

    def each(self) -> Iterator[Any]:
        """All of them. A guard says that they are as many as for the example."""
        tracer = self.tracer
        if self.spelled is not None:
            self.spell()
        self.stay()
        size = next(leaves(self.items[0])).node.spec.shape[0]
        if is_local(size):
            raise refusal(tracer.span())
        for i in range(tracer.known(size, "the elements of a list are used one by one")):
            for item in self.items:
                yield at(tracer, item, i)


class NumberRows(Rows):
    """Numbers of Python's that a loop has appended to a list. There is an array of them, of the dtype that is
    widest for their type; who wants another thing than that gets the numbers one by one.

    Attributes:
        whole: what stands before them, and an array of that and of these, once it is made.
    """

    whole: tuple[list[Any], Any] = [], None

    @property
    def kind(self) -> type:
        """Their type."""
        (column,) = self.items
        return next(kind for kind in (bool, int, float) if PYTHON[kind] == column.node.spec.dtype)

    @property
    def stacked(self) -> Any:
        self.spell()


class Earlier(Rows):
    """What the turns before this one have appended to a list, in the loop that appends to it.

    Attributes:
        ask: gives what was appended last, or was there before the loop.
    """

    def __init__(self, tracer: Tracer, ask: Callable[[], Any]) -> None:
        super().__init__(tracer, [])
        self.ask = ask

    @property
    def count(self) -> Any:
        raise refusal(self.tracer.span())

    def element(self, hooks: Tracing, index: Any) -> Any:
        if is_proxy(index) or index != -1:
            raise refusal(self.tracer.span())
        return self.ask()

    def each(self) -> Iterator[Any]:
        raise refusal(self.tracer.span())


def at(tracer: Tracer, item: Any, place: int | None) -> Any:
    """What one turn appended, of what all of them did. None: it itself, with an axis in front."""
    if is_proxy(item):
        return tracer.record(operator.getitem, (item, place))
    return rebuilt(item, {k: at(tracer, v, place) for k, v in children(item) or ()})


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


def within(value: Any) -> bool:
    """Whether such a list is in a value."""
    return any(map(holds, containers(value, set())))


def containers(value: Any, seen: set[int]) -> Iterator[Any]:
    """A list, tuple or dict and those in it, each once."""
    if type(value) in (list, tuple, dict) and id(value) not in seen:
        seen.add(id(value))
        yield value
        for item in value.values() if type(value) is dict else tuple(value):
            yield from containers(item, seen)


def truth(hooks: Tracing, value: list[Any]) -> Any:
    """Whether such a list has elements."""
    if not all(isinstance(v, Rows) for v in value):
        return True
    found = length(hooks.tracer, value)
    return hooks.truth(hooks.compare("gt", found, 0))


def spread(tracer: Tracer, value: Any) -> Any:
    """`value` for who reads it: such lists in it are copies, which have their elements one by one, unless
    these could be changed. There must be as many as for the example, which is checked.

    Raises:
        UnsupportedError: where only the running program knows how many.
    """
    if not tracer.containers.collects or not within(value):
        return value
    for each in filter(holds, containers(value, set())):
        if any(isinstance(v, Rows) and v.changeable for v in each):
            expanded(tracer, each)
    if type(value) is dict:
        return {key: spread(tracer, item) for key, item in value.items()}
    items = (v.each() if isinstance(v, Rows) else (spread(tracer, v),) for v in value)
    return type(value)(each for found in items for each in found)


def expanded(tracer: Tracer, value: Any) -> Any:
    """`value` for who may change it: such lists in it have got their elements one by one themselves.

    Raises:
        UnsupportedError: where only the running program knows how many.
    """
    for each in list(filter(holds, containers(value, set()))) if tracer.containers.collects else ():
        tracer.outside.touch(each)
        heap.wake(tracer)
        each[:] = [item for v in each for item in (v.each() if isinstance(v, Rows) else (v,))]
    return value


def numbers_of(hooks: Tracing, items: list[Any]) -> Any:
    """All elements in an array of the widest dtype, where they are numbers of Python's of one type, and the
    last of them those of one loop; None where they are not.
    """
    *first, rows = items
    if not isinstance(rows, NumberRows):
        return None
    (column,) = rows.items
    kind, framework = rows.kind, hooks.tracer.framework
    if not first or framework.lists is None:
        return column if not first else None
    if not all(type(v) is kind or isinstance_scalar(v) and v.spec.type is kind for v in first):
        return None
    begun, whole = rows.whole
    same = len(begun) == len(first) and all(a is b for a, b in zip(begun, first))
    if whole is None or not same or whole.node.graph is not hooks.tracer.graph:
        arrays = [at(hooks.tracer, framework.lists.single(hooks, v), None) for v in first]
        whole = hooks.call(framework.joins, [*arrays, column])
        whole.node.meta["collected"] = True
        rows.whole = first, whole
    return whole


def of_one_form(items: list[Any]) -> bool:
    """Whether all that such a list holds are arrays of one shape and dtype."""
    found = set()
    for item in items:
        rows = isinstance(item, Rows)
        array = item.items[0] if rows else item  # of several no array is made
        if rows and len(item.items) > 1 or not is_proxy(array) or isinstance_scalar(array):
            return False
        shape = array.node.spec.shape
        found.add((None if shape is None else shape[rows:], array.node.spec.dtype))
    return len(found) == 1 and next(iter(found))[0] is not None


def nested(item: Any) -> Iterator[Any]:
    """An item's containers."""
    held = children(item) if not is_proxy(item) else None
    if held is not None:
        yield item
        for _, inner in held:
            yield from nested(inner)


def is_array(items: Any) -> bool:
    """Whether each turn appended an array to such a list, and nothing else, and it holds nothing else."""
    if not holds(items):
        return False
    arrays = [v.items[0] if isinstance(v, Rows) and len(v.items) == 1 else v for v in items]
    return not has_numbers(items) and all(is_proxy(v) and not isinstance_scalar(v) for v in arrays)


def has_numbers(items: list[Any]) -> bool:
    """Whether such a list holds numbers that a loop has appended."""
    return any(isinstance(v, NumberRows) for v in items)


def along(hooks: Tracing, items: list[Any]) -> Any:
    """All elements along a new first axis, in memory of their own."""
    framework = hooks.tracer.framework
    if len(items) == 1:
        return hooks.call(framework.copies, items[0].stacked)
    return hooks.call(
        framework.joins, [v.stacked if isinstance(v, Rows) else at(hooks.tracer, v, None) for v in items]
    )


def enough(hooks: Tracing, rows: Rows, place: int) -> bool:
    """Whether so many were appended that one has this place among them, and not what stands before or behind
    them; what holds for the example is checked.
    """
    tracer, wanted = hooks.tracer, place + 1 if place >= 0 else -place
    count = rows.count
    if not isinstance_scalar(count):
        return bool(count >= wanted)
    if count.local:
        raise refusal(tracer.span())
    if count.spec.hint is None or count.spec.hint < wanted:
        return False
    asked = tracer.scalar(operator.ge, count, wanted)
    asked.node.names = ()
    return bool(tracer.look(asked, "a list that a loop appends to is asked for what stands there"))


def length(tracer: Tracer, items: list[Any]) -> Any:
    return sum(item.count if isinstance(item, Rows) else 1 for item in items)


def element(hooks: Tracing, items: list[Any], index: Any) -> Any:
    """`items[index]`"""
    if has_numbers(items) and (type(index) is int or isinstance_scalar(index)):
        if (found := number_of(hooks, items, index)) is not None:
            return found
    plain = is_array(items) or any(isinstance(v, Earlier) for v in items)
    if len(items) == 1 and plain:
        if isinstance(index, slice) and items[0].listed:  # a list again
            items[0].spell()
        if isinstance(index, slice) and (index.step is None or index.step > 0):
            return [Rows(hooks.tracer, [hooks.getitem(items[0].stacked, index)])]
        if type(index) is int or isinstance_scalar(index):
            return items[0].element(hooks, index)
    if type(index) is int:
        first = next(i for i, v in enumerate(items) if isinstance(v, Rows))
        last = next(i for i, v in enumerate(reversed(items)) if isinstance(v, Rows))
        if 0 <= index < first:
            return items[index]
        if -last <= index < 0:
            return items[index]
        if len(items) - first - last == 1 and plain:
            place, rows = index - first if index >= 0 else index + last, items[first]
            if isinstance(rows, Earlier):
                return rows.element(hooks, place)
            if isinstance_scalar(rows.count) and rows.count.local and of_one_form(items):
                return hooks.getitem(along(hooks, items), index)
            if enough(hooks, rows, place):
                return rows.element(hooks, place)
    return hooks.getitem(spread(hooks.tracer, items), index)


def number_of(hooks: Tracing, items: list[Any], index: Any) -> Any:
    """`items[index]` of numbers of Python's; None where that is no number which a loop has appended."""
    *first, rows = items
    if not isinstance(rows, NumberRows):
        return None
    if first and (type(index) is not int or index >= 0 or not enough(hooks, rows, index)):
        return None
    (column,) = rows.items
    return hooks.call(hooks.getattr_(hooks.getitem(column, index), "item"))

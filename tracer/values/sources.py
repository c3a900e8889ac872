"""Sources: what a loop goes through, where it is an array or a count that only the running program knows.

`range` of such things gives Sources; `enumerate`, `zip` and `reversed` give a Stream over them. A loop takes
an item of each in step; whoever else iterates over them gets the items one by one, and a guard on how many
there are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.errors import TraceError, UnsupportedError
from ...ir.sizes.dim import Dim, Sym, hint_of
from ..proxy import is_proxy, isinstance_scalar
from . import list_rows
from .collected import Collected
from .listed import Listed
from .streams import Stream

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer

#: What gives a Stream, or says how long a list is.
STREAMING: tuple[Any, ...] = (enumerate, zip, reversed, len)
#: Why it is looked which of several sources is the shortest.
ENDS = "zip ends with the shortest"
#: (start, stop, step) of a range; each an int or a recorded number.
Count = tuple[Any, Any, Any]


@dataclass(frozen=True)
class Sources:
    """Several sources that are gone through in step.

    Attributes:
        each: arrays (proxies), whose rows are the items, Counts, and what lists hold.
        form: one item of each source, put together as the user's loop gets them.
        placed: how many of them, the last ones, are lists whose items he takes by the number of the turn.
        whole: what he goes through himself, where the rows of arrays are taken by the number of the turn:
            those at the places `rows` in it.
    """

    tracer: Tracer
    each: tuple[Any, ...]
    form: Callable[..., Any]
    placed: int = 0
    whole: Sources | None = None
    rows: frozenset[int] = frozenset()

    @property
    def length(self) -> Dim | None:
        """The number of turns, None where it is not known; that of the first source, see `agree`."""
        return length(self.each[0])

    @property
    def turns(self) -> int | None:
        """The number of turns where it is certain."""
        known = self.length
        return known if isinstance(known, int) else None

    @property
    def arrays(self) -> Iterator[Any]:
        """The arrays that are gone through, or hold what is."""
        for source in self.each:
            if isinstance(source, Listed):
                yield from (array for column in source.columns for array in column)
            elif is_proxy(source):
                yield source

    def first(self, turns: int) -> Iterator[Any]:
        """The items of the first turns; that there are so many is guarded."""
        if self.turns is None:
            asked = counter(self.tracer, self) > turns - 1
            self.tracer.look(asked, "the first turns of the loop are not like the others")
        return self.items(turns)

    def items(self, turns: int) -> Iterator[Any]:
        for i in range(turns):
            yield self.form(*(item(self.tracer, source, i) for source in self.each))

    def after(self, hooks: Tracing, turns: int) -> Sources:
        """What is left after the first turns."""
        return Sources(self.tracer, tuple(rest(hooks, e, turns) for e in self.each), self.form)

    def agree(self) -> None:
        """That they are equally long is guarded where it is not certain."""
        first = self.length
        for other in self.each[1:]:
            mine = length(other)
            if mine is None or first is None or is_endless(other):
                continue
            if mine != first:
                self.tracer.guard(
                    first - mine if isinstance(first, Sym) else mine - first, 0, "they are zipped"
                )

    def __iter__(self) -> Iterator[Any]:
        self.rely()
        listed = (len(source.items) for source in self.each if isinstance(source, Listed))
        count = next(listed, None)
        if count is None:
            count = self.tracer.known(self.length, "a loop that is not recorded goes through it")
        return self.items(count)

    def rely(self) -> None:
        """How many rows a computed array has depends on ranks."""
        for source in self.each:
            if isinstance(source, Listed):
                source.rely(self.tracer)
            if is_proxy(source) and not isinstance_scalar(source):
                self.tracer.relative(source.node, 0, None)

    def __len__(self) -> int:
        self.rely()
        return int(self.tracer.known(self.length, "its length was asked for"))

    def item(self, index: Any) -> Any:
        """One item. That there are so many is guarded; from behind, that there are as many as for the
        example.
        """
        if type(index) is not int:
            raise UnsupportedError(
                "a part of a range of recorded numbers",
                why="its items are known only when the program runs",
                span=self.tracer.span(),
                hint="take one item of it, or write another range",
            )
        if index < 0:
            return [*self][index]
        there = counter(self.tracer, self) > index
        if not (self.tracer.look(there, "one of its items is taken") if is_proxy(there) else there):
            raise IndexError("range object index out of range")
        return self.form(*(item(self.tracer, source, index) for source in self.each))

    @property
    def start(self) -> Any:
        """As those of a range, like `stop` and `step`."""
        return self.each[0][0]

    @property
    def stop(self) -> Any:
        return self.each[0][1]

    @property
    def step(self) -> Any:
        return self.each[0][2]

    def __reversed__(self) -> Sources:
        form = self.form
        each = tuple(backwards(self.tracer, e) for e in self.each)
        return Sources(self.tracer, each, lambda *items: form(*items))


def item(tracer: Tracer, source: Any, i: int) -> Any:
    if isinstance(source, Listed):
        return source.at(tracer, i)
    return passed(source, i) if isinstance(source, tuple) else tracer.record(operator.getitem, (source, i))


def passed(count: Count, turns: int) -> Any:
    """The number that a count has come to."""
    start, _, step = count
    return start - -step * turns if type(step) is int and step < 0 else start + step * turns


def rest(hooks: Tracing, source: Any, turns: int) -> Any:
    """What is left of a source after so many items."""
    if isinstance(source, Listed):
        return source.part(hooks.tracer, slice(turns, None))
    if isinstance(source, tuple):
        return passed(source, turns), *source[1:]
    return hooks.getitem(source, slice(turns, None))


def is_endless(source: Any) -> bool:
    return isinstance(source, tuple) and source[1] is None


def length(source: Any) -> Dim | None:
    if isinstance(source, Listed):
        return source.length
    if not isinstance(source, tuple):
        shape = source.node.spec.shape
        return None if shape is None else shape[0]
    start, stop, step = (v.spec.value if is_proxy(v) else v for v in source)
    if step == 1:
        return stop - start if isinstance(stop - start, Sym) else max(stop - start, 0)  # type: ignore[no-any-return]
    if all(isinstance(v, int) for v in (start, stop, step)):
        return len(range(start, stop, step))
    if not isinstance(step, int):
        return None
    found: Dim = (stop - start + step - 1) // step if step > 0 else (start - stop - step - 1) // -step
    return found


def hint(source: Count) -> int:
    """A number that the count passes, not the first if there are others."""
    start, stop, step = (v.spec.hint if is_proxy(v) else v for v in source)
    passed = range(start or 0, stop if stop is not None else (start or 0) + 3, step or 1)
    return passed[len(passed) // 2] if passed else int(start or 0)


def limits(source: Count) -> tuple[Dim | None, Dim | None]:
    """What a count is at least and at most, while the loop turns."""
    start, stop, step = (v.spec.value if is_proxy(v) else v for v in source)
    if not isinstance(step, int):
        return None, None
    last = None if stop is None else stop - 1 if step > 0 else stop + 1
    return (start, last) if step > 0 else (last, start)


def of(tracer: Tracer, value: Any) -> Sources | None:
    """The sources that a loop over `value` has; None where Python goes through it."""
    if isinstance(value, Sources):
        return value
    if isinstance(value, Stream):
        return value.taken()
    if (listed := Listed.of(tracer, value)) is not None:
        return Sources(tracer, (listed,), itself)
    if type(value) is range:
        return Sources(tracer, ((value.start, value.stop, value.step),), lambda i: i)
    if list_rows.holds(value):
        if (collected := Collected.by(tracer.graph, value)) is not None:
            return Sources(tracer, (collected,), itself)
        for rows in (v for v in value if isinstance(v, list_rows.Rows)):
            rows.stay()
            if isinstance(rows, list_rows.NumberRows):
                rows.spell()
        item = value[0].items[0] if len(value) == 1 and len(value[0].items) == 1 else None
        if type(item) is tuple and all(map(is_proxy, item)):
            return together(tracer, [rows_of for i in item if (rows_of := of(tracer, i)) is not None], False)
        if is_proxy(item):
            return of(tracer, item)
        list_rows.expanded(tracer, value)
        return None
    if is_proxy(value) and not isinstance_scalar(value):
        shape = value.node.spec.shape
        if shape is None:
            raise tracer.shapeless(value.node)
        if not shape:
            raise TypeError("iteration over a 0-d array")
        return Sources(tracer, (value,), lambda row: row)
    return None


def counted(tracer: Tracer, *bounds: Any) -> Any:
    """range(...) with recorded numbers. A bool is the int that it is."""
    bounds = tuple(
        tracer.scalar(int, b) if isinstance_scalar(b) and b.spec.type is bool else b for b in bounds
    )
    for bound in bounds:
        if is_proxy(bound) and not isinstance_scalar(bound):
            raise tracer.wants_number(bound, "range()")
        if not is_proxy(bound):
            operator.index(bound)
        elif bound.spec.type is not int:
            raise TypeError(f"'{bound.spec.type.__name__}' object cannot be interpreted as an integer")
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    if not is_proxy(step) and step == 0:
        raise ValueError("range() arg 3 must not be zero")
    return Sources(tracer, ((start, stop, step),), itself)


def itself(item: Any) -> Any:
    return item


def counts(value: Sources | Stream) -> Count | None:
    """The bounds of a `range`; None for what `enumerate`, `zip` and `reversed` give."""
    if isinstance(value, Stream):
        return None
    return value.each[0] if value.form is itself and isinstance(value.each[0], tuple) else None


def counter(tracer: Tracer, inner: Sources) -> Any:
    """The number of turns as a recorded number."""
    first = inner.each[0]
    if isinstance(first, Listed):
        return first.counted(tracer)
    if not isinstance(first, tuple):
        return tracer.shape(first, named=False)[0]
    start, stop, step = first
    if step == 1:
        return stop if type(start) is int and start == 0 else stop - start
    if step == -1:
        return start - stop
    raise tracer.error(
        "the number of turns of a stepped range cannot be recorded", "loop over range(n) with a step of 1"
    )


def together(tracer: Tracer, found: list[Sources], strict: bool) -> Sources:
    """The sources whose items are those of all, in step."""
    sizes = [len(i.each) for i in found]

    def form(*items: Any) -> Any:
        made, at = [], 0
        for one, size in zip(found, sizes):
            made.append(one.form(*items[at : at + size]))
            at += size
        return tuple(made)

    each = [e for i in found for e in i.each]
    if len(each) > 1:
        each = cut(tracer, [stepped(tracer, e) for e in each], strict)
    made = Sources(tracer, tuple(each), form)
    made.agree()
    return made


def cut(tracer: Tracer, each: list[Any], strict: bool) -> list[Any]:
    """Sources of one length, as zip ends with the shortest. Which of them that is, is guarded."""
    lengths = [None if is_endless(e) else length(e) for e in each]
    sizes = [None if n is None else hint_of(n) for n in lengths]
    known = [size for size in sizes if size is not None]
    if not known or all(size == known[0] for size in known):
        return each
    if min(known) < 0:  # the range ends before it begins
        tracer.look(tracer.hooks.compare("le", number(tracer, each[sizes.index(min(known))]), 0), ENDS)
        return [nothing(tracer, e) for e in each]
    shortest = each[sizes.index(min(known))]
    if strict:
        raise TraceError(
            f"a strict zip of {length(shortest)} items and more", span=tracer.span(), hint="leave strict= out"
        )
    longer = [size is not None and size > min(known) for size in sizes]
    return [shortened(tracer, e, shortest) if more else e for e, more in zip(each, longer)]


def shortened(tracer: Tracer, source: Any, shortest: Any) -> Any:
    """The beginning of a source that is as long as another one."""
    turns = number(tracer, shortest)
    asked = tracer.hooks.compare("ge", number(tracer, source), turns)
    if is_proxy(asked):
        tracer.look(asked, ENDS)
    if isinstance(source, Listed):
        return source.part(tracer, slice(tracer.known(length(shortest), ENDS)))
    if isinstance(source, tuple):
        start, _, step = source
        return start, start + turns * step, step
    less = length(shortest) - length(source)  # type: ignore[operator]
    if not isinstance(less, int) and is_proxy(some := tracer.hooks.compare("ge", turns, 0)):
        tracer.look(some, ENDS)  # a range of fewer has no items, a slice has
    return tracer.hooks.getitem(source, slice(None, less if isinstance(less, int) else turns))


def nothing(tracer: Tracer, source: Any) -> Any:
    """A source of no items."""
    if isinstance(source, Listed):
        return source.part(tracer, slice(0))
    return (0, 0, 1) if isinstance(source, tuple) else tracer.hooks.getitem(source, slice(0))


def number(tracer: Tracer, source: Any) -> Any:
    """How many items a source has, as a number of Python's or a recorded one."""
    known = length(source)
    return known if isinstance(known, int) else counter(tracer, Sources(tracer, (source,), lambda item: item))


def stepped(tracer: Tracer, source: Any) -> Any:
    """A source of which it can be said how long it is: the step of a range is known, and guarded."""
    if not isinstance(source, tuple) or not is_proxy(source[2]):
        return source
    return *source[:2], tracer.look(source[2], "what is zipped must be equally long")


def backwards(tracer: Tracer, source: Any) -> Any:
    if isinstance(source, Listed):
        container = None if isinstance(source, Collected) else source.container
        return Listed(source.items[::-1], source.length, container, source.given, not source.turned)
    if isinstance(source, tuple):
        start, stop, step = source
        if step == 1:
            return stop - 1, start - 1, -1
        if step == -1:
            return stop + 1, start + 1, 1
        raise tracer.error(
            "a stepped range of unknown length backwards cannot be recorded",
            "loop over range(n) with a step of 1",
        )
    return tracer.framework.flipped(tracer, source)


def any_open(tracer: Tracer, f: Any, values: Sequence[Any]) -> bool:
    """Whether an iterable among `values` is one that only the running program knows the length of."""
    known = (is_proxy(v) or isinstance(v, (Sources, Stream)) or list_rows.holds(v) for v in values)
    return any(known) or f in STREAMING and any(Listed.of(tracer, v) is not None for v in values)

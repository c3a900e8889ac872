"""Comprehensions: `[w * 2 for w in ws]` over lists of arrays is a loop that appends to a list of its own, and
`sum(w.sum() for w in ws)` one that adds up.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ....ir.errors import TraceError
from ....ir.sizes.dim import Sym
from ...place import here
from ...rewrite.runtime import FELL, Exit
from ...values import list_rows
from ...values.collected import Collected
from ...values.listed import Listed
from ...values.sources import Sources, counts
from ...values.streams import Stream
from .record import Staged
from .run import For

if TYPE_CHECKING:
    from ...python.hooks import Tracing


class Making(NamedTuple):
    """What a comprehension makes.

    Attributes:
        items: what it goes through.
        some: what makes one item each of some of these, as it does.
        called: what it calls what it makes them of.
    """

    items: Any
    some: Callable[[Any], Any]
    called: tuple[str, ...]


def itself(items: Any) -> Any:
    return items


def collected(
    hooks: Tracing, items: Any, some: Callable[[Any], list[Any]], called: Sequence[str]
) -> list[Any]:
    """The list that a comprehension makes."""
    if not goes_through_lists(hooks, items):
        return some(hooks.iter_(items))
    found: list[Any] = listed(hooks, Making(items, some, tuple(called)))
    return found


def generated(
    hooks: Tracing, items: Any, some: Callable[[Any], Iterator[Any]], called: Sequence[str]
) -> Iterator[Any]:
    """A generator, which whoever takes all that it gives may take as a loop."""
    if not goes_through_lists(hooks, items):
        return some(hooks.iter_(items))
    made = some(later(hooks, items))
    hooks.tracer.containers.generators[made] = Making(items, some, tuple(called))
    return made


def later(hooks: Tracing, items: Any) -> Iterator[Any]:
    """Items, as Python gets them, once somebody takes the first."""
    yield from hooks.iter_(items)


def goes_through_lists(hooks: Tracing, items: Any) -> bool:
    """Whether items are those of lists of arrays that are alike, in step and counted maybe, or the places in
    one. The lists are arguments, or what a loop over such has made.
    """
    each: Sequence[Any] = ()
    if isinstance(items, Sources):
        return are_places(items) and hooks.tracer.rolling.comprehensions
    if isinstance(items, Stream):
        each = items.sources.each if items.running is None and not items.lost else ()
    elif list_rows.holds(items):
        each = (Collected.by(hooks.tracer.graph, items),)
    elif (found := Listed.of(hooks.tracer, items)) is not None:
        each = (found,)
    lists = [e for e in each if isinstance(e, Collected) or isinstance(e, Listed) and e.given is not None]
    return bool(lists) and hooks.tracer.rolling.comprehensions


def are_places(items: Sources) -> bool:
    """Whether items are the places in a list, by `range(len(ws))`."""
    length = items.length
    atoms = length.atoms if isinstance(length, Sym) else ()
    return counts(items) is not None and bool(atoms) and all(atom.startswith("len(") for atom in atoms)


def making(hooks: Tracing, value: Any) -> Making | None:
    """What a generator makes that nobody has begun; of a list, its items as they are."""
    if inspect.isgenerator(value):
        begun = inspect.getgeneratorstate(value) != inspect.GEN_CREATED
        found: Making | None = None if begun else hooks.tracer.containers.generators.get(value)
        return found if found is not None and goes_through_lists(hooks, found.items) else None
    through = not isinstance(value, Sources) and goes_through_lists(hooks, value)
    return Making(value, itself, ()) if through else None


def takes(hooks: Tracing, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call of a function takes all that there is to go through, and may be recorded as a loop."""
    if f not in TAKING or len(args) != 1 or kwargs or (made := making(hooks, args[0])) is None:
        return False
    return f is builtins.sum or made.some is not itself


def listed(hooks: Tracing, value: Any) -> Any:
    """The list of what is made."""
    made = value if isinstance(value, Making) else making(hooks, value)
    return Listing(hooks, made, value).all()[0]


def summed(hooks: Tracing, value: Any) -> Any:
    return Summing(hooks, making(hooks, value), value).all()[0]


#: Functions of Python's that take all there is.
TAKING = {builtins.sum: summed, builtins.list: listed}


class Comprehended(For):
    """A loop that the user did not write as a statement.

    Attributes:
        kind: what it is then. `given`: what is gone through, or a generator of that.
    """

    kind = "comprehension"

    def __init__(self, hooks: Tracing, made: Any, given: Any, state: tuple[Any, ...], name: str) -> None:
        names = (name,) * len(state)
        super().__init__(hooks, made.items, self.turned, None, state, names)
        self.some = made.some
        self.called = made.called
        self.given = given

    def all(self) -> Any:
        """What comes of all items, in one."""
        self.hooks.hands(self.given)
        _, (found,) = self.go()
        if inspect.isgenerator(self.given):
            self.given.close()
        return (found,)

    def turned(self, item: Any, *state: Any) -> tuple[Exit, Any]:
        """One turn."""
        (made,) = self.some([item])
        return FELL, self.taken(made, *state)

    def taken(self, made: Any, *state: Any) -> Any:
        """What the state is, when one item more was made."""
        raise NotImplementedError

    def by_python(self) -> Any:
        """What Python makes of it, item by item."""
        raise NotImplementedError

    def runs(self) -> tuple[Any, ...]:
        return self.iterable, self.some, *self.state

    def staged(self, state: Sequence[Any]) -> Staged:
        made = super().staged(state)
        made.items, made.kind = self.called, self.kind
        self.tracer.rolling.comprehended = True
        return made

    def recorded(self, state: Sequence[Any]) -> tuple[Exit, Any]:
        """One through places alone takes the items of no list, and is Python's."""
        found = super().recorded(state)
        if not self.listed:
            raise self.tracer.error("a comprehension over numbers", "loop over the rows of an array")
        return found

    def otherwise(self, refusal: TraceError) -> tuple[Exit, Any]:
        self.stageable = False
        return self.run()

    def run(self) -> tuple[Exit, Any]:
        return FELL, (self.by_python(),)


class Listing(Comprehended):
    """A comprehension that makes a list."""

    def __init__(self, hooks: Tracing, made: Any, given: Any) -> None:
        super().__init__(hooks, made, given, (), "")
        self.made: list[Any] = []

    def taken(self, made: Any) -> Any:
        self.made.append(made)
        return ()

    def staged(self, state: Sequence[Any]) -> Staged:
        made = super().staged(state)
        made.containers = [self.made]
        return made

    def recorded(self, state: Sequence[Any]) -> tuple[Exit, Any]:
        super().recorded(state)
        return FELL, (self.made,)

    def by_python(self) -> Any:
        return [*self.given] if inspect.isgenerator(self.given) else self.some(self.through())


class Summing(Comprehended):
    """`sum(...)`"""

    kind = "sum"

    def __init__(self, hooks: Tracing, made: Any, given: Any) -> None:
        super().__init__(hooks, made, given, (0,), called())

    def taken(self, made: Any, total: Any) -> Any:
        return (self.hooks.binary("add", total, made),)

    def by_python(self) -> Any:
        generator = inspect.isgenerator(self.given) or isinstance(self.given, Stream)
        items = self.given if generator else list_rows.spread(self.tracer, self.given)
        return self.hooks.plain_call(builtins.sum, (items,), {})


def called() -> str:
    """What the user calls what a call gives."""
    place = here()
    return place.names[0] if place is not None and len(place.names) == 1 else "total"

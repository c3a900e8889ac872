"""Listed: lists and tuples of arrays, or of containers of arrays, that are all alike. A loop over one is
recorded as it is over the rows of an array; whoever else goes through it gets its own items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.sizes.dim import Dim, Sym, hint_of, sym
from ...ir.values.spec import Spec
from ...ir.values.tree import children, leaves, rebuilt, tuple_fields
from ..memory import numpy_scalars
from ..place import here
from ..proxy import Scalar_, is_array_proxy, is_proxy

if TYPE_CHECKING:
    from ..structured import Given
    from ..tracer import Tracer

#: What may stand beside the arrays of an item, if it is the same in all of them.
CONSTANTS = (type(None), bool, int, float, complex, str)


@dataclass(frozen=True, slots=True)
class Listed:
    """The items of a list or tuple, of one form: the same arrays in the same containers.

    Attributes:
        length: how many they are: of an argument a size, which is another for other arguments.
        container: the list or tuple itself; `given`: whose argument it is.
        turned: whether these are its items from the last to the first.
    """

    items: tuple[Any, ...]
    length: Dim
    container: Any = None
    given: Given | None = None
    turned: bool = False

    @staticmethod
    def of(tracer: Tracer, value: Any) -> Listed | None:
        """Those of a list or tuple; None where they are not alike, or no arrays."""
        if type(value) not in (list, tuple) or not value:
            return None
        first, *others = value
        arrays = any(map(is_proxy, leaves(first)))
        if not arrays or not all(is_alike(tracer, first, other) for other in (first, *others)):
            return None
        given = tracer.structure.find(value)
        if given is None or tracer.held(value) is None:
            return Listed(tuple(value), len(value), value)
        return Listed(tuple(value), sym(f"len({given.path})", len(value), 0), value, given)

    def rely(self, tracer: Tracer) -> None:
        """Python goes through the items, or takes a part of them: they are as many as in the example."""
        tracer.structure.whole(self.container)

    def counted(self, tracer: Tracer) -> Any:
        """How many there are, as a number of Python's or a recorded one."""
        if not isinstance(self.length, Sym):
            self.rely(tracer)
            return self.length
        container, place = tracer.containers.nodes[id(self.container)].node, here()
        home = container.graph if tracer.reaches(container) else tracer.graph
        asked, spec = home.latest, Scalar(int, self.length)

        def make() -> Node:
            made: Node = tracer.asked_at(asked, home, len, (container,))
            made.spec, made.place = spec, place
            return made

        return Scalar_(tracer, spec, make)

    def at(self, tracer: Tracer, place: int) -> Any:
        """An item as Python goes through a list: what is there by then.

        Raises:
            UnsupportedError: where the list has become longer or shorter.
        """
        if type(self.container) is not list:
            return self.items[place]
        if len(self.container) != len(self.items):
            raise UnsupportedError(
                "changing how long a list is in a loop over it",
                why="the loop would go through other items than it began with",
                span=tracer.span(),
                hint="loop over a copy, list(...), or collect in another list",
            )
        return self.container[-1 - place if self.turned else place]

    def part(self, tracer: Tracer, places: slice) -> Listed:
        """Some of the items."""
        self.rely(tracer)
        return Listed(self.items[places], len(self.items[places]))

    @property
    def columns(self) -> list[tuple[Any, ...]]:
        """The arrays in the items, those of each place together."""
        return list(zip(*(list(filter(is_proxy, leaves(item))) for item in self.items)))

    @property
    def is_even(self) -> bool:
        """Whether the arrays of each place are of one shape in the example."""
        hints = ([[*map(hint_of, array.node.spec.shape)] for array in column] for column in self.columns)
        return all(shape == shapes[0] for shapes in hints for shape in shapes)

    def filled(self, arrays: Sequence[Any]) -> Any:
        """An item with these arrays in the places of its own."""
        supply = iter(arrays)
        return filled(self.items[0], supply)


def filled(item: Any, supply: Any) -> Any:
    if is_proxy(item):
        return next(supply)
    items = children(item)
    return item if items is None else rebuilt(item, {key: filled(each, supply) for key, each in items})


def is_alike(tracer: Tracer, one: Any, other: Any) -> bool:
    """Whether two items have the same form: arrays of one dtype and rank, in the same containers."""
    if is_proxy(one) or is_proxy(other):
        known = kind(tracer, one)
        return known is not None and known == kind(tracer, other)
    if type(one) is not type(other):
        return False
    if type(one) in CONSTANTS:
        return repr(one) == repr(other)
    if type(one) not in (list, tuple, dict) and tuple_fields(type(one)) is None:
        return False
    mine, theirs = children(one) or [], children(other) or []
    same = [key for key, _ in mine] == [key for key, _ in theirs]
    return same and all(is_alike(tracer, a, b) for (_, a), (_, b) in zip(mine, theirs))


def kind(tracer: Tracer, array: Any) -> tuple[Any, ...] | None:
    """What is the same of arrays that are alike; None of what is no array, or where it is not known."""
    if not is_array_proxy(array) or numpy_scalars.is_number(tracer, array.node):
        return None
    seen = tracer.seen(array.node)[0]
    spec = seen.spec
    if not isinstance(spec, Spec) or spec.dtype is None or spec.shape is None:
        return None
    return spec.dtype, spec.rank, seen.form

"""`try` recorded as a region: where what is called in it may raise for its values, a program takes one way or
the other as it runs, like an `if`.

A program is traced without it first, as most things in a `try` raise for no values. Where something may, the
program is traced anew, with both ways of that `try`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from ...backends import unions
from ...backends.reading.tape import read_graph
from ...ir.errors import UnsupportedError
from ...ir.graphs.attempts import Fails
from ...ir.graphs.graph import Graph
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import every_node
from ..place import here
from ..proxy import Scalar_
from .catching import Trying

if TYPE_CHECKING:
    from ..tracer import Tracer

#: Where a `try` stands: the file, and the place in it.
Place = tuple[str, str]


class Failing(BaseException):
    """These have to be recorded.

    Attributes:
        places: where they stand.
    """

    def __init__(self, places: Collection[Place]) -> None:
        self.places = places


def fails(tracer: Tracer, types: Callable[[], Any] | None, place: Place) -> Any:
    """Whether a `try` fails: False where it is not to be recorded."""
    tracer.tries.choices.add(place)
    named = Trying(tracer, types, place=place).named
    if place not in tracer.tries.recorded or not all(isinstance(each, type) for each in named):
        return False
    node = tracer.graph.create_node("call_function", Fails(named), ())
    node.spec, node.place = Scalar(bool, local=True), here()
    return Scalar_(tracer, node.spec, node=node)


def find_failing(tracer: Tracer, graph: Graph) -> None:
    """Look for what may raise in a `try` that can be recorded.

    Raises:
        Failing: where there is such a thing.
    """
    open_ = tracer.tries.choices - tracer.tries.recorded
    if not open_:
        return
    refusals: list[UnsupportedError] = []
    program = read_graph(graph, tracer.backend, refusals)
    unions.mark(program)
    risked = [user for number in every_node(program) for user in number.meta.get("risked", ())]
    tries = [*(error.tries for error in refusals), *(user.origin.meta["tried"] for user in risked)]
    places = set().union(*tries)
    if places and places <= open_:
        raise Failing(places)

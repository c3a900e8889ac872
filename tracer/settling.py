"""Settling: numbers that a test of sizes and numbers chose, of which the value is wanted.

`axis = axis + x.ndim if axis < 0 else axis` is recorded as two ways, of which neither is the example's. Where
it says which axis is meant it must be known: the program is traced anew, and the test answered as in the
example and checked.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..ir.errors import UnsupportedError
from ..ir.graphs.graph import Node
from ..ir.graphs.regions import Function, cond
from ..ir.graphs.static import Scalar
from ..ir.values.tree import leaves
from ..ir.worklist import Worklist
from .place import Place
from .proxy import is_array_proxy, isinstance_scalar

if TYPE_CHECKING:
    from .tracer import Tracer

#: Where a test stands: the file, the function, and the instruction in it.
Test = tuple[str, str, int]


@dataclass(slots=True)
class Answers:
    """What is answered as in the example, and checked.

    Attributes:
        tests: where the tests stand of which that is so.
        on: whether it is so of all tests of numbers now.
        beyond: whether the program goes on behind a way on which the example leaves a function.
        left: where the tests stand by which it does, as Python knows.
    """

    tests: frozenset[Test] = frozenset()
    on: bool = False
    beyond: bool = False
    left: set[Test | None] = field(default_factory=set)

    def behind(self) -> set[Test]:
        """The tests behind which the example does not go, and the program has been followed."""
        return {test for test in self.left if test is not None} - self.tests


class Settle(BaseException):
    """These have to be answered as in the example.

    Attributes:
        tests: where they stand.
    """

    def __init__(self, tests: Collection[Test]) -> None:
        self.tests = tests


class Spell(BaseException):
    """A loop has to be written out, item by item: somebody wants what it collected one by one."""


def test_at(place: Place | None) -> Test | None:
    return None if place is None else (place.code.co_filename, place.code.co_qualname, place.offset)


def want(tracer: Tracer, *values: Any) -> None:
    """The values of numbers are wanted that only the running program knows, or which of two arrays it is.

    Raises:
        Settle: where tests that Python knows chose them.
    """
    given = list(leaves(values))
    numbers = [v.node for v in given if isinstance_scalar(v) and v.local]
    settle(tracer, [*numbers, *(v.node for v in given if is_array_proxy(v))])


def settle(tracer: Tracer, numbers: Iterable[Node]) -> None:
    """Raises Settle where tests that Python knows chose these, and are not answered yet."""
    tests = {test_at(node.place) for number in numbers for node in chosen(number)}
    found = {test for test in tests if test is not None} - tracer.answers.tests
    if found:
        raise Settle(found)


def of_one_type(tracer: Tracer, numbers: Iterable[Node]) -> None:
    """The types of numbers are wanted, some of which are ints on one way and floats on another.

    Raises:
        Settle: where tests that Python knows chose them. UnsupportedError: where only the running program
            knows.
    """
    several = [number for number in numbers if isinstance(number.form, tuple)]
    settle(tracer, several)
    if several:
        raise UnsupportedError(
            "the dtype of what is made of a number that is an int on one way and a float on another",
            why="only the running program knows which way it goes",
            span=tracer.span(),
            hint="make it a float on all ways, 0.0 for 0",
        )


def chosen(number: Node) -> Iterator[Node]:
    """The regions in which a number was chosen by a test that Python can answer while tracing."""
    ahead = Worklist([number])
    for node in ahead:
        if "outer" in node.meta:
            ahead.add([node.meta["outer"]])
        elif node.target is operator.getitem and getattr(node.args[0], "target", None) is cond:
            region = node.args[0]
            test, *sides, _ = region.args
            if not isinstance(test, Node) or isinstance(test.spec, Scalar) and not test.spec.local:
                yield region
            elif isinstance(test.spec, Scalar):  # which others chose
                ahead.add([test])
            yields = [side.output_node.args[0] for side in sides if side.output_node.target == "yield"]
            ahead.add(n for given in yields if isinstance(n := given[node.args[1]], Node))
        elif isinstance(node.target, Function):
            ahead.add(n for n in leaves(node.target.graph.output_node.args) if isinstance(n, Node))
            ahead.add(node.all_input_nodes)
        elif isinstance(node.spec, Scalar):
            ahead.add(node.all_input_nodes)

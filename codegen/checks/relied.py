"""Relied: the dtypes and ranks of a function's arguments on which its text depends, since the program asked
for them or since the text was chosen by them.

The entry checks its arguments. What a function that it calls depends on is asked of the arguments of the
entry from which comes what it is given; but for ranks of what comes from many of them, it asks itself.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...ir.graphs import handed
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.leaves import behind, leaves
from ...ir.graphs.regions import Function, Region, is_loop, loop, results
from ...ir.graphs.static import Scalar, key_numbers, number_leaves
from ...ir.graphs.walk import every_node, own_nodes, returned
from ...ir.meaning.op import Op
from ...ir.noting import Noted
from ...ir.ops.indexing import UPDATES
from ...ir.values.spec import Spec
from .ranks import stated

#: Of so many arguments it is asked what rank they have instead of what is computed of them.
FEW = 2


@dataclass(slots=True)
class Relied:
    """What a text depends on, by the paths of a function's arguments.

    Attributes:
        dtypes: those whose dtypes must be those of the example.
        alike: groups of those that must have one dtype, or those of the example.
        ranks, axes: those whose ranks must be the example's, and those that must have axes.
    """

    dtypes: set[str] = field(default_factory=set)
    alike: list[list[Node]] = field(default_factory=list)
    ranks: set[str] = field(default_factory=set)
    axes: set[str] = field(default_factory=set)

    @property
    def all_dtypes(self) -> set[str]:
        return self.dtypes | {str(leaf.meta["path"]) for group in self.alike for leaf in group}


class Reliance:
    """What the functions of one file depend on."""

    def __init__(self, program: Graph, noted: Noted) -> None:
        self.noted = noted
        self.calls: dict[Graph, list[Node]] = {}
        for node in every_node(program):
            if isinstance(node.target, Function):
                self.calls.setdefault(node.target.graph, []).append(node)
        #: The arguments whose dtypes the texts say, by the graph of the function whose they are.
        self.said: dict[Graph, set[str]] = {}
        #: What of it is asked of the callers.
        self.left: dict[Graph, Relied] = {}

    def of(self, graph: Graph, said: Iterable[Node], statements: Sequence[ast.stmt]) -> Relied:
        """What the function of a graph checks itself.

        Args:
            said: the arguments whose dtypes its text says, its own and those of functions around.
            statements: the text.
        """
        home = graph.meta.get("home", graph)
        self.note(said)
        dtypes = self.said.get(home, set())
        made = Relied(
            {*home.meta.get("pinned", ()), *graph.meta.get("pinned", ()), *dtypes, *self.noted.dtypes(graph)},
            list(self.noted.alike(graph)),
            home.meta.get("ranks", set()) | self.noted.ranks(graph),
            home.meta.get("axes", set()) | self.noted.axes(graph),
        )
        for call in own_nodes(graph):
            if isinstance(call.target, Function) and call.target.graph in self.left:
                self.take_over(made, call, home)
        told = {path for path, _ in stated(statements)}
        made.ranks -= told
        unknown = {path for path, leaf in leaves(home).items() if leaf.spec.rank is None}
        made.axes -= told | (made.ranks - unknown)  # of which nothing is said without an example
        if graph.meta.get("entry"):
            return made
        return self.split(graph, made)

    def note(self, said: Iterable[Node]) -> None:
        """Note arguments whose dtypes a text says."""
        for leaf in said:
            self.said.setdefault(leaf.graph, set()).add(leaf.meta["path"])

    def take_over(self, made: Relied, call: Node, home: Graph) -> None:
        """What a function that is called leaves to its caller."""
        known = self.left[call.target.graph]
        for mine, theirs in ((made.ranks, known.ranks), (made.axes, known.axes)):
            for path in theirs:
                if not self.is_certain(call, path):
                    mine |= {leaf.meta["path"] for leaf in self.behind(call, path) if leaf.graph is home}
        for path in known.all_dtypes:
            for leaf in self.behind(call, path):
                if leaf.graph is home:
                    made.dtypes.add(leaf.meta["path"])
                else:  # of a function around
                    self.said.setdefault(leaf.graph, set()).add(leaf.meta["path"])

    def behind(self, call: Node, path: str, calls: list[Node] | None = None) -> set[Node]:
        """The caller's arguments from which comes what a function says a path for; `calls`: see leaves.py."""
        if call.origin is None:
            return set(leaves(call.graph).values())
        return behind(handed.given(call.origin, path), calls)

    def is_certain(self, call: Node, path: str) -> bool:
        """Whether what a function says a path for has its rank whatever the arguments of its caller are."""
        given = [*handed.given(call, path)]
        return bool(given) and all(map(has_rank, given))

    def is_of_few(self, call: Node, path: str) -> bool:
        """Whether what a function says a path for comes from few arguments of its caller, and of no other;
        nor by a number in a key, for which a slice might be given.
        """
        home = call.graph.meta.get("home", call.graph)
        if self.is_certain(call, path):
            return True
        calls: list[Node] = []
        found = self.behind(call, path, calls)
        keyed = any(True for number in key_numbers(calls) for _ in number_leaves(number))
        return len(found) <= FEW and not keyed and all(leaf.graph is home for leaf in found)

    def split(self, graph: Graph, made: Relied) -> Relied:
        """What a function that is called checks itself; the rest is left to its callers."""
        calls = self.calls.get(graph, ())
        asked = made.ranks | made.axes
        few = {path for path in asked if all(self.is_of_few(call, path) for call in calls)}
        self.left[graph] = Relied(made.dtypes, made.alike, made.ranks & few, made.axes & few)
        return Relied(ranks=made.ranks - few, axes=made.axes - few)



def has_rank(value: Any) -> bool:
    """Whether a value of a Program's has the rank that it has whatever the arguments are: it is made in a
    shape that is written out, or of such.
    """
    others: set[Node] = set()
    while True:
        known = len(others)
        answer = keeps_rank(value, set(), others)
        if not answer or len(others) == known:
            return answer


def keeps_rank(value: Any, met: set[Node], others: set[Node]) -> bool:
    """The same once more.

    Args:
        met: of what that is asked already, or taken for granted: a loop hands on what it was given.
        others: of what that is known not to be so, which grows.
    """
    if not isinstance(value, Node) or value in others:
        return False
    if value in met:
        return True
    met.add(value)
    if not (found := is_made_in_rank(value, met, others)):
        others.add(value)
    return found


def is_made_in_rank(value: Node, met: set[Node], others: set[Node]) -> bool:
    made, target = value.args[0] if value.args else None, value.target
    if isinstance(target, Op):
        shape = value.kwargs.get("shape")
        arrays = [each for each in value.all_input_nodes if isinstance(each.spec, Spec)]
        if shape is not None:
            return isinstance(shape, tuple) and all(map(is_size, shape))
        if target in UPDATES:
            return keeps_rank(made, met, others)
        if target.variadic is not None:  # it would fail for one of another rank
            return any(keeps_rank(each, met, others) for each in arrays)
        elementwise = bool(arrays) and bool(target.elementwise)
        return elementwise and all(keeps_rank(each, met, others) for each in arrays)
    if isinstance(target, Function):
        return all(keeps_rank(way, met, others) for way in returned(target.graph))
    if target is not operator.getitem or not isinstance(made, Node) or not isinstance(made.spec, tuple):
        return False
    number = value.args[1]
    if isinstance(made.target, Function):
        given = [*returned(made.target.graph)]
        ways = [each[number] if isinstance(each, (tuple, list)) else None for each in given]
    elif isinstance(made.target, Region):
        ways = [*results(made, number)]
        met.update(loop(made).carried[number : number + 1] if is_loop(made) else ())
    else:
        return False
    return bool(ways) and all(keeps_rank(way, met, others) for way in ways)


def is_size(value: Any) -> bool:
    known = value.spec.type if isinstance(value, Node) and isinstance(value.spec, Scalar) else type(value)
    return known is int

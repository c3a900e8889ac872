"""Noting: what a text depends on, collected while it is made: ranks, dtypes and types of its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .graphs.graph import Graph, Node
from .graphs.leaves import behind
from .meaning.op import Op
from .meaning.results import has_one_rank
from .values.spec import Spec
from .worklist import Worklist


@dataclass
class Noted:
    """The calls on the tape for which a text was decided by the ranks of their values.

    Attributes:
        translates: whether source and target are two frameworks, which may promote by different rules.
        lines: the arguments of which it was decided that they have axes.
        together: calls whose text gives another dtype where arguments are of several.
        exactly: those whose text does where they are of others than in the example.
        numbers: numbers of Python's whose text depends on their type.
        flagless: those of which it takes that they are no flags.
        between: those that must lie between two ends, the least and the most.

    What checks are written of in the order in which it was noted is a dict: a set of nodes has none.
    """

    translates: bool = True
    calls: set[Node] = field(default_factory=set)
    lines: set[Node] = field(default_factory=set)
    together: dict[Node, None] = field(default_factory=dict)
    exactly: set[Node] = field(default_factory=set)
    numbers: dict[Node, None] = field(default_factory=dict)
    flagless: set[Node] = field(default_factory=set)
    between: dict[Node, tuple[float, float]] = field(default_factory=dict)
    #: The values of a Program of which it is known already by whose ranks they have theirs.
    walked: set[Node] = field(default_factory=set)

    def by_rank(self, values: Iterable[Node]) -> None:
        """Note by what these have their ranks: not by what is reduced to one number, whatever its rank is."""
        ahead = Worklist(values)
        for node in ahead:
            if node in self.walked:
                continue
            self.walked.add(node)
            if not isinstance(node.target, Op):
                self.calls.add(node.origin or node)
            elif not has_one_rank(node.target, node.kwargs):
                ahead.add(node.all_input_nodes)

    def ranks(self, graph: Graph) -> set[str]:
        """The arguments of the function of a graph whose ranks have to do with it."""
        home = graph.meta.get("home", graph)
        return {leaf.meta["path"] for leaf in behind(self.calls) if leaf.graph is home}

    def alike(self, graph: Graph) -> Iterator[list[Node]]:
        """Those that must have the dtypes of the example, if they had several, or else one."""
        home = graph.meta.get("home", graph)
        for call in self.together:
            found = [leaf for leaf in behind(call.all_input_nodes) if leaf.graph is home]
            yield sorted(found, key=lambda leaf: str(leaf.meta["path"]))

    def dtypes(self, graph: Graph) -> set[str]:
        """Those that must have the dtypes of the example."""
        home = graph.meta.get("home", graph)
        found = behind(operand for call in self.exactly for operand in call.all_input_nodes)
        return {leaf.meta["path"] for leaf in found if leaf.graph is home}

    def axes(self, graph: Graph) -> set[str]:
        """Those that must have axes."""
        home = graph.meta.get("home", graph)
        return {leaf.meta["path"] for leaf in self.lines if leaf.graph is home}


_noting: list[Noted] = []


@contextmanager
def noting(noted: Noted) -> Iterator[Noted]:
    """What is read, lowered and written inside notes the ranks that decide it."""
    _noting.append(noted)
    try:
        yield noted
    finally:
        _noting.pop()


def by_rank(*values: object, typing: bool = False) -> None:
    """What is made now would be another thing if one of these values of a Program had another rank.

    Args:
        typing: whether only dtypes would, by the rules of source or target.
    """
    if _noting and (_noting[-1].translates or not typing):
        _noting[-1].by_rank(value for value in values if isinstance(value, Node))


def note_line(leaf: Node) -> None:
    """What is made now takes it that an argument has axes."""
    if _noting:
        _noting[-1].lines.add(leaf)


def note_together(node: Node) -> None:
    """What is written now for a node of a Program has another dtype where its operands have several."""
    if _noting and node.origin is not None:
        _noting[-1].together[node.origin] = None


def note_dtypes(node: Node) -> None:
    """Likewise where they are of other dtypes than in the example."""
    if _noting and node.origin is not None:
        _noting[-1].exactly.add(node.origin)


def note_type(number: object) -> None:
    """What is made now would be another thing if a number on the tape had another type."""
    if _noting and isinstance(number, Node) and not isinstance(number.spec, Spec):
        _noting[-1].numbers[number] = None


def note_no_flag(number: object) -> None:
    """What is made now would be another thing if a number on the tape was True or False."""
    if _noting and isinstance(number, Node) and not isinstance(number.spec, Spec):
        _noting[-1].flagless.add(number)


def note_between(number: Node, ends: tuple[float, float]) -> None:
    """What is made now would be wrong if a number among the arguments did not lie between these ends."""
    if _noting:
        _noting[-1].between[number.origin or number] = ends


def is_noting(*, typing: bool = False) -> bool:
    return bool(_noting) and (_noting[-1].translates or not typing)

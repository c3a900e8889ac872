"""Leaves: the arrays among a function's arguments, and what is computed from which of them.

What depends on the dtype of a value depends on the dtypes of the leaves behind it. They are then pinned: the
emitted function checks them. So it is with ranks: what the program asks is noted here for good, what a text
depends on in what `noting` collects while that text is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .dtypes import bool_
from .graph import Graph, Node
from .op import Op
from .results import has_one_rank
from .spec import Spec
from .worklist import Worklist

#: What the kind of an argument is called that is an array, or a number of NumPy's.
ARRAY, NUMBER = "array", "NumPy number"
#: That of one of which is only known that it is not None.
GIVEN = "given"
#: That there is a list or a tuple.
SEQUENCE = "(list, tuple)"
#: That of one of which is only known that it is no list or tuple.
NO_LIST = "no list"
#: What stands before the name of a class that an argument is of itself, not of one derived from it.
ITSELF = "="


def note(node: Node, path: str) -> None:
    """`node` is an array among the arguments of its graph's function, which says `path` for it."""
    node.meta["path"] = path
    node.graph.meta.setdefault("leaves", {})[path] = node
    for asked in ("pinned", "parts", "places", "ranks", "axes", "listless"):
        node.graph.meta.setdefault(asked, set())


def note_container(node: Node, path: str, *, record: bool) -> None:
    """`node` is a container among the arguments of its graph's function, which says `path` for it."""
    node.meta["within"] = f"{path}." if record else f"{path}["


def leaves(graph: Graph) -> dict[str, Node]:
    """All arrays among the arguments of the function that a graph belongs to, by path."""
    found: dict[str, Node] = graph.meta.get("home", graph).meta.get("leaves", {})
    return found


def behind(nodes: Iterable[Node], calls: list[Node] | None = None) -> set[Node]:
    """The leaves that these values are computed from: all of them, where a loop hands values on.

    Args:
        calls: takes the nodes by which they are.
    """
    found: set[Node] = set()
    ahead = Worklist(nodes)
    for node in ahead:
        if "outer" in node.meta:
            ahead.add([node.meta["outer"]])
        elif "any of" in node.meta:
            ahead.add(node.meta["any of"])
        elif "row of" in node.meta:
            ahead.add([node.meta["row of"]])
        elif "path" in node.meta:
            found.add(node)
        elif "within" in node.meta:
            within = node.meta["within"]
            found |= {leaf for path, leaf in leaves(node.graph).items() if path.startswith(within)}
        elif node.op == "placeholder":
            found |= set(leaves(node.graph).values())
            if isinstance(first := node.meta.get("first"), Node):  # of a loop: in the calls behind it
                ahead.add([first])
        else:
            ahead.add(node.all_input_nodes)
            if calls is not None:
                calls.append(node)
    return found


def pin_arrays(nodes: Iterable[Node]) -> None:
    """The program depends on the dtypes of these values, as far as arrays decide; see static.pin."""
    for leaf in behind(nodes):
        leaf.graph.meta["pinned"].add(leaf.meta["path"])


def is_pinned(nodes: Iterable[Node]) -> bool:
    """Whether the program depends on the dtype of an array that these values are computed from."""
    return any(leaf.meta["path"] in leaf.graph.meta["pinned"] for leaf in behind(nodes))


def pin_flags(nodes: Iterable[Node]) -> None:
    """The program depends on it that these values are bools: so is what they are computed from."""
    for leaf in behind(nodes):
        if leaf.spec.dtype == bool_:
            leaf.graph.meta["pinned"].add(leaf.meta["path"])


def pin_parts(nodes: Iterable[Node]) -> None:
    """The program depends on it whether these values are complex: so they are, or are not, if what they are
    computed from stays as it is in that.
    """
    for node in nodes:
        for leaf in behind([node]):
            if is_complex(leaf) == is_complex(node):
                leaf.graph.meta["parts"].add(leaf.meta["path"])


def is_complex(node: Node) -> bool:
    dtype = node.spec.dtype if isinstance(node.spec, Spec) else None
    return dtype is not None and dtype.kind == "complex"


def pin_places(nodes: Iterable[Node]) -> None:
    """The program depends on it that these values are no bools: `x[i]` is a view at a number, and a copy at a
    mask.
    """
    for leaf in behind(nodes):
        leaf.graph.meta["places"].add(leaf.meta["path"])


def pin_axes(nodes: Iterable[Node]) -> None:
    """The program depends on it that these values have axes at all."""
    for leaf in behind(nodes):
        if leaf.spec.rank:
            leaf.graph.meta["axes"].add(leaf.meta["path"])


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
    """

    translates: bool = True
    calls: set[Node] = field(default_factory=set)
    lines: set[Node] = field(default_factory=set)
    together: set[Node] = field(default_factory=set)
    exactly: set[Node] = field(default_factory=set)
    numbers: set[Node] = field(default_factory=set)
    flagless: set[Node] = field(default_factory=set)
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
        _noting[-1].together.add(node.origin)


def note_dtypes(node: Node) -> None:
    """Likewise where they are of other dtypes than in the example."""
    if _noting and node.origin is not None:
        _noting[-1].exactly.add(node.origin)


def note_type(number: object) -> None:
    """What is made now would be another thing if a number on the tape had another type."""
    if _noting and isinstance(number, Node) and not isinstance(number.spec, Spec):
        _noting[-1].numbers.add(number)


def note_no_flag(number: object) -> None:
    """What is made now would be another thing if a number on the tape was True or False."""
    if _noting and isinstance(number, Node) and not isinstance(number.spec, Spec):
        _noting[-1].flagless.add(number)


def is_noting(*, typing: bool = False) -> bool:
    return bool(_noting) and (_noting[-1].translates or not typing)

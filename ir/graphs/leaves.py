"""Leaves: the arrays among a function's arguments, and what is computed from which of them.

What depends on the dtype of a value depends on the dtypes of the leaves behind it. They are then pinned: the
emitted function checks them. So it is with ranks. What the program asks is noted here for good; for what a
text depends on see noting.py.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..values.dtypes import bool_
from ..values.spec import Spec
from ..worklist import Worklist
from .graph import Graph, Node

#: What the kind of an argument is called that is an array, or a number of NumPy's.
ARRAY, NUMBER = "array", "NumPy number"
#: That of one of which is only known that it is not None.
GIVEN = "given"
#: That there is a list or a tuple.
SEQUENCE = "(list, tuple)"
#: That of one of which is only known that it is no list, tuple or number.
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
        if leaf.spec.rank != 0:
            leaf.graph.meta["axes"].add(leaf.meta["path"])

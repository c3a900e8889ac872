"""What cannot be exported, refused by the user's own line: who exports says it late, of the emitted text."""

from __future__ import annotations

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function, graphs, store, while_loop
from ...ir.graphs.static import Scalar
from ...ir.meaning.op import REGISTER
from ...ir.source.printing import print_
from ...ir.values.spec import Spec
from ..backend import Backend

#: Numbers that loops count by, each with the loop.
Counts = dict[Node, Node]


def exportable(
    graph: Graph,
    target: Backend,
    counts: Counts | None = None,
    *,
    compiled: bool = False,
    met: set[Graph] | None = None,
) -> None:
    """Refuse writes at indices that are arrays without axes, and of a compiled region what there is no way
    for: to store in arguments, to print, and to read the numbers of several loops around it.

    Args:
        met: the functions that were looked at.

    Raises:
        UnsupportedError: where one is found.
    """
    met = set() if met is None else met
    for node in graph.nodes:
        if compiled:
            valued(node, target)
        if node.target is REGISTER["update"] and any(map(is_number, node.args[2:])):
            raise UnsupportedError(
                "writing at an index that an array gives",
                backend=target.name,
                why="an export cannot write at an array without axes",
                span=node.span,
                hint=f"x[i[:1]] = value, with an index that has an axis; or {target.functions[0]}.where",
            )
        if compiled and node.target is REGISTER["update"] and counts_among_others(node.kwargs["key"]):
            raise UnsupportedError(
                "writing at a number that a loop counts, beside other indices",
                backend=target.name,
                why="an export takes such a number alone: x[i], but not x[:, i]",
                span=node.span,
                hint="write into a transposed copy, or the whole row: x[i] = ...",
            )
        mine = bool(node.meta.get("compiled"))
        for inner in graphs(node):
            found = counted(node, inner, counts or {}, target)
            if inner not in met or found:
                met |= {inner} if isinstance(node.target, Function) else set()
                exportable(inner, target, found, compiled=compiled or mine, met=met)


def valued(node: Node, target: Backend) -> None:
    """Refuse what gives no value, but does something."""
    functions = said(target)
    if node.target is print_:
        raise UnsupportedError(
            "print in an exported branch or loop",
            backend=target.name,
            why=f"{functions} cannot print",
            span=node.span,
            hint='print before or after it; or ask for control="python"',
        )
    if node.target is store:
        raise UnsupportedError(
            f"writing into the argument {node.args[0].name}",
            backend=target.name,
            why=f"{functions} cannot write into what they are given",
            span=node.args[1].span,
            hint="write into a copy and return it",
        )


def said(target: Backend) -> str:
    """The functions that take branches and turns, in a sentence."""
    named = target.regions.functions
    return f"{named['cond']} and {named['while_loop']}"


def counted(node: Node, graph: Graph, outer: Counts, target: Backend) -> Counts:
    """The numbers that loops count by, as a graph of a region has them."""
    given = node.args if isinstance(node.target, Function) else node.args[3]
    inside = graph.placeholders[-len(given) :] if given else []
    found = {p: outer[v] for p, v in zip(inside, given) if v in outer and p.users}
    if node.meta.get("compiled") and len(set(found.values())) > 1:
        raise UnsupportedError(
            "a branch or loop that reads the numbers of several loops around it",
            backend=target.name,
            why=f"the functions that {said(target)} take have those of one loop",
            span=node.span,
            hint="compute what needs both before it: `k = i * n + j`, or `value = x[i, j]`",
        )
    if node.target is while_loop and node.meta.get("compiled"):
        state = graph.placeholders[: len(graph.placeholders) - len(given)]
        found |= {p: node for p in state if isinstance(p.spec, Scalar)}
    return found


def counts_among_others(key: tuple[object, ...]) -> bool:
    """Whether a number that only the running program knows is one of several entries of a key."""
    return len(key) > 1 and any(isinstance(k, Node) and isinstance(k.spec, Scalar) for k in key)


def is_number(index: object) -> bool:
    """Whether an index is an array without axes."""
    return isinstance(index, Node) and isinstance(index.spec, Spec) and index.spec.shape == ()

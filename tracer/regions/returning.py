"""Returning: what a helper gives that returns in several places, as who called it knows it.

It is as exact as all ways allow, like a variable that ways bind (join.py): a number that is another
on another way is known only when the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...backends.reading.inference import Seen
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import asked, cond, graphs
from ...ir.graphs.static import decided
from ...ir.graphs.walk import own_graphs, own_nodes
from ...ir.values.spec import Spec
from ...ir.values.tree import children, leaves, rebuilt
from ..objects.reach import reachable
from ..values.gathering import is_effect
from .join import NUMBERS, Different, joined

if TYPE_CHECKING:
    from ..tracer import Tracer


class OneOfSeveral(UnsupportedError):
    """What a function, traced into `graph`, returns is no one kind of thing."""

    graph: Graph


def seen_on_all_ways(tracer: Tracer, graph: Graph, seen: Any) -> Any:
    """What is known of the result of a function, given what is known of what it returns at its end.

    Raises:
        OneOfSeveral: where it is another kind of thing on another way.
    """
    for output in early(graph):
        try:
            seen = one_of(tracer, graph.name, [seen, known(tracer, output.args[0])])
        except Different as either:
            refused = OneOfSeveral(
                f"what {graph.name} returns",
                why=f"it is {either}, and its caller must know which",
                span=output.span,
                hint="return the same kind of thing, of the same shape and dtype, on every way",
            )
            refused.graph = graph
            raise refused from None
    return seen


def known_outside(reach: Any, values: Sequence[Any]) -> list[Any]:
    """The containers among the results of a function that returns in several places which its caller knows
    by another name: it has them, and not what stands for the result.
    """
    if len(values) < 2:
        return []
    return [c for _, c in reachable([("result", v) for v in values]) if id(c) in reach.held]


def early(graph: Graph) -> Iterator[Node]:
    """Where a function returns before its end."""
    outputs = (inner.output_node for inner in own_graphs(graph) if inner is not graph)
    return (output for output in outputs if output.target == "return")


def deciding(graph: Graph) -> Iterator[Node]:
    """What Python knows that decides whether a function returns before its end."""
    for node in own_nodes(graph):
        if node.target is cond and isinstance(node.args[0], Node) and decided(node.args[0]):
            if any(map(returns, graphs(node))):
                yield node.args[0]


def returns(graph: Graph) -> bool:
    return graph.output_node.target == "return" or any(early(graph))


def known(tracer: Tracer, value: Any) -> Any:
    """What is known of what is returned, in the containers in which it is."""
    if isinstance(value, Node):
        if isinstance(value.spec, dict):
            return {key: known_spec(spec) for key, spec in value.spec.items()}
        return tracer.seen(value)[0]
    items = children(value)
    return value if items is None else rebuilt(value, {key: known(tracer, item) for key, item in items})


def known_spec(spec: Any) -> Any:
    return {key: known_spec(item) for key, item in spec.items()} if isinstance(spec, dict) else Seen(spec)


def one_of(tracer: Tracer, name: str, ways: Sequence[Any]) -> Any:
    """What several are in common."""
    first, other = ways
    mine, theirs = children(first), children(other)
    if isinstance(first, Seen) or isinstance(other, Seen) or mine is None or theirs is None:
        return leaf(tracer, name, first, other)
    if type(first) is not type(other) or [k for k, _ in mine] != [k for k, _ in theirs]:
        raise Different(f"{told(first)} or {told(other)}")
    items = dict(theirs)
    return rebuilt(first, {key: one_of(tracer, name, [item, items[key]]) for key, item in mine})


def leaf(tracer: Tracer, name: str, first: Any, other: Any) -> Any:
    if type(first) is type(other) and not isinstance(first, Seen) and repr(first) == repr(other):
        return first
    if isinstance(first, Seen) and first == other:
        return first
    if not all(isinstance(v, (Seen, *NUMBERS)) for v in (first, other)):
        raise Different(f"{told(first)} or {told(other)}")
    return joined(tracer, name, [first, other])


def is_answer(graph: Graph, nodes: Any, writes: bool) -> bool:
    """Whether a function does nothing but ask, and gives Python's answer: what it asked is best checked where
    that is made something of.
    """
    recorded = any(isinstance(leaf, Node) for leaf in leaves(nodes)) or writes
    acts = any(node.op != "placeholder" and is_effect(node) for node in graph.nodes)
    return asked(graph) and not recorded and not acts


def because(outside: bool, lists: bool, changed: Sequence[Any], shapes: bool = False) -> str:
    """Why a function has no Graph of its own."""
    if outside:
        return "it also writes into arrays of its caller"
    if changed:
        return f"it also changes `{changed[0].name}` of its caller"
    if shapes:
        return "it also returns the shape of an array"
    return "it also returns a list that a loop appends to" if lists else "it also returns an object"


def told(value: Any) -> str:
    """What one way gives, in words."""
    if isinstance(value, Seen):
        return "an array" if isinstance(value.spec, Spec) else f"a number of type {value.spec}"
    items = children(value)
    return repr(value) if items is None else f"a {type(value).__name__} of {len(items)}"

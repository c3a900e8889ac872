"""Fitting: what a size that was asked for has to do with besides the sizes that it is computed from.

Of two sizes that are equal in the example, and broadcast with each other, inference takes the first for that
of the result, which would be the second if the first were 1. And the size of an array that was computed, or
the number of elements of any, would be another one if ranks were. The text reads sizes off the array itself,
and is right for all arguments; but what Python, or the text, decides by such a size was decided by that of
the example, and holds as long as both sizes are equal, and ranks what they are.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..sizes.dim import Dim, Sym
from ..values.spec import Spec
from ..worklist import reached
from .graph import Graph, Node
from .leaves import pin_arrays
from .static import pin_rank

#: Two sizes, and the names that these are computed from.
Pairs = dict[tuple[Any, Any], frozenset[str]]


def pairs(graph: Graph) -> Pairs:
    """The sizes that broadcast with each other in a function so far."""
    found: Pairs = graph.meta.get("home", graph).meta.setdefault("fitted", {})
    return found


def fitted(graph: Graph, sizes: Iterable[Dim | None]) -> Iterator[tuple[Dim, Dim]]:
    """Those of them that have to do with these sizes of arrays that were computed."""
    names = {name for size in sizes if isinstance(size, Sym) for name in size.atoms}
    for pair, found in list(pairs(graph).items()):
        if names & found:
            yield pair


def note(graph: Graph, left: Dim, right: Dim) -> None:
    """Two sizes broadcast with each other."""
    if (left, right) not in pairs(graph) and isinstance(difference := left - right, Sym):
        pairs(graph)[left, right] = difference.atoms


def beside(graph: Graph, size: Sym) -> Iterator[tuple[Dim, Dim]]:
    """Those that have to be equal besides, where what a size is does not say what that is of which it is
    computed.
    """
    first = min(size.atoms, default="")
    slope, rest = size.linear_in(first) or (0, size)
    told = isinstance(slope, int) and slope != 0 and isinstance(rest, int)
    return iter(()) if told else fitted(graph, [size])


def cancelled(sizes: Iterable[Any], result: Any) -> bool:
    """Whether a size that was computed of others depends on less than they do, so that it says no more of
    what.
    """
    if type(result) is not int and not isinstance(result, Sym):
        return False
    left = result.atoms if isinstance(result, Sym) else frozenset()
    return any(isinstance(size, Sym) and not size.atoms <= left for size in sizes)


def asked(graph: Graph, size: Any, arrays: Iterable[Node]) -> None:
    """A size was asked for that would be another one if the ranks of these arrays were."""
    if isinstance(size, Sym):
        found = graph.meta.get("home", graph).meta.setdefault("sizes asked", {})
        found.setdefault(size, {}).update(dict.fromkeys(arrays))


def rely(graph: Graph, size: Any) -> None:
    """The program depends on what a size is: the ranks of the arrays that have to do with it are checked."""
    if not isinstance(size, Sym):
        return
    for other, arrays in graph.meta.get("home", graph).meta.get("sizes asked", {}).items():
        if other.atoms & size.atoms:
            settle(arrays)


def settle(arrays: Iterable[Node]) -> None:
    """The program depends on the sizes of these arrays: the ranks behind them are checked, and that what
    picks elements in them is no mask.
    """
    arrays = set(arrays)
    pin_rank(arrays)
    for node in reached(arrays, lambda node: node.all_input_nodes):
        if node.target is operator.getitem:
            pin_arrays(key for key in node.all_input_nodes[1:] if is_index(key))


def is_index(node: Node) -> bool:
    dtype = node.spec.dtype if isinstance(node.spec, Spec) else None
    return dtype is not None and dtype.is_integer


def take_over(graph: Graph, inner: Graph, env: Mapping[str, Any], operands: Iterable[Any]) -> None:
    """What is known of the sizes in a function that is called, as the caller says them."""
    for pair in pairs(inner):
        left, right = (dim.evaluate(env) if isinstance(dim, Sym) else dim for dim in pair)
        note(graph, left, right)
    given = [operand for operand in operands if isinstance(operand, Node)]
    for size in list(inner.meta.get("sizes asked", ())):
        asked(graph, size.evaluate(env), given)

"""What Python must know to write a compiled region: sizes, and what arrays cannot be computed with.

Where it is a number that a loop computes, the loop stays Python's own, which unrolls it: see binding_time.py.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterator
from typing import Any

from ....ir.graphs.graph import Graph, Node, map_arg
from ....ir.graphs.regions import Effect, Function, Region, for_loop, graphs, loop, through_list
from ....ir.graphs.static import TAKING, Scalar
from ....ir.meaning.op import REGISTER, Op, inexact
from ....ir.meaning.operators import BINARY, COMPARING, FUNCTIONS, UNARY
from ....ir.meaning.results import over
from ....ir.values.dtypes import DType
from ....ir.values.spec import Spec
from .exits import ways
from .slices import lengths, noted, slices

#: How the lengths of slices are found, by axis.
Lengths = Callable[[Node], dict[int, Any]]

#: Plain Python on numbers, as ops on arrays.
OPS: dict[Any, str] = {each.function: each.op for each in (*BINARY[:7], *COMPARING, UNARY[0])} | FUNCTIONS


def op_of(node: Node) -> str | None:
    """The op that computes with arrays what Python computes with numbers. Functions of math that give floats
    are called as their ops are.
    """
    fn = node.target
    if getattr(fn, "__module__", "") == "math" and fn not in OPS:
        op = REGISTER.get(fn.__name__)
        fits = op is not None and op.rules[0] == inexact and len(op.arrays) == len(node.args)
        return fn.__name__ if fits else None
    return OPS.get(fn)


#: What else arrays may take the place of numbers in.
TYPES = (*TAKING, operator.getitem, getattr)


def nodes_in(value: Any) -> list[Node]:
    found: list[Node] = []
    map_arg(value, lambda n: found.append(n) or n)  # type: ignore[func-returns-value]
    return found


def must_be_known(node: Node, name: str, lengths: Lengths = noted) -> list[Node]:
    """What an op's parameter is computed from, as far as Python must know it: the bounds of a slice where not
    at least its length is known.
    """
    value = node.kwargs[name]
    if name not in node.target.dynamic:
        return nodes_in(value)
    if name != "key":
        return []
    if node.args[0].spec.rank is None:
        return [n for k in value if isinstance(k, slice) for n in nodes_in(k)]
    known = lengths(node)
    return [n for axis, k in slices(node).items() if axis not in known for n in nodes_in(k)]


def asked(node: Node, lengths: Lengths) -> list[Node]:
    """The numbers given to a call that no array can stand for; and how often a loop through a list turns."""
    if node.target is for_loop and through_list(node):
        return nodes_in([source for source in loop(node).sources if isinstance(source, tuple)])
    if isinstance(node.target, Op) and not node.target.static:
        return [n for name in node.kwargs for n in must_be_known(node, name, lengths)]
    computes = node.op == "call_function" and isinstance(node.spec, Scalar)
    if not computes or isinstance(node.target, (Region, Function, Effect)):
        return []
    if op_of(node) is not None or node.target in TYPES:
        return []
    return [n for n in nodes_in(node.args) if isinstance(n.spec, Scalar)]


def asking(graph: Graph, lengths: Lengths = noted) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """The numbers in a graph, and in those of its regions and functions, that Python must know, each with the
    regions around where it must.
    """
    met: set[tuple[Graph, tuple[Node, ...]]] = set()

    def visit(one: Graph, around: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
        met.add((one, around))
        for node in one.nodes:
            yield from ((number, around) for number in asked(node, lengths))
            outer = (*around, node) if isinstance(node.target, Region) else around
            for inner in graphs(node):
                if (inner, outer) not in met:
                    yield from visit(inner, outer)

    return visit(graph, ())


#: So many turns of a `for` are few: what compiles it writes them out.
SHORT = 8


def is_short(node: Node) -> bool:
    """Whether a loop counts to a number that the program says, is soon there, and is not left before."""
    called = (node.stands_for or node).meta.get("kind") == "call"
    if node.target is not for_loop or called or next(ways(loop(node).body), None) is not None:
        return False
    counts = [source for source in loop(node).sources if isinstance(source, tuple)]
    return any(all(type(v) is int for v in count) and len(range(*count)) <= SHORT for count in counts)


def may_stay(node: Node) -> bool:
    """Whether a loop's turns ask Python for numbers that only a turn knows, so that it may stay Python's."""
    return any(number.spec.local for g in graphs(node) for number, _ in asking(g, lengths=lengths))


def dtype_beside(node: Node, number: Node, numbers: Container[Node]) -> DType | None:
    """The dtype that what was a number takes in an op: that of the arrays with which it is computed, or of
    the result where there are none. A condition, or an index, has no say in it, and is what it is itself.
    """
    typed = over(node.target, node.target.rules[0], node.args) if isinstance(node.target, Op) else node.args
    arrays = [a for a in typed if isinstance(a, Node) and isinstance(a.spec, Spec)]
    others = [a.spec.dtype for a in arrays if a not in numbers]
    if isinstance(node.spec, Spec) and node.spec.dtype is not None and node.spec.dtype.kind != "bool":
        others.append(node.spec.dtype)
    return others[0] if others and number in arrays else number.spec.dtype  # type: ignore[no-any-return]

"""Jitting: what jax.jit must be told of an emitted function, and which functions it cannot take.

JAX traces arrays, and numbers that are mere operands. What decides a shape, a path or a check must be known
when it compiles: a parameter of its own is a static one, but beside an array in one container nothing can be.
Such a function stays as it is and runs call by call, with the same numbers.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from typing import Any

from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function, Region, for_loop, graphs, is_loop, loop
from ..ir.graphs.static import Scalar
from ..ir.graphs.walk import every_graph
from ..ir.meaning.op import Op
from ..ir.noting import Noted
from ..ir.sizes.dim import Sym
from ..ir.values.listing import is_list
from ..ir.values.spec import Spec
from ..ir.values.tree import children, is_record, leaves
from ..ir.worklist import reached
from .checks.reaching import Onward, between, kinds_asked, onward, typed
from .text.unparsing import unparsed
from .text.walking import walked

#: The types of numbers.
KINDS = frozenset({"bool", "int", "float", "complex"})


@dataclass(frozen=True, slots=True)
class Known:
    """What was found out about a program.

    Attributes:
        sizes: of the graphs that were looked at, see `sizes`.
        borders: where its values go, see checks/reaching.py.
        noted: what was noted while its text was made.
    """

    sizes: dict[Graph, set[str]]
    borders: Onward
    noted: Noted | None


def static_argnames(
    program: Graph, examples: Any = (), *, numbers: bool = True
) -> tuple[str, ...] | None:
    """The parameters that JAX must know when it compiles; None where the function cannot be jitted.

    Args:
        examples: the arguments that it was traced with.
        numbers: whether it is called with ints of Python's, as the entry is, so that one that is static costs
            nothing; what calls another function may have computed them of arrays.
    """
    names = []
    known = Known({}, onward(program), program.meta.get("noted"))
    if program.meta.get("held"):
        return None  # JAX compiles once for an object, whatever becomes of what it holds
    for path, value in program.meta.get("static", {}).items():
        if type(value) in (slice, range):
            return None  # JAX takes no slice for a static argument, and one range for another that is equal
        if not any(leaf is not None for leaf in leaves(value)):
            continue  # JAX hands on what holds nothing, and an array in its place fails in our own check
        if not path.isidentifier() or not hashable(value):
            return None
        if isinstance(value, tuple) and any(isinstance(leaf, bool) for leaf in leaves(value)):
            return None  # JAX takes (1, 0) for (True, False), and what it has compiled for that
        names.append(path)
    checked = [kinds_asked(graph, known.noted) for graph in every_graph(program)]
    if any(kind in KINDS and not path.isidentifier() for asked in checked for path, kind in asked.items()):
        return None
    for node in program.placeholders:
        if isinstance(node.spec, Scalar):
            if numbers and node.spec.type is int or not mere_operand(node, known):
                names.append(node.target)
        elif decides(node, known):
            return None
    if foreign(examples) or any(map(closed, program.nodes)) or not arrays_only(program.output_node.args[0]):
        return None
    return tuple(names)


def hashable(value: Any) -> bool:
    """Whether JAX can tell a static argument from another: a tuple may hold a set."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def decides(container: Node, known: Known) -> bool:
    """Whether a number in a container is more than an operand, here or in a function that is handed it."""

    def inside(each: Node) -> Iterator[Node]:
        yield from entered(each)
        yield from (part for part in parts_of(each) if not isinstance(part.spec, (Scalar, Spec)))

    for each in reached([] if isinstance(container.spec, Spec) else [container], inside):
        numbers = (part for part in parts_of(each) if isinstance(part.spec, Scalar))
        if atoms(each.spec) & sizes(each.graph, known) or not all(mere_operand(n, known) for n in numbers):
            return True
    return False


def parts_of(container: Node) -> Iterator[Node]:
    """What is taken out of a container."""
    return (user for user in container.users if user.target in (operator.getitem, getattr))


def entered(value: Node) -> Iterator[Node]:
    """What a value is in the regions and functions that it is handed to."""
    for user in value.users:
        pairs: Iterable[tuple[Any, Node]] = ()
        if isinstance(user.target, Function):
            pairs = zip(user.args, user.target.graph.placeholders)
        elif isinstance(user.target, Region):
            pairs = (pair for graph in graphs(user) for pair in captured(user, graph))
        for given, inner in pairs:
            yield from held(given, inner, value)


def held(given: Any, inner: Node, value: Node) -> Iterator[Node]:
    """What a value is in what stands for something that is given: that itself, or where it is in there."""
    if given is value:
        yield inner
    elif not isinstance(given, Node):
        items = dict(children(given) or ())
        for part in parts_of(inner) if items else ():
            if part.args[1] in items:
                yield from held(items[part.args[1]], part, value)


def mere_operand(number: Node, known: Known) -> bool:
    """Whether a number is nowhere but among the operands of ops, and so may be an array as well."""
    return all(is_operand(each, known) for each in reached([number], entered))


def is_operand(number: Node, known: Known) -> bool:
    """The same of a number in one graph; of what it is handed to only, that this may read it."""
    if atoms(number.spec) & sizes(number.graph, known) or any(typed(number, known.borders)):
        return False
    path, asked = (number.origin or number).meta.get("number path"), sizes(number.graph, known)
    asked_of = {*kinds_asked(number.graph, known.noted), *between(number.graph, known.noted)}
    if path in asked_of or any(path in parts(each) for each in asked):
        return False
    for user in number.users:
        if isinstance(user.target, Function):
            continue
        if isinstance(user.target, Region):
            counts = user.target is for_loop and not user.meta.get("compiled")  # Python goes through a range
            if number is user.args[0] or counts and number in leaves(user.args[0]):
                return False
        elif not isinstance(user.target, Op) or user.target.static or number in leaves(user.kwargs):
            return False
    return True


def captured(region: Node, graph: Graph) -> Iterator[tuple[Any, Node]]:
    """What a graph of a region reads from outside, each with its placeholder."""
    operands = region.args[3]
    yield from zip(operands, graph.placeholders[len(graph.placeholders) - len(operands) :])
    if is_loop(region):
        parts = loop(region)
        yield from zip(parts.state, parts.carried if graph is parts.body else graph.placeholders)


def sizes(graph: Graph, known: Known) -> set[str]:
    """What the sizes, indices and checks of a graph are computed from, where no node stands for them. `known`
    has those of the graphs that were looked at before.
    """
    if graph not in known.sizes:
        known.sizes[graph] = {atom for node in graph.nodes for atom in atoms((node.args, node.kwargs))}
    return known.sizes[graph]


def atoms(value: Any) -> set[str]:
    """The names of the unknown ints in it; those of an array's shape do not count."""
    found = (leaf.value if isinstance(leaf, Scalar) else leaf for leaf in leaves(value))
    return {atom for leaf in found if isinstance(leaf, Sym) for atom in leaf.atoms}


@functools.cache
def parts(expression: str) -> frozenset[str]:
    """What an expression is made of, `a` and 3 of `int(a) % 3`."""
    return frozenset(map(unparsed, walked(ast.parse(expression, mode="eval").body)))


def foreign(value: Any) -> bool:
    """Whether there is a container that JAX does not look into."""
    if is_record(value):
        return True
    if isinstance(value, Mapping):
        known = type(value) in (dict, OrderedDict, defaultdict)
        return not known or not sortable(value) or any(map(foreign, value.values()))
    if not isinstance(value, (tuple, list)):
        return False
    known = type(value) in (tuple, list) or isinstance(value, tuple) and hasattr(type(value), "_fields")
    return not known or any(map(foreign, value))


def closed(node: Node) -> bool:
    """Whether a node is a container that JAX does not look into."""
    container = (node.origin or node).meta.get("container")
    unsorted = container is dict and not sortable(node.spec)
    return container is not None and (is_dataclass(container) or unsorted)


def arrays_only(value: Any) -> bool:
    """Whether a result is arrays in containers that JAX knows; it would make arrays of numbers."""
    if isinstance(value, Node):
        return not isinstance(value.spec, Scalar) or is_list(value.target)
    if isinstance(value, Mapping):
        return sortable(value) and all(map(arrays_only, value.values()))
    if isinstance(value, (tuple, list)):
        return all(map(arrays_only, value))
    return value is None


def sortable(mapping: Mapping[Any, Any]) -> bool:
    """Whether JAX can put the keys in order, as it does."""
    return len({type(key) for key in mapping}) <= 1

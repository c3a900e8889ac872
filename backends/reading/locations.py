"""Lying: in which memory the values of a tape may lie, through regions and functions, and what is read of it
when.
"""

from __future__ import annotations

import operator
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any

from ...ir.analysis.outside import MAYBE, NEW
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.leaves import leaves as arrays
from ...ir.graphs.regions import Function, Region, after, graphs, is_loop, loop, store, through
from ...ir.graphs.static import Scalar
from ...ir.values.listing import holds_arrays
from ...ir.values.tree import PLAIN, children, leaves

#: The memories in which an array may lie: arguments by their paths, and nodes that make arrays, inside of
#: regions and functions together with the nodes that run these.
Memory = frozenset[Hashable]
#: Where a value is in what is handed on.
Keys = tuple[Any, ...]
#: What a graph hands on: how it is left, and where in what it gives then.
Ends = dict[tuple[str, Keys], Memory]
NOWHERE: Memory = frozenset()


@dataclass(frozen=True)
class Lined:
    """A memory in which a value lies, or does not, as the elements of what is there lie row by row; `needs`:
    the arguments that must lie so, where that is enough.
    """

    memory: Hashable
    needs: frozenset[str] | None = None


@dataclass
class Told:
    """What is known of a graph inside, by its placeholders.

    Attributes:
        ends: what it hands on.
        written: what it writes into.
        late: what is read as `Lined`, after a write into another memory.
    """

    ends: Ends = field(default_factory=dict)
    written: set[Hashable] = field(default_factory=set)
    late: set[tuple[Lined, Hashable]] = field(default_factory=set)


class Lying:
    """Where the values of a graph, and of those in it, may lie. Each graph is gone through once."""

    def __init__(self) -> None:
        self.known: dict[Graph, Told] = {}
        #: Of graphs inside the memories of their values, and what they are given.
        self.values: dict[Graph, dict[Node, Memory]] = {}
        self.given: dict[tuple[Node, Graph], Mapping[Node, Memory]] = {}
        self.paths: dict[Graph, list[str]] = {}

    def found(self, graph: Graph, told: Told, *, inside: bool = False) -> dict[Node, Memory]:
        """The memories of the values of one graph; `told` takes up what else is to be known of it."""
        found: dict[Node, Memory] = {}
        handed: dict[Node, dict[Keys, Memory]] = {}
        for node in graph.nodes:
            whole, keys = place(node)
            if isinstance(node.target, Region | Function):
                handed[node] = self.handed(node, found, told)
                found[node] = NOWHERE.union(*handed[node].values())
            elif inside and node.op == "placeholder":
                found[node] = frozenset({node})
            elif whole in handed:
                found[node] = at(handed[whole], keys)
            else:
                found[node] = self.of(node, found)
            if told.written:
                told.late |= read_late(node, found, told.written)
            if writes(node):
                told.written |= plain(held(node.args[0], found))
        return found

    def told(self, graph: Graph) -> Told:
        """What is known of a graph inside."""
        if graph not in self.known:
            told = self.known[graph] = Told()
            found = self.values[graph] = self.found(graph, told, inside=True)
            output = graph.output_node
            for keys, leaf in items(output.args[0]):
                add(told.ends, (str(output.target), keys), held(leaf, found))
        return self.known[graph]

    def handed(self, node: Node, found: Mapping[Node, Memory], told: Told) -> dict[Keys, Memory]:
        """What a region or function hands on, by where it is in that; what leaves the graph around, and what
        it does besides, goes to `told`.
        """
        if is_loop(node):
            result = self.turned(node, found, told)
        else:
            result = {}
            operands = node.args if isinstance(node.target, Function) else node.args[3]
            for graph in graphs(node):
                given = self.given[node, graph] = {
                    p: held(v, found) for p, v in zip(graph.placeholders, operands)
                }
                for end, memory in self.told(graph).ends.items():
                    add(result, end, outer(memory, given, node))
                self.take(self.told(graph), given, node, told)
        stays = {
            "yield": True, "output": True, "return": isinstance(node.target, Function),
            "break": is_loop(node), "continue": is_loop(node),
        }  # fmt: skip
        made: dict[Keys, Memory] = {}
        for (kind, keys), memory in result.items():
            if stays.get(kind):
                add(made, keys, memory)
            else:
                add(told.ends, (kind, keys), memory)
        return made

    def take(self, inner: Told, given: Mapping[Node, Memory], run: Node, told: Told) -> None:
        """Take up what a graph does that a node runs. What it was given it may have read after any write."""
        told.written |= plain(outer(frozenset(inner.written), given, run))
        told.late |= {
            (one, written)
            for lined, memory in inner.late
            for one in outer(frozenset({lined}), given, run)
            for written in plain(outer(frozenset({memory}), given, run))
            if isinstance(one, Lined)
        }
        known = NOWHERE.union(*given.values())
        told.late |= {(one, w) for one in known if isinstance(one, Lined) for w in told.written}

    def turned(self, node: Node, found: Mapping[Node, Memory], told: Told) -> Ends:
        """Likewise of a loop; what one turn hands on, the next is given."""
        parts = loop(node)
        values = (*parts.sources, *parts.state, *parts.operands)  # of a list what all its items hold
        given = {p: held(v, found) for p, v in zip(parts.body.placeholders, values) if not is_number(p)}
        start: Ends = {("yield", (i,)): held(v, found) for i, v in enumerate(parts.state)}
        while True:
            result = dict(start)
            for end, memory in self.told(parts.body).ends.items():
                add(result, end, outer(memory, given, node))
            carried = {
                p: NOWHERE.union(*(result.get((kind, (i,)), NOWHERE) for kind in ("yield", "continue")))
                for i, p in enumerate(parts.carried)
            }
            if all(given[p] == memory for p, memory in carried.items()):
                self.take(self.told(parts.body), given, node, told)
                self.given[node, parts.body] = given
                return result
            given |= carried

    def returned(
        self, graph: Graph, around: Callable[[Memory], Memory] = lambda memory: memory
    ) -> Iterator[tuple[Node, list[Memory]]]:
        """The ends of the regions of a graph in which its function returns, each with the memories of what
        that gives, as the function says them. `around`: says so what the graph says.
        """
        for node in graph.nodes:
            for inner in graphs(node) if isinstance(node.target, Region) else ():
                given = self.given.get((node, inner))
                if given is None:  # a test
                    continue

                def said(memory: Memory, node: Node = node, given: Any = given) -> Memory:
                    return around(outer(memory, given, node))

                output = inner.output_node
                if output.target == "return":
                    values = self.values[inner]
                    yield output, [said(held(leaf, values)) for leaf in leaves(output.args[0])]
                yield from self.returned(inner, said)

    def of(self, node: Node, found: Mapping[Node, Memory]) -> Memory:
        """The memories of what is neither a region's nor a function's."""
        if "path" in node.meta:
            return frozenset({node.meta["path"]})
        if node.op == "get_attr":
            return frozenset({node.target})
        if "within" in node.meta:
            return self.within(node.graph, node.meta["within"])
        if node.target in (operator.setitem, through, after) or "writes" in node.meta:
            return held(node.args[0], found)
        call: Any = node.args[0] if is_part(node) else node
        operands = [n for n in call.all_input_nodes if holds(n)]
        if holds_arrays(call.target):  # whose elements may be those of which its rows were made
            operands += [n for rows in operands for n in rows.all_input_nodes if holds(n)]
        gives = call.meta.get("gives", MAYBE if operands else NEW)
        lying = held(operands, found)
        doubted = NOWHERE
        if "lined" in call.meta:
            doubted = frozenset(Lined(one, call.meta["lined"]) for one in plain(lying))
        if gives == NEW:
            return doubted | {node}
        return lying | doubted | {node} if gives == MAYBE else lying | doubted

    def within(self, graph: Graph, beginning: str) -> Memory:
        """The arrays among the arguments that a container holds, by how their paths begin."""
        if graph not in self.paths:
            self.paths[graph] = sorted(arrays(graph))
        paths = self.paths[graph]
        after = islice(paths, bisect_left(paths, beginning), None)
        return frozenset(takewhile(lambda path: path.startswith(beginning), after))


def is_number(placeholder: Node) -> bool:
    """Whether what a loop goes through are numbers of NumPy's, and no parts of an array."""
    return bool(placeholder.meta.get("item") and placeholder.meta.get("number"))


def held(value: Any, found: Mapping[Node, Memory]) -> Memory:
    """The memories of all that a value holds."""
    return NOWHERE.union(*(found[leaf] for leaf in leaves(value) if isinstance(leaf, Node) and holds(leaf)))


def holds(node: Node) -> bool:
    """Whether a value is an array, or may hold some."""
    return not (isinstance(node.spec, Scalar) and node.spec.type in (*PLAIN, str, type(None)))


def outer(memory: Memory, given: Mapping[Node, Memory], run: Node) -> Memory:
    """Memories in a graph as the graph around says them, where `run` runs it with what is `given`."""
    found: set[Hashable] = set()
    for one in memory:
        if isinstance(one, Lined):
            found |= {Lined(m, one.needs) for m in plain(outer(frozenset({one.memory}), given, run))}
        elif isinstance(one, Node) and one in given:
            found |= given[one]
        else:
            found.add(one if isinstance(one, str) else (run, one))
    return frozenset(found)


def plain(memory: Memory) -> Memory:
    """Without what lies there or does not."""
    return frozenset(one for one in memory if not isinstance(one, Lined))


def writes(node: Node) -> bool:
    """Whether a call on the tape writes into its first operand."""
    if node.op not in ("call_function", "call_method") or node.target in (through, operator.getitem):
        return False
    return node.target is operator.setitem or "writes" in node.meta


def read_late(
    node: Node, found: Mapping[Node, Memory], written: set[Hashable]
) -> set[tuple[Lined, Hashable]]:
    """What a node reads as `Lined`, with what was written into before."""
    if node.target in (store, through, after):
        return set()
    read = node.args[1:] if writes(node) else node.all_input_nodes
    return {(one, w) for one in held(read, found) if isinstance(one, Lined) for w in written}


def add(known: dict[Any, Memory], key: Any, memory: Memory) -> None:
    known[key] = known.get(key, NOWHERE) | memory


def items(value: Any, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """The leaves of nested containers, each with where it is."""
    inside = children(value)
    if inside is None:
        yield keys, value
    for key, item in inside or ():
        yield from items(item, (*keys, key))


def place(node: Node) -> tuple[Node, Keys]:
    """The call that gives a container of which a node is a part, and where that is in it."""
    keys: Keys = ()
    while is_part(node):
        node, keys = node.args[0], (node.args[1], *keys)
    return node, keys


def at(handed: Mapping[Keys, Memory], keys: Keys) -> Memory:
    """What lies at a place of what is handed on, or around it."""
    near = (m for k, m in handed.items() if k[: len(keys)] == keys or keys[: len(k)] == k)
    return NOWHERE.union(*near)


def is_part(node: Node) -> bool:
    return node.target is operator.getitem and isinstance(getattr(node.args[0], "spec", None), (tuple, dict))

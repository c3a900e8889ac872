"""Node and Graph: a doubly linked list of calls, with FX's names.

The same class serves twice. As the *tape* a Graph holds what was called, in order, effects included. As a
*Program* (ir/program.py) its targets are ops. There are six kinds of node, as in torch.fx:

    placeholder    an argument; `target` is its name, `args` its default if it has one
    get_attr       a constant or parameter; `target` is its path among `graph.constants`
    call_function  `target(*args, **kwargs)`
    call_method    `args[0].target(*args[1:], **kwargs)`
    call_module    a submodule; `target` is its path
    output         what the graph returns, in `args[0]`; `target` says how a region is left: yield, return,
    break, continue

Control flow is a call_function on a region target, with Graphs among its args. A Graph captures nothing: what
a region reads from outside comes in through its placeholders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from ..errors import GraphError
from ..facts import GRAPH, NODE
from .node import Node, map_arg, target_name, text

__all__ = ["KINDS", "Graph", "Node", "NodeList", "map_arg", "target_name", "text"]

KINDS = ("placeholder", "get_attr", "call_function", "call_method", "call_module", "output")


@lru_cache(maxsize=4096)
def identifier(name: str) -> str:
    """The last part of a dotted name, as an identifier."""
    last = name.rpartition(".")[2]
    return "".join(c if c.isalnum() or c == "_" else "_" for c in last).strip("_") or "value"


class Graph:
    """A list of Nodes in the order of execution, with one output at its end.

    `constants` holds what get_attr nodes name; `guards` the facts about its arguments that were looked at.
    """

    def __init__(self, name: str = "graph") -> None:
        self.name = name
        self.constants: dict[str, Any] = {}
        self.guards: list[Any] = []
        self.meta: dict[str, Any] = {}
        self._root = Node(self, "root", "root", "")
        self._names: dict[str, int] = {}
        self._before = self._root
        self._given = 0  # how many placeholders it has

    # Reading.

    @property
    def nodes(self) -> NodeList:
        return NodeList(self)

    @property
    def placeholders(self) -> list[Node]:
        first, node = [], self._root._next
        while node.op == "placeholder":
            first.append(node)
            node = node._next
        return first if len(first) == self._given else self.find_nodes(op="placeholder")

    @property
    def output_node(self) -> Node:
        last = self._root._prev
        if last.op != "output":
            raise GraphError(f"graph {self.name} has no output yet")
        return last

    @property
    def latest(self) -> Node:
        """The node before the place where new ones go."""
        return self._before.prev

    def find_nodes(self, *, op: str, target: Any = None) -> list[Node]:
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    # Building.

    def create_node(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> Node:
        """A new node at the insertion point (the end, unless `inserting_before` says otherwise)."""
        if op not in KINDS:
            raise GraphError(f"{op!r} is no kind of node; the kinds are {', '.join(KINDS)}")
        node = Node(self, self.unique(name or target_name(target)), op, target)
        node._set(args, kwargs or {})
        self._before.prepend(node)
        self._given += op == "placeholder"
        return node

    def unique(self, name: str) -> str:
        """`name`, or the first of name_1, name_2, … that this graph does not have yet."""
        base = identifier(name)
        while (count := self._names.get(base)) is not None:
            self._names[base] = count + 1
            base = f"{base}_{count}"
        self._names[base] = 1
        return base

    def placeholder(self, name: str, default: Any = ...) -> Node:
        return self.create_node("placeholder", name, () if default is ... else (default,))

    def get_attr(self, path: str) -> Node:
        return self.create_node("get_attr", path)

    def call_function(
        self, target: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Node:
        return self.create_node("call_function", target, args, kwargs)

    def call_method(
        self, target: str, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Node:
        return self.create_node("call_method", target, args, kwargs)

    def call_module(
        self, target: str, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Node:
        return self.create_node("call_module", target, args, kwargs)

    def output(self, value: Any, kind: str = "output") -> Node:
        return self.create_node("output", kind, (value,))

    @contextmanager
    def inserting_before(self, node: Node | None = None) -> Iterator[None]:
        """New nodes go right before `node` (default: to the beginning)."""
        before, self._before = self._before, node or self._root._next
        try:
            yield
        finally:
            self._before = before

    @contextmanager
    def inserting_after(self, node: Node | None = None) -> Iterator[None]:
        """New nodes go right after `node` (default: to the end)."""
        before, self._before = self._before, node._next if node else self._root
        try:
            yield
        finally:
            self._before = before

    # Editing.

    def erase_node(self, node: Node) -> None:
        """Take `node` out. What is still used stays: replace its uses first."""
        if node.users:
            raise GraphError(f"{node.name} is still used by {', '.join(user.name for user in node.users)}")
        if self._before is node:
            self._before = node._next
        for source in node._inputs:
            source.users.pop(node, None)
        node._inputs = {}
        node._unlink()
        self._given -= node.op == "placeholder"

    def node_copy(self, node: Node, transform: Callable[[Node], Any]) -> Node:
        """A copy of another graph's node, its inputs replaced by `transform`."""
        args, kwargs = map_arg(node.args, transform), map_arg(node.kwargs, transform)
        new = self.create_node(node.op, node.target, args, kwargs, name=node.name)
        new.resemble(node)
        new.place, new.origin = node.place, node.origin
        return new

    def graph_copy(self, graph: Graph, values: dict[Node, Any]) -> Any:
        """Copy the nodes of `graph` here. `values` maps those already known. Returns what its output
        returns.
        """
        for node in graph.nodes:
            if node.op == "output":
                return map_arg(node.args[0], values.__getitem__)
            if node not in values:
                values[node] = self.node_copy(node, values.__getitem__)
        return None

    def copy(self) -> Graph:
        """A graph of its own with the same nodes."""
        new = type(self)(self.name)
        new.constants, new.guards, new.meta = dict(self.constants), list(self.guards), dict(self.meta)
        values: dict[Node, Any] = {}
        result = new.graph_copy(self, values)
        if self._root._prev.op == "output":
            old = self.output_node
            made = new.output(result, old.target)
            made.place, made.origin = old.place, old.origin
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self.copy()

    def eliminate_dead_code(self) -> bool:
        """Erase what nothing uses and has no effect. Returns whether anything went."""
        dead = [n for n in reversed(self.nodes) if not n.users and not n.is_impure()]
        changed = bool(dead)
        while dead:
            node = dead.pop()
            if node.users or node.graph is not self or node.erased:
                continue
            inputs = node.all_input_nodes
            self.erase_node(node)
            dead += [n for n in inputs if not n.users and not n.is_impure()]
        return changed

    # Checking and printing.

    def lint(self) -> None:
        """Check owners, order, names, users, that an output stands at the end and nowhere else, and that
        `meta` holds nothing but what facts.py tells of.

        Raises:
            GraphError: on the first fault.
        """
        seen: set[Node] = set()
        names: set[str] = set()
        if unknown := self.meta.keys() - GRAPH.keys():
            raise GraphError(f"graph {self.name} has facts of unknown names: {', '.join(unknown)}")
        for node in self.nodes:
            if node.graph is not self:
                raise GraphError(f"{node.name} belongs to another graph", span=node.span)
            if unknown := node.meta.keys() - NODE.keys():
                raise GraphError(f"{node.name} has facts of unknown names: {', '.join(unknown)}")
            if node.name in names:
                raise GraphError(f"two nodes are named {node.name}", span=node.span)
            for source in node._inputs:
                if source not in seen:
                    raise GraphError(
                        f"{node.name} uses {source.name}, which does not come before it", span=node.span
                    )
                if node not in source.users:
                    raise GraphError(f"{source.name} does not know its user {node.name}", span=node.span)
            if node.op == "output" and node._next is not self._root:
                raise GraphError("the output is not the last node", span=node.span)
            seen.add(node)
            names.add(node.name)
        for node in seen:
            for user in node.users:
                if user not in seen:
                    raise GraphError(f"{node.name} counts {user.name} as a user, which is not in the graph")

    def print_tabular(self) -> None:
        """Print the nodes as a table: opcode, name, target, args, kwargs, spec."""
        rows = [("opcode", "name", "target", "args", "kwargs", "spec")]
        for n in self.nodes:
            spec = "" if n.spec is None else str(n.spec)
            rows.append((n.op, n.name, target_name(n.target), text(n.args), text(n.kwargs), spec))
        widths = [max(len(row[i]) for row in rows) for i in range(6)]
        rows.insert(1, tuple("-" * w for w in widths))  # type: ignore[arg-type]
        print("\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in rows))

    def __str__(self) -> str:
        head = ", ".join(f"%{n.name}" for n in self.placeholders)
        return "\n    ".join(
            [f"graph({head}):", *(n.format_node() for n in self.nodes if n.op != "placeholder")]
        )


class NodeList:
    """The nodes of a graph in order; reversed() goes the other way. It may be walked while nodes are
    erased.
    """

    __slots__ = ("_graph",)

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __iter__(self) -> Iterator[Node]:
        root = self._graph._root
        node = root._next
        while node is not root:
            following = node._next
            yield node
            node = following

    def __reversed__(self) -> Iterator[Node]:
        root = self._graph._root
        node = root._prev
        while node is not root:
            following = node._prev
            yield node
            node = following

    def __len__(self) -> int:
        return sum(1 for _ in self)

"""Node and Graph: a doubly linked list of calls, with FX's names.

The same class serves twice. As the *tape* a Graph holds what was called, in order, effects included. As a *Program*
(ir/program.py) its targets are ops. There are six kinds of node, as in torch.fx:

    placeholder    an argument; `target` is its name, `args` its default if it has one
    get_attr       a constant or parameter; `target` is its path among `graph.constants`
    call_function  `target(*args, **kwargs)`
    call_method    `args[0].target(*args[1:], **kwargs)`
    call_module    a submodule; `target` is its path
    output         what the graph returns, in `args[0]`; `target` says how a region is left: yield, return, break, continue

Control flow is a call_function on a region target, with Graphs among its args. A Graph captures nothing: what a region
reads from outside comes in through its placeholders.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .errors import GraphError
from .span import Span

KINDS = ("placeholder", "get_attr", "call_function", "call_method", "call_module", "output")

#: Calls that matter although nothing uses their result.
EFFECTS: set[Any] = {operator.setitem, operator.delitem, setattr, print}


class Node:
    """One call of a Graph. `users` and `all_input_nodes` are dicts used as ordered sets; the Graph keeps them in step."""

    __slots__ = (
        "graph", "name", "op", "target", "_args", "_kwargs", "users", "_inputs", "_prev", "_next",
        "spec", "place", "origin", "meta",
    )  # fmt: skip

    def __init__(self, graph: Graph, name: str, op: str, target: Any) -> None:
        self.graph = graph
        self.name = name
        self.op = op
        self.target = target
        self._args: tuple[Any, ...] = ()
        self._kwargs: dict[str, Any] = {}
        self.users: dict[Node, None] = {}
        self._inputs: dict[Node, None] = {}
        self._prev: Node = self
        self._next: Node = self
        self.spec: Any = None
        self.place: Any = None
        self.origin: Node | None = None
        self.meta: dict[str, Any] = {}

    @property
    def args(self) -> tuple[Any, ...]:
        return self._args

    @args.setter
    def args(self, args: tuple[Any, ...]) -> None:
        self._set(args, self._kwargs)

    @property
    def kwargs(self) -> dict[str, Any]:
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs: Mapping[str, Any]) -> None:
        self._set(self._args, dict(kwargs))

    def _set(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for old in self._inputs:
            old.users.pop(self, None)
        inputs: dict[Node, None] = {}
        collect(args, inputs)
        if kwargs:
            collect(kwargs, inputs)
        for new in inputs:
            new.users[self] = None
        self._args, self._kwargs, self._inputs = args, kwargs, inputs

    @property
    def all_input_nodes(self) -> list[Node]:
        """The nodes among args and kwargs, each once, in order."""
        return list(self._inputs)

    input_nodes = all_input_nodes

    @property
    def prev(self) -> Node:
        return self._prev

    @property
    def next(self) -> Node:
        return self._next

    @property
    def span(self) -> Span | None:
        """Where in the user's text this call stands."""
        node: Node | None = self
        while node is not None:
            if node.place is not None:
                found: Span | None = node.place.span
                return found
            node = node.origin
        return None

    @property
    def stack_trace(self) -> str | None:
        return self.span.report() if self.span else None

    def prepend(self, node: Node) -> None:
        """Move `node` right before this one."""
        node._unlink()
        node._prev, node._next = self._prev, self
        self._prev._next = node
        self._prev = node

    def append(self, node: Node) -> None:
        """Move `node` right after this one."""
        self._next.prepend(node)

    def _unlink(self) -> None:
        self._prev._next, self._next._prev = self._next, self._prev
        self._prev = self._next = self

    def update_arg(self, index: int, value: Any) -> None:
        self.args = (*self._args[:index], value, *self._args[index + 1 :])

    def insert_arg(self, index: int, value: Any) -> None:
        self.args = (*self._args[:index], value, *self._args[index:])

    def update_kwarg(self, key: str, value: Any) -> None:
        self.kwargs = {**self._kwargs, key: value}

    def replace_input_with(self, old: Node, new: Node) -> None:
        self._set(
            map_arg(self._args, lambda n: new if n is old else n),
            map_arg(self._kwargs, lambda n: new if n is old else n),
        )

    def replace_all_uses_with(
        self, new: Node, delete_user_cb: Callable[[Node], bool] = lambda user: True
    ) -> list[Node]:
        """Let every user of this node use `new` instead. Returns the users that were changed."""
        changed = [user for user in self.users if user is not new and delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, new)
        return changed

    def is_impure(self) -> bool:
        """Whether the node must stay although nothing uses it."""
        if self.op in ("placeholder", "output"):
            return True
        return self.op == "call_function" and (
            self.target in EFFECTS if isinstance(self.target, types.BuiltinFunctionType) else
            bool(getattr(self.target, "effect", False))
        )  # fmt: skip

    def format_node(self) -> str:
        """One line: `%add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {})`."""
        if self.op == "output":
            return f"return {text(self._args[0])}"
        typed = "" if self.spec is None else f" : {self.spec}"
        call = f"{self.op}[target={target_name(self.target)}]"
        return f"%{self.name}{typed} : [num_users={len(self.users)}] = {call}" + (
            "" if self.op == "placeholder" else f"(args = {text(self._args)}, kwargs = {text(self._kwargs)})"
        )

    def __repr__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        raise GraphError(f"node {self.name} cannot be copied by itself; copy its graph, or use graph.node_copy")


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

    # Reading.

    @property
    def nodes(self) -> NodeList:
        return NodeList(self)

    @property
    def placeholders(self) -> list[Node]:
        return self.find_nodes(op="placeholder")

    @property
    def output_node(self) -> Node:
        last = self._root._prev
        if last.op != "output":
            raise GraphError(f"graph {self.name} has no output yet")
        return last

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
        return node

    def unique(self, name: str) -> str:
        """`name`, or the first of name_1, name_2, … that this graph does not have yet."""
        base = "".join(c if c.isalnum() or c == "_" else "_" for c in name.rpartition(".")[2]).strip("_") or "value"
        count = self._names.get(base)
        self._names[base] = 1 if count is None else count + 1
        return base if count is None else self.unique(f"{base}_{count}")

    def placeholder(self, name: str, default: Any = ...) -> Node:
        return self.create_node("placeholder", name, () if default is ... else (default,))

    def get_attr(self, path: str) -> Node:
        return self.create_node("get_attr", path)

    def call_function(self, target: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> Node:
        return self.create_node("call_function", target, args, kwargs)

    def call_method(self, target: str, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> Node:
        return self.create_node("call_method", target, args, kwargs)

    def call_module(self, target: str, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None) -> Node:
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

    def node_copy(self, node: Node, transform: Callable[[Node], Any]) -> Node:
        """A copy of another graph's node, its inputs replaced by `transform`."""
        args, kwargs = map_arg(node.args, transform), map_arg(node.kwargs, transform)
        new = self.create_node(node.op, node.target, args, kwargs, name=node.name)
        new.spec, new.place, new.origin, new.meta = node.spec, node.place, node.origin, dict(node.meta)
        return new

    def graph_copy(self, graph: Graph, values: dict[Node, Any]) -> Any:
        """Copy the nodes of `graph` here. `values` maps those already known. Returns what its output returns."""
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
            new.output(result, self.output_node.target)
        return new

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self.copy()

    def eliminate_dead_code(self) -> bool:
        """Erase what nothing uses and has no effect. Returns whether anything went."""
        dead = [n for n in reversed(self.nodes) if not n.users and not n.is_impure()]
        changed = bool(dead)
        while dead:
            node = dead.pop()
            if node.users or node.graph is not self or node._next is node:
                continue
            inputs = node.all_input_nodes
            self.erase_node(node)
            dead += [n for n in inputs if not n.users and not n.is_impure()]
        return changed

    # Checking and printing.

    def lint(self) -> None:
        """Check owners, order, names, users, and that an output stands at the end and nowhere else.

        Raises:
            GraphError: on the first fault.
        """
        seen: set[Node] = set()
        names: set[str] = set()
        for node in self.nodes:
            if node.graph is not self:
                raise GraphError(f"{node.name} belongs to another graph", span=node.span)
            if node.name in names:
                raise GraphError(f"two nodes are named {node.name}", span=node.span)
            for source in node._inputs:
                if source not in seen:
                    raise GraphError(f"{node.name} uses {source.name}, which does not come before it", span=node.span)
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
    """The nodes of a graph in order; reversed() goes the other way. It may be walked while nodes are erased."""

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


def collect(value: Any, into: dict[Node, None]) -> None:
    """Add every node inside nested tuples, lists, dicts and slices to `into`."""
    if isinstance(value, Node):
        into[value] = None
    elif isinstance(value, (tuple, list)):
        for item in value:
            collect(item, into)
    elif isinstance(value, dict):
        for item in value.values():
            collect(item, into)
    elif isinstance(value, slice):
        collect((value.start, value.stop, value.step), into)


def map_arg(value: Any, fn: Callable[[Node], Any]) -> Any:
    """The same nesting of tuples, lists, dicts and slices with `fn` applied to every node."""
    if isinstance(value, Node):
        return fn(value)
    if isinstance(value, tuple):
        items = [map_arg(item, fn) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [map_arg(item, fn) for item in value]
    if isinstance(value, dict):
        return {key: map_arg(item, fn) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(map_arg(value.start, fn), map_arg(value.stop, fn), map_arg(value.step, fn))
    return value


def target_name(target: Any) -> str:
    """How a target is called in a listing: its own name, qualified by a public module."""
    if isinstance(target, str):
        return target
    name = getattr(target, "name", None) or getattr(target, "__name__", None) or type(target).__name__
    module = (getattr(target, "__module__", None) or "").removeprefix("_")
    return f"{module}.{name}" if module in ("operator", "math", "torch", "numpy") else str(name)


def text(value: Any) -> str:
    """A value of args or kwargs as it is printed, nodes as %name."""
    if isinstance(value, Node):
        return f"%{value.name}"
    if isinstance(value, Graph):
        return f"<graph {value.name}>"
    if isinstance(value, tuple):
        return f"({', '.join(map(text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(text, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, slice):
        return f"slice({text(value.start)}, {text(value.stop)}, {text(value.step)})"
    if callable(value):
        return target_name(value)
    return repr(value)

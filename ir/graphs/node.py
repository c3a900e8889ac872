"""Node: one call of a Graph (ir/graphs/graph.py), and walking the values that its arguments nest."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import GraphError
from ..source.span import Span
from ..values.tree import ATOMS, holdings, is_record, leaves, rebuilt, tuple_fields

#: Calls that matter although nothing uses their result.
EFFECTS: set[Any] = {operator.setitem, operator.delitem, setattr, print}


class Node:
    """One call of a Graph. `users` and `all_input_nodes` are dicts used as ordered sets; the Graph keeps them
    in step.

    Attributes:
        spec: what is known of its value: a Spec, a Scalar, or several of these.
        place: where in the user's code it was called; None for what nobody wrote.
        origin: of a Program, the call on the tape that it was made for.
        stands_for: of a Program, the call on the tape whose value, or one of whose values, this is; it has
            the names that the user gave it.
        names: those of its results, where its place does not say them; () for what has none.
        form: "array"; "weak" for an array of JAX's that has the dtype of a number only as long as it meets no
            other; or pairs of a dtype and a form for what is one thing or another by the way that was gone.
        implicit: whether it is a cast that promotion asks for.
        meta: what fewer ask for, see facts.py.
    """

    __slots__ = (
        "graph", "name", "op", "target", "_args", "_kwargs", "users", "_inputs", "_prev", "_next",
        "spec", "place", "origin", "stands_for", "names", "form", "implicit", "meta",
    )  # fmt: skip

    def __init__(self, graph: Any, name: str, op: str, target: Any) -> None:
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
        self.stands_for: Node | None = None
        self.names: tuple[str, ...] | None = None
        self.form: Any = "array"
        self.implicit = False
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
    def uses(self) -> int:
        """How often others take its value; twice by one that takes it twice."""
        return sum(leaf is self for user in self.users for leaf in leaves((user.args, user.kwargs)))

    @property
    def prev(self) -> Node:
        return self._prev

    @property
    def next(self) -> Node:
        return self._next

    def resemble(self, other: Node, *, named: bool = True) -> None:
        """Take over what is known of another node, and what it stands for, unless it has another name."""
        self.spec, self.names, self.form = other.spec, other.names, other.form
        self.implicit = other.implicit
        self.meta = dict(other.meta)
        self.stands_for = other.stands_for if named else None

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that it, or else the call that it stands for, was given apart from its place."""
        return self.names or (self.stands_for.names if self.stands_for is not None else None) or ()

    def take_name(self, other: Node) -> None:
        """Bear the name that another node has, of the user's or of a step."""
        self.stands_for = other.stands_for or self.stands_for
        self.meta |= {fact: other.meta[fact] for fact in ("part", "step") if fact in other.meta}

    @property
    def erased(self) -> bool:
        """Whether it was taken out of its graph."""
        return self._next is self

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
        if hasattr(self.target, "is_impure"):
            return bool(self.target.is_impure(self))
        return self.op == "call_function" and (
            self.target in EFFECTS if isinstance(self.target, types.BuiltinFunctionType) else
            bool(getattr(self.target, "effect", False))
        )  # fmt: skip

    def format_node(self) -> str:
        """One line: `%add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs =
        {})`.
        """
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
        raise GraphError(
            f"node {self.name} cannot be copied by itself; copy its graph, or use graph.node_copy"
        )


def collect(value: Any, into: dict[Node, None]) -> None:
    """Add every node inside nested tuples, lists, dicts, slices and dataclasses to `into`."""
    if isinstance(value, Node):
        into[value] = None
    elif type(value) in ATOMS:
        return
    elif isinstance(value, (tuple, list)):
        for item in value:
            collect(item, into)
    elif isinstance(value, dict):
        for item in value.values():
            collect(item, into)
    elif isinstance(value, slice):
        collect((value.start, value.stop, value.step), into)
    elif is_record(value):
        for item in holdings(value).values():
            collect(item, into)


def map_arg(value: Any, fn: Callable[[Node], Any], leaf: Callable[[Any], Any] | None = None) -> Any:
    """The same nesting of tuples, lists, dicts, slices and dataclasses with `fn` applied to every node, and
    `leaf` to all else that is in it.
    """
    if isinstance(value, Node):
        return fn(value)
    if isinstance(value, tuple):
        items = [map_arg(item, fn, leaf) for item in value]
        return type(value)(*items) if tuple_fields(type(value)) is not None else tuple(items)
    if isinstance(value, list):
        return [map_arg(item, fn, leaf) for item in value]
    if isinstance(value, dict):
        return {key: map_arg(item, fn, leaf) for key, item in value.items()}
    if isinstance(value, slice):
        return slice(*(map_arg(part, fn, leaf) for part in (value.start, value.stop, value.step)))
    if is_record(value):
        return rebuilt(value, {name: map_arg(item, fn, leaf) for name, item in holdings(value).items()})
    return value if leaf is None else leaf(value)


def target_name(target: Any) -> str:
    """How a target is called in a listing: its own name, qualified by its module or what it belongs to."""
    if isinstance(target, str):
        return target
    owner = getattr(target, "__self__", None)
    if callable(owner) and not isinstance(owner, type) and hasattr(owner, "__name__"):  # np.add.reduce
        return f"{owner.__name__}.{target.__name__}"
    name = getattr(target, "name", None) or getattr(target, "__name__", None) or type(target).__name__
    module = (getattr(target, "__module__", None) or "").removeprefix("_")
    return f"{module}.{name}" if module in ("operator", "math", "torch", "numpy") else str(name)


def text(value: Any) -> str:
    """A value of args or kwargs as it is printed, nodes as %name."""
    if isinstance(value, Node):
        return f"%{value.name}"
    if hasattr(value, "output_node"):
        return f"<graph {value.name}>"
    if isinstance(value, tuple):
        return f"({', '.join(map(text, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(text, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, slice):
        return f"slice({text(value.start)}, {text(value.stop)}, {text(value.step)})"
    if is_record(value):
        items = (f"{name}={text(item)}" for name, item in holdings(value).items())
        return f"{type(value).__name__}({', '.join(items)})"
    if callable(value):
        return target_name(value)
    return repr(value)

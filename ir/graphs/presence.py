"""Presence: the arguments of which the program was told that they are not None.

What is computed is never None. But what is handed on may be the argument itself: by the sides of a branch,
from turn to turn of a loop, by a function of the user's. Which it is, is known when the whole program is
recorded.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any

from ..values.tree import children, leaves
from ..worklist import reached
from .graph import Graph, Node
from .leaves import ARRAY, GIVEN, NUMBER, behind
from .regions import Function, Region, guard, results
from .static import Scalar, ask_type
from .walk import returned

#: What takes an item of a container.
TAKING = (operator.getitem, getattr)


def ask_presence(value: Node, entry: Graph) -> None:
    """The program was told that a value is not None; `entry` is the graph of the function that is traced."""
    leaf = outermost(value)
    if "path" in leaf.meta:
        note_presence(leaf.graph, leaf.meta["path"])
    elif hands_on(leaf):
        entry.meta.setdefault("present", {})[leaf] = None


def note_presence(graph: Graph, path: str) -> None:
    """Let a function check that one of its arguments is not None; what says more of it stays."""
    graph.meta.setdefault("kinds asked", {}).setdefault(path, GIVEN)


def ask_kind(value: Node) -> None:
    """The program was told that a value is an array, or a number of NumPy's; it is one of the arguments."""
    for leaf in itself(value):
        if "path" in leaf.meta:
            kind = NUMBER if leaf.meta.get("number") else ARRAY
            leaf.graph.meta.setdefault("kinds asked", {})[leaf.meta["path"]] = kind


def says_nothing(value: Node) -> bool:
    """Whether nothing is computed of an array that would not be computed of None."""
    made = [user for user in value.users if user.target is not guard]
    return all(getattr(user.target, "__name__", "").endswith("_like") for user in made)


def settle_presence(entry: Graph) -> None:
    """See to it that the arguments are checked that the values asked for may be, and those that are leaves of
    a container: None is none.
    """
    for leaf, stays in entry.meta.pop("flattened", {}).items():
        if not stays or says_nothing(leaf):
            ask_presence(leaf, entry)
    for value in entry.meta.pop("present", ()):
        for leaf in itself(value):
            if isinstance(leaf.spec, Scalar):
                ask_type(leaf)
            else:
                note_presence(leaf.graph, leaf.meta["path"])


def is_optional(parameter: Node) -> bool:
    """Whether a parameter may be None, since its default is."""
    absent = bool(parameter.args) and parameter.args[0] is None
    return absent or bool(parameter.meta.get("optional"))


def ask_array(value: Node) -> None:
    """The program makes an array of a value of the tape, whatever it is, and no text does: `np.asarray(x)`.
    The arguments that it may be are no lists, of which the program would make arrays.
    """
    for leaf in itself(value):
        if "path" in leaf.meta:
            leaf.graph.meta["listless"].add(leaf.meta["path"])


def path_of(node: Node) -> str | None:
    """How the function of a graph says an argument; None for what is none."""
    found: str | None = node.meta.get("path", node.meta.get("number path"))
    return found


def outermost(node: Node) -> Node:
    while "outer" in node.meta:
        node = node.meta["outer"]
    return node


def hands_on(node: Node) -> bool:
    """Whether a value may be one that was made elsewhere."""
    base, _ = taken(node)
    chosen = base.op == "placeholder" and ("state" in base.meta or "any of" in base.meta)
    return isinstance(base.target, (Function, Region)) or chosen


def taken(node: Node) -> tuple[Node, list[Any]]:
    """What an item was taken out of, and the keys by which."""
    keys: list[Any] = []
    while node.target in TAKING and isinstance(node.args[0], Node) and path_of(node) is None:
        keys.insert(0, node.args[1])
        node = node.args[0]
    return node, keys


def itself(value: Node) -> Iterator[Node]:
    """The arguments that a value may be, by the way that the program goes."""
    ends = map(outermost, reached([value], handed_by))
    return (end for end in ends if path_of(end) is not None)


def handed_by(value: Node) -> Iterator[Node]:
    """What a region or function hands on as this value, on some way."""
    leaf = outermost(value)
    if path_of(leaf) is not None:
        return
    base, keys = taken(leaf)
    handed: Iterable[Any] = ()
    if base.op == "placeholder" and "loop" in base.meta:
        handed = results(*base.meta["loop"])
    elif base.op == "placeholder" and "any of" in base.meta:  # an item of a list
        handed = base.meta["any of"]
    elif isinstance(base.target, Region):
        handed = results(base, keys[0]) if keys else ()
    elif isinstance(base.target, Function):
        handed = (v for found in returned(base.target.graph) for v in operands(base, pick(found, keys)))
    yield from (node for node in handed if isinstance(node, Node))


def pick(found: Any, keys: list[Any]) -> Any:
    """What lies in nested containers under these keys."""
    for key in keys:
        held = [item for known, item in children(found) or () if known == key]
        if not held:
            break
        (found,) = held
    return found


def operands(call: Node, found: Any) -> Iterator[Any]:
    """What a function of the user's is called with that what it returns may be."""
    graph = call.target.graph
    given = dict(zip(graph.placeholders, call.args))
    for inner in leaves(found):
        for leaf in itself(inner) if isinstance(inner, Node) else ():
            keys: list[Any] = []
            base = leaf
            while base not in given and base.target in TAKING:
                keys.insert(0, base.args[1])
                base = base.args[0]
            value = pick(given[base], keys) if base in given else leaf
            if isinstance(value, Node) and "within" in outermost(value).meta:
                yield from behind([value])
            else:
                yield value

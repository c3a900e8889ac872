"""Items: what a program puts into the dicts and lists that it was given.

Such a container is one in the emitted function too. What it holds in the end is put there before the function
is left; where it is returned, it is returned itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import put
from ...ir.graphs.static import Scalar
from ...ir.values.tree import PLAIN, children, leaves, plain_constant, rebuilt
from ..digest import Whole
from ..objects.heap import Change
from ..proxy import Shape, is_proxy

if TYPE_CHECKING:
    from ..tracer import Tracer


def record(tracer: Tracer) -> None:
    """Note what the containers among the arguments hold in the end. Those that hold what cannot be said are
    left out: the program is refused then.
    """
    nodes = tracer.containers.nodes
    changes = {id(change.container): change for change in tracer.outside.heap.changed(nodes)}
    found = {}
    for key, change in changes.items():
        held = nodes.get(key)
        if held is None or held.container is not change.container:
            continue
        pairs = list(differing(change))
        new = [key for key, _ in pairs if isinstance(change.before, dict) and key not in change.before]
        if pairs and all(map(is_plain, (value for _, value in pairs))) and all(map(is_key, new)):
            found[key] = held.node, pairs
    tracer.containers.changed.update((key, node) for key, (node, _) in found.items())
    distinct(tracer, [node for node, _ in found.values()])
    for key, (node, pairs) in found.items():
        for name, value in pairs:
            held = tracer.digest(whole(tracer, value))[0]
            made = tracer.graph.create_node("call_function", put, (node, name, held))
            made.spec, made.place = Scalar(type(None)), tracer.outside.places.get(key)


def distinct(tracer: Tracer, changed: Sequence[Node]) -> None:
    """See to it that no container that is changed is another argument too, which would change with it.

    Raises:
        UnsupportedError: where it is one in the example.
    """
    held = (noted.node for noted in tracer.containers.nodes.values())
    nodes = [node for node in held if node.graph is tracer.graph]
    for node in changed:
        for other in nodes:
            kind = node.meta["container"]
            if other is node or other.meta.get("container") is not kind or kind is None:
                continue
            pair = tuple(sorted(n.meta["within"].rstrip("[.") for n in (node, other)))
            if pair[1].startswith(pair[0] + "["):
                continue  # it holds the other
            if other.meta["object"] == node.meta["object"]:
                raise UnsupportedError(
                    f"changing the {kind.__name__} {pair[0]}",
                    why=f"it is {pair[1]} as well",
                    span=tracer.span(),
                    hint="give two of them, or return a new one instead",
                )
            tracer.graph.meta.setdefault("distinct", set()).add(pair)


def differing(change: Change) -> Iterator[tuple[Any, Any]]:
    """The items that a container has gained, by their keys; None is that of one behind all others. Nothing
    where it has lost some.
    """
    before, after = change.before, change.after
    if type(change.container) is list and len(after) >= len(before):
        yield from ((i, item) for i, item in enumerate(after[: len(before)]) if item is not before[i])
        yield from ((None, item) for item in after[len(before) :])
    elif type(change.container) is dict and list(after)[: len(before)] == list(before):
        yield from ((k, item) for k, item in after.items() if k not in before or item is not before[k])


def is_plain(value: Any) -> bool:
    """Whether a value can be said: arrays, numbers, strings, and containers of them."""
    return all(map(is_key, keys(value))) and all(map(is_plain_leaf, leaves(value)))


def is_plain_leaf(leaf: Any) -> bool:
    if is_proxy(leaf) or type(leaf) is Shape:
        return True
    return isinstance(leaf, (bool, int, float, complex, str, type(None))) and plain_constant(leaf) is leaf


def keys(value: Any) -> Iterator[Any]:
    """The keys of the dicts among nested containers."""
    if is_proxy(value) or type(value) is Shape:
        return
    for key, item in children(value) or ():
        if isinstance(value, Mapping):
            yield key
        yield from keys(item)


def is_key(key: Any) -> bool:
    """Whether a text can say a key, which one of another class would be another to whoever asks for that."""
    return all(type(part) in PLAIN or part is None or part is ... for part in leaves(key))


def whole(tracer: Tracer, value: Any) -> Any:
    """A value in which each container that the program has changed, of those that it was given, is itself."""
    changed = tracer.containers.changed
    node = changed.get(id(value))
    if node is not None:
        return Whole(node)
    items = children(value) if changed and not is_proxy(value) and type(value) is not Shape else None
    if items is None:
        return value
    made = {key: whole(tracer, item) for key, item in items}
    if all(made[key] is item for key, item in items):
        return value
    tracer.structure.whole(value)  # what is made anew holds what this holds
    return rebuilt(value, made)


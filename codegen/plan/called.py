"""Called: what the user calls a value, and what it is called where he does not.

Of a value that his statement binds the name is his; of one of several results, of what a call writes into and
of what a region hands on it is read off what he does with it.
"""

from __future__ import annotations

from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Function, after, gone_on
from ...ir.graphs.static import taken
from ...ir.meaning.op import REGISTER, Op
from ...ir.meaning.operators import OPS
from .containers import part


def bound(node: Node) -> tuple[str, ...]:
    """The names that the user's statement binds to this value, or to each of its results."""
    source = node.stands_for
    if source is None or source.names is None and source.place is None:
        return ()
    names: tuple[str, ...] = source.names if source.names is not None else source.place.names
    if not unpacked(source):
        return names
    # One call that reads to several ops: each of them is one of the names.
    number = node.meta.get("part")
    return names if number is None else names[number : number + 1] if len(names) > 1 else ()


def unpacked(source: Node) -> bool:
    """Whether the statement of a tape node unpacks its value into several names."""
    found = source.place.statement if source.place is not None else None
    return found is not None and found.unpacks and not is_item(source)


def is_item(source: Node) -> bool:
    """Whether a statement of several names binds one of them to this value of a tape node, and takes apart
    what Python has put it into: `q, k = (f(a) for a in (x, y))`.
    """
    names, found = source.names, source.place.statement if source.place is not None else None
    return names is not None and found is not None and len(names) == 1 and set(names) < {*found.targets}


def unpacks(node: Node) -> bool:
    """Whether the user's statement unpacks this very value."""
    source = node.stands_for
    return source is not None and unpacked(source) and "part" not in node.meta


def takes_apart(node: Node, names: tuple[str, ...]) -> bool:
    """Whether a statement for one name takes the only item of the value: `y, = f(x)`."""
    return unpacks(node) and isinstance(node.spec, tuple) and len(node.spec) == 1 and names == bound(node)


def chosen_name(node: Node) -> tuple[str, ...]:
    """What the user calls what an expression gives that has to be an `if`."""
    names = [bound(user) for user in node.users if not unpacks(user)]
    return names[0] if len(names) == 1 and len(names[0]) == 1 else ("chosen",)


def call_names(node: Node) -> tuple[str, ...]:
    """The names of what a call gives of a function that writes into its operands; and of what it hands back
    of these, where nothing is written into.
    """
    further = node.meta.get("handed_back", ())
    if len(gone_on(node)) == len(node.users):
        return ()
    if not isinstance(node.spec, tuple):
        return further or own_names(node, 1)
    count = len(node.spec) - len(further)
    if not further:
        return own_names(node, count if unpacks(node) else 1)
    if count == 1:
        return (*own_names(node, 1), *further)
    names = bound(node) if unpacks(node) else ()
    return (*(names if len(names) == count else (part_name(node, i) for i in range(count))), *further)


def own_names(node: Node, count: int) -> tuple[str, ...]:
    """The user's names for what a call gives, where there are so many; else one of ours."""
    further = node.meta.get("handed_back", ())
    names, formed = bound(node), forming(node)
    if len(names) == count:
        return names
    taken = {*further, *map(target, gone_on(node))}
    single = not isinstance(node.spec, tuple | dict) or len(node.spec) - len(further) == 1
    return (formed if formed and formed not in taken else "value" if single else "values",)


def writers(node: Node) -> list[Node]:
    """What writes into an array."""
    return [u for u in node.users if (u.meta.get("inplace") or u.target is after) and u.args[0] is node]


def written_name(node: Node) -> str:
    """What the user calls an array that he writes into."""
    known = [node, *writers(node)]
    return next(filter(None, map(target, known)), None) or own_name(node)


def target(node: Node) -> str | None:
    """What the user calls the array whose new value this is, where he wrote into it."""
    return getattr(node.stands_for, "meta", {}).get("writes")


def result_names(node: Node) -> tuple[str, ...]:
    """What the user calls the results of a region."""
    names = node.own_names if len(node.own_names) == len(node.spec) else [""] * len(node.spec)
    # `_` is what nobody reads.
    return tuple(n if n.strip("_") else f"{node.target.name}_{i}" for i, n in enumerate(names))


def given_names(node: Node) -> tuple[str, ...]:
    """Likewise where a region is a call: its statement may have other names for them than the region."""
    names = [*result_names(node)]
    for user in node.users:
        said = bound(user)
        if unpacks(user):
            said = said[user.args[1] :][:1] if len(said) == len(names) else ()
        if len(said) == 1:
            names[user.args[1]] = said[0]
    return tuple(names)


def forming(node: Node) -> str | None:
    """The name that the user's statement gives to what a call in it goes into: h, in `h = gelu(linear(x))`,
    where gelu has to be spelled out.
    """
    source = node.stands_for
    found = source.place.statement if source is not None and source.place is not None else None
    single = isinstance(node.target, Function) and found is not None and len(found.targets) == 1
    return found.targets[0] if single and found is not None else None


def together(node: Node) -> bool:
    """Whether the results of a node are unpacked into names of their own."""
    return len(node.users) > 1 or unpacks(node)


def part_name(node: Node, index: int) -> str:
    for user in node.users:
        if part(user) and user.args[1] == index:
            names = bound(user)
            if len(names) == 1 and not unpacks(user):
                return names[0]
            nouns = node.target.noun.split() if isinstance(node.target, Op) else []
            fields = node.meta.get("fields") or (nouns if len(nouns) == len(node.spec) else ())
            return str(fields[index]) if fields else f"{own_name(node)}_{index}"
    return "_"


def own_name(node: Node) -> str:
    if isinstance(node.target, (Op, Function)):
        called = target(node) or getattr(node.stands_for, "meta", {}).get("called")
        noun = node.target.noun if isinstance(node.target, Op) else ""
        return str(called or node.meta.get("step") or noun or node.target.name)
    if taken(node):
        return "number"
    same = REGISTER[OPS[node.target]].noun if node.target in OPS else ""  # of arrays
    return same or node.name

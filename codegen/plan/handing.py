"""Handing: calls of functions that write into what they are given, where arrays can be written into.

A call writes into the memory of its operand where nobody else has that memory, and nothing that is printed
later reads what was there; else into a copy, which the caller goes on with. What is written into a part of an
array is written into the array.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Graph, Node, map_arg
from ...ir.graphs.node import collect
from ...ir.graphs.regions import Region, after, gone_on, graphs, store
from ...ir.meaning.op import REGISTER, Op
from ...ir.ops.indexing import UPDATES, Slot
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ...ir.worklist import Worklist
from . import axes
from .aliases import shares

if TYPE_CHECKING:
    from .in_place import Raising


def called(raising: Raising, call: Node) -> None:
    """Let a call write into what it is given; `raising` is that of the graph around, see in_place.py."""
    for number in call.target.writes:
        if raising.target.own_numbers:
            axes.handed(call.args[number])
        base = joined(raising, call, number)
        keep_old(raising, base, call)
        if not raising.fresh(base) or read_later(raising, base, call, call.args[number]):
            base = copied(raising, call, number, base)
        raising.take(base, call)
        for given in raising.graph.placeholders:  # which the caller may have given twice
            if raising.memory(base).op == "placeholder" and isinstance(given.spec, Spec):
                raising.hold(given, call)


def operand_after(call: Node, number: int) -> Node | None:
    """What an operand is after the call, where somebody reads it."""
    return next((user for user in gone_on(call) if user.args[2] == number), None)


def joined(raising: Raising, call: Node, number: int) -> Any:
    """The array that a call writes into: of a part whose new value is then written into the whole, the whole.
    Who reads the part afterwards takes it out of the whole again.
    """
    part, new = call.args[number], operand_after(call, number)
    levels = []
    while new is not None and (update := into_whole(raising, part, new)) is not None:
        levels.append((part, new, update))
        part, new = part.args[0], update
    if new is None or not levels:
        return part
    with raising.graph.inserting_before(call.next):
        value = raising.graph.create_node("call_function", after, (part, call, number))
    value.spec, value.stands_for, value.origin = new.spec, new.stands_for, new.origin
    raising.at[value] = raising.at[call] + 0.25
    new.replace_all_uses_with(value)
    for inner, old, update in reversed(levels):
        raising.graph.erase_node(update)
        with raising.graph.inserting_before(value.next):
            again = raising.graph.call(inner.target, value, *inner.args[1:], **inner.kwargs)
        raising.at[again] = raising.at[value] + 0.01
        again.stands_for = inner.stands_for
        old.replace_all_uses_with(again)
        value = again
    raising.graph.erase_node(levels[0][1])
    while not value.users and value.target is not after:
        value, unread = value.args[0], value
        raising.graph.erase_node(unread)
    return part


def into_whole(raising: Raising, part: Any, new: Node) -> Node | None:
    """The array that a part is surely a part of, with the new value of the part written into it."""
    if not isinstance(part, Node) or not isinstance(part.target, Op) or not part.args:
        return None
    if not shares(part, raising.target):
        return None
    found = [user for user in new.users if writes_back(part, new, user)]
    return found[0] if len(found) == 1 else None


def writes_back(part: Node, new: Node, user: Node) -> bool:
    """Whether a user of the new value of a part gives the whole with that value in its place."""
    whole = part.args[0]
    if part.target is REGISTER["getitem"]:
        key = part.kwargs["key"]
        written = user.target is REGISTER["update"] and user.args == (whole, new)
        return written and user.kwargs["key"] == key and not any(isinstance(k, Slot) for k in key)
    if part.target in (REGISTER["swapaxes"], REGISTER["matrix_transpose"]):
        return user.target is part.target and user.kwargs == part.kwargs
    if part.target is REGISTER["permute_dims"] and user.target is part.target:
        return inverse(part.kwargs["axes"], len(part.spec.shape), user.kwargs["axes"])
    return False


def inverse(axes: Any, rank: int, other: Any) -> bool:
    """Whether one permutation of axes undoes another; None reverses them."""
    mine, theirs = (range(rank)[::-1] if a is None else [n % rank for n in a] for a in (axes, other))
    return [mine[n] for n in theirs] == list(range(rank))


def read_later(raising: Raising, base: Node, call: Node, operand: Node) -> bool:
    """Whether something after a call reads what was there, or a view of it; or the call itself does, but not
    as its `operand`.
    """
    for alias in raising.aliases(base, call):
        for user in alias.users:
            if user is call:
                if alias is not operand or sum(leaf is alias for leaf in leaves(call.args)) > 1:
                    return True
            elif user.target not in (store, after) and raising.at[user] > raising.at[call]:
                if not shares(user, raising.target):
                    return True
    return False


def copied(raising: Raising, call: Node, number: int, base: Any) -> Node:
    """Let a call write into a copy of `base`, or into the same part of it. Returns the copy."""
    operand, made = call.args[number], raising.copy(base, call)
    views = []
    while operand is not base:
        views.append(operand)
        operand = operand.args[0]
    operand = made
    for view in reversed(views):
        with raising.graph.inserting_before(call):
            operand = raising.graph.call(view.target, operand, *view.args[1:], **view.kwargs)
        raising.at[operand] = raising.at[call] - 0.25
    call.update_arg(number, operand)
    for view in views:
        raising.graph.erase_node(view) if not view.users else None
    new = operand_after(call, number)
    if new is not None:
        new.update_arg(0, made)
        made.stands_for = new.stands_for
    result: Node = made
    return result


def apart(raising: Raising, graph: Graph) -> None:
    """Copy what a function gives that lies in the memory of what it was given to write into. What the caller
    takes for the operand itself is left as it is.
    """
    stores = [node for node in graph.nodes if node.target is store]
    finals = {node.args[1] for node in stores}
    output = graph.output_node
    for node in stores:
        lying = set(lying_in(raising, node.args[0]))
        for value in dict.fromkeys(leaves(output.args[0])):
            if value in lying and value not in finals:
                made = raising.copy(value, output)
                output.replace_input_with(value, made)


def lying_in(raising: Raising, given: Node) -> list[Node]:
    """What may lie in the memory of an array that is written into: its newer versions, and views of them."""
    versions = [node for node in raising.graph.nodes if raising.memory(node) in and_twins(given)]
    return list(dict.fromkeys(alias for node in versions for alias in raising.aliases(node)))


def twinned(region: Node) -> None:
    """Note which placeholders of a cond's graphs stand for one value."""
    for graph in graphs(region):
        groups: dict[Any, list[Node]] = {}
        for placeholder, value in zip(graph.placeholders, region.args[3]):
            groups.setdefault(value, []).append(placeholder)
        for group in groups.values():
            for placeholder in group:
                placeholder.meta["twins"] = [other for other in group if other is not placeholder]


def and_twins(given: Node) -> list[Node]:
    """The placeholders that stand for the same array as one."""
    return [given, *given.meta.get("twins", ())]


# What an argument held.


def keep_old(raising: Raising, base: Any, writer: Node) -> None:
    """Copy what an argument held before a write that the caller is to see, where it is read afterwards."""
    root = raising.memory(base)
    if root in raising.stored and leads(writer, root):
        known = [base, *and_twins(root)[1:]]
        copy_old(raising, [alias for v in known for alias in raising.aliases(v, writer)], writer)


def leads(writer: Node, given: Node) -> bool:
    """Whether what is written is part of what an argument holds in the end."""
    stored = [user.args[1] for user in given.users if user.target is store and user.args[0] is given]
    ahead = Worklist(value for value in stored if isinstance(value, Node))
    for value in ahead:
        if value is writer or value.target is after and value.args[1] is writer:
            return True
        if value.target in UPDATES or value.target is after:
            ahead.add([value.args[0]] if isinstance(value.args[0], Node) else [])
        elif value.target is operator.getitem and isinstance(value.args[0].target, Region):
            ahead.add(value.args[0].all_input_nodes)
    return False


def overwritten(raising: Raising, node: Node) -> None:
    """An argument is given at once what it holds in the end: what lies in its memory is read before."""
    lying = lying_in(raising, node.args[0])
    copy_old(raising, lying, node)
    for alias in lying:
        raising.hold(alias, node)


def copy_old(raising: Raising, aliases: Iterable[Node], writer: Node) -> None:
    for alias in (a for a in aliases if raising.at[a] < raising.at[writer]):
        later = [u for u in alias.users if raising.at[u] > raising.at[writer] and reads(u, alias, writer)]
        if later:
            made = raising.copy(alias, writer)
            made.stands_for, made.meta["step"] = alias.stands_for, raising.memory(alias).name
            for user in later:
                replace(user, alias, made)
            if alias.op == "call_function" and [*alias.users] == [made]:  # which has its name
                alias.stands_for = None


def reads(user: Node, alias: Node, writer: Node) -> bool:
    """Whether a user of an array reads it, and does not only say what becomes of it."""
    if user.target is store:
        return user.args[1] is alias
    if isinstance(user.target, Region):
        inside: dict[Node, None] = {}
        collect(user.args[:3], inside)
        return alias in inside or any(v is alias and not kept for v, kept in zip(user.args[3], targets(user)))
    return user.target is not after or user.args[1] is not writer


def only_stores(user: Node, alias: Node) -> bool:
    """Whether a region takes an array for nothing but to say what it holds where the function returns."""
    return isinstance(user.target, Region) and not reads(user, alias, user)


def replace(user: Node, alias: Node, made: Node) -> None:
    """Let `user` read the copy of an array; where it stores into it, that stays the array itself."""
    if user.target is store:
        user.update_arg(1, made)
    elif isinstance(user.target, Region):
        head = map_arg(user.args[:3], lambda n: made if n is alias else n)
        pairs = zip(user.args[3], targets(user))
        user.args = (*head, tuple(made if v is alias and not kept else v for v, kept in pairs))
    else:
        user.replace_input_with(alias, made)


def targets(region: Node) -> list[bool]:
    """Whether the graphs of a region only store in each of its operands."""
    count = len(region.args[3])
    columns = zip(*(graph.placeholders[-count:] for graph in graphs(region))) if count else ()
    return [all(map(is_target, column)) for column in columns]


def is_target(given: Node) -> bool:
    """Whether an array that a graph is given is only stored in."""
    return all(
        user.target is store and user.args[1] is not given
        or isinstance(user.target, Region)
        and not reads(user, given, user)
        for user in given.users
    )

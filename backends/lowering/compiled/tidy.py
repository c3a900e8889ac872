"""Lean: a compiled `if` gives only what it decides, a compiled loop carries nothing twice.

What closing and staging make is whole but wordy: values that both ways give unchanged stand beside what they
do change, a flag that tells which way was gone is the test itself, and one that a loop was left by another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.likeness import equal
from ....ir.graphs.regions import (
    cond,
    for_loop,
    forms_of,
    graphs,
    is_loop,
    item_names,
    lists_of,
    loop,
    placed,
)
from ....ir.graphs.walk import every_graph
from ....ir.meaning.op import REGISTER
from ....ir.program import Program
from ....ir.values.dtypes import bool_
from ....ir.values.spec import Spec
from ....ir.values.tree import leaves, map_leaves


def lean(program: Program) -> None:
    """Take out of the conds of a program, and of the graphs in it, what they do not decide."""
    for graph in every_graph(program, inner_first=True):
        for node in list(graph.nodes):
            if node.target is cond and all(g.output_node.target == "yield" for g in graphs(node)):
                decided(graph, node)
            elif is_loop(node):
                once(node)


def trimmed(program: Program) -> None:
    """Take out of the conds of a program, and of the graphs in it, what nobody reads; and what loops count
    for nobody beside what they go through.
    """
    for graph in every_graph(program):
        trim(graph)


def trim(program: Program) -> None:
    for node in reversed(list(program.nodes)):
        if node.target is for_loop:
            uncounted(node)
        if node.target is cond and node.spec and not all(any(p.users for p in ps) for ps in results(node)):
            kept = [i for i, ps in enumerate(results(node)) if any(p.users for p in ps)]
            for part in (p for ps in results(node) for p in ps if not p.users):
                program.erase_node(part)
            keep(program, node, kept)


def uncounted(node: Node) -> None:
    """Leave out counts that no turn reads where a loop goes through something else as well, and what no turn
    reads of the items of a list.
    """
    parts, forms = loop(node), forms_of(node)
    kept = {i for i, item in enumerate(parts.items) if item.users or isinstance(parts.sources[i], Node)}
    lists = [each for each in map(numbers, forms) if isinstance(parts.sources[each[0]], list)]
    kept |= {each[0] for each in lists if kept.isdisjoint(each)}
    by_place = placed(node)
    kept |= {0} if by_place else set()
    if not kept or len(kept) == len(parts.items):
        return
    counts = [isinstance(form, int) and form not in kept for form in forms]
    names = item_names(node)
    for i, item in enumerate(parts.items):
        if i not in kept:
            parts.body.erase_node(item)
    order = sorted(kept)
    node.args = (tuple(parts.sources[i] for i in order), *node.args[1:])
    left = [form for form, unread in zip(forms, counts) if not unread]
    node.meta["forms"] = tuple(map_leaves(form, {old: i for i, old in enumerate(order)}.get) for form in left)
    node.meta["placed"] = by_place
    node.meta["lists"] = tuple(path for path, unread in zip(lists_of(node), counts) if not unread)
    if counts[0]:  # by enumerate
        node.meta["items"] = names[1:]


def numbers(form: Any) -> list[int]:
    """The sources that what a turn takes is of."""
    return [number for number in leaves(form) if number is not None]


def results(node: Node) -> list[list[Node]]:
    """The nodes that stand for each result of a region."""
    found: list[list[Node]] = [[] for _ in node.spec]
    for user in node.users:
        found[user.args[1]].append(user)
    return found


def decided(program: Program, node: Node) -> None:
    """Let one cond give what it decides."""
    sides = [graph.output_node for graph in graphs(node)]
    parts = results(node)
    kept = []
    for i, values in enumerate(zip(*(side.args[0] for side in sides), strict=True)):
        if any(part.users for part in parts[i]):
            value = given_both_ways(program, node, values, name(node, i))
            if value is None:
                kept.append(i)
                continue
            for part in parts[i]:
                part.replace_all_uses_with(value)
        for part in parts[i]:
            program.erase_node(part)
    if len(kept) < len(node.spec):
        keep(program, node, kept)


def keep(program: Program, node: Node, kept: Sequence[int]) -> None:
    """Let a cond give these of its results alone; the others have no readers."""
    parts = results(node)
    for number, i in enumerate(kept):
        for part in parts[i]:
            part.args = (node, number)
    names = tuple(name(node, i) for i in kept)
    for graph in graphs(node):
        if graph.output_node.target == "yield":
            graph.output_node.args = (tuple(graph.output_node.args[0][i] for i in kept),)
    node.spec = tuple(node.spec[i] for i in kept)
    node.names = names
    for graph in graphs(node):
        graph.eliminate_dead_code()
    unread(node)
    if not kept and not node.is_impure():
        program.erase_node(node)


def name(node: Node, index: int) -> str:
    names = node.own_names
    return str(names[index]) if len(names) == len(node.spec) else ""


def given_both_ways(program: Program, node: Node, values: Sequence[Any], called: str) -> Any:
    """What both ways give, as the graph around knows it; None where they give different things."""
    predicate, *_, operands = node.args
    found = [outside(graph, value, operands) for graph, value in zip(graphs(node), values)]
    if any(value is None for value in found):
        return None
    if found[0] is found[1] and isinstance(found[0], Node):
        return found[0]
    if any(isinstance(value, Node) for value in found) or found[0][1] != found[1][1]:
        return None
    (one, dtype), (other, _) = found
    flag = isinstance(predicate, Node) and predicate.spec == Spec((), bool_) and dtype is bool_
    with program.inserting_before(node):
        program.origin = node.origin
        if one == other and type(one) is type(other):
            made = program.call(REGISTER["array"], value=one, dtype=dtype)
            made.meta["number"] = True
            return made
        if not flag or {one, other} != {True, False}:
            return None
        made = predicate if one else program.call(REGISTER["logical_not"], predicate)
    if called and made.op == "call_function":
        made.meta.setdefault("step", called)
    return made


def outside(graph: Graph, value: Any, operands: Sequence[Any]) -> Any:
    """A value of a way as the graph around knows it: an operand, or a number with its dtype; else None."""
    if not isinstance(value, Node):
        return None
    if value.op == "placeholder":
        found = operands[graph.placeholders.index(value)]
        return found if isinstance(found, Node) else None
    if value.target is REGISTER["array"] and not isinstance(value.kwargs["value"], list):
        return value.kwargs["value"], value.kwargs["dtype"]
    return None


def unread(node: Node) -> None:
    """Leave out operands that no way reads any more."""
    predicate, then, orelse, operands = node.args
    places = list(zip(then.placeholders, orelse.placeholders, operands, strict=True))
    read = [any(p.users for p in pair) for *pair, _ in places]
    for (*pair, _), wanted in zip(places, read):
        for placeholder in pair if not wanted else ():
            placeholder.graph.erase_node(placeholder)
    node.args = (predicate, then, orelse, tuple(o for (*_, o), wanted in zip(places, read) if wanted))


def once(node: Node) -> None:
    """Let a loop carry equal values as one, and none that nobody reads, or that is one number throughout."""
    parts = loop(node)
    columns = [[g.placeholders[first(g, node) + i] for g in graphs(node)] for i in range(len(parts.state))]
    for j, mine in enumerate(columns):
        begins, ends = parts.state[j], parts.yields[j]
        read = any(part.users for part in results(node)[j])  # or it is a state since there must be one
        stays = read and ends in mine and getattr(begins, "target", None) is REGISTER["array"]
        if isinstance(begins, Node) and (stays or same_value(begins, ends)):
            settle(parts.state[j], mine, results(node)[j])
        for i, theirs in enumerate(columns[:j]):
            pairs = zip((parts.state[i], parts.yields[i]), (parts.state[j], parts.yields[j]))
            if node.spec[i] == node.spec[j] and all(same_value(a, b) for a, b in pairs):
                for placeholder, other in zip(mine, theirs):
                    placeholder.replace_all_uses_with(other)
                for part in results(node)[j]:
                    part.args = (node, i)
                break
    given = results(node)
    kept = [i for i, ps in enumerate(columns) if any(p.users for p in (*ps, *given[i]))]
    if len(kept) < len(columns):
        carry(node, kept)


def settle(number: Node, placeholders: Sequence[Node], users: Sequence[Node]) -> None:
    """A number that no turn changes is that number, within the loop and after it."""
    for placeholder in placeholders:
        graph = placeholder.graph
        if placeholder.users:
            with graph.inserting_after(graph.placeholders[-1]):
                made = graph.call(number.target, **number.kwargs)
            made.meta.update(number.meta)
            placeholder.replace_all_uses_with(made)
    for user in users:
        user.replace_all_uses_with(number)


def first(graph: Graph, node: Node) -> int:
    """The number of the first placeholder of the state: after the items of a turn, in a body."""
    parts = loop(node)
    return len(parts.sources) if graph is parts.body else 0


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are the same, or the same number."""
    if isinstance(one, Node) and isinstance(other, Node):
        numbers = one.target is other.target is REGISTER["array"]
        return one is other or numbers and repr(one.kwargs) == repr(other.kwargs)
    return equal(one, other)


def carry(node: Node, kept: Sequence[int]) -> None:
    """Let a loop carry these columns of its state alone; the others have no readers."""
    parts = loop(node)
    every = [*kept, *range(len(parts.state), len(node.spec))]
    names = tuple(name(node, i) for i in every)
    found = results(node)
    for i, users in enumerate(found):
        for part in users:
            part.graph.erase_node(part) if i not in every else None
    for number, i in enumerate(every):
        for part in found[i]:
            part.args = (node, number)
    for graph in graphs(node):
        placeholders = graph.placeholders[first(graph, node) :][: len(parts.state)]
        if graph is parts.body:
            graph.output_node.args = (tuple(graph.output_node.args[0][i] for i in every),)
        for i, placeholder in enumerate(placeholders):
            graph.erase_node(placeholder) if i not in kept else None
        graph.eliminate_dead_code()
    ahead, body, state, operands = node.args
    node.args = (ahead, body, tuple(state[i] for i in kept), operands)
    node.spec = tuple(node.spec[i] for i in every)
    node.names = names

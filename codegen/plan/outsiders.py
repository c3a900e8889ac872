"""Outsiders: what is written into an argument may be part of any other array that came from outside.

No read of one is moved over a write into another: the text is then right for arguments that share memory.
Where it has to read and write in another order than the program, they must be apart, and are checked to be.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...backends.backend import Backend
from ...backends.lowering.together import path
from ...backends.lowering.together import readers as reading
from ...backends.reading.locations import place
from ...backends.reading.results import given
from ...ir.analysis.aliases import PROGRAM, results
from ...ir.analysis.outside import MAYBE, NEW, doubtful, gives, is_view, writes
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function, Region, after, put, since, store, through
from ...ir.graphs.walk import every_node
from ...ir.meaning.op import Op
from ...ir.noting import note_dtypes
from ...ir.ops.indexing import UPDATES
from ...ir.program import Program
from ...ir.values.listing import holds_arrays
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ...ir.worklist import reached
from . import aliases
from .aliases import shares
from .copying import copied
from .results import apart_last, is_array, with_leaves

#: A value, and the regions and functions that run the graph that it is in.
Inside = tuple[Node, tuple[Node, ...]]


def memory(value: Any) -> Any:
    """The node whose memory a value lies in, as far as writes in place go."""
    for older in versions(value):
        value = older
    return value


def versions(value: Any) -> Iterator[Any]:
    """A value, and what it was before each of the writes in place into its memory."""
    while value is not None:
        yield value
        value = before(value)


def before(value: Any) -> Any:
    """What a value was before a write in place, or as a region was given it; None of what is made."""
    if not isinstance(value, Node):
        return None
    if value.meta.get("inplace") or value.target in (after, since):
        return value.args[0]
    if value.target is operator.getitem and "memory" in getattr(value.args[0], "meta", {}):
        return value.args[0].meta["memory"][value.args[1]]
    return None


def is_now(node: Node, value: Node) -> bool:
    """Whether a node is what a value is after a write."""
    return bool(node.meta.get("inplace")) and node.args[0] is value


def written_part(node: Node) -> bool:
    """Whether a value is what a part of an array was written to be, which the text has beside the array."""
    call = node.stands_for
    whole = call.meta.get("of") if call is not None else None
    return whole is not None and whole.target is through


def each_of(value: Any) -> Sequence[Any]:
    """What a graph is given for a placeholder: of the items of a list, any."""
    return value if isinstance(value, list) else (value,)


def is_number(item: Node, target: Backend) -> bool:
    """Whether what a loop takes from an array is a number to the program or to the target, and a part of the
    array to the other.
    """
    if "item" not in item.meta or not isinstance(item.spec, Spec) or item.spec.shape != ():
        return False
    return bool(item.meta.get("number")) != target.own_numbers


def ends(step: Node) -> Iterator[Node]:
    """What a step on the way to what the program calls leads to."""
    steps = reached([step], lambda node: (user for user in node.users if user.stands_for is None))
    return (user for one in steps for user in one.users if user.stands_for is not None)


def own_views(node: Node, anew: Mapping[Node, Sequence[Node]]) -> Iterator[Node]:
    """A value and what the program itself has, or may have, as views of it.

    Args:
        anew: what is in the memory of values once the program wrote into it, and in the text elsewhere.
    """

    def more(alias: Node) -> Iterator[Node]:
        for user in alias.users:
            if isinstance(user.target, Region | Function):
                yield from PROGRAM.handed(user, alias)
            elif is_now(user, alias) or is_view(user):
                yield user
        yield from anew.get(alias, ())

    return reached([node], more)


class Outsiders:
    """The part of Raising (in_place.py) that is about other arguments than the one that is written into."""

    graph: Program
    target: Backend
    owned: set[Node]
    used: set[Node]
    at: dict[Node, float]
    outside: list[Node]
    disjoint: set[tuple[Node, Node]]
    #: Whether the graph is the body of a loop.
    turns: bool
    #: What is in the memory of values once the program wrote into it, and in the text elsewhere.
    anew: dict[Node, list[Node]]
    #: What the arrays from outside are called, of graphs inside.
    paths: dict[Node, set[str]]

    def hold(self, value: Node, writer: Node) -> None:
        raise NotImplementedError

    def hold_numbers(self, writer: Node) -> None:
        raise NotImplementedError

    def copy(self, value: Node, before: Node) -> Node:
        raise NotImplementedError

    def keep_views(self, base: Any, node: Node) -> None:
        raise NotImplementedError

    def all_aliases(self, value: Any) -> Iterator[Node]:
        raise NotImplementedError

    def wrote(self, value: Any, writer: Node) -> None:
        """Note that what has the memory of a value is written into."""
        root = memory(value)
        if root not in self.owned:
            return
        self.used.add(root)
        if root in self.outside:
            self.hold_numbers(writer)
        for other in self.outside if root in self.outside else ():
            if other is not root:
                self.keep_order(root, other, writer)
                self.hold(other, writer)

    def keep_order(self, root: Node, other: Node, writer: Node) -> None:
        """See to it that what is taken of another array before a write sees of it what it sees in the
        program: a copy is one, and a view that the target has not as one makes it matter that they are
        apart. In a loop what is taken after a write and handed on is taken before that of the next turn.
        """
        if is_number(other, self.target) and self.is_seen(other, writer):
            self.disjoint.add((root, other))
        stack, seen = [other], {other}
        while stack:
            alias = stack.pop()
            for made in self.anew.get(alias, ()):
                self.keep_apart_from(made, root, other, writer)
            for user in alias.users:
                if user in seen or self.at[user] >= self.at[writer] and not self.turns:
                    continue
                seen.add(user)
                stack += self.versions(user, alias)
                if isinstance(user.target, Region | Function):
                    given = {*self.versions(user, alias), *PROGRAM.handed(user, alias)}
                    for result in given if not aliases.stays_in_place(user, alias, self.target) else ():
                        self.keep_apart_from(result, root, other, writer)
                    seen |= given
                items = [user]
                if isinstance(user.spec, tuple) and isinstance(user.target, Op):  # its items may be parts
                    items = [item for item in user.users if item.target is operator.getitem]
                for item in items:
                    if not isinstance(item.spec, Spec) or item.meta.get("inplace"):
                        continue
                    self.keep_seen(item, root, other, writer)
                    if shares(user, self.target):
                        stack.append(item)

    def keep_seen(self, value: Node, root: Node, other: Node, writer: Node) -> None:
        """The same for one value that is taken of the other array, a view or a copy."""
        source = value.args[0] if value.target is operator.getitem else value
        shared = shares(source, self.target)
        view = gives(value) != NEW
        unsure = view and (gives(value) == MAYBE or not shared)
        if unsure or doubtful(value) or written_part(value):
            self.keep_apart_from(value, root, other, writer)
        for end in ends(value) if value.stands_for is None and not shared else ():
            if gives(end) != NEW or doubtful(end):
                self.keep_apart_from(end, root, other, writer)
        if shared and not view and any(self.is_seen(v, writer) for v in aliases.views(value, self.target)):
            self.copied(value)

    def keep_apart_from(self, value: Node, root: Node, other: Node, writer: Node) -> None:
        """It matters that they are where a value, or what the program has as a view of it, is read after a
        write.
        """
        if any(self.is_seen(view, writer) for view in own_views(value, self.anew)):
            self.disjoint.add((root, other))

    def is_seen(self, value: Node, writer: Node) -> bool:
        """Whether a value is read after a write: by what comes later, by the region or function that writes
        and may read what it was given after that, or in another turn.
        """
        inside = isinstance(writer.target, Region | Function)
        return any(
            self.at[reader] > self.at[writer] and self.at[value] < self.at[writer]
            or inside and reader is writer
            or self.turns and reader.op == "output"
            for reader in readers(value)
        )

    def versions(self, user: Node, alias: Node) -> Iterator[Node]:
        """What stands for the memory of an array once `user` has written into it, or has handed it on."""
        if isinstance(user.target, Region | Function):
            yield from aliases.along(self.target).handed(user, alias)
            kept = user.meta.get("memory", ())
            yield from (u for u in user.users if kept and kept[u.args[1]] is alias)
        elif is_now(user, alias) or user.target is after and user.args[0] is alias:
            yield user

    def copied(self, value: Node) -> None:
        """Let a copy stand for a value."""
        with self.graph.inserting_before(value.next):
            made = copied(self.graph, value)
        made.stands_for = value.stands_for
        self.at[made] = self.at[value] + 0.25
        for user in list(value.users):
            if user is not made:
                user.replace_input_with(value, made)

    def overtaken(self, node: Node) -> None:
        """An argument takes its new value only here: what is read of others in between must not be part of
        it.
        """
        argument = node.args[0]
        first = min((self.at[u] for u in argument.users if writes(u, argument)), default=0)
        for other in self.outside if argument in self.outside else ():
            if other is argument:
                continue
            if any(self.sees(reader, first) for reader in reading(other)):
                self.disjoint.add((argument, other))
            self.keep_order(argument, other, node)
            self.hold(other, node)

    def sees(self, reader: Node, first: float) -> bool:
        """Whether a reader might see a write at this place: a region may write first, and then read."""
        return self.at[reader] > first or self.at[reader] == first and isinstance(reader.target, Region)

    def from_outside(self, given: Mapping[Node, Any]) -> list[Node]:
        """The placeholders of a graph inside that stand for arrays from outside, or for parts of them."""
        found = {alias for array in self.outside for alias in self.all_aliases(array)}
        return [p for p, v in given.items() if any(memory(e) in found or e in found for e in each_of(v))]

    def taken_up(self, inner: Outsiders, given: Mapping[Node, Any]) -> None:
        """What must be apart in a graph inside must be so outside."""
        for pair in inner.disjoint:
            first, second = ([o for v in each_of(given[node]) for o in self.outsiders(v)] for node in pair)
            self.disjoint |= {(one, other) for one in first for other in second if one is not other}

    def separate(self, memories: Sequence[Any]) -> None:
        """Copy what is returned, or put into an argument, where it would lie in the memory of an argument or
        of another of these, and does not in the program, where they lie in `memories`.
        """
        values = [leaf for value in given(self.graph) for leaf in leaves(value)]
        seen: list[tuple[Any, Any, Any]] = []
        made = list(values)
        found = list(zip(values, memories)) if len(values) == len(memories) else []
        for i in apart_last(found):
            value, mine = found[i]
            if not isinstance(value, Node) or mine is None:
                continue
            if not is_array(value) and not holds_arrays(value.target):
                continue
            lying = self.lying(value)
            if not is_array(value):
                if self.said(lying) - mine:
                    value.args = tuple(self.own_items(rows, value) for rows in value.args)
                    lying = self.lying(value)
                seen.append((lying, mine, (value, value)))
                continue
            shared = any(lying & other and not mine & theirs for other, theirs, _ in seen)
            number = value.meta.get("union")  # of Python's on one way, which cannot be copied
            if (shared or self.said(lying) - mine) and not number:
                same = (copy for _, theirs, (old, copy) in seen if old is value and theirs == mine)
                made[i] = next(same, None) or self.copy(value, self.owners()[0])
                lying = {made[i]}
            seen.append((lying, mine, (value, made[i])))
        self.give(made)

    def said(self, values: Iterable[Any]) -> set[str]:
        """What the function calls those of some values that come from outside."""
        outside = (value for value in values if value in self.outside)
        return {name for value in outside for name in self.paths.get(value) or {path(value)}}

    def said_inside(self, inside: Sequence[Node], given: Mapping[Node, Any]) -> dict[Node, set[str]]:
        """What the function calls the arrays that placeholders of a graph inside may stand for."""
        return {p: {n for v in each_of(given[p]) for n in self.said(self.outsiders(v))} for p in inside}

    def own_items(self, rows: Node, made: Node) -> Node:
        """The arrays of a list in memory of their own. NumPy's numbers are; Python's, on some ways, have no
        copy.
        """
        if self.target.own_numbers and rows.spec.rank == 1 or isinstance(rows.form, tuple):
            return rows
        note_dtypes(rows)  # the copies are of one dtype
        return self.copy(rows, made)

    def owners(self) -> list[Node]:
        """What puts values into arguments, or returns them."""
        return [node for node in self.graph.nodes if node.target is put or node.op == "output"]

    def give(self, values: Sequence[Any]) -> None:
        """Let these be what is put into arguments, and returned."""
        supply = iter(values)
        for node in self.owners():
            held = node.args[-1] if node.target is put else node.args[0]
            held = with_leaves(held, supply)
            node.args = (*node.args[:2], held) if node.target is put else (held, *node.args[1:])

    def give_stored(self, stores: Sequence[Node], memories: Sequence[Any]) -> None:
        """Where the program returns an argument that it has written into, return what is stored there."""
        values = [leaf for value in given(self.graph) for leaf in leaves(value)]
        if len(values) == len(memories):
            held = {(node.args[1], frozenset({path(node.args[0])})): node for node in stores}
            self.give([held.get((value, mine), value) for value, mine in zip(values, memories)])

    def give_arguments(self) -> None:
        """Return what is stored in an argument as the value, or as the argument if it comes there last."""
        for node in [n for n in self.graph.nodes if n.target is store and n.users]:
            argument, value = node.args
            node.replace_all_uses_with(value if memory(value) is argument else argument)

    def lying(self, value: Node) -> set[Any]:
        """What has the memory in which a value may lie, also through regions and functions: what is made in
        these is said together with what runs them.
        """

        def behind(where: Inside) -> Iterator[Inside]:
            one, runs = where
            near = aliases.shared_with(one, self.target) or ()
            here = (memory(one), *near, *aliases.handed_by(one, self.target))
            yield from ((other, runs) for other in here if isinstance(other, Node))
            inside = (*runs, place(one)[0])
            yield from ((other, inside) for other in aliases.made_in(one) if isinstance(other, Node))

        start: list[Inside] = [(value, ())] if isinstance(value, Node) else []
        found = reached(start, behind)
        return {*self.outsiders(value), *((one, runs) if runs else one for one, runs in found)}

    def outsiders(self, value: Any) -> list[Node]:
        """The arrays from outside in whose memory a value may lie."""
        lying = (value, memory(value))
        return [o for o in self.outside if any(a in lying for a in self.all_aliases(o))]


def refuse_together(program: Graph, target: Backend, written: Sequence[Node]) -> None:
    """Raises UnsupportedError where arguments that must be apart share memory in the example."""
    inside = (node for node in every_node(program) if node.target in UPDATES)
    found = (node.span for node in (*written, *inside) if node.span is not None)
    for one, other in sorted(program.meta["disjoint"]):
        if frozenset((one, other)) in program.meta.get("together", ()):
            raise UnsupportedError(
                "writing into an argument",
                backend=target.name,
                why=f"{one} and {other} share memory in the example, and the text has another order",
                span=next(found, None),
                hint="give arguments that share no memory, or write into a copy",
            )


def readers(node: Node) -> Iterator[Node]:
    """What uses a value, or one of several results."""
    return (user for part in results(node) for user in part.users)

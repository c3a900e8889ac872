"""Storage: which updates of a Program are written in place, for targets whose arrays can be.

An update makes a new value of an old one. It is written into the memory of the old where nobody else has
that memory, and nothing that is printed later reads the old value, or a view of it; else into a copy. Decided
before anything is nested, since nesting must not move a read past a write.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from ...backends.backend import Backend
from ...backends.lowering.storing import is_whole, note_axes
from ...backends.lowering.together import path
from ...ir.analysis.outside import is_value, numbers_given, outside
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function, Region, after, cond, is_loop, operands, standing_for, store
from ...ir.graphs.static import is_size
from ...ir.meaning.op import REGISTER, Op
from ...ir.ops.indexing import UPDATES, Slot
from ...ir.program import Program
from ...ir.values.spec import Spec
from ...ir.worklist import Worklist, reached
from . import aliases, axes, handing, held_in, lending, outsiders, stored
from .aliases import shares
from .augmented import again, augments, beside_detached, promotes
from .copying import copied
from .outsiders import Outsiders, memory, readers
from .widening import note_widening


def raised(program: Program, target: Backend) -> None:
    """Mark the updates of a program that are written in place, and copy what the others write into."""
    stores = [node for node in program.nodes if node.target is store]
    raising = Raising(program, stored.arguments(program), target, outside(program))
    memories = program.meta.get("memories", ()) if program.meta.get("entry") else ()
    raising.give_stored(stores, memories)
    raising.run()
    stored.settle(program)
    raising.give_arguments()
    if memories:
        raising.separate(memories)
    if program.meta.get("writes"):
        handing.apart(raising, program)
    for node in stores:
        if memory(node.args[1]) is node.args[0]:
            program.erase_node(node)
    program.meta["disjoint"] = {tuple(sorted(map(path, pair))) for pair in raising.disjoint}
    program.meta["disjoint"] |= program.meta.get("unsure", set())
    if program.meta.get("entry"):
        outsiders.refuse_together(program, target, [node.args[1] for node in stores])


def is_update(node: Node) -> bool:
    return node.target in UPDATES


class Raising(Outsiders):
    """One graph.

    Attributes:
        owned: the placeholders whose memory it may write into.
        outside: the arrays from outside the function, any of which may be another one of them.
        disjoint: pairs of these that must be apart, since the text reads and writes in another order than the
            program.
    """

    memory = staticmethod(memory)

    def __init__(
        self,
        graph: Graph,
        owned: set[Node],
        target: Backend,
        outside: Sequence[Node] = (),
        *,
        turns: bool = False,
    ) -> None:
        self.graph = cast(Program, graph)  # which the graphs in one are too
        self.outside = list(outside)
        self.disjoint: set[tuple[Node, Node]] = set()
        self.target = target
        self.turns = turns
        self.owned = owned
        self.used: set[Node] = set()
        self.anew: dict[Node, list[Node]] = {}
        self.containers: held_in.Inner = {}
        #: The values of the function that the placeholders stand for, where their memory is known.
        self.outer: Mapping[Node, Any] = {}
        self.paths: dict[Node, set[str]] = {}
        #: The arguments that hold in the end what the function has written into them.
        self.stored = {node.args[0] for node in graph.nodes if node.target is store}
        self.at = {node: float(i) for i, node in enumerate(graph.nodes)}

    def run(self) -> None:
        for node in list(self.graph.nodes):
            if node.erased:  # with the call that writes into a whole, see handing.py
                continue
            if is_update(node):
                self.update(node)
            elif node.meta.get("compiled"):
                lending.compiled(self, node)
            elif is_loop(node):
                lending.turned(self, node)
            elif node.target is cond:
                lending.chosen(self, node)
            elif isinstance(node.target, Function):
                if not node.target.graph.meta.get("raised"):
                    node.target.graph.meta["raised"] = True
                    raised(cast(Program, node.target.graph), self.target)
                handing.called(self, node)
            elif node.target is store and not stored.is_there(node, self.outer):
                handing.overwritten(self, node)
                self.overtaken(node)

    def update(self, node: Node) -> None:
        if self.nested(node):
            return
        base = node.args[0]
        handing.keep_old(self, base, node)
        possible = self.fresh(base) and not self.read_later(base, node, self.views_before(base, node))
        if is_whole(node) and not (possible and (self.augments(node) or memory(base) in self.owned)):
            if node.args[1].stands_for is None and node.args[1].op == "call_function":
                node.args[1].stands_for = node.stands_for
            note_widening(node)
            note_axes(node)
            self.elsewhere(base, node.args[1], node)
            node.replace_all_uses_with(node.args[1])
            self.graph.erase_node(node)
            return
        if possible:
            self.keep_views(base, node)
            self.keep_apart(base, node)
        else:
            self.elsewhere(base, node, node)
            base = self.copy(base, node)
            node.args = (base, *node.args[1:])
        node.meta["inplace"] = True
        self.take(base, node)

    def elsewhere(self, base: Any, value: Any, node: Node) -> None:
        """Note that what the program writes into the memory of a value is another value in the text."""
        if isinstance(base, Node) and isinstance(value, Node) and is_value(node):
            self.anew.setdefault(base, []).append(value)

    def take(self, base: Any, writer: Node) -> None:
        """Let `writer` write into the memory of a value."""
        if self.target.own_numbers:
            axes.written(memory(base))
        for value in dict.fromkeys((base, *lending.origins(base))):
            self.hold(value, writer)
        self.wrote(base, writer)

    def wrote(self, value: Any, writer: Node) -> None:
        """See above. The memory may be that of each value that a region was given."""
        for origin in lending.origins(value):
            super().wrote(origin, writer)

    def augments(self, node: Node) -> bool:
        """Whether it stands as `x += y`, which gives what it should."""
        return augments(node) and not (self.target.own_numbers and promotes(node))

    def keep_apart(self, base: Any, node: Node) -> None:
        """Copy what is written into a part of the array that it is itself a part of, where they must
        not overlap.
        """
        value = node.args[1]
        op, operand = again(node)
        own = [a for a in self.aliases(base) if a is not base]
        if isinstance(value, Node) and {*own}.isdisjoint(beside_detached(value, base)):
            node.meta["into"] = True
        if self.target.overlaps:
            return
        one = len(node.args) == 2 and value.spec.shape == ()  # an element, which torch reads once
        if op is None and value in own and not one:
            node.args = (base, self.copy(value, node), *node.args[2:])
        elif op is not None and operand in own:
            value.args = (value.args[0], self.copy(operand, value))

    def views_before(self, base: Any, node: Node) -> list[Node]:
        """The views of an old value that are taken before a write."""
        views = aliases.views(base, self.target) if isinstance(base, Node) else ()
        return [v for v in views if v is not base and self.at[v] < self.at[node]]

    def keep_views(self, base: Any, node: Node) -> None:
        """Copy what is read of the old value, by a view of it, after the write."""
        for alias in self.views_before(base, node):
            if aliases.is_number(alias, self.target) and not aliases.is_apart(alias, self.target):
                continue  # which for arrays of more axes the program has as a view, too
            later = [u for u in alias.users if self.at[u] > self.at[node] and not shares(u, self.target)]
            if not all(is_size(u) for u in later):
                if aliases.is_number(alias, self.target):  # of which one name is enough
                    later = list(alias.users)
                with self.graph.inserting_before(alias.next):
                    made = copied(self.graph, alias)
                made.stands_for = alias.stands_for
                self.at[made] = self.at[alias] + 0.25
                for user in later:
                    user.replace_input_with(alias, made)
                if len(alias.users) == 1:  # the copy has its name
                    alias.stands_for = None

    def nested(self, node: Node) -> bool:
        """Whether an update is of a part whose new value is then written into the whole: `x[i][j] = value`.
        The whole takes the value; who else reads the part takes it out of the whole again.
        """
        part = node.args[0]
        outer = [u for u in node.users if u.target is REGISTER["update"] and u.args[1] is node]
        if not isinstance(part, Node) or part.target is not REGISTER["getitem"] or len(outer) != 1:
            return False
        (whole,) = outer
        same = (
            whole.args[0] is part.args[0]
            and whole.args[2:] == part.args[1:]
            and whole.kwargs["key"] == part.kwargs["key"]
        )
        whole_part = node.target is REGISTER["update"] and node.kwargs["key"] == (...,)
        if not same or not whole_part and any(isinstance(k, Slot) for k in part.kwargs["key"]):
            return False
        others = [u for u in node.users if u is not whole]
        if any(self.at[u] < self.at[whole] for u in others):
            return False
        if others:
            last = self.outermost(whole, others)  # as long as it has no reader before, it may be nested too
            with self.graph.inserting_before(last.next):
                again: Node = self.graph.call(REGISTER["getitem"], whole, *part.args[1:], **part.kwargs)
            self.at[again] = self.at[last] + 0.25
            again.stands_for = part.stands_for
            for user in others:
                user.replace_input_with(node, again)
        if whole_part:
            whole.args = (whole.args[0], node.args[1], *whole.args[2:])
            if "keeps dtype" in node.meta:  # which was asked of what is written into the part
                whole.meta["keeps dtype"] = node.meta["keeps dtype"]
        else:
            whole.target, whole.kwargs = node.target, dict(node.kwargs)
            whole.args = (whole.args[0], *node.args[1:])
            whole.meta["outer"] = [part.kwargs["key"], *node.meta.get("outer", ())]
            whole.meta["part"] = node.meta.get("part", part)
        step = part, node.kwargs["key"], node.stands_for
        whole.meta["views"] = [*node.meta.get("views", ()), step]
        self.graph.erase_node(node)
        return True

    def outermost(self, whole: Node, readers: Sequence[Node]) -> Node:
        """The last of the updates by which a whole gets into another, and so on, before any reader."""
        while True:
            outer = [u for u in whole.users if u.target is REGISTER["update"] and u.args[1] is whole]
            if len(outer) != 1 or any(self.at[u] < self.at[outer[0]] for u in readers):
                return whole
            (whole,) = outer

    def copy(self, value: Node, before: Node) -> Node:
        with self.graph.inserting_before(before):
            made = copied(self.graph, value)
        made.stands_for = before.stands_for
        self.at[made] = self.at[before] - 0.5
        return made

    def fresh(self, value: Any) -> bool:
        """Whether nobody else has the memory of a value."""
        value = memory(value)
        if not isinstance(value, Node):
            return False
        if value.op == "placeholder" or value in self.owned:  # which may be an item of a container
            return value in self.owned
        if value.target is operator.getitem and "own" in getattr(value.args[0], "meta", {}):
            return bool(value.args[0].meta["own"][value.args[1]])
        if isinstance(value.target, Function):
            return self.makes(value.target.graph)
        return isinstance(value.target, Op) and not shares(value, self.target)

    def makes(self, graph: Graph) -> bool:
        """Whether what a function gives is one array of its own, which nobody but its caller gets."""
        value = graph.output_node.args[0] if graph.output_node.target == "output" else None
        inner = Raising(graph, set(), self.target)
        if not isinstance(value, Node) or not isinstance(value.spec, Spec) or not inner.fresh(value):
            return False
        lying = {value, *inner.all_aliases(inner.memory(value))}
        users = {user for each in lying for user in each.users}
        return all(isinstance(user.target, Op) or user is graph.output_node for user in users)

    def aliases(self, value: Node, writer: Node | None = None) -> Iterator[Node]:
        """The value, what a region has given beside it of the same memory, what may be printed as a view of
        these, and what regions other than `writer` and functions may hand on of them.
        """
        return aliases.along(self.target).of(dict.fromkeys((value, *lending.beside(value))), writer)

    def read_later(self, value: Node, writer: Node, but: Collection[Node] = ()) -> bool:
        """Whether something after `writer` reads the old value, or a view of it `but` these."""
        for alias in (a for a in self.aliases(value, writer) if a not in but):
            for user in alias.users:
                if user.target is store:
                    if user.args[1] is value:  # what an argument holds in the end
                        return True
                    continue
                if user is writer:
                    if (
                        alias is value
                        and count(writer, value) > 1
                        or alias is not value
                        and not is_update(writer)
                    ):
                        return True
                elif self.at[user] > self.at[writer] and not shares(user, self.target):
                    if not handing.only_stores(user, alias):
                        return True
        return False

    def hold(self, value: Node, writer: Node) -> None:
        """What reads the old value before the write, and is used after it, is computed before it."""
        self.hold_users(self.aliases(value), held_in.readers(value, self.containers, self.target), writer)

    def hold_users(self, values: Iterable[Node], users: Iterable[Node], writer: Node) -> None:
        ahead = Worklist([*values, *(user for user in users if self.holds(user, writer))])
        for read in ahead:
            for user in read.users:
                if self.at[user] >= self.at[writer] or is_size(user):
                    continue  # it is computed later, or no write changes it
                if self.holds(user, writer):
                    ahead.add([user])

    def hold_numbers(self, writer: Node) -> None:
        """The same for what is computed of the numbers that come from outside: another caller may give a part
        of the array for one. Likewise of containers, which may hold such a part.
        """
        self.hold_users((), held_in.given_whole(self.graph), writer)
        ahead = Worklist(numbers_given(self.graph))
        for read in ahead:
            ahead.add(user for user in read.users if held_in.gives_numbers(user) and self.holds(user, writer))

    def holds(self, user: Node, writer: Node) -> bool:
        """Whether a node is computed before a write: it stands as a statement if it is used after it."""
        if self.at[user] >= self.at[writer] or user.op != "call_function":
            return False
        inside = isinstance(writer.target, Region) and user in operands(writer)  # which may make it
        later = (u for u in readers(user) if self.at[u] > self.at[writer] or inside and u is writer)
        if any(u.target is not after for u in later):
            user.meta["statement"] = True
        return True

    # Regions, see lending.py.

    def inside(
        self, graph: Graph, owned: set[Node], given: Mapping[Node, Any] | None = None, *, turns: bool = False
    ) -> Raising:
        """The same for a graph in this one, of which the writes are marked. `given`: what it is given."""
        inner = Raising(graph, owned, self.target, self.from_outside(given or {}), turns=turns)
        inner.containers = held_in.inside(given or {}, self.containers, self.target)
        if given and not turns:  # of which each may hand on other memory
            inner.outer = {p: stored.lies_in(value, self.outer) for p, value in given.items()}
        inner.paths = self.said_inside(inner.outside, given or {})
        inner.run()
        if memories := graph.output_node.meta.get("memories"):
            inner.separate(memories)
        return inner

    def all_aliases(self, value: Any) -> Iterator[Node]:
        """What lies in the memory of a value: its newer versions and their views too."""
        return reached([value] if isinstance(value, Node) else [], self.beside)

    def beside(self, node: Node) -> Iterator[Node]:
        yield from lending.siblings(node)
        for user in node.users:
            yield from [user] if shares(user, self.target) else self.versions(user, node)
            yield from lending.of_what_was_lent(user, node)

    def has_memory(self, given: Node) -> bool:
        """Whether what a region is given can be written into: NumPy has a number for what has no axes."""
        return isinstance(given.spec, Spec) and not (self.target.own_numbers and given.spec.shape == ())

    def writable(self, value: Any, node: Node) -> bool:
        return isinstance(value, Node) and self.fresh(value) and not self.read_later(value, node)


def count(node: Node, value: Node) -> int:
    """How often a node reads a value directly."""
    if is_loop(node):
        return len(standing_for(node, value))
    return sum(a is value for a in (node.args[3] if node.target is cond else node.args))

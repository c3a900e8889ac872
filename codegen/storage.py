"""Storage: which updates of a Program are written in place, for targets whose arrays can be.

An update makes a new value of an old one. It is written into the memory of the old where nobody else has
that memory, and nothing that is printed later reads the old value, or a view of it; else into a copy. Decided
before anything is nested, since nesting must not move a read past a write.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

from ..backends.closing import ways
from ..backends.together import path
from ..ir.dtypes import bool_
from ..ir.graph import Graph, Node
from ..ir.leaves import behind, note_together
from ..ir.op import REGISTER, Op
from ..ir.ops.indexing import UPDATES, Slot
from ..ir.outside import outside
from ..ir.passes.fold import raw
from ..ir.program import Program
from ..ir.regions import Function, after, cond, graphs, is_loop, loop, store
from ..ir.spec import Spec
from ..ir.static import static, taken
from . import handing, outsiders, sharing
from .copying import copied
from .outsiders import Outsiders, memory, readers
from .sharing import shares
from .updates import again, augments, promotes


def raised(program: Program, target: str) -> None:
    """Mark the updates of a program that are written in place, and copy what the others write into."""
    stores = [node for node in program.nodes if node.target is store]
    raising = Raising(program, {node.args[0] for node in stores}, target, outside(program))
    memories = program.meta.get("memories", ()) if program.meta.get("entry") else ()
    raising.give_stored(stores, memories)
    raising.run()
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
        outsiders.check(program, target, [node.args[1] for node in stores])


def is_update(node: Node) -> bool:
    return node.target in UPDATES


def all_of(node: Node) -> bool:
    """Whether an update gives every element another value, one each: its value is then the new array."""
    whole = node.target is REGISTER["update"] and node.kwargs["key"] in ((...,), ())
    return whole and isinstance(node.args[1], Node) and node.args[1].spec == node.spec


class Raising(Outsiders):
    """One graph.

    Attributes:
        owned: the placeholders whose memory it may write into.
        outside: the arrays from outside the function, any of which may be another one of them.
        disjoint: pairs of these that must be apart, since the text reads and writes in another order than the
            program.
    """

    def __init__(self, graph: Graph, owned: set[Node], target: str, outside: Sequence[Node] = ()) -> None:
        self.graph = graph
        self.outside = list(outside)
        self.disjoint: set[tuple[Node, Node]] = set()
        self.target = target
        self.owned = owned
        self.used: set[Node] = set()
        #: The arguments that hold in the end what the function has written into them.
        self.stored = {node.args[0] for node in graph.nodes if node.target is store}
        self.at = {node: float(i) for i, node in enumerate(graph.nodes)}

    def run(self) -> None:
        for node in list(self.graph.nodes):
            if is_update(node):
                self.update(node)
            elif node.meta.get("compiled"):
                self.compiled(node)
            elif is_loop(node):
                self.loop(node)
            elif node.target is cond:
                self.cond(node)
            elif isinstance(node.target, Function):
                if not node.target.graph.meta.get("raised"):
                    node.target.graph.meta["raised"] = True
                    raised(node.target.graph, self.target)  # type: ignore[arg-type]
                handing.called(self, node)
            elif node.target is store and memory(node.args[1]) is not node.args[0]:
                handing.overwritten(self, node)
                self.overtaken(node)

    def update(self, node: Node) -> None:
        if self.nested(node):
            return
        base = node.args[0]
        handing.keep_old(self, base, node)
        self.keep_views(base, node)
        possible = self.fresh(base) and not self.read_later(base, node)
        if all_of(node) and not (possible and (self.augments(node) or memory(base) in self.owned)):
            if "for" not in node.args[1].meta and node.args[1].op == "call_function":
                node.args[1].meta["for"] = node.meta.get("for")
            op, other = again(node)  # an operator in place does not change the dtype, this does
            if op is not None and may_widen(raw(other)):
                note_together(node)
            node.replace_all_uses_with(node.args[1])
            self.graph.erase_node(node)
            return
        if possible:
            self.keep_apart(base, node)
        else:
            base = self.copy(base, node)
            node.args = (base, *node.args[1:])
        node.meta["inplace"] = True
        self.take(base, node)

    def memory(self, value: Any) -> Any:
        """See above."""
        return memory(value)

    def take(self, base: Any, writer: Node) -> None:
        """Let `writer` write into the memory of a value."""
        self.hold(base, writer)
        self.wrote(base, writer)

    def augments(self, node: Node) -> bool:
        """Whether it stands as `x += y`, which gives what it should."""
        return augments(node) and not (self.target == "numpy" and promotes(node))

    def keep_apart(self, base: Any, node: Node) -> None:
        """Copy what is written into a part of the array that it is itself a part of: torch forbids that
        they overlap, or computes with what it has written already.
        """
        value = node.args[1]
        op, operand = again(node)
        own = [a for a in self.aliases(base) if a is not base]
        if self.target != "torch":
            return
        if op is None and value in own and value.spec.shape != ():
            node.args = (base, self.copy(value, node), *node.args[2:])
        elif op is not None and operand in own:
            value.args = (value.args[0], self.copy(operand, value))

    def keep_views(self, base: Any, node: Node) -> None:
        """Copy what is read of the old value, by a view of it, after the write."""
        for alias in list(sharing.views(base, self.target)) if isinstance(base, Node) else ():
            if alias is base or self.at[alias] > self.at[node]:
                continue
            later = [u for u in alias.users if self.at[u] > self.at[node] and not shares(u, self.target)]
            if later:
                with self.graph.inserting_before(alias.next):
                    made = copied(self.graph, alias)
                made.meta["for"] = alias.meta.get("for")
                self.at[made] = self.at[alias] + 0.25
                for user in later:
                    user.replace_input_with(alias, made)
                if len(alias.users) == 1:  # the copy has its name
                    alias.meta.pop("for", None)

    def nested(self, node: Node) -> bool:
        """Whether an update is of a part whose new value is then written into the whole: `x[i][j] =
        value`. The whole takes
        the value; who else reads the part takes it out of the whole again.
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
            with self.graph.inserting_before(whole.next):
                again: Node = self.graph.call(REGISTER["getitem"], whole, *part.args[1:], **part.kwargs)  # type: ignore[attr-defined]
            self.at[again] = self.at[whole] + 0.25
            again.meta["for"] = part.meta.get("for")
            for user in others:
                user.replace_input_with(node, again)
        if whole_part:
            whole.args = (whole.args[0], node.args[1], *whole.args[2:])
        else:
            whole.target, whole.kwargs = node.target, dict(node.kwargs)
            whole.args = (whole.args[0], *node.args[1:])
            whole.meta["outer"] = [part.kwargs["key"], *node.meta.get("outer", ())]
            whole.meta["part"] = node.meta.get("part", part)
        self.graph.erase_node(node)
        return True

    def copy(self, value: Node, before: Node) -> Node:
        with self.graph.inserting_before(before):
            made = copied(self.graph, value)
        made.meta["for"] = before.meta.get("for")
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
        return isinstance(value.target, Op) and not shares(value, self.target)

    def aliases(self, value: Node, writer: Node | None = None) -> Iterator[Node]:
        """The value, what may be printed as a view of it, and what regions other than `writer` and functions
        may hand on of these.
        """
        return sharing.along(self.target).of([value], writer)

    def read_later(self, value: Node, writer: Node) -> bool:
        """Whether something after `writer` reads the old value, or a view of it."""
        for alias in self.aliases(value, writer):
            for user in alias.users:
                if user.target is store:
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
                    return True
        return False

    def hold(self, value: Node, writer: Node) -> None:
        """What reads the old value before the write, and is used after it, is computed before it."""
        stack = list(self.aliases(value))
        seen: set[Node] = set()
        while stack:
            for user in stack.pop().users:
                if user in seen or self.at[user] >= self.at[writer] or user.op != "call_function":
                    continue
                if static(user) and not taken(user):
                    continue  # no write changes a size
                seen.add(user)
                later = (u for u in readers(user) if self.at[u] > self.at[writer])
                if any(u.target is not after for u in later):
                    user.meta["statement"] = True
                stack.append(user)

    # Regions.

    def compiled(self, node: Node) -> None:
        """A region that is compiled writes into nothing from outside, and what it gives is its own."""
        for graph in graphs(node):
            inner = Raising(graph, {p for p in graph.placeholders if isinstance(p.spec, Spec)}, self.target)
            inner.run()
            for placeholder in inner.used:
                inner.own(placeholder)
        node.meta["own"], node.meta["memory"] = [True] * len(node.spec), [None] * len(node.spec)

    def own(self, placeholder: Node) -> None:
        """Let a graph go on with a copy of what it was given."""
        writes = [n for n in self.graph.nodes if n.meta.get("inplace") and memory(n) is placeholder]
        with self.graph.inserting_before(next(n for n in self.graph.nodes if n.op != "placeholder")):
            made = copied(self.graph, placeholder)
        made.meta |= {"for": writes[0].meta.get("for"), "step": placeholder.name}
        placeholder.replace_all_uses_with(made)

    def loop(self, node: Node) -> None:
        parts = loop(node)
        # What a way out hands on is not looked into: nothing is written in place in a loop that is left
        # early.
        early = any(kind in ("break", "continue") for kind, _ in ways(parts.body))
        carried = [] if early else [p for p in parts.carried if self.has_memory(p)]
        given = dict(zip(parts.body.placeholders, (*parts.sources, *parts.state, *parts.operands)))
        inner = Raising(parts.body, set(carried), self.target, self.from_outside(given))
        inner.run()
        self.taken_up(inner, given)
        state = list(parts.state)
        own, found = [False] * len(node.spec), [None] * len(node.spec)
        for i, placeholder in enumerate(parts.carried):
            if placeholder not in inner.used:
                continue
            value = state[i]
            if not isinstance(value, Node) or not self.fresh(value) or self.read_later(value, node):
                if isinstance(value, Node):
                    state[i] = self.copy(value, node)
            else:
                self.hold(value, node)
                self.wrote(value, node)
            own[i] = True
            if inner.keep(i, parts) and isinstance(state[i], Node):
                found[i] = state[i]
        first, body, _, operands = node.args
        node.args = (first, body, tuple(state), operands)
        node.meta["own"], node.meta["memory"] = own, found

    def keep(self, index: int, parts: Any) -> bool:
        """See to it that the state of the next turn is memory of its own. Returns whether it is that of
        this turn.
        """
        output = self.graph.output_node
        if output.target != "yield":
            return False
        values = list(output.args[0])
        placeholder, mine = parts.carried[index], memory(values[index])
        if not self.fresh(mine) and mine is not placeholder:
            values[index] = self.copy(values[index], output)
        mine = memory(values[index])
        for other, value in enumerate(values):
            if other != index and isinstance(value, Node) and any(a is value for a in self.all_aliases(mine)):
                values[other] = self.copy(value, output)
        output.args = (tuple(values),)
        return mine is placeholder

    def all_aliases(self, value: Any) -> Iterator[Node]:
        """What lies in the memory of a value: its newer versions and their views too."""
        stack, seen = [value], set()
        while stack:
            node = stack.pop()
            if not isinstance(node, Node) or node in seen:
                continue
            seen.add(node)
            yield node
            for user in node.users:
                stack += [user] if shares(user, self.target) else self.versions(user, node)

    def cond(self, node: Node) -> None:
        handing.twinned(node)
        operands = node.args[3]
        sides = []
        for graph in graphs(node):
            pairs = dict(zip(graph.placeholders, operands))
            owned = {p for p, v in pairs.items() if self.has_memory(p) and self.writable(v, node)}
            side = Raising(graph, owned, self.target, self.from_outside(pairs))
            side.run()
            self.taken_up(side, pairs)
            for placeholder in side.used:
                self.hold(pairs[placeholder], node)
                self.wrote(pairs[placeholder], node)
            sides.append((side, pairs))
        own, found = [], []
        for i in range(len(node.spec)):
            values = [
                s.graph.output_node.args[0][i] for s, _ in sides if s.graph.output_node.target == "yield"
            ]
            stays = [(s, p) for s, p in sides if s.graph.output_node.target == "yield"]
            roots = [memory(v) for v in values]
            outer = [
                pairs.get(root) if isinstance(root, Node) else None for root, (_, pairs) in zip(roots, stays)
            ]
            own.append(all(s.fresh(v) for v, (s, _) in zip(values, stays)))
            same = outer[0] is not None and all(o is outer[0] for o in outer)
            found.append(outer[0] if same else None)
        node.meta["own"], node.meta["memory"] = own, found

    def has_memory(self, given: Node) -> bool:
        """Whether what a region is given can be written into: NumPy has a number for what has no axes."""
        return isinstance(given.spec, Spec) and not (self.target == "numpy" and given.spec.shape == ())

    def writable(self, value: Any, node: Node) -> bool:
        return isinstance(value, Node) and self.fresh(value) and not self.read_later(value, node)


def may_widen(value: Any) -> bool:
    """Whether a value may be of another dtype for other arguments: no number, and no outcome of a test."""
    if not isinstance(value, Node) or not isinstance(value.spec, Spec):
        return False
    origin = value.origin
    tested = origin is not None and all(leaf.spec.dtype != bool_ for leaf in behind([origin]))
    return value.spec.dtype != bool_ or not tested


def count(node: Node, value: Node) -> int:
    """How often a node reads a value directly."""
    if is_loop(node):
        parts = loop(node)
        return sum(v is value for v in (*parts.state, *parts.operands, *parts.sources))
    return sum(a is value for a in (node.args[3] if node.target is cond else node.args))

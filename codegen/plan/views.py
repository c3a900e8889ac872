"""Views: what the user reads and writes through the name of a view stays so, `row = y[0]; row[0] = 7`.

A Program takes a view anew of each version of its array, and a write through one is a write into the array.
Where the text has one memory for all versions, the name that the view was given first is the view of each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...backends.backend import Backend
from ...backends.reading.locations import place as at
from ...ir.graphs.graph import Graph, Node, map_arg
from ...ir.graphs.regions import Function, Region, cond, graphs, loop, operands, since
from ...ir.graphs.walk import functions
from ...ir.meaning.op import REGISTER, Op
from ...ir.program import Program
from ...ir.values.spec import Spec
from ...ir.worklist import reached
from . import aliases, axes
from .augmented import again
from .called import bound
from .copying import copied
from .outsiders import before, memory, versions
from .retaking import placeholder

#: A memory, and by which keys a part of it is taken.
Place = tuple[Node, tuple[Any, ...]]


def named_views(program: Program, target: Backend) -> None:
    """Let the views of a planned program that have a name of the user's be read and written by it."""
    for graph in functions(program):
        Views(graph, target).keep()


class Views:
    """Those of one graph.

    Attributes:
        around: those of the graph that the region stands in which runs this one.
        first: the view that has the name, by the call on the tape that took it.
    """

    def __init__(
        self, graph: Graph, target: Backend, around: Views | None = None, region: Node | None = None
    ) -> None:
        self.graph = cast(Program, graph)  # which the graphs in one are too
        self.target = target
        self.around = around
        self.region = region
        self.first: dict[Node, Node] = {}

    def keep(self) -> None:
        for node in list(self.graph.nodes):
            if is_view(node, self.target):
                self.read(node)
            elif "views" in node.meta:
                self.write(node)
            elif isinstance(node.target, Region) and not node.meta.get("compiled"):
                for graph in graphs(node):
                    Views(graph, self.target, self, node).keep()

    def read(self, node: Node) -> None:
        """Read a view that is taken anew by the name that it has."""
        call = taken(node)
        first = self.named(call, node, self.place(node), node.args[0], node) if call is not None else None
        if first is not None and first is not node:
            self.has_axes(node)
            became(node, first, node.args[0])

    def named(self, call: Node, view: Node, place: Place, whole: Any, witness: Node) -> Node | None:
        """The view of this graph that has the name which a call on the tape was given.

        Args:
            view: the same view, taken later, maybe in a graph in this one; `place`: where it lies.
            whole: the array of this graph of which that is a part.
            witness: a node of this graph that was recorded later.
        """
        if call not in self.first:
            outer, found = self.outer(whole), None
            if self.around is not None and self.region is not None and outer is not None:
                known = self.around.named(call, view, place, outer, self.region)
                found = self.brought(known) if known is not None else None
            if found is None:
                own = view.stands_for is call and view.graph is self.graph
                found = view if own else self.begun(call, view, whole, witness)
            if found is None or len(bound(found)) != 1 and found.op != "placeholder":
                return None
            self.first[call] = found
        found = self.first[call]
        return found if self.place(found) == place else None

    def begun(self, call: Node, view: Node, whole: Any, witness: Node) -> Node | None:
        """A view as it was first taken, of the array as it was by then, which nobody has read before a write.
        None where that is not known.
        """
        order = {each: number for number, each in enumerate(call.graph.nodes)}
        others = [each for each in view.all_input_nodes if each is not view.args[0]]
        later = (each for each in others if self.recorded(each, order) > order[call])
        if witness.stands_for not in order or any(later):
            return None
        whole = next((v for v in versions(whole) if self.recorded(v, order) < order[call]), None)
        if whole is None:
            return None
        follower = whole.next
        while follower.op == "placeholder" or self.recorded(follower, order) < order[call]:
            follower = follower.next
        with self.graph.inserting_before(follower):
            made: Node = self.graph.call(REGISTER["getitem"], whole, *view.args[1:], **view.kwargs)
        made.spec, made.stands_for = view.spec, call
        if len(bound(made)) == 1:
            return made
        self.graph.erase_node(made)
        return None

    def recorded(self, node: Node, order: Mapping[Node, int]) -> float:
        """Where a value was recorded on the tape; of what is not known as late as can be."""
        if node.op == "placeholder" and node.graph is self.graph:
            return -1
        return order.get(node.stands_for, math.inf) if node.stands_for is not None else math.inf

    def write(self, node: Node) -> None:
        """Write through the name of a view: the innermost of them that has one."""
        views = node.meta.pop("views")
        base, value, *indices = node.args
        for number, (view, key, call) in enumerate(views):
            if not node.meta.get("inplace") or view.erased or taken(view) not in self.first:
                continue
            if not self.lies_in(view, base):
                continue
            if key == (...,):  # a number has no items that could be written
                self.has_axes(view)
            given = [] if key == (...,) else indices
            with self.graph.inserting_before(node):
                made: Node = self.graph.call(
                    node.target, view, value, *given, **{**node.kwargs, "key": key}
                )
            made.meta = dict(node.meta)
            if outer := made.meta.pop("outer", [])[len(views) - number :]:
                made.meta["outer"] = outer
            else:
                made.meta.pop("part", None)
            made.spec, made.stands_for = view.spec, call
            became(node, base, made)
            self.keep_apart(made)
            return

    def has_axes(self, view: Node) -> None:
        """Take it that a view is no number, which NumPy has for what has no axes."""
        if self.target.own_numbers and view.target is REGISTER["getitem"]:
            axes.named(view)

    def lies_in(self, view: Node, base: Node) -> bool:
        """Whether a view is a part of an array."""
        whole, keys = self.place(base)
        memory, inner = self.place(view)
        return whole is memory and inner[: len(keys)] == keys

    def keep_apart(self, node: Node) -> None:
        """Copy what `x += y` adds to a part of the array that it is itself a part of, where they must not
        overlap.
        """
        op, operand = again(node, wider=True)
        if op is None or self.target.overlaps or not isinstance(operand, Node):
            return
        root = self.place(node)[0]
        if any(self.place(each)[0] is root for each in reached([operand], self.behind)):
            with self.graph.inserting_before(node.args[1]):
                node.args[1].args = (node.args[1].args[0], copied(self.graph, operand))

    def behind(self, value: Node) -> Sequence[Node]:
        """The values in whose memory one may lie."""
        if (older := before(value)) is not None:
            return [older]
        whole, _ = at(value)
        runs = isinstance(whole.target, (Region, Function))
        if runs or isinstance(value.target, Op) and aliases.shares(value, self.target):
            return [each for each in whole.all_input_nodes if isinstance(each.spec, Spec)]
        return []

    def place(self, value: Node) -> Place:
        """In which memory a value lies, and where in it."""
        keys: tuple[Any, ...] = ()
        value = memory(value)
        while is_view(value, self.target):
            keys = (map_arg((value.kwargs["key"], value.args[1:]), self.outermost), *keys)
            value = memory(value.args[0])
        outer = self.outer(value)
        if outer is None or self.around is None:
            return value, keys
        root, first = self.around.place(outer)
        return root, (*first, *keys)

    def outermost(self, value: Node) -> Node:
        """A value as it is called in the outermost graph that has it."""
        outer = self.outer(value)
        return value if outer is None or self.around is None else self.around.outermost(outer)

    # The graph around.

    def outer(self, value: Node) -> Node | None:
        """The value of the graph around in whose memory one lies, whatever the turn."""
        value = memory(value)
        if self.region is None or value.op != "placeholder":
            return None
        place = self.graph.placeholders.index(value)
        found: Any = None
        if self.region.target is cond:
            found = operands(self.region)[place]
        elif self.graph is loop(self.region).body:
            parts = loop(self.region)
            number = place - len(parts.sources)
            if number >= len(parts.state):
                found = parts.operands[number - len(parts.state)]
            elif number >= 0:
                found = self.region.meta["memory"][number]
        return found if isinstance(found, Node) else None

    def brought(self, outer: Node) -> Node:
        """What the graph has for a value of the graph around; from now on if it has none."""
        assert self.region is not None
        known = operands(self.region)
        if not any(value is outer for value in known):
            known = (*known, outer)
            self.region.args = (*self.region.args[:-1], known)
            for graph in graphs(self.region):
                placeholder(graph, outer)
        number = next(i for i, value in enumerate(known) if value is outer)
        return self.graph.placeholders[number - len(known)]


def became(node: Node, value: Node, write: Node) -> None:
    """Let a node be what a value is since a write."""
    node.target, node.args, node.kwargs = since, (value, write), {}
    for fact in ("inplace", "outer", "part", "statement", "shares"):
        node.meta.pop(fact, None)


def is_view(node: Node, target: Backend) -> bool:
    """Whether a node is a part of an array in the text, whatever there is in it. What an index array without
    axes takes is one for torch and none for NumPy.
    """
    part = node.target is REGISTER["getitem"] and len(node.args) == 1
    return part and not aliases.is_number(node, target)


def taken(view: Node) -> Node | None:
    """The call on the tape that first took a view."""
    call = view.stands_for
    return None if call is None else call.meta.get("retaken", call)

"""What a call_function may call besides a framework: regions, which hold Graphs, and the user's own
functions.

    cond(predicate, then, orelse, operands)          one of two Graphs, both of which take all operands
    while_loop(test, body, state, operands)          body, again and again while test yields true
    for_loop(sources, body, state, operands)         body for each item of the sources, which go in step
    Function(name, graph)(*operands)                 a function of the user's that keeps its name

Both Graphs of a while_loop take the state and then the operands; the body of a for_loop takes an item of each
source first. A source is an array, whose rows are the items, a range (start, stop, step), or a list of
arrays, which are the items. The body yields the state for the next turn, then what is collected: one value a
turn, stacked along a new first axis. A loop gives the last state and what was collected.

A Graph captures nothing: whatever its body reads from outside is an operand. The output node of a Graph says
how it is left. `yield` goes on after the region. `return` leaves the function around it with that value,
`break` and `continue` the loop around it with these values as its state, `raise` with an exception. A value
that has no value on some way is UNDEFINED there: whoever reads it after that way has an error in his program.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from ..source.printing import print_
from .graph import Graph, Node

#: How the graph of a region may be left, other than by going on after the region.
LEAVING = frozenset({"return", "break", "continue", "raise"})


@dataclass(frozen=True, slots=True)
class Region:
    """A kind of control flow."""

    name: str

    def is_impure(self, node: Node) -> bool:
        """Whether the region may be left for somewhere else, or something in it matters though nothing
        uses it.
        """
        return any(
            inner.op != "placeholder" and (inner.op != "output" or leaves(node, inner)) and inner.is_impure()
            for graph in graphs(node)
            for inner in graph.nodes
        )

    def __repr__(self) -> str:
        return self.name


#: What of a graph says what the program has asked of its arguments.
NOTED = ("pinned", "ranks", "axes", "kinds asked", "structure", "attributes", "present", "distinct")


def asked(graph: Graph) -> bool:
    """Whether something is checked of what a function is given, by itself or by what it calls."""
    return any(graph.meta.get(key) for key in NOTED) or guarded(graph)


def guarded(graph: Graph) -> bool:
    """Whether numbers or sizes are checked in a graph, in the graphs in it, or by a function called there."""
    return any(
        node.target is guard
        or isinstance(node.target, Function) and node.target.asks
        or any(map(guarded, graphs(node)))
        for node in graph.nodes
    )  # fmt: skip


def prints(graph: Graph) -> bool:
    """Whether something in a graph, or in the graphs in it, is printed."""
    return any(n.target is print_ or any(map(prints, graphs(n))) for n in graph.nodes)


def raises(graph: Graph) -> bool:
    """Whether an exception of the user's may be raised in a graph, or in the graphs in it."""
    inner = [g for node in graph.nodes for g in graphs(node)]
    return graph.output_node.target == "raise" or any(map(raises, inner))


def left_early(graph: Graph, kinds: Collection[str] = ("break", "return", "raise")) -> bool:
    """Whether the body of a loop may leave it before its end."""
    beyond = ("return", "raise")  # a loop in it
    inner = ((node, each) for node in graph.nodes if isinstance(node.target, Region) for each in graphs(node))
    return graph.output_node.target in kinds or any(
        left_early(each, beyond if is_loop(node) else kinds) for node, each in inner
    )


def leaves(region: Node, output: Node) -> bool:
    """Whether the output of a graph leaves not only the graph but the region around it."""
    return output.target in LEAVING and (not is_loop(region) or output.target in ("return", "raise"))


cond = Region("cond")
while_loop = Region("while_loop")
for_loop = Region("for_loop")


class Undefined(enum.Enum):
    """What stands among the values of a region for a variable without a value."""

    UNDEFINED = "undefined"

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED: Final = Undefined.UNDEFINED


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the user's with its own Graph; calls of it are call_function nodes with this as
    target.
    """

    name: str
    graph: Graph
    _acts: list[bool] = field(default_factory=list, init=False, repr=False)
    _asks: list[bool] = field(default_factory=list, init=False, repr=False)

    def is_impure(self, node: Node) -> bool:
        """Whether the function prints, may raise, or writes into what it is given; or its checks matter: that
        nobody uses what it gives may hang on the answers, or a `try` go on where the program raises.
        """
        checks = "watched" in self.graph.meta or not node.users and self.asks
        return bool(self.writes) or checks or self.acts

    @property
    def asks(self) -> bool:
        """Whether something is checked of what it is given, which may be noted of it later."""
        if not self._asks:
            self._asks.append(guarded(self.graph))
        return self._asks[0] or any(self.graph.meta.get(key) for key in NOTED)

    @property
    def acts(self) -> bool:
        """Whether it prints or may raise; it never comes to do so later."""
        if not self._acts:
            self._acts.append(prints(self.graph) or raises(self.graph))
        return self._acts[0]

    @property
    def writes(self) -> tuple[int, ...]:
        """The numbers of the operands that it writes into."""
        found: tuple[int, ...] = self.graph.meta.get("writes", ())
        return found

    @property
    def __name__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Effect:
    """A target that matters although nothing uses it."""

    name: str
    effect: bool = True

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, value: object, expected: object, why: str = "") -> None:
        if value != expected:
            raise ValueError(f"this was traced with {expected!r}, not {value!r}: {why}")


#: guard(value, expected, what): a fact about the arguments that was looked at while tracing, and must hold at
#: every call.
guard = Effect("guard")


@dataclass(frozen=True, slots=True)
class Bookkeeping:
    """What is noted between calls about the memory of arrays; nothing is computed."""

    name: str

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, base: object, *rest: object) -> object:
        return base


#: through(base, view, new): `base`, after its `view` has become `new` by a write.
through = Bookkeeping("through")
#: after(operand, call, number): an operand of a call, by its number, after the call has written into it.
after = Bookkeeping("after")
#: since(value, write): a value of a planned Program, as it is since what lies in its memory was written into.
since = Bookkeeping("since")
#: store(argument, value): the memory of an argument holds this value in the end.
store = Effect("store")
#: put(container, key, value): a dict or list among the arguments holds this item in the end; None is the key
#: of one that is appended.
put = Effect("put")


@dataclass(frozen=True, slots=True)
class Loop:
    """The parts of a loop node, by name. `items` are the placeholders of what a turn takes from the
    sources.
    """

    test: Graph | None
    body: Graph
    sources: tuple[Any, ...]
    state: tuple[Any, ...]
    operands: tuple[Any, ...]

    @property
    def items(self) -> list[Node]:
        return self.body.placeholders[: len(self.sources)]

    @property
    def carried(self) -> list[Node]:
        """The body's placeholders of the state."""
        return self.body.placeholders[len(self.sources) :][: len(self.state)]

    @property
    def yields(self) -> tuple[Any, ...]:
        """What the body yields: the state, then what is collected. None where it never gets to its end."""
        output = self.body.output_node
        return tuple(output.args[0]) if output.target in ("yield", "break", "continue") else ()


def loop(node: Node) -> Loop:
    """The parts of a while_loop or for_loop node."""
    first, body, state, operands = node.args
    if node.target is while_loop:
        return Loop(first, body, (), tuple(state), tuple(operands))
    return Loop(None, body, tuple(first), tuple(state), tuple(operands))


def standing_for(node: Node, value: Node) -> list[Node]:
    """The placeholders of a loop's body that stand for a value, or for a list that it is in, as often as it
    is. Which these are is kept, beside the arguments of which it is true: a loop over the weights of many
    layers is asked of each.
    """
    parts = loop(node)
    known = node.meta.get("standing for")
    if known is None or known[0] is not node.args:
        places: dict[Any, list[int]] = {}
        for i, whole in enumerate((*parts.sources, *parts.state, *parts.operands)):
            for each in whole if isinstance(whole, list) else (whole,):
                if isinstance(each, Node):
                    places.setdefault(each, []).append(i)
        known = node.meta["standing for"] = node.args, places
    placeholders = parts.body.placeholders
    return [placeholders[i] for i in known[1].get(value, ())]


def operands(region: Node) -> tuple[Any, ...]:
    """What the graphs of a region read from outside."""
    return loop(region).operands if is_loop(region) else tuple(region.args[3])


def item_names(node: Node) -> tuple[str, ...]:
    """What the user calls what a turn of a loop takes from each source."""
    return tuple(node.meta.get("items") or (node.stands_for or node).meta.get("items", ()))


def forms_of(node: Node) -> tuple[Any, ...]:
    """How what a turn of a `for` takes lies in the items of each thing that it goes through: the numbers of
    the sources.
    """
    found = node.meta.get("forms") or (node.stands_for or node).meta.get("forms")
    return tuple(found or range(len(loop(node).sources)))


def lists_of(node: Node) -> tuple[str, ...]:
    """How the function says the list among its arguments that each form is of; "" where there is none."""
    return tuple(node.meta.get("lists") or (node.stands_for or node).meta.get("lists") or ())


def placed(node: Node) -> int:
    """How many of the things that a `for` goes through, the last ones, are lists whose items the user takes
    by the number of the turn.
    """
    return int(node.meta.get("placed") or (node.stands_for or node).meta.get("placed") or 0)


def through_list(node: Node) -> bool:
    """Whether a loop goes through a list, which Python alone can: of arrays, or of what another such loop has
    collected.
    """
    return any(isinstance(source, list) or is_collected(source) for source in loop(node).sources)


def is_collected(source: Any) -> bool:
    """Whether a value is what a loop through a list has collected."""
    if not isinstance(source, Node) or source.target is not operator.getitem:
        return False
    made, number = source.args
    return (
        getattr(made, "target", None) is for_loop and number >= len(loop(made).state) and through_list(made)
    )


def is_loop(node: Node) -> bool:
    return node.target is while_loop or node.target is for_loop


def results(node: Node, number: int) -> Iterator[Any]:
    """What the result of this number of a region may be, by the way that it goes."""
    state = loop(node).state if is_loop(node) else ()
    if number < len(state):
        yield state[number]
    for graph in graphs(node) if node.target is cond else (loop(node).body,):
        for output in ends(graph, inside=is_loop(node)):
            yield from output.args[0][number : number + 1]


def ends(graph: Graph, *, inside: bool) -> Iterator[Node]:
    """The outputs by which a graph hands on what its region gives; `inside` a loop, those by which it is left
    from a region in it too.
    """
    output = graph.output_node
    if output.target == "yield" or inside and output.target in ("break", "continue"):
        yield output
    for node in graph.nodes if inside else ():
        for inner in graphs(node) if node.target is cond else ():
            yield from (end for end in ends(inner, inside=True) if end.target != "yield")


def graphs(node: Node) -> list[Graph]:
    """The Graphs that a node holds: of a region, or of a function of the user's."""
    if isinstance(node.target, Region):
        return [a for a in node.args if isinstance(a, Graph)]
    return [node.target.graph] if isinstance(node.target, Function) else []


def gone_on(call: Node) -> list[Node]:
    """What operands of a call are after it. (An operand of another call may be what this one gives.)"""
    return [user for user in call.users if user.target is after and user.args[1] is call]

"""Handing: arrays that a function of the user's is given and writes into.

Which of its operands they are is a fact of its Graph; what they hold in the end is stored there. In the graph
of the caller each goes on as the call has left it. Where it is not certain what else lies in their memory,
the function is written out where it is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import after, store
from ...ir.graphs.static import Scalar
from ...ir.values.tree import children, leaves, rebuilt
from ..memory import aliasing, writes
from ..objects import heap
from ..place import here
from ..proxy import is_proxy, isinstance_scalar
from ..regions import together
from ..regions.branch import shared
from ..regions.returning import early
from .interning import Called

if TYPE_CHECKING:
    from ..tracer import Tracer


class Handing:
    """What one call of a function has done to the arrays among its parameters.

    Attributes:
        given: all of them, each with the node that gives it. `written`: those that it has written into.
        operands: what the caller gave, by parameter. `result`: what the function gave, as it knows it.
    """

    def __init__(
        self, tracer: Tracer, given: Sequence[tuple[Any, Node]], operands: Mapping[str, Any], result: Any,
        log: int,
    ) -> None:  # fmt: skip
        touched = {id(proxy) for proxy, _ in tracer.memory.log[log:]}
        self.tracer = tracer
        self.captures = tracer.scopes[-1].captures
        self.given = given
        self.written = [(proxy, node) for proxy, node in given if id(proxy) in touched]
        self.operands = dict(operands)
        self.result = result
        #: What it gives, on every way on which it returns.
        self.ways: list[Any] = []
        #: What it may give of the containers that its caller has, see regions/returning.py.
        self.known: list[Any] = []
        #: The containers that it was given, by the ids of what stands for them in it, each with the caller's.
        self.own: dict[int, tuple[Any, Any]] = {}
        #: The graphs of the functions that it has called, see interning.py.
        self.called: Called = {}

    @cached_property
    def shares(self) -> bool:
        """Whether the function may give, on some way, an array that it was given, a part of any, or one array
        twice.
        """
        given = {id(proxy) for proxy, _ in self.given}
        lying = (id(v) in given or not self.is_own(v) for v in arrays(self.ways))
        return not self.written and (any(lying) or any(self.meet(arrays(way)) for way in self.ways))

    def note_shared(self, made: Any) -> None:
        """Note which arrays among what the call gives, `made` in the caller's graph, may lie in the memory of
        what it was given, or in one memory.
        """
        mine = {id(value) for value in arrays(list(self.operands.values()))}
        found = arrays(made)
        sharing = [v for v, shares in zip(found, self.sharing(len(found))) if shares and id(v) not in mine]
        given = self.lenders()
        for value in sharing:
            aliasing.link(self.tracer, value, [*given, *(other for other in sharing if other is not value)])

    def doubts(self, made: Any) -> Iterator[tuple[Any, list[Any]]]:
        """The arrays of what the call gives, `made` in the caller's graph, that on some way are what it was
        given, or a copy, as what they are pinned by decides.
        """
        found = arrays(made)
        pins: list[list[Any]] = [[] for _ in found]
        for way in map(arrays, self.ways):
            mine = [value.node.meta.get("doubtful") for value in way]
            for number, each in enumerate(pins):
                each += mine[number : number + 1] if len(way) == len(found) else mine
        for value, each in zip(found, pins):
            if known := [pin for pin in each if pin is not None]:
                yield value, known

    def callers(self, values: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
        """The containers that the function was given, `values` by parameter as it knows them, each with the
        caller's own.
        """
        ahead = [(value, self.operands.get(name)) for name, value in values.items()]
        while ahead:
            mine, own = ahead.pop()
            items = None if is_proxy(mine) or is_proxy(own) else children(mine)
            if items is not None and mine is not own:
                yield mine, own
                theirs = dict(children(own) or ())
                ahead += [(value, theirs[key]) for key, value in items if key in theirs]

    def lenders(self) -> list[Any]:
        """The arrays of the caller's in whose memory what the function gives may lie: those that it gives, or
        that may lie in one memory with it; where that is not known, all.
        """
        near: set[int] = set()
        for value in arrays(self.ways):
            root = self.root(value)
            kin = [*aliasing.linked(self.tracer, root), *self.tracer.memory.kin.get(id(root), {}).values()]
            mine = {id(self.root(other)) for other in (root, *kin)}
            known = [proxy for proxy, _ in self.given if id(self.root(proxy)) in mine]
            if not known and (root is not value or shared(value.node)):
                return arrays(list(self.operands.values()))
            near |= mine
        lent = [(proxy, node) for proxy, node in self.given if id(self.root(proxy)) in near]
        if any(node.op != "placeholder" for _, node in lent):  # an item of a container
            return arrays(list(self.operands.values()))
        return arrays([self.operands[node.target] for _, node in lent])

    def sharing(self, count: int) -> list[bool]:
        """Whether each of so many arrays may be, on some way, none of its own."""
        given = {id(proxy) for proxy, _ in self.given}
        found = [False] * count
        for way in map(arrays, self.ways):
            if len(way) != count:
                return [True] * count
            for number, value in enumerate(way):
                others = [v for i, v in enumerate(way) if i != number]
                own = id(value) not in given and self.is_own(value)
                found[number] |= not own or any(self.meet([value, other]) for other in others)
        return found

    def is_own(self, value: Any) -> bool:
        """Whether an array was made in the function, and lies in nobody else's memory."""
        made = value.node not in self.captures
        return made and self.root(value) is value and not shared(value.node)

    def meet(self, values: Sequence[Any]) -> bool:
        """Whether two of these may lie in one memory."""
        return twice(values) or together.meet(self.tracer, values)

    def is_clear(self, graph: Graph) -> bool:
        """Whether what the function writes into is whole arrays that share memory neither with anything else
        that it is given, nor with what it gives, unless it gives them themselves.
        """
        if not self.written:
            return True
        if any(node.op != "placeholder" for _, node in self.written) or any(early(graph)):
            return False
        mine = [self.operands[node.target] for _, node in self.written]
        often = Counter(id(self.root(v)) for v in arrays(list(self.operands.values())))
        if not all(self.may_write(v) and often[id(self.root(v))] == 1 for v in mine):
            return False
        own = {id(proxy) for proxy, _ in self.written}
        others = [v for v in arrays(self.result) if id(v) not in own]
        new = all(id(self.root(v)) not in own and self.is_new(v) for v in others)
        return new and not self.meet([self.root(v) for v in others])

    def may_write(self, operand: Any) -> bool:
        """Whether an operand is an array with axes that a call may write into."""
        if not is_proxy(operand) or isinstance_scalar(operand) or not operand.node.spec.shape:
            return False
        try:
            writes.refuse_unclear(self.tracer, operand, "a call that writes")
        except UnsupportedError:
            return False
        return True

    def is_new(self, proxy: Any) -> bool:
        """Whether an array that the function gives was made in it."""
        return not shared(proxy.node) and not shared(self.root(proxy).node)

    def root(self, proxy: Any) -> Any:
        return aliasing.root(self.tracer, proxy)

    def store(self, graph: Graph) -> None:
        """Note, where the function ends, what it has written into its arguments."""
        for proxy, placeholder in self.written:
            now = aliasing.current(self.tracer, proxy)
            node = graph.create_node("call_function", store, (placeholder, now))
            node.spec = Scalar(type(None))

    def note(self, graph: Graph) -> None:
        """Let the graph say which of its operands it writes into: what it gives of these is the caller's."""
        mine = {id(proxy): self.operands[node.target] for proxy, node in self.written}
        for given in (mine[id(v)] for v in arrays(self.result) if id(v) in mine):
            self.tracer.hooks.refuse_numbers(given)
        order = graph.placeholders
        graph.meta["writes"] = tuple(sorted(order.index(node) for _, node in self.written))

    def given_back(self, made: Any, compiled: bool) -> Any:
        """What the call gives, `made` in the caller's graph: an array that the function has written into is
        the caller's own, and so is a container that it gives on its only way, unless it is `compiled`.
        """
        mine = {id(proxy): self.operands[node.target] for proxy, node in self.written}
        made = replaced(self.result, mine, made) if mine else made
        return made if compiled or len(self.ways) > 1 else self.owned(self.result, made)

    def owned(self, result: Any, made: Any) -> Any:
        items = None if is_proxy(result) else children(result)
        if items is None:
            return made
        if id(result) in self.own:
            return self.own[id(result)][1]
        inner = dict(children(made) or ())
        owned = {key: self.owned(item, inner[key]) for key, item in items}
        return made if all(owned[key] is inner[key] for key in owned) else rebuilt(made, owned)


def arrays(value: Any) -> list[Any]:
    """The proxies of arrays among nested values."""
    return [v for v in leaves(value) if is_proxy(v) and not isinstance_scalar(v)]


def twice(values: Sequence[Any]) -> bool:
    """Whether one value is there more than once."""
    return len({id(v) for v in values}) < len(values)


def replaced(result: Any, mine: Mapping[int, Any], made: Any) -> Any:
    items = None if is_proxy(result) else children(result)
    if items is None:
        return mine.get(id(result), made)
    if not any(id(v) in mine for v in leaves(result)):
        return made
    inner = dict(children(made) or ())
    return rebuilt(made, {key: replaced(item, mine, inner[key]) for key, item in items})


def go_on(tracer: Tracer, call: Node, operands: Sequence[Any]) -> None:
    """Let the arrays that a call has written into go on as it has left them."""
    for number in call.target.writes:
        proxy = operands[number]
        made = tracer.graph.create_node("call_function", after, (call.args[number], call, number))
        made.spec, made.place = call.args[number].spec, here()
        made.names = ()
        made.meta["writes"] = heap.name_of(tracer, proxy) or ""
        writes.written(tracer, proxy, made)

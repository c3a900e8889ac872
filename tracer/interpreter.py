"""Interpreter: runs a tape in its own framework, call by call, as torch.fx's does. Override `run_node` to
watch or change it.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..backends.arrays import empty, of_numbers, stacked
from ..backends.backend import COMMON, framework_of
from ..ir.graphs.attempts import Fails
from ..ir.graphs.graph import Graph, Node, map_arg
from ..ir.graphs.regions import Function, cond, for_loop, guard, is_loop, put, store
from ..ir.sizes.dim import Sym
from ..ir.source.printing import rendered
from ..ir.values.dtypes import PYTHON
from ..ir.values.listing import is_list
from ..ir.values.tree import leaves
from .objects.buffers import copied
from .place import gate

gate(type(guard).__call__)  # what it raises is said of the arguments


@dataclass(frozen=True, slots=True)
class Left:
    """How a graph was left that is not gone on after: "return", "break" or "continue", and the values
    of its output.
    """

    kind: str
    values: Any


class Interpreter:
    """`Interpreter(graph).run(*values)`: one value for each placeholder, in order."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.arguments: dict[str, Any] = {}
        #: The constants, in arrays of their own: whatever a tape does, the user's arrays stay what they are.
        self.held: dict[str, Any] = {}
        #: What a check of the trace's raised last.
        self.unlike: BaseException | None = None

    def run(self, *values: Any) -> Any:
        """What the graph returns for these values of its placeholders."""
        self.held = {}
        return self.called(self.graph, values)

    def called(self, graph: Graph, values: Sequence[Any]) -> Any:
        """What a function returns, however it is left."""
        outer = self.arguments
        found = self.run_graph(graph, values)
        self.arguments = outer or self.arguments
        return found.values if isinstance(found, Left) else found

    def run_graph(self, graph: Graph, values: Sequence[Any]) -> Any:
        """What the graph yields or returns; Left where a region in it, or its own output, leaves further."""
        env: dict[Node, Any] = {}
        supply = iter(values)
        if not graph.meta.get("branch"):
            self.arguments = dict(zip((n.target.lstrip("*") for n in graph.placeholders), values))
            for path, length in graph.meta.get("listed", {}).items():  # of which the tape has the items
                self.check(len(eval(path, {}, self.arguments)), length, f"len({path})")
        for node in graph.nodes:
            if node.op == "output":
                return self.output(node, map_arg(node.args[0], env.__getitem__))
            if node.op == "placeholder":
                env[node] = next(supply)
                continue
            args, kwargs = map_arg(node.args, env.__getitem__), map_arg(node.kwargs, env.__getitem__)
            env[node] = self.run_node(node, args, kwargs)
            if isinstance(env[node], Left):
                return env[node]
        return None

    @gate
    def output(self, node: Node, values: Any) -> Any:
        if node.target == "raise":
            kind, args = values
            raise getattr(builtins, kind)(*(rendered(a) if isinstance(a, tuple) else a for a in args))
        return values if node.target in ("output", "yield") else Left(node.target, values)

    @gate
    def run_node(self, node: Node, args: Any, kwargs: Any) -> Any:
        """What one call gives. `args` and `kwargs` are values already. Left where it is a region that
        leaves the graph.
        """
        if node.op == "get_attr":
            return self.constant(node)
        if node.op == "call_method":
            if node.target == "round" and type(args[0]) in (bool, int, float):  # on the way of a number
                return round(*args, **kwargs)
            return getattr(args[0], node.target)(*args[1:], **kwargs)
        if node.target is cond:
            predicate, then, orelse, operands = args
            if isinstance(predicate, Fails):
                return self.attempt(predicate, then, orelse, operands)
            return self.run_graph(then if predicate else orelse, operands)
        if is_loop(node):
            return self.run_loop(node, args)
        if isinstance(node.target, Function):
            return self.called(node.target.graph, args)
        if node.target is operator.setitem:
            operator.setitem(*args)
            return args[0]
        if node.target is store:
            return None
        if node.target is put:
            container, key, value = args
            return container.append(value) if key is None else container.__setitem__(key, value)
        if node.target is guard:
            return self.check(*args, **kwargs)
        return node.target(*args, **kwargs)

    def constant(self, node: Node) -> Any:
        """A constant, copied once for each run."""
        if node.target not in self.held:
            self.held[node.target] = copied(node.graph.constants[node.target])
        return self.held[node.target]

    def attempt(self, fails: Fails, handler: Graph, body: Graph, operands: Any) -> Any:
        """What a `try` gives. What was looked at is the trace's, and no handler's."""
        try:
            return self.run_graph(body, operands)
        except fails.types as error:
            if error is self.unlike:
                raise
            return self.run_graph(handler, operands)

    def check(self, what: Any, expected: Any, why: str = "") -> None:
        """Hold a fact that was looked at against these arguments."""
        try:
            guard(self.size(what), expected, why)
        except ValueError as error:
            self.unlike = error
            raise

    def size(self, dim: Any) -> Any:
        """A size for these arguments."""
        if not isinstance(dim, Sym):
            return dim
        known = {"max": max, "min": min, "len": len, "math": math}
        return dim.evaluate({name: eval(name, known, self.arguments) for name in dim.atoms})

    def run_loop(self, node: Node, args: Any) -> Any:
        """The last state of a loop, and what it collected, stacked."""
        first, body, state, operands = args
        state = tuple(state)
        collected: list[Any] = []
        stacks: list[Any] = []
        for items in turns(node, first, self, lambda: (*state, *operands)):
            found = self.run_graph(body, (*items, *state, *operands))
            if isinstance(found, Left) and found.kind == "return":
                return found
            values = tuple(found.values if isinstance(found, Left) else found)
            state, more = values[: len(state)], values[len(state) :]
            broken = isinstance(found, Left) and found.kind == "break"
            if more or not broken:
                collected.append(more)
            if broken:
                break
        for number, spec in enumerate(node.spec[len(state) :]):
            rows = [turn[number] for turn in collected]
            stacks.append(self.together(rows, node, len(state) + number) if rows else self.none_of(spec))
        return (*state, *stacks)

    def together(self, values: list[Any], node: Node, number: int) -> Any:
        """What a loop has collected, its result of this number: an array. Where some are numbers of Python's,
        and nothing is made of all of them but a list, it is these.
        """
        numbers = any(type(value) in PYTHON for value in values)
        if numbers and is_listed(node, number):
            return values
        if numbers and all(type(value) in PYTHON for value in values):
            return of_numbers(values, node.spec[number].dtype, self.framework())
        shapes = {tuple(getattr(value, "shape", ())) for value in values}
        return Uneven(values) if len(shapes) > 1 else stacked(values)

    def none_of(self, spec: Any) -> Any:
        """What a loop that did not turn has collected."""
        shape = tuple(self.size(d) for d in spec.shape[1:])
        return empty((0, *shape), spec.dtype, self.framework())

    def framework(self) -> str:
        """That of the arguments."""
        arrays = (framework_of(v) for v in leaves(list(self.arguments.values())))
        return next((a for a in arrays if a is not None), COMMON)


class Uneven(list[Any]):
    """What a loop over lists has collected, where that is of several shapes: nothing is stacked."""

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)


def is_listed(loop: Node, number: int) -> bool:
    """Whether nothing but a list is made of what a loop has collected."""
    parts = (u for u in loop.users if u.target is operator.getitem and u.args[1] == number)
    users = [user.target for part in parts for user in part.users]
    return all(map(is_list, users))


def turns(node: Node, first: Any, interpreter: Interpreter, values: Any) -> Iterator[tuple[Any, ...]]:
    """The items of each turn; of a `while` none, as long as its test holds."""
    if node.target is for_loop:
        sources = (range(*s) if isinstance(s, tuple) else s for s in first)
        yield from zip(*sources)
        return
    while interpreter.run_graph(first, values())[0]:
        yield ()

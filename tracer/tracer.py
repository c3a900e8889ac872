"""Tracer: who records. One for each trace; proxies and hooks hold on to it.

Every call comes through `record`: its arguments are turned into nodes, its result's spec comes from a memo or
from the framework's oracle, a node is added to the tape, and the result is wrapped in proxies again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..backends.reading.inference import Refusal, Seen, infer_call
from ..backends.reading.tape import canonical_names
from ..ir.errors import ShapeError, TraceError
from ..ir.graphs.fitting import Pairs, cancelled, pairs
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function
from ..ir.graphs.static import Scalar
from ..ir.meaning.op import Op
from ..ir.source.readings import Readings
from ..ir.values.tree import made_of
from . import guessing, settling, weak
from .digest import digest, fingerprint, hint_key, specs, specs_of_dict
from .looks import Looks
from .memory import aliasing, sharing, writes
from .memory.writing import Writing
from .objects import heap
from .objects.modes import Modes
from .place import here
from .proxy import ACTIVE, Proxy, Scalar_, Shape, current, is_proxy, isinstance_scalar
from .regions.leaving import EarlyReturn, Frame, Leaving
from .regions.outcomes import Outcomes
from .regions.undoing import Undoing
from .rolling import Rolling
from .structured import Structure
from .supposed import Supposed
from .trying import catching, watching
from .trying.tries import Tries
from .values import ranges
from .values.reckoning import specify

if TYPE_CHECKING:
    from .intercept.base import Framework
    from .python.hooks import Tracing

CAPTURED = {"captured": True}


class Scope:
    """An open graph: the entry, a function of the user's, or a branch. `captures` maps outer nodes to its
    placeholders, and `called` has the graphs of functions, see python/interning.py.
    """

    __slots__ = ("graph", "captures", "constants", "guards", "called")

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.captures: dict[Node, Node] = {}
        self.constants: dict[int, tuple[Any, Node]] = {}
        self.guards: set[Any] = set()
        self.called: dict[Any, list[tuple[Node, Graph]]] = {}


class Tracer(Looks, Undoing, Leaving, Writing):
    """Records calls of one framework. `framework` knows its arrays, proxies and oracle (tracer/intercept)."""

    def __init__(
        self, framework: Framework, supposed: Supposed | None = None, rolling: Rolling | None = None
    ) -> None:
        self.framework = framework
        self.backend = framework.backend
        self.supposed = supposed or Supposed()
        self.rolling = rolling or Rolling()
        self.hooks: Tracing
        # Where the trace is.
        self.scopes: list[Scope] = []
        self.frames: list[Frame] = []
        self.loops: list[Any] = []
        self.outermost: Any = None
        self.raised: BaseException | None = None
        self.left: Any = None  # where a function of the user's returned last
        #: Whether some of what is traced stands under jax.jit.
        self.compiled = False
        self.assumed_none: dict[str, bool] = {}
        # What it knows.
        self.memory = sharing.Memory()
        self.tries = Tries()
        self.answers = settling.Answers()
        self.guesses = guessing.Guesses()
        self.modes = Modes(self)
        self.outcomes = Outcomes()
        #: What is asked of the containers among the arguments.
        self.structure = Structure()
        self.outside: Any = None
        self.readings = Readings()
        #: The writes in place, each with what its proxy stood for before.
        self.log: list[tuple[Any, Node]] = []
        self.memo: dict[Any, Any] = {}
        #: What the table of callees says of a call, likewise.
        self.declared: dict[Any, str] = {}
        #: The sizes that broadcast with each other in the call at hand.
        self.fitted: Pairs = {}
        #: The calls, apart from the sizes of their operands, of which torch and the dictionary say the same.
        self.patterns: dict[Any, Any] = {}
        self.failed: BaseException | None = None  # what a framework raised last for a recorded call
        self.tape: Any = None
        self.constants: dict[str, Any] = {}
        self.numbers: dict[str, int] = {}
        self.reserved: frozenset[str] = frozenset()
        #: Values that stand in strings, see printing.py.
        self.marks: list[tuple[Any, str, str]] = []
        # What it was given.
        self.given: Sequence[Any] = ()
        self.containers: dict[int, tuple[Any, Node, tuple[int, ...]]] = {}
        #: Containers that are taken for one, see objects/twins.py.
        self.twins: list[Any] = []
        #: The nodes of the containers that the program has changed, by id; see regions/items.py.
        self.put: dict[int, Node] = {}
        #: The parameters that the function reads in idle looks at most, see rewrite/idle.py.
        self.unread: frozenset[str] = frozenset()
        #: The function inside the traced one, where a decorator has made it: its body is the entry's own.
        self.decorated: Any = None
        #: Generators over lists, each with what it goes through, see regions/loop/comprehended.py.
        self.generators: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
        #: Whether a list has been appended to in a recorded loop, see values/list_rows.py.
        self.collects = False

    # Scopes.

    @property
    def graph(self) -> Graph:
        return self.scopes[-1].graph

    @contextmanager
    def scope(self, graph: Graph) -> Iterator[Scope]:
        scope = Scope(graph)
        graph.constants = self.constants
        graph.meta["home"] = self.graph.meta["home"] if graph.meta.get("branch") else graph
        self.scopes.append(scope)
        try:
            yield scope
        finally:
            self.scopes.pop()

    @contextmanager
    def active(self) -> Iterator[None]:
        """This tracer is the one that proxies of no tracer of their own ask for."""
        ACTIVE.append(self)
        try:
            with self.framework.active(self):
                yield
        finally:
            ACTIVE.pop()

    def use(self, node: Node, depth: int = -1) -> Node:
        """`node` as the open graph knows it: what an outer graph has comes in through a placeholder."""
        scope = self.scopes[depth]
        if node.graph is scope.graph:
            return node
        if node not in scope.captures:
            if -depth == len(self.scopes):
                raise TraceError(
                    "a value of another way, or of another trace, was used",
                    span=self.span() or node.span,
                    hint="compute it where it is used, or give what ways make anew a name of its own",
                )
            outer = self.use(node, depth - 1)
            inner = scope.graph.create_node("placeholder", outer.name, name=outer.name)
            inner.resemble(outer)
            inner.meta |= {**CAPTURED, "outer": outer}
            scope.captures[node] = inner
            scope.captures[outer] = inner
        return scope.captures[node]

    # Arguments.

    def fresh(self, name: str) -> str:
        """`name` with a number that no other has."""
        self.numbers[name] = self.numbers.get(name, 0) + 1
        return name if self.numbers[name] == 1 else f"{name}_{self.numbers[name]}"

    def digest(self, value: Any, beside: bool = False) -> tuple[Any, Any, Any]:
        return digest(self, value, beside)

    def seen(self, node: Node) -> tuple[Seen, Any]:
        found = node.meta.get("seen")
        if found is None:
            made = Seen(node.spec, node.form)
            hints = node.spec.hint if isinstance(node.spec, Scalar) else hint_key(node.spec)
            key = (made, hints) if not isinstance(node.spec, (dict, list)) else id(node)
            found = node.meta["seen"] = made, key
        return found

    def constant(self, value: Any, name: str | None = None) -> Node:
        """The get_attr node of an array that the function closes over."""
        scope = self.scopes[-1]
        held = scope.constants.get(id(value))
        if held is not None and self.constants[held[1].target] is value:
            return held[1]
        path = self.constant_path(value, name)
        node = scope.graph.create_node("get_attr", path, name=path)
        node.spec, node.place = self.framework.spec(value), here()
        node.meta["aliased"] = True
        if self.framework.weak(value):
            node.form = "weak"
        scope.constants[id(value)] = (value, node)
        self.memory.lies(path, value)
        return node

    def contain(self, container: Any, node: Node) -> None:
        """Remember which node gives a container of proxies, so that the whole of it can be passed on."""
        self.containers[id(container)] = (container, node, fingerprint(container))

    def held(self, value: Any) -> Node | None:
        """The node of a container that came in whole and has not been changed since."""
        found = self.containers.get(id(value))
        if found is None or found[0] is not value or found[2] != fingerprint(value):
            return None
        return self.use(found[1])

    def constant_path(self, value: Any, name: str | None) -> str:
        """One name for an array throughout the trace."""
        for path, known in self.constants.items():
            if known is value:
                return path
        base = name or self.framework.constant_name(value) or "constant"
        path, number = base, 1
        while path in self.constants or path in self.reserved:
            number += 1
            path = f"{base}_{number}"
        self.constants[path] = value
        return path

    # Recording.

    def record(
        self,
        target: Any,
        args: Sequence[Any],
        kwargs: dict[str, Any] | None = None,
        op: str = "call_function",
    ) -> Any:
        """Record a call and return its result as proxies.

        Raises:
            UnsupportedError: where nothing is known of the call and its result would be a guess.
            ShapeError: where the framework itself would refuse these shapes.
        """
        self.modes.watch()
        try:
            beside = op == "call_function" and target not in weak.ASKING
            nodes, seen, key = self.digest(tuple(args), beside)
            named, seen_named, named_key = self.digest(kwargs, True) if kwargs else ({}, {}, ())
        except ranges.Ranged:
            return ranges.recorded(self, target, tuple(args), kwargs or {}, op)
        key = (target, op, key, named_key)
        try:
            template, shared, fitted = self.memo.get(key, (None, None, {}))
        except TypeError:
            key, template = None, None
        if template is None:
            self.memory.shared, self.fitted = None, {}
            template = self.evaluate(op, target, args, kwargs or {}, seen, seen_named)
            shared, fitted = self.memory.shared, self.fitted
            if key is not None and self.guesses.unknown is None:
                self.memo[key] = template, shared, fitted
        if fitted:
            pairs(self.graph).update(fitted)
        node = self.graph.create_node(op, target, nodes, named)
        node.place = here() or self.left
        if self.guesses.unknown is not None:
            self.guesses.refused[node], self.guesses.unknown = self.guesses.unknown, None
        if self.tries.open:
            watching.called(self, node, seen, seen_named)
        if target is operator.setitem:
            return self.stored(node, args[0])
        result = self.wrap(node, template)
        if self.framework.aliasing:
            if key in self.declared:
                node.meta["declared"] = self.declared[key]
            aliasing.note(self, node, args, kwargs or {}, result, shared)
            if key is not None:
                self.declared[key] = node.meta["declared"]
        return result

    def stored(self, node: Node, target: Any) -> None:
        """`target[key] = value` was recorded: `target` goes on as its node."""
        node.spec = target.node.spec
        node.names = ()
        node.meta["writes"] = heap.name_of(self, target) or ""
        writes.written(self, target, node)

    def evaluate(self, op: str, target: Any, args: Any, kwargs: Any, seen: Any, named: Any) -> Any:
        try:
            if isinstance(target, Op):  # of which the framework knows nothing
                return self.infer(op, target, seen, named)
            return self.framework.evaluate(self, op, target, args, kwargs, seen, named)
        except Refusal as refusal:
            settling.want(self, args, kwargs)
            return guessing.instead(self, op, target, args, kwargs, refusal)
        except ShapeError as error:
            span, hint = error.span or self.span(), self.framework.hint(error)
            raise ShapeError(error.message, reports=error.reports, span=span, hint=hint) from None
        except Exception as error:
            self.failed = guessing.explained(self, op, target, args, kwargs, error)
            raise self.failed from self.failed.__cause__

    def infer(self, op: str, target: Any, seen: Any, named: Any) -> Any:
        """The dictionary's own answer."""
        names = canonical_names(op, target, seen, self.backend)
        return infer_call(self.backend, names, seen, named, fitted=self.fitted)

    def wrap(self, node: Node, template: Any) -> Any:
        """Proxies for the result of `node`, in the containers that the call gave: `template` has a Seen for
        each array or number.
        """
        if isinstance(template, Seen):
            node.spec = template.spec
            if template.form != "array":
                node.form = template.form
            if isinstance(template.spec, Scalar):
                return Scalar_(self, template.spec, node=node, sizes=(template.spec.value,))
            return self.framework.wrap(self, node)
        if isinstance(template, dict):
            node.spec = specs_of_dict(template)
            items = {key: self.part(node, key, item) for key, item in template.items()}
            return self.contained(type(template)(items), node)
        if isinstance(template, (tuple, list)):
            node.spec = specs(template)
            parts = [self.part(node, i, item) for i, item in enumerate(template)]
            return self.contained(made_of(type(template), parts), node)
        return template

    def part(self, node: Node, key: Any, template: Any) -> Any:
        """Proxies for one item of the container that `node` gives."""
        part = self.graph.create_node("call_function", operator.getitem, (node, key))
        part.place = node.place
        if node.meta.get("aliased"):
            part.meta["aliased"] = True
        if isinstance(node.target, Function) or node.names is not None:
            part.names = ()  # the name that the statement binds is that of the whole
        return self.wrap(part, template)

    def contained(self, container: Any, node: Node) -> Any:
        self.contain(container, node)
        return container

    def binary(self, fn: Callable[..., Any], a: Any, b: Any) -> Any:
        """An operator on arrays; a list or tuple beside an array is an array constant. Where the framework
        would not run that itself, it is noted.
        """
        if weak.Weak in (type(a), type(b)):
            return weak.binary(self, fn, a, b)
        lists = [isinstance(v, (list, tuple)) and type(v) is not Shape for v in (a, b)]
        if any(lists):
            self.scopes[0].graph.meta["lists"] = not self.backend.list_operands
        a, b = (self.framework.listed(v) if is_list else v for v, is_list in zip((a, b), lists))
        return self.record(fn, (a, b))

    def scalar(self, fn: Callable[..., Any], *args: Any) -> Any:
        """Plain Python on recorded numbers: recorded, with what is known of it."""
        values = [a.spec.value if isinstance_scalar(a) else a for a in args]
        given = list(filter(isinstance_scalar, args))
        ranked = tuple(dict.fromkeys(node for a in given for node in a.ranked))
        sizes = tuple(dict.fromkeys(size for a in given for size in a.sizes))
        if len(values) == 2 and (answer := self.certain(fn, *values)) is not None:
            self.fit(ranked, sizes, "a size was compared here")
            return answer

        place, handlers, spec = here(), catching.handlers(self), None

        def make() -> Node:
            node = self.graph.create_node("call_function", fn, tuple(self.digest(a)[0] for a in args))
            node.place = place
            node.meta |= handlers
            try:
                specify(self, fn, args, node, spec)
            except Exception:
                self.graph.erase_node(node)
                raise
            return node

        node = make()  # at once, so that it stands where the user wrote it; unused ones are dropped later
        spec = node.spec
        if sizes and cancelled(values, spec.value):
            self.fit(ranked, sizes, "sizes were subtracted here")
        if self.tries.open:
            watching.reckoned(self, node)
        return Scalar_(self, spec, make, node, ranked, sizes)

    def foreign(self, func: Any, args: Any, kwargs: Any) -> Any:
        """A call that a framework's protocol handed to us."""
        return self.framework.foreign(self, func, args, kwargs)


__all__ = ["EarlyReturn", "Frame", "Proxy", "Tracer", "current", "is_proxy"]

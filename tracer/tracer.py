"""Tracer: who records. One for each trace; proxies and hooks hold on to it.

Every call comes through `record`: its arguments are turned into nodes, its result's spec comes from a memo or
from the framework's oracle, a node is added to the tape, and the result is wrapped in proxies again.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..backends.reading.inference import Refusal, Seen, infer_call
from ..backends.reading.tape import canonical_names
from ..ir.errors import ShapeError, TraceError
from ..ir.graphs.fitting import cancelled, pairs
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function
from ..ir.graphs.static import Scalar, ask_type
from ..ir.meaning.op import Op
from ..ir.source.readings import Readings
from ..ir.values.tree import made_of
from . import guessing, settling, weak
from .digest import digest, specs, specs_of_dict
from .looks import Looks
from .memory import aliasing, writes
from .memory.sharing import Memory
from .memory.writing import Writing
from .objects import heap
from .objects.modes import Modes
from .objects.recorded import Recorded
from .place import here
from .printing import Texts
from .proxy import ACTIVE, Proxy, Scalar_, Shape, current, is_proxy, isinstance_scalar
from .regions.leaving import EarlyReturn, Leaving
from .regions.outcomes import Outcomes
from .regions.undoing import Undoing
from .rolling import Rolling
from .state.entry import Entry
from .state.memo import Known, Memo
from .state.names import Names
from .state.scopes import Scope
from .state.stack import Stack
from .structured import Structure
from .supposed import Supposed
from .trying import catching, watching
from .trying.tries import Tries
from .values import ranges
from .values.reckoning import specify

if TYPE_CHECKING:
    from .intercept.base import Framework

CAPTURED = {"captured": True}


class Tracer(Looks, Undoing, Leaving, Writing):
    """Records calls of one framework. `framework` knows its arrays, proxies and oracle (tracer/intercept)."""

    def __init__(
        self, framework: Framework, supposed: Supposed | None = None, rolling: Rolling | None = None
    ) -> None:
        self.framework = framework
        self.backend = framework.backend
        self.supposed = supposed or Supposed()
        self.rolling = rolling or Rolling()
        self.scopes = []
        self.stack = Stack()
        self.entry = Entry()
        self.names = Names()
        self.memo = Memo()
        self.memory = Memory()
        self.containers = Recorded()
        self.structure = Structure()
        self.texts = Texts()
        self.modes = Modes(self)
        self.readings = Readings()
        self.tries = Tries()
        self.answers = settling.Answers()
        self.guesses = guessing.Guesses()
        self.outcomes = Outcomes()

    # Scopes.

    @contextmanager
    def scope(self, graph: Graph) -> Iterator[Scope]:
        scope = Scope(graph)
        graph.constants = self.names.constants
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

    def digest(self, value: Any, beside: bool = False) -> tuple[Any, Any, Any]:
        return digest(self, value, beside)

    def seen(self, node: Node) -> tuple[Seen, Any]:
        found: tuple[Seen, Any] | None = node.meta.get("seen")
        if found is None:
            if type(node.spec) in (dict, list):
                found = Seen(node.spec, node.form), ("node", id(node))
            else:
                found = self.memo.seen(node.spec, node.form)
            node.meta["seen"] = found
        return found

    def constant(self, value: Any, name: str | None = None) -> Node:
        """The get_attr node of an array that the function closes over."""
        scope = self.scopes[-1]
        held = scope.constants.get(id(value))
        if held is not None and self.names.constants[held[1].target] is value:
            return held[1]
        path = self.names.of(value)
        if path is None:
            path = self.names.name(value, name or self.framework.constant_name(value) or "constant")
        node = scope.graph.create_node("get_attr", path, name=path)
        node.spec, node.place = self.framework.spec(value), here()
        node.meta["aliased"] = True
        if self.framework.weak(value):
            node.form = "weak"
        scope.constants[id(value)] = (value, node)
        self.memory.lies(path, value)
        return node

    def held(self, value: Any) -> Node | None:
        """The node of a container that came in whole and has not been changed since."""
        node = self.containers.node_of(value)
        if node is None or self.containers.is_written(value, lambda proxy: aliasing.current(self, proxy)):
            return None
        return self.use(node)

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
        if kwargs and is_proxy(copy := kwargs.get("copy")):  # whether memory is new is known while tracing
            kwargs = dict(kwargs, copy=bool(copy))
        try:
            beside = op == "call_function" and target not in weak.ASKING
            nodes, seen, key = self.digest(tuple(args), beside)
            named, seen_named, named_key = self.digest(kwargs, True) if kwargs else ({}, {}, ())
        except ranges.Ranged:
            return ranges.recorded(self, target, tuple(args), kwargs or {}, op)
        key, memo = (target, op, key, named_key), self.memo
        try:
            known = memo.results.get(key)
        except TypeError:
            key = known = None
        if known is None:
            self.memory.shared, memo.fitted = None, {}
            template = self.evaluate(op, target, args, kwargs or {}, seen, seen_named)
            known = Known(template, self.memory.shared, memo.fitted)
            if key is not None and self.guesses.unknown is None:
                memo.results[key] = known
        if known.fitted:
            pairs(self.graph).update(known.fitted)
        node = self.graph.create_node(op, target, nodes, named)
        node.place = here() or self.stack.left
        if self.guesses.unknown is not None:
            self.guesses.refused[node], self.guesses.unknown = self.guesses.unknown, None
        if self.tries.open:
            watching.called(self, node, seen, seen_named)
        if target is operator.setitem:
            return self.stored(node, args[0])
        result = self.wrap(node, known.template)
        if self.framework.aliasing:
            if known.declared is not None:
                node.meta["declared"] = known.declared
            aliasing.note(self, node, args, kwargs or {}, result, known.shared)
            known.declared = node.meta["declared"]
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
            self.memo.failed = guessing.explained(self, op, target, args, kwargs, error)
            raise self.memo.failed from self.memo.failed.__cause__

    def infer(self, op: str, target: Any, seen: Any, named: Any) -> Any:
        """The dictionary's own answer."""
        names = canonical_names(op, target, seen, self.backend)
        return infer_call(self.backend, names, seen, named, fitted=self.memo.fitted)

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
        self.containers.note(container, node)
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
                for number in given if self.tries.open else ():  # another kind may raise nothing
                    ask_type(self.use(number.node))
                raise
            return node

        node = make()  # at once, so that it stands where the user wrote it; unused ones are dropped later
        spec = node.spec
        if sizes and cancelled(values, spec.value):
            self.fit(ranked, sizes, "sizes were subtracted here")
        if self.tries.open:
            watching.reckoned(self, node)
        return Scalar_(self, spec, make, node, ranked, sizes)

    def index(self, number: Scalar_) -> int:
        """The value of a recorded number where Python wants an int, and no float that equals it."""
        if self.tries.open:
            watching.kinds(self, number)
        return operator.index(number.look())

    def foreign(self, func: Any, args: Any, kwargs: Any) -> Any:
        """A call that a framework's protocol handed to us."""
        return self.framework.foreign(self, func, args, kwargs)


__all__ = ["EarlyReturn", "Proxy", "Tracer", "current", "is_proxy"]

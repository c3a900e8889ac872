"""Looks: what Python asks of a proxy while tracing, and the guard that each answer costs.

A question about values that only the running program has is an error with the user's line, never a guess.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..backends.memory import INPLACE
from ..ir.errors import TraceError, UnsupportedError
from ..ir.graphs import fitting
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.presence import ask_kind, ask_presence, outermost
from ..ir.graphs.regions import Effect, Function, Region, guard
from ..ir.graphs.static import Scalar, ask_type, pin, pin_rank, saying, taken
from ..ir.graphs.walk import following
from ..ir.sizes.dim import COMPARISONS, Sym, compare, hint_of
from ..ir.sizes.local import is_local
from . import settling
from .memory import numpy_scalars
from .memory.operands import computed
from .memory.writes import WRITING
from .part import Part
from .place import here
from .proxy import Scalar_, Shape, is_proxy, isinstance_scalar

#: How the functions that compare are written.
WRITTEN = {fn: op for op, fn in COMPARISONS.items()}


def writes(node: Node) -> bool:
    """Whether a call changes its operand, so that it cannot be run for its value alone."""
    if node.op == "call_method":
        return bool(node.target.endswith("_") and not node.target.endswith("__"))
    name = getattr(node.target, "__name__", "")
    return node.target in WRITING or getattr(node.target, "__module__", "") == "_operator" and name in INPLACE


class Looks(Part):
    """The part of a Tracer that answers questions."""

    def look(self, scalar: Scalar_, why: str) -> Any:
        """The example's value of a recorded number, and a guard that it stays so."""
        value = scalar.spec.value
        if scalar.local:
            settling.want(self.tracer, scalar)
            raise self.unsettled(why, scalar._node)
        self.fit(scalar.ranked, scalar.sizes, why)
        if isinstance(value, Sym):
            return self.known(value, why)
        hint = scalar.spec.hint
        if hint is None:
            raise self.error("its value is not known while tracing", "give example arguments with args=")
        self.guard(self.tracer.use(scalar.node), hint, why)
        return hint

    def look_signed(self, scalar: Scalar_, why: str) -> Any:
        """The same where it matters whether a zero is 0.0 or -0.0, which are equal."""
        value = self.look(scalar, why)
        if type(value) is float and value == 0:
            self.look(self.tracer.scalar(math.copysign, 1.0, scalar), why)
        return value

    def certain(self, fn: Callable[..., Any], left: Any, right: Any) -> bool | None:
        """The answer to a comparison, where all that a loop counts has the same one; else None."""
        numbers = all(isinstance(v, (int, Sym)) and not isinstance(v, bool) for v in (left, right))
        return compare(WRITTEN[fn], left, right) if numbers and fn in WRITTEN else None

    def known(self, dim: Any, why: str) -> int:
        """A dim as an int, and a guard that it stays so. None is one that no expression says."""
        if dim is None:
            raise UnsupportedError(
                "a range of a step that only the running program knows",
                why=f"how many numbers it has is not known, and {why}",
                span=self.span(),
                hint="write the loop as a `for` statement of its own",
            )
        if not isinstance(dim, Sym):
            return int(dim)
        if is_local(dim):
            raise self.unsettled(why)
        hint = hint_of(dim)
        if hint is None:
            raise self.error(
                f"{dim} is not known while tracing, and {why}", "give example arguments with args="
            )
        self.guard(dim, hint, why)
        for left, right in fitting.beside(self.graph, dim):
            self.guard(left - right, 0, why)
        return hint

    def unsettled(self, why: str, number: Node | None = None) -> TraceError:
        """A number that changes from turn to turn, or from branch to branch, was asked for its value; or one
        that is taken out of an array.
        """
        what, hint = "a loop or a branch computes", "keep it out of code that needs a plain int"
        if number is not None and taken(number):
            what, hint = "is taken out of an array", "compute and compare with it, and ask it in an `if`"
        return UnsupportedError(
            f"the value of a number that {what}",
            why=f"it is known only when the program runs, and {why}",
            span=self.span(),
            hint=f"{hint}, or loop over a constant range",
        )

    def reaches(self, node: Node) -> bool:
        """Whether a node can be used here: it was not taken back, and its graph is open."""
        return node.next is not node and any(scope.graph is node.graph for scope in self.scopes)

    def guard(self, what: Any, expected: Any, why: str) -> None:
        if is_local(what):
            raise self.unsettled(why)
        while isinstance(what, Node) and what.target is operator.not_ and what.args[0].spec.type is bool:
            what, expected = what.args[0], not expected
        depth = next(
            i for i in range(len(self.scopes), 0, -1) if not self.scopes[i - 1].graph.meta.get("branch")
        )
        scope = self.scopes[depth - 1] if isinstance(what, Sym) else self.scopes[-1]
        if (what, expected) in scope.guards:
            return
        scope.guards.add((what, expected))
        fitting.rely(scope.graph, what)
        node = scope.graph.create_node("call_function", guard, (what, expected), {"why": why})
        node.place = here()
        node.spec = Scalar(type(None))

    def fit(self, arrays: Iterable[Node], sizes: Iterable[Any], why: str) -> None:
        """Python looks at what comes of sizes of arrays that were computed: the ranks of these arrays stay
        what they are, and sizes that broadcast with these, and are equal in the example, stay equal.
        """
        fitting.settle(arrays)
        for size in sizes:
            fitting.rely(self.graph, size)
        for left, right in fitting.fitted(self.graph, sizes):
            self.guard(left - right, 0, why)

    def rank(self, node: Node) -> Any:
        """The rank of an array, and a check that those of the arguments that it comes from stay so."""
        pin_rank([node])
        return node.spec.rank

    def is_argument(self, node: Node) -> bool:
        """Whether an array is an argument as it came, so that checks can speak of its shape."""
        return "path" in node.meta or "outer" in node.meta and self.is_argument(node.meta["outer"])

    def relative(self, node: Node, index: int, size: Any) -> Any:
        """A size that would be another one if ranks were: one counted from behind, or of an array that was
        computed. Once Python looks at it, the ranks are looked at too.
        """
        if index >= 0 and self.is_argument(node):
            return size
        if isinstance_scalar(size):
            size.ranked = (node,)
            fitting.asked(node.graph, size.spec.value, [node])
        else:
            self.rank(node)
        return size

    def guard_kind(self, value: Any) -> None:
        """Python was told what kind of thing a value is: an array, or an int or float of Python's. The
        function checks it of the arguments behind: `assert type(k) is int, k`. For what is no proxy this
        does nothing.
        """
        if isinstance_scalar(value):
            ask_type(self.tracer.use(value.node))
        elif is_proxy(value) and not self.is_argument(value.node):
            if "any of" in outermost(value.node).meta:  # an item of a list
                ask_kind(value.node)
            if self.backend.own_numbers:  # without axes most of what it computes is a number
                self.rank(value.node)
        elif is_proxy(value):
            ask_kind(value.node)

    def guard_given(self, value: Any) -> None:
        """Python was told that a value is not None. The function checks it of the arguments that the value
        may be: `assert m is not None`.
        """
        if isinstance_scalar(value):
            ask_type(self.tracer.use(value.node))
        elif is_proxy(value):
            ask_presence(value.node, self.scopes[0].graph)
        else:
            self.structure.given_one(value)

    def dtype(self, node: Node) -> Any:
        """The dtype of an array, and a check that those of the arguments that it comes from stay so.

        Raises:
            UnsupportedError: where it is another on another way.
        """
        settling.of_one_type(self.tracer, saying([node]))
        if node.spec.dtype is None:
            why, hint = "on another way it is of another", "cast it to one dtype on every way"
            raise UnsupportedError("the dtype of an array", why=why, span=self.span(), hint=hint)
        pin([node])
        return node.spec.dtype

    def length(self, proxy: Any) -> Any:
        shape = self.shape(proxy)
        if not shape:
            raise TypeError("len() of a 0-d array")
        self.relative(proxy.node, 0, None)
        return self.known(
            shape[0].spec.value if isinstance_scalar(shape[0]) else shape[0], "its length was asked for"
        )

    def shape(self, proxy: Any, named: bool = True) -> Shape:
        """The shape of an array proxy, its dims recorded numbers.

        Args:
            named: whether the shape itself is what the user's statement binds, not a number computed from it.

        Raises:
            TraceError: when not even the rank is known.
        """
        node = proxy.node
        if node.spec.shape is None:
            raise self.shapeless(proxy.node)
        place = here()
        home = node.graph if self.reaches(node) else self.graph  # where the array is, not in a loop
        asked = home.latest

        def make() -> Node:
            known = node.meta.get("shape_node")
            apart = named and place is not None and place.unpacks  # it is a statement of its own
            told = known is not None and known.place is not None and known.place.unpacks
            if known is None or not self.reaches(known) or apart and not told:
                made = self.asked_at(asked, home, getattr, (node, "shape"))
                made.spec, made.place = Scalar(tuple, tuple(node.spec.shape)), place
                if not named:
                    made.names = ()
                node.meta["shape_node"] = made
            return node.meta["shape_node"]  # type: ignore[no-any-return]

        def dim(index: int) -> Any:
            return self.relative(node, index, size_at(index))

        def size_at(index: int) -> Any:
            size = node.spec.shape[index]
            if not isinstance(size, Sym):
                return size
            place, asked = here(), home.latest

            def item() -> Node:
                whole = make()
                made = self.asked_at(asked, whole.graph, operator.getitem, (whole, index))
                made.spec, made.place = Scalar(int, size), place
                return made

            sizes = () if self.is_argument(node) else (size,)
            if sizes:
                fitting.asked(node.graph, size, [node])
            return Scalar_(self.tracer, Scalar(int, size), item, sizes=sizes)

        shape = Shape(size_at(i) for i in range(len(node.spec.shape)))
        shape.tracer, shape.of, shape.make, shape.dim = self.tracer, node, make, dim
        return shape

    def product(self, shape: Shape) -> Any:
        """All dims of a shape, multiplied."""
        total = math.prod(d.spec.value if isinstance_scalar(d) else d for d in shape.dims)
        if not isinstance(total, Sym):
            self.rank(shape.of)
            return total
        node = self.graph.create_node("call_function", math.prod, (self.tracer.use(shape.node),))
        node.spec, node.place, node.meta["word"] = Scalar(int, total), here(), "size"
        fitting.asked(self.graph, total, [shape.of])
        return Scalar_(self.tracer, node.spec, None, node, (shape.of,), (total,))

    def asked_at(self, latest: Node, graph: Graph, target: Any, args: tuple[Any, ...]) -> Node:
        """A node for a size that turns out to be needed, where it was asked for: behind what was the latest
        node then.
        """
        at = latest if latest.graph is graph and self.reaches(latest) else graph.latest
        if args[0] is not at.next and args[0] in following(at):
            at.append(args[0])
        while at.next.meta.get("asked"):
            at = at.next
        with graph.inserting_after(at):
            made: Node = graph.create_node("call_function", target, args)
        made.meta["asked"] = True
        return made

    def concrete(self, node: Node) -> Any:
        """The value of a node that depends on no argument; None where it does."""
        if node.op == "get_attr":
            return self.names.constants[node.target]
        if "outer" in node.meta:
            return self.concrete(node.meta["outer"])
        if node.op == "placeholder" or isinstance(node.target, (Region, Function, Effect)) or writes(node):
            return None
        if "concrete" not in node.meta:
            found = {n: self.concrete(n) for n in node.all_input_nodes}
            known = all(value is not None for value in found.values())
            node.meta["concrete"] = computed(self.framework, node, found) if known else None
        return node.meta["concrete"]

    # What cannot be recorded.

    def truth(self, proxy: Any) -> bool:
        value = self.concrete(proxy.node)
        if value is not None:
            return bool(value)
        place = here()
        seen = place is not None and any(constant is self.hooks for constant in place.code.co_consts)
        asks = "a function of Python's asks for them" if seen else "this code is not rewritten"
        raise UnsupportedError(
            "bool() of an array",
            why=f"its values are known only when the program runs, and {asks}",
            span=self.span(),
            hint=f"{self.chooses} chooses element by element",
        )

    def undecided(self, why: str) -> TraceError:
        """An `if` or `while` that an array decides, but that could not be made visible."""
        hint = f"take that apart, or choose element by element with {self.chooses}"
        if why.startswith("how many items"):
            hint = "let each item say it, sum(v if v > 0 else 0 for v in x); or write a `for` with an `if`"
        return UnsupportedError(
            "an `if` or `while` on the values of an array",
            why=f"{why}, so that it cannot be recorded",
            span=self.span(),
            hint=hint,
        )

    def rows(self, proxy: Any) -> Iterator[Any]:
        """The rows of an array, where a loop over it is not recorded as one."""
        shape = proxy.node.spec.shape
        if shape is None:
            raise self.shapeless(proxy.node)
        if not shape:
            raise TypeError("iteration over a 0-d array")
        self.relative(proxy.node, 0, None)
        return self.each(proxy, shape[0])  # which would raise at the first row only

    def each(self, proxy: Any, size: Any) -> Iterator[Any]:
        for i in range(self.known(size, "its rows are gone through one by one")):
            yield self.record(operator.getitem, (proxy, i))

    def record(self, target: Any, args: Any) -> Any:
        raise NotImplementedError

    @property
    def chooses(self) -> str:
        return f"{self.backend.functions[0]}.where(condition, a, b)"

    def wants_number(self, proxy: Any, what: str) -> TraceError:
        return UnsupportedError(
            f"{what} from an array",
            why="its numbers are known only when the program runs",
            span=self.span(),
            hint="keep the computation in arrays, or pass the number as an argument",
        )

    def shapeless(self, node: Node) -> TraceError:
        """The shape of an array was asked for, of which not even the rank is known."""
        if "unique" in numpy_scalars.name(node if node.target is not operator.getitem else node.args[0]):
            return self.error(
                "the shape of an array whose size values decide: how many distinct values there are is known "
                "only when the program runs",
                "give the values, or how many there are, as an argument"
                + self.framework.unique_hint,
            )
        return self.error("the shape of this array is not known", "give example arguments with args=")

    def error(self, message: str, hint: str | None = None) -> TraceError:
        return TraceError(message, span=self.span(), hint=hint)

    def span(self) -> Any:
        place = here()
        return place.span if place is not None else None

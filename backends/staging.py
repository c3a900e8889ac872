"""Staging for JAX: which regions it must compile, and what a compiled region wants.

What decides a region may be known to Python when the function is compiled: an argument that was left out,
a size, a static number. Such a
region stays Python's own. Everything else becomes lax.cond, while_loop, fori_loop or scan, all of whose
values are arrays: the numbers that
it computes become arrays too, and a variable without a value one of zeros.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from ..ir import dtypes
from ..ir.dtypes import DType
from ..ir.errors import UnsupportedError
from ..ir.graph import Graph, Node, map_arg
from ..ir.op import REGISTER, Op
from ..ir.printing import print_
from ..ir.program import Program
from ..ir.regions import Function, Region, cond, for_loop, is_loop, loop, while_loop
from ..ir.spec import Spec
from ..ir.static import Scalar
from .backend import Backend
from .counting import from_zero
from .defining import defined, filled

#: Plain Python on numbers, as ops on arrays.
OPS: dict[Any, str] = {
    operator.add: "add", operator.sub: "subtract", operator.mul: "multiply", operator.truediv: "divide",
    operator.floordiv: "floor_divide", operator.mod: "remainder", operator.pow: "pow", operator.neg:
    "negative",
    operator.lt: "less", operator.le: "less_equal", operator.gt: "greater", operator.ge: "greater_equal",
    operator.eq: "equal", operator.ne: "not_equal", operator.not_: "logical_not", abs: "abs", min:
    "minimum", max: "maximum",
    math.sqrt: "sqrt", math.exp: "exp", math.log: "log", math.sin: "sin", math.cos: "cos", math.tan:
    "tan", math.tanh: "tanh",
    math.floor: "floor", math.ceil: "ceil",
}  # fmt: skip
INEXACT = frozenset({"divide", "sqrt", "exp", "log", "sin", "cos", "tan", "tanh"})
#: Parameters of ops that may be known to the running program only.
OPEN = {
    ("getitem", "key"), ("update", "key"), ("accumulate", "key"), ("full", "fill_value"),
    ("full_like", "fill_value"), ("roll", "shift"),
}  # fmt: skip


class Staging:
    """One pass over a program.

    Attributes:
        open: numbers that only the compiled program knows.
        depth: how many compiled regions there are around the graph that is being converted.
    """

    def __init__(self, target: Backend) -> None:
        self.target = target
        self.open: set[Node] = set()
        self.depth = 0

    # Which.

    def look(self, graph: Graph) -> None:
        """Find what only the compiled program knows; note on each region whether it is to be compiled."""
        for node in graph.nodes:
            if node.target is cond:
                self.look_at_cond(node)
            elif is_loop(node):
                self.look_at_loop(node)
            elif isinstance(node.target, Function):
                self.enter(node.args, node.target.graph.placeholders)
                self.look(node.target.graph)
            elif isinstance(node.spec, Scalar) and node.target not in (getattr, print_):
                if any(n in self.open for n in node.all_input_nodes):
                    self.open.add(node)

    def enter(self, given: Sequence[Any], placeholders: Sequence[Node]) -> None:
        for outer, inner in zip(given, placeholders):
            if isinstance(outer, Node) and outer in self.open:
                self.open.add(inner)

    def is_open(self, value: Any) -> bool:
        return isinstance(value, Node) and (isinstance(value.spec, Spec) or value in self.open)

    def give(self, node: Node, numbers: Sequence[bool]) -> None:
        for user in node.users:
            if user.target is operator.getitem and user.args[0] is node and numbers[user.args[1]]:
                if isinstance(user.spec, Scalar):
                    self.open.add(user)

    def look_at_cond(self, node: Node) -> None:
        predicate, then, orelse, operands = node.args
        lax = node.meta["lax"] = self.is_open(predicate)
        for graph in (then, orelse):
            self.enter(operands, graph.placeholders)
            self.look(graph)
        sides = [g.output_node.args[0] if g.output_node.target == "yield" else () for g in (then, orelse)]
        self.give(
            node,
            [lax or any(i < len(s) and self.is_open(s[i]) for s in sides) for i in range(len(node.spec))],
        )

    def look_at_loop(self, node: Node) -> None:
        parts = loop(node)
        lax = node.target is for_loop and not node.meta.get("unrolled")
        while True:
            before = len(self.open), lax
            graphs = [parts.body] if parts.test is None else [parts.test, parts.body]
            for graph in graphs:
                first = len(parts.items) if graph is parts.body else 0
                carried = graph.placeholders[first:][: len(parts.state)]
                if lax:
                    self.open |= {
                        p for p in (*graph.placeholders[:first], *carried) if isinstance(p.spec, Scalar)
                    }
                self.enter(parts.state, carried)
                self.enter(parts.yields[: len(carried)], carried)
                self.enter(parts.operands, graph.placeholders[first + len(carried) :])
                self.look(graph)
            if parts.test is not None and self.is_open(parts.test.output_node.args[0][0]):
                lax = True
            if (len(self.open), lax) == before:
                break
        node.meta["lax"] = lax
        self.give(node, [lax or self.is_open(y) for y in parts.yields] or [lax] * len(node.spec))

    # What.

    def number(self, kind: type) -> DType:
        """The dtype of a number as an array of JAX's."""
        wide = self.target.x64
        if kind is complex:
            return dtypes.complex128 if wide else dtypes.complex64
        if kind is float:
            return dtypes.float64 if wide else dtypes.float32
        return dtypes.bool_ if kind is bool else dtypes.int64 if wide else dtypes.int32

    def convert(self, program: Program) -> None:
        """Let open numbers be arrays, and the values of compiled regions be defined and of one kind."""
        for node in list(program.nodes):
            if node.graph is not program:
                continue
            program.origin = node.origin
            if node.op == "placeholder" and node in self.open:
                if isinstance(node.spec, Scalar):
                    node.spec = Spec((), self.number(node.spec.type))
            elif isinstance(node.target, Region):
                self.convert_region(program, node)
            elif isinstance(node.target, Function):
                self.convert(node.target.graph)  # type: ignore[arg-type]
            elif node in self.open and node.op == "call_function" and isinstance(node.spec, Scalar):
                self.computed(program, node)
            elif isinstance(node.target, Op):
                self.operands(program, node)

    def computed(self, program: Program, node: Node) -> None:
        """Plain Python on open numbers, as an op."""
        if node.target is operator.getitem:
            node.spec = Spec((), self.number(node.spec.type))
            return
        kind = node.spec.type
        with program.inserting_before(node):
            if node.target in (int, float, bool):
                made = self.converted(program, node.args[0], kind)
            else:
                name = OPS.get(node.target)
                if name is None:
                    raise UnsupportedError(
                        f"{getattr(node.target, '__name__', node.target)} of a number that a loop computes",
                        backend="jax", span=node.span,
                        why="JAX knows the number only when it runs", hint="compute it with jax.numpy",
                    )  # fmt: skip
                dtype = self.common(node.args, floating=name in INEXACT)
                made = program.call(REGISTER[name], *(self.operand(program, v, dtype) for v in node.args))
                made = self.cast(program, made, self.number(kind))
        made.meta.update({k: v for k, v in node.meta.items() if k == "for"})
        node.replace_all_uses_with(made)
        program.erase_node(node)
        self.open.add(made)

    def converted(self, program: Program, value: Any, kind: type) -> Node:
        value = self.array(program, value)
        if kind is int and value.spec.dtype.kind == "float":
            value = program.call(REGISTER["trunc"], value)
        made: Node = self.cast(program, value, self.number(kind))
        return made

    def common(self, operands: Sequence[Any], *, floating: bool) -> DType:
        """The dtype that an op on numbers computes in."""
        order = ("bool", "int", "uint", "float", "complex")
        best = max((self.dtype(o) for o in operands), key=lambda d: order.index(d.kind))
        return self.number(float) if floating and best.kind not in ("float", "complex") else best

    def dtype(self, value: Any) -> DType:
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            found: DType = value.spec.dtype  # type: ignore[assignment]
            return found
        return self.number(value.spec.type if isinstance(value, Node) else type(value))

    def operand(self, program: Program, value: Any, dtype: DType) -> Any:
        """An operand of such an op: a number that Python knows stays one."""
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            return self.cast(program, value, dtype)
        return value

    def array(self, program: Program, value: Any) -> Node:
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            return value
        kind = value.spec.type if isinstance(value, Node) else type(value)
        made: Node
        if isinstance(value, Node):
            made = program.call(REGISTER["full"], shape=(), fill_value=value, dtype=self.number(kind))
        else:
            made = program.call(REGISTER["array"], value=value, dtype=self.number(kind))
        made.meta["number"] = True
        return made

    def cast(self, program: Program, value: Node, dtype: DType | None) -> Node:
        if value.spec.dtype == dtype or dtype is None:
            return value
        made: Node = program.call(REGISTER["cast"], value, dtype=dtype)
        made.meta["implicit"] = True
        return made

    def operands(self, program: Program, node: Node) -> None:
        """An op some of whose operands were numbers: they take the dtype of the arrays beside them, as
        numbers do.
        """
        mine = [a for a in node.args if isinstance(a, Node) and a in self.open]
        self.parameters(node)
        if not mine:
            return
        others = [
            a.spec.dtype
            for a in node.args
            if isinstance(a, Node) and isinstance(a.spec, Spec) and a not in self.open
        ]
        result = node.spec.dtype if isinstance(node.spec, Spec) else None
        with program.inserting_before(node):
            for number in mine:
                best = (
                    others[0]
                    if others
                    else result
                    if result is not None and result.kind != "bool"
                    else number.spec.dtype
                )
                new = self.cast(program, number, best)
                if new is not number:
                    node.replace_input_with(number, new)

    def parameters(self, node: Node) -> None:
        for name, value in node.kwargs.items():
            found: list[Node] = []
            map_arg(value, lambda n: found.append(n) or n)  # type: ignore[func-returns-value]
            sliced = name == "key" and any(
                isinstance(k, slice)
                and any(v in self.open for v in (k.start, k.stop, k.step) if isinstance(v, Node))
                for k in value
            )
            if any(n in self.open for n in found) and ((node.target.name, name) not in OPEN or sliced):
                what = "a slice with bounds" if sliced else f"{node.target.name} with a {name}"
                raise UnsupportedError(
                    f"{what} that only the running program knows",
                    backend="jax", span=node.span,
                    why="JAX must know every shape when it compiles",
                    hint="x[start + arange(n)] has one length; or mask the whole with where(...)",
                )  # fmt: skip

    def joined_tests(self, program: Program, node: Node) -> bool:
        """Write an `and` or `or` of tests as an op on bools, where computing both of them does no harm."""
        predicate, then, orelse, operands = node.args
        kind = node.meta.get("kind")
        if kind not in ("and", "or"):
            return False
        graph = then if kind == "and" else orelse
        (value,) = graph.output_node.args[0]
        pure = not any(
            isinstance(n.target, Region) or n.is_impure() for n in graph.nodes if n.op == "call_function"
        )
        if not pure or not all(self.is_bool(v) for v in (predicate, value)):
            return False
        with program.inserting_before(node):
            program.origin = node.origin
            (value,) = program.graph_copy(graph, dict(zip(graph.placeholders, operands)))
            both = (self.array(program, v) for v in (predicate, value))
            made = program.call(REGISTER[f"logical_{kind}"], *both)
        for user in list(node.users):
            user.replace_all_uses_with(made)
            program.erase_node(user)
        program.erase_node(node)
        return True

    def is_bool(self, value: Any) -> bool:
        spec = value.spec if isinstance(value, Node) else Scalar(type(value))
        return spec.type is bool if isinstance(spec, Scalar) else spec.dtype == dtypes.bool_

    def convert_region(self, program: Program, node: Node) -> None:
        inner = [g for g in node.args if isinstance(g, Graph)]
        lax = bool(node.meta.get("lax"))
        self.depth += lax
        for graph in inner:
            self.convert(graph)  # type: ignore[arg-type]
        self.depth -= lax
        if not lax:
            filled(self, program, node)
        if not lax or self.joined_tests(program, node):
            return
        node.spec = tuple(self.column(s) for s in node.spec)
        for user in node.users:
            if user.target is operator.getitem and user.args[0] is node:
                user.spec = node.spec[user.args[1]]
        count = len(loop(node).state) if is_loop(node) else len(node.spec)
        specs = [
            s if i < count else Spec(None if s.shape is None else s.shape[1:], s.dtype)
            for i, s in enumerate(node.spec)
        ]
        for graph in inner:
            if node.target is while_loop and graph is inner[0]:
                continue
            output = graph.output_node
            with graph.inserting_before(output):
                given = zip(output.args[0], specs, strict=True)
                output.args = (tuple(defined(self, graph, node, v, s) for v, s in given),)
        if is_loop(node):
            first, body, state, operands = node.args
            with program.inserting_before(node):
                state = tuple(defined(self, program, node, v, s) for v, s in zip(state, specs))
            node.args = (first, body, state, operands)
            for graph in inner:
                skip = len(loop(node).items) if graph is loop(node).body else 0
                for placeholder, spec in zip(graph.placeholders[skip:], specs[:count]):
                    placeholder.spec = (
                        Spec(placeholder.spec.shape, spec.dtype)
                        if isinstance(placeholder.spec, Spec)
                        else spec
                    )

    def column(self, spec: Any) -> Any:
        return (
            Spec((), self.number(spec.type))
            if isinstance(spec, Scalar) and spec.type is not type(None)
            else spec
        )


def staged(program: Program, target: Backend) -> None:
    """Prepare the regions of a program for JAX, see the module."""
    found = Staging(target)
    found.look(program)
    if from_zero(program, found.is_open):
        found.look(program)
    found.convert(program)

"""Staging for a target that compiles regions: what a compiled region wants. binding_time.py says which they
are.

It becomes lax.cond, while_loop, fori_loop or scan, or torch.cond, while_loop or scan, all of whose values are
arrays: the numbers that it computes become arrays too, and a variable without a value one of zeros. torch
has ints among them besides.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Graph, Node
from ....ir.graphs.regions import Function, Region, cond, for_loop, is_loop, loop, while_loop
from ....ir.graphs.static import TAKING, Scalar, given_back, item, takes
from ....ir.graphs.walk import held
from ....ir.meaning.op import REGISTER, Op, divide, inexact
from ....ir.meaning.operators import OPS
from ....ir.noting import note_type
from ....ir.program import Program
from ....ir.sizes.dim import COMPARISONS
from ....ir.values import dtypes
from ....ir.values.dtypes import DType
from ....ir.values.spec import Spec
from ... import unions
from ...backend import Backend
from ..scalars import by_axes_of
from . import slices
from .binding_time import Binding, bound
from .defined import arrays_for_numbers, defined, filled
from .loops import from_zero
from .needs import dtype_beside, must_be_known, nodes_in, op_of
from .powers import whole
from .python_floats import owned

COMPARING = frozenset(COMPARISONS.values())
#: The comparison by which Python's functions choose.
BEST: dict[Any, str] = {max: OPS[operator.gt], min: OPS[operator.lt]}


class Staging:
    """One pass over a program.

    Attributes:
        open: numbers that only the compiled program knows. `arrays`: those of them that become arrays.
        depth: how many compiled regions there are around the graph that is being converted.
    """

    def __init__(self, target: Backend, source: Backend, found: Binding) -> None:
        self.target = target
        self.source = source
        self.found = found
        self.open = found.open
        self.arrays = found.arrays
        self.depth = 0
        #: The graphs of functions that are done.
        self.done: set[Graph] = set()

    def number(self, kind: type) -> DType:
        """The dtype of a number as an array of the target's."""
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
            if node.op == "placeholder" and node in self.arrays and isinstance(node.spec, Scalar):
                self.carried(node)
            elif isinstance(node.target, Region):
                self.convert_region(program, node)
            elif isinstance(node.target, Function):
                if (graph := node.target.graph) not in self.done:
                    self.done.add(graph)
                    self.convert(graph)  # type: ignore[arg-type]
                node.spec = given_back(node)
                if node in self.arrays:
                    self.carried(node)
            elif node in self.arrays and node.op == "call_function" and isinstance(node.spec, Scalar):
                self.computed(program, node)
            elif isinstance(node.target, Op):
                self.operands(program, node)

    def carried(self, node: Node) -> None:
        """Let a number that a region or a function hands on be an array: where there are weak ones it is,
        unless it has met an array on the way.
        """
        node.spec = Spec((), self.number(node.spec.type))
        if self.target.weak:
            node.meta["carried"] = "either"

    def computed(self, program: Program, node: Node) -> None:
        """Plain Python on open numbers, as an op."""
        if node.target in (operator.getitem, getattr):
            self.carried(node)
            return
        with program.inserting_before(node):
            made = self.as_op(program, node)
        made.stands_for = node.stands_for or made.stands_for
        made.meta["counted"] = True
        node.replace_all_uses_with(made)
        program.erase_node(node)
        self.open.add(made)
        self.arrays.add(made)

    def as_op(self, program: Program, node: Node) -> Node:
        """What such a computation gives, as an array."""
        kind = node.spec.type
        if node.target is int and node.origin is not None:  # which is left out where the number is an int
            note_type(node.origin.args[0])
        for value in node.args if node.target in BEST else ():  # of which one comes out, of its type
            note_type(getattr(value, "origin", None) or value)
        if takes(node):
            return self.taken(program, node)
        if node.target in TAKING:
            return self.converted(program, node.args[0], kind)
        name = op_of(node)
        if name is None:
            raise UnsupportedError(
                f"{getattr(node.target, '__name__', node.target)} of a number that is computed",
                backend=self.target.name, span=node.span,
                why="the number is known only when the program runs", hint="compute it with arrays",
            )  # fmt: skip
        dtype = self.common(node.args, floating=REGISTER[name].rules[0] in (inexact, divide))
        dtype = self.number(int) if kind is int and dtype.kind == "bool" else dtype  # as Python adds bools
        operands = [self.operand(program, v, dtype) for v in node.args]
        if not any(isinstance(v, Node) and isinstance(v.spec, Spec) for v in operands):
            at = next(i for i, v in enumerate(operands) if isinstance(v, Node))
            operands[at] = self.cast(program, self.array(program, operands[at]), dtype)
        if node.target in BEST and dtype.is_inexact:
            made = self.best(program, node.target, *operands)
        else:
            made = program.call(REGISTER[name], *operands)
        return self.cast(program, made, dtype if node.target in BEST else self.number(kind))

    def best(self, program: Program, fn: Any, first: Any, second: Any) -> Node:
        """Python's max or min of floats: the first of them, unless the second beats it, which no NaN does."""
        beats = program.call(REGISTER[BEST[fn]], second, first)
        return program.call(REGISTER["where"], beats, second, first)  # type: ignore[no-any-return]

    def converted(self, program: Program, value: Any, kind: type) -> Node:
        value = self.array(program, value)
        if kind is int and value.spec.dtype.kind == "float":
            value = program.call(REGISTER["trunc"], value)
            return program.call(REGISTER["cast"], value, dtype=self.number(int))  # type: ignore[no-any-return]
        return self.cast(program, value, self.number(kind))

    def taken(self, program: Program, node: Node) -> Node:
        """The number that is taken out of an array: in torch a new leaf, through which no gradient goes."""
        by_axes_of(node.args[0])
        array, of_one = node.args[0], node.target in (item, bool) or self.source.one_element
        if array.spec.shape is None and of_one:  # it may have axes of one element
            array = program.call(REGISTER["reshape"], array, shape=())
        made = self.converted(program, array, node.spec.type)
        asked = all(user.target in COMPARING for user in node.users)
        floats = made.spec.dtype is not None and made.spec.dtype.is_inexact
        if not self.source.item_detaches or asked or not floats:
            return made
        return program.call(REGISTER["stop_gradient"], made)  # type: ignore[no-any-return]

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

    def array(self, program: Program, value: Any, dtype: DType | None = None) -> Node:
        """A value as an array: a number as one of `dtype`, None: of that of its kind."""
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            return value
        if isinstance(value, Node) and value in self.open and value.spec.type is bool:
            return self.as_op(program, value)  # a test of ints
        kind = value.spec.type if isinstance(value, Node) else type(value)
        dtype = dtype or self.number(kind)
        made: Node
        if isinstance(value, Node):
            value = self.floating(program, value, dtype)
            made = program.call(REGISTER["full"], shape=(), fill_value=value, dtype=dtype)
        else:
            floats = dtype.is_inexact and kind is int
            made = program.call(REGISTER["array"], value=float(value) if floats else value, dtype=dtype)
        made.meta["number"], made.meta["wrote"] = True, kind
        return made

    def floating(self, program: Program, value: Node, dtype: DType) -> Node:
        """A number that Python knows, as an array of floats is made of it: JAX makes ints of an int."""
        known = value not in self.arrays and value not in self.open
        if not known or not dtype.is_inexact or value.spec.type is not int:
            return value
        return program.static(float, value, spec=Scalar(float))

    def cast(self, program: Program, value: Node, dtype: DType | None) -> Node:
        if value.spec.dtype == dtype or dtype is None:
            return value
        made: Node = program.call(REGISTER["cast"], value, dtype=dtype)
        made.implicit = True
        return made

    def operands(self, program: Program, node: Node) -> None:
        """An op some of whose operands or parameters were numbers."""
        single = node.target is REGISTER["full"] and node.kwargs["shape"] == ()
        if single and not self.target.array_parameters:
            if node.kwargs["fill_value"] in self.arrays:  # it is such an array itself
                with program.inserting_before(node):
                    made = self.cast(program, node.kwargs["fill_value"], node.spec.dtype)
                node.replace_all_uses_with(made)
                program.erase_node(node)
                return
        if node.target is REGISTER["full"] and unions.is_number(node):
            with program.inserting_before(node):
                value = self.floating(program, node.kwargs["fill_value"], node.spec.dtype)
            node.update_kwarg("fill_value", value)
        self.beside_arrays(program, node)
        if node.meta.get("lengths"):
            slices.windowed(program, node, self.found.is_open)

    def beside_arrays(self, program: Program, node: Node) -> None:
        """Let what were numbers take the dtype of the arrays beside them, as numbers do."""
        mine = [a for a in node.args if isinstance(a, Node) and a in self.arrays]
        self.parameters(node)
        tests = [a for a in node.args if isinstance(a, Node) and a in self.open and is_test(a)]
        for test in tests:
            with program.inserting_before(node):
                node.replace_input_with(test, self.array(program, test))
        if not mine:
            return
        with program.inserting_before(node):
            for number in mine:
                new = self.cast(program, number, dtype_beside(node, number, self.arrays))
                if new is not number:
                    node.replace_input_with(number, new)

    def parameters(self, node: Node) -> None:
        for name, value in node.kwargs.items():
            found = nodes_in(value)
            if any(n in self.open for n in must_be_known(node, name)):
                sliced = any(isinstance(k, slice) for k in value) if name == "key" else False
                what = "a slice with bounds" if sliced else f"{node.target.name} with a {name}"
                raise UnsupportedError(
                    f"{what} that only the running program knows",
                    backend=self.target.name, span=node.span,
                    why="every shape must be known when the program is compiled",
                    hint="x[start + arange(n)] has one length; or mask the whole with where(...)",
                )  # fmt: skip
            if not self.target.array_parameters and any(n in self.arrays for n in found):
                raise UnsupportedError(
                    f"{node.target.name} with a {name} that a loop computes",
                    backend=self.target.name, span=node.span,
                    why="an index is exported that is counted up, not one that arrays decide",
                    hint="count with range(n), or in steps of an int",
                )  # fmt: skip

    def joined_tests(self, program: Program, node: Node) -> bool:
        """Write an `and` or `or` of tests as an op on bools, where computing both of them does no harm."""
        predicate, then, orelse, operands = node.args
        kind = node.meta.get("kind")
        if kind not in ("and", "or") or len(node.spec) != 1:  # more: one of them writes
            return False
        graph, other = (then, orelse) if kind == "and" else (orelse, then)
        (value,), (short,) = graph.output_node.args[0], other.output_node.args[0]
        pure = not any(
            isinstance(n.target, Region) or n.is_impure() for n in graph.nodes if n.op == "call_function"
        )
        if not pure or not all(self.is_bool(v) for v in (value, short)):
            return False
        output = graph.output_node
        with graph.inserting_before(output):
            output.args = ((self.array(graph, value),),)
        with program.inserting_before(node):
            program.origin = node.origin
            (value,) = program.graph_copy(graph, dict(zip(graph.placeholders, operands)))
            both = (self.truth(program, self.array(program, predicate)), value)
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
        inner = held(node, program)
        compiled = bool(node.meta.get("compiled"))
        self.depth += compiled
        for graph in inner:
            self.convert(graph)
        self.depth -= compiled
        if not compiled:
            filled(self, program, node)
            arrays_for_numbers(self, node)
        if not compiled or self.joined_tests(program, node):
            return
        if node.target is while_loop and len(node.spec) > len(loop(node).state):
            raise UnsupportedError(
                "collecting in a while",
                backend=self.target.name, span=node.span,
                why="how often it turns, and so how much it collects, is known only when the program runs",
                hint="write into an array of full length instead of appending, or count with range(n)",
            )  # fmt: skip
        ints = self.found.ints[node]
        node.spec = tuple(s if whole else self.column(s) for s, whole in zip(node.spec, ints))
        for user in node.users:
            if user.target is operator.getitem and user.args[0] is node:
                if isinstance(user.spec, Scalar) and isinstance(node.spec[user.args[1]], Spec):
                    self.carried(user)
                user.spec = node.spec[user.args[1]]
        self.tested(program, node)
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
                given = enumerate(zip(output.args[0], specs, strict=True))
                output.args = (tuple(defined(self, graph, node, v, s, i) for i, (v, s) in given),)
        if is_loop(node):
            first, body, state, operands = node.args
            with program.inserting_before(node):
                given = enumerate(zip(state, specs))
                state = tuple(defined(self, program, node, v, s, i) for i, (v, s) in given)
            node.args = (first, body, state, operands)
            for graph in inner:
                skip = len(loop(node).items) if graph is loop(node).body else 0
                for placeholder, spec in zip(graph.placeholders[skip:], specs[:count]):
                    if isinstance(placeholder.spec, Spec):
                        placeholder.spec = Spec(placeholder.spec.shape, spec.dtype)
                    elif isinstance(spec, Spec):
                        self.carried(placeholder)
                        placeholder.spec = spec

    def tested(self, program: Program, node: Node) -> None:
        """A test is one bool and nothing else."""
        if node.target is for_loop:
            return
        if node.target is cond:
            with program.inserting_before(node):
                node.args = (self.truth(program, node.args[0]), *node.args[1:])
            return
        output = node.args[0].output_node
        with node.args[0].inserting_before(output):
            output.args = ((self.truth(node.args[0], output.args[0][0]),),)

    def truth(self, program: Program, value: Any) -> Any:
        if not isinstance(value, Node) or not isinstance(value.spec, Spec):
            return value
        if value.spec.shape not in ((), None):
            value = program.call(REGISTER["reshape"], value, shape=())
        return value if value.spec.dtype == dtypes.bool_ else program.call(REGISTER["not_equal"], value, 0)

    def column(self, spec: Any) -> Any:
        return (
            Spec((), self.number(spec.type))
            if isinstance(spec, Scalar) and spec.type is not type(None)
            else spec
        )


def is_test(node: Node) -> bool:
    return isinstance(node.spec, Scalar) and node.spec.type is bool


def staged(program: Program, target: Backend, source: Backend) -> None:
    """Prepare the regions of a program for what compiles them, see the module."""
    if target.windows:
        slices.note(program)
    found = bound(program, target)
    if from_zero(program, target.name, found.is_open):
        found.look(program)
    if not target.x64:
        owned(program, found, target)
    whole(program, found, target)
    Staging(target, source, found).convert(program)

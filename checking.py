"""check and verify: a function and its translation, run on the same arguments, op by op and as a whole."""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .backends.afterwards import afterwards
from .backends.arrays import Difference, compare, convert, dtype_object, map_arrays, to_numpy
from .backends.backend import Backend, framework_of
from .backends.copies import arrays_of, copied, sharing
from .backends.lowering.passes import Way
from .backends.reading.tape import read
from .backends.tolerance import tolerance
from .codegen.checks.statics import dtype_in
from .codegen.load import bind, load
from .codegen.module import emit
from .codegen.pipeline import pipeline
from .codegen.pipeline import run as passed
from .ir.errors import TraceError, UnsupportedError
from .ir.graphs.graph import Graph, Node
from .ir.graphs.regions import UNDEFINED as UNBOUND
from .ir.graphs.regions import Function, Region, after, cond, graphs, is_loop, put, store, through
from .ir.graphs.walk import every_node
from .ir.meaning.op import Op
from .ir.program import Program, deep
from .ir.source.printing import print_
from .ir.values.dtypes import DType, dtype, float32, float64
from .ir.values.spec import Spec
from .ir.values.tree import children, leaves, made_of, rebuilt
from .tracer.faults import answerable
from .tracer.inputs import Placeholder
from .tracer.recorder import Recorder, Run


@dataclass
class Report:
    """What a check found. True where source and translation agree.

    Attributes:
        differences: those of the whole function, worst first.
        first: the first call whose translation differs, as the user wrote it, and how; None where none does.
        compared: how many calls were compared one by one.
    """

    name: str
    source: str
    target: str
    differences: list[Difference] = field(default_factory=list)
    first: tuple[Node, Difference] | None = None
    compared: int = 0

    @property
    def ok(self) -> bool:
        return not self.differences and self.first is None

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        head = f"{self.name}: {self.source} and {self.target} "
        if self.ok:
            return f"{head}agree on the result and on {self.compared} calls one by one"
        lines = [f"{head}differ", *(f"  {d}" for d in self.differences)]
        if self.first is not None:
            node, difference = self.first
            lines.append(f"first at {node.name}: {difference.what}")
            if node.span is not None:
                lines.append(node.span.report())
        return "\n".join(lines)


def compared(
    traced: Any, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any], target: Backend
) -> Report:
    """Run both sides and compare what they give, and what they leave of their arguments.

    Args:
        traced: an traced.Traced. `out` is its translation.
        args, kwargs: real arguments of the source framework.
        target: what the translation was written for.
    """
    report = Report(traced.graph.name, traced.framework, target.name)
    narrowed = not target.x64
    given = real(traced.fn, args, kwargs)
    source, translation = of_source(given), of_target(out, given, target.name)
    run = traced.fn if runnable(traced) else traced
    theirs, mine = run(*source.args, **source.kwargs), out(*translation.args, **translation.kwargs)
    program = traced.read(())
    form, floats = program.output_node.args[0], narrowest(program, given.arguments, narrowed=narrowed)
    expected = as_compiled(theirs, mine) if target.compiles else theirs
    found = [
        *compare(unsigned(expected, form), unsigned(mine, form), narrowed=narrowed, floats=floats),
        *afterwards(given, source, translation, theirs, target, floats),
    ]
    report.differences = sorted(found, key=lambda d: -d.error)
    if sharing(given.arguments) and any(node.target is store for node in traced.graph.nodes):
        return report  # one by one the calls have arguments of their own
    recorder = Recorder(traced.graph)
    again = of_source(given)
    traced.run(recorder, *again.args, **again.kwargs)
    each = OneByOne(target, traced.origin, report, floats)
    report.first = each.first(
        traced.graph,
        recorder.kept,
        lambda function, recorded: called(function, given, target.name, recorded),
    )
    return report


def narrowest(program: Graph, arguments: Any, *, narrowed: bool) -> DType:
    """The least exact floats that a program has: Python's own may be taken out of them."""
    specs = [spec for node in every_node(program) for spec in leaves(node.spec) if isinstance(spec, Spec)]
    found = {spec.dtype for spec in specs if spec.dtype is not None}
    found |= {dtype(array.dtype) for array in arrays_of(arguments)} | {float32 if narrowed else float64}
    return max((d.real for d in found if d.is_inexact), key=lambda d: tolerance(d)[0])


def as_compiled(theirs: Any, mine: Any) -> Any:
    """A result in which Python's numbers are arrays wherever they came out as such: what is compiled has an
    array for every number, of the kind that the number has on any way: 2 may be 2.0, and never 2.0 an int.
    """
    if framework_of(theirs) is not None:
        return theirs
    if framework_of(mine) is not None and isinstance(theirs, (bool, int, float, complex)):
        with contextlib.suppress(OverflowError, TypeError, ValueError):
            return np.asarray(theirs).astype(to_numpy(mine).dtype, casting="same_kind")
        return theirs
    items, others = children(theirs), children(mine)
    if items is None or others is None:
        return theirs
    known = dict(others)
    if known.keys() != dict(items).keys():  # in any order: jax.jit sorts them
        return theirs
    return rebuilt(theirs, {key: as_compiled(item, known[key]) for key, item in items})


def runnable(traced: Any) -> bool:
    """Whether the source framework can run the function itself: a list beside a tensor is a constant to us,
    an error to torch.
    """
    return not traced.graph.meta.get("lists")


def real(fn: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> inspect.BoundArguments:
    """The arguments by parameter.

    Raises:
        TraceError: where something is missing to run with.
    """
    name = getattr(fn, "__name__", fn)
    hint = "give real arrays with args=, as many as the function takes"
    try:
        given = inspect.signature(fn).bind(*args, **kwargs)
    except TypeError as error:
        raise TraceError(f"a check runs {name}, and for that {error}", hint=hint) from None
    for parameter, value in given.arguments.items():
        if any(isinstance(leaf, Placeholder) for leaf in leaves(value)):
            raise TraceError(f"a check runs {name}, and {parameter} is a spec without numbers", hint=hint)
    return given


def of_source(given: inspect.BoundArguments) -> inspect.BoundArguments:
    """The same arguments in arrays of their own, so that no run sees another's writes."""
    return inspect.BoundArguments(given.signature, copied(dict(given.arguments)))


def of_target(function: Any, given: inspect.BoundArguments, target: str) -> inspect.BoundArguments:
    """The same arguments in arrays of the target, for a translation. It lacks the parameters that only the
    source framework can make something of.
    """
    known = inspect.signature(function).parameters
    kept = [p for name, p in given.signature.parameters.items() if name in known]
    passed = {p.name: given.arguments[p.name] for p in kept if p.name in given.arguments}
    dtypes = {name: dtype_object(d, target) for name, v in passed.items() if (d := dtype_in(v)) is not None}
    values = copied({name: v for name, v in passed.items() if name not in dtypes}, target) | dtypes
    return inspect.BoundArguments(given.signature.replace(parameters=kept), values)


def called(
    function: Any, given: inspect.BoundArguments, target: str, further: Mapping[str, Any] | None = None
) -> Any:
    """Call a translation on the same arguments, in arrays of the target, and on further ones by name."""
    bound = of_target(function, given, target)
    with answerable(function, emitted=True):
        return function(*bound.args, **bound.kwargs, **(further or {}))


def converted(value: Any, target: str) -> Any:
    """The same in arrays and dtypes of the target."""
    own = dtype_in(value)
    return dtype_object(own, target) if own else map_arrays(value, lambda a: convert(a, target))


class OneByOne:
    """Compares every call of a tape with its translation, each on the values that the source gave it: so an
    error is found where it arises. Where one of a user's function differs, its calls are compared in turn.
    """

    def __init__(self, target: Backend, source: Backend, report: Report, floats: DType) -> None:
        self.target = target
        self.source = source
        self.report = report
        self.floats = floats

    def first(
        self, graph: Graph, run: Run, call: Callable[[Any, Any], Any]
    ) -> tuple[Node, Difference] | None:
        """The first call that differs, and how. `call` runs the emitted function, given recorded values."""
        name = self.target.name
        program, probed = probe(read(graph, self.source), run.values.keys())
        try:
            way = Way(self.target, self.source)
            lowered = passed(deep(program), way, pipeline(way, ())[1:])  # it checks no dtypes
            text = emit(lowered, self.target, self.source)
        except UnsupportedError:
            return None  # the whole was translated, but not every single value has a counterpart of its own
        function = load(text, program.name, name).function
        bind(function, {k: convert(lowered.constants[k], name) for k in lowered.meta.get("bound", ())})
        recorded = {p: result(run.values[call_of(node)], node) for p, node in probed.items()}
        got = call(function, {p: converted(value, name) for p, value in recorded.items()})
        if not isinstance(got, tuple) or len(got) != len(probed):
            return None  # it was left before the values that are asked for
        for (parameter, node), value in zip(probed.items(), got):
            self.report.compared += 1
            found = self.difference(node, run, recorded[parameter], value)
            if found is not None:
                return found
        return None

    def difference(self, node: Node, run: Run, expected: Any, got: Any) -> tuple[Node, Difference] | None:
        """How one call differs; of a function of the user's, the first of its calls that does."""
        if is_factor(node):
            expected, got = np.zeros_like(to_numpy(expected)), np.zeros_like(to_numpy(got))
        expected, got = in_dtype_of(expected, got), in_dtype_of(got, expected)
        narrowed = not self.target.x64
        call = call_of(node)
        for difference in compare(expected, got, narrowed=narrowed, floats=self.floats):
            if not isinstance(call.target, Function):
                return call, difference
            inside = run.calls[call]
            operands = converted(inside.operands, self.target.name)
            return self.first(
                call.target.graph, inside, lambda function, recorded: function(*operands, **recorded)
            )
        return None


def in_dtype_of(value: Any, other: Any) -> Any:
    """A number of Python's in the dtype of the array that the other side has: it is one on another way."""
    if not isinstance(value, (bool, int, float, complex)) or framework_of(other) is None:
        return value
    return np.array(value, to_numpy(other).dtype)


#: Calls whose numbers are undefined until they are written.
UNDEFINED = frozenset({"empty", "empty_like", "new_empty"})


def comparable(node: Node, recorded: Collection[Node]) -> bool:
    """Whether a call of the tape gave the array that this node of the Program stands for."""
    call = node.stands_for
    if call is None or call not in recorded or call.meta.get("described") or node.implicit:
        return False
    region = node.args[0] if node.target is operator.getitem else node
    # What a loop gives has been rounded again and again; it is compared as part of the whole.
    held = isinstance(region, Node) and isinstance(region.target, Region)
    leaves = held and (is_loop(region) or region.is_impure() or without_value(node))
    return node.op == "call_function" and isinstance(node.spec, Spec) and not leaves and not undefined(call)


def undefined(call: Any) -> bool:
    """Whether a call gives memory that nobody has filled, or not all of it."""
    while isinstance(call, Node):
        name = call.target if isinstance(call.target, str) else getattr(call.target, "__name__", "")
        if name in UNDEFINED:
            return True
        if call.target not in (operator.setitem, through) and "writes" not in call.meta:
            break
        call = call.args[0]
    return False


def call_of(node: Node) -> Node:
    """The call on the tape that a node which is compared stands for."""
    assert node.stands_for is not None
    return node.stands_for


def without_value(value: Any) -> bool:
    """Whether a variable may have no value, since the way that the program went gave it none."""
    if not isinstance(value, Node) or value.target is not operator.getitem:
        return value is UNBOUND
    region, index = value.args
    if region.target is not cond:
        return False
    *_, operands = region.args
    for graph in graphs(region):
        output = graph.output_node
        given = output.args[0][index] if output.target == "yield" else None
        if isinstance(given, Node) and given.op == "placeholder":
            given = operands[graph.placeholders.index(given)]
        if without_value(given):
            return True
    return False


def probe(program: Program, recorded: Collection[Node]) -> tuple[Program, dict[str, Node]]:
    """The same Program, returning every array that a call of the tape gave, while what goes on with it is a
    parameter; and those values by that parameter.

    Args:
        recorded: the calls that were run; those on ways that were not gone were not.
    """
    made: Program = program.copy()  # type: ignore[assignment]
    wanted = [n for n in made.nodes if comparable(n, recorded)]
    made.erase_node(made.output_node)
    probed: dict[str, Node] = {}
    with made.inserting_before():
        for node in wanted:
            given = made.create_node("placeholder", "", name=f"{node.name}_given")
            given.target, given.spec = given.name, node.spec
            given.form = node.form
            node.replace_all_uses_with(given, functools.partial(reads, node))
            probed[given.name] = node
    for node in reversed(made.nodes):  # what would leave early, or write into the arguments
        if node.target in (store, put, print_) or isinstance(node.target, Region) and node.is_impure():
            for user in list(node.users):
                made.erase_node(user) if not user.users else None
            made.erase_node(node) if not node.users else None
    made.output(tuple(wanted))
    parameters = program.meta.get("parameters") or [
        inspect.Parameter(n.target, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in program.placeholders
    ]
    further = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in probed]
    made.meta["parameters"] = [*parameters, *further]
    return made, probed


def reads(node: Node, user: Node) -> bool:
    """Whether a user of a node reads its value; what a call has left of an operand says only which call."""
    return user.target is not after or user.args[1] is not node


def is_factor(node: Node) -> bool:
    """Whether a node is a result that is unique only up to signs. One by one the shapes and dtypes of such
    are compared, as results of the whole their magnitudes.
    """
    op = node.args[0].target if node.target is operator.getitem else None
    return isinstance(op, Op) and node.args[1] in op.factors


def unsigned(value: Any, form: Any) -> Any:
    """A result with the magnitudes of what is a factor. `form` has a node where the result has an array."""
    if isinstance(form, Node):
        return map_arrays(value, lambda a: np.abs(to_numpy(a))) if is_factor(form) else value
    if isinstance(value, Mapping) and isinstance(form, Mapping) and value.keys() == form.keys():
        return {key: unsigned(item, form[key]) for key, item in value.items()}
    if isinstance(value, (tuple, list)) and isinstance(form, (tuple, list)) and len(form) == len(value):
        return made_of(type(value), tuple(map(unsigned, value, form)))
    return value


def result(value: Any, node: Node) -> Any:
    """The result that a node of the Program stands for, of the several that the tape's call gave."""
    keys = [node.meta["part"]] if "part" in node.meta else []
    while node.target is operator.getitem and node.args[0].stands_for is node.stands_for:
        keys.append(node.args[1])
        node = node.args[0]
    for key in reversed(keys):
        value = value[key]
    return value

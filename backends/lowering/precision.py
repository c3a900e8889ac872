"""Precision: what becomes of 64-bit numbers where there are none, as in JAX without x64.

They are narrowed, as JAX itself narrows what it is given. For floats that is told once, at the line where the
program first has them. It is refused where another program would come of it: numbers that 32 bits do not
hold, and loops that end by a comparison with less than floats of 32 bits tell from 1.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import LEAVING, Function, Region, cond, graphs, guard, is_loop, loop
from ...ir.graphs.static import Scalar, roots
from ...ir.graphs.walk import every_graph, functions, own_graphs
from ...ir.meaning.op import Op
from ...ir.meaning.operands import numbers_held
from ...ir.meaning.operators import EQUALITY, OPS, ORDERING
from ...ir.program import Program
from ...ir.values import dtypes
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ...ir.worklist import reached
from ..backend import NARROW
from .lower import operation

if TYPE_CHECKING:
    from .passes import Way

#: The least that floats of 32 bits tell from 1 if it is added to that.
LEAST = 2.0**-23
#: What compares Python's numbers by size.
ORDERED = frozenset(each.function for each in ORDERING)
#: The ops that ask whether two numbers are one, and the parameters of those that ask how far they are apart.
EQUAL, APART = frozenset(each.op for each in EQUALITY), {"rtol", "atol"}
#: Those that an array goes through on its way to a comparison.
SCALING = frozenset({OPS[operator.mul], OPS[operator.truediv]})
HINT = "transpile(..., x64=True)"


def supposed(program: Program, way: Way) -> None:
    """Refuse what the trace has decided by a dtype of 64 bits that was supposed for want of an example: which
    way a branch goes, or whether there is a copy. For 32 bits it might be another program.
    """
    pinned = program.meta.get("pinned", ())
    for path, leaf in program.meta.get("leaves", {}).items():
        if leaf.meta.get("assumed") != "by default" or path not in pinned:
            continue
        if any(str(spec.dtype) in NARROW for spec in specs(leaf)):
            what = f"what goes by the dtype of {path}"
            why = f"{leaf.spec.dtype} was supposed for want of an example, which {way.target.words} has not"
            hint = f"give example arguments with args=, or {HINT}"
            span = next((user.span for user in leaf.users if user.span is not None), None)
            way.refusals.append(UnsupportedError(what, backend=way.name, span=span, why=why, hint=hint))


def narrowable(program: Program, way: Way) -> None:
    """Refuse what 32 bits would make another program of, and note where floats of 64 bits begin."""

    def refuse(node: Node, what: str, why: str) -> None:
        why = f"{why}, and {way.target.words} has no others without x64"
        way.refusals.append(UnsupportedError(what, backend=way.name, span=node.span, why=why, hint=HINT))

    graphs = every_graph(program)
    for graph in graphs:
        for node in graph.nodes:
            why = lost(node)
            if why is not None:
                refuse(node, operation(node, way.source), why)
    for node, number in endless(graphs):
        if isinstance(number, Node):
            keep_coarse(program, number)
            continue
        what = f"a loop that ends by a comparison with {number!r}"
        refuse(node, what, f"{number!r} is less than floats of 32 bits tell from 1")
    first = next((node for graph in graphs for node in graph.nodes if begins(node, program)), None)
    if first is not None:
        program.meta["narrowed floats"] = first
    way.end()


def keep_coarse(program: Program, number: Node) -> None:
    """Have it checked that the arguments that a number comes of stay as coarse as the example's."""
    for leaf in roots(number):
        if path(leaf) and is_number(leaf):
            keep_argument(program, leaf)


def keep_argument(program: Program, leaf: Node) -> None:
    home = next(f for f in functions(program) if any(graph is leaf.graph for graph in own_graphs(f)))
    argument = next(node for node in home.nodes if path(node) == path(leaf))
    at = argument if argument.op != "placeholder" else home.placeholders[-1]
    with home.inserting_after(at):
        if argument.spec.hint is not None and argument.spec.hint < LEAST:  # 0, or none that an error is below
            fact, expected = argument, argument.spec.hint
        else:
            fact, expected = home.create_node("call_function", operator.ge, (argument, LEAST)), True
            fact.spec = Scalar(bool, True)
    with home.inserting_after(fact if fact is not argument else at):
        check = home.create_node("call_function", guard, (fact, expected))
    check.spec = Scalar(type(None))


def path(number: Node) -> Any:
    return number.meta.get("number path")


def specs(node: Node) -> Iterator[Spec]:
    """What is known of the arrays that a node gives."""
    several = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    return (spec for spec in several if isinstance(spec, Spec) and spec.dtype is not None)


def is_wide(node: Node) -> bool:
    """Whether there are 64-bit floats among the results of a node."""
    return any(spec.dtype in (dtypes.float64, dtypes.complex128) for spec in specs(node))


def begins(node: Node, program: Program) -> bool:
    """Whether a node gives 64-bit floats of nothing that has any: an argument, a constant, or what the
    program makes so. Arguments without examples are of any dtype.
    """
    if not is_wide(node) or node.meta.get("assumed"):
        return False
    if node.op == "placeholder":
        return node.graph is program
    return not any(map(is_wide, node.all_input_nodes)) and not isinstance(node.target, (Region, Function))


def lost(node: Node) -> str | None:
    """Why 32 bits do not hold a number that an op of 64-bit arrays says."""
    if not isinstance(node.target, Op):
        return unheld(node) if is_number(node) and node.spec.local else None
    small = [NARROW[s.dtype.name] for s in specs(node) if s.dtype is not None and s.dtype.name in NARROW]
    for dtype in (dtype for dtype in small if dtype.is_integer):
        bounds = np.iinfo(dtype.name)
        for number in numbers_held(node):
            if type(number) is int and not bounds.min <= number <= bounds.max:
                return f"{number} is beyond the ints of 32 bits"
    if compares(node.target):
        ints = any(is_rounded(value, node) for value in node.args)
        arrays = [value for value in node.args if isinstance(value, Node) and isinstance(value.spec, Spec)]
        numbers = [value for value in node.args if type(value) is float]
        if ints and (len(arrays) > 1 or any(2**24 <= abs(number) <= 2**31 for number in numbers)):
            return "floats of 32 bits do not hold the integers that are compared"
        if ints or any(isinstance(value, Node) and is_wide(value) for value in node.args):
            return next(filter(None, map(turned, numbers)), None) or unheld(node)
    if is_wide(node) or any(map(is_wide, node.all_input_nodes)):
        return unheld(node)
    return None


def unheld(node: Node) -> str | None:
    """Why floats of 32 bits do not hold a number that something computes with."""
    for number in leaves((node.args, node.kwargs)):
        if type(number) in (int, float, complex) and beyond(number):
            return f"{number!r} is beyond the floats of 32 bits"
        if type(number) is float and abs(number) < 2**13 and (why := turned(number)):  # 1 - 1e-12
            return why
    return None


def turned(number: float) -> str | None:
    """That a number is an integer in floats of 32 bits, and is none: who writes so means that it is none."""
    if not abs(number) < 2**127:
        return None
    single = float(np.float32(number))
    if single == number or not single.is_integer() or single == 0:
        return None
    return f"{number!r} is {single!r} in floats of 32 bits"


def compares(op: Op) -> bool:
    """Whether an op compares elements of one operand with those of another."""
    return op.rules[0].cls == "compare" or op.rules[0].cls == "index" and len(op.arrays) > 1


def orders(op: Any) -> bool:
    """Whether an op compares elements by size."""
    compares = isinstance(op, Op) and op.rules[0].cls == "compare"
    return compares and op.name not in EQUAL and not op.params.keys() >= APART


def is_rounded(value: Any, user: Node) -> bool:
    """Whether an operand is made, by the call that takes it, of integers that floats of 64 bits hold, and
    those of 32 do not.
    """
    if not isinstance(value, Node) or not is_wide(value) or not value.args:
        return False
    if not value.implicit and value.span != user.span:  # what the program asks for, and is told of
        return False
    made = value.args[0].spec if isinstance(value.args[0], Node) else None
    of = made.dtype if isinstance(made, Spec) else None
    return of is not None and of.is_integer and of.bits >= 32


def beyond(number: float | complex) -> bool:
    """Whether a number is none, or 0, or less exact than others, as a float of 32 bits; or an int that is
    another one.
    """
    if isinstance(number, complex):
        return beyond(number.real) or beyond(number.imag)
    if isinstance(number, int):
        return abs(number) > 2**24 and (abs(number) > 2**127 or int(np.float32(number)) != number)
    held = np.finfo(np.float32)
    return math.isfinite(number) and number != 0 and not held.tiny <= abs(number) <= held.max


def endless(found: Sequence[Graph]) -> Iterator[tuple[Node, Any]]:
    """The comparisons of 64-bit arrays that end a loop, with the number below LEAST that each compares with;
    with the argument, where that is one and its example is not below.
    """
    ending = {node for graph in found for node in graph.nodes if is_loop(node) for node in tests(node)}
    for node in sorted(ending, key=lambda n: n.name):
        if node.kwargs.keys() >= APART and any(map(is_wide, node.args)):
            coarse = max(abs(node.kwargs["rtol"]), abs(node.kwargs["atol"]))
            yield from [(node, coarse)] if 0 < coarse < LEAST else []
        if node.target not in ORDERED and not orders(node.target):
            continue
        factors = [*reached([a for a in node.args if isinstance(a, Node)], scaled)]
        if not any(map(is_wide, (node, *factors))):
            continue
        said = [number for each in (node, *factors) for number in leaves(each.args)]
        said += [1 / n for n in multipliers(factors) if n]  # as if the other side was divided by it
        for number in said:
            value = number.spec.hint if is_number(number) else number
            if type(value) is float and 0 < abs(value) < LEAST:
                yield node, value
            elif is_number(number) and any(map(path, roots(number))) and (value is None or value < 1):
                yield node, number  # one of 1 or more is no bound of an error


def multipliers(factors: list[Node]) -> Iterator[float]:
    """The numbers that one side of a comparison is multiplied by."""
    for node in factors:
        if isinstance(node.target, Op) and node.target.name == OPS[operator.mul]:
            yield from (number for number in leaves(node.args) if type(number) is float)


def is_number(value: Any) -> bool:
    return isinstance(value, Node) and isinstance(value.spec, Scalar) and value.spec.type is float


def scaled(node: Node) -> list[Node]:
    """What one side of a comparison is a multiple of."""
    if isinstance(node.target, Op) and node.target.name in SCALING or node.implicit:
        return node.all_input_nodes
    return []


def tests(node: Node) -> Iterator[Node]:
    """The nodes that decide how often a loop turns, of its own graphs."""
    parts = loop(node)
    if parts.test is not None:
        asked = [*reached(list(parts.test.output_node.all_input_nodes), inputs)]
        yield from asked
        yield from reached(list(flags(parts, asked)), inputs)
    for inner in every_graph(parts.body):
        for each in inner.nodes:
            if each.target is cond and any(g.output_node.target in LEAVING for g in graphs(each)):
                yield from reached([v for v in (each.args[0],) if isinstance(v, Node)], inputs)


def flags(parts: Any, asked: list[Node]) -> Iterator[Node]:
    """What a turn makes of the bools that the test of its loop asks."""
    ends = parts.body.output_node.args[0]
    for placeholder, end in zip(parts.test.placeholders, ends):
        if placeholder in asked and is_flag(placeholder) and isinstance(end, Node):
            yield end


def is_flag(node: Node) -> bool:
    bools = (spec.dtype is not None and spec.dtype.kind == "bool" for spec in specs(node))
    return any(bools) or getattr(node.spec, "type", None) is bool


def inputs(node: Node) -> list[Node]:
    return node.all_input_nodes

"""Plain: what NumPy computes of numbers alone, `np.sqrt(x.shape[-1])`, for targets that want arrays there.

It is Python's own function of the number, float64 as NumPy's; where a single number decides the dtype of an
array beside it, the array is cast, since the number itself would count for nothing.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.regions import cond, graphs
from ...ir.graphs.static import Scalar
from ...ir.meaning.op import HOMOGENEOUS, OTHER, REGISTER, Op
from ...ir.meaning.operands import scalar
from ...ir.noting import by_rank, note_no_flag
from ...ir.ops.elementary import sqrt
from ...ir.program import Program
from ...ir.values import dtypes
from ...ir.values.spec import Spec
from ...ir.worklist import Worklist
from ..backend import Backend

#: The functions that Python has too, correct to the last digit in both.
PYTHON: dict[Any, Callable[..., float]] = {sqrt: math.sqrt}


def is_plain(node: Any, target: Backend) -> bool:
    """Whether a node is such a function of a number that Python knows, for a target that wants arrays."""
    if getattr(node, "target", None) not in PYTHON or target.own_numbers or not isinstance(node.spec, Spec):
        return False
    number = node.args[0]
    kind = number.spec.type if isinstance(number, Node) and scalar(number) else type(number)
    return scalar(number) and kind is not complex and not (isinstance(number, Node) and number.spec.local)


def unwrapped(program: Program, node: Node) -> None:
    """Let Python compute it: a number beside arrays of its dtype, else an array without axes. NumPy makes a
    float16 of a flag.
    """
    note_no_flag(getattr(node.args[0], "origin", None))
    with program.inserting_before(node):
        number = program.static(PYTHON[node.target], node.args[0], spec=Scalar(float))
        number.take_name(node)
        for user in list(node.users):
            if (other := beside(user, node)) is not None:
                if node.form != "weak":  # which counts for nothing in JAX either
                    other.implicit = False
                user.replace_input_with(node, number)
        if node.users:
            made = program.call(REGISTER["full"], shape=(), fill_value=number, dtype=node.spec.dtype)
            node.replace_all_uses_with(made)
    program.erase_node(node)


def may_be_number(value: Any) -> bool:
    """Whether Python chooses what a value is, and has a number for it on some way: `r / k if k else 0`."""
    part = isinstance(value, Node) and value.target is operator.getitem and value.args[0]
    if not part or part.target is not cond or part.meta.get("compiled") or value.spec.rank:
        return False
    outputs = (graph.output_node for graph in graphs(part))
    ways = (output.args[0][value.args[1]] for output in outputs if output.target == "yield")
    return any(map(scalar, ways))


def beside(user: Node, number: Node) -> Node | None:
    """The array with which an op joins a number, where it decides the dtype that both are computed in."""
    joins = isinstance(user.target, Op) and user.target.rules[0].cls in HOMOGENEOUS
    if not joins or len(user.args) != 2:
        return None
    others = [a for a in user.args if a is not number]
    fits = len(others) == 1 and isinstance(others[0], Node) and isinstance(others[0].spec, Spec)
    return others[0] if fits and others[0].spec.dtype == number.spec.dtype else None


def as_arrays(program: Program, node: Node, source: Backend) -> tuple[Any, ...]:
    """The operands of an op as its body takes them: where they are numbers and nothing else, as arrays."""
    if node.target.rules[0].cls == "free" or not all(scalar(a) for a in node.args if a is not None):
        return node.args
    spec = node.spec[0] if isinstance(node.spec, tuple) else node.spec
    tells = node.target.rules[0].cls not in OTHER

    def array(number: Any) -> Any:
        kind = number.spec.type if isinstance(number, Node) else type(number)
        usual = {bool: dtypes.bool_, int: source.default_int, float: source.default_float}.get(kind)
        dtype = spec.dtype if tells or usual is None else usual
        return program.call(REGISTER["array"], value=number, dtype=dtype)

    return tuple(a if a is None else array(a) for a in node.args)


def by_axes_of(array: Any) -> None:
    """What is made now takes it that an array has no axes."""
    if not without_axes(array):
        by_rank(array)


def without_axes(array: Any) -> bool:
    """Whether an array has no axes whatever those of the arguments are: it was reduced along all of them."""

    ahead = Worklist([array] if isinstance(array, Node) else [])
    for node in ahead:
        if not isinstance(node.target, Op):
            return False
        if "axis" in node.kwargs and node.target.arrays == ("x",):
            if node.kwargs["axis"] is not None or node.kwargs.get("keepdims"):
                return False
        elif node.target.elementwise:
            ahead.add(operand for operand in node.args if isinstance(operand, Node))
        else:
            return False
    return True

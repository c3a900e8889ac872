"""Folding: ops that do nothing on these operands, and plain Python on numbers that are known."""

from __future__ import annotations

import operator
from typing import Any

from ..analysis.anew import copies_number, instead
from ..graphs.graph import Node
from ..graphs.leaves import behind
from ..graphs.static import is_asked, number_leaves, saying
from ..meaning.op import HOMOGENEOUS, Op, power
from ..meaning.results import front
from ..noting import by_rank
from ..ops.creation import array
from ..ops.elementwise import cast
from ..ops.shape import broadcast_to, permute_dims, reshape
from ..program import Program
from ..sizes.dim import Sym
from ..values.dtypes import held
from ..values.spec import Spec


def fold(program: Program) -> None:
    """Replace every op that hands its operand through by the operand, and every array of one number beside an
    array of its dtype by the number.
    """
    for node in program.nodes:
        if node.graph is not program or node.op != "call_function":
            continue
        kept = idle(node) if isinstance(node.target, Op) else unchanged(node)
        if kept is not None and not copies_number(node, kept):
            node.replace_all_uses_with(instead(program, node, kept))
            program.erase_node(node)
        elif isinstance(node.target, Op) and node.target.rules[0].cls in HOMOGENEOUS and len(node.args) == 2:
            given, node.args = node.args, tuple(bare(node, i) for i in range(2))
            if any(a is not b for a, b in zip(given, node.args)):
                node.meta["bare"] = True


def cast_once(program: Program) -> None:
    """Make numbers of the outcome of a test at once: `(x > 0).astype(np.float32)`. What promotion makes of
    them is not said, and another thing beside arrays of other dtypes.
    """
    for node in list(program.nodes):
        if called(node, cast) and not implicit(node) and tested(node.args[0]):
            between = node.args[0]
            node.args = (between.args[0],)
            program.erase_node(between)


def unchanged(node: Node) -> Node | None:
    """The recorded int that plain Python adds 0 to, or multiplies by 1."""
    neutral = NEUTRAL.get(node.target)
    if neutral is None or not all(integer(a) for a in node.args) or named(node):
        return None
    left, right = node.args
    if isinstance(left, Node) and type(right) is int and right == neutral:
        return left
    both = node.target in (operator.add, operator.mul)
    return right if both and isinstance(right, Node) and type(left) is int and left == neutral else None


NEUTRAL = {operator.add: 0, operator.sub: 0, operator.mul: 1, operator.floordiv: 1}


def integer(value: Any) -> bool:
    """Whether a value is an int whatever the arguments are: `n // 1` of a float is another number, and
    `True + 0` is none of True and False.
    """
    if not isinstance(value, Node) or getattr(value.spec, "type", None) is not int:
        return type(value) is int
    return all(map(is_asked, number_leaves(value.origin or value)))


def bare(node: Node, index: int) -> Any:
    """An operand; the number itself where it is an array of one number, and the other operand, an array, has
    the dtype that both are computed in. A power is left alone: those of ints are computed in another way.
    """
    operand, other = node.args[index], node.args[1 - index]
    if not isinstance(operand, Node) or not isinstance(other, Node) or not isinstance(other.spec, Spec):
        return operand
    constant = operand.args[0] if implicit(operand) else operand
    if not called(constant, array) or not used_alike(constant) or is_power(node):
        return operand
    if called(raw(other), array):  # two numbers beside each other would be Python's own
        return operand
    if other.origin is not None and of_numbers(other.origin):  # which would say another dtype by themselves
        return operand
    value, dtype = constant.kwargs["value"], operand.spec.dtype
    if type(value) in (int, float) and constant.spec.dtype.is_inexact and constant.form != "weak":
        value = held(value, constant.spec.dtype)
    whole = type(value) is int and abs(value) < 2 ** min(dtype.bits - 1, 24)
    fine = dtype.kind == "float" and (whole or type(value) is float) or dtype.kind == "int" and whole
    if not fine or other.spec.dtype != dtype or implicit(other):
        return operand
    return value


def used_alike(constant: Node) -> bool:
    """Whether a constant has one user, or is only promoted to one dtype, which becomes one cast."""
    users = list(constant.users)
    return len(users) == 1 or all(implicit(u) and u.spec.dtype == users[0].spec.dtype for u in users)


def implicit(node: Node) -> bool:
    """Whether a value is a cast that was made for promotion's sake."""
    return called(node, cast) and node.implicit


def raw(value: Any) -> Any:
    """An operand before it was promoted."""
    while isinstance(value, Node) and implicit(value):
        value = value.args[0]
    return value


def called(node: Node, op: Op) -> bool:
    return node.target is op


def is_power(node: Node) -> bool:
    return isinstance(node.target, Op) and node.target.rules[0] == power


def tested(value: Any) -> bool:
    """Whether a value is the outcome of tests as numbers, of which another cast makes the same numbers."""
    if not isinstance(value, Node) or not called(value, cast) or len(value.users) > 1 or named(value):
        return False
    source = value.args[0]
    test = isinstance(source, Node) and isinstance(source.target, Op) and source.target.rules[0].cls in TESTS
    return test and value.spec.dtype.kind != "bool"


#: The rules of ops that give bools of whatever arrays.
TESTS = ("compare", "bool")


def idle(node: Node) -> Node | None:
    """The operand that an op hands through unchanged; None where it does something."""
    source = node.args[0] if node.args else None
    if not isinstance(source, Node) or not isinstance(source.spec, Spec) or not isinstance(node.spec, Spec):
        return None
    if source.spec.dtype != node.spec.dtype or named(node):
        return None
    rank = source.spec.rank
    if node.target is cast:
        return source if implicit(node) or not open_(source) else None
    if node.target is permute_dims and rank is not None:
        return source if front(node.kwargs["axes"], rank) == tuple(range(rank)) else None
    if node.target in (reshape, broadcast_to):
        shape = source.spec.shape
        fixed = shape is not None and not any(isinstance(d, Sym) for d in shape)
        if not fixed or shape != node.spec.shape:
            return None
        by_rank(source)
        return source
    return None


def open_(value: Node) -> bool:
    """Whether a value would have another dtype if an argument had, and the dtype of that is not checked."""
    if value.origin is None:
        return False
    if any(leaf.meta["path"] not in leaf.graph.meta.get("pinned", ()) for leaf in behind([value.origin])):
        return True
    return of_numbers(value.origin)


def of_numbers(call: Node) -> bool:
    """Whether the dtype of what a call on the tape gives depends on numbers whose types are not checked."""
    return any(not is_asked(leaf) for number in saying([call]) for leaf in number_leaves(number))


def named(node: Node) -> bool:
    """Whether the user wrote the op and gave its value a name: that statement stays."""
    source = node.stands_for
    return source is not None and source.place is not None and bool(source.place.names)

"""Reductions of picked elements for JAX: `x[mask].sum()` is sum(where(mask, x, 0)).

How many elements a mask picks is known only when the program runs. But what all of them are reduced to does
not need their number, or needs it as a number only: the places that are not picked hold what changes
nothing. Where none is picked, and the source raises, the neutral element comes out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from ...ir.bodies.building import Unknown, Value, building, inline
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Function, Region, guard
from ...ir.graphs.walk import between, every_node, inner_graphs
from ...ir.meaning.op import REGISTER, Op
from ...ir.meaning.results import front
from ...ir.ops.indexing import Slot
from ...ir.ops.reduction import mean, std, var
from ...ir.program import Program
from ...ir.values import dtypes
from ...ir.values.dtypes import DType
from ...ir.values.spec import Spec
from ...ir.worklist import operands_first, reached
from ..rows import STATEMENTS
from ..typing.jax import narrow
from .masks import Lifting, following, is_mask, spread

HALVES = (dtypes.float16, dtypes.bfloat16)


def lowest(dtype: DType) -> Any:
    """What is no greater than any number of a dtype."""
    if dtype.kind == "bool":
        return False
    if dtype.is_integer:
        return -(2 ** (dtype.bits - 1)) if dtype.kind == "int" else 0
    return -math.inf


def highest(dtype: DType) -> Any:
    if dtype.kind == "bool":
        return True
    if dtype.is_integer:
        return 2 ** (dtype.bits - (dtype.kind == "int")) - 1
    return math.inf


def nothing(dtype: DType) -> Any:
    return False if dtype.kind == "bool" else 0


def one(dtype: DType) -> Any:
    return True if dtype.kind == "bool" else 1


#: The elements that change nothing in a reduction, in the words of Op.neutral.
NEUTRAL: dict[str, Callable[[DType], Any]] = {
    "zero": nothing, "one": one, "lowest": lowest, "highest": highest,
}  # fmt: skip
#: The reductions that no element leaves as they are, but the number of the others says what they are.
MOMENTS = (mean, var, std)


def reduces(op: Any) -> bool:
    """Whether an op is a reduction that can be said of all elements, where some are picked."""
    return isinstance(op, Op) and (bool(op.neutral) or op in MOMENTS)


def picks_any(program: Program) -> bool:
    """Whether values decide the size of anything in a program: else what has no shape has an argument's that
    is not known.
    """
    return any(isinstance(node.target, Op) and node.target.size == "values" for node in every_node(program))


def opened(program: Program) -> None:
    """Put the functions of the user's that are called on picked elements where they are called, and spell out
    ops on them.
    """
    for graph in reached([program], inner_graphs):
        while is_opened(graph):
            continue


def is_opened(program: Program) -> bool:
    """Whether the first of these in a graph could be put there."""
    for node in list(program.nodes):
        if isinstance(node.target, Function) and any(map(is_picked, node.args)) and is_plain(node):
            graph = node.target.graph
            with program.inserting_before(node):
                made = program.graph_copy(graph, dict(zip(graph.placeholders, node.args)))
            opened_as(program, node, made)
            return True
        if is_body(node):
            last = node.prev
            try:
                with program.inserting_before(node):
                    program.origin = node.origin
                    made = inline(program, node.target, node.args, node.kwargs)
            except (Unknown, NotImplementedError):
                continue
            new = between(last, node)
            for inner in new:
                inner.meta["spells"] = node.target  # not to be spelled out for ever
            if any(inner.target is node.target for inner in new):
                for inner in reversed(new):  # the op itself is said of these parameters, its body of others
                    program.erase_node(inner)
                continue
            opened_as(program, node, made)
            return True
    return False


def is_body(node: Node) -> bool:
    """Whether a node is an op, on picked elements, that is no reduction itself but can be spelled out."""
    op = node.target
    if not isinstance(op, Op) or op.body is None or op.elementwise or op.several or reduces(op):
        return False
    stays = op.name in STATEMENTS or op is REGISTER["getitem_mask"] or node.meta.get("spells") is op
    return not stays and any(map(is_picked, node.args))


def opened_as(program: Program, node: Node, made: Any) -> None:
    """Let what a function's graph gave take the place of the call of it."""
    for user in list(node.users) if isinstance(node.spec, tuple) else ():
        part = made[user.args[1]]
        part.stands_for = user.stands_for
        user.replace_all_uses_with(part)
        program.erase_node(user)
    if not isinstance(node.spec, tuple):
        made.stands_for = node.stands_for
        node.replace_all_uses_with(made)
    program.erase_node(node)


def is_picked(value: Any) -> bool:
    """Whether a value is one whose size a mask may have decided."""
    return isinstance(value, Node) and isinstance(value.spec, Spec) and value.spec.shape is None


def is_plain(node: Node) -> bool:
    """Whether a function only computes, and gives arrays: nothing in it speaks of its parameters by name."""
    graph = node.target.graph
    given = graph.output_node.args[0]
    nodes = given if type(given) is tuple else (given,)
    apart = {*graph.placeholders, *(n for n in graph.nodes if n.op == "get_attr")}
    if not all(isinstance(n, Node) and n not in apart for n in nodes) or len(set(nodes)) < len(nodes):
        return False
    return not any(n.target is guard or isinstance(n.target, Region) for n in graph.nodes)


def reduced(program: Program, x64: bool) -> None:
    """Write the reductions of picked elements as reductions of all; `x64`: if there are 64-bit dtypes."""
    found = False
    for node in list(program.nodes):
        op = node.target
        if reduces(op) and is_picked(node.args[0]):
            found |= replaced(program, node, x64)
    if found:
        program.eliminate_dead_code()


def replaced(program: Program, node: Node, x64: bool) -> bool:
    """Whether a reduction could be written so."""
    pick = next(picks(node.args[0]), None)
    if pick is None:
        return False
    base, mask, *others = pick.args
    key = pick.kwargs["key"]
    whole = not others and is_mask(mask) and all(k in (slice(None), ..., Slot(0)) for k in key)
    if base.spec.rank is None or not whole:
        return False
    after = following(key, base.spec.rank - mask.spec.rank)
    axes = over(node, base.spec.rank, mask.spec.rank, after)
    if axes is None:
        return False
    before, last = node.next, node.prev
    with program.inserting_before(node):
        program.origin = node.origin
        value = Lifting(program, base, mask, key, after).lifted(node.args[0])
        lifted = value is not None and value is not node.args[0]
        made = result(program, node, value, mask, after, axes, x64) if lifted else None
    if made is None:
        return False
    for each in between(last, before):
        each.meta["decided"] = True
    made.stands_for = node.stands_for
    node.replace_all_uses_with(made)
    program.erase_node(node)
    return True


def picks(value: Any) -> Iterator[Node]:
    """The picks that a value is computed of element by element."""

    def operands(value: Any) -> list[Any]:
        by_element = value.target is not pick and isinstance(value.target, Op) and value.target.elementwise
        return [operand for operand in value.args if is_picked(operand)] if by_element else []

    pick = REGISTER["getitem_mask"]
    found = operands_first([value] if is_picked(value) else [], operands)
    return (each for each in found if each.target is pick)


def over(node: Node, rank: int, picking: int, after: int) -> tuple[int, ...] | None:
    """The axes to reduce where nothing is picked; None where that is not what the reduction means.

    Args:
        rank: of what is picked from; `picking` of the mask, behind whose axes `after` others follow.
    """
    place = rank - picking - after
    axis = node.kwargs.get("axis")
    size = rank - picking + 1
    axes = range(size) if axis is None else front(axis if isinstance(axis, tuple) else (axis,), size)
    if place not in axes or node.kwargs.get("keepdims"):
        return None
    mine = range(place, place + picking)
    apart = (a if a < place else a + picking - 1 for a in axes if a != place)
    return tuple(sorted((*mine, *apart)))


def result(
    program: Program, node: Node, value: Node, mask: Node, after: int, axes: tuple[int, ...], x64: bool
) -> Node | None:
    """The reduction of all places; None where it cannot be said."""
    dtype = value.spec.dtype
    if dtype is None or value.spec.rank is None:
        return None
    chosen = Value(program, spread(program, mask, after))
    axis = None if len(axes) == value.spec.rank else axes[0] if len(axes) == 1 else axes
    kwargs = {**node.kwargs, "axis": axis}
    if node.target.neutral:
        if "ord" in node.kwargs and not 0 <= node.kwargs["ord"]:
            return None
        neutral = NEUTRAL[node.target.neutral](dtype if x64 else narrow(dtype))
        filled = program.call(REGISTER["where"], chosen.node, value, neutral)
        made: Node = program.call(node.target, filled, result=[node.spec.dtype], **kwargs)
        return made
    if dtype.kind != "float" or node.target is not mean and axes[0] != 0:
        return None
    try:
        with building(program):
            x, picking = Value(program, value), Value(program, mask)
            found = moment(node.target, x, picking, chosen, axes, node.kwargs.get("correction", 0))
    except Unknown:
        return None
    made = found.node
    return made


def moment(op: Op, x: Any, mask: Any, chosen: Any, axes: tuple[int, ...], correction: Any) -> Any:
    """The mean, variance or standard deviation of the chosen elements, along `axes`."""
    where, cast_ = REGISTER["where"], REGISTER["cast"]
    dtype = x.dtype
    if dtype in HALVES:
        x = cast_(x, dtype=dtypes.float32)
    axis = None if len(axes) == x.rank else axes[0] if len(axes) == 1 else axes
    count = counted(x, mask, chosen, axes, axis)
    found = summed(where(chosen, x, 0.0), axis) / count
    if op is not mean:
        apart = where(chosen, x - found, 0.0)
        fewer = REGISTER["maximum"](count - correction, 0.0) if correction else count
        found = summed(apart * apart, axis) / fewer
        found = REGISTER["sqrt"](found) if op is std else found
    return cast_(found, dtype=dtype) if dtype in HALVES else found


def summed(x: Any, axis: Any) -> Any:
    return REGISTER["sum"](x, axis=axis)


def counted(x: Any, mask: Any, chosen: Any, axes: tuple[int, ...], axis: Any) -> Any:
    """How many elements are chosen along `axis`, as a number of the dtype of x."""
    if len(axes) == mask.rank:
        count = REGISTER["count_nonzero"](mask)
    else:
        count = REGISTER["count_nonzero"](REGISTER["broadcast_to"](chosen, shape=x.sizes), axis=axis)
    count = REGISTER["cast"](count, dtype=x.dtype)
    count.node.implicit = True
    return count

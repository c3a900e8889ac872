"""What is written into an array, and where, and sums: how the text depends on the dtypes of the example."""

from __future__ import annotations

import operator
from itertools import product
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Node
from ...ir.meaning.op import REGISTER
from ...ir.meaning.operators import OPS
from ...ir.ops.contraction import summed_together
from ...ir.ops.indexing import UPDATES
from ...ir.passes.fold import raw
from ...ir.values import dtypes
from ...ir.values.listing import is_list
from ..lowering.masks import is_mask, written_number
from ..lowering.storing import PICKING, fits_itself, is_whole
from .arguments import BYTES
from .held import Held
from .operands import cast_of
from .spoken import on_tape
from .variants import Spelling

if TYPE_CHECKING:
    from .ops import Ops

#: What ints that wrap round may be joined by.
RING = frozenset(OPS[function] for function in (operator.add, operator.sub, operator.mul))


def look(ops: Ops, node: Node) -> None:
    """All of it but positions, which hang on how the text says it."""
    casts(ops, node)
    anew(ops, node)
    lists(ops, node)
    sums(ops, node)


def sums(ops: Ops, node: Node) -> None:
    """Let operands of an einsum be no small ints where only one side sums, as ints of 64 bits, an axis alone
    that has one element in another operand.
    """
    if node.target is not REGISTER["einsum"]:
        return
    products(ops, node)
    if ops.source.sums_first == ops.target.sums_first:
        return
    shapes = [raw(each).spec.shape for each in node.args]
    for places in summed_together(node.kwargs["subscripts"]).values():
        sizes = {shapes[number][axis] if shapes[number] else None for number, axis in places}
        for held in map(ops.held, map(raw, node.args)) if len(sizes) > 1 else ():
            if held is not None and held.usual.dtype.is_inexact:
                ops.only_kind([held])


def products(ops: Ops, node: Node) -> None:
    """Let operands of an einsum that are only multiplied have one dtype between NumPy and torch."""
    if not ops.wording(node).multiplies:
        return
    found = [held for held in map(ops.held, map(raw, node.args)) if held is not None]
    behind = frozenset().union(*(held.behind for held in found))
    alike = all(held.follows for held in found) and len({held.usual.dtype for held in found}) == 1
    if alike and ops.arguments.may_be_alike(behind):
        ops.arguments.join(behind, checked=True)
    elif not alike or ops.arguments.differ(behind):
        ops.arguments.exactly(behind)


def positions(ops: Ops, node: Node, spelled: Spelling | None) -> None:
    """Let no array of positions be what is a mask on one side and none on the other: one of bytes, or of
    bools where a function takes it in the source and x[...] in the text.
    """
    keyed = "key" in node.kwargs
    if keyed and not ops.target.mutable:
        choices(ops, node)
    if ops.target.byte_masks == ops.source.byte_masks:
        return
    said = spelled.steps or () if spelled is not None else ()
    if not keyed and not any("Slot" in made.params for made in said):
        return
    counts = node.kwargs.get("how", "add") != "add"  # for which torch wants places
    masks = {dtypes.uint8} if keyed and not counts else {dtypes.uint8, dtypes.bool_}
    first = len(node.target.arrays) if keyed else 1
    for held in (ops.held(raw(a)) for a in node.args[first:]):
        if held is not None and (keyed or held.usual.dtype.kind != "bool"):
            for dtype in masks & {e.dtype for e in held.by.values()}:
                ops.arguments.blame(held.behind, BYTES if dtype == dtypes.uint8 else "bool")


def lists(ops: Ops, node: Node) -> None:
    """Let the items of a list, of which each has its own dtype, be of the example's where they are joined in
    one array: but in Python's own loops, where what was collected stays a list.
    """
    if node.target is not REGISTER["concat"] or not any(is_list(user.target) for user in node.users):
        return
    numbers = ops.source.own_numbers and node.spec.rank == 1  # which are parts of an array in torch
    stays = ops.target.own_numbers or not ops.target.compiles and not numbers
    if stays and all(map(is_listed, node.args)):
        return
    found = [held for held in map(ops.held, node.args) if held is not None]
    if any(held.leaf is None or held.by != found[0].by or held.leaf != found[0].leaf for held in found):
        ops.arguments.exactly(frozenset().union(*(held.behind for held in found)))


def is_listed(rows: Any) -> bool:
    """Whether it is one item of a list, or what a loop has appended to it."""
    single = rows.target is REGISTER["getitem"] and rows.kwargs["key"] == (None,)
    return single or bool(on_tape(rows).meta.get("collected"))


def casts(ops: Ops, node: Node) -> None:
    """Let an array that is written into have the dtype of the example where the text casts to that what
    is written; and let it hold no ints where it writes a float for an int that would wrap round in some.
    """
    if node.target is REGISTER["accumulate"]:
        joins(ops, node)
        if ops.target.mutable and not ops.target.scatters and is_made(raw(node.args[1])):
            as_in_the_example(ops, node)
    if not ops.target.mutable and divides(node):
        ops.only_kind(held for held in [ops.held(raw(node.args[0]))] if held is not None)
    if node.target in UPDATES and ops.source.wraps and ops.target.wraps:
        wraps(ops, ops.held(raw(node.args[0])), raw(node.args[1]))
    if not ops.target.mutable and node.target in UPDATES and any(map(is_mask, node.args[2:])):
        chosen(ops, node)
    elif node.target in UPDATES and cast_of(node.args[1]) is not None and not fits_itself(node, ops.target):
        as_in_the_example(ops, node)


def chosen(ops: Ops, node: Node) -> None:
    """Likewise of what the text writes as a choice, whose dtypes are asked for: but of an array that it makes
    of a number in the example's.
    """
    base, value = map(raw, node.args[:2])
    made = isinstance(value, Node) and value.target is REGISTER["full"]
    if made and written_number(base, value) is None:
        as_in_the_example(ops, node)


def as_in_the_example(ops: Ops, node: Node) -> None:
    """Let an array that is written into have the dtype of the example."""
    held = ops.held(raw(node.args[0]))
    if held is not None and len(held.by) > 1:
        ops.arguments.exactly(held.behind)


def is_made(value: Any) -> bool:
    """Whether a value is an array that the text makes of numbers, in the dtype of the example."""
    return isinstance(value, Node) and value.target in (REGISTER["array"], REGISTER["full"])


def divides(node: Node) -> bool:
    """Whether elements are divided in their place: what `.at[key].divide(value)` makes of ints are floats."""
    value = raw(node.args[1]) if node.target in UPDATES else None
    if not isinstance(value, Node) or value.target is not REGISTER["divide"]:
        return False
    old = raw(value.args[0])
    return isinstance(old, Node) and old.target in PICKING and old.kwargs["key"] == node.kwargs["key"]


def anew(ops: Ops, node: Node) -> None:
    """Note of an update of a whole what arguments must be for the new value to have the dtype of the old: it
    may stand for it, and a write in place keeps the dtype.
    """
    if not is_whole(node):
        return
    old, new = ops.held(raw(node.args[0])), ops.held(raw(node.args[1]))
    if old is None or new is None:
        node.meta["keeps dtype"] = "exactly"
        return
    if old.leaf == new.leaf is not None and old.by.keys() == new.by.keys():
        known = all(old.by[key].dtype == new.by[key].dtype for key in old.by)
        of = "" if known else "exactly"
    elif len(old.by) == len(new.by) == 1 and old.usual.dtype == new.usual.dtype:
        of = ""
    else:
        of = "alike" if old.follows and new.follows else "exactly"
    node.meta["keeps dtype"] = max(of, node.meta.get("keeps dtype", ""), key=["", "alike", "exactly"].index)


def joins(ops: Ops, node: Node) -> None:
    """Let what is joined to elements be of their dtype: the source computes in that of both, and casts what
    comes out, where the text may go on in the array's. Ints may be of several, which wrap round alike.
    """
    value = raw(node.args[1])
    into, held = ops.held(raw(node.args[0])), ops.held(value)
    if into is None or held is None:
        return
    if is_literal(value):
        if held.usual.dtype.is_inexact:
            ops.only_kind([into])
        return
    one = into.leaf == held.leaf is not None
    keys = [(key, key) for key in into.by if key in held.by] if one else product(into.by, held.by)
    ring = node.kwargs["how"] in RING
    pairs = [(into.by[key].dtype, held.by[other].dtype) for key, other in keys]
    wrong = [a for a, b in pairs if a != b and not (ring and a.is_integer and b.is_integer)]
    both = into.behind | held.behind
    if one and into.usual.dtype.kind not in {dtype.kind for dtype in wrong}:
        for kind_ in {dtype.kind for dtype in wrong}:
            ops.arguments.blame(both, kind_)
    elif wrong and not one and ops.arguments.may_be_alike(both):
        ops.arguments.join(both, checked=True)
    elif wrong:
        ops.arguments.exactly(both)


def is_literal(value: Any) -> bool:
    """Whether it is an array of a number that takes the dtype of what it is joined to."""
    return isinstance(value, Node) and "whole" in value.meta


def wraps(ops: Ops, into: Held | None, value: Any) -> None:
    """Let an array be of floats into which a float is written for an int beyond those that all ints hold."""
    whole = value.meta.get("whole") if isinstance(value, Node) else None
    if into is not None and into.usual.dtype.is_inexact and whole is not None and not 0 <= whole < 128:
        for kind_ in {e.dtype.kind for e in into.by.values() if e.dtype.is_integer}:
            ops.arguments.blame(into.behind, kind_)


def choices(ops: Ops, node: Node) -> None:
    """Let no mask be an array of positions, where the text chooses by it."""
    for held in (ops.held(raw(a)) for a in node.args[len(node.target.arrays) :]):
        if held is not None and held.usual.dtype.kind == "bool":
            for other in {e.dtype.kind for e in held.by.values()} & {"int", "uint"}:
                ops.arguments.blame(held.behind, other)

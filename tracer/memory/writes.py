"""Writes in place. A proxy that is written into goes on as the new value, so every name of the array sees it.

A write through a view changes the array that it is a view of; what lies in the same memory is known in
aliasing.py.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...backends.reading.tape import canonical_names
from ...backends.rows import detaches
from ...ir.errors import ShapeError, UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import after, is_collected, through
from ...ir.graphs.static import pin, pin_rank
from ...ir.values.spec import Spec
from ..objects import heap
from ..place import here
from ..proxy import is_array_proxy, is_proxy
from ..settling import Spell, test_at
from . import aliasing, giving, making, numbers_given, numpy_scalars, overlap, relations
from .aliasing import current, root, taken
from .keys import is_part, keyed, lies_by_rank, pin_key
from .operands import Constant

if TYPE_CHECKING:
    from ..tracer import Tracer

#: What writes, and so cannot be computed twice.
WRITING = frozenset({operator.setitem, through, after})
#: The attributes of an array that are set by writing into a view of it.
PARTS = frozenset({"real", "imag"})


def written(tracer: Tracer, proxy: Any, node: Node, what: str = "x[...] = value") -> None:
    """Let `node` be what an array is after a write, and what it is a view of follow. `what`: the write, for a
    refusal.
    """
    old = current(tracer, proxy)
    view = tracer.memory.views.get(id(proxy))
    tracer.rebind(proxy, node)
    if view is None or view.proxy is not proxy:
        aliasing.lose(tracer, proxy, what)
        keep_apart(tracer, proxy)
    if view is not None and view.proxy is proxy:
        parent = current(tracer, view.parent)
        # What it is now may have been written, or come from outside, and then does not say where it lies.
        if old.target is not view.node.target or old.graph is not tracer.graph:
            old = taken(tracer, view, parent)
            old.meta["described"] = True
        whole = tracer.graph.create_node(
            "call_function", through, (tracer.use(parent), tracer.use(old), tracer.use(node))
        )
        whole.spec, whole.place = parent.spec, here()
        whole.names = ()
        whole.meta["writes"] = heap.name_of(tracer, view.parent) or ""
        node.meta["of"] = whole
        written(tracer, view.parent, whole, what)
        names = canonical_names(view.node.op, view.node.target, view.node.args, tracer.backend)
        if detaches(tracer.framework.name, names):  # it has all that the other has
            tracer.rebind(proxy, taken(tracer, view, current(tracer, view.parent)))


def keep_apart(tracer: Tracer, base: Any) -> None:
    """An argument is written into: others that something may share memory with, or not, must not be it, since
    the text may copy where the program does not.
    """
    for written in (node for proxy, node in tracer.memory.arguments if proxy is base):
        for other, node in tracer.memory.arguments:
            if other is not base and id(other) in tracer.memory.links:
                pair = tuple(sorted((written.meta["path"], node.meta["path"])))
                written.graph.meta.setdefault("unsure", set()).add(pair)


def refuse_unclear(tracer: Tracer, proxy: Any, what: str) -> None:
    """Raises UnsupportedError where it is not certain what a write would change."""
    if not is_proxy(proxy):
        raise outlives(tracer, what, proxy)
    base = root(tracer, proxy)
    if is_collected(base.node):
        wants_items(tracer, base.node.args[0])
    at, has_items = proxy, False
    while True:
        node = at.node
        made = tracer.memory.views[id(at)].node if at is not base else node
        if relations.casts(tracer, made):
            pin(made.all_input_nodes)  # of another dtype it might be a copy, or not be one
        if at is not base and keyed(made):
            pin_key(made)
        if at is not base and lies_by_rank(tracer, made):
            pin_rank(made.all_input_nodes)
        if at is not base and relations.of_number(tracer, made):
            numpy_scalars.pin_axes(tracer, made.args[0])
        for doubted in aliasing.doubts(tracer, at):
            doubted.pin([doubted.then])
        if node.meta.get("default") or isinstance(at, Constant):
            raise outlives(tracer, what, getattr(at, "value", None))  # there is one for all calls
        if id(base) in tracer.memory.by_number and not tracer.tries.open:
            tracer.memory.by_number[id(base)][1]()
        if node.op == "get_attr" or node.meta.get("aliased") or id(base) in tracer.memory.leaked:
            making.want_all(tracer)
            giving.want(tracer, node, base.node)
            raise aliasing.shared(tracer, what, base) or aliasing.unsure(what, tracer.span())
        if at is base:
            break
        at, has_items = tracer.memory.views[id(at)].parent, has_items or numpy_scalars.is_item(made)
    if proxy is not base and not has_items:  # of a number there are other arrays, and no items
        tracer.hooks.refuse_numbers(base)


def wants_items(tracer: Tracer, loop: Node) -> None:
    """An item is written into of a list that a loop through lists has made: the loop is written out, since no
    array has all that are in that list, each of its own shape and dtype.

    Raises:
        Spell: for that.
        UnsupportedError: where it is not known where the loop stands.
    """
    if (place := test_at(loop.place)) is None:
        raise UnsupportedError(
            "writing into an item of a list that a loop has made",
            why="each has its own shape and dtype, and which of them it is, only the running program knows",
            span=tracer.span(),
            hint="write into it before it is appended",
        )
    tracer.rolling.spelled.add(place)
    raise Spell


def outlives(tracer: Tracer, what: str, array: Any) -> UnsupportedError:
    """The refusal of a write into an array that there is before a call, and after it, or that only Python
    knows.
    """
    why = "the array was made outside the traced function, which would be changed for good"
    if array is not None:
        making.want(tracer, array)
        if not tracer.outside.memories.at(array):
            why = "it lies in the memory of an array that Python makes beside the program"
    return UnsupportedError(
        what, why=why, span=tracer.span(), hint="give it as an argument, or write into a copy"
    )


def setitem(tracer: Tracer, target: Any, key: Any, value: Any) -> None:
    """`target[key] = value`"""
    if not tracer.framework.aliasing:
        raise UnsupportedError(
            "x[...] = value",
            why=f"arrays of {tracer.backend.words} cannot be written into",
            span=tracer.span(),
            hint="x = x.at[...].set(value)",
        )
    if is_own_part(tracer, target, key, value):  # `x[key] += y` has written there already
        return
    if value is target and (key is ... or type(key) is slice and key == slice(None)):  # it holds that already
        refuse_unclear(tracer, target, "x[...] = value")
        return
    refuse_unclear(tracer, target, "x[...] = value")
    overlap.refuse_common(tracer, target, value, "x[...] = value", key)
    if target.node.spec.shape is None:
        raise UnsupportedError(
            "x[...] = value",
            why="the size of x is not known",
            span=tracer.span(),
            hint="give example arguments with args=",
        )
    tracer.record(operator.setitem, (target, key, value))


def into(tracer: Tracer, out: Any, result: Any) -> None:
    """`f(..., out=x)` is `x[...] = f(...)`, which the framework refuses where an assignment would cast."""
    if is_array_proxy(result):
        result.node.meta["out"] = True
    setitem(tracer, out, ..., result)


def sets_part(tracer: Tracer, target: Any, name: str, value: Any) -> bool:
    """`z.real = value`, which writes into z; `z.real += value` has written there already. Returns whether it
    is so of this attribute and value.
    """
    if name not in PARTS:
        return is_its_own(tracer, target, name, value)
    if not is_its_own(tracer, target, name, value):
        set_part(tracer, target, name, value)
    return True


def set_part(tracer: Tracer, target: Any, name: str, value: Any) -> None:
    if numpy_scalars.is_number(tracer, target.node):
        raise tracer.error(f"setting .{name} of a number", "compute a new one instead")
    part = tracer.record(getattr, (target, name))
    if id(part) not in tracer.memory.views and tracer.framework.aliasing:
        raise TypeError("array does not have imaginary part to set")  # as NumPy says
    setitem(tracer, part, ..., value)


def is_its_own(tracer: Tracer, target: Any, name: str, value: Any) -> bool:
    """Whether an attribute of an array is set to what it is already: by `z.data += value`, which wrote it."""
    made = tracer.memory.views.get(id(value))
    if made is None or made.proxy is not value or made.parent is not target:
        return False
    return made.node.target is getattr and made.node.args[1] == name


def pin_array(tracer: Tracer, target: Any, *, seen: bool) -> None:
    """See to it that an array that is written into is no number of NumPy's, which nobody else sees change,
    and whose dtype does: that it has axes. `seen`: whether the dtype would change; else it matters where the
    array is known by another name too.
    """
    node, inside = target.node, False
    while "given" in node.meta or (before := numpy_scalars.before(node)) is not node:
        inside |= "given" in node.meta  # of a helper, whose caller has it too
        node = node.meta["given"] if "given" in node.meta else before
    may_be = numpy_scalars.without_axes(tracer, node) or numpy_scalars.keeps(tracer, node)
    if may_be and (seen or inside or heap.seen_elsewhere(tracer, target)):
        numpy_scalars.pin_axes(tracer, node)


def is_own_part(tracer: Tracer, target: Any, key: Any, value: Any) -> bool:
    """Whether a value is the view of `target` at `key`."""
    view = tracer.memory.views.get(id(value))
    if view is None or view.proxy is not value or view.parent is not target:
        return False
    indexes = view.node.target is operator.getitem and not is_part(view.node)
    return indexes and repr(view.node.args[1]) == repr(tracer.digest(key)[0])


def inplace(
    tracer: Tracer, fn: Callable[..., Any], target: Any, value: Any, write: Callable[[], Any] | None = None
) -> Any:
    """`target += value` for fn=operator.iadd, and so on; `write` records another kind of write.

    Raises:
        UnsupportedError: where the target is a constant, or may share memory.
        ShapeError: where the result does not fit into the target.
    """
    given = write is None and numbers_given.may_be(tracer, target.node)
    if given and heap.seen_elsewhere(tracer, target):  # which goes through all that there is
        tracer.hooks.refuse_numbers(target)
    number = numpy_scalars.is_number(tracer, target.node)
    picked = target.node.target is operator.getitem and numpy_scalars.picks(target.node)
    picked = picked and isinstance(target.node.args[0].spec, Spec)  # and no item of a container
    if tracer.backend.own_numbers and (number or picked):  # of another rank it would be the other
        tracer.rank(target.node)
    if not number and tracer.backend.own_numbers:
        other = is_proxy(value) and getattr(value.node.spec, "dtype", target.node.spec.dtype)
        pin_array(tracer, target, seen=bool(other) and other != target.node.spec.dtype)
    if write is None and (not tracer.framework.aliasing or number):
        found = tracer.binary(numpy_scalars.rebinds(fn), target, value)
        found.node.meta["operand"] = "number"
        return found
    what = f"{fn.__name__.removeprefix('i')} in place"
    refuse_unclear(tracer, target, what)
    overlap.refuse_common(tracer, target, value, what)
    before = target.node.spec
    after = tracer.binary(fn, target, value) if write is None else write()
    found = after.node.spec
    if write is None:
        after.node.meta["operand"] = "array"
    if before.shape is not None and found.shape is not None and before.hint_shape != found.hint_shape:
        raise ShapeError(
            f"the result {found} does not fit into the array {before} in place", span=tracer.span()
        )
    after.node.meta["writes"] = heap.name_of(tracer, target) or ""
    written(tracer, target, after.node, what)
    return target

"""Writes in place. A proxy that is written into goes on as the new value, so every name of the array sees it.

Views are tracked: a view knows what call made it of which array. A write through a view changes the array
that it is a view of; a write
into that array makes its views stale, and a stale view is taken anew when it is used. What may or may not
share memory, as the framework
pleases, is never written into.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir.errors import ShapeError, UnsupportedError
from ..ir.graph import Node, map_arg
from ..ir.leaves import pin
from ..ir.regions import through
from ..ir.spec import Spec
from . import numbers, overlap
from .place import here
from .proxy import is_proxy, isinstance_scalar
from .staging import heap

#: Functions, methods and attributes whose result is a view of their first operand, and can be written back.
VIEWS = frozenset(
    """getitem T mT transpose permute swapaxes swapdims moveaxis movedim squeeze unsqueeze expand_dims
    select narrow
    permute_dims matrix_transpose t detach view""".split()
)
#: Those whose result may share memory with an operand, or shares it in a way that is not written back.
MAYBE = frozenset(
    """reshape H expand split chunk unbind flatten ravel diagonal broadcast_to broadcast_tensors
    broadcast_arrays real imag contiguous array_split hsplit vsplit dsplit
    atleast_1d atleast_2d atleast_3d data view_as expand_as
    unflatten tensor_split positive ascontiguousarray requires_grad_ conj
    adjoint unfold reshape_as rollaxis diag nan_to_num squeeze_ einsum flip""".split()
)
#: Those that give an array in a dtype: the array itself where it has that dtype already, unless told to copy.
CASTS = frozenset(
    "astype to asarray asanyarray type_as float double half bfloat16 int long bool type cpu".split()
)
#: Those of MAYBE that copy in one framework.
COPIES = {"numpy": frozenset({"flatten", "nan_to_num"}), "torch": frozenset({"flip", "nan_to_num"})}
#: What writes, and so cannot be computed twice.
WRITING = frozenset({operator.setitem, through})


@dataclass(slots=True)
class View:
    """How a proxy was made of another: the call, as the tape has it, and what the parent was then."""

    proxy: Any
    parent: Any
    node: Node


def note(tracer: Any, node: Node, args: Any, result: Any) -> None:
    """Remember what the result of a call shares memory with."""
    parent = args[0] if args else None
    arrays = is_proxy(result) and is_proxy(parent) and not isinstance_scalar(parent)
    kind = relation(tracer, node, parent if arrays else None) if node.all_input_nodes else "copy"
    if kind == "view" and arrays and parent is not None and node.spec.shape is not None:
        node.meta["of"] = parent.node
        tracer.views[id(result)] = View(result, parent, node)
    elif kind != "copy" and isinstance(node.spec, Spec):
        alias(node)


def relation(tracer: Any, node: Node, parent: Any) -> str:
    """What the result of a call is of its first operand: a "copy", a "view", or "maybe" either."""
    name, framework = numbers.name(node), tracer.framework.name
    if name in CASTS and parent is not None:
        return cast(tracer, node, parent)
    if name == "getitem" and node.target is operator.getitem and is_copy(tracer, node):
        return "copy"
    if name in VIEWS and not may_copy(tracer, node):
        return "view"
    return "maybe" if name in VIEWS | MAYBE | CASTS and name not in COPIES.get(framework, ()) else "copy"


def cast(tracer: Any, node: Node, parent: Any) -> str:
    """Likewise of a call that gives an array in a dtype."""
    given = parent.node.spec.dtype
    if len(node.args) > 2 or given is None or "order" in node.kwargs or "memory_format" in node.kwargs:
        return "maybe"
    if told(node) or node.spec.dtype != given or numbers.is_number(tracer, parent.node):
        return "copy"
    return "view"


def told(node: Node) -> bool:
    """Whether a call that gives an array in a dtype copies whatever dtype it has."""
    return bool(node.kwargs.get("copy", numbers.name(node) == "astype"))


def is_copy(tracer: Any, node: Node) -> bool:
    """Whether indexing copies: by arrays and lists, and in NumPy where one number comes out. An array without
    axes stands for a number.
    """
    for entry in entries(node):
        array = isinstance(entry, Node) and isinstance(entry.spec, Spec) and entry.spec.shape != ()
        if array or isinstance(entry, (list, bool)):
            return True
    return numbers.is_number(tracer, node)


def may_copy(tracer: Any, node: Node) -> bool:
    """Whether indexing may copy: NumPy gives a view at a number, a copy at an array without axes."""
    if tracer.framework.name != "numpy" or node.target is not operator.getitem:
        return False
    arrays = (e for e in entries(node) if isinstance(e, Node) and isinstance(e.spec, Spec))
    return any(not numbers.is_number(tracer, e) for e in arrays)


def entries(node: Node) -> tuple[Any, ...]:
    """The key of a getitem, as a tuple."""
    key = node.args[1]
    return key if isinstance(key, tuple) else (key,)


def alias(node: Node) -> None:
    """Note that a node and its operands may share memory."""
    node.meta["aliased"] = True
    for source in node.all_input_nodes:
        if isinstance(source.spec, Spec):
            source.meta["aliased"] = True


def current(tracer: Any, proxy: Any) -> Node:
    """The node of a proxy; of a view of what was written into since, a new one."""
    view = tracer.views.get(id(proxy)) if tracer.views else None
    if view is None or view.proxy is not proxy:
        node: Node = proxy.node
        return node
    parent = current(tracer, view.parent)
    if proxy.node.meta.get("of") is not parent:
        tracer.rebind(proxy, taken(tracer, view, parent))
    found: Node = proxy.node
    return found


def taken(tracer: Any, view: View, parent: Node) -> Node:
    """The view, taken anew of what its parent is now."""
    old = view.node
    args = (tracer.use(parent), *map_arg(old.args[1:], tracer.use))
    made: Node = tracer.graph.create_node(
        old.op, old.target, args, map_arg(old.kwargs, tracer.use), name=old.name
    )
    made.spec, made.place = old.spec, here()
    made.meta["names"], made.meta["of"] = (), parent
    return made


def written(tracer: Any, proxy: Any, node: Node) -> None:
    """Let `node` be what an array is after a write, and what it is a view of follow."""
    old = current(tracer, proxy)
    view = tracer.views.get(id(proxy))
    tracer.rebind(proxy, node)
    if view is not None and view.proxy is proxy:
        parent = current(tracer, view.parent)
        # What it is now may have been written, or come from outside, and then does not say where it lies.
        if old.target is not view.node.target or old.graph is not tracer.graph:
            old = taken(tracer, view, parent)
            old.meta["described"] = True
        after = tracer.graph.create_node(
            "call_function", through, (tracer.use(parent), tracer.use(old), tracer.use(node))
        )
        after.spec, after.place = parent.spec, here()
        after.meta["names"] = ()
        after.meta["writes"] = heap.name_of(tracer, view.parent) or ""
        node.meta["of"] = after
        written(tracer, view.parent, after)


def root(tracer: Any, proxy: Any) -> Any:
    """The proxy of the array that a view is a part of."""
    view = tracer.views.get(id(proxy))
    while view is not None and view.proxy is proxy:
        proxy = view.parent
        view = tracer.views.get(id(proxy))
    return proxy


def check(tracer: Any, proxy: Any, what: str) -> None:
    """Raises UnsupportedError where it is not certain what a write would change."""
    if not is_proxy(proxy):
        raise UnsupportedError(
            what,
            why="the array was made outside the traced function, which would be changed for good",
            span=tracer.span(),
            hint="give it as an argument, or write into a copy",
        )
    base = root(tracer, proxy)
    at = proxy
    while True:
        node = at.node
        if numbers.name(node) in CASTS and not told(node):
            pin(node.all_input_nodes)  # of another dtype it might be a copy, or not be one
        if node.op == "get_attr" or node.meta.get("aliased") or id(base) in tracer.leaked:
            raise UnsupportedError(
                what,
                why="it may share memory with another array, or it may not",
                span=tracer.span(),
                hint="write into a copy of it",
            )
        if at is base:
            return
        at = tracer.views[id(at)].parent


def setitem(tracer: Any, target: Any, key: Any, value: Any) -> None:
    """`target[key] = value`"""
    if not tracer.framework.aliasing:
        raise UnsupportedError(
            "x[...] = value",
            why="arrays of JAX cannot be written into",
            span=tracer.span(),
            hint="x = x.at[...].set(value)",
        )
    if is_own_part(tracer, target, key, value):  # `x[key] += y` has written there already
        return
    check(tracer, target, "x[...] = value")
    overlap.check(tracer, target, value, "x[...] = value", key)
    if target.node.spec.shape is None:
        raise UnsupportedError(
            "x[...] = value",
            why="the rank of x is not known",
            span=tracer.span(),
            hint="give example arguments with args=",
        )
    tracer.record(operator.setitem, (target, key, value))


def is_own_part(tracer: Any, target: Any, key: Any, value: Any) -> bool:
    """Whether a value is the view of `target` at `key`."""
    view = tracer.views.get(id(value))
    if view is None or view.proxy is not value or view.parent is not target:
        return False
    return view.node.target is operator.getitem and repr(view.node.args[1]) == repr(tracer.digest(key)[0])


def inplace(
    tracer: Any, fn: Callable[..., Any], target: Any, value: Any, write: Callable[[], Any] | None = None
) -> Any:
    """`target += value` for fn=operator.iadd, and so on; `write` records another kind of write.

    Raises:
        UnsupportedError: where the target is a constant, or may share memory.
        ShapeError: where the result does not fit into the target.
    """
    number = numbers.is_number(tracer, target.node)
    picked = target.node.target is operator.getitem and numbers.picks(target.node)
    if tracer.framework.name == "numpy" and (number or picked):  # of another rank it would be the other
        tracer.rank(target.node)
    if write is None and (not tracer.framework.aliasing or number):
        found = tracer.binary(numbers.rebinds(fn), target, value)
        found.node.meta["operand"] = "number"
        return found
    check(tracer, target, f"{fn.__name__.removeprefix('i')} in place")
    overlap.check(tracer, target, value, f"{fn.__name__.removeprefix('i')} in place")
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
    written(tracer, target, after.node)
    return target

"""How elements are written: `x[key] = value`, and what a write into a view does to the array that it is a view of.

The emitter writes an update as a statement, see codegen/storage.py; JAX has an expression for it.
"""

from __future__ import annotations

from typing import Any

from ...ir.dtypes import bool_
from ...ir.graph import Node
from ...ir.op import REGISTER
from ...ir.ops import indexing as i
from ...ir.ops import shape as s
from ...ir.ops.indexing import Slot
from ..reading import Reading, Refusal
from ..rows import construct, statement
from .indexing import entry, getitem, is_array, kind

statement(i.update, torch=lambda params: not any(map(i.backwards, params["key"])))


@construct("operator.not_")
def not_(reading: Reading, x: Any) -> Any:
    """`not x` of an array of one element: a bool."""
    made = x if x.spec.dtype is not None and x.spec.dtype.kind == "bool" else reading.op("cast", x, dtype=bool_)
    made = reading.op("logical_not", made)
    return made if x.spec.shape == () else reading.op("reshape", made, shape=())


@construct("operator.setitem")
def setitem(reading: Reading, x: Any, key: Any, value: Any) -> Any:
    """`x[key] = value`: the value takes the dtype of x."""
    entries = [entry(reading, k) for k in (key if isinstance(key, tuple) else (key,))]
    arrays = [k for k in entries if is_array(k)]
    kinds = "".join(map(kind, entries))
    if "a" in kinds and ("i" in kinds or "n" in kinds or kinds.strip("as") != "" or "a" in kinds.strip("a").strip("s")):
        raise Refusal("an index array beside ints, new axes or far from another", "index in two steps")
    slots = iter(range(len(arrays)))
    places = tuple(Slot(next(slots)) if is_array(k) else k for k in entries)
    return reading.program.call(i.update, x, fitting(reading, x, value), *arrays, key=places)


#: What `.at[...]` of JAX does, by the op that it applies to what was there.
APPLIED = {"add": "add", "multiply": "multiply", "divide": "divide", "min": "minimum", "max": "maximum"}


@construct("at")
def at(reading: Reading, x: Any, key: Any, value: Any, how: str, **options: Any) -> Any:
    """`x.at[key].set(value)` and its kin. What is out of bounds is left alone by JAX, and raises elsewhere."""
    if options.keys() - {"indices_are_sorted", "unique_indices"}:
        raise Refusal(f"{', '.join(options)} has no counterpart", "leave it out")
    return setitem(reading, x, key, value) if how == "set" else again(reading, x, key, value, APPLIED[how])


def again(reading: Reading, x: Any, key: Any, value: Any, op: str) -> Any:
    """`x[key] = op(x[key], value)`, where every place is named once."""
    entries = [entry(reading, k) for k in (key if isinstance(key, tuple) else (key,))]
    if any(is_array(k) and k.spec.dtype.kind != "bool" for k in entries):
        raise Refusal("an index array may name a place twice, and each of them counts", "use jax.ops.segment_sum")
    return setitem(reading, x, key, reading.op(op, getitem(reading, x, key), value))


def fitting(reading: Reading, x: Node, value: Any) -> Any:
    """A value as it is written into x."""
    value = reading.operand(value)
    dtype = x.spec.dtype
    if dtype is None:
        raise Refusal("the dtype of the array that is written into is not known", "give example arguments with args=")
    if not isinstance(value, Node) or not hasattr(value.spec, "shape"):
        kind = complex if isinstance(value, complex) else getattr(value, "spec", None) and value.spec.type or type(value)
        if kind is complex and dtype.kind != "complex":
            raise Refusal("a complex number does not fit into a real array", "take its .real")
        if isinstance(value, Node):
            return reading.program.call(REGISTER["full"], shape=(), fill_value=value, dtype=dtype)
        return reading.program.call(REGISTER["array"], value=converted(value, dtype.kind), dtype=dtype)
    if value.spec.dtype is not None and value.spec.dtype.kind == "complex" and dtype.kind != "complex":
        raise Refusal("complex numbers do not fit into a real array", "take their .real")
    return reading.cast(value, dtype)


def converted(value: Any, kind: str) -> Any:
    return {"bool": bool, "float": float, "complex": complex}.get(kind, int)(value)


def through(reading: Reading, base: Node, view: Node, new: Node) -> Node:
    """`base` after `new` was written into all of `view`, which is a view of it.

    Raises:
        Refusal: for a view that cannot be told from a copy.
    """
    at, value = view, new
    while at is not base:
        if at.op != "call_function":
            raise Refusal("it is written through a view whose making is not known here", "write into the array itself")
        whole = at.args[0]
        match getattr(at.target, "name", ""):
            case "getitem":
                value = reading.program.call(i.update, whole, value, *at.args[1:], **at.kwargs)
            case "permute_dims":
                axes = at.kwargs["axes"]
                rank = len(at.spec.shape)
                order = range(rank)[::-1] if axes is None else [a % rank for a in axes]
                value = reading.program.call(s.permute_dims, value, axes=tuple(list(order).index(n) for n in range(rank)))
            case "swapaxes" | "matrix_transpose":
                value = reading.program.call(at.target, value, **at.kwargs)
            case "moveaxis":
                source, destination = at.kwargs["source"], at.kwargs["destination"]
                value = reading.program.call(s.moveaxis, value, source=destination, destination=source)
            case "squeeze" | "expand_dims" | "reshape":
                value = reading.program.call(s.reshape, value, shape=reading.shape(whole))
            case "flip":
                value = reading.program.call(s.flip, value, **at.kwargs)
            case _:
                raise Refusal("it is written through a view that cannot be written back", "write into the array itself")
        at = whole
    return value

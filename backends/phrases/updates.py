"""How elements are written: `x[key] = value`, and what a write into a view does to the array that it is a
view of.

The emitter writes an update as a statement, see codegen/plan/in_place.py; JAX has an expression for it.
"""

from __future__ import annotations

import operator
import struct
from typing import Any

import numpy as np

from ...ir.graphs.graph import Node
from ...ir.graphs.leaves import pin_flags, pin_parts
from ...ir.graphs.static import Scalar, static, values
from ...ir.meaning.op import REGISTER
from ...ir.meaning.results import front
from ...ir.noting import by_rank, note_type
from ...ir.ops import indexing as i
from ...ir.ops import shape as s
from ...ir.ops.elementary import complex_
from ...ir.ops.indexing import Slot
from ...ir.sizes.dim import hint_of
from ...ir.values.dtypes import DType, bool_, int64
from ...ir.values.tree import leaves
from ..context import Reading, Refusal
from ..rows import construct, statement
from .indexing import entry, getitem, is_array, kind
from .joining import added
from .shape import without_axes

statement(i.update, torch=lambda node: not any(map(i.backwards, node.kwargs["key"])))
statement(
    i.accumulate, numpy=lambda node: joins_in_numpy(node), torch=lambda node: joins_in_torch(node)
)


def joins_in_numpy(node: Node) -> bool:
    """Into what has one axis, by an index array of several, NumPy joins values that have these as well; of
    others it reads on behind their end (NumPy 2.4). Where the program says so itself, that is what it means.
    """
    x, value, index, *others = node.args
    if x.spec.rank != 1 or others or is_constant(value) or is_ufuncs(node):
        return True
    by_rank(index, value)
    return value.spec.rank in (0, index.spec.rank)


def is_constant(value: Any) -> bool:
    """Whether a value is the same in every call."""
    if not isinstance(value, Node):
        return True
    return value.op != "placeholder" and all(map(is_constant, value.all_input_nodes))


def is_ufuncs(node: Node) -> bool:
    """Whether a call of the tape is of NumPy's own `np.add.at`."""
    return type(getattr(getattr(node.origin, "target", None), "__self__", None)).__name__ == "ufunc"


def joins_in_torch(node: Node) -> bool:
    """Sums are by index arrays that stand first; all else by one that picks from a flat array, from the
    front.
    """
    x, value, *indices = node.args
    key = node.kwargs["key"]
    if node.kwargs["how"] == "add":
        return all(isinstance(k, Slot) for k in key)
    same = x.spec.rank == 1 and key == (Slot(0),) and value.spec.hint_shape == indices[0].spec.hint_shape
    return (
        bool(same and indices[0].spec.dtype == int64 and i.natural(indices[0]))
        and node.kwargs["how"] != "subtract"
    )


@construct("operator.truth")
def truth(reading: Reading, x: Any) -> Any:
    """What Python takes an array of one element to be."""
    return without_axes(reading, x, x if is_flag(x) else reading.op("not_equal", x, 0))


def is_flag(x: Node) -> bool:
    return bool(x.spec.dtype == bool_)


@construct("operator.setitem")
def setitem(reading: Reading, x: Any, key: Any, value: Any) -> Any:
    """`x[key] = value`: the value takes the dtype of x."""
    arrays, places = located(reading, key)
    value = in_front(reading, x, fitting(reading, x, value), arrays, places)
    return reading.program.call(i.update, x, value, *arrays, key=places)


def in_front(reading: Reading, x: Node, value: Any, arrays: list[Node], places: tuple[Any, ...]) -> Any:
    """A value without axes of size 1 at its front that the part has not, which JAX would not take."""
    masked = any(array.spec.dtype == bool_ for array in arrays)
    shapes = [array.spec.shape for array in (x, *arrays)]
    if not isinstance(value, Node) or value.spec.shape is None or None in shapes or masked:
        return value
    more = value.spec.rank - len(i.indexed(*shapes, key=values({"key": places})["key"]))
    if more <= 0 or any(hint_of(size) != 1 for size in value.spec.shape[:more]):
        return value
    by_rank(x, value)  # what has size 1 since there is nothing to count may have another then
    for size in value.spec.shape[:more]:
        reading.known(
            size, "an axis of size 1 is left out where an array is written into a part with fewer axes"
        )
    key = value.kwargs.get("key", ()) if value.target is i.getitem else ()
    if len(key) >= more and key[:more] == (None,) * more:
        return reading.program.call(i.getitem, *value.args, key=key[more:]) if key[more:] else value.args[0]
    return reading.program.call(i.getitem, value, key=(0,) * more)


def located(reading: Reading, key: Any) -> tuple[list[Node], tuple[Any, ...]]:
    """The index arrays of a key, and the key with their places."""
    entries = [entry(reading, k) for k in (key if isinstance(key, tuple) else (key,))]
    arrays = [k for k in entries if is_array(k)]
    kinds = "".join(map(kind, entries))
    fine = kinds.strip("as") == "" and "a" not in kinds.strip("a").strip("s")
    together = kinds.strip("s").strip("ai") == ""  # ints are index arrays of one number there
    if "a" in kinds and not fine and not together:
        raise Refusal(
            "an index array beside new axes, or far from another or an int",
            "give index arrays alone: x[i, zeros_like(i)] for x[i, 0]",
        )
    slots = iter(range(len(arrays)))
    return arrays, tuple(Slot(next(slots)) if is_array(k) else k for k in entries)


#: What `.at[...]` of JAX does, by the op that it applies to what was there.
APPLIED = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "mul": "multiply", "divide": "divide",
    "min": "minimum", "max": "maximum",
}  # fmt: skip
#: The ops that can join several values to one place, one after another.
JOINS = ("add", "subtract", "multiply", "minimum", "maximum")


@construct("at")
def at(reading: Reading, x: Any, key: Any, value: Any, how: str, **options: Any) -> Any:
    """`x.at[key].set(value)` and its kin. What is out of bounds JAX leaves alone, and others refuse."""
    if options.keys() - {"indices_are_sorted", "unique_indices"}:
        raise Refusal(f"{', '.join(options)} has no counterpart", "leave it out")
    made = setitem(reading, x, key, value) if how == "set" else joined(reading, x, key, value, APPLIED[how])
    made.form = x.form  # what it is made of is weak, or is not
    return made


def joined(reading: Reading, x: Any, key: Any, value: Any, op: str) -> Any:
    """`x[key] = op(x[key], value)`. Where an index array names a place several times, each of them counts."""
    arrays, places = located(reading, key)
    if not any(k.spec.shape and k.spec.dtype.kind != "bool" for k in arrays):
        pin_flags(k.origin or k for k in arrays)  # a mask names no place twice
        once(arrays, places)
        return setitem(reading, x, key, reading.op(op, getitem(reading, x, key), value))
    if any(type(k) is int or isinstance(k, Node) and not is_array(k) for k in places):
        raise Refusal(
            "an index array that may name a place twice, beside an int",
            "give index arrays alone: x.at[i, zeros_like(i)] for x.at[i, 0]",
        )
    if op not in JOINS:
        raise Refusal(
            f"an index array may name a place twice, and {op} would do so in another order",
            "invert the values, and multiply",
        )
    if any(k.spec.dtype.kind == "bool" for k in arrays):
        raise Refusal(
            "an index array beside a mask", "give index arrays alone, or write where(mask, value, x)"
        )
    exact(reading, x, value, op)
    return reading.program.call(i.accumulate, x, fitting(reading, x, value), *arrays, key=places, how=op)


def once(arrays: list[Node], places: tuple[Any, ...]) -> None:
    """What is made now takes it that these name each place once: arrays without axes, and numbers, for which
    arrays may be given.
    """
    by_rank(*arrays)
    for number in leaves(places):
        if isinstance(number, Node):
            note_type(number.origin or number)


def exact(reading: Reading, x: Node, value: Any, op: str) -> None:
    """See to it that what is joined is computed in the dtype of x, in which it is written.

    Raises:
        Refusal: where the source computes in another, which would round, or compare, otherwise.
    """
    mine = x.spec.dtype
    value = reading.operand(value)
    if mine is None or mine.kind == "bool":
        raise Refusal(
            f"{mine or 'an unknown dtype'} is not joined alike everywhere", "use an array of numbers"
        )
    number = not isinstance(value, Node) or static(value)
    if number and reading.source.name == "numpy" and not holds(mine, value):
        raise Refusal(
            "NumPy takes the number for an array of its own dtype, in which it then computes",
            f"np.{mine}(number)",
        )
    compute = reading.typed(REGISTER[op], [x, value], None).compute
    wraps = (
        op in ("add", "subtract", "multiply")
        and compute is not None
        and compute.is_integer
        and mine.is_integer
    )
    if compute != mine and not wraps:
        raise Refusal(f"it is computed in {compute} and written into {mine}", "make them of one dtype")


def holds(dtype: DType, number: Any) -> bool:
    """Whether a dtype has this very number; one that is known only at run time, whether it has every such
    number.
    """
    if isinstance(number, Node):
        return dtype.bits >= 64 and dtype.kind in ("complex", "float" if number.spec.type is float else "int")
    if dtype.is_integer and isinstance(number, int):
        signed = dtype.kind == "int"
        return bool(-(2 ** (dtype.bits - 1)) * signed <= number < 2 ** (dtype.bits - signed))
    code = {"float16": "e", "float32": "f"}.get(dtype.name)
    if code is None or isinstance(number, complex) or number != number or abs(number) == float("inf"):
        return True
    try:
        return bool(struct.unpack(code, struct.pack(code, number))[0] == number)
    except OverflowError:
        return False


def fitting(reading: Reading, x: Node, value: Any) -> Any:
    """A value as it is written into x."""
    dtype = x.spec.dtype
    numbers = isinstance(value, (list, tuple)) and all(type(leaf) in (int, float) for leaf in leaves(value))
    if numbers and dtype is not None and dtype.kind == "float":
        return reading.array(value, dtype)
    value = reading.operand(value)
    if dtype is None:
        raise Refusal(
            "the dtype of the array that is written into is not known", "give example arguments with args="
        )
    if not isinstance(value, Node) or not hasattr(value.spec, "shape"):
        kind = (
            complex
            if isinstance(value, complex)
            else getattr(value, "spec", None) and value.spec.type or type(value)
        )
        if kind is complex and dtype.kind != "complex":
            raise Refusal("a complex number does not fit into a real array", "take its .real")
        if isinstance(value, Node):
            made = reading.program.call(REGISTER["full"], shape=(), fill_value=value, dtype=dtype)
            made.meta["whole"] = None
            return made
        fits = converted(value, dtype.kind)
        if reading.source.name == "jax" and dtype.is_integer:  # where it wraps round
            fits = int(np.array(fits).astype(dtype.name))
        if fits != value and value == value:
            reading.pin()  # another array would hold all of it
        made = reading.program.call(REGISTER["array"], value=fits, dtype=dtype)
        made.meta["whole"] = value if type(value) is int else None
        return made
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
            raise Refusal(
                "it is written through a view whose making is not known here", "write into the array itself"
            )
        part = at.target is operator.getitem
        call = at.args[0] if part else at
        whole = call.args[0]
        value = (
            split_back(reading, call, at.args[1], value) if part else written_back(reading, at, whole, value)
        )
        at = whole
    return value


def written_back(reading: Reading, view: Node, whole: Node, value: Any) -> Any:
    """An array after `value` was written into all of a view of it."""
    op = view.target
    match getattr(op, "name", ""):
        case "getitem" if whole.spec.shape == ():  # `x[None]`: there is one element
            return reading.program.call(s.reshape, value, shape=reading.shape(whole))
        case "getitem":
            return reading.program.call(i.update, whole, value, *view.args[1:], **view.kwargs)
        case "permute_dims":
            axes = view.kwargs["axes"]
            rank = len(view.spec.shape)
            order = range(rank)[::-1] if axes is None else [a % rank for a in axes]
            back = tuple(list(order).index(n) for n in range(rank))
            return reading.program.call(s.permute_dims, value, axes=back)
        case "moveaxis":
            source, destination = view.kwargs["source"], view.kwargs["destination"]
            return reading.program.call(s.moveaxis, value, source=destination, destination=source)
        case "swapaxes" | "matrix_transpose" | "flip":
            return reading.program.call(op, value, **view.kwargs)
        case "squeeze" | "expand_dims" | "reshape" | "reshape_as" | "flatten" | "unflatten":
            return reading.program.call(s.reshape, value, shape=reading.shape(whole))
        case "diagonal" if reading.rank(whole, "its diagonal is written into") == 2:
            return reading.program.call(
                i.update, whole, value, *diagonal(reading, view), key=(Slot(0), Slot(1))
            )
        case "stop_gradient" if value.target in i.UPDATES and value.args[0] is view:
            made = reading.program.call(value.target, whole, *value.args[1:], **value.kwargs)
            made.meta |= {"detached": True}
            return made
        case "cast" | "stop_gradient" | "positive" | "copy":
            return value
        case "real" | "imag" | "conj" if whole.spec.dtype is not None:
            return with_part(reading, view, whole, value)
        case "broadcast_to" | "expand_as" if view.spec == whole.spec:
            return value
    raise Refusal("it is written through a view that cannot be written back", "write into the array itself")


def with_part(reading: Reading, view: Node, whole: Node, value: Any) -> Any:
    """An array after `value` was written into its real or imaginary part, or its conjugate. An array of real
    numbers is each of the former itself, so that the text holds for such or for complex ones.
    """
    if whole.origin is not None:
        pin_parts([whole.origin])
    match view.target.name:
        case _ if whole.spec.dtype.kind != "complex":
            return value
        case "real":
            return reading.program.call(complex_, value, reading.op("imag", whole))
        case "imag":
            return reading.program.call(complex_, reading.op("real", whole), value)
    return reading.op("conj", value)


def diagonal(reading: Reading, view: Node) -> list[Node]:
    """The places of a diagonal of a matrix, by axis."""
    why = "a diagonal is written into"
    offset, first = (reading.known(view.kwargs[name], why) for name in ("offset", "axis1"))
    count = reading.dim(view, 0)
    starts = [max(-offset, 0), max(offset, 0)]

    def places(start: int) -> Node:
        stop = count if not start else count + start if isinstance(count, int) else None
        if stop is None:
            size = count.spec.value + start
            stop = reading.program.static(operator.add, count, start, spec=Scalar(int, size))
        made: Node = reading.program.call(REGISTER["arange"], start=start, stop=stop, step=1, dtype=int64)
        return made

    found = [places(start) for start in starts]
    return found[::-1] if first % 2 else found


def split_back(reading: Reading, call: Node, number: int, value: Any) -> Any:
    """An array after `value` was written into all of one of the parts that it is split into."""
    whole = call.args[0]
    op = getattr(call.target, "name", "")
    if op not in ("split", "array_split", "unstack"):
        raise Refusal(
            "it is written through a view that cannot be written back", "write into the array itself"
        )
    axis = front(call.kwargs["axis"], len(whole.spec.shape))
    before = (slice(None),) * axis
    if op == "unstack":
        return reading.program.call(i.update, whole, value, key=(*before, number))
    ends: list[Any] = [None]
    for n in range(min(number + 1, len(call.spec) - 1)):
        size = reading.dim(reading.program.project(call, n), axis)
        ends.append(size if ends[-1] is None else added(reading, ends[-1], size))
    stop = None if number == len(call.spec) - 1 else ends[number + 1]
    return reading.program.call(i.update, whole, value, key=(*before, slice(ends[number], stop)))

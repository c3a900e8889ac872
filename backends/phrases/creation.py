"""How new arrays are said. Same order as in ir/ops/creation.py."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...ir.graphs.graph import Node
from ...ir.graphs.static import ask_type, is_shape, static
from ...ir.noting import by_rank
from ...ir.ops import creation as c
from ...ir.ops import shape as s
from ...ir.sizes.dim import hint_of
from ...ir.values.dtypes import DType
from ...ir.values.spec import Spec
from ..backend import framework_of
from ..context import Reading, Refusal
from ..literals import said
from ..rows import reads, say
from .extending import within
from .shape import sizes_of, without_axes

# fmt: off
say(c.array,
    numpy="np.array(value, dtype=dtype)",
    jax="jnp.array(value, dtype=dtype)",
    torch="torch.tensor(value, dtype=dtype)",
    types="jax: weak",
    gives="numpy: cast")
# Of what is empty the values are not promised: zeros do.
say(c.zeros,
    numpy="np.zeros(shape, dtype=dtype)",
    jax="jnp.zeros(shape, dtype=dtype)",
    torch="torch.zeros(*shape, dtype=dtype)",
    reads="""
        jnp.empty(shape, dtype=dtype)
        np.empty(shape, dtype=dtype)
        torch.empty(*shape, dtype=dtype)
    """)
say(c.ones,
    numpy="np.ones(shape, dtype=dtype)",
    jax="jnp.ones(shape, dtype=dtype)",
    torch="torch.ones(*shape, dtype=dtype)")
say(c.full,
    numpy="""
        np.array(fill_value, dtype=dtype)              if shape=()
        np.full(shape, fill_value, dtype=dtype)
    """,
    jax="""
        jnp.array(fill_value, dtype=dtype)             if shape=()
        jnp.full(shape, fill_value, dtype=dtype)
    """,
    torch="""
        torch.tensor(fill_value, dtype=dtype)          if shape=()
        torch.full((shape,), fill_value, dtype=dtype)  if shape: int
        torch.full(shape, fill_value, dtype=dtype)
    """,
    types="jax: weak",
    gives="np.array: cast")
say(c.arange,
    numpy="""
        np.arange(stop, dtype=dtype)                  if start=0, step=1
        np.arange(start, stop, dtype=dtype)           if step=1
        np.arange(start, stop, step, dtype=dtype)
    """,
    jax="""
        jnp.arange(stop, dtype=dtype)                 if start=0, step=1, dtype: num|absent
        jnp.arange(start, stop, dtype=dtype)          if step=1, dtype: num|absent
        jnp.arange(start, stop, step, dtype=dtype)    if dtype: num|absent
    """,
    torch="""
        torch.arange(stop, dtype=dtype)               if start=0, step=1, dtype: real|absent
        torch.arange(start, stop, dtype=dtype)        if step=1, dtype: real|absent
        torch.arange(start, stop, step, dtype=dtype)  if dtype: real|absent
    """)
say(c.linspace,
    numpy="np.linspace(start, stop, num, endpoint=endpoint, dtype=dtype)",
    jax="jnp.linspace(start, stop, num, endpoint=endpoint, dtype=dtype)",
    torch="torch.linspace(start, stop, num, dtype=dtype)  if endpoint=True")
say(c.eye,
    numpy="""
        np.eye(n_rows, k=k, dtype=dtype)        if n_cols=None
        np.eye(n_rows, n_cols, k=k, dtype=dtype)
    """,
    jax="""
        jnp.eye(n_rows, k=k, dtype=dtype)       if n_cols=None
        jnp.eye(n_rows, n_cols, k=k, dtype=dtype)
    """,
    torch="""
        torch.eye(n_rows, dtype=dtype)          if n_cols=None, k=0
        torch.eye(n_rows, n_cols, dtype=dtype)  if k=0
    """,
    reads="""
        np.identity(n_rows, dtype=dtype)
        jnp.identity(n_rows, dtype=dtype)
    """)
say(c.tri,
    numpy="np.tri(n_rows, M=n_cols, k=k, dtype=dtype)",
    jax="jnp.tri(n_rows, M=n_cols, k=k, dtype=dtype)  if dtype: given",
    reads="jnp.tri(n_rows, M=n_cols, k=k)             if dtype=float32",  # with 64 bits too
    types="jax: untold")
say(c.zeros_like,
    numpy="np.zeros_like(x, dtype=dtype, shape=shape)",
    jax="jnp.zeros_like(x, dtype=dtype, shape=shape)",
    torch="""
        torch.zeros_like(x, dtype=dtype)
        x.new_zeros(*shape, dtype=dtype)
    """,
    reads="""
        jnp.empty_like(x, dtype=dtype, shape=shape)
        np.empty_like(x, dtype=dtype, shape=shape)
        torch.empty_like(x, dtype=dtype)
        torch.Tensor.new_empty(x, *shape, dtype=dtype)
    """)
say(c.ones_like,
    numpy="np.ones_like(x, dtype=dtype, shape=shape)",
    jax="jnp.ones_like(x, dtype=dtype, shape=shape)",
    torch="""
        torch.ones_like(x, dtype=dtype)
        x.new_ones(*shape, dtype=dtype)
    """)
say(c.full_like,
    numpy="np.full_like(x, fill_value, dtype=dtype)",
    jax="jnp.full_like(x, fill_value, dtype=dtype)",
    torch="torch.full_like(x, fill_value, dtype=dtype)")
# fmt: on


# From numbers.


@reads(
    "np.array",
    "np.asarray",
    "np.asanyarray",
    "jnp.array",
    "jnp.asarray",
    "torch.tensor",
    "torch.as_tensor",
    "torch.asarray",
    gives="np.array np.asarray np.asanyarray torch.as_tensor torch.asarray: cast",
)
def array(
    reading: Reading,
    object: Any = None,
    a: Any = None,
    data: Any = None,
    obj: Any = None,
    dtype: Any = None,
    ndmin: int = 0,
) -> Any:
    """Of an array itself, or a copy where the function makes one."""
    value = next((v for v in (object, a, data, obj) if v is not None), None)
    wanted = None if dtype is None else reading.dtype(dtype)
    if value is None or ndmin:
        raise Refusal("ndmin" if ndmin else "None is no array")
    if isinstance(value, Node) and not static(value):
        if wanted is None and (
            a is not None or obj is not None or getattr(value.target, "name", None) == "array"
        ):
            return value
        if wanted is None:
            return reading.op(s.copy, value)
        made = reading.op("cast", value, dtype=wanted)
        made.form = "array"
        return made
    return literal(reading, value, wanted)


@reads("torch.Tensor.new_tensor")
def new_tensor(reading: Reading, self: Any, data: Any, dtype: Any = None) -> Any:
    if dtype is None:
        reading.pin()
    return array(reading, data=data, dtype=like(reading, self, dtype))


def numbers(reading: Reading, value: Any) -> Any:
    """What a list holds, which torch takes for numbers: arrays of one element too."""
    if isinstance(value, (list, tuple)):
        return [numbers(reading, each) for each in value]
    if not isinstance(value, Node) or static(value):
        return value
    return without_axes(reading, value, value)


def literal(reading: Reading, value: Any, dtype: DType | None) -> Any:
    """An array of numbers. JAX's of one number alone is weak."""
    if is_shape(value):
        value = reading.dims(value)
    if framework_of(value) == "numpy":
        made = reading.numpys(value)
        return made if dtype in (None, made.spec.dtype) else reading.op("cast", made, dtype=dtype)
    if not isinstance(value, (list, tuple)) and dtype is None:
        return reading.single(value)
    if isinstance(value, Node):  # a number that the program reads
        return said(reading.op(c.full, shape=(), fill_value=value, dtype=dtype))
    if reading.source.name == "torch":
        value = numbers(reading, value)
    made = reading.array(value if dtype is None else whole(value, dtype), dtype)
    made.form = "array"
    return made


def whole(value: Any, dtype: DType) -> Any:
    """Floats among the numbers of an array of ints, without the fractions that they lose there."""
    if isinstance(value, (list, tuple)):
        return [whole(v, dtype) for v in value]
    if dtype.kind == "bool" and isinstance(value, (int, float, complex)):
        return bool(value)
    return within(value, dtype) if isinstance(value, float) and dtype.is_integer else value


def weakened(node: Node) -> Node:
    node.form = "weak"
    return node


# From nothing.


@reads("np.full", "jnp.full", "jax.lax.full", "torch.full")
def full(reading: Reading, fill_value: Any, shape: Any = None, size: Any = None, dtype: Any = None) -> Any:
    """JAX's of a number is weak. An array is cast and stretched; torch takes the number out of it."""
    sizes, value = plain(size if shape is None else shape), number(reading, fill_value)
    if is_array(value):
        if dtype is None and reading.source.name == "torch" and value.spec.dtype is not None:
            reading.pin()
            kind = {"bool": bool, "float": float, "complex": complex}.get(value.spec.dtype.kind, int)
            value = reading.cast(value, reading.scalar_dtype(kind()))
        value = value if dtype is None else reading.cast(value, reading.dtype(dtype))
        return reading.op(s.broadcast_to, value, shape=sizes_of(sizes))
    found = reading.scalar_dtype(value) if dtype is None else reading.dtype(dtype)
    made = reading.op(c.full, shape=sizes, fill_value=within(value, found), dtype=found)
    if dtype is not None:
        said(made)
    return weakened(made) if reading.source.name == "jax" and dtype is None and found.kind != "bool" else made


@reads("torch.scalar_tensor")
def scalar_tensor(reading: Reading, s: Any, dtype: Any = None) -> Any:
    return array(reading, data=s, dtype=dtype or "float32")


@reads("np.arange", "jnp.arange", "torch.arange")
def arange(
    reading: Reading, stop: Any = None, start: Any = 0, step: Any = 1, dtype: Any = None, end: Any = None
) -> Any:
    """Whole numbers, or floats where one of the three is a float."""
    numbers = [start, end if stop is None else stop, 1 if step is None else step]
    numbers = [number(reading, n) for n in numbers]
    if any(is_array(n) for n in numbers):
        raise Refusal("its length depends on the values of an array")
    kinds = [n.spec.type if isinstance(n, Node) else type(n) for n in numbers]
    for n in numbers if float in kinds else numbers[2:]:  # which become constants
        if isinstance(n, Node) and (n.target is not operator.truediv or reading.source.name == "numpy"):
            ask_type(n.origin or n)  # a quotient is no int, and complex in NumPy's ranges alone
    if float in kinds:
        numbers = [reading.known(n, "the length of a range depends on it") for n in numbers]
    found = (
        (reading.source.default_float if float in kinds else reading.source.default_int)
        if dtype is None
        else reading.dtype(dtype)
    )
    if float in kinds and not found.is_inexact:
        raise Refusal(f"floats in steps as {found}")
    numbers[2] = reading.known(numbers[2], "it is the step of a range") if kinds[2] is int else numbers[2]
    if numbers[2] == 0:
        raise Refusal("its step is 0")
    first, last = (n.spec.value if isinstance(n, Node) else n for n in numbers[:2])
    (count,) = c.counted(start=first, stop=last, step=numbers[2], dtype=found) or (0,)
    if (hint_of(count) or 0) < 0:
        numbers[:2] = (reading.known(n, "a range has nothing in it") for n in numbers[:2])
    known = not any(isinstance(n, Node) for n in numbers)
    if known and c.counted(start=numbers[0], stop=numbers[1], step=numbers[2], dtype=found) == (0,):
        numbers[:2] = 0, 0  # torch wants the bounds in the order of the step
    made = reading.op(c.arange, start=numbers[0], stop=numbers[1], step=numbers[2], dtype=found)
    return made if dtype is None else said(made)


@reads("np.linspace", "jnp.linspace", "torch.linspace")
def linspace(
    reading: Reading, start: Any, stop: Any = None, num: Any = 50, endpoint: bool = True, dtype: Any = None,
    axis: int = 0, retstep: bool = False, end: Any = None, steps: Any = None,
) -> Any:  # fmt: skip
    first, last = (number(reading, n) for n in (start, end if stop is None else stop))
    count = num if steps is None else steps
    found = reading.source.default_float if dtype is None else reading.dtype(dtype)
    ends = [end for end in (first, last) if is_array(end)]
    if any(end.spec.shape != () for end in ends) or retstep or axis != 0:
        raise Refusal(
            "only the plain form, between two numbers, can be translated", "start + arange(num) * step"
        )
    if not found.is_inexact:
        raise Refusal(f"equal distances as {found}")
    if ends:
        return between(reading, first, last, count, endpoint, dtype)
    if not endpoint and any(isinstance(n, Node) for n in (first, last, count)):
        raise Refusal("torch has none without the endpoint", "linspace(start, stop, num + 1)[:-1]")
    return reading.op(c.linspace, start=first, stop=last, num=count, endpoint=endpoint, dtype=found)


def between(reading: Reading, first: Any, last: Any, count: Any, endpoint: Any, dtype: Any) -> Any:
    """Likewise from and to what is an array without axes. Of what dtype it is says torch's default, elsewhere
    what the ends make with a float.
    """
    by_rank(*(end for end in (first, last) if is_array(end)))
    count = reading.known(count, "it is how many numbers there are")
    beside = ("multiply", 1.0) if type(first) is float or type(last) is float else ("divide", 1)
    first, last = (reading.op(beside[0], end, beside[1]) if is_array(end) else end for end in (first, last))
    named = reading.dtype(dtype) if dtype is not None else None
    if reading.source.name == "torch":
        named = named or reading.source.default_float
        first, last = (reading.cast(end, named) if is_array(end) else end for end in (first, last))
    if named is None:
        reading.pin()
    step = reading.op("divide", reading.op("subtract", last, first), max(count - bool(endpoint), 1))
    dtype = step.spec.dtype
    # NumPy and JAX give the last end itself, beside a nan too; JAX and torch give the first where it is
    # alone.
    exact = endpoint and count > 1 and reading.source.name != "torch"
    if count == 1 and reading.source.name != "numpy":
        reading.pin()
        made = alone(reading, first, dtype)
    else:
        places = reading.op(c.arange, start=0, stop=count - exact, step=1, dtype=dtype)
        made = reading.op("add", reading.op("multiply", places, step), first)
    if exact:
        made = reading.op("concat", made, alone(reading, last, made.spec.dtype), axis=0, dtype=None)
    return made if named is None else reading.cast(made, named)


def alone(reading: Reading, end: Any, dtype: DType) -> Any:
    """An array of one number."""
    if not is_array(end):
        return reading.op(c.full, shape=(1,), fill_value=end, dtype=dtype)
    return reading.cast(reading.op("expand_dims", end, axis=0), dtype)


@reads("np.diag_indices", "jnp.diag_indices")
def diag_indices(reading: Reading, n: Any, ndim: Any = 2) -> Any:
    """The numbers of rows, and again those of columns."""
    return (arange(reading, stop=n),) * reading.known(ndim, "it is how many arrays there are")


# Like another.


@reads("np.full_like", "jnp.full_like", "jax.lax.full_like", "torch.full_like", "torch.Tensor.new_full")
def full_like(
    reading: Reading,
    fill_value: Any,
    a: Any = None,
    x: Any = None,
    input: Any = None,
    self: Any = None,
    dtype: Any = None,
    shape: Any = None,
    size: Any = None,
) -> Any:
    """Of its dtype and shape, unless the call names others. JAX's is weak where the array is."""
    array = reading.operand(next((v for v in (a, x, input, self) if v is not None), None))
    if not is_array(array):
        raise Refusal("its operand is no array")
    if dtype is not None:
        reading.said()
    found, value, sizes = (
        like(reading, array, dtype),
        number(reading, fill_value),
        shape if size is None else size,
    )
    if is_array(value):
        if dtype is None:
            reading.pin()
        sizes = reading.shape(array) if sizes is None else sizes_of(plain(sizes))
        return reading.op(s.broadcast_to, reading.cast(value, found), shape=sizes)
    if sizes is None:
        if dtype is None and not isinstance(value, Node) and within(value, found) != value:
            reading.pin()
        made = reading.op(c.full_like, array, fill_value=within(value, found), dtype=found)
    else:
        if dtype is None:
            reading.pin()
        made = said(reading.op(c.full, shape=plain(sizes), fill_value=within(value, found), dtype=found))
    return weakened(made) if dtype is None and array.form == "weak" else made


# What they share.


def like(reading: Reading, x: Any, dtype: Any) -> DType:
    found: DType | None = x.spec.dtype if dtype is None else reading.dtype(dtype)
    if found is None:
        raise Refusal("the dtype of its operand is not known", "give example arguments with args=")
    return found


def plain(shape: Any) -> Any:
    """A shape as the user wrote it: one size alone stays alone."""
    if isinstance(shape, (tuple, list)):
        return tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else tuple(shape)
    return shape


def is_array(value: Any) -> bool:
    return isinstance(value, Node) and isinstance(value.spec, Spec)


def number(reading: Reading, value: Any) -> Any:
    """A number, or an array where it is a list or one of NumPy's."""
    return reading.operand(value) if isinstance(value, (list, tuple, np.ndarray)) else value

"""How arrays are given more elements. Same order as in ir/ops/extending.py."""

from __future__ import annotations

import math
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.meaning.results import front
from ...ir.ops import extending as e
from ...ir.ops.shape import copy
from ...ir.sizes.dim import hint_of, maximum
from ...ir.values.dtypes import DType
from ..context import Reading, Refusal
from ..rows import absent, reads, say
from ..typing.row import fits

# fmt: off
say(e.pad,
    numpy="""
        np.pad(x, widths)                          if mode='constant', value=0
        np.pad(x, widths, constant_values=value)   if mode='constant'
        np.pad(x, widths, mode=mode)
    """,
    jax="""
        jnp.pad(x, widths)                         if mode='constant', value=0
        jnp.pad(x, widths, constant_values=value)  if mode='constant'
        jnp.pad(x, widths, mode=mode)
    """,
    torch="""
        F.pad(x, trailing(widths))                 if mode='constant', value=0
        F.pad(x, trailing(widths), value=value)    if mode='constant', value: double
        F.pad(x, inner(widths), mode='replicate')  if mode='edge', x: float|int
        F.pad(x, inner(widths), mode='reflect')    if mode='reflect', x: float|int
        F.pad(x, inner(widths), mode='circular')   if mode='wrap', x: float|int
    """)
say(e.tile,
    numpy="np.tile(x, reps)",
    jax="jnp.tile(x, reps)",
    torch="""
        torch.tile(x, (reps,))  if reps: int
        torch.tile(x, reps)
    """,
    reads="""
        jax.lax.tile(x, reps)
        torch.Tensor.tile(x, *reps)
        torch.Tensor.repeat(x, *reps)
    """)
say(e.repeat,
    numpy="np.repeat(x, repeats, axis=axis)",
    jax="jnp.repeat(x, repeats, axis=axis)                if repeats: int",
    torch="torch.repeat_interleave(x, repeats, dim=axis)  if repeats: int")
say(e.repeat_each,
    numpy="np.repeat(x, counts, axis=axis)                               if total=None",
    jax="jnp.repeat(x, counts, axis=axis, total_repeat_length=total)     if total: int",
    torch="""
        torch.repeat_interleave(x, counts, dim=axis)                     if total=None
        torch.repeat_interleave(x, counts, dim=axis, output_size=total)  if total: int
    """,
    reads="jnp.repeat(x, counts, axis=axis)")
absent(e.repeat_each, "jax", hint="repeat by numbers that are constants")
# fmt: on

#: Beyond this not every int is a float of 64 bits.
DOUBLE = 2**53


@reads("np.pad", "jnp.pad")
def np_pad(
    reading: Reading, array: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0
) -> Any:
    array = reading.operand(array)
    rank = reading.rank(array, "every axis is padded")
    if isinstance(pad_width, dict):
        found = {front(axis, rank): pair_of(width) for axis, width in pad_width.items()}
        return padded(reading, array, [found.get(i, (0, 0)) for i in range(rank)], mode, constant_values)
    rows = list(pad_width) if isinstance(pad_width, (tuple, list)) else [pad_width]
    if not any(isinstance(row, (tuple, list)) for row in rows):
        rows = [rows]
    return padded(
        reading,
        array,
        [pair_of(row) for row in rows] * (rank if len(rows) == 1 else 1),
        mode,
        constant_values,
    )


def pair_of(width: Any) -> tuple[Any, Any]:
    pair = tuple(width) if isinstance(width, (tuple, list)) else (width,)
    return pair if len(pair) == 2 else pair * 2


@reads("torch.nn.functional.pad")
def torch_pad(reading: Reading, input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """The last axis comes first; axes that are not mentioned are not padded. A negative width cuts off."""
    rank = reading.rank(input, "the last of its axes are padded")
    if len(pad) % 2 or len(pad) > 2 * rank:
        raise Refusal(f"its {len(pad)} widths are no pairs for {rank} axes")
    pad = [reading.known(n, "a negative width cuts off") if is_negative(n) else n for n in pad]
    pairs = [(0, 0)] * (rank - len(pad) // 2) + [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]
    cut = tuple(slice(-a if under(a) else None, b if under(b) else None) for a, b in pairs)
    if any((part.start, part.stop) != (None, None) for part in cut):
        input = reading.op("getitem", input, key=cut)
        pairs = [(0 if under(a) else a, 0 if under(b) else b) for a, b in pairs]
    dtype = input.spec.dtype
    if type(value) is int and dtype is not None and dtype.is_integer and float(value) != value:
        raise Refusal(f"torch takes {value} for a float, which does not hold it", f"say {float(value):.0f}")
    modes = {"replicate": "edge", "circular": "wrap"}
    return padded(reading, input, pairs, modes.get(mode, mode), 0 if value is None else value)


def is_negative(width: Any) -> bool:
    """Whether a number that the program reads is below 0 in the example."""
    return isinstance(width, Node) and isinstance(width.spec, Scalar) and (width.spec.hint or 0) < 0


def under(width: Any) -> bool:
    return isinstance(width, int) and width < 0


def padded(reading: Reading, x: Any, pairs: list[Any], mode: Any, value: Any) -> Any:
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise Refusal(f"mode {mode!r}")
    recorded = isinstance(value, Node) and isinstance(value.spec, Scalar)
    if not recorded and type(value) not in (bool, int, float, complex):
        raise Refusal(
            "what it is padded with must be one number",
            "fill an array of the new shape with it, and write x into its middle",
        )
    if recorded and value.spec.type is int and x.spec.dtype is not None and x.spec.dtype.is_integer:
        for beyond in (value.spec.value - DOUBLE, -DOUBLE - value.spec.value):
            reading.assume(maximum(beyond, 0), 0, "torch takes what it pads with for a float")
    pairs = [tuple(pair) for pair in pairs]
    if mode not in ("constant", "edge"):
        pairs = [tuple(reading.known(n, "so many elements are mirrored") for n in pair) for pair in pairs]
    for size, pair in zip(x.spec.shape, pairs) if mode not in ("constant", "edge") else ():
        if max(pair) > (hint_of(size) or 0) - (mode == "reflect"):
            raise Refusal(f"the array has fewer elements than the {max(pair)} that it is padded with")
    if all(pair == (0, 0) for pair in pairs):
        return reading.op(copy, x)
    fits = value if x.spec.dtype is None else within(value, x.spec.dtype)
    if recorded or fits != value == value:
        reading.pin()
    value = fits
    zero = mode != "constant" or not recorded and repr(value) in ("0", "0.0", "0j", "False")
    return reading.op(e.pad, x, widths=tuple(pairs), mode=mode, value=0 if zero else value)


def within(value: Any, dtype: DType) -> Any:
    """`value` as a number of this dtype.

    Raises:
        Refusal: where it is none, and the frameworks differ in what they make of it.
    """
    if isinstance(value, Node):
        if isinstance(value.spec, Scalar) and value.spec.type is float and dtype.kind in ("int", "uint"):
            raise Refusal(
                f"a float that is not known as {dtype}", "int(value) is what an array of integers gets of it"
            )
        return value
    if dtype.kind == "bool":
        return bool(value)
    if dtype.kind in ("int", "uint") and isinstance(value, float):
        if not math.isfinite(value):
            raise Refusal(f"{value} is no number of {dtype}")
        value = int(value)
    if isinstance(value, complex) and dtype.kind != "complex":
        raise Refusal(f"{value} is no number of {dtype}")
    if not fits(value, dtype):
        raise Refusal(f"{value} is out of bounds for {dtype}")
    return value

"""How sliding windows are said. Same order as in ir/ops/convolution.py."""

from __future__ import annotations

import inspect
import math
from typing import Any

from ...ir.ops import convolution as c
from ..context import Reading, Refusal
from ..rows import reads, say
from ..signatures import names_of

F = "torch.nn.functional"

# fmt: off
say(c.conv,
    numpy="""
        helper:conv(x, w, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation),
                    groups=groups)
    """,
    jax="""
        jax.lax.conv_general_dilated(x, w, window_strides=stride, padding=xla_padding(padding),
                                     rhs_dilation=unless_one(dilation), feature_group_count=groups)
    """,
    torch="""
        F.conv1d(x, w, bias, stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation),
                 groups=groups)  if w: 3d
        F.conv1d(x, w, stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation),
                 groups=groups)  if w: 3d
        F.conv2d(x, w, bias, stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation),
                 groups=groups)  if w: 4d
        F.conv2d(x, w, stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation),
                 groups=groups)  if w: 4d
        F.conv3d(x, w, bias, stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation),
                 groups=groups)  if w: 5d
        F.conv3d(x, w, stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation),
                 groups=groups)  if w: 5d
        F.conv1d(x, w, bias, padding='same', dilation=uniform(dilation), groups=groups)
            if w: 3d, padding='same', stride=(1,)
        F.conv1d(x, w, padding='same', dilation=uniform(dilation), groups=groups)
            if w: 3d, padding='same', stride=(1,)
        F.conv2d(x, w, bias, padding='same', dilation=uniform(dilation), groups=groups)
            if w: 4d, padding='same', stride=(1, 1)
        F.conv2d(x, w, padding='same', dilation=uniform(dilation), groups=groups)
            if w: 4d, padding='same', stride=(1, 1)
        F.conv3d(x, w, bias, padding='same', dilation=uniform(dilation), groups=groups)
            if w: 5d, padding='same', stride=(1, 1, 1)
        F.conv3d(x, w, padding='same', dilation=uniform(dilation), groups=groups)
            if w: 5d, padding='same', stride=(1, 1, 1)
        helper:conv_same(x, w, uniform(stride), dilation=uniform(dilation), groups=groups)
            if padding='same'
    """,
    types="""
        numpy: any bfloat16>-
        torch: uint8 int inexact, alike, loose
    """,
    gives="numpy torch: new")
say(c.conv_transpose,
    numpy="""
        helper:conv_transpose(x, w, stride=uniform(stride), padding=uniform(padding),
                              output_padding=uniform(output_padding), dilation=uniform(dilation),
                              groups=groups)
    """,
    jax="""
        helper:conv_transpose(x, w, stride=uniform(stride), padding=uniform(padding),
                              output_padding=uniform(output_padding), dilation=uniform(dilation),
                              groups=groups)
    """,
    torch="""
        F.conv_transpose1d(x, w, bias, stride=uniform(stride), padding=uniform(padding),
                           output_padding=uniform(output_padding), dilation=uniform(dilation), groups=groups)
            if w: 3d
        F.conv_transpose1d(x, w, stride=uniform(stride), padding=uniform(padding),
                           output_padding=uniform(output_padding), dilation=uniform(dilation), groups=groups)
            if w: 3d
        F.conv_transpose2d(x, w, bias, stride=uniform(stride), padding=uniform(padding),
                           output_padding=uniform(output_padding), dilation=uniform(dilation), groups=groups)
            if w: 4d
        F.conv_transpose2d(x, w, stride=uniform(stride), padding=uniform(padding),
                           output_padding=uniform(output_padding), dilation=uniform(dilation), groups=groups)
            if w: 4d
        F.conv_transpose3d(x, w, bias, stride=uniform(stride), padding=uniform(padding),
                           output_padding=uniform(output_padding), dilation=uniform(dilation), groups=groups)
            if w: 5d
        F.conv_transpose3d(x, w, stride=uniform(stride), padding=uniform(padding),
                           output_padding=uniform(output_padding), dilation=uniform(dilation), groups=groups)
            if w: 5d
    """,
    types="""
        numpy: any bfloat16>-
        torch: int64 inexact, alike
    """,
    gives="numpy: new")
say(c.max_pool,
    numpy="""
        helper:max_pool(x, window, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation))
        helper:max_pool_ceil(x, window, stride=uniform(stride), padding=sides(padding),
                             dilation=uniform(dilation))                 if ceil_mode=True
    """,
    jax="""
        helper:max_pool(x, window, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation))
        helper:max_pool_ceil(x, window, stride=uniform(stride), padding=sides(padding),
                             dilation=uniform(dilation))                 if ceil_mode=True
    """,
    torch="""
        F.max_pool1d(x, each1(window), stride=each1(stride), padding=edges1(padding),
                     dilation=each1(dilation), ceil_mode=ceil_mode)      if window: 1d
        F.max_pool2d(x, each2(window), stride=each2(stride), padding=edges2(padding),
                     dilation=each2(dilation), ceil_mode=ceil_mode)      if window: 2d
        F.max_pool3d(x, each3(window), stride=each3(stride), padding=edges3(padding),
                     dilation=each3(dilation), ceil_mode=ceil_mode)      if window: 3d
    """,
    reads="""
        torch.max_pool1d(x, each1(window), stride=each1(stride), padding=edges1(padding),
                         dilation=each1(dilation), ceil_mode=ceil_mode)  if window: 1d
        torch.max_pool2d(x, each2(window), stride=each2(stride), padding=edges2(padding),
                         dilation=each2(dilation), ceil_mode=ceil_mode)  if window: 2d
        torch.max_pool3d(x, each3(window), stride=each3(stride), padding=edges3(padding),
                         dilation=each3(dilation), ceil_mode=ceil_mode)  if window: 3d
    """,
    types="torch: uint8 int float",
    gives="numpy: new")
say(c.avg_pool,
    numpy="""
        helper:avg_pool(x, window, stride=uniform(stride), padding=sides(padding),
                        count_include_pad=count_include_pad, divisor=divisor)
    """,
    jax="""
        helper:avg_pool(x, window, stride=uniform(stride), padding=sides(padding),
                        count_include_pad=count_include_pad, divisor=divisor)
    """,
    torch="""
        F.avg_pool1d(x, each1(window), padding=edges1(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad)                            if window: 1d, x: float
        F.avg_pool1d(x, each1(window), stride=each1(stride), padding=edges1(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad)                            if window: 1d, x: float
        F.avg_pool2d(x, each2(window), padding=edges2(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad)                            if window: 2d, x: float
        F.avg_pool2d(x, each2(window), padding=edges2(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad, divisor_override=divisor)  if window: 2d, x: float
        F.avg_pool2d(x, each2(window), stride=each2(stride), padding=edges2(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad)                            if window: 2d, x: float
        F.avg_pool2d(x, each2(window), stride=each2(stride), padding=edges2(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad, divisor_override=divisor)  if window: 2d, x: float
        F.avg_pool3d(x, each3(window), padding=edges3(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad)                            if window: 3d, x: float
        F.avg_pool3d(x, each3(window), padding=edges3(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad, divisor_override=divisor)  if window: 3d, x: float
        F.avg_pool3d(x, each3(window), stride=each3(stride), padding=edges3(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad)                            if window: 3d, x: float
        F.avg_pool3d(x, each3(window), stride=each3(stride), padding=edges3(padding), ceil_mode=ceil_mode,
                     count_include_pad=count_include_pad, divisor_override=divisor)  if window: 3d, x: float
    """,
    reads="""
        torch.avg_pool1d(x, each1(window), padding=edges1(padding), ceil_mode=ceil_mode,
                         count_include_pad=count_include_pad)                        if window: 1d, x: float
        torch.avg_pool1d(x, each1(window), stride=each1(stride), padding=edges1(padding), ceil_mode=ceil_mode,
                         count_include_pad=count_include_pad)                        if window: 1d, x: float
    """,
    types="""
        numpy: any bfloat16>-
        torch: int64 float
    """,
    gives="numpy: new")
# fmt: on


def several(value: Any, n: int) -> tuple[Any, ...]:
    """One number for each of `n` axes."""
    return tuple(value) * (n if len(value) == 1 else 1) if isinstance(value, (tuple, list)) else (value,) * n


def pairs(padding: Any, n: int) -> Any:
    """torch's padding as (before, after) pairs."""
    if padding == "same":
        return padding
    return tuple((p, p) for p in several(0 if padding == "valid" else padding, n))


def steps(stride: Any, window: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The stride, or None where it is the window."""
    return several(stride, len(window)) if stride and several(stride, len(window)) != window else None


@reads(*(f"{root}.conv{kind}{n}d" for root in ("torch", F) for kind in ("", "_transpose") for n in (1, 2, 3)))
def conv(
    reading: Reading,
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: Any = 1,
    dilation: Any = 1,
) -> Any:
    """torch's; without a batch axis it is one of a batch of one."""
    n = int(reading.callee[-2])
    if reading.rank(weight, "it says how many axes there are") != n + 2:
        raise Refusal(f"its weight must have {n + 2} axes")
    alone = reading.rank(input, "it says whether there is a batch axis") == n + 1
    x = reading.op("expand_dims", input, axis=0) if alone else input
    steps: dict[str, Any] = {"stride": several(stride, n), "dilation": several(dilation, n), "groups": groups}
    if "transpose" in reading.callee:
        cut: dict[str, Any] = {"padding": several(padding, n), "output_padding": several(output_padding, n)}
        y = reading.op(c.conv_transpose, x, weight, bias, **steps, **cut)
    else:
        y = reading.op(c.conv, x, weight, bias, **steps, padding=pairs(padding, n))
    return reading.op("squeeze", y, axis=0) if alone else y


@reads("jax.lax.conv_general_dilated", "jax.lax.conv", "jax.lax.conv_with_general_padding")
def conv_general_dilated(
    reading: Reading,
    lhs: Any,
    rhs: Any,
    window_strides: Any,
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    feature_group_count: Any = 1,
    batch_group_count: Any = 1,
) -> Any:
    """JAX's, in any layout that letters can name."""
    n = len(window_strides)
    if batch_group_count != 1 or any(d != 1 for d in lhs_dilation or ()):
        raise Refusal("only lhs_dilation=None and batch_group_count=1 can be translated")
    x, w, out = layouts(dimension_numbers, n)
    y = reading.op(
        c.conv, permuted(reading, lhs, x), permuted(reading, rhs, w), stride=tuple(window_strides),
        padding=sides(padding, n), dilation=tuple(rhs_dilation or (1,) * n), groups=feature_group_count,
    )  # fmt: skip
    return permuted(reading, y, tuple(map(out.index, range(n + 2))))


def sides(padding: Any, n: int) -> Any:
    """JAX's padding as (before, after) pairs, or "same"."""
    if not isinstance(padding, str):
        return tuple(map(tuple, padding))
    if padding.upper() not in ("SAME", "VALID"):
        raise Refusal(f"padding {padding!r} has no counterpart", "give a (low, high) pair for each axis")
    return "same" if padding.upper() == "SAME" else ((0, 0),) * n


def layouts(given: Any, n: int) -> list[tuple[int, ...]]:
    """Where the operands' and the result's batch, channel and further axes are; channels come first unless
    `given` says else.
    """
    letters = "DHW"[3 - n :]
    given = given or (f"NC{letters}", f"OI{letters}", f"NC{letters}")
    if hasattr(given, "lhs_spec"):
        return [given.lhs_spec, given.rhs_spec, given.out_spec]
    spatial = [letter for letter in given[1] if letter not in "OI"]
    return [tuple(map(text.index, [*ends, *spatial])) for text, ends in zip(given, ("NC", "OI", "NC"))]


def permuted(reading: Reading, x: Any, axes: tuple[int, ...]) -> Any:
    return x if list(axes) == sorted(axes) else reading.op("permute_dims", x, axes=tuple(axes))


@reads("jax.lax.reduce_window")
def reduce_window(
    reading: Reading,
    operand: Any,
    init_value: Any,
    computation: Any,
    window_dimensions: Any,
    window_strides: Any = None,
    padding: Any = "VALID",
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Maxima and sums of windows, which may not reach over the first axes."""
    n = len(window_dimensions)
    window, stride, dilation = (
        tuple(v or (1,) * n) for v in (window_dimensions, window_strides, window_dilation)
    )
    padded = sides(padding, n)
    if padded == "same" or any(d != 1 for d in base_dilation or ()):
        raise Refusal("its padding or dilation has no counterpart", "give a (low, high) pair for each axis")
    lead = next(
        (i for i in range(n) if (window[i], stride[i], padded[i], dilation[i]) != (1, 1, (0, 0), 1)), n - 1
    )
    given = {"window": window[lead:], "stride": steps(stride[lead:], window[lead:]), "padding": padded[lead:]}
    if not lead:  # torch wants an axis of channels
        operand = reading.op("expand_dims", operand, axis=0)
    match next(iter(names_of(inspect.unwrap(computation))), ""):
        case "jax.lax.max" if init_value == -math.inf:
            made = reading.op(c.max_pool, operand, **given, dilation=dilation[lead:])
        case "jax.lax.add" if init_value == 0 and set(dilation) == {1}:
            made = reading.op(c.avg_pool, operand, **given, divisor=1)
        case _:
            raise Refusal("only jax.lax.max from -inf and jax.lax.add from 0 can be translated")
    return made if lead else reading.op("squeeze", made, axis=0)

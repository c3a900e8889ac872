"""How sliding windows are said. Same order as in ir/ops/convolution.py."""

from __future__ import annotations

from typing import Any

from ...ir.ops import convolution as c
from ..phrase import reads, say
from ..reader import Reading, Refusal

F = "torch.nn.functional"
CONV = "stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation), groups=groups"
SAME = "padding='same', dilation=uniform(dilation), groups=groups"
MAX = "uniform(window), stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation), ceil_mode=ceil_mode"
AVG = "stride=uniform(stride), padding=symmetric(padding), ceil_mode=ceil_mode, count_include_pad=count_include_pad"

# fmt: off
#    op            numpy | jax | torch
say( c.conv,       "helper:conv(x, w, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation), groups=groups)",
                   "jax.lax.conv_general_dilated(x, w, stride, xla_padding(padding), rhs_dilation=unless_one(dilation), feature_group_count=groups)",
                   (*(f"{F}.conv{n}d({arrays}, {CONV}) if w: {n + 2}d" for n in (1, 2, 3) for arrays in ("x, w, bias", "x, w")),
                    *(f"{F}.conv{n}d({arrays}, {SAME}) if w: {n + 2}d, padding='same', stride={(1,) * n}" for n in (1, 2, 3) for arrays in ("x, w, bias", "x, w")),
                    "helper:conv_same(x, w, uniform(stride), dilation=uniform(dilation), groups=groups) if padding='same'"))
say( c.max_pool,   "helper:max_pool(x, window, uniform(stride), padding=sides(padding), dilation=uniform(dilation), ceil_mode=ceil_mode)",
                   "helper:max_pool(x, window, uniform(stride), padding=sides(padding), dilation=uniform(dilation), ceil_mode=ceil_mode)",
                   tuple(f"{F}.max_pool{n}d(x, {MAX}) if window: {n}d" for n in (1, 2, 3)))
say( c.avg_pool,   "helper:avg_pool(x, window, uniform(stride), padding=sides(padding), count_include_pad=count_include_pad, divisor=divisor)",
                   "helper:avg_pool(x, window, uniform(stride), padding=sides(padding), count_include_pad=count_include_pad, divisor=divisor)",
                   (*(f"{F}.avg_pool{n}d(x, uniform(window), {AVG}) if window: {n}d" for n in (1, 2, 3)),
                    *(f"{F}.avg_pool{n}d(x, uniform(window), {AVG}, divisor_override=divisor) if window: {n}d" for n in (2, 3))))
# fmt: on

AXES = {"conv": {f"{root}.conv{n}d": n for root in ("torch", F) for n in (1, 2, 3)}}


def several(value: Any, n: int) -> tuple[Any, ...]:
    """One number for each of `n` axes."""
    return tuple(value) * (n if len(value) == 1 else 1) if isinstance(value, (tuple, list)) else (value,) * n


def pairs(padding: Any, n: int) -> tuple[Any, ...]:
    return tuple((p, p) for p in several(padding, n))


@reads(*(f"{root}.conv{n}d" for root in ("torch", F) for n in (1, 2, 3)))
def conv(
    reading: Reading, input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: Any = 1
) -> Any:
    """torch's; without a batch axis it is one of a batch of one."""
    n = reading.rank(weight, "conv depends on it") - 2
    alone = reading.rank(input, "conv depends on it") == n + 1
    x = reading.op("expand_dims", input, axis=0) if alone else input
    sides = {"same": "same", "valid": pairs(0, n)}[padding] if isinstance(padding, str) else pairs(padding, n)
    y = reading.op(c.conv, x, weight, bias, stride=several(stride, n), padding=sides, dilation=several(dilation, n), groups=groups)
    return reading.op("squeeze", y, axis=0) if alone else y


@reads("jax.lax.conv_general_dilated")
def conv_general_dilated(
    reading: Reading, lhs: Any, rhs: Any, window_strides: Any, padding: Any, lhs_dilation: Any = None, rhs_dilation: Any = None,
    dimension_numbers: Any = None, feature_group_count: Any = 1, batch_group_count: Any = 1,
) -> Any:  # fmt: skip
    """JAX's, in any layout that letters can name."""
    n = len(window_strides)
    if batch_group_count != 1 or any(d != 1 for d in lhs_dilation or ()):
        raise Refusal("only lhs_dilation=None and batch_group_count=1 can be translated")
    x, w, out = layouts(dimension_numbers, n)
    if isinstance(padding, str):
        padding = {"SAME": "same", "VALID": pairs(0, n)}.get(padding.upper())
    if padding is None:
        raise Refusal("its padding has no counterpart", "give a (low, high) pair for each axis")
    y = reading.op(
        c.conv, permuted(reading, lhs, x), permuted(reading, rhs, w), stride=tuple(window_strides), groups=feature_group_count,
        padding=padding if padding == "same" else tuple(map(tuple, padding)), dilation=tuple(rhs_dilation or (1,) * n),
    )  # fmt: skip
    return permuted(reading, y, [out.index(axis) for axis in sorted(out)] if out != sorted(out) else out)


@reads("jax.lax.conv")
def lax_conv(reading: Reading, lhs: Any, rhs: Any, window_strides: Any, padding: Any) -> Any:
    return conv_general_dilated(reading, lhs, rhs, window_strides, padding)


@reads("jax.lax.conv_with_general_padding")
def lax_conv_padded(
    reading: Reading, lhs: Any, rhs: Any, window_strides: Any, padding: Any, lhs_dilation: Any, rhs_dilation: Any
) -> Any:
    return conv_general_dilated(reading, lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation)

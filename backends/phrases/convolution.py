"""How sliding windows are said. Same order as in ir/ops/convolution.py."""

from __future__ import annotations

import inspect
import math
from typing import Any

from ...ir.ops import convolution as c
from ..phrase import reads, say
from ..reader import Reading, Refusal
from ..signatures import names_of

F = "torch.nn.functional"
CONV = "stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation), groups=groups"
SAME = "padding='same', dilation=uniform(dilation), groups=groups"
POOLS = ("helper:max_pool(x, window, uniform(stride), padding=sides(padding), dilation=uniform(dilation))",
         "helper:max_pool_ceil(x, window, uniform(stride), padding=sides(padding), dilation=uniform(dilation)) if ceil_mode=True")
MAX = "uniform(window), stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation), ceil_mode=ceil_mode"
MEANS = "helper:avg_pool(x, window, uniform(stride), padding=sides(padding), count_include_pad=count_include_pad, divisor=divisor)"
AVG = "stride=uniform(stride), padding=symmetric(padding), ceil_mode=ceil_mode, count_include_pad=count_include_pad"

# fmt: off
#    op            numpy | jax | torch
say( c.conv,       "helper:conv(x, w, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation), groups=groups)",
                   "jax.lax.conv_general_dilated(x, w, stride, xla_padding(padding), rhs_dilation=unless_one(dilation), feature_group_count=groups)",
                   (*(f"{F}.conv{n}d({arrays}, {CONV}) if w: {n + 2}d" for n in (1, 2, 3) for arrays in ("x, w, bias", "x, w")),
                    *(f"{F}.conv{n}d({arrays}, {SAME}) if w: {n + 2}d, padding='same', stride={(1,) * n}" for n in (1, 2, 3) for arrays in ("x, w, bias", "x, w")),
                    "helper:conv_same(x, w, uniform(stride), dilation=uniform(dilation), groups=groups) if padding='same'"))
say( c.max_pool,   POOLS, POOLS,
                   tuple(f"{F}.max_pool{n}d(x, {MAX}) if window: {n}d" for n in (1, 2, 3)))
say( c.avg_pool,   MEANS, MEANS,
                   (*(f"{F}.avg_pool{n}d(x, uniform(window), {AVG}) if window: {n}d" for n in (1, 2, 3)),
                    *(f"{F}.avg_pool{n}d(x, uniform(window), {AVG}, divisor_override=divisor) if window: {n}d" for n in (2, 3))))
# fmt: on


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
    return permuted(reading, y, tuple(map(out.index, range(n + 2))))


@reads("jax.lax.conv")
def lax_conv(reading: Reading, lhs: Any, rhs: Any, window_strides: Any, padding: Any) -> Any:
    return conv_general_dilated(reading, lhs, rhs, window_strides, padding)


@reads("jax.lax.conv_with_general_padding")
def lax_conv_padded(
    reading: Reading, lhs: Any, rhs: Any, window_strides: Any, padding: Any, lhs_dilation: Any, rhs_dilation: Any
) -> Any:
    return conv_general_dilated(reading, lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation)


def layouts(given: Any, n: int) -> list[tuple[int, ...]]:
    """Where the operands' and the result's batch, channel and further axes are; channels come first unless `given` says else."""
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
    reading: Reading, operand: Any, init_value: Any, computation: Any, window_dimensions: Any, window_strides: Any = None,
    padding: Any = "VALID", base_dilation: Any = None, window_dilation: Any = None,
) -> Any:  # fmt: skip
    """Maxima and sums of windows, which may not reach over the first axes."""
    window, all_ones = tuple(window_dimensions), (1,) * len(window_dimensions)
    stride, dilation = tuple(window_strides or all_ones), tuple(window_dilation or all_ones)
    sides = ((0, 0),) * len(window) if padding == "VALID" else padding
    axes = list(zip(window, stride, sides, dilation))
    lead = next((i for i, axis in enumerate(axes) if axis != (1, 1, (0, 0), 1)), len(axes))
    name = next(iter(names_of(inspect.unwrap(computation))), "")
    if isinstance(sides, str) or any(d != 1 for d in base_dilation or ()) or lead == len(axes):
        raise Refusal("its padding or dilation has no counterpart", "give a (low, high) pair for each axis")
    given = {"window": window[lead:], "stride": stride[lead:], "padding": tuple(map(tuple, sides[lead:]))}
    if name == "jax.lax.max" and init_value == -math.inf:
        return reading.op(c.max_pool, operand, **given, dilation=dilation[lead:])
    if name == "jax.lax.add" and init_value == 0 and dilation == all_ones:
        return reading.op(c.avg_pool, operand, **given, divisor=1)
    raise Refusal("only jax.lax.max from -inf and jax.lax.add from 0 can be translated")


def pool(n: int) -> None:
    """The readers of torch's pooling over `n` axes."""

    @reads(f"torch.max_pool{n}d", f"{F}.max_pool{n}d")
    def max_pool(
        reading: Reading, input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: Any = False,
    ) -> Any:  # fmt: skip
        window = several(kernel_size, n)
        return reading.op(
            c.max_pool, input, window=window, stride=several(stride, n) if stride else window, padding=pairs(padding, n),
            dilation=several(dilation, n), ceil_mode=ceil_mode,
        )  # fmt: skip

    @reads(f"{F}.avg_pool{n}d", *(["torch.avg_pool1d"] if n == 1 else []))
    def avg_pool(
        reading: Reading, input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False,
        count_include_pad: Any = True, divisor_override: Any = None,
    ) -> Any:  # fmt: skip
        window = several(kernel_size, n)
        return reading.op(
            c.avg_pool, input, window=window, stride=several(stride, n) if stride else window, padding=pairs(padding, n),
            ceil_mode=ceil_mode, count_include_pad=count_include_pad, divisor=divisor_override,
        )  # fmt: skip

    @reads(f"{F}.adaptive_avg_pool{n}d", *(["torch.adaptive_avg_pool1d"] if n == 1 else []))
    def adaptive_avg_pool(reading: Reading, input: Any, output_size: Any) -> Any:
        if several(output_size, n) != (1,) * n:
            raise Refusal("its windows differ in size", "an output size of 1 can be translated")
        return reading.op("mean", input, axis=tuple(range(-n, 0)), keepdims=True)


for rank in (1, 2, 3):
    pool(rank)

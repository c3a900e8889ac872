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
CONV = "stride=uniform(stride), padding=symmetric(padding), dilation=uniform(dilation), groups=groups"
SAME = "padding='same', dilation=uniform(dilation), groups=groups"
STEPS = "stride=uniform(stride), padding=uniform(padding), output_padding=uniform(output_padding), dilation=uniform(dilation)"
TRANSPOSE = f"helper:conv_transpose(x, w, {STEPS}, groups=groups)"
POOLS = (
    "helper:max_pool(x, window, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation))",
    "helper:max_pool_ceil(x, window, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation)) if ceil_mode=True",
)
MEANS = "helper:avg_pool(x, window, stride=uniform(stride), padding=sides(padding), count_include_pad=count_include_pad, divisor=divisor)"


def max_pools(root: str) -> tuple[str, ...]:
    """torch's functions for one, two and three axes."""
    return tuple(
        f"{root}.max_pool{n}d(x, each{n}(window), stride=each{n}(stride), padding=edges{n}(padding), dilation=each{n}(dilation),"
        f" ceil_mode=ceil_mode) if window: {n}d"
        for n in (1, 2, 3)
    )


def avg_pools(root: str) -> tuple[str, ...]:
    """Likewise. There is no `divisor_override` of one axis; and what is no stride is spelled in several ways.
    Of int64 torch has means too, which are int64."""
    return tuple(
        f"{root}.avg_pool{n}d(x, each{n}(window), {stride}padding=edges{n}(padding), ceil_mode=ceil_mode,"
        f" count_include_pad=count_include_pad{divisor}) if window: {n}d, x: float"
        for n in (1, 2, 3)
        for stride in ("", f"stride=each{n}(stride), ")
        for divisor in ("", ", divisor_override=divisor")[:n]
    )



# fmt: off
#    op            numpy | jax | torch
say( c.conv,       "helper:conv(x, w, stride=uniform(stride), padding=sides(padding), dilation=uniform(dilation), groups=groups)",
                   "jax.lax.conv_general_dilated(x, w, window_strides=stride, padding=xla_padding(padding), rhs_dilation=unless_one(dilation), feature_group_count=groups)",
                   (*(f"{F}.conv{n}d({arrays}, {CONV}) if w: {n + 2}d" for n in (1, 2, 3) for arrays in ("x, w, bias", "x, w")),
                    *(f"{F}.conv{n}d({arrays}, {SAME}) if w: {n + 2}d, padding='same', stride={(1,) * n}" for n in (1, 2, 3) for arrays in ("x, w, bias", "x, w")),
                    "helper:conv_same(x, w, uniform(stride), dilation=uniform(dilation), groups=groups) if padding='same'"))
say( c.conv_transpose, TRANSPOSE, TRANSPOSE,
                   tuple(f"{F}.conv_transpose{n}d({arrays}, {STEPS}, groups=groups) if w: {n + 2}d" for n in (1, 2, 3) for arrays in ("x, w, bias", "x, w")))
say( c.max_pool,   POOLS, POOLS, max_pools(F), also=max_pools("torch"))
say( c.avg_pool,   MEANS, MEANS, avg_pools(F), also=avg_pools("torch")[:2])
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


@reads(*(f"{root}.conv{n}d" for root in ("torch", F) for n in (1, 2, 3)))
def conv(
    reading: Reading, input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
    groups: Any = 1,
) -> Any:  # fmt: skip
    """torch's; without a batch axis it is one of a batch of one."""
    n = reading.rank(weight, "it says how many axes there are") - 2
    alone = reading.rank(input, "it says whether there is a batch axis") == n + 1
    x = reading.op("expand_dims", input, axis=0) if alone else input
    y = reading.op(
        c.conv, x, weight, bias, stride=several(stride, n), padding=pairs(padding, n), dilation=several(dilation, n),
        groups=groups,
    )  # fmt: skip
    return reading.op("squeeze", y, axis=0) if alone else y


@reads(*(f"{root}.conv_transpose{n}d" for root in ("torch", F) for n in (1, 2, 3)))
def conv_transpose(
    reading: Reading, input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: Any = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    n = reading.rank(weight, "it says how many axes there are") - 2
    alone = reading.rank(input, "it says whether there is a batch axis") == n + 1
    x = reading.op("expand_dims", input, axis=0) if alone else input
    y = reading.op(
        c.conv_transpose, x, weight, bias, stride=several(stride, n), padding=several(padding, n), groups=groups,
        output_padding=several(output_padding, n), dilation=several(dilation, n),
    )  # fmt: skip
    return reading.op("squeeze", y, axis=0) if alone else y


@reads("jax.lax.conv_general_dilated", "jax.lax.conv", "jax.lax.conv_with_general_padding")
def conv_general_dilated(
    reading: Reading, lhs: Any, rhs: Any, window_strides: Any, padding: Any, lhs_dilation: Any = None,
    rhs_dilation: Any = None, dimension_numbers: Any = None, feature_group_count: Any = 1, batch_group_count: Any = 1,
) -> Any:  # fmt: skip
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

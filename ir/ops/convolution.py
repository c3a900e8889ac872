"""Windows that slide over the last axes, channels first.

`window`, `stride` and `dilation` have an entry for each of these axes; `padding` has a pair (before,
after) for each, or is "same": as much as gives ceil(size / stride) windows, more of it after.
"""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from functools import partial

from ..meaning.op import op as declare
from ..meaning.op import promote, same
from ..meaning.sampling import slid as along
from ..sizes.dim import maximum, minimum
from ..sizes.sliced import ceildiv
from .extending import pad
from .reduction import sum
from .shape import permute_dims, reshape

#: One special number in a window would hide all the others.
op = partial(declare, domain="finite")


def slid(sizes, window, stride, padding, dilation, ceil_mode=False):
    """How many windows there are along each axis."""
    if padding == "same":
        return [ceildiv(n, s) for n, s in zip(sizes, stride, strict=True)]
    found = []
    for n, k, s, (low, high), d in zip(sizes, window, stride, padding, dilation, strict=True):
        rest = n + low + high - d * (k - 1) - 1
        # A last window that sticks out must not begin in the padding behind the array.
        found.append(minimum(ceildiv(rest, s) + 1, ceildiv(n + low, s)) if ceil_mode else rest // s + 1)
    return found


def convolved(x, w, bias, *, stride, padding, dilation, groups):
    if x is None or w is None:
        return None
    return (x[0], w[0], *slid(x[2:], w[2:], stride, padding, dilation))


CONVOLVED = (((2, 4, 9), (6, 2, 3)), ((2, 4, 7, 8), (6, 4, 3, 2)), ((1, 2, 4, 5, 6), (6, 2, 2, 2, 2)))


@op(
    dtype=promote,
    shape=convolved,
    samples={"shapes": [(*arrays, bias) for arrays in CONVOLVED for bias in ((6,), None)]},
    noun="features",
)
def conv(x, w, bias=None, *, stride, padding, dilation, groups=1):
    """Cross-correlation of x[n, c, *size] with w[o, c / groups, *window], plus bias[o]. w is not turned."""
    if bias is not None:
        apart = (slice(None), *[None] * (w.rank - 2))
        return conv(x, w, stride=stride, padding=padding, dilation=dilation, groups=groups) + bias[apart]
    x, padding = pad(x, widths=((0, 0), (0, 0), *padding)), ((0, 0),) * len(padding)
    return conv(x, w, stride=stride, padding=padding, dilation=dilation, groups=groups)


@conv.gradient
def _(g, y, x, w, bias, *, stride, padding, dilation, groups):
    sizes, window = x.shape[2:], w.shape[2:]
    if padding == "same":
        padding = tuple(
            halved(maximum((ceildiv(n, s) - 1) * s + d * (k - 1) + 1 - n, 0))
            for n, k, s, d in zip(sizes, window, stride, dilation)
        )
    even = all(low == high for low, high in padding)
    rest = [
        (n + low + high - d * (k - 1) - 1) % s
        for n, k, s, d, (low, high) in zip(sizes, window, stride, dilation, padding)
    ]
    steps = {"stride": stride, "dilation": dilation, "groups": groups}
    cut = tuple(low if even else 0 for low, _ in padding)
    dx = conv_transpose(g, w, padding=cut, output_padding=tuple(rest), **steps)
    if not even:
        whole = slice(None)
        dx = dx[(whole, whole, *(slice(low, low + n) for n, (low, _) in zip(sizes, padding)))]
    return dx, of_window(x, g, w, padding=padding, **steps), of_bias(g, bias)


def halved(total):
    """What stands before and after where so much is added."""
    return total // 2, total - total // 2


def of_bias(g, bias):
    return None if bias is None else sum(g, axis=(0, *range(2, g.rank)))


def of_window(x, g, w, *, stride, padding, dilation, groups):
    """The gradient of a window w that slides over x: what it meets of x, times what it makes of it. That is
    a convolution of x with g, with samples and channels exchanged, where stride and dilation exchange roles.
    """
    n, spatial = x.shape[0], tuple(range(2, x.rank))
    if groups == 1:
        x = permute_dims(x, axes=(1, 0, *spatial))
    else:
        parts = reshape(x, shape=(n, groups, x.shape[1] // groups, *x.shape[2:]))
        parts = permute_dims(parts, axes=(2, 1, 0, *range(3, parts.rank)))
        x = reshape(parts, shape=(x.shape[1] // groups, groups * n, *x.shape[2:]))
    turned = permute_dims(g, axes=(1, 0, *spatial))
    made = conv(x, turned, stride=dilation, padding=padding, dilation=stride, groups=groups)
    made = permute_dims(made, axes=(1, 0, *spatial))
    same_sizes = made.shape[2:] == w.shape[2:]
    return made if same_sizes else made[(slice(None), slice(None), *(slice(k) for k in w.shape[2:]))]


def transposed(x, w, bias, *, stride, padding, output_padding, dilation, groups):
    if x is None or w is None:
        return None
    axes = zip(x[2:], w[2:], stride, padding, output_padding, dilation, strict=True)
    return (x[0], w[1] * groups, *((n - 1) * s - 2 * p + d * (k - 1) + o + 1 for n, k, s, p, o, d in axes))


TRANSPOSED = (((2, 4, 5), (4, 3, 3)), ((2, 4, 4, 5), (4, 3, 3, 2)), ((1, 2, 3, 4, 3), (2, 3, 2, 2, 2)))


@op(
    dtype=promote,
    shape=transposed,
    samples={
        "shapes": [(*arrays, bias) for arrays in TRANSPOSED for bias in ((3,), None)],
        "padding": along((0,), (1,)),
        "output_padding": along((0,), (1,)),
    },
    noun="features",
)
def conv_transpose(x, w, bias=None, *, stride, padding, output_padding, dilation, groups=1):
    """Every element of x[n, c, *size] adds itself times w[c, o / groups, *window], `stride` apart; plus
    bias[o].

    `padding` is cut off at both ends of each axis, and `output_padding` is added at the end.
    """
    apart = (slice(None), *[None] * (w.rank - 2))
    steps = {"stride": stride, "padding": padding, "output_padding": output_padding, "dilation": dilation}
    return conv_transpose(x, w, **steps, groups=groups) + bias[apart]


@conv_transpose.gradient
def _(g, y, x, w, bias, *, stride, padding, dilation, groups):
    steps = {"stride": stride, "dilation": dilation, "groups": groups}
    steps["padding"] = tuple((p, p) for p in padding)
    dx = conv(g, w, **steps)
    if dx.shape != x.shape:
        dx = dx[(slice(None), slice(None), *(slice(n) for n in x.shape[2:]))]
    return dx, of_window(g, x, w, **steps), of_bias(g, bias)


def pooled(x, *, window, stride, padding, dilation=None, ceil_mode=False, **_):
    if x is None:
        return None
    n = len(window)
    return (*x[:-n], *slid(x[-n:], window, stride or window, padding, dilation or (1,) * n, ceil_mode))


POOLED = {"shapes": (((2, 3, 8),), ((2, 3, 7, 8),), ((1, 2, 5, 6, 7),)), "stride": along(None, (1,), (2,))}


@op(dtype=same, shape=pooled, samples=POOLED, noun="pooled")
def max_pool(x, *, window, stride=None, padding, dilation, ceil_mode=False):
    """The largest element of each window, which padding never is. Without a stride they do not overlap.

    With `ceil_mode` the last window may stick out, but not begin behind the array.
    """
    ...


@op(
    dtype=same, shape=pooled, samples={**POOLED, "divisor": (None, 3)}, tolerance="reduction", noun="pooled"
)
def avg_pool(x, *, window, stride=None, padding, ceil_mode=False, count_include_pad=True, divisor=None):
    """The mean of each window, or its sum over `divisor`.

    Padding counts as zeros, or, without `count_include_pad`, not at all.
    """
    ...

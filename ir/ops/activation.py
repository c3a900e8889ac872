"""Activations: what stands between the layers of neural networks."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from functools import partial

from ..meaning.op import inexact, promote
from ..meaning.op import op as declare
from .elementary import erf, exp, expm1, log, log1p, sigmoid, tanh
from .elementwise import abs_ as absolute
from .elementwise import clip, maximum, minimum, stop_gradient, where
from .joining import split
from .reduction import max, sum

#: What is made of many ops is compared like a sum, and one special number would hide the others.
op = partial(declare, domain="finite+special", tolerance="reduction")

# Softmax.


@op(
    "X[~] -> Y[~]",
    dtype=inexact,
    gradient=lambda g, y, x, *, axis: y * (g - sum(g * y, axis=axis, keepdims=True)),
)
def softmax(x, *, axis):
    """exp(x) over its sum along `axis`, shifted by the largest x so that nothing overflows."""
    weights = exp(x - stop_gradient(max(x, axis=axis, keepdims=True)))
    return weights / sum(weights, axis=axis, keepdims=True)


@op(
    "X[~] -> Y[~]",
    dtype=inexact,
    gradient=lambda g, y, x, *, axis: g - exp(y) * sum(g, axis=axis, keepdims=True),
)
def log_softmax(x, *, axis):
    """The logarithm of `softmax`."""
    shifted = x - stop_gradient(max(x, axis=axis, keepdims=True))
    return shifted - log(sum(exp(shifted), axis=axis, keepdims=True))


# Activations.


@op("X[~] -> Y[~]", dtype=promote, elementwise=True)
def relu(x):
    """x where it is positive, else 0."""
    return maximum(x, 0)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def relu6(x):
    """x limited to [0, 6]."""
    return clip(x, 0, 6)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True, samples={"negative_slope": (0.01, 0.3)})
def leaky_relu(x, *, negative_slope=0.01):
    """x where it is positive, else `negative_slope` times x."""
    return where(x > 0, x, negative_slope * x)


def channels(x, rank):
    """A vector that stands along axis 1 of an array of this rank."""
    return None if x is None else x[(slice(None), *[None] * (rank - 2))]


@op("X[*x] W[c] -> Y[*x]", dtype=inexact, domain="finite")
def prelu(x, weight):
    """x where it is positive, else weight times x: one number for all, or one for each channel, on axis 1."""
    alone = x.rank < 2 or weight.shape[0] == 1
    return where(x > 0, x, (weight if alone else channels(weight, x.rank)) * x)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def elu(x, *, alpha=1.0):
    """x where it is positive, else alpha * (exp(x) - 1)."""
    return where(x > 0, x, expm1(x) if alpha == 1 else alpha * expm1(x))


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def celu(x, *, alpha=1.0):
    """x where it is positive, else alpha * (exp(x / alpha) - 1)."""
    return elu(x) if alpha == 1 else where(x > 0, x, alpha * expm1(x / alpha))


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def selu(x):
    """1.0507 times `elu` with an alpha of 1.6733: the numbers that keep mean 0 and variance 1."""
    return 1.0507009873554805 * where(x > 0, x, 1.6732632423543772 * expm1(x))


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True, samples={"approximate": ("none", "tanh")})
def gelu(x, *, approximate="none"):
    """x times the normal distribution's mass below x; "tanh" is the usual approximation."""
    if approximate == "tanh":
        cube = x * x * x
        return 0.5 * x * (1 + tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * cube)))
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def silu(x):
    """x * sigmoid(x)."""
    return x * sigmoid(x)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def mish(x):
    """x * tanh(softplus(x))."""
    return x * tanh(softplus(x))


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True, samples={"beta": (1, 2), "threshold": (None, 20, 1)})
def softplus(x, *, beta=1, threshold=None):
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is above `threshold`, if there is one."""
    times = x if beta == 1 else x * beta
    curve = maximum(times, 0) + log1p(exp(-absolute(times)))
    curve = curve if beta == 1 else curve / beta
    return curve if threshold is None else where(times > threshold, x, curve)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def log_sigmoid(x):
    """The logarithm of sigmoid(x), without overflow."""
    return minimum(x, 0) - log1p(exp(-absolute(x)))


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def hard_sigmoid(x):
    """relu6(x + 3) / 6."""
    return relu6(x + 3) / 6


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def hard_swish(x):
    """x * hard_sigmoid(x)."""
    return x * (relu6(x + 3) / 6)


@op("X[~] -> Y[~]", dtype=promote, elementwise=True, samples={"low": (-1.0, -0.5), "high": (1.0, 6.0)})
def hard_tanh(x, *, low=-1.0, high=1.0):
    """x limited to [low, high], whose ends lose their fraction where x has none."""
    low, high = (end if x.dtype.is_inexact else int(end) for end in (low, high))
    return clip(x, low, high)


@op("X[~] -> Y[~]", dtype=inexact, elementwise=True)
def soft_sign(x):
    """x / (1 + |x|)."""
    return x / (absolute(x) + 1)


@op("X[*a (2*m) *b] -> Y[*a m *b] where len(a) = axis", dtype=inexact)
def glu(x, *, axis=-1):
    """One half of x along `axis` times the sigmoid of the other."""
    a, b = split(x, sections=2, axis=axis)
    return a * sigmoid(b)

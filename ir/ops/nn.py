"""What neural networks are made of: composites, each with its meaning.

Means and variances of 16-bit floats are worked out in float32, as the frameworks do.
"""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

import math
from functools import partial

from ..bodies.building import Value
from ..graphs.node import Node
from ..graphs.regions import guard
from ..graphs.static import Scalar
from ..meaning.op import inexact, promote
from ..meaning.op import op as declare
from ..meaning.results import front
from ..noting import by_rank
from ..sizes.dim import Sym, hint_of
from ..sizes.local import is_local
from ..subscript import Subscript
from ..subscript.helpers import drop
from ..values import dtypes
from .activation import channels, softmax
from .contraction import matmul
from .creation import ones
from .elementary import sqrt
from .elementwise import cast, maximum, where
from .reduction import mean, sum, vector_norm
from .shape import broadcast_to, matrix_transpose, permute_dims, reshape, swapaxes, tril

#: What is made of many ops is compared like a sum, and one special number would hide the others.
op = partial(declare, domain="finite+special", tolerance="reduction")

# Normalisation.


def widened(x):
    """16-bit floats as float32: means and variances of them would lose too much. Numbers have no dtype."""
    few = getattr(x, "dtype", None) in (dtypes.float16, dtypes.bfloat16)
    return cast(x, dtype=dtypes.float32) if few else x


def cast_to(x, like):
    """x in the dtype of `like`, which a number takes by itself."""
    return x if getattr(x, "dtype", like.dtype) == like.dtype else cast(x, dtype=like.dtype)


def scaled(y, weight, bias, like):
    """y * weight + bias, in the dtype of `like`."""
    y = y if weight is None else y * widened(weight)
    y = y if bias is None else y + widened(bias)
    return cast_to(y, like)


def less_mean(x, axis):
    """x less its mean along `axis`."""
    x = widened(x)
    return x - mean(x, axis=axis, keepdims=True)


def last(shape):
    """As many axes from the end as `shape` has entries. It may be the recorded shape of an array."""
    count = len(shape.spec.value if isinstance(shape, Node) else shape)
    return -1 if count == 1 else tuple(range(-count, 0))


@op("X[~ *n] W?[*n] B?[*n] -> Y[~ *n] where n = normalized_shape", dtype=inexact("x"), domain="finite")
def layer_norm(x, weight=None, bias=None, *, normalized_shape, eps=1e-05):
    """x less its mean over its standard deviation along the last axes, times weight plus bias."""
    axis = last(normalized_shape)
    centered = less_mean(x, axis)
    variance = mean(centered * centered, axis=axis, keepdims=True)
    return scaled(centered / sqrt(variance + eps), weight, bias, x)


@op("X[~ *n] W?[*n] -> Y[~ *n] where n = normalized_shape", dtype=inexact("x"), domain="finite")
def rms_norm(x, weight=None, *, normalized_shape, eps=None):
    """x over its root mean square along the last axes, times weight; eps is the dtype's unless given."""
    y = widened(x)
    eps = (2**-52 if y.dtype == dtypes.float64 else 2**-23) if eps is None else eps
    return scaled(y / sqrt(mean(y * y, axis=last(normalized_shape), keepdims=True) + eps), weight, None, x)


#: An array, and what scales its channels and is added to them.
SCALED = (
    ((3, 4, 5), (4,), (4,)),
    ((3, 4), (4,), (4,)),
    ((3, 4, 5), (4,), None),
    ((3, 4, 5), None, (4,)),
    ((2, 4, 3, 5), None, None),
)


@op(
    "X[n c *s] W?[c] B?[c] -> Y[n c *s]",
    dtype=inexact("x"),
    domain="finite",
    samples={"shapes": SCALED, "num_groups": (1, 2)},
)
def group_norm(x, weight=None, bias=None, *, num_groups, eps=1e-05):
    """`layer_norm` of each group of channels, times weight plus bias."""
    groups = reshape(x, shape=(x.size(0), num_groups, -1))
    centered = less_mean(groups, -1)
    variance = mean(centered * centered, axis=-1, keepdims=True)
    y = reshape(centered / sqrt(variance + eps), shape=tuple(x.size(i) for i in range(x.rank)))
    return scaled(y, channels(weight, x.rank), channels(bias, x.rank), x)


@op(
    "X[n c *s] W?[c] B?[c] -> Y[n c *s]",
    dtype=inexact("x"),
    domain="finite",
    samples={"shapes": [shapes for shapes in SCALED if len(shapes[0]) > 2]},
)
def instance_norm(x, weight=None, bias=None, *, eps=1e-05):
    """`layer_norm` of each channel, times weight plus bias."""
    axes = tuple(range(2 - x.rank, 0))
    centered = less_mean(x, axes)
    variance = mean(centered * centered, axis=axes, keepdims=True)
    y = centered / sqrt(variance + eps)
    return scaled(y, channels(weight, x.rank), channels(bias, x.rank), x)


KNOWN = (
    ((3, 4, 5), (4,), (4,), (4,), (4,)),
    ((3, 4), (4,), (4,), (4,), (4,)),
    ((3, 4, 5), (4,), (4,), (4,), None),
    ((3, 4, 5), (4,), (4,), None, (4,)),
    ((2, 4, 3, 5), (4,), (4,), None, None),
)


@op(
    "X[n c *s] M[c] V[c] W?[c] B?[c] -> Y[n c *s]",
    dtype=inexact("x"),
    domain="finite, var: positive",
    samples={"shapes": KNOWN},
)
def batch_norm(x, mean, var, weight=None, bias=None, *, eps=1e-05):
    """x less a mean over the root of a variance, times weight plus bias, each a number for a channel, of
    which is reckoned first what can be, as torch does.
    """
    scale = (1 if weight is None else widened(weight)) / sqrt(widened(var) + eps)
    shift = (0 if bias is None else widened(bias)) - widened(mean) * scale
    return cast_to(widened(x) * channels(scale, x.rank) + channels(shift, x.rank), x)


@op("X[~] -> Y[~]", dtype=inexact, domain="finite+special-large", samples={"p": (2.0, 1.0)})
def normalize(x, *, p=2.0, axis=1, eps=1e-12):
    """x over its norm along `axis`, or over eps where that is larger."""
    return x / maximum(vector_norm(x, ord=p, axis=axis, keepdims=True), eps)


def together(x, y):
    """The shape to which both broadcast."""
    return Subscript("X[#~] Y[#~] -> Z[~]").match((x, y)).raise_if_bad().outputs[0]


def compared(x, y, *, axis, **_):
    if x is None or y is None:
        return None
    shape = together(x, y)
    return drop(shape, front(axis, len(shape)))


def as_long(x, y, axis):
    """Whether an axis of two arrays, of one size in the example, surely has one size: then it is checked to.
    """
    one, other = x.shape[axis], y.shape[axis]
    if one != other and (is_local(one) or is_local(other)):
        return False
    if one != other:
        fact = (one - other, 0) if isinstance(one, Sym) else (other, one)
        x.program.create_node("call_function", guard, fact).spec = Scalar(type(None))
    return True


@op(dtype=promote, shape=compared, domain="finite")
def cosine_similarity(x, y, *, axis=1, eps=1e-08):
    """The sum along `axis` of x * y, each over its norm, or over eps where that is larger."""
    shape = together(*(tuple(map(hint_of, v.shape)) for v in (x, y)))
    last = axis if axis < 0 else axis - len(shape)

    def has(v, i):
        return v.rank >= -i and hint_of(v.shape[i]) == shape[i]

    if not (has(x, last) and has(y, last) and as_long(x, y, last)):  # the norms are of what broadcast
        sizes = [next(v.size(i) for v in (x, y) if has(v, i)) for i in range(-len(shape), 0)]
        x, y = (broadcast_to(v, shape=tuple(sizes)) for v in (x, y))
    # Not the sum over both norms, which is inf / inf of what a norm squares to inf; torch has 0 there.
    x, y = (normalize(v, axis=axis if v.rank == len(shape) else last, eps=eps) for v in (x, y))
    return sum(x * y, axis=axis)


# Layers.


@op("X[~ i] W[o i] B?[o] -> Y[~ o]", "X[~ i] W[i] B?[] -> Y[~]", dtype=promote, domain="finite")
def linear(x, weight, bias=None):
    """x @ weight.T + bias."""
    match weight.node.spec.rank:
        case 1 | 2:  # the transpose of a vector is itself
            y = matmul(x, permute_dims(weight))
        case _:
            y = matmul(x, matrix_transpose(weight))
    if bias is not None and y.node.spec.rank == 1:
        by_rank(bias.node)  # with more axes torch adds it to the one that there is
    return y if bias is None else y + bias


def root_of_size(x, axis):
    """The square root of a size, as Python computes it."""
    size = x.size(axis)
    if isinstance(size, int):
        return math.sqrt(size)
    return Value(x.program, x.program.static(math.sqrt, size.node, spec=Scalar(float)))


def attended(q, k, v, mask, **_):
    return None if q is None or v is None else (*q[:-1], v[-1])


ATTENDED = (
    ((3, 4, 5), (3, 6, 5), (3, 6, 2), None),
    ((3, 4, 5), (3, 6, 5), (3, 6, 2), (4, 6)),
    ((2, 3, 4, 5), (2, 3, 4, 5), (2, 3, 4, 5), None),
)


@op(dtype=inexact("q k v"), shape=attended, domain="finite, mask: mask", samples={"shapes": ATTENDED})
def scaled_dot_product_attention(q, k, v, mask=None, *, is_causal=False, scale=None):
    """softmax(q @ k.T * scale) @ v.

    A bool mask says which pairs count, a float one is added; a query with no pair gives 0. `scale` is
    1 / sqrt(q.shape[-1]) unless given. With `is_causal` no query sees a later key.
    """
    scores = matmul(q, matrix_transpose(k))
    scores = scores / root_of_size(q, -1) if scale is None else scores * scale
    if is_causal:
        pairs = tril(ones(shape=(q.size(-2), k.size(-2)), dtype=dtypes.bool_))
        return matmul(softmax(where(pairs, scores, -math.inf), axis=-1), v)
    if mask is None:
        return matmul(softmax(scores, axis=-1), v)
    if mask.is_bool:
        return matmul(where(mask, softmax(where(mask, scores, -math.inf), axis=-1), 0.0), v)
    mask = cast_to(mask, scores)
    return matmul(where(mask == -math.inf, 0.0, softmax(scores + mask, axis=-1)), v)


HEADED = tuple(
    ((2, 4, 3, 5), (2, 6, 3, 5), (2, 6, 3, 5), bias, mask)
    for bias, mask in ((None, None), ((2, 3, 4, 6), None), (None, (2, 3, 4, 6)), ((1, 1, 4, 6), (1, 1, 4, 6)))
)


@op(
    "Q[b t n h] K[b s n h] V[b s n d] B?[*x] M?[*y] -> Y[b t n d]",
    dtype=inexact("q k v"),
    domain="finite, mask: mask",
    samples={"shapes": HEADED},
)
def dot_product_attention(q, k, v, bias=None, mask=None, *, is_causal=False, scale=None):
    """Attention with heads on axis 2, a bias and a bool mask; a query with no pair gets the mean of v.

    The softmax is worked out in float32, whatever the dtype.
    """
    q, k, v = (swapaxes(x, axis1=1, axis2=2) for x in (q, k, v))
    if bias is None and mask is None and q.dtype != dtypes.float64:
        y = scaled_dot_product_attention(q, k, v, is_causal=is_causal, scale=scale)
        return swapaxes(y, axis1=1, axis2=2)
    scores = matmul(widened(q), matrix_transpose(widened(k)))
    scores = scores / root_of_size(q, -1) if scale is None else scores * scale
    scores = scores if bias is None else scores + cast_to(bias, scores)
    lowest = -0.7 * LARGEST[scores.dtype.name]
    scores = scores if mask is None else where(mask, scores, lowest)
    if is_causal:
        pairs = tril(ones(shape=(q.size(-2), k.size(-2)), dtype=dtypes.bool_))
        scores = where(pairs, scores, lowest)
    scores = scores if scores.dtype == dtypes.float32 else cast(scores, dtype=dtypes.float32)
    shares = cast_to(softmax(scores, axis=-1), v)
    return swapaxes(matmul(shares, v), axis1=1, axis2=2)


#: The largest finite numbers.
LARGEST = {"float32": 3.4028234663852886e38, "float64": 1.7976931348623157e308}

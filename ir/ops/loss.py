"""Losses. `reduction` is "mean", "sum" or "none"."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from functools import partial

from ..meaning.op import op as declare
from ..meaning.op import promote, real
from ..values import dtypes
from .activation import channels, log_sigmoid, log_softmax
from .elementary import exp, log, log1p, xlogy
from .elementwise import abs_ as absolute
from .elementwise import cast, maximum, where
from .indexing import take, take_along_axis
from .nn import cast_to, together, widened
from .reduction import mean, sum

#: One special number in a mean would hide all the others.
op = partial(declare, domain="finite")


def lost(x, target, *rest, reduction="mean", **_):
    """The shape of a loss with a term for each element."""
    if reduction != "none":
        return ()
    return None if x is None or target is None else together(x, target)


def reduced(losses, reduction):
    return {"mean": mean, "sum": sum}[reduction](losses) if reduction != "none" else losses


@op(dtype=promote, shape=lost)
def mse_loss(x, target, *, reduction="mean"):
    """Squared differences."""
    return reduced((x - target) ** 2, reduction)


@op(dtype=real, shape=lost)
def l1_loss(x, target, *, reduction="mean"):
    """Absolute differences."""
    return reduced(absolute(x - target), reduction)


@op(dtype=promote, shape=lost, samples={"beta": (1.0, 0.5)})
def smooth_l1_loss(x, target, *, reduction="mean", beta=1.0):
    """Absolute differences less beta / 2; where they are below beta, their squares over 2 * beta."""
    d = absolute(x - target)
    if beta == 0:
        return reduced(d, reduction)
    squares = 0.5 * d * d
    return reduced(where(d < beta, squares if beta == 1 else squares / beta, d - 0.5 * beta), reduction)


@op(dtype=promote, shape=lost, samples={"delta": (1.0, 0.5)})
def huber_loss(x, target, *, reduction="mean", delta=1.0):
    """delta times absolute differences less delta / 2; where they are below delta, half their squares."""
    d = absolute(x - target)
    beyond = d - 0.5 * delta
    return reduced(where(d < delta, 0.5 * d * d, beyond if delta == 1 else delta * beyond), reduction)


@op(dtype=promote, shape=lost, domain="finite, x: unit, target: unit")
def binary_cross_entropy(x, target, weight=None, *, reduction="mean"):
    """-log(x) where the target is 1, -log(1 - x) where it is 0, neither above 100."""
    losses = -(target * maximum(log(x), -100) + (1 - target) * maximum(log1p(-x), -100))
    return reduced(losses if weight is None else losses * weight, reduction)


@op(dtype=promote, shape=lost, domain="finite, target: unit")
def binary_cross_entropy_with_logits(x, target, weight=None, pos_weight=None, *, reduction="mean"):
    """binary_cross_entropy of sigmoid(x), without overflow; `pos_weight` is a factor for targets of 1."""
    likely = log_sigmoid(x) if pos_weight is None else (1 + (pos_weight - 1) * target) * log_sigmoid(x)
    losses = (1 - target) * x - likely
    return reduced(losses if weight is None else losses * weight, reduction)


@op(
    dtype=promote,
    shape=lost,
    domain="finite, target: unit",
    samples={"reduction": ("mean", "sum", "none", "batchmean")},
)
def kl_div(x, target, *, reduction="mean", log_target=False):
    """target * (log(target) - x), where x has logarithms of probabilities; with `log_target` the target too.

    The reduction "batchmean" is the sum over the size of the first axis.
    """
    losses = exp(target) * (target - x) if log_target else xlogy(target, target) - target * x
    if reduction == "batchmean":
        return sum(losses) / x.size(0)
    return reduced(losses, reduction)


def classified(x, target, weight=None, *, reduction, **_):
    """The shape of a loss with a term for each example. A target has classes, or the probability of each."""
    if reduction != "none":
        return ()
    if x is None or target is None:
        return None
    return target if len(target) < len(x) else (*x[:1], *x[2:])[: len(x) - 1]


CLASSES = "finite, target: position, weight: positive"
CLASSIFIED = (((5, 3), (5,), (3,)), ((5, 3), (5,), None), ((3,), (), None), ((2, 3, 4), (2, 4), (3,)))


@op(dtype=promote("x weight"), shape=classified, domain=CLASSES, samples={"shapes": CLASSIFIED})
def nll_loss(x, target, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """-x at the target class, for logarithms x of probabilities, the classes on axis 1, or 0 if it is alone.

    `weight` has a factor for each class. Targets of `ignore_index` count for nothing. The mean is over the
    sum of the factors.
    """
    logs, axis = widened(x), 1 if x.rank > 1 else 0
    factors = None if weight is None else widened(weight)
    along = None if factors is None else channels(factors, x.rank) if axis else factors
    if target.dtype.is_inexact:
        losses = -sum((logs if along is None else logs * along) * cast_to(target, logs), axis=axis)
        losses = reduced(smoothed(losses, logs, along, axis, label_smoothing), reduction)
        return cast_to(losses, x)
    target = cast(target, dtype=dtypes.int64) if target.dtype.kind == "uint" else target
    keep = target != ignore_index
    known = where(keep, target, 0)
    before = (slice(None),) * axis
    losses = -take_along_axis(logs, known[(*before, None)], axis=axis)[(*before, 0)]
    share = None if factors is None else take(factors, known, axis=0)
    losses = smoothed(losses if share is None else losses * share, logs, along, axis, label_smoothing)
    losses = where(keep, losses, 0.0)
    if reduction == "mean":
        count = cast(keep, dtype=logs.dtype) if share is None else where(keep, share, 0.0)
        return cast_to(sum(losses) / sum(count), x)
    return cast_to(reduced(losses, reduction), x)


def smoothed(losses, logs, factors, axis, amount):
    """Losses mixed with what all classes alike would cost."""
    if amount == 0:
        return losses
    return (1 - amount) * losses - amount * mean(logs if factors is None else logs * factors, axis=axis)


@op(dtype=promote("x weight"), shape=classified, domain=CLASSES, samples={"shapes": CLASSIFIED})
def cross_entropy(x, target, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """`nll_loss` of log_softmax(x)."""
    logs = log_softmax(x, axis=1 if x.rank > 1 else 0)
    return nll_loss(
        logs, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )

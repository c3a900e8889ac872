"""Series: what is computed of elements that lie side by side along an axis."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from ..meaning.op import op, same
from ..meaning.results import front
from ..sizes.dim import maximum
from ..subscript.helpers import put
from .elementwise import not_equal, subtract


def differenced(x, *, n=1, axis=-1):
    if x is None:
        return None
    (i,) = front((axis,), len(x))
    return put(x, i, maximum(x[i] - n, 0))


@op(dtype=same, shape=differenced, samples={"n": (1, 2)}, domain="finite")
def diff(x, *, n=1, axis=-1):
    """What each element is more than the one before it along `axis`, of bools whether it is another; that
    `n` times.
    """
    of = not_equal if x.dtype.kind == "bool" else subtract
    for _ in range(n):
        x = of(behind(x, axis, 1, None), behind(x, axis, None, -1))
    return x


def behind(x, axis, start, stop):
    """A part of x along an axis."""
    (i,) = front((axis,), x.rank)
    return x[(*(slice(None),) * i, slice(start, stop))]

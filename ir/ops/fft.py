"""Discrete Fourier transforms.

`n` and `s` cut or pad with zeros first; `norm` is "backward" (or None), "ortho" or "forward".
"""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from functools import partial
from typing import Any

from ..errors import ShapeError
from ..meaning.op import Op, Rule, complex_, real, same
from ..meaning.op import op as declare
from ..meaning.results import front
from ..sizes.dim import hint_of
from ..values.dtypes import float64
from .elementwise import cast

#: One special number would be everywhere in the transform.
op = partial(declare, domain="finite", tolerance="linalg")


def one_axis(name: str, doc: str, dtype: Rule, sizes) -> Op:
    """A transform along one axis. `sizes(n, m)` is the size afterwards: `m` before, `n` asked for."""

    def function(x, *, n=None, axis=-1, norm=None): ...

    def shape(x, *, n, axis, norm):
        return None if x is None else resized(x, [axis], [n], sizes)

    function.__name__, function.__doc__ = name, doc
    return op(dtype=dtype, shape=shape)(function)


def many_axes(name: str, doc: str, dtype: Rule, sizes, **facts: Any) -> Op:
    """A transform along several axes, or all of them; `sizes` is about the last one."""

    def function(x, *, s=None, axes=None, norm=None): ...

    def shape(x, *, s, axes, norm):
        if x is None:
            return None
        found = list(range(-len(s or x), 0)) if axes is None else list(axes)
        if not found:  # NumPy and JAX return x as it is, of another dtype
            raise ShapeError(f"{name} transforms no axis at all")
        return resized(x, found, [None] * len(found) if s is None else list(s), sizes)

    function.__name__, function.__doc__ = name, doc
    return op(dtype=dtype, shape=shape, **facts)(function)


def resized(x, axes, asked, sizes):
    made = list(x)
    for position, (axis, n) in enumerate(zip(axes, asked, strict=True)):
        rule = sizes if position == len(axes) - 1 else whole
        place = front(axis, len(x))
        made[place] = rule(None if n == -1 else n, x[place])
    return tuple(made)


def whole(n, m):
    return m if n is None else n


def half(n, m):
    return whole(n, m) // 2 + 1


def double(n, m):
    if n is None and hint_of(m) == 0:  # which JAX takes, and NumPy and torch do not
        raise ShapeError("the inverse of a transform without any frequency")
    return 2 * (m - 1) if n is None else n


fft = one_axis("fft", "the transform", complex_, whole)
ifft = one_axis("ifft", "the inverse transform", complex_, whole)
rfft = one_axis("rfft", "the first half of the transform of real numbers", complex_, half)
irfft = one_axis("irfft", "the inverse of rfft: real numbers, evenly many unless `n` says else", real, double)
fftn = many_axes("fftn", "the transform along several axes", complex_, whole, line=True)
ifftn = many_axes("ifftn", "the inverse transform along several axes", complex_, whole, line=True)
rfftn = many_axes("rfftn", "rfft along the last of several axes, fft along the others", complex_, half)
irfftn = many_axes("irfftn", "the inverse of rfftn", real, double)


@op("X[~] -> Y[~]", dtype=same, tolerance="exact")
def fftshift(x, *, axes=None):
    """Rotate by half the size, so that frequency 0 comes to stand in the middle of `axes`."""
    ...


@op("X[~] -> Y[~]", dtype=same, tolerance="exact")
def ifftshift(x, *, axes=None):
    """The inverse of `fftshift`."""
    ...


@op("-> F[n]", dtype=Rule("free"), samples={"n": (5, 8, 1)})
def fftfreq(*, n, d=1.0, dtype=None):
    """The frequencies that `fft` of `n` samples at distance `d` gives."""
    return cast(fftfreq(n=n, d=d, dtype=float64), dtype=dtype)


@op("-> F[m] where m = n // 2 + 1", dtype=Rule("free"), samples={"n": (5, 8, 1)})
def rfftfreq(*, n, d=1.0, dtype=None):
    """The frequencies that `rfft` of `n` samples at distance `d` gives."""
    return cast(rfftfreq(n=n, d=d, dtype=float64), dtype=dtype)

"""Positions: index arrays of whole grids and of triangles."""

# mypy: disable-error-code="empty-body,no-untyped-def,no-untyped-call,return-value"
from __future__ import annotations

from functools import partial

from ..bodies.building import only_if
from ..meaning.op import free, index
from ..meaning.op import op as declare
from ..sizes.dim import maximum
from .creation import arange
from .joining import meshgrid, stack
from .shape import sizes_of

#: Numbers go somewhere; nothing is computed of them.
op = partial(declare, tolerance="moved")


def grid(*, shape, **_):
    sizes = sizes_of(shape)
    return None if sizes is None else (len(sizes), *sizes)


@op(dtype=free, shape=grid, samples={"shape": ((2, 3), (3,), (0, 2), (1, 4, 2))}, natural="int")
def indices(*, shape, dtype):
    """Where each element of an array of this shape is: one array for each axis, stacked."""
    only_if(shape != ())
    return stack(*meshgrid(*(arange(stop=size, dtype=dtype) for size in shape), indexing="ij"))


# Of triangles.


def below(n_rows, n_cols, k):
    """How many elements of a matrix lie on its k-th diagonal or below: those of a triangle down to its last
    row, less those of the smaller ones that stand out of the matrix.
    """
    corners = triangle(n_rows + k) - triangle(k)
    return corners - (triangle(n_rows + k - n_cols) - triangle(k - n_cols))


def triangle(n):
    """1 + 2 + ... + n."""
    n = maximum(n, 0)
    return n * (n + 1) // 2


def lower(*, n_rows, n_cols=None, k=0, **_):
    n_cols = n_rows if n_cols is None else n_cols
    if None in (n_rows, n_cols, k):
        return [None, None]
    return [(below(n_rows, n_cols, k),)] * 2


def upper(*, n_rows, n_cols=None, k=0, **_):
    n_cols = n_rows if n_cols is None else n_cols
    if None in (n_rows, n_cols, k):
        return [None, None]
    return [(below(n_cols, n_rows, -k),)] * 2


def whole(of):
    return lambda **params: None if (shape := of(**params)[0]) is None else (2, *shape)


@op(dtype=(index, index), shape=lower)
def tril_indices(*, n_rows, n_cols=None, k=0):
    """The rows and the columns of the elements of a matrix up to its k-th diagonal, row by row."""
    ...


@op(dtype=(index, index), shape=upper)
def triu_indices(*, n_rows, n_cols=None, k=0):
    """The rows and the columns of the elements of a matrix from its k-th diagonal on, row by row."""
    ...


@op(dtype=index, shape=whole(lower))
def tril_places(*, n_rows, n_cols=None, k=0):
    """`tril_indices` as one array: a row of rows, and one of columns."""
    return stack(*tril_indices(n_rows=n_rows, n_cols=n_cols, k=k))


@op(dtype=index, shape=whole(upper))
def triu_places(*, n_rows, n_cols=None, k=0):
    """`triu_indices` as one array: a row of rows, and one of columns."""
    return stack(*triu_indices(n_rows=n_rows, n_cols=n_cols, k=k))

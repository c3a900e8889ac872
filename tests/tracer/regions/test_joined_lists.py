"""A list that a loop has collected, joined along the axis that its arrays have: of other ranks and lengths
than the example's it comes out as the program has it, or is refused.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert


def of_a_list(xs):
    outs = []
    for x in xs:
        outs.append(x * 2)
    return np.concatenate(outs)


def stacked_as_rows(xs):
    outs = []
    for x in xs:
        outs.append(x.sum(0))
    return np.vstack(outs)


def of_rows(x):
    outs = []
    for row in x:
        outs.append(row * 2)
    return np.concatenate(outs)


def of_places(x):
    outs = []
    for i in range(len(x)):
        outs.append(x[i])
    return np.concatenate(outs)


def of_a_while(x):
    history, n = [], 0
    while n < 4:
        x = x * 0.5
        history.append(x)
        n += 1
    return np.concatenate(history)


def counted(xs):
    outs = []
    for x in xs:
        outs.append(x - 1)
    return np.concatenate(outs).shape[0]


def begun(xs):
    outs = [xs[0] * 0]
    for x in xs:
        outs.append(x * 2)
    return np.concatenate(outs, axis=0)


SHAPES = [(3,), (1, 2), (2, 2), (3, 1, 2), (2, 2, 2), ()]
PROGRAMS = [of_a_list, stacked_as_rows, of_rows, of_places, of_a_while, counted, begun]


def given(program, shape, count: int):
    rows = np.arange(float(np.prod(shape, dtype=int)), dtype=np.float32).reshape(shape)
    single = program in (of_rows, of_places, of_a_while)
    return np.stack([rows + i for i in range(count)]) if single else [rows + i for i in range(count)]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("shape", SHAPES[:5])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_arrays_of_other_ranks(program, shape, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    out = tl.transpile(program, (given(program, shape, 3),), to=to)
    for other, count in itertools.product(SHAPES, (1, 2, 3, 4)):
        args = given(program, other, count)
        try:
            expected = program(args)
        except Exception:
            continue
        mine = [convert(each, to) for each in args] if isinstance(args, list) else convert(args, to)
        try:
            found = out(mine)
        except Exception:
            assert (other, count) != (shape, 3), out.source
            continue
        assert np.shape(found) == np.shape(expected), out.source
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected), err_msg=out.source)


def with_a_dtype(x):
    outs = []
    for row in x:
        outs.append(row * 2)
    y, z = np.concatenate(outs, dtype=np.float64), np.stack(outs, dtype=np.float64)
    return y, z, np.vstack(outs, dtype=float)


def into_another(x):
    outs, y, z = [], np.zeros((6, 2), np.float32), np.zeros((3, 2, 2), np.float32)
    for row in x:
        outs.append(row * 2)
    np.concatenate(outs, 0, y)
    np.stack(outs, out=z)
    return y, z


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("program", [with_a_dtype, into_another])
def test_what_else_they_are_told_is_kept_or_refused(program, to: str) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 2, 2)
    try:
        out = tl.transpile(program, (x,), to=to, x64=True if to == "jax" else None)
    except tl.UnsupportedError:
        return
    with jax.enable_x64(True):
        for found, expected in zip(out(convert(x, to)), program(x), strict=True):
            assert str(found.dtype).removeprefix("torch.") == str(expected.dtype), out.source
            np.testing.assert_array_equal(np.asarray(found), expected, err_msg=out.source)

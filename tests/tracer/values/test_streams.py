"""`e = enumerate(x)`: an iterator over an array is used up, as Python's is."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import pytest

import tracelate as tl


def enumerated(x):
    e = enumerate(x)
    s = 0.0
    for i, r in e:
        s = s + i * r.sum()
    for _, r in e:
        s = s + 10 * r.sum()
    return s


def zipped(x):
    e = zip(x, range(20))
    s = 0.0
    for r, i in e:
        s = s + i * r.sum()
    return s, len(list(e))


def reversed_rows(x):
    e = reversed(x)
    s = next(e).sum() * 100
    for r in e:
        s = s * 0.5 + r.sum()
    for r in e:
        s = s + 10 * r.sum()
    return s


def reversed_count(x):
    e = reversed(range(x.shape[0]))
    s = 0.0
    for k in e:
        s = s + k * x[k].sum()
    return s, list(e)


def begun(x):
    e = enumerate(x, 2)
    i, r = next(e)
    rest = list(e)
    return i * r + rest[0][1] * rest[0][0], len(rest), next(e, None)


def unpacked(x):
    e = enumerate(x)
    (_, a), *rest = e
    for _, r in e:
        a = a + r
    return a * len(rest), e is iter(e)


def taken_within(x):
    e = enumerate(x)
    s = 0.0
    for _, r in e:
        for j, t in e:
            s = s + j * (r * t).sum()
    return s


def gone_through_in_a_loop(x):
    e = enumerate(x)
    s = 0.0
    for k in range(3):
        for _, r in e:
            s = s + (k + 1) * r.sum()
    return s


def behind_the_loop(x):
    e = enumerate(x)
    s = 0.0
    for _, r in e:
        s = s + r.sum()
    else:
        for _, r in e:
            s = s + 100 * r.sum()
    return s


def handed_to_a_helper(x):
    e = enumerate(x)
    return through(e, through(e, next(e)[1].sum()))


def through(e, s):
    for i, r in e:
        s = s * 0.5 + i * r.sum()
    return s


KEPT = (
    enumerated,
    zipped,
    reversed_rows,
    reversed_count,
    begun,
    unpacked,
    taken_within,
    gone_through_in_a_loop,
    behind_the_loop,
    handed_to_a_helper,
)


@pytest.mark.parametrize("rows", (3, 12))
@pytest.mark.parametrize("fn", KEPT)
def test_what_was_taken_is_gone(fn, rows):
    report = tl.check(fn, (np.random.default_rng(0).normal(size=(rows, 4)),), to="torch")
    assert report, report


def test_a_loop_over_a_held_one_is_still_recorded():
    made = tl.transpile(enumerated, to="torch", args=(np.ones((12, 4)),))
    assert made.source.count("for ") == 1, made.source


def left_by_an_array(x):
    e = enumerate(x)
    s = 0.0
    for _, r in e:
        s = s + r.sum()
        if s > 3:
            break
    return through(e, s)


def handed_on(x):
    e = enumerate(x)
    s = 0.0
    for (_, r), (j, t) in zip(e, e):
        s = s + j * (r * t).sum()
    return s


def taken_in_a_branch(x):
    e = enumerate(x)
    return through(e, 0.0) if x.sum() > 0 else x.sum()


@pytest.mark.parametrize("fn", (left_by_an_array, handed_on, taken_in_a_branch))
def test_where_it_stands_must_be_known(fn):
    with pytest.raises(tl.UnsupportedError, match="enumerate object|how far it has gone"):
        tl.symbolic_trace(fn, np.ones((12, 4)))


@pytest.mark.parametrize("ask", (lambda x: len(enumerate(x)), lambda x: reversed(zip(x, x))))
def test_what_python_refuses(ask):
    with pytest.raises(TypeError, match="no len|not reversible"):
        tl.symbolic_trace(ask, np.ones((3, 4)))

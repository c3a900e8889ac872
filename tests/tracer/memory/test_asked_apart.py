"""Asking whether arrays share memory: answered of arguments, and checked by what comes out."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

A, B = np.arange(3.0), np.ones(3)


def asserted(a, b):
    assert not np.may_share_memory(a, b)
    a[0] = b[1]
    return a * b


def of_parts(a, b):
    assert not np.shares_memory(a[1:], b[:2])
    a += b
    return a.sum()


def decided(a, b):
    return a * 2 if np.may_share_memory(a, b) else a * 3


def check(a, b):
    """What the arguments must be."""
    assert not np.may_share_memory(a, b)
    assert a.dtype == b.dtype


def in_a_helper(a, b):
    check(a, b)
    a[0] = b[1]
    return a * b


def add_into(a, b):
    assert not np.may_share_memory(a, b)
    a += b
    return a * 2


def asked(a, b):
    return np.may_share_memory(a, b)


def decided_by_a_helper(a, b):
    if asked(a, b):
        b = b.copy()
    a[:] = 0
    return a + b


def in_place(a, b):
    return add_into(a, b) * b


CASES = [
    (in_a_helper, (A, B)),
    (in_place, (A, B)),
    (decided_by_a_helper, (A, B)),
    (asserted, (A, B)),
    (of_parts, (A, B)),
    (decided, (A, B)),
]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("fn", "args"), CASES)
def test_what_comes_out_checks_it(fn, args, to):
    out = tl.transpile(fn, copy.deepcopy(args), to=to)
    found = out(*(convert(copy.deepcopy(each), to) for each in args))
    np.testing.assert_allclose(np.asarray(found), np.asarray(fn(*copy.deepcopy(args))))
    both = convert(copy.deepcopy(args[0]), to)
    with pytest.raises(AssertionError):
        out(both, both)
    with pytest.raises(AssertionError):
        out(both, both[:])
    with pytest.raises(AssertionError):
        out(both[:3], both)


@pytest.mark.parametrize(("fn", "args"), CASES)
def test_it_is_refused_of_arrays_that_do(fn, args):
    with pytest.raises(tl.UnsupportedError, match="share memory"):
        tl.symbolic_trace(fn, (args[0], args[0][:]))


def of_its_own(a):
    b = a * 1
    assert not np.may_share_memory(a, b)
    return b


def of_nothing(a):
    return a * 2 if np.may_share_memory(a, a) else a


def of_one(a):
    return np.may_share_memory(a[:1], a[1:]), a


def of_a_view(a, b):
    c = a.reshape(3)
    return a * 2 if np.may_share_memory(a, c) else b


@pytest.mark.parametrize(("fn", "args"), [(of_nothing, (A,)), (of_one, (A,)), (of_a_view, (A, B))])
def test_what_is_not_known_is_refused(fn, args):
    with pytest.raises(tl.UnsupportedError, match="share memory"):
        tl.symbolic_trace(fn, args)


def test_what_is_made_has_memory_of_its_own():
    out = tl.transpile(of_its_own, (A,), to="numpy")
    assert "share" not in out.source

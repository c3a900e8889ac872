"""`copy.deepcopy` of several arrays, where the next caller gives one of them twice."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy

A = np.arange(4.0).reshape(2, 2)
B = A + 5


def list_copied(given):
    made = copy.deepcopy(given)
    made[0] += 1
    return made


def dict_copied(given):
    made = copy.deepcopy({"a": given[0], "b": given[1]})
    made["a"] += 1
    return made["a"] - made["b"]


def both_copied(given):
    x, y = given
    c, d = copy.deepcopy((x, y))
    c *= 2
    return c, d


def stepped(given):
    made = copy.deepcopy(given)
    for w, g in zip(made, (1.0, 2.0)):
        w -= g
    return made


def copied_of(params):
    made = copy.deepcopy(params)
    made[0] *= 2
    return made


def in_a_helper(given):
    return copied_of(given)


def in_a_helper_of_two(given):
    return copied_of([given[1], given[0]])


def one_of_them_new(given):
    c, d = copy.deepcopy([given[0] * 1, given[1]])
    c += 1
    return c, d


def one_twice(given):
    c, d = copy.deepcopy([given[0], given[0]])
    c += 1
    return c, d


def parts(given):
    c, d = copy.deepcopy([given[0][0], given[0][1]])
    c += 1
    return c, d


def of_rows(given):
    out = []
    for row in given[0]:
        c, d = copy.deepcopy([row, given[1]])
        c += 1
        out.append(c * d[0])
    return out


PROGRAMS = (
    list_copied,
    dict_copied,
    both_copied,
    stepped,
    in_a_helper,
    in_a_helper_of_two,
    one_of_them_new,
    one_twice,
    parts,
    of_rows,
)


def run(fn: Callable[..., Any], given: Any, framework: str) -> list[np.ndarray]:
    """What a function gives, of arrays of a framework; what was one array is one there too."""
    known: dict[int, Any] = {}
    moved = map_arrays(given, lambda a: known.setdefault(id(a), convert(a.copy(), framework)))
    return [to_numpy(leaf) for leaf in (*jax.tree.leaves(fn(moved)), *jax.tree.leaves(moved))]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("framework", ["numpy", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_copies_of_one_array_are_one(fn: Callable[..., Any], framework: str, to: str) -> None:
    try:
        out = tl.transpile(fn, to=to, args=([convert(A, framework), convert(B, framework)],))
    except tl.UnsupportedError as error:
        assert "their copies would too" in str(error) and framework == "torch", error
        assert fn in (parts, of_rows)
        return
    for given in ([A, B], [A, A], [A[0], A[0]]):
        try:
            expected = run(fn, given, framework)
        except (ValueError, RuntimeError):
            continue  # of other shapes the program fails
        try:
            found = run(out, given, to)
        except AssertionError:
            assert given[0] is given[1], out.source
            continue
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(other, one, out.source)


def test_jax_is_told() -> None:
    out = tl.transpile(list_copied, to="jax", args=([A, B],), x64=True)
    assert "# Arguments must not share memory" in out.source

"""Casts that a write, or a way that leaves early, makes for other dtypes than the example's."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

F = np.float32
GIVEN = [np.array([1, 2, 3, 4]), np.array([1, 2, 3, 4], np.int32), np.array([1, 2, 3, 4], F), np.ones(4)]


def of_a_sum(x, w):
    p = x * 1
    p[...] = p + 0.5 * w
    return p


def of_a_copy(x, w):
    p = x.copy()
    p[...] = p + 0.5 * w
    return p


def of_a_part(x, w):
    p = x * 1
    p[0] = (p + 0.5 * w)[0]
    return p


def of_a_slice(x, w):
    p = x + w
    p[:] = p * 0.5
    return p


def of_a_root(x, w):
    p = x + w
    p[...] = np.sqrt(p)
    return p


def of_a_quotient(x, w):
    p = x * 2
    p[...] = p / w
    return p


def cast(x, y):
    if y.sum() > 3:
        return x.astype(np.float32, copy=False)
    return y * 2


def taken(x, y):
    if y.sum() > 3:
        return np.asarray(x, dtype=np.float32), 1
    return y * 2, 2


def maybe_a_copy_read(x, y):
    r = cast(x, y)
    x[0] = 5
    return r, x


def maybe_a_copy_written(x, y):
    r, _ = taken(x, y)
    r[0] = 5
    return r, x


def cast_behind_a_way_out(x, w):
    if x.sum() > 5:
        return x * 1
    return w.astype(np.float32)


def cast_in_a_loop(x, w):
    for _ in range(3):
        if x.sum() > 20:
            return x * 1
        x = x * 2
    return w.astype(np.float32)


def of_several_dtypes(x, w):
    if x.sum() > 3:
        w = x / 2
    v = np.zeros(x.shape, np.float32)
    v[:] = w
    return v


def cast_of_an_item(x, w):
    made = {k: np.asarray(v, dtype=np.float32) for k, v in {"x": x, "w": w}.items()}
    x[0] = 5
    return made["x"] + made["w"]


def first_of(xs, y):
    for x in xs:
        if x.sum() > 3:
            return x.astype(np.float32, copy=False)
    return y * np.float32(1)


def maybe_a_copy_of_a_list(x, w):
    r = first_of([x, w], w)
    x[0] = 5
    return r


PROGRAMS = [of_a_sum, of_a_copy, of_a_part, of_a_slice, of_a_root, of_a_quotient]
PROGRAMS += [maybe_a_copy_read, maybe_a_copy_written, cast_of_an_item, maybe_a_copy_of_a_list]
PROGRAMS += [cast_behind_a_way_out, cast_in_a_loop, of_several_dtypes]
NAMES = {"ids": lambda value: getattr(value, "__name__", str(value))}


@pytest.mark.covering
@pytest.mark.parametrize("program, to, example", product(PROGRAMS, ["numpy", "torch", "jax"], GIVEN), **NAMES)
def test_it_is_what_the_program_gives(program: Any, to: str, example: np.ndarray[Any, Any]) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    with jax.enable_x64(True):
        same(program, to, example)


def same(program: Any, to: str, example: np.ndarray[Any, Any]) -> None:
    given, wide = (example.copy(), example.copy()), True if to == "jax" else None
    try:
        out = tl.transpile(program, given, to=to, x64=wide)
    except tl.UnsupportedError:
        return
    for x, w in product(GIVEN, GIVEN):
        mine, theirs = (x.copy(), w.copy()), (convert(x.copy(), to), convert(w.copy(), to))
        try:
            found = out(*theirs)
        except (AssertionError, TypeError, RuntimeError):
            continue
        wrong = [*compare(program(*mine), found, kind="reduction")]
        wrong += [] if to == "jax" else [*compare(mine, theirs)]
        assert not wrong, f"{x.dtype} {w.dtype}: {wrong[0]}\n{out.source}"

"""What is a copy in the example and a view for other arguments, beside an argument that is written into: the
two are checked to be apart, or to be of the example's dtypes.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

F, N = np.float32, np.int32


def returned_in_a_loop(x, w):
    y = np.asarray(w, dtype=np.float32)
    for _ in range(2):
        x += 1
        if x.sum() > 10:
            return y * 1, x
    return y * 2, x


def kept_in_a_dict(x, w):
    d = {"w": np.asarray(w, dtype=x.dtype)}
    for i in range(2):
        x[i % len(x)] += 4
        if x.sum() > 10:
            return d["w"] * 1, x
    return d["w"] * 2, x


def returned_itself(x, w):
    y = w.astype(np.float32, copy=False)
    while x.sum() < 30:
        x += 1
        if y.sum() > 100:
            return y, x
    return y * 2, x


def of_torch(x, w):
    y = w.float()
    for _ in range(2):
        x.add_(1)
        if x.sum() > 10:
            return y * 1, x
    return y * 2, x


# Of another array's dtype.


def as_another(x, w):
    y = x.type_as(w)
    x[0] = 100
    return y + 0, x


def to_another(x, w):
    y = x.to(w).flatten()
    for i in range(2):
        x[i] = 5
    return y * 1, x


PROGRAMS = [*product([returned_in_a_loop, kept_in_a_dict, returned_itself], ["numpy"])]
PROGRAMS += [*product([of_torch, as_another, to_another], ["torch"])]
DTYPES = [F, N, np.float64]


def calls(framework: str) -> Iterator[tuple[Any, Any]]:
    for one, other in product(DTYPES, DTYPES):
        yield convert(np.array([1, 2, 3], one), framework), convert(np.array([1, 2, 3], other), framework)
    for dtype in DTYPES:
        both = convert(np.array([1, 2, 3], dtype), framework)
        yield both, both
        long = convert(np.array([1, 2, 3, 4], dtype), framework)
        yield long[1:], long[:-1]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("example", [(F, N), (F, F), (F, np.float64), (N, F)])
@pytest.mark.parametrize("program, source", PROGRAMS, ids=lambda value: getattr(value, "__name__", value))
def test_they_agree_or_are_refused(program: Any, source: str, example: Any, to: str) -> None:
    given = tuple(convert(np.array([1, 2, 3], dtype), source) for dtype in example)
    try:
        out = tl.transpile(program, given, to=to)
    except tl.UnsupportedError:
        return
    for mine, theirs in zip(calls(source), calls(to), strict=True):
        try:
            found = out(*theirs)
        except (AssertionError, RuntimeError, TypeError):
            continue
        wrong = [*compare(program(*mine), found, kind="reduction"), *compare(mine, theirs)]
        assert not wrong, f"{mine}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("program", [returned_in_a_loop, kept_in_a_dict, returned_itself])
def test_jax_is_told(program: Any) -> None:
    out = tl.transpile(program, (np.ones(3, F), np.ones(3, N)), to="jax")
    assert out.source.startswith("# Arguments must not share memory")


def test_of_another_dtype_is_asked() -> None:
    out = tl.transpile(as_another, (torch.ones(3), torch.ones(3, dtype=torch.int32)), to="torch")
    with pytest.raises(AssertionError):
        out(torch.ones(3), torch.ones(3))


# Whether a call copies is said by an argument.


def told_to_torch(x, copy=False):
    y = x.to(torch.float32, copy=copy)
    y[0] = 100
    return y + 1, x


def told_to_numpy(x, copy=False):
    y = x.astype(np.float32, copy=copy)
    x[0] = 100
    return y + 1


def told_by_a_number(x, k=0):
    y = np.array(x, dtype=np.float32, copy=k > 0 or None)
    y[0] = 100
    return y + 1, x


TOLD = [(told_to_torch, "torch"), (told_to_numpy, "numpy"), (told_by_a_number, "numpy")]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("given", [(), (True,), (False,)])
@pytest.mark.parametrize("dtype", [F, np.float64])
@pytest.mark.parametrize("program, source", TOLD, ids=lambda value: getattr(value, "__name__", value))
def test_what_an_argument_says_is_checked(
    program: Any, source: str, dtype: Any, given: tuple[Any, ...], to: str
) -> None:
    try:
        out = tl.transpile(program, (convert(np.array([1, 2, 3], dtype), source), *given), to=to)
    except tl.UnsupportedError:
        return
    for other, numbers in product([F, np.float64], [(), (True,), (False,)]):
        mine, theirs = (convert(np.array([1, 2, 3], other), name) for name in (source, to))
        try:
            found = out(theirs, *numbers)
        except (AssertionError, ValueError):
            continue
        wrong = [*compare(program(mine, *numbers), found, kind="reduction"), *compare(mine, theirs)]
        assert not wrong, f"{other} {numbers}: {wrong[0]}\n{out.source}"

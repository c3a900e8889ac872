"""What is written into arrays, in a text that was made without examples or for another dtype and rank: what
`x += y` gives hangs on the dtype of x, and NumPy has a number for what has no axes.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import operator
from itertools import product
from typing import Any

import jax
import numpy as np
import pytest
from running import quiet

import tracelate as tl
from tracelate.backends.arrays import convert


def copied(x):
    return x.copy() if isinstance(x, np.ndarray) else x.clone()


def added(x, y):
    s = copied(x)
    s += y
    return s


def added_to_what_was_made(x, y):
    s = abs(x)
    s *= y
    return s


def read_afterwards(x, y):
    s = copied(x)
    s -= y
    return s * 2, s.sum()


def masked(x, y):
    s = copied(x)
    s += y
    s[s > 5] = 0
    return s


def masked_again(x, y):
    s = x * y
    s *= s
    s[s < 2] = -1
    return s


def under_two_names(x, y):
    a = x * 2
    b = a
    a *= 2
    return b + y


def in_a_dict(x, y):
    d = dict.fromkeys(["a", "b"], x * 1)
    d["a"] += y
    return d["b"]


def cumulated(x, y):
    s = copied(x)
    s[s > 2] = 0
    return s.cumsum(0) + y.cumsum(-1)


def reduced(x, y):
    s = x.sum(-1)
    t = s
    t += 1
    return s, t * y


def flattened(x, y):
    s = x * 2
    t = s
    t -= 1
    return s.reshape(-1).cumsum(0), t + y


PROGRAMS = [
    flattened, reduced, added, added_to_what_was_made, read_afterwards, masked, masked_again,
    under_two_names, in_a_dict, cumulated,
]  # fmt: skip
DTYPES = ("float32", "float64", "float16", "int32", "int8", "bool")
SHAPES = (((3,), (3,)), ((), (3,)), ((), ()), ((2, 3), (3,)), ((3,), ()))
ELEMENTS = np.array([[1, 4, 9], [0, 7, 2]])


def array(dtype: str, shape: tuple[int, ...], framework: str) -> Any:
    found = ELEMENTS.ravel()[: np.prod(shape, dtype=int)].reshape(shape)
    return convert(found.astype(dtype), framework)


def attempted(fn: Any, *args: Any) -> Any:
    try:
        return fn(*args)
    except Exception as error:
        return error


def results(found: Any) -> tuple[Any, ...]:
    return tuple(map(np.asarray, found if isinstance(found, tuple) else (found,)))


@pytest.mark.covering
@pytest.mark.parametrize("own", ["numpy", "torch"])
@pytest.mark.parametrize(("target", "x64"), [("numpy", True), ("torch", True), ("jax", True), ("jax", False)])
@pytest.mark.parametrize("example", [None, "float32", "float64"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_written_is_of_the_arrays_dtype(program, example, target, own, x64) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    with quiet(True), jax.enable_x64(x64):
        given = None if example is None else (array(example, (3,), own), array(example, (3,), own))
        try:
            out = tl.transpile(program, given, to=target, source=own)
        except tl.UnsupportedError:
            return
        for shapes, one, other in product(SHAPES, DTYPES, DTYPES):
            dtypes = one, other
            if () in shapes and one != other:
                continue  # which counts for little in torch, as the README says
            expected = attempted(program, *(array(d, s, own) for d, s in zip(dtypes, shapes)))
            found = attempted(out, *(array(d, s, target) for d, s in zip(dtypes, shapes)))
            if isinstance(expected, Exception) or isinstance(found, Exception):
                continue
            for want, got in zip(results(expected), results(found), strict=True):
                if not x64:
                    want = want.astype(jax.dtypes.canonicalize_dtype(want.dtype))
                alike = want.dtype == got.dtype and want.shape == got.shape
                assert alike and np.allclose(want, got, rtol=1e-2), (dtypes, shapes, out.source)


@pytest.mark.parametrize("own", ["numpy", "torch"])
@pytest.mark.parametrize("target", ["numpy", "torch"])
@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv"])
def test_an_operator_in_place_stays_one(name, target, own) -> None:
    operators = {"iadd": "+=", "isub": "-=", "imul": "*=", "itruediv": "/="}

    def program(x, y):
        s = copied(x)
        return getattr(operator, name)(s, y)

    text = tl.transpile(program, to=target, source=own).source
    assert f"{operators[name]} y" in text

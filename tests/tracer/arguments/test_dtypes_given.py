"""A text made for one dtype and called with every other gives the source's dtypes and numbers, or raises."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from dtype_programs import PROGRAMS

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("wide")]

DTYPES = (
    "float32", "float64", "float16", "complex64", "bool", "int64", "int32", "int8", "uint8", "uint16",
    "uint64",
)  # fmt: skip
#: Made for each of these, a program is called with all.
FIRST = ["int32", *(pytest.param(d, marks=pytest.mark.slow) for d in DTYPES if d != "int32")]
CASES = [
    pytest.param(*case, id="-".join(case[:2]), marks=[pytest.mark.slow] * (case[3] > 1)) for case in PROGRAMS
]


def array(dtype: str, first: int) -> Any:
    values = np.array([3, 1, 2, 5, 7])[first : first + 4]
    if dtype == "bool":
        return values % 2 == 0
    return (values + (0 if "int" in dtype else 0.25)).astype(dtype)


def calls(first: str, count: int) -> Iterator[tuple[str, ...]]:
    """All arguments of one dtype, and of two."""
    yield from ((dtype,) * count for dtype in DTYPES)
    for others in itertools.product(DTYPES, repeat=count) if count > 1 else ():
        if first in others and len({*others}) > 1:
            yield others


def run(fn: Any, dtypes: tuple[str, ...], framework: str) -> Any:
    """The result, or the error."""
    try:
        return np.asarray(to_numpy(fn(*(convert(array(d, i), framework) for i, d in enumerate(dtypes)))))
    except Exception as error:
        return error


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize(("source", "name", "fn", "count"), CASES)
def test_other_dtypes_agree_or_are_refused(source: str, name: str, fn: Any, count: int, first: str) -> None:
    if isinstance(run(fn, (first,) * count, source), Exception):
        return  # a program that raises by itself
    wanted = {dtypes: run(fn, dtypes, source) for dtypes in calls(first, count)}
    try:
        arrays = tuple(convert(array(first, i), source) for i in range(count))
        traced = tl.symbolic_trace(fn, arrays, source=source)
    except tl.TraceError:
        return
    for to in ("numpy", "jax", "torch"):
        try:
            out = traced.to(to, x64=True if to == "jax" else None)
        except tl.TraceError:
            continue
        assert not isinstance(run(out, (first,) * count, to), Exception), (to, out.source)
        for dtypes, one in wanted.items():
            other = run(out, dtypes, to)
            if isinstance(one, Exception):
                continue
            if isinstance(other, Exception):  # a check, or what the target itself says
                refused = (AssertionError, RuntimeError, TypeError, ValueError)
                assert isinstance(other, refused), (to, dtypes, other, out.source)
                continue
            assert one.dtype == other.dtype and one.shape == other.shape, (to, dtypes, out.source)
            close = 2e-2 if one.dtype == np.float16 else 1e-4
            agree = np.allclose(one.astype(complex), other.astype(complex), rtol=close)
            assert agree, (to, dtypes, one, other, out.source)


def test_only_what_comes_out_otherwise_is_refused() -> None:
    """A sum of unsigned integers is uint64 in NumPy and int64 in torch; of others it is the same."""
    out = tl.transpile(lambda x: x.sum(), args=(np.ones(3, np.float32),), to="torch")
    for dtype in ("float32", "float64", "int64", "bool", "complex64"):
        assert out(torch.ones(3, dtype=getattr(torch, dtype))) == 3
    with pytest.raises(AssertionError):
        out(torch.ones(3, dtype=torch.uint8))


def accumulated(x, y):
    total = x.sum()
    total += y.sum()
    return total


def picked(x, y):
    total = x[0].clone()
    total.mul_(y[0])
    return total


@pytest.mark.parametrize("fn", [accumulated, picked])
def test_a_number_of_numpys_keeps_the_dtype_that_it_is_written_in(fn: Any) -> None:
    """torch's `total += y` keeps float32; NumPy binds numbers anew, and float32 + int64 is float64."""
    x, y = torch.tensor([1.5, 2.0]), torch.tensor([3, 4])
    out = tl.transpile(fn, args=(x, y), to="numpy")
    found = out(x.numpy(), y.numpy())
    assert found == fn(x, y).item() and found.dtype == np.float32


@pytest.mark.parametrize("fn", [lambda x, k: x + k, lambda x, k: jnp.minimum(x, k), lambda x, k: x * k - k])
def test_ints_beside_bools_are_of_the_frameworks_own_size(fn: Any) -> None:
    """JAX's bools beside an int are int32, torch's int64, and may be given where the example has floats."""
    out = tl.transpile(fn, args=(jnp.ones(2), 2.0), to="torch")
    with pytest.raises(AssertionError, match="torch.bool"):
        out(torch.tensor([True, False]), 2)
    assert out(torch.ones(2, dtype=torch.float64), 2).dtype == torch.float64


def test_what_another_kind_would_bring_about_is_not_checked_once_more() -> None:
    """That `rate * g` may be weak where g is of bools is no reason to let p be of one dtype with g."""

    def descended(p, g, rate):
        return p - rate * g

    text = tl.transpile(descended, args=(jnp.ones(2), jnp.ones(2), 0.1), to="torch").source
    assert text.splitlines()[1:] == ["    assert g.is_floating_point(), g.dtype", "    return p - rate * g"]


def test_a_number_that_python_chooses_is_made_an_array_where_it_is_cast() -> None:
    """JAX has an array on the one way, and an int on the other."""

    def mean(x, k):
        r = 0
        for i in range(k):
            r += i
        r = r / k if k else 0
        return x + r

    x = np.ones(3, np.float32)
    for example in (0, 3):
        out = tl.transpile(mean, args=(x, example), to="jax", x64=True)
        for k in (0, 3):
            found = out(jnp.asarray(x), k)
            assert found.dtype == jnp.float32 and np.array_equal(found, mean(x, k))

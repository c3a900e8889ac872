"""Einsums whose axes are broadcast or stand for an ellipsis, of other dtypes and sizes than the example's."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

EINSUM: dict[str, Any] = {"numpy": np.einsum, "jax": jnp.einsum, "torch": torch.einsum}
EQUATIONS = (
    "btd,bsd->bts", "...j,jk->...k", "ij,j->i", "...i,...i", "ij,ij->j", "ij,ij->", "i,j->ij",
    "...->", "...i->i", "...i,...i->i", "...i,...j->ij",
)  # fmt: skip
#: Those that NumPy does not take: it sums over no ellipsis.
REFUSED = frozenset({"...->", "...i->i", "...i,...i->i", "...i,...j->ij"})
GIVEN = ("float32", "int32", "int16", "uint8", "bool")
SIZES = dict(zip("bdijkst.", (2, 4, 3, 4, 2, 2, 3, 5)))


def terms(equation: str) -> list[str]:
    """The axes of each operand, a dot for those of an ellipsis."""
    return [term.replace("...", ".") for term in equation.partition("->")[0].split(",")]


def arrays(equation: str, alone: Any, dtype: str) -> list[Any]:
    """Operands; `alone`: the axes with one element, each an operand and a letter."""
    rng = np.random.default_rng(0)
    shapes = [
        [1 if (n, axis) in alone else SIZES[axis] for axis in term] for n, term in enumerate(terms(equation))
    ]
    return [rng.integers(0, 100, size=shape).astype(dtype) for shape in shapes]


def alone(equation: str) -> Iterator[tuple[tuple[int, str], ...]]:
    """Which axes have one element: none, or one of them."""
    every = [(n, axis) for n, term in enumerate(terms(equation)) for axis in term]
    yield from ((), *((one,) for one in every))


@pytest.mark.covering
@pytest.mark.parametrize("example", ["float32", "int32"])
@pytest.mark.parametrize("source", EINSUM)
@pytest.mark.parametrize("equation", EQUATIONS)
def test_other_sizes_and_dtypes(equation: str, source: str, example: str) -> None:
    """torch sums first over an axis that has one element in the other operands, of ints in 64 bits.
    Of the cases those that have all pairs of values, see covering.py.
    """
    if source == "numpy" and equation in REFUSED:
        pytest.skip("NumPy's einsum sums over no ellipsis")
    einsum = EINSUM[source]

    def fn(*xs):
        return einsum(equation, *xs)

    for to in EINSUM.keys() - {source}:
        try:
            out = tl.transpile(fn, to=to, args=tuple(mine(arrays(equation, (), example), source)), x64=True)
        except tl.UnsupportedError:
            assert example == "int32"
            continue
        calls = 0
        for dtype, ones in itertools.product(GIVEN, alone(equation)):
            given = arrays(equation, ones, dtype)
            try:
                expected = fn(*mine(given, source))
            except (RuntimeError, TypeError, ValueError):
                continue
            try:
                found = out(*mine(given, to))
            except (AssertionError, RuntimeError, TypeError, ValueError):
                assert dtype != example or ones
                continue
            calls += 1
            assert not [*compare(expected, found)], (to, dtype, ones, out.source)
        assert calls


def mine(given: list[Any], framework: str) -> list[Any]:
    return [convert(array, framework) for array in given]


def test_an_ellipsis_that_is_summed_over_is_spelled_out() -> None:
    def grads(a, d):
        return torch.einsum("...i,...j->ij", a, d)

    a, d = torch.randn(2, 5, 4), torch.randn(2, 5, 3)
    out = tl.transpile(grads, to="numpy", args=(a, d))
    assert 'np.einsum("abi,abj->ij", a, d)' in out.source
    assert not [*compare(grads(a, d), out(a.numpy(), d.numpy()))]


def test_no_check_where_nothing_is_summed_together() -> None:
    def outer(a, b):
        return torch.einsum("i,j->ij", a, b)

    text = tl.symbolic_trace(outer, (torch.ones(3), torch.ones(4))).source("numpy")
    assert text.count("assert") == 1 and "assert b.dtype == a.dtype, " in text  # torch promotes otherwise

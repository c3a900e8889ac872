"""`try` whose body may raise for the values of its operands: both ways are in the text."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from attempted_numbers import NUMBERS, with_else
from attempted_programs import (
    MATRICES,
    REGULAR,
    SINGULAR,
    B,
    by_its_name,
    by_the_base,
    flags,
    in_a_helper,
    in_a_list,
    in_a_variable,
    in_an_object,
    read_error,
)

import tracelate as tl
from tracelate import UnsupportedError


def convert(values: tuple[Any, ...], to: str) -> list[Any]:
    arrays = torch.from_numpy if to == "torch" else np.asarray
    return [arrays(v.copy()) if isinstance(v, np.ndarray) else copy.copy(v) for v in values]


def holds(fn: Callable[..., Any], example: Any, other: Any, to: str) -> None:
    """The text does what the program does, with and without the handler, and to its arguments too."""
    made = tl.transpile(fn, example, to=to)
    for args in (example, other):
        mine, theirs = convert(args, "numpy"), convert(args, to)
        wanted, found = fn(*mine), made(*theirs)
        torch.testing.assert_close(flat((wanted, mine)), flat((found, theirs)), equal_nan=True)


def flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        value = [*map(hash, value), *value.values()]
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in flat(item)]
    return [torch.as_tensor(value)]


@pytest.mark.parametrize("fn, example, other", (*MATRICES, *NUMBERS))
def test_both_ways_in_the_framework_itself(fn: Callable[..., Any], example: Any, other: Any) -> None:
    holds(fn, example, other, "numpy")


@pytest.mark.parametrize("fn, example, other", NUMBERS)
def test_numbers_and_indices_raise_alike_in_numpy_and_torch(
    fn: Callable[..., Any], example: Any, other: Any
) -> None:
    holds(fn, example, other, "torch")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("fn, example, other", (*MATRICES, *NUMBERS))
def test_both_ways_for_other_arguments(fn: Callable[..., Any], example: Any, other: Any) -> None:
    assert tl.check(fn, example, to="numpy", vary=True).ok


@pytest.mark.parametrize("fn", (by_the_base, by_its_name))
def test_errors_of_torch(fn: Callable[..., Any]) -> None:
    made = tl.transpile(fn, (torch.tensor(REGULAR), torch.tensor(B)), to="torch")
    for matrix in (REGULAR, SINGULAR):
        args = torch.tensor(matrix), torch.tensor(B)
        torch.testing.assert_close(made(*args), fn(*args))


def test_numpy_and_torch_disagree_on_what_is_singular() -> None:
    """Which is why no handler for it is taken from one to the other."""
    rounded = np.arange(1.0, 10.0).reshape(3, 3)
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.inv(rounded)
    assert torch.linalg.inv(torch.tensor(rounded)).isfinite().all()
    with pytest.raises(torch.linalg.LinAlgError):
        torch.linalg.cholesky(torch.full((2, 2), torch.nan))
    assert np.isnan(np.linalg.cholesky(np.full((2, 2), np.nan))).any()


@pytest.mark.parametrize("fn, example, other", MATRICES)
def test_what_is_singular_is_refused_elsewhere(fn: Callable[..., Any], example: Any, other: Any) -> None:
    with pytest.raises(UnsupportedError, match="do not raise for the same values"):
        tl.transpile(fn, example, to="torch")


@pytest.mark.parametrize("fn, example, other", (*MATRICES, *NUMBERS))
def test_jax_reaches_no_handler(fn: Callable[..., Any], example: Any, other: Any) -> None:
    with pytest.raises(UnsupportedError, match="raises for no values"):
        tl.transpile(fn, example, to="jax", x64=True)


@pytest.mark.parametrize("fn", (in_an_object, in_a_list, in_a_variable, read_error))
def test_what_a_body_leaves_behind_before_it_raises_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(UnsupportedError):
        tl.transpile(fn, (REGULAR,), to="numpy")


@pytest.mark.parametrize("fn, example", ((in_a_helper, (REGULAR, B)), (with_else, (B, 1))))
def test_what_is_no_such_try_is_refused(fn: Callable[..., Any], example: Any) -> None:
    with pytest.raises(UnsupportedError, match="inside a `try`"):
        tl.transpile(fn, example, to="numpy")


def test_the_tape_takes_both_ways() -> None:
    tape = tl.symbolic_trace(flags, (REGULAR, B))
    for matrix in (REGULAR, SINGULAR):
        torch.testing.assert_close(flat(tape(matrix, B)), flat(flags(matrix, B)))


def test_a_check_of_the_tape_is_no_handlers() -> None:
    def halved(x, k):
        try:
            y = x[k] / x.shape[0] if x.shape[0] > 2 else x[k]
        except (IndexError, ValueError):
            y = x[0]
        return y

    tape = tl.symbolic_trace(halved, (np.ones(3), 1))
    with pytest.raises(ValueError, match="traced with"):
        tape(np.ones(2), 1)

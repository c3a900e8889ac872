"""What is padded with elements of its own must have them: a shorter array than the example raises in torch,
where NumPy goes round again.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

WIDTHS: list[Any] = [2, (2, 1), (0, 3), 7, ((0, 0), (2, 1))]
DTYPES = ["uint8", "float32", "bool", "complex64", "int32"]


@pytest.mark.covering
@pytest.mark.parametrize("mode", ["symmetric", "reflect", "wrap", "edge"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("width", WIDTHS, ids=str)
def test_a_shorter_array_is_never_padded_with_less(width: Any, dtype: str, mode: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    rank = len(width) if isinstance(width, tuple) and isinstance(width[0], tuple) else 1

    def program(x):
        return np.pad(x, width, mode=mode)

    def given(*shape: int) -> Any:
        return (np.arange(int(np.prod(shape))) % 5).reshape(shape).astype(dtype)

    example = (9,) * rank
    out = tl.transpile(program, source="numpy", to="torch", args=(given(*example),))
    np.testing.assert_array_equal(out(torch.from_numpy(given(*example))).numpy(), program(given(*example)))
    for size in range(1, 9):
        x = given(*(size,) * rank)
        try:
            found = out(torch.from_numpy(x)).numpy()
        except (IndexError, RuntimeError):
            assert np.max(width) >= size
            continue
        np.testing.assert_array_equal(found, program(x))


@pytest.mark.parametrize("mode", ["symmetric", "reflect", "wrap"])
def test_so_for_four_axes(mode: str) -> None:
    def program(x):
        return np.pad(x, ((0, 0), (1, 1), (2, 2), (1, 0)), mode=mode)

    def given(*shape: int) -> Any:
        return np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)

    out = tl.transpile(program, source="numpy", to="torch", args=(given(2, 4, 4, 4),))
    for shape in ((2, 4, 4, 4), (1, 3, 3, 2)):
        np.testing.assert_array_equal(out(torch.from_numpy(given(*shape))).numpy(), program(given(*shape)))
    with pytest.raises((IndexError, RuntimeError)):
        out(torch.from_numpy(given(2, 4, 1, 4)))


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "bool"])
def test_the_outermost_is_repeated_as_often_as_the_program_says(dtype: str, to: str) -> None:
    def program(x, kernel, n):
        rows, columns = kernel.shape
        return np.pad(x, ((rows // 2, rows // 2), (columns - 1, n)), mode="edge")

    def given(*shape: int) -> Any:
        return (np.arange(int(np.prod(shape))) % 5).reshape(shape).astype(dtype)

    out = tl.transpile(program, (given(4, 5), given(3, 4), 2), to=to)
    assert "kernel.shape[0] // 2 ==" not in out.source
    for shape, kernel, n in (((4, 5), (3, 4), 2), ((2, 1), (1, 1), 0), ((1, 3), (6, 2), 3)):
        found = out(*(convert(given(*each), to) for each in (shape, kernel)), n)
        np.testing.assert_array_equal(to_numpy(found), program(given(*shape), given(*kernel), n))

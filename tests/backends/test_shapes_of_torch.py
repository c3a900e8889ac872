"""Where torch gives another shape than the formula has for arguments of other ranks."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X, V, W, B = torch.rand(4, 3), torch.rand(3), torch.rand(3, 3), torch.rand(3)
I = torch.tensor([1, 2])  # noqa: E741


def affine(x, w, b):
    return F.linear(x, w, b)


CASES = {
    "rows": (lambda x, i: x.index_select(0, i), (X, I), [(X, I[0]), (X, I[:1]), (V, I), (V, I[0])]),
    "columns": (lambda x, i: torch.index_select(x, 1, i), (X, I), [(X, I[0]), (X, I[:0])]),
    "linear": (affine, (V, W, B), [(V, W, B[None]), (X, W, B), (V, W, B[:1]), (V, W[:1], B[0])]),
    "linear of rows": (affine, (X, W, B), [(X, W, B[None]), (X[None], W, B), (V, W, B), (X, W[0], B[0])]),
}


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("name", CASES)
def test_other_ranks_give_the_shape_of_the_source(name: str, to: str) -> None:
    fn, example, others = CASES[name]
    out = tl.transpile(fn, example, to=to, source="torch")
    for args in (example, *others):
        try:
            expected: Any = fn(*args)
        except (RuntimeError, IndexError):
            continue
        try:
            found = out(*(convert(arg, to) for arg in args))
        except AssertionError:
            assert args is not example
            continue
        assert not [*compare(expected, found, narrowed=to == "jax")], out.source

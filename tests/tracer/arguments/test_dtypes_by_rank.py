"""In torch an array without axes counts for less in a promotion: what a program makes of the dtype that comes
out holds for the ranks of the example.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.ir.values.dtypes import float16

pytestmark = pytest.mark.filterwarnings("ignore")

LINE, OTHER, SINGLE = torch.tensor([0.3, 0.1, -0.2]), torch.tensor([1.0, 2.0, 3.0]), torch.tensor(0.3)


def compared(y, b):
    u = b.half() * y
    return u * 2 if u.dtype == y.dtype else u


def returned(y, b):
    u = b.double() + y
    return y * (y.dtype == u.dtype)


def limits(y, b):
    return y / (y.abs() + torch.finfo((b.double() + y).dtype).eps * 1e9)


def added(y, b):
    y = y.half() + b
    y += 70.0 if y.dtype == torch.float32 else 1.0
    return y


def cast(y, b):
    u = y.half() * b
    return u.float() if u.dtype == torch.float16 else u * 2


def made(y, b):
    u = y.half() + b.sum() * 0.5
    return torch.full((2,), 3.0, dtype=u.dtype)


def asked(y, b):
    return y * (torch.result_type(y, b.half()) == torch.float32)


def named(y, b):
    return y.to(torch.promote_types((y.half() + b).dtype, torch.float16))


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [compared, returned, limits, added, cast, made, asked, named])
def test_other_ranks_agree_or_are_refused(fn: Any, to: str) -> None:
    ranks = [*itertools.product((LINE, SINGLE), (OTHER, SINGLE))]
    for example in ranks:
        out: Any = tl.transpile(fn, example, to=to)
        for given in ranks:
            expected = fn(*given)
            try:
                found = out(*(convert(a, to) for a in given))
            except AssertionError:
                assert given is not example, out.source
                continue
            wrong = list(compare(expected, found, narrowed=to == "jax", floats=float16))
            assert not wrong, f"{[a.ndim for a in given]}: {wrong[0]}\n{out.source}"


def test_nobody_asks_for_ranks_where_dtypes_are_of_one_kind() -> None:
    def program(y, b):
        return torch.zeros(3, dtype=y.dtype) + y * b

    assert "ndim" not in tl.transpile(program, (LINE, OTHER), to="torch").source

"""`if reduction == "mean": loss = loss.mean()` with `return loss` behind it: each way gives what it gives, an
array of another rank too, and the text has one `return`, as the user does.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from as_written import gives_the_same, is_the_users

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(6.0).reshape(2, 3) - 2
TARGETS = ("numpy", "torch", "jax")


def reduced(x, reduction="mean"):
    loss = (x - 1) ** 2
    if reduction == "mean":
        loss = loss.mean()
    elif reduction == "sum":
        loss = loss.sum()
    return loss


def refused(x, reduction="mean"):
    loss = (x - 1) ** 2
    # what is left of it
    if reduction == "mean":
        loss = loss.mean()  # over all
    elif reduction == "sum":
        # likewise
        loss = loss.sum()
    elif reduction != "none":
        raise ValueError(f"no such reduction: {reduction}")
    return loss


def with_an_else(x, how="sum"):
    if how == "sum":
        y = x.sum()
    else:
        y = x * 2
    return y


def one_of_two(x, squeeze=True):
    out, total = x * 2, x.sum()
    if squeeze:
        total = x.sum(0)
    return out, total


def behind_a_loop(x, mean=True):
    total = 0.0
    for row in x:
        total = total + (row**2).sum()
    if mean:
        total = total / len(x)
    return total


def one_after_the_other(x, mean=True, keep=False):
    y = x * 2
    if mean:
        y = y - y.mean()
    if keep:
        y = y[None]
    return y


def not_a_flag(x, keep=False):
    y = x.sum(1)
    if not keep:
        y = y.sum()
    return y


def of_both(x, mean=True, keep=False):
    y = x + 1
    if mean and not keep:
        y = y.mean()
    return y


def helped(x):
    return reduced(x) + with_an_else(x, "all") * reduced(x, "sum")


def as_it_was(x, reduction="mean"):
    if reduction == "mean":
        x = x.mean()
    return x


def in_a_block(x, n=3, mean=True):
    if n > 2:
        y = x * 2
        if mean:
            y = y.mean()
        return y
    return x.sum()


#: The programs, and what they are given beside an array.
PROGRAMS: dict[Any, list[tuple[Any, ...]]] = {
    reduced: [("mean",), ("sum",), ("none",)],
    refused: [("mean",), ("sum",), ("none",)],
    with_an_else: [("sum",), ("all",)],
    one_of_two: [(True,), (False,)],
    behind_a_loop: [(True,), (False,)],
    one_after_the_other: [(True, False), (False, True), (True, True), (False, False)],
    not_a_flag: [(False,), (True,)],
    of_both: [(True, False), (True, True), (False, False), (False, True)],
    as_it_was: [("mean",), ("none",)],
    in_a_block: [(3, True), (3, False)],
    helped: [()],
}


@pytest.mark.covering
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("first", [0, -1])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_every_way_is_in_the_text(program: Any, first: int, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    ways = PROGRAMS[program]
    gives_the_same(program, [(X, *ways[first]), *((X, *way) for way in ways)], to)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [*PROGRAMS][:-1], ids=lambda program: program.__name__)
def test_it_is_said_as_the_user_says_it(program: Any, to: str) -> None:
    if to == "torch" and program in (one_of_two, not_a_flag):
        pytest.skip("torch says dim=")
    is_the_users(program, X, to)


def test_what_is_refused_stays_so() -> None:
    for to in TARGETS:
        out = tl.transpile(refused, (np.float32(X),), to=to)
        with pytest.raises(ValueError, match="no such reduction: max"):
            out(convert(np.float32(X), to), "max")


def of_a_caller(x, reduction="mean", then=None):
    mean = reduction == "mean"
    y = x * 2
    if mean:
        y = y.mean()
    return y


def test_what_is_no_parameter_is_decided() -> None:
    gives_the_same(of_a_caller, [(X,)], "numpy")


def written_into(x, keep=True):
    x[0, 0] = 5
    y = x[1]
    if keep:
        y = x[0]
    return y


def gone_on_with(x, keep=True):
    x += 1
    y = x[1]
    if keep:
        y = x[0]
    return y, x


@pytest.mark.parametrize("program", [written_into, gone_on_with])
def test_who_writes_into_an_argument_keeps_his_one_end(program: Any) -> None:
    is_the_users(program, X, "numpy")
    gives_the_same(program, [(X, True), (X, False)], "torch")


def doubled_if(a, flag=False):
    if flag:
        a = a * 2
    return a


def one_of(a, b, flag=False):
    if flag:
        a = b
    return a


def reduced_by(a, reduction="none"):
    if reduction == "mean":
        a = a.mean(0)
    return a


def helped_and_written(x, flag=False):
    z = doubled_if(x * 1, flag)
    z[1:] = 0
    return z


def helped_in_place(x, flag=False):
    z = one_of(x * 3, x * 2, flag=flag)
    z += 1
    return z


def helped_by_a_word(x, reduction="none"):
    z = reduced_by(x * 1, reduction)
    z += 1
    return z


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("program", [helped_and_written, helped_in_place, helped_by_a_word])
def test_what_a_helper_gives_by_a_flag_is_written_into(program: Any, to: str) -> None:
    for way in ["mean", "none"] if program is helped_by_a_word else [True, False]:
        gives_the_same(program, [(X, way)], to)


def regions(y, normalize=True):
    if normalize:
        peak = jnp.abs(y).max()
        y = jax.lax.cond(peak > 1, lambda: y * 2, lambda: y)
    return y


def looping(y, repeated=True):
    if repeated:
        y = jax.lax.fori_loop(0, 3, lambda i, v: v * i, y)
    return y


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("program", [regions, looping])
def test_what_a_region_gives_on_one_way_is_returned_behind(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        given = jnp.asarray(X)
        out = tl.transpile(program, (given,), to=to, x64=True if to == "jax" else None)
        assert out.source.count("return y") == 1 and out.source.rstrip().endswith("return y"), out.source
        for way in (True, False):
            assert not [*compare(program(given, way), out(convert(given, to), way), kind="reduction")]

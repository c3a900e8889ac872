"""`if ...: return 1` and `return 2.5`: what compiles both ways has one dtype for the two, a float, as it has
where they are assigned. A bool is no number, and an array holds none of a higher kind.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from jax import numpy as jnp

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays
from tracelate.ir.values.tree import leaves

X = [v - 3.0 for v in range(12)]
MAKE: dict[str, Any] = {
    "numpy": lambda v: np.array(v, "float32"),
    "torch": lambda v: torch.tensor(v),
    "jax": lambda v: jnp.array(v, "float32"),
}


def alone(x):
    if x.sum() > 0:
        return 1
    return 2.5


def beside(x):
    if x.sum() > 0:
        return x, 1
    return -x, 2.5


def in_a_dict(x):
    if x.sum() > 0:
        return {"x": x, "n": 1}
    return {"x": -x, "n": 2.5}


def nested(x):
    if x.sum() > 0:
        return [x, (1, 2)]
    if x[0] > 0:
        return [x, (2.5, 3)]
    return [-x, (4, 0.5)]


def in_a_helper(x):
    return x * alone(x), alone(x)


def out_of_a_loop(x):
    n = 0
    for i in range(12):
        if x[i] > 3:
            return n
        n += 1
    return 2.5


def a_float_out_of_a_loop(x):
    for i in range(12):
        if x[i] > 3:
            return 0.5
        if x[i] < -10:
            return i
    return 7


def broken_off(x):
    n = 0
    for i in range(12):
        if x[i] > 3:
            return i
        if x[i] < -10:
            break
        n += 1
    else:
        return 2.5
    return n


def by_a_helper_with_a_loop(x):
    return x * out_of_a_loop(x)


def both_may_go_on(x):
    if x[0] > 0:
        if x[1] > 0:
            return x, (1, 2)
        x = x * 2
    if x[2] > 0:
        return x, (2.5, 1)
    return x, (1, 2.5)


def taken(x):
    if x.sum() > 0:
        return int(x.sum())
    return 2.5


def taken_and_assigned(x):
    n = 2.5
    if x.sum() > 0:
        n = int(x.sum())
    return n


def size(x):
    if x.sum() > 0:
        return 2.5
    return x.shape[0]


def size_assigned(x):
    if x.sum() > 0:
        n = 2.5
    else:
        n = x.shape[0]
    return n * x


def size_or_sum(x):
    if x.sum() > 0:
        n = x.sum()
    else:
        n = x.shape[0]
    return n


def inner_choice(x, k):
    if x.sum() > 0:
        if k > 1:
            return 1
        return 2.5
    return 3


def argument(x, k):
    if x.sum() > 0:
        return 2.5
    return k + 1


def argument_or_sum(x, k):
    if x.sum() > 0:
        return x.sum()
    return k


def first_pair(x, n):
    for i in range(n + 10):
        j = 0
        while j < i:
            if x[i] + x[j] == 3:
                return j
            j += 1
        else:
            if x[i] > 3:
                continue
    return j


PROGRAMS = [
    alone, beside, in_a_dict, nested, in_a_helper, out_of_a_loop, a_float_out_of_a_loop, broken_off,
    by_a_helper_with_a_loop, both_may_go_on, taken, taken_and_assigned, size, size_assigned, size_or_sum,
    inner_choice, argument, argument_or_sum, first_pair,
]  # fmt: skip


def arguments(fn: Any, x: Any, k: int) -> tuple[Any, ...]:
    return (x, k) if fn.__code__.co_argcount == 2 else (x,)


def ways(fn: Any, make: Any) -> list[tuple[Any, ...]]:
    arrays = [X, [-v for v in X], [9.0] * 12, [-9.0, *[1.0] * 11], [1.0, -1.0, *[0.0] * 10]]
    ks = (0, 2) if fn.__code__.co_argcount == 2 else (2,)
    return [arguments(fn, make(v), k) for v in arrays for k in ks]


def check(fn: Any, out: Any, source: str, to: str) -> None:
    """The numbers are the same, in the same containers; ints may have become floats."""
    for args in ways(fn, MAKE[source]):
        wanted, found = fn(*args), out(*map_arrays(args, lambda a: convert(a, to)))
        assert type(wanted) is type(found) or not isinstance(wanted, (tuple, list, dict))
        for name in wanted if isinstance(wanted, dict) else [None]:
            mine, theirs = (v if name is None else v[name] for v in (wanted, found))
            for one, other in zip(leaves(mine), leaves(theirs), strict=True):
                np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5, err_msg=out.source)


@pytest.mark.covering
@pytest.mark.parametrize(
    ("source", "to"),
    [(one, other) for one in MAKE for other in MAKE if "jax" in (one, other) or one != other],
)
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_every_way_gives_its_number(fn: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    example = arguments(fn, MAKE[source](X), 2)
    out = tl.transpile(fn, example, to=to, source=source)
    check(fn, out, source, to)
    report = tl.check(fn, example, to=to, source=source)
    assert report.ok, report


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_every_way_gives_its_number_in_64_bits(fn: Any, dtype: str) -> None:
    def make(values: Any) -> Any:
        return np.array(values, dtype)

    out = tl.transpile(fn, arguments(fn, make(X), 2), to="jax", x64=True)
    for args in ways(fn, make):
        wanted, found = fn(*args), out(*map_arrays(args, jnp.asarray))
        if not isinstance(wanted, (tuple, list, dict)):
            np.testing.assert_allclose(wanted, found, rtol=1e-6, err_msg=out.source)


@pytest.mark.parametrize("fn", PROGRAMS[:-1], ids=lambda fn: fn.__name__)  # torch exports no such index
def test_what_is_exported_gives_floats(fn: Any) -> None:
    out = tl.transpile(fn, arguments(fn, MAKE["torch"](X), 2), to="torch", control="export")
    check(fn, out, "torch", "torch")


def flag_or_number(x):
    if x.sum() > 0:
        return True
    return 2


def flag_in_a_list(x):
    if x.sum() > 0:
        return [True, x]
    return [2.5, x]


def flag_in_a_loop(x):
    for i in range(12):
        if x[i] > 3:
            return True
    return 0


def number_or_position(x):
    if x.sum() > 0:
        return 2.5
    return x.argmax()


def number_or_comparison(x):
    if x.sum() > 0:
        return 2
    return x.sum() > -30


def flag_or_position(x):
    if x.sum() > 0:
        return True
    return x.argmax()


@pytest.mark.parametrize(
    ("fn", "why"),
    [
        (flag_or_number, "one way gives a bool, another an int"),
        (flag_in_a_list, "one way gives a bool, another a float"),
        (flag_in_a_loop, "one way gives a bool, another an int"),
        (number_or_position, "one way gives an array of int64 without axes, another a float"),
        (number_or_comparison, "one way gives an array of bool without axes, another an int"),
        (flag_or_position, "one way gives an array of int64 without axes, another a bool"),
    ],
)
def test_what_is_no_one_kind_of_number_is_refused(fn: Any, why: str) -> None:
    with pytest.raises(tl.UnsupportedError, match=why) as refused:
        tl.transpile(fn, (MAKE["numpy"](X),), to="jax")
    assert refused.value.span is not None and refused.value.span.source_line
    for to in ("numpy", "torch"):
        check(fn, tl.transpile(fn, (MAKE["numpy"](X),), to=to), "numpy", to)


def sum_or_whole(x):
    return x.sum() or x


def whole_or_part(x):
    if x.sum() > 0:
        return x
    return x[1:]


def floats_or_bools(x):
    if x.sum() > 0:
        r = x
    else:
        r = x > 0
    return r


@pytest.mark.parametrize(
    ("fn", "why"),
    [
        (sum_or_whole, r"float32 without axes on one way and an .* float32 of shape \(12,\) on another"),
        (whole_or_part, r"one way gives an array of float32 of shape \(12,\), another .* of shape \(11,\)"),
        (floats_or_bools, "array of float32 of .* on one way and an array of bool of .* on another"),
    ],
)
def test_arrays_that_are_not_alike_are_told_apart_in_words(fn: Any, why: str) -> None:
    x = MAKE["numpy"](X)
    with pytest.raises(tl.UnsupportedError, match=why):
        tl.transpile(fn, (x,), to="jax")
    out = tl.transpile(fn, (x,), to="jax", control="python")  # the way out
    for given in (x, -x, x * 0):
        np.testing.assert_array_equal(fn(given), out(jnp.asarray(given)))

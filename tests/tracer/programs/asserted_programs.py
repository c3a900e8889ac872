"""Programs that check numbers: Python knows them when it calls the function, also where JAX compiles it."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np


def between(x, a):
    if not 0 <= a <= 1:
        raise ValueError(f"a is {a}")
    return x * a


def one_of_both(x, a):
    if a < 0 or a > 1:
        raise ValueError("a")
    return x * a


def asserted(x, a):
    assert 0 < a < 1, "a"
    return x * a


def before_a_loop(x, a):
    if a <= 0:
        raise ValueError("a")
    while np.abs(x).max() > a:
        x = x / 2
    return x


def before_a_return(x, a):
    assert 0 < a < 2
    if x.sum() > 3:
        return x
    y = x * a
    return y + 1


def in_every_turn(x, a):
    for _ in range(12):
        assert a > 0
        x = x - a * x
    return x


def check(a):
    if a <= 0:
        raise ValueError("a is bad")


def in_a_helper(x, a):
    check(a)
    return x * a


def checked(x, a):
    if a <= 0 or a > 1:
        raise ValueError("a is bad")
    if x.sum() > 3:
        return x
    return x * a


def in_a_helper_that_returns(x, a):
    return checked(x, a) + checked(x * 2, a)


def of_what_is_computed(x, a):
    k = a * 2 - 0.5
    if k <= 0:
        raise ValueError("k")
    elif k > 3:
        raise OverflowError("k")
    return x / k


def of_sizes(x, a):
    assert x.shape[0] == x.shape[1] or x.shape[1] == 1, f"{x.shape}"
    return x * a


def turned(x, s):
    if s > 3:
        return x
    return -x


def returned_for_a_number_of_an_array(x, a):
    return turned(x, float(x.sum())) * a


PROGRAMS = (
    returned_for_a_number_of_an_array, between, one_of_both, asserted, before_a_loop, before_a_return,
    in_every_turn, in_a_helper,
    in_a_helper_that_returns, of_what_is_computed, of_sizes,
)  # fmt: skip


def after_a_return(x, a):
    if x.sum() > 3:
        return x
    assert 0 < a < 1
    return x * a


def in_a_branch(x, a):
    if x.sum() > 3:
        assert 0 < a < 1
        x = x * a
    return x


def in_a_loop_that_may_not_turn(x, a):
    while x.sum() > 3:
        assert 0 < a < 1
        x = x * a
    return x


def of_an_array(x, a):
    assert 0 < a < x.max()
    return x * a


def of_a_number_of_an_array(x, a):
    if float(x.sum()) > 30 * a:
        raise ValueError("too much")
    return x


def in_a_helper_of_an_array(x, a):
    check(float(x.sum()) + 30)
    return x * a


def of_what_an_array_chose(x, a):
    b = a if x.sum() > 3 else 0.5
    check(b)
    return x * b


#: An array decides whether the check is made, or what it comes to.
OPEN = (
    after_a_return, in_a_branch, in_a_loop_that_may_not_turn, of_an_array, of_a_number_of_an_array,
    in_a_helper_of_an_array, of_what_an_array_chose,
)  # fmt: skip

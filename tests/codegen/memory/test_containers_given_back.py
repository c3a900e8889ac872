"""A copy of a list or dict among the arguments that is given back is a copy in the text, as in the program:
what a caller puts into it is not in what he gave. What is given back as it is may be one of its own.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(4.0)
DICTS = (
    lambda d: {**d},
    lambda d: dict(d),
    lambda d: d.copy(),
    lambda d: {k: v for k, v in d.items()},
    lambda d: {**d, **{}},
    lambda d: (dict(d), d)[0],
    lambda d: [{**d}, X][0],
)


def dict_and_itself(d):
    return {**d}, d


def copied_before(d):
    e = dict(d)
    return e, d


def bound_anew(d):
    d = dict(d)
    return d


def copied_twice(d):
    return {**d}, dict(d)


def list_and_itself(d):
    d = [d["a"], d["b"]]
    return list(d), d


PROGRAMS = [*DICTS, dict_and_itself, copied_before, bound_anew, copied_twice, list_and_itself]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_copy_of_a_dict_is_one(program: Any, to: str) -> None:
    given = {"a": X, "b": X + 1}
    out = tl.transpile(program, (given,), to=to)
    mine = {key: convert(value, to) for key, value in given.items()}
    found = out(mine)
    assert not [*compare(program(given), found)], out.source
    several = [found] if isinstance(found, dict) else [*found]
    assert several[0] is not mine, out.source
    assert len({id(each) for each in several}) == len(several), out.source


def listed(xs):
    return [*xs], xs[:]


def listed_beside(xs):
    return list(xs), xs


@pytest.mark.parametrize("program", [listed, listed_beside])
def test_a_copy_of_a_list_is_one(program: Any) -> None:
    given = [X, X + 1]
    found = tl.transpile(program, (given,), to="numpy")(given)
    assert not [*compare(program(given), found)]
    assert found[0] is not given and found[0] is not found[1]


def as_it_is(d, x):
    return d, x


def test_what_is_given_back_as_it_is_is_said_so() -> None:
    assert "return d, x\n" in tl.transpile(as_it_is, ({"a": X, "b": X}, X), to="numpy").source


EMPTY = np.zeros((0, 4))
WHOLE = np.zeros((3, 0, 2), np.int32)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("constant", [EMPTY, WHOLE, np.zeros((2, 0)), np.zeros((1, 0, 3), bool), np.zeros(0)])
def test_a_constant_without_elements_keeps_its_axes(constant: Any, to: str) -> None:
    def program(x, base=constant):
        return constant, base, x

    x = np.float32([1, 2])
    with np.errstate(all="ignore"):
        out = tl.transpile(program, (x,), to=to, x64=False if to == "jax" else None)
        shapes = [tuple(each.shape) for each in out(convert(x, to))]
    assert shapes == [constant.shape, constant.shape, (2,)], out.source


def windowed(i, n=2):
    return slice(i, i + n)


def through_a_helper(x, i=1):
    s = windowed(i)
    return x[s] * (2 if s.stop == 3 else 1), x[windowed(0, i)]


def numbered(n):
    return range(n)


def through_a_range(x, n=3):
    total = 0.0
    for i in numbered(n):
        total = total + x[i]
    return total


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", [through_a_helper, through_a_range])
def test_slices_and_ranges_of_helpers(program: Any, to: str) -> None:
    out = tl.transpile(program, (X,), to=to)
    assert not [*compare(program(X), out(convert(X, to)))], out.source


@pytest.mark.parametrize("program", [
    lambda x: (x[:2], slice(0, 2)), lambda x: {"s": slice(0, 2), "x": x}, lambda x: [x, range(3)],
])  # fmt: skip
def test_a_slice_is_no_result(program: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="giving back a slice or a range"):
        tl.transpile(program, (X,), to="numpy")


def copied_if_asked(d, new):
    if new:
        d = dict(d)
    return d


def copied_by_a_flag(d, new=True):
    if new:
        d = {**d}
    return d, 1.0


def one_or_the_other(d, new=True):
    e = dict(d) if new else d
    return [e, X]


def copied_in_turns(d):
    for _ in list(d):
        d = dict(d)
    return d


@pytest.mark.parametrize("new", [True, False])
@pytest.mark.parametrize("program", [copied_if_asked, copied_by_a_flag, one_or_the_other, copied_in_turns])
def test_a_copy_on_some_ways_is_one_on_these(program: Any, new: bool) -> None:
    flags = (new,) if program is not copied_in_turns else ()
    out = tl.transpile(program, ({"a": X, "b": X + 1}, *flags), to="numpy")
    for other in (True, False) if flags else ((),):
        given = {"a": X, "b": X + 1}
        wanted = program(given, *[other] * len(flags))
        try:
            found = out(given, *[other] * len(flags))
        except AssertionError:
            assert other is not new
            continue
        first = [each if isinstance(each, dict) else each[0] for each in (wanted, found)]
        assert (first[0] is given) is (first[1] is given), out.source


def twice(x):
    pair = [x, x * 2]
    return pair, {"again": pair}


def in_two_places(x):
    state = {"x": x * 2}
    return {"one": state, "other": [state, x]}


@pytest.mark.parametrize("to", ["numpy", "torch"])  # what JAX compiles builds results anew
@pytest.mark.parametrize("program", [twice, in_two_places])
def test_one_container_that_is_given_back_twice_is_one(program: Any, to: str) -> None:
    out = tl.transpile(program, (X,), to=to)
    found = out(convert(X, to))
    one, other = found if program is twice else found.values()
    assert one is (other["again"] if program is twice else other[0]), out.source


def pair_of_one(x):
    held = [x]
    return held, held


def pair_by_a_value(x):
    if x[0] > 0:
        held = [x]
        return held, held
    return [x * 2], [x * 3]


def pair_chosen(x):
    if x[0] > 0:
        held = [x]
        pair = held, held
    else:
        pair = [x * 2], [x * 3]
    return pair


@pytest.mark.parametrize("helper", [pair_of_one, pair_by_a_value, pair_chosen])
def test_a_helper_that_gives_one_list_twice_gives_one(helper: Any) -> None:
    def changed(x):
        one, other = helper(x)
        one[0] = x * 5
        return other[0] + 1

    for example in (X, X + 1):
        try:
            out = tl.transpile(changed, (example,), to="numpy")
        except tl.UnsupportedError as error:
            assert "may stand for" in str(error) and helper is not pair_of_one
            continue
        for x in (X, X + 1):
            assert not [*compare(changed(x), out(x))], out.source


def holds_itself(x):
    held = [x]
    held.append(held)
    return held


def test_a_container_that_holds_itself_is_refused() -> None:
    with pytest.raises(tl.UnsupportedError, match="a container that holds itself"):
        tl.transpile(holds_itself, (X,), to="numpy")

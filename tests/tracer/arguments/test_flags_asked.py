"""Flags that an `if` asks: the text asks them too, and is the program for both where both can be said."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import warnings
from itertools import product
from typing import Any

import jax
import numpy as np
import pytest
from as_written import is_the_users

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(6.0).reshape(2, 3) + 1
TARGETS = ["numpy", "jax", "torch"]
MADE: list[Any] = []


def by_statement(x, center=True):
    if center:
        x = x - x.mean(0)
    return np.exp(x)


def by_expression(x, low=True, k=3):
    y = x * 2 if not low else x * 3
    if low and k > 2:
        return y
    return y + 1


def by_return(x, full=False):
    out = x * 2
    if full:
        return out, x.sum()
    return out


def by_identity(x, on=True):
    y = x * 2
    if on is True:
        y += 1
    if on is not False:
        y += 2
    return y


def by_equality(x, a=True, b=False):
    if a == b:
        return x * 2
    return x + (a != b)


def several(x, a=True, b=False):
    if a and b:
        return x
    if a or b:
        return x * 2
    return x * 3


def in_a_loop(x, verbose=False):
    for i in range(5):
        x = x * 0.5
        if verbose and i % 2 == 0:
            print(f"step {i}", x.sum())
    if verbose:
        print("done", x.shape)
    return x


def in_rows(x, high=True):
    out = []
    for row in x:
        if high:
            out.append(row.max())
        else:
            out.append(row.sum())
    return out


def leaving(x, once=True):
    for i in range(3):
        if once and i == 1:
            continue
        x = x * (i + 1)
        if not once:
            break
    return x


def while_it_is(x, on=True):
    while on and x.sum() < 100:
        x = x * 2
    return x


def scaled(x, twice):
    if twice:
        return x * 2
    return x - 1


def in_a_helper(x, on=True):
    return scaled(x, on) + scaled(x, not on)


def in_a_closure(x, on=True):
    def inner(v):
        return v * 2 if on else v

    return inner(inner(x))


def rebound(x, on=True):
    for _ in range(3):
        if x.sum() > 10:
            on = False
        x = x * 2 if on else x + 1
    return x


def computed_with(x, on=True):
    return x * on, x + (not on), np.where(on, x, -x), on & (x > 2), on + 1


def returned(x, on=True):
    return x, {"on": on, "off": not on}


def raised(x, on=True):
    if not on:
        raise ValueError("off")
    return x * 2


def asserted(x, on=True):
    assert on or x.shape[0] > 1, "no"
    return x * 2


def behind_a_return(x, a=False, b=False):
    t = b
    if a:
        return x
    else:
        t = not b
    if t:
        return x * 2
    return x * 3


def behind_one_of_two(x, a=False, b=False):
    t = True
    if a:
        return x
    elif b:
        t = False
    if t:
        return x * 2
    return x * 3


def behind_a_break(x, a=False, b=False):
    for _ in range(3):
        t = b
        if a:
            break
        else:
            t = not b
        if t:
            x = x * 2
    return x


def behind_a_raise(x, a=False, b=False):
    if a:
        raise ValueError("a")
    else:
        t = not b
    if t and not a:
        return x * 2
    return x * 3


def matched(x, on=True):
    match on:
        case True:
            return x
        case False:
            return x * 2


def of_kinds(x, on=True):
    if isinstance(on, bool) and on:
        return x
    return x * 2


# What cannot be said for both.


def by_axis(x, first=True):
    return x.sum(axis=0 if first else 1)


def by_word(x, on=True):
    return x.mean(1, keepdims=on)


def by_key(x, on=True):
    return x * {True: 2, False: 3}[on]


def by_shape(x, on=True):
    if on:
        x = x.T
    return x + 1


def by_function(x, on=True):
    f = np.sin if on else np.cos
    return f(x)


def by_dtype(x, on=True):
    return x.astype(np.float32 if on else np.float64)


def by_kind(x, on=True):
    i = np.arange(3)
    return i * (1.0 if on else 2)


def by_writing(x, on=True):
    y = x if on else x.copy()
    y[0] = 5
    return y, x


STAYING = [
    by_statement, by_expression, by_return, by_identity, by_equality, several, in_a_loop, in_rows, leaving,
    while_it_is, rebound, computed_with, returned, raised, asserted,
]  # fmt: skip
OTHERS = [in_a_helper, in_a_closure, matched, of_kinds]
OTHERS += [behind_a_return, behind_one_of_two, behind_a_break, behind_a_raise]
HELD = [by_axis, by_word, by_key, by_shape, by_function, by_dtype, by_kind, by_writing]
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


def outcome(fn: Any, framework: str, flags: Any) -> Any:
    try:
        return fn(convert(X.copy(), framework), *flags)
    except ValueError as error:
        return str(error)


def flags_of(program: Any) -> list[tuple[Any, ...]]:
    number = sum(isinstance(value, bool) for value in program.__defaults__)
    return [*product((True, False), repeat=number)]


def translated(program: Any, to: str, flags: Any) -> Any:
    with jax.enable_x64(True):
        return tl.transpile(program, (X.copy(), *flags), to=to, x64=True if to == "jax" else None)


@pytest.mark.complete
@pytest.mark.parametrize("program, to", product([*STAYING, *OTHERS], TARGETS), **NAMES)
def test_a_text_is_the_program_for_both(program, to):
    for example in flags_of(program):
        if isinstance(outcome(program, "numpy", example), str):
            continue  # it gives nothing
        with jax.enable_x64(True):
            out = translated(program, to, example)
            for flags in flags_of(program):
                expected, found = outcome(program, "numpy", flags), outcome(out, to, flags)
                assert not [*compare(expected, found)], f"{flags}: {found}\n{out.source}"


@pytest.mark.parametrize("program", STAYING, **NAMES)
def test_it_asks_as_the_program_does(program):
    is_the_users(program, X, "numpy")


@pytest.mark.complete
@pytest.mark.parametrize("program, to", product(HELD, TARGETS), **NAMES)
def test_what_cannot_be_said_for_both_is_checked(program, to):
    with jax.enable_x64(True):
        out = translated(program, to, (True,))
        assert not [*compare(outcome(program, "numpy", (True,)), outcome(out, to, (True,)))]
        with pytest.raises(AssertionError):
            out(convert(X, to), False)


@pytest.mark.parametrize("program, to", product([by_identity, matched, computed_with], TARGETS), **NAMES)
@pytest.mark.parametrize("other", [1, 0, 2])
def test_a_number_is_no_flag(program, to, other):
    with jax.enable_x64(True):
        out, expected = translated(program, to, (True,)), program(X.copy(), other)
        try:
            found = out(convert(X.copy(), to), other)
        except (AssertionError, TypeError):
            return
        assert not [*compare(expected, found)], f"{found}\n{out.source}"


# The way that the example does not go.


def written_into_a_list(x, note=False):
    if note:
        MADE.append(1)
    return x * 2


def warned(x, careful=False):
    if careful:
        warnings.warn("careful", stacklevel=2)
    return x * 2


def opened(x, keep=False):
    if keep:
        open("kept.txt", "w").close()
    return x * 2


@pytest.mark.parametrize("program", [written_into_a_list, warned, opened], **NAMES)
def test_what_does_more_than_compute_is_not_done_in_vain(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        out = tl.transpile(program, (X,), to="numpy")
    assert not MADE and not [*tmp_path.iterdir()]
    with pytest.raises(AssertionError):
        out(X, True)


def pinned_on_one_way(x, check=False):
    if check:
        x = x * len({*x.shape})
    return x + 1


def without_an_operand(x, bias=None, use=False):
    if use:
        x = x + bias
    return x


@pytest.mark.parametrize("to", TARGETS)
def test_a_way_that_nobody_goes_asks_nothing(to):
    """What it would ask of shapes, or cannot do without, is not asked of calls with the example's flag."""
    out = tl.transpile(pinned_on_one_way, (X,), to=to)
    assert out(convert(np.ones((5, 2, 2)), to)).shape == (5, 2, 2)
    out = tl.transpile(without_an_operand, (X,), to=to)
    assert out(convert(np.ones(4), to)).shape == (4,)


def only_the_positive(x, compress=False):
    y = x.sum(0)
    if compress:
        return y[y > 3]
    return y


def test_what_a_target_cannot_say_is_checked_there_alone():
    assert "if compress:" in tl.transpile(only_the_positive, (X,), to="numpy").source
    text = tl.transpile(only_the_positive, (X,), to="jax").source
    assert "assert compress is False, compress" in text and "if compress" not in text


@pytest.mark.parametrize("jit", [False, True])
def test_jax_is_told_what_it_must_know(jit):
    out = tl.symbolic_trace(by_statement, (X,)).to("jax", jit=jit)
    for flag in (True, False):
        np.testing.assert_allclose(out(convert(X, "jax"), flag), by_statement(X, flag), rtol=1e-6)


@pytest.mark.parametrize("to", TARGETS)
def test_without_examples(to):
    out = tl.transpile(by_return, to=to, source="numpy")
    assert "if full:" in out.source


def test_variations_find_both_ways():
    report = tl.check(by_return, (X,), to="torch", vary=40)
    assert report.ok, str(report)

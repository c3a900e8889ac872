"""A `try` behind whose handler the program goes on: what may raise in it for other arguments is checked."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
import watched_programs as programs
from watched_looks import ONE, SQUARE, TWO, Missing, Row

import tracelate as tl
from tracelate import UnsupportedError

TARGETS = ("numpy", "torch", "jax")
ROWS = [(row, source) for row in programs.ALL for source in TARGETS]
ROWS = [(row, source) for row, source in ROWS if (row[0], source) != (programs.written, "jax")]
ROWS += [(row, "torch") for row in programs.TORCH]


def given(value: Any, to: str) -> Any:
    """The same of another framework."""
    if isinstance(value, dict):
        return {key: given(item, to) for key, item in value.items()}
    if hasattr(value, "_fields"):
        return type(value)(*(given(item, to) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(given(item, to) for item in value)
    if isinstance(value, np.ndarray):
        return {"numpy": np.copy, "torch": torch.tensor, "jax": jnp.asarray}[to](value)
    return value


def translated(fn: Callable[..., Any], example: Any, source: str, target: str, **how: Any) -> Any:
    traced = tl.symbolic_trace(fn, given(example, source))
    return traced.to(target, **how, **({"x64": True} if target == "jax" else {}))


def holds(fn: Callable[..., Any], made: Any, args: Any, source: str, target: str) -> None:
    """It gives what the program gives, or its checks raise; where the program raises, nothing is promised."""
    try:
        wanted = fn(*given(args, source))
    except Exception:
        return
    try:
        found = made(*given(args, target))
    except (AssertionError, ValueError):  # as `guards` say
        return
    assert np.shape(found) == np.shape(wanted)
    np.testing.assert_allclose(np.asarray(found), np.asarray(wanted))


@pytest.mark.covering
@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "row, source", ROWS, ids=lambda value: value[0].__name__ if isinstance(value, tuple) else value
)
def test_what_a_handler_gives_is_given_or_refused(row: Row, source: str, target: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn, example, others = row
    made = translated(fn, example, source, target)
    for args in (example, *others):
        holds(fn, made, args, source, target)
    wanted, found = fn(*given(example, source)), made(*given(example, target))
    np.testing.assert_allclose(np.asarray(found), np.asarray(wanted))


def looked_up(p):
    return p["w"]


def counted(p):
    return p["x"].shape[1]


def added(p):
    return p["x"] + p["y"]


LOOKS = (looked_up, counted, added)
CAUGHT = (KeyError, IndexError, LookupError, ValueError, TypeError, RuntimeError, Exception, None)
FULL = {"w": ONE, "x": SQUARE, "y": SQUARE}
LESS = ({**FULL, "x": TWO}, {**FULL, "y": np.ones((3, 3))}, {"x": FULL["x"], "y": FULL["y"]})


def caught_here(look: Callable[[Any], Any], kind: Any) -> Callable[[Any], Any]:
    def program(p):
        try:
            look(p)
        except kind:
            return p["x"] * 2
        return p["x"] + 1

    return program


def caught_further_out(look: Callable[[Any], Any], kind: Any) -> Callable[[Any], Any]:
    def inner(p):
        with contextlib.suppress(ImportError):
            look(p)

    return caught_here(inner, kind)


def suppressed(look: Callable[[Any], Any], kind: Any) -> Callable[[Any], Any]:
    def program(p):
        k = 2.0
        with contextlib.suppress(kind):
            look(p)
            k = 3.0
        return p["x"] * k

    return program


@pytest.mark.covering
@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("kind", CAUGHT, ids=lambda kind: getattr(kind, "__name__", "all"))
@pytest.mark.parametrize("form", (caught_here, caught_further_out, suppressed))
@pytest.mark.parametrize("look", LOOKS)
def test_whatever_looks_and_whoever_catches(look: Any, form: Any, kind: Any) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = form(look, kind or BaseException)
    for source in TARGETS:
        traced = tl.symbolic_trace(fn, (given(FULL, source),))
        for target in TARGETS:
            made = traced.to(target, **({"x64": True} if target == "jax" else {}))
            for other in (FULL, *LESS):
                holds(fn, made, (other,), source, target)


def of_another_kind(p):
    try:
        looked_up(p)
    except np.linalg.LinAlgError:
        return p["x"] * 2
    return p["x"] + 1


def raised_in_its_turn(p):
    try:
        w = p["w"]  # noqa: F841
        p["x"].shape[1]
    except (KeyError, IndexError) as error:
        raise ValueError("no w") from error
    return p["x"] + 1


def caught_by_ones_own(p):
    try:
        p["x"] + p["y"]
    except Missing:
        return p["x"] * 2
    return p["x"] + 1


@pytest.mark.parametrize("fn", (of_another_kind, raised_in_its_turn, caught_by_ones_own))
def test_where_the_program_raises_nothing_is_checked(fn: Any) -> None:
    source = tl.symbolic_trace(fn, (FULL,)).source("numpy")
    assert "assert" not in source and "try" not in source


def test_what_linear_algebra_refuses_is_no_matter_of_dtypes() -> None:
    def solved(a, b):
        try:
            x = np.linalg.solve(a, b)
        except np.linalg.LinAlgError:
            x = b
        return x

    made = tl.symbolic_trace(solved, (np.eye(2), np.ones(2))).to("numpy")
    for a in (np.eye(3, dtype=np.float32), np.zeros((3, 3), np.float32)):
        np.testing.assert_array_equal(made(a, np.ones(3, np.float32)), solved(a, np.ones(3, np.float32)))


def at_a_place(x, i):
    return x.sum(-2)[i] * float(x.ndim)


def either_way(x, i):
    if x.sum() > 0:
        return x[i]
    return x[i] * 2


@pytest.mark.parametrize("guards", ("assert", "raise"))
@pytest.mark.parametrize("target", ("numpy", "torch"))
def test_a_check_of_a_helpers_is_no_handlers(target: str, guards: str) -> None:
    """The text has the `try`, which would catch it."""

    def program(x, i):
        try:
            r = at_a_place(x, i)
        except Exception:
            r = x.sum() * 100
        return r

    x = np.arange(6.0).reshape(2, 3)
    made = translated(program, (x, 1), "numpy", target, guards=guards)
    for args in ((x, 1), (x, 5), (x.astype(np.float32), 1), (x[None], 1), (x[:, :2], 1)):
        holds(program, made, args, "numpy", target)


def test_a_helper_that_needs_checks_of_its_own_goes_inline_there() -> None:
    def program(x, i):
        try:
            r = either_way(x, i)
        except Exception:
            r = x.sum() * 100
        return r

    made = translated(program, (SQUARE, 1), "numpy", "numpy")
    for args in ((SQUARE, 1), (-SQUARE, 1), (SQUARE, 9), (-SQUARE, -9), (SQUARE[:1], 0)):
        holds(program, made, args, "numpy", "numpy")


def test_sizes_that_no_check_can_speak_of_are_refused() -> None:
    def program(x, y):
        z = x[x > 0]
        try:
            z + y
        except ValueError:
            return x * 0
        return x

    with pytest.raises(UnsupportedError, match="inside a `try`") as caught:
        tl.symbolic_trace(program, (np.ones(3), np.ones(3))).source("torch")
    assert caught.value.span is not None and caught.value.hint


def test_a_size_of_ones_own_is_general_still() -> None:
    def program(a, b):
        try:
            c = a @ b
        except ValueError:
            c = b
        return c * math.sqrt(2)

    made = tl.symbolic_trace(program, (np.ones((2, 3)), np.ones((3, 4)))).to("torch")
    assert made(torch.ones(5, 6).double(), torch.ones(6, 7).double()).shape == (5, 7)
    with pytest.raises(AssertionError):
        made(torch.ones(5, 6).double(), torch.ones(5, 7).double())

"""A `try` around what Python computes of a value that is a number on one way and an array on another: Python
raises for the one where frameworks give inf or nan of the other. The handler is reached, or the call refused.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from as_written import defined

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X, NONE = np.array([0.5, 2.0]), np.array([])
TARGETS = ("numpy", "torch", "jax")
#: How a number `s` is begun with, and what it is 0 for.
ORIGINS = {
    "a loop through an array": ("s = 0\n    for v in x:\n        s += v", [(NONE, 1), (-X + X, 1)]),
    "a counted loop": ("s = 0\n    for i in range(n):\n        s = s + x[i]", [(X, 0)]),
    "a turn that goes on": (
        "s = 0\n    for v in x:\n        if v > n / 2:\n            s += v",
        [(X, 9), (NONE, 0)],
    ),
    "a while": ("s, i = 0, 0\n    while i < n:\n        s, i = s + x[i], i + 1", [(X, 0)]),
    "the greater": ("s = 0\n    for v in x:\n        s = max(s, v)", [(-X, 1), (NONE, 1)]),
    "a flag": ("s = x.sum() if n > 0 else 0", [(X, 0)]),
    "a value": ("s = x.sum() if x[0] > 0.1 * n else 0", [(X, 9)]),
    "ints": ("s = 1\n    for i in range(n):\n        s = s * 3\n    s = s - 1", [(X, 0)]),
    "ints of a while": (
        "s = 1\n    while x[0] > s - 1 + n:\n        s += 1\n    s = s - 1",
        [(X, 0), (X, 3)],
    ),
    "a size on a way": ("s = len(x) if x[0] > n - 1 else 0", [(X, 9)]),
    "an argument": ("s = n\n    for v in x:\n        s = s * v", [(NONE, 0), (X, 0)]),
    "a helper": ("s = begun(x)", [(NONE, 1)]),
}
#: What may raise for 0.
RISKS = (
    "1 / s", "x / (2.0 / s)", "7 // s", "5.0 % s", "divmod(7.0, s)", "s ** -1", "s / s", "s / len(x)",
    "x * (s / n)",
)  # fmt: skip
SAFE = ("s / 2", "s * 2", "x / s", "s * s", "-s")
HANDLED = {
    "try": "    try:\n        return COMPUTED\n    except ZeroDivisionError:\n        return -1.0\n",
    "bound": "    try:\n        r = COMPUTED\n    except ArithmeticError:\n        r = -1.0\n    return r\n",
    "suppressed": "    with suppress(ZeroDivisionError):\n        return COMPUTED\n    return -1.0\n",
    "in a helper": (
        "    try:\n        return inner(x, s, n)\n    except ZeroDivisionError:\n        return -1.0\n"
    ),
}
BEGUN = "def begun(x):\n    s = 0\n    for v in x:\n        s += v\n    return s\n"


def program(origin: str, computed: str, form: str = "try") -> Any:
    handled = HANDLED[form].replace("COMPUTED", computed)
    inner = f"def inner(x, s, n):\n    return {computed}\n"
    begun = f"def f(x, n):\n    {ORIGINS[origin][0]}\n"
    text = f"from contextlib import suppress\n{BEGUN}{inner}\n{begun}{handled}"
    return defined(text, f"<numbers or arrays {origin} {computed} {form}>")


def given_to(args: tuple[Any, ...], to: str) -> list[Any]:
    return [arg if isinstance(arg, (int, float)) else convert(arg, to) for arg in args]


def tried(fn: Any, origin: str, to: str) -> int:
    """How many calls gave something, which must be what the program gives."""
    with jax.enable_x64(True), np.errstate(all="ignore"):
        try:
            out = tl.transpile(fn, (X, 1), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError:
            return 0
        given = 0
        for args in [(X, 1), (X, 2), *ORIGINS[origin][1]]:
            try:
                wanted = fn(*args)
            except ZeroDivisionError:
                continue  # a dividend that the handler has nothing to do with
            try:
                found = out(*given_to(args, to))
            except AssertionError:
                continue
            wrong = [*compare(wanted, found, kind="reduction")]
            assert not wrong, f"{args}: {wrong[0]}\n{out.source}"
            given += 1
        return given


@pytest.mark.covering
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("computed", RISKS)
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_handler_is_reached(origin: str, computed: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    given = tried(program(origin, computed), origin, to)
    assert given or to == "jax" or computed != "1 / s"


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])  # JAX has an array for what is a number
@pytest.mark.parametrize("computed", SAFE)
@pytest.mark.parametrize("origin", ORIGINS)
def test_what_raises_for_no_number_needs_no_handler(origin: str, computed: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    assert tried(program(origin, computed), origin, to)


@pytest.mark.covering
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("form", ["bound", "suppressed", "in a helper"])
@pytest.mark.parametrize("origin", ORIGINS)
def test_in_every_form(origin: str, form: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    tried(program(origin, "1 / s", form), origin, to)


def mean_above(x, tol):
    total, n = 0, 0
    for v in x:
        if v > tol:
            total += v
            n += 1
    try:
        return total / n
    except ZeroDivisionError:
        return 0.0


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_the_try_is_in_the_text(to: str) -> None:
    out = tl.transpile(mean_above, (X, 0.1), to=to)
    assert "    except ZeroDivisionError:\n" in out.source
    assert out(*given_to((X, 9.0), to)) == 0.0 and isinstance(out(*given_to((NONE, 9.0), to)), float)


def test_jax_is_refused_by_name() -> None:
    with pytest.raises(tl.UnsupportedError, match="x / y inside a `try` cannot be written for jax"):
        tl.transpile(mean_above, (X, 0.1), to="jax", x64=True)


def inner(x, n):
    return 1 // n + x


def of_a_helper(x, n):
    try:
        return inner(x, n)
    except ZeroDivisionError:
        return x * 5


@pytest.mark.parametrize("to", TARGETS)
def test_what_a_helper_raises_for_the_example_is_checked(to: str) -> None:
    with jax.enable_x64(True):
        out = tl.transpile(of_a_helper, (X, 0), to=to, x64=True if to == "jax" else None)
        assert not [*compare(of_a_helper(X, 0), out(*given_to((X, 0), to)), kind="reduction")]
        with pytest.raises(AssertionError):
            out(*given_to((X, 1), to))


def ints_of_jax(x, n):
    s = jax.lax.fori_loop(0, n, lambda _, s: s * 3, 1)
    try:
        return x * (1 / (s - 1))
    except ZeroDivisionError:
        return x


def python_ints_in_jax(x, n):
    s = 1
    for _ in range(n):
        s = s * 3
    try:
        return x * (1 / (s - 1))
    except ZeroDivisionError:
        return x


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("fn", [ints_of_jax, python_ints_in_jax])
def test_numbers_in_programs_of_jax(fn: Any, to: str) -> None:
    with jax.enable_x64(True):
        x = jax.numpy.asarray(X)
        try:
            out = tl.transpile(fn, (x, 2), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError:
            return
        for n in (0, 1, 2):
            assert not [*compare(fn(x, n), out(*given_to((x, n), to)), kind="reduction")], out.source

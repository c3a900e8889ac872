"""Powers of Python's numbers that a loop computes: values decide whether they are ints, floats or complex
numbers. A text gives what Python does, or the power is refused, or what decides is checked.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import jax
import numpy as np
import pytest
from as_written import defined

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.array([0.5, 2.0, 1.5])
TARGETS = ("numpy", "jax", "torch")
#: How a number `s` is made that a compiled program computes, of `x` and a number `a`.
ORIGINS = {
    "doubled": "s = a\n    for v in x:\n        s = s * 2.0",
    "lowered": "s = a\n    for v in x:\n        s = s - 1.5",
    "grown by squares": "s = 0.0\n    for i in range(len(x)):\n        s = s + a * a",
    "shrunk": "s = 4.0\n    for v in x:\n        s = s * a",
    "counted": "s = 0\n    for v in x:\n        s = s + 1",
    "counted down": "s = 2\n    for v in x:\n        s = s - 1",
    "a while": "s = a\n    while s < np.sum(x):\n        s = s + 1",
    "taken": "s = float(np.sum(x)) + a",
    "a branch": "s = a\n    if x[0] > a:\n        s = -a",
    "a helper": "s = computed(x, a)",
    "the greater": "s = 0\n    for v in x:\n        s = max(s, v)",
    "a sum of squares": "s = 0\n    for v in x:\n        s += v * v",
    "a sum above": "s = 0.0\n    for v in x:\n        if v > a:\n            s += v",
    "taken or an array": "s = float(x[0]) if a > 0 else x.sum()",
    "the greater of two": "s = max(x.sum(), -2)",
    "the less of two": "s = min(x.sum(), a)",
    "a size": "s = x.sum() if a < 1 else -len(x)",
    "less a size": "s = 0.0\n    for v in x:\n        if v > a:\n            s = v\n    s = s - len(x)",
    "either": "s = x.sum() if a > 0 else a",
    "a counter": "s = 0.0\n    for i in range(1, 4):\n        s = s + (1 - a**i)",
}
POWERS = {
    "root": "s ** 0.5", "root of a difference": "(s - 3) ** 0.5", "root above": "(1 + s) ** 0.5",
    "of a negative power": "2 ** -s", "of two": "2 ** s", "inverse": "s ** -1", "square": "s ** 2",
    "cube root": "abs(s) ** (1 / 3)", "by itself": "s ** s", "of ends": "max(s, 0.0) ** 0.5",
    "pow": "pow(s, 0.5)", "of a float": "2.0 ** s", "by the argument": "s ** a",
}  # fmt: skip
ARRAYS = (X, -X, X[:0])
NUMBERS = (2.0, 0.5, -0.5, -3.0, 0.0, 2, -1, math.inf)
COMPUTED = "def computed(x, a):\n    for v in x:\n        a = a * 2.0\n    return a\n\n\n"


def program(origin: str, power: str) -> Any:
    text = f"def f(x, a):\n    {ORIGINS[origin]}\n    return x * {POWERS[power]}\n"
    return defined(f"import numpy as np\n\n\n{COMPUTED}{text}", f"<powers {origin} {power}>")


def given_as(fn: Any, args: tuple[Any, ...]) -> Any:
    """What Python gives; None where it refuses."""
    try:
        return fn(*args)
    except (ArithmeticError, ValueError, IndexError):
        return None


def tried(fn: Any, to: str, example: Any) -> int:
    """How many calls gave something, which must be what the program gives."""
    with jax.enable_x64(True), np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if given_as(fn, (X, example)) is None:
            return 0
        try:
            out = tl.transpile(fn, (X, example), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError:
            return 0
        given = 0
        for number, x in itertools.product(NUMBERS, ARRAYS):
            wanted = given_as(fn, (x, number))
            if wanted is None:
                continue
            try:
                found = out(convert(x, to), number)
            except (AssertionError, ArithmeticError):
                continue
            wrong = [*compare(wanted, found, kind="reduction")]
            assert not wrong, f"{x, number}: {wrong[0]}\n{out.source}"
            given += 1
        return given


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_power_is_what_python_makes_it(origin: str, power: str, to: str) -> None:
    tried(program(origin, power), to, 2.0)


@pytest.mark.covering
@pytest.mark.parametrize("example", [-0.5, 2, -1])
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("origin", ORIGINS)
def test_of_any_example(origin: str, power: str, to: str, example: Any) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    tried(program(origin, power), to, example)


FINE = [
    ("grown by squares", "root"), ("grown by squares", "root above"), ("counted", "root"),
    ("counted", "of two"), ("doubled", "cube root"), ("doubled", "square"), ("taken", "of ends"),
    ("lowered", "of a float"), ("a sum of squares", "root"), ("the greater", "root"), ("either", "root"),
]  # fmt: skip


@pytest.mark.parametrize(("origin", "power"), FINE)
def test_ends_that_are_known_are_no_reason_to_refuse(origin: str, power: str) -> None:
    assert tried(program(origin, power), "jax", 2.0)


def adam(g, m, beta1=0.9, beta2=0.999, lr=0.1, steps=3):
    v = np.zeros_like(m)
    w = np.zeros_like(m)
    for t in range(1, steps + 1):
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        w = w - lr * (1 - beta2**t) ** 0.5 / (1 - beta1**t) * m / (np.sqrt(v) + 1e-8)
    return w


def test_what_is_taken_of_an_argument_is_checked() -> None:
    with jax.enable_x64(True):
        out = tl.transpile(adam, (X, X), to="jax", x64=True)
        assert "assert 0 <= beta2 <= 1, beta2\n" in out.source
        assert "<= beta1" not in out.source
        assert not [*compare(adam(X, X, 0.8, 0.5), out(X, X, 0.8, 0.5), kind="reduction")]
        with pytest.raises(AssertionError):
            out(X, X, 0.9, 1.5)


def root(x):
    return x / float(np.sum(x)) ** 0.5


def test_the_refusal_says_a_way_out() -> None:
    with pytest.raises(tl.UnsupportedError, match=r"complex number of a negative one[^$]*np\.sqrt"):
        tl.transpile(root, (X,), to="jax")

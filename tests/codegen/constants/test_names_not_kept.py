"""Numbers that may change, that an argument brings or that have no literal stand above no function."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest
from named_texts import SOURCES, X, head, texts

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

# fmt: off
PLAIN = {
    "what the program makes": ("""
        class State:
            def __init__(self):
                self.count = 2.50

        def f(x):
            state = State()
            for _ in range(3):
                state.count += 1
                x = x * state.count
            return x + state.count
     """, ["count"]),
    "what a name stands for now and then": ("""
        def f(x):
            k = 2.0
            x = x * k
            k = 3.0
            return x * k
     """, ["k"]),
    "a name that a helper has": ("""
        class Config:
            eps = 1E-3

        def plus(x, eps):
            return x + eps

        def f(x):
            return plus(x * Config.eps, x)
     """, ["Config"]),
    "items of arguments": ("""
        def f(x, given={"eps": 1E-3}):
            return x + given["eps"]
     """, ["1E-3", "1e-3"]),
    "what has no literal": ("""
        import math

        HUGE = 10 ** 400
        LONG = pow(10, 5000)
        LONGER = 1000 ** 1000 * 1000 ** 1000

        class Config:
            nan = float("nan")
            long = LONG
            huge = HUGE

        def f(x):
            x = x + (Config.long % 7) + (Config.huge % 5)
            x = x + LONG % 3 + HUGE % 2 + LONGER % 3
            return x * (3.0 if Config.nan != Config.nan else 2.0)
     """, ["HUGE", "huge", "LONG", "nan"]),
    "items of a table": ("""
        TABLE = [0.25, 0.5]

        def f(x):
            return x * TABLE[0] + TABLE[1]
     """, ["TABLE"]),
    "names of Python's": ("""
        class Config:
            sum = 3.5
            np = 4.5

        def f(x):
            return x * Config.sum + Config.np
     """, ["sum", "np ="]),
    "a counter": ("""
        def make():
            count = 0
            def step(x):
                nonlocal count
                count += 1
                return x * count
            return step

        def f(x):
            step = make()
            return step(x) + step(x)
     """, ["count"]),
}
# fmt: on


@pytest.mark.parametrize("case", PLAIN)
def test_what_may_change_has_no_name(case: str, module: Any) -> None:
    text, names = PLAIN[case]
    for found in texts(module("import numpy as np" + textwrap.dedent(text)).f).values():
        assert not head(found), found
        assert not any(name in found for name in names), found


def test_attributes_of_arguments_are_checked_as_before(module: Any) -> None:
    text = """
        class Config:
            def __init__(self, eps):
                self.eps = eps

        def f(x, cfg):
            return x + cfg.eps
    """
    made = module(text)
    for to in SOURCES:
        out: Any = tl.transpile(made.f, (X, made.Config(1e-3)), to=to)
        assert not head(out.source), out.source
        assert 'assert repr(cfg.eps) == "0.001"' in out.source
        with pytest.raises((AssertionError, ValueError)):
            out(convert(X, to), made.Config(1e-2))


def test_a_later_value_is_that_of_a_later_trace(module: Any) -> None:
    text = """
        class Config:
            eps = 1e-3

        def f(x):
            return x + Config.eps
    """
    made = module(text)
    assert "eps = 1e-3\n" in tl.transpile(made.f, (X,), to="jax").source
    made.Config.eps = 0.5
    out: Any = tl.transpile(made.f, (X,), to="jax")
    assert "eps = 0.5\n" in out.source
    np.testing.assert_allclose(to_numpy(out(convert(X, "jax"))), X + 0.5, rtol=1e-6)

"""The form of the checks at the top of a text: asserts, errors, or none."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = np.ones((3, 2), np.float32)


def pool(x, w, mode="mean", n=None):
    if x.shape != w.shape:
        raise ValueError("no")
    return x[0].sum() + np.zeros(2, x.dtype) if mode == "mean" and n is None else [w]


FORMS = {
    "assert": [
        'assert mode == "mean", mode',
        "assert n is None, n",
        "assert x.dtype == np.float32, x.dtype",
        "assert x.shape == w.shape, (x.shape, w.shape)",
    ],
    "raise": [
        'if mode != "mean":',
        "raise ValueError(f\"pool was traced with mode='mean', not {mode!r}\")",
        "if n is not None:",
        'raise ValueError(f"pool was traced with n=None, not {n!r}")',
        "if x.dtype != np.float32:",
        'raise ValueError(f"pool was traced for x of dtype float32, not {x.dtype}")',
        "if x.shape != w.shape:",
        "raise ValueError(",
        'f"pool was traced with x.shape == w.shape, not {x.shape} and {w.shape}"',
        ")",
    ],
    "none": [],
}


@pytest.mark.parametrize("form", FORMS)
def test_the_forms_of_checks(form):
    text = tl.symbolic_trace(pool, (X, X)).source("numpy", guards=form)
    body = [line.strip() for line in text.split("n=None):\n")[1].splitlines()]
    assert body[:-1] == FORMS[form]


def test_a_form_that_there_is_not():
    with pytest.raises(ValueError, match="guards= is one of assert, raise, none, not 'maybe'"):
        tl.transpile(pool, (X, X), to="torch", guards="maybe")


def test_every_door_takes_the_form():
    assert "raise" in tl.transpile(pool, (X, X), to="numpy", guards="raise").source
    assert "assert" not in tl.symbolic_trace(pool, (X, X)).to("torch", guards="none").source
    assert tl.check(pool, (X, X), to="torch", guards="raise")

    @tl.transpile(to="jax", source="numpy", guards="raise")
    def decorated(x, n=None):
        return x if n is None else -x

    assert "raise" in decorated.traced((X,), {}).source


def test_dtypes_are_one_check():
    def told(x, y, z=None):
        return np.zeros(2, x.dtype), np.ones(2, y.dtype), np.ones(2, z.dtype)

    text = tl.symbolic_trace(told, (X, X, X)).source("jax")
    assert "    assert x.dtype == y.dtype == jnp.float32, (x.dtype, y.dtype)\n" in text
    assert "    assert z is None or z.dtype == jnp.float32, z.dtype\n" in text


def test_checks_speak_inside_a_jitted_function():
    def turned(x, z=None, mode="mean", n=3):
        while x.sum() < n:
            x = x * 2
        return x if z is None and mode == "mean" else -x

    out = tl.transpile(turned, (X,), to="jax")
    assert "@functools.partial(jax.jit" in out.source
    x = jnp.asarray(X)
    assert out(x).shape == (3, 2)
    for options in ({"mode": "max"}, {"z": x}, {"z": [x]}):
        with pytest.raises(AssertionError):
            out(x, **options)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_arrays_of_another_framework_are_named(to):
    """Under "raise" both dtypes are said as their frameworks spell them."""
    text = tl.transpile(pool, (X, X), to=to, guards="raise")
    given = torch.ones(3, 2) if to != "torch" else X
    words = {"numpy": "float32, not torch.float32", "torch": "torch.float32, not float32", "jax": "torch"}
    with pytest.raises((ValueError, TypeError), match=words[to]):
        text(given, given)
    halved = tl.transpile(lambda x: x / 2, (torch.ones(3),), to="numpy")
    with pytest.raises(AssertionError, match="torch.float32"):
        halved(torch.ones(3))

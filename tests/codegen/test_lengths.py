"""Loops that JAX scans and whose turn nobody reads say how many turns they take: `length=`, not an arange."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl

X = np.arange(1.0, 5.0, dtype=np.float32)


def twelve(x, n):
    out = []
    for _ in range(12):
        x = x * 0.5
        out.append(x)
    return np.stack(out)


def of_a_size(x, n):
    out = []
    for _ in range(x.shape[0]):
        x = x * 0.5
        out.append(x)
    return np.stack(out)


def of_a_number(x, n):
    out = []
    for _ in range(n):
        x = x * 0.5
        out.append(x)
    return np.stack(out) if out else x


def read(x, n):
    out = []
    for i in range(12):
        x = x * i
        out.append(x)
    return np.stack(out)


def scanned(x, n):
    return jax.lax.scan(lambda c, _: (c * 0.5, c), x, None, length=10)[1]


@pytest.mark.parametrize(
    "fn, said",
    [(twelve, "length=12"), (of_a_size, "length=x.shape[0]"), (scanned, "length=10"),
     (of_a_number, "jnp.arange(n)"), (read, "jnp.arange(12)")],
)  # fmt: skip
def test_how_many_turns_a_scan_takes(fn, said):
    example = jnp.asarray(X) if fn is scanned else X
    out = tl.transpile(fn, (example, 10), to="jax")
    assert said in out.source
    for x, n in ((X, 10), (X[:2], 12), (X[:1], 9)):
        given = jnp.asarray(x)
        np.testing.assert_allclose(out(given, n), np.asarray(fn(given if fn is scanned else x, n)), rtol=1e-6)
    again = tl.symbolic_trace(out, (jnp.asarray(X), 10)).source("jax")
    assert said in again

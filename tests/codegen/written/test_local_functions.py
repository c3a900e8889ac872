"""Functions that others define: they stay functions, given what they read of variables there."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product
from typing import Any

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X = np.arange(6.0).reshape(2, 3) + 1
OTHERS = [np.arange(12.0).reshape(4, 3) - 3, X[:1], X[:, :1], X.astype(np.float32)]


def reads_a_number(x, k=2):
    def rhs(y):
        return -k * y + np.sin(y)

    return rhs(x) + rhs(x * 2)


def rk4(f, y, h):
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def handed_to_a_helper(x, k=2):
    w = x.mean()

    def rhs(y):
        return -k * y + w

    for _ in range(10):
        x = rk4(rhs, x, 0.1)
    return x


def a_lambda_handed_to_a_helper(x, k=2):
    return rk4(lambda y: -k * y, x, 0.1) + rk4(np.sin, x, 0.1)


def reads_sizes(x, k=2):
    n, m = x.shape

    def f(v):
        return v.sum() / n + np.ones(m)

    return f(x) + f(x * 2)


def reads_what_was_computed(x, k=2):
    K = x @ x.T

    def f(v):
        return (K @ v).reshape(-1) / K.shape[0] + np.zeros(K.shape[0])

    return f(x[:, 0]) + f(x[:, 0] * k)


def with_defaults(x, k=2):
    a = x.sum(0)

    def dist(u):
        return ((u - a) ** 2).sum()

    def grad(f, u, eps=1e-2):
        g = np.zeros_like(u)
        for i in range(u.shape[0]):
            e = np.zeros_like(u)
            e[i] = eps
            g[i] = (f(u + e) - f(u - e)) / (2 * eps)
        return g

    return grad(dist, x[0])


def one_in_another(x, k=2):
    a = x.sum()

    def outer(v):
        b = v.max()

        def inner(u):
            return u * a + b

        return inner(v) + inner(v * 2)

    return outer(x) + outer(x + 1)


def rebound_between(x, k=2):
    a = x.sum()

    def f(v):
        return v * a

    y = f(x)
    a = x.max()
    return y + f(x)


def written_between(x, k=2):
    a = x * 1

    def f(v):
        return v + a

    y = f(x)
    a[0] = 7
    return y + f(x)


def a_view_written_between(x, k=2):
    a = x * 1
    row = a[0]

    def f(v):
        return v + row

    y = f(x)
    a[0] = 5
    return y + f(x)


def writes_what_it_reads(x, k=2):
    a = x * 1

    def f(v):
        a[0] += v[0]
        return a.sum()

    s = f(x)
    t = f(x)
    return a, s, t


def writes_its_argument(x, k=2):
    def relax(u, f):
        u[:] += 0.5 * f(u)

    def lap(u):
        return np.roll(u, 1, 0) * w - u

    w = 0.3
    y = x * 1
    for _ in range(3):
        relax(y, lap)
    return y


def in_turns(x, k=2):
    a = x.sum()

    def f(v):
        return v + a

    for _ in range(k):
        x = f(x)
        a = x.max()
    return x


def of_rows(x, k=2):
    total = 0.0
    for row in x:

        def f(v):
            return v * row

        total = total + f(x).sum()
    return total


def bound_late(x, k=2):
    fs = []
    for i in range(3):

        def f(v):
            return v * i

        fs.append(f)
    return sum(f(x) for f in fs)


def bound_by_a_default(x, k=2):
    a = x.sum()

    def f(v, a=a):
        return v * a

    a = 3
    return f(x) + a


def of_a_function(x, k=2):
    def twice(f):
        def g(v):
            return f(f(v))

        return g

    def h(v):
        return v * k + 1

    return twice(h)(x) + twice(twice(h))(x)


def of_a_dict(x, k=2):
    d = {"w": x.sum(), "b": 2.0}

    def f(v):
        return v * d["w"] + d["b"]

    y = f(x)
    d["w"] = x.max()
    return y + f(x)


def with_a_flag(x, k=2, on=True):
    def f(v):
        if on:
            return v * k
        return v

    return f(f(x))


# What ends up where it is called.


def gives_what_it_reads(x, k=2):
    a = x * 1

    def f(v):
        return a

    y = f(x)
    y[0] = 7
    return a, y


def collects(x, k=2):
    log = []

    def note(v):
        log.append(v.sum())
        return v * 2

    y = note(note(x))
    return y, log


def counts(x, k=2):
    n = 0

    def f(v):
        nonlocal n
        n += 1
        return v * n

    return f(x) + f(x)


def adds(x, k=2):
    total = x * 0

    def add(v):
        nonlocal total
        total = total + v

    add(x)
    add(x * k)
    return total


def in_both_ways(x, k=2):
    a = x * 1

    def f(v, w):
        v[0] = 5
        return w.sum() + a.sum()

    s = f(a, a)
    return a, s


def by_functions(x, k=2):
    memo = {}

    def run(f, y):
        if f not in memo:
            memo[f] = f(y)
        return memo[f]

    return run(np.sin, x) + run(np.sin, x) * len(memo)


KEPT = [
    reads_a_number, handed_to_a_helper, a_lambda_handed_to_a_helper, reads_sizes, reads_what_was_computed,
    with_defaults, one_in_another, rebound_between, written_between, a_view_written_between,
    writes_what_it_reads, writes_its_argument, in_turns, of_rows, bound_late, bound_by_a_default,
    of_a_function, of_a_dict, with_a_flag,
]  # fmt: skip
INLINE = [gives_what_it_reads, collects, counts, adds, in_both_ways, by_functions]
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


@pytest.mark.complete
@pytest.mark.parametrize("program, to", product([*KEPT, *INLINE], ["numpy", "jax", "torch"]), **NAMES)
def test_it_is_what_the_program_gives(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        out = tl.transpile(program, (X.copy(),), to=to, x64=True if to == "jax" else None)
        for array, numbers in product([X, *OTHERS], [(), (3,), (0,)]):
            mine, theirs = array.copy(), convert(array.copy(), to)
            try:
                found = out(theirs, *numbers)
            except (AssertionError, TypeError, ValueError, IndexError):
                assert array is not X or numbers
                continue
            wrong = [*compare(program(mine, *numbers), found, kind="reduction", narrowed=True)]
            wrong += [] if to == "jax" else [*compare(mine, theirs)]
            assert not wrong, f"{array} {numbers}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("program", KEPT, **NAMES)
def test_it_stays_a_function(program: Any) -> None:
    source = tl.transpile(program, (X,), to="numpy").source
    assert source.count("def ") > 1, source


@pytest.mark.parametrize("program", INLINE, **NAMES)
def test_what_its_caller_would_see_ends_up_inline(program: Any) -> None:
    source = tl.transpile(program, (X,), to="numpy").source
    assert source.count("def ") == 1, source


def test_variables_are_parameters_by_their_names() -> None:
    source = tl.transpile(handed_to_a_helper, (X,), to="numpy").source
    assert "x = rk4(x, 0.1, k, w)" in source and "def rk4(y, h, k, w):" in source
    assert "k2 = rhs(y + h / 2 * k1, k, w)" in source and "def rhs(y, k, w):" in source


def test_they_stand_before_defaults() -> None:
    source = tl.transpile(with_defaults, (X,), to="numpy").source
    assert "def grad(u, a, eps=1e-2):" in source and "return grad(x[0], a)" in source


def test_the_bodies_of_compiled_loops_stay_theirs() -> None:
    import jax.numpy as jnp
    from jax import lax

    def summed(x):
        scale = x.mean()

        def step(total, row):
            return total + row * scale, None

        return lax.scan(step, jnp.zeros(3), x)[0]

    source = tl.transpile(summed, (jnp.asarray(X, jnp.float32),), to="jax").source
    assert "def step(total, row):\n        return total + row * scale, None" in source, source

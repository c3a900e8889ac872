"""Control flow written for JAX goes through its transformations: jax.jit, jax.vmap, and, where it is known
when the function is called how often a loop turns, jax.grad.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves

pytestmark = pytest.mark.usefixtures("wide")


# NumPy's programs, for all that can be done to rows.


def branch(x, y):
    if x.sum() > y.sum():
        z = np.sin(x) * y
    elif x.max() > 1:
        return x * y
    else:
        z = x - y
    return z * 2


def newton(a):
    x = a
    while np.abs(x * x - a).max() > 1e-10:
        x = 0.5 * (x + a / x)
    return x


def left_early(x, limit):
    total = np.zeros_like(x)
    for i in range(20):
        total = total + x * i
        if total.max() > limit.sum():
            break
        if i % 2 == 0:
            continue
        total = total * 0.5
    else:
        return -total
    return total


def found(x, v):
    for i in range(x.shape[0]):
        if x[i] > v[0]:
            return i, x * 2
    return -1, x


def sorted_by_hand(x):
    x = x.copy()
    for i in range(x.shape[0]):
        for j in range(x.shape[0] - 1):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    return x


def powers(x, n: int):
    out = np.ones_like(x)
    for _ in range(n):
        out *= x
        out[0] += 0.5
    return out


def collected(xs, h):
    outs = []
    for x in xs:
        h = np.tanh(x + 0.5 * h)
        outs.append(h if h.sum() > 0 else -h)
    return np.stack(outs), h


def downwards(x):
    y = x.copy()
    for i in range(x.shape[0] - 2, -1, -1):
        y[i] = y[i] + 0.5 * y[i + 1]
    return y


DRAW = np.random.default_rng(3)
ROWS: list[tuple[Callable[..., Any], tuple[np.ndarray, ...], tuple[int, ...]]] = [
    (branch, (DRAW.normal(size=(8, 3)), DRAW.normal(size=(8, 3))), ()),
    (newton, (DRAW.uniform(0.5, 9, size=(6, 3)),), ()),
    (left_early, (DRAW.normal(size=(8, 3)), DRAW.uniform(0, 30, size=(8, 1))), ()),
    (found, (DRAW.normal(size=(8, 4)), DRAW.normal(size=(8, 1))), ()),
    (sorted_by_hand, (DRAW.normal(size=(5, 10)),), ()),
    (powers, (DRAW.normal(size=(5, 3)),), (12,)),
    (collected, (DRAW.normal(size=(5, 10, 3)), DRAW.normal(size=(5, 3))), ()),
    (downwards, (DRAW.normal(size=(5, 12)),), ()),
]


def written(fn: Callable[..., Any], args: tuple[Any, ...], source: str) -> Callable[..., Any]:
    """The function for JAX."""
    given = map_arrays(args, lambda a: convert(a, source))
    made: Callable[..., Any] = tl.symbolic_trace(fn, given, source=source).to("jax", x64=True)
    return made


def arrays(value: Any) -> list[np.ndarray]:
    return [np.asarray(to_numpy(leaf)) for leaf in leaves(value)]


@pytest.mark.parametrize(("fn", "batches", "rest"), ROWS, ids=[fn.__name__ for fn, *_ in ROWS])
def test_rows_under_jit_and_vmap(fn: Any, batches: tuple[np.ndarray, ...], rest: tuple[int, ...]) -> None:
    rows = list(zip(*batches))
    expected = [arrays(fn(*(a.copy() for a in row), *rest)) for row in rows]
    out = written(fn, (*rows[0], *rest), "numpy")
    jitted = jax.jit(lambda *row: out(*row, *rest))
    for row, wanted in zip(rows, expected):
        for a, b in zip(wanted, arrays(jitted(*map(jnp.asarray, row))), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    together = arrays(jax.vmap(jitted)(*map(jnp.asarray, batches)))
    for number, a in enumerate(together):
        np.testing.assert_allclose(np.stack([row[number] for row in expected]), a, rtol=1e-9, atol=1e-12)


# torch's programs, whose gradients torch knows.


def t_branch(x, y):
    if x.sum() > y.sum():
        z = torch.sin(x) * y
    else:
        z = x - y * y
    return z * 2


def t_nested_branch(x, y):
    if x.sum() > 0:
        if y.sum() > 0:
            return x * y
        x = x * 3
    return torch.tanh(x) + y


def t_fixed_range(x, y):
    for i in range(12):
        x = torch.sin(x) + i * y
    return x


def t_range_of_n(x, y, n: int):
    for _ in range(n):
        if x.sum() > 1:
            x = torch.cos(x) * y
        else:
            x = x + y
    return x


def t_range_of_a_size(x, y):
    total = torch.zeros_like(y)
    for i in range(x.shape[0]):
        total = total + x[i] * y
    return total


def t_counted_down(x, y):
    for i in range(20, 0, -2):
        x = x * 0.9 + y / i
    return x


def t_recurrence(xs, h):
    outs = []
    for x in xs:
        h = torch.tanh(x * h + 0.1)
        outs.append(h)
    return torch.stack(outs), h


def t_zipped(xs, ys):
    total = torch.zeros_like(xs[0])
    for x, y in zip(xs, ys):
        if (x * y).sum() > 0:
            total = total + x * y
    return total


def t_loop_in_loop(x, y):
    for i in range(10):
        for j in range(x.shape[0]):
            y = y + torch.sin(x[j]) * i
    return y


def t_written(x, y):
    z = x.clone()
    for i in range(1, x.shape[0]):
        z[i] = z[i - 1].clone() * y[i] + x[i]
    return z


def t_helper(x, y):
    def pick(a):
        if a.sum() > 0:
            return a * a
        return a * 10

    for _ in range(9):
        x = pick(x - y) * 0.1
    return x


def t_solved(x, y):
    z = x * x + 1
    for _ in range(50):
        new = 0.5 * (z + (y * y + 1) / z)
        if torch.abs(new - z).max() < 1e-9:
            break
        z = new
    return z


def t_left_or_not(xs, h):
    for x in xs:
        h = torch.tanh(h + x)
        if h.sum() > 1:
            return h * 2
        if h.sum() < -1:
            continue
        h = h * 1.5
    else:
        h = -h
    return h


def t_left_within(x, y):
    total = torch.zeros_like(y)
    for i in range(9):
        for j in range(x.shape[0]):
            if total.sum() > 2:
                break
            total = total + torch.sin(x[j] * y) + i * 0.1
        if total.max() > 3:
            break
        total = total * 0.5
    return total


def t_largest_until(x, y):
    best = None
    for row in x:
        if best is not None and best.sum() > 2:
            break
        best = row * y if best is None else torch.maximum(best, row * y)
    return best


def drawn(*shape: int) -> np.ndarray:
    made: np.ndarray = DRAW.normal(size=shape)
    return made


GRADIENTS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (t_branch, [(drawn(3), drawn(3)) for _ in range(4)]),
    (t_nested_branch, [(a * drawn(3) ** 2, b * drawn(3) ** 2) for a in (1, -1) for b in (1, -1)]),
    (t_fixed_range, [(drawn(3), drawn(3))]),
    (t_range_of_n, [(drawn(3), drawn(3), n) for n in (12, 3, 0)]),
    (t_range_of_a_size, [(drawn(10), drawn(3)), (drawn(2), drawn(3))]),
    (t_counted_down, [(drawn(3), drawn(3))]),
    (t_recurrence, [(drawn(10, 3), drawn(3)), (drawn(2, 3), drawn(3))]),
    (t_zipped, [(drawn(10, 3), drawn(10, 3))]),
    (t_loop_in_loop, [(drawn(9), drawn(3))]),
    (t_written, [(drawn(10), drawn(10)), (drawn(3), drawn(3))]),
    (t_helper, [(drawn(3), drawn(3)), (-(drawn(3) ** 2), drawn(3) ** 2)]),
    (t_solved, [(drawn(3), drawn(3)), (drawn(3) * 9, drawn(3))]),
    (t_left_or_not, [(drawn(10, 3), drawn(3)) for _ in range(3)] + [(drawn(10, 3) * 0.1, drawn(3))]),
    (t_left_within, [(drawn(9), drawn(3)) for _ in range(3)] + [(drawn(9) * 0, drawn(3))]),
    (t_largest_until, [(drawn(10, 3), drawn(3)) for _ in range(3)] + [(drawn(10, 3) * 0.1, drawn(3))]),
]


def total(value: Any) -> Any:
    """One number of which every result is a part, each in its own way."""
    return sum((leaf * (i + 1)).sum() for i, leaf in enumerate(leaves(value)))


@pytest.mark.parametrize(("fn", "inputs"), GRADIENTS, ids=[fn.__name__ for fn, _ in GRADIENTS])
def test_a_gradient_is_the_sources(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    out = written(fn, inputs[0], "torch")
    for x, y, *rest in inputs:
        given = [torch.tensor(a, requires_grad=True) for a in (x, y)]
        expected = torch.autograd.grad(total(fn(*given, *rest)), given, materialize_grads=True)
        gradient = jax.grad(lambda a, b: total(out(a, b, *rest)), argnums=(0, 1))  # noqa: B023
        for a, b in zip(expected, gradient(jnp.asarray(x), jnp.asarray(y)), strict=True):
            np.testing.assert_allclose(a.numpy(), b, rtol=1e-9, atol=1e-12)


LEFT = [p for p in GRADIENTS if p[0] in (t_solved, t_left_or_not, t_left_within, t_largest_until)]


@pytest.mark.parametrize(("fn", "inputs"), LEFT, ids=[fn.__name__ for fn, _ in LEFT])
def test_a_loop_that_is_left_early_under_vmap(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    """Each row leaves it at another turn."""
    out = written(fn, inputs[0], "torch")
    batches = [np.stack(column) for column in zip(*inputs)]
    expected = torch.stack([fn(*map(torch.tensor, row)) for row in inputs])
    np.testing.assert_allclose(jax.vmap(out)(*map(jnp.asarray, batches)), expected, rtol=1e-9, atol=1e-12)
    given = [torch.tensor(a, requires_grad=True) for a in batches]
    every = torch.stack([fn(*row) for row in zip(*given)])
    wanted = torch.autograd.grad(every.sum(), given, materialize_grads=True)
    gradient = jax.grad(lambda *a: jax.vmap(out)(*a).sum(), argnums=(0, 1))
    for a, b in zip(wanted, gradient(*map(jnp.asarray, batches)), strict=True):
        np.testing.assert_allclose(a.numpy(), b, rtol=1e-9, atol=1e-12)


def test_a_loop_that_is_left_early_is_a_while_where_no_gradient_is_to_be_had() -> None:
    def left(x):
        for _ in range(20):
            x = x * 2
            if x.max() > 100:
                break
        return x

    def left_late(x):
        for _ in range(5000):
            x = x * 2
            if x.max() > 100:
                break
        return x

    def counted(x):
        n = 0
        for row in x:
            if row > 0:
                break
            n += 1
        return n

    assert "while_loop" in tl.symbolic_trace(left, np.ones(3)).source("jax", x64=True)
    assert "while_loop" not in tl.symbolic_trace(left, torch.ones(3)).source("jax")
    assert "while_loop" in tl.symbolic_trace(left_late, torch.ones(3)).source("jax")
    assert "while_loop" in tl.symbolic_trace(counted, torch.ones(12)).source("jax")


SMOOTH = [
    (fn, tuple(b[0] for b in batches), rest) for fn, batches, rest in ROWS if fn not in (found, left_early)
]


@pytest.mark.parametrize(("fn", "args", "rest"), SMOOTH, ids=[fn.__name__ for fn, *_ in SMOOTH])
def test_a_derivative_is_that_of_differences(fn: Any, args: tuple[np.ndarray, ...], rest: Any) -> None:
    """Forward mode goes through a while_loop too."""
    out = written(fn, (*args, *rest), "numpy")
    ways = tuple(DRAW.normal(size=a.shape) for a in args)

    def moved(by: float) -> Any:
        return total(fn(*(a + by * way for a, way in zip(args, ways)), *rest))

    _, found = jax.jvp(lambda *a: total(out(*a, *rest)), tuple(map(jnp.asarray, args)), ways)
    np.testing.assert_allclose((moved(1e-6) - moved(-1e-6)) / 2e-6, found, rtol=1e-4, atol=1e-6)

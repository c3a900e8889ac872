"""Numbers computed from sizes decide what Python, an op or a literal does: for arguments of other ranks and
sizes, masks in the place of indices, and lists of nothing, a text gives what the program gives, or raises.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def of_a_whole_shape(a):
    return a / np.prod(a.shape), np.array([a.shape, a.T.shape]), np.flip(a.shape), np.asarray(a.shape) // 2


def of_shapes_in_lists(a):
    return np.concatenate([a.shape, [1]]), np.prod([a.shape, a.shape]), np.linalg.norm(a.shape)


def in_a_comprehension(a):
    return [a * i for i in range(a.size // 2)]


def in_a_reduction(a):
    c = a.ravel()
    return a * sum(range(len(c) // 2))


def in_steps(a):
    return a[:: max(1, a.size // 3)]


def in_steps_of_what_is_flat(a):
    return a.ravel()[:: len(a.ravel()) // 3]


def written_in_steps(a):
    b = a * 1
    b[:: max(1, a.size // 4)] += 1
    return b


def split(a):
    return np.split(a, a.size // 2)


def as_a_literal(a):
    return np.arange(0, 8, a.size // 2) + a.mean(), np.expand_dims(a, a.size // 4 - 1)


def by_a_product(a):
    return a.reshape(2, -1)[:: math.prod(a.shape) // 4]


OF_ONE = (
    of_a_whole_shape, of_shapes_in_lists, in_a_comprehension, in_a_reduction, in_steps,
    in_steps_of_what_is_flat, written_in_steps, split, as_a_literal, by_a_product,
)  # fmt: skip
SHAPES = ((4,), (8,), (4, 4), (2, 4), (1, 4), (2, 2, 2), (1,), (3,))


def count(a, b):
    c = a + b
    return [c * n for n in range(len(c) // 2)]


def count_at_least(a, b):
    c = a + b
    return [float(c[n:].sum()) for n in range(1, max(2, len(c) // 2))]


def step_of_two(a, b):
    c = np.where(a > 2, a, b)
    return c[:: max(1, len(c) // 4)]


OF_TWO = (count, count_at_least, step_of_two)
PAIRS = (((4,), (4,)), ((4,), (2, 4)), ((1,), (8,)), ((8,), (1,)), ((8,), (8,)), ((1,), (4,)))


def picked(a, i):
    c = a[i]
    return c + a if c.shape == a.shape else c


def picked_in_steps(a, i):
    c = a[i]
    return c[:: max(1, len(c) // 2)]


def picked_and_counted(a, i):
    c = a[i]
    return c.sum(0) if c.ndim == a.ndim and len(c) == len(i) else c


def numbers(*shape: int) -> Any:
    return np.arange(1.0, 1 + math.prod(shape), dtype=np.float32).reshape(shape)


def agrees_or_refuses(fn: Any, to: str, example: tuple[Any, ...], others: Any, source: str = "numpy") -> None:
    given = [convert(x, source) for x in example]
    out = tl.transpile(fn, tuple(given), source=source, to=to, x64=True)
    for arrays in (example, *others):
        try:
            found = out(*[convert(x.copy(), to) for x in arrays])
        except AssertionError:
            assert arrays is not example
            continue
        try:
            expected = fn(*[convert(x.copy(), source) for x in arrays])
        except Exception:
            continue
        assert not list(compare(expected, found, kind="linalg")), out.source


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", OF_ONE)
@pytest.mark.usefixtures("wide")
def test_other_ranks(fn: Any, to: str) -> None:
    agrees_or_refuses(fn, to, (numbers(4),), [(numbers(*shape),) for shape in SHAPES])
    if fn in (of_a_whole_shape, of_shapes_in_lists):
        agrees_or_refuses(fn, to, (numbers(3, 2),), [(numbers(*shape),) for shape in SHAPES])


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", OF_TWO)
@pytest.mark.usefixtures("wide")
def test_other_sizes(fn: Any, to: str) -> None:
    agrees_or_refuses(fn, to, (numbers(4), numbers(4)), [(numbers(*a), numbers(*b) + 1) for a, b in PAIRS])


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [picked, picked_in_steps, picked_and_counted])
@pytest.mark.usefixtures("wide")
def test_masks_in_the_place_of_indices(fn: Any, to: str) -> None:
    mask = np.array([True, False, False, False])
    agrees_or_refuses(fn, to, (numbers(4), np.arange(4)), [(numbers(4), mask), (numbers(4), np.arange(2))])


def listed(x):
    return np.array(list(x))


def collected(x):
    out = []
    for row in x:
        out.append(row * 2)
    return np.array(out)


def collected_but_one(x):
    out = []
    for i in range(1, x.shape[0]):
        out.append(x[i] * 2)
    return np.asarray(out)


def collected_in_pairs(x):
    out = []
    for a, b in zip(x, x * 2):
        out.append(a + b)
    out = np.array(out)
    return out * len(out.shape)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [listed, collected, collected_but_one, collected_in_pairs])
@pytest.mark.usefixtures("wide")
def test_arrays_of_nothing(fn: Any, to: str) -> None:
    agrees_or_refuses(fn, to, (numbers(12, 2),), [(numbers(n, 2),) for n in (0, 1, 2, 5)])


def test_what_an_index_without_axes_picks() -> None:
    def taken(x, i):
        y = np.take(x, i, axis=0)
        y += 1
        return y

    x, i = numbers(3, 2), np.array([1, 0])
    for fn in (taken, lambda x, i: np.take(x, i, axis=0), lambda x, i: x[i]):
        out = tl.transpile(fn, (x.copy(), i), to="torch")
        given = torch.tensor(x)
        assert not list(compare(fn(x.copy(), i), out(given, torch.tensor(i))))
        with pytest.raises(AssertionError):
            out(given, torch.tensor(1))
        assert np.array_equal(given.numpy(), x)


FLOORS = (
    lambda x: x // 0.1,
    lambda x, a=0.1: x // a,
    lambda x: torch.floor_divide(x, 1 / 3),
    lambda x: torch.div(x, 0.1, rounding_mode="trunc"),
    lambda x: (x // 0.1).long(),
    lambda x: x // 0.5,
)


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("number", range(len(FLOORS)))
@pytest.mark.usefixtures("wide")
def test_steps_of_halves(number: int, to: str) -> None:
    x = np.array([1, 2, 0.1, 0.3], np.float32)
    for example in (x, x.astype(np.float16)):
        agrees_or_refuses(FLOORS[number], to, (example,), [(x,), (x.astype(np.float16),)], "torch")


LOGITS = (
    lambda x, y: torch.nn.functional.binary_cross_entropy_with_logits(x, y),
    lambda x, y: torch.nn.functional.binary_cross_entropy_with_logits(x, y.float()),
    lambda x, y: torch.nn.functional.binary_cross_entropy_with_logits(x.float(), y),
    lambda x, y: torch.nn.functional.binary_cross_entropy_with_logits(x, y, weight=torch.ones(3)),
)


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("number", range(len(LOGITS)))
@pytest.mark.usefixtures("wide")
def test_dtypes_of_logits(number: int, to: str) -> None:
    x, y = np.array([0.5, -np.inf, np.inf], np.float32), np.array([0.0, 0.0, 1.0], np.float32)
    others = [(x.astype(a), y.astype(b)) for a in ("f2", "f4", "f8") for b in ("f2", "f4", "f8")]
    agrees_or_refuses(LOGITS[number], to, (x, y), others, "torch")


def test_weak_arguments_beside_others() -> None:
    import jax.numpy as jnp

    def axpy(lr, p, g):
        return jnp.maximum(p - lr * g, lr), jnp.where(p > 0, p, lr)

    p = jnp.arange(3.0)
    for rate in (jnp.array(0.1), jnp.asarray(2), jnp.full(3, 0.5)):
        for to in ("numpy", "torch", "jax"):
            out = tl.transpile(axpy, (rate, p, p), to=to)
            found = out(*[convert(np.asarray(v), to) for v in (rate, p, p)])
            assert not list(compare(axpy(rate, p, p), found)), out.source


def in_front(x, v):
    y = x * 1
    y[0] = v[None]
    y[:, 0] = v[None, :2]
    y[1] = v.reshape(1, -1)
    y[-1:] = v[None, None]
    return y


def given_in_front(x, v):
    y = x * 1
    y[0] = v
    return y


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
def test_leading_axes_of_what_is_written(source: str, to: str) -> None:
    x, v = numbers(2, 3), numbers(3) * 10
    agrees_or_refuses(in_front, to, (x, v), [], source)
    agrees_or_refuses(given_in_front, to, (x, v[None]), [(x, v)], source)

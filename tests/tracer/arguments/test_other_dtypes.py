"""Programs called with arguments of other dtypes than the example's: as the program itself, or refused.

What they have in common is that the text says a dtype that the program does not: of what is stored, of
operands that one framework promotes otherwise, of an operator in place that cannot be one, of lists.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from ways import agrees_or_raises

NAMES = ("float64", "float32", "float16", "int64", "int32", "int8", "uint8", "bool")
NARROW = tuple(name for name in NAMES if "64" not in name)
#: None is negative: what becomes of these among unsigned integers is not promised.
VALUES = np.array([1.5, 2.5, 0.2])


def of(name: str) -> Any:
    return VALUES.astype(name)


# Stored.


def put(x, y):
    x[1:] = y[1:]
    return x


def picked(x, y):
    x[[0, 2]] = y[:2]
    return x


def masked(x, y):
    x[x > 0] = y[x > 0]
    return x


def one(x, y):
    x[0] = y[1]
    return x


def all_of_it(x, y):
    x[:] = y
    return x


def into_another(x, y):
    out = np.zeros_like(x)
    out[:] = y
    return out


def full(x, y):
    return np.full_like(x, y[0])


def padded(x, y):
    return np.pad(x, 1, constant_values=2.5)


def torch_put(x, y):
    x[1:] = y[1:]
    return x


def torch_copied(x, y):
    x.copy_(y)
    return x


def jax_added(x, y):
    return x.at[:2].add(y[:2])


def jax_set(x, y):
    return x.at[0].set(y[1])


# Promoted.


def by_the_sum(x, y):
    return x * x.sum()


def less_the_product(x, y):
    return x * 2 - x.prod()


def chosen(x, y):
    return np.where(x > 1, x, x.sum())


def by_the_sum_of_another(x, y):
    return x.sum() * y, x / 2


def by_an_item(x, y):
    return x[0] * y, x / 2


def by_an_item_on_one_way(x, y):
    if x[0] > 0.5:
        return x[0] * y
    return y


def summed_by_einsum(x, y):
    return torch.einsum("i,j->j", x, y)


# In place, in what is left early.


def added_until(x, y):
    y = y * 1
    for v in x:
        y += v
        if v > 0.1:
            break
    return y


def added_and_returned(x, y):
    if x[0] > 0.1:
        y += x
        return 1, y
    return 0, y


def descended(x, y):
    for _ in range(5):
        step = x * y.sum()
        y -= 0.1 * step
        if abs(step).max() < 1e-3:
            break
    return y


NUMPY = [
    put, picked, masked, one, all_of_it, into_another, full, padded, by_the_sum, less_the_product, chosen,
    by_the_sum_of_another, by_an_item, by_an_item_on_one_way, added_until, added_and_returned, descended,
]  # fmt: skip
TORCH = [torch_put, torch_copied, summed_by_einsum, by_an_item, added_until, added_and_returned]
JAX = [jax_added, jax_set, by_the_sum]
PROGRAMS = [("numpy", f) for f in NUMPY] + [("torch", f) for f in TORCH] + [("jax", f) for f in JAX]
EXAMPLES = [("int32", "float32"), ("float32", "float32"), ("int32", "int32"), ("bool", "float32")]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("example", EXAMPLES, ids="-".join)
@pytest.mark.parametrize(("source", "fn"), PROGRAMS, ids=lambda v: getattr(v, "__name__", v))
@pytest.mark.filterwarnings("ignore")
def test_arrays_of_other_dtypes(source: str, fn: Any, example: tuple[str, str], to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    names = NARROW if "jax" in (source, to) else NAMES
    others = [(of(a), of(b)) for a, b in itertools.product(names, repeat=2) if may_run(fn, source, a, b)]
    if (example[0], example[1]) in itertools.product(names, repeat=2) and may_run(fn, source, *example):
        judge(fn, source, tuple(map(of, example)), others, to)


def may_run(fn: Any, source: str, *names: str) -> bool:
    """Whether the source itself takes arrays of these dtypes."""
    from tracelate.backends.arrays import convert

    try:
        fn(*(convert(of(name), source) for name in names))
    except Exception:
        return False
    return True


def judge(fn: Any, source: str, example: Any, others: Any, to: str) -> None:
    import tracelate as tl

    try:
        agrees_or_raises(fn, source, example, others, to)
    except tl.UnsupportedError as error:
        assert to == "jax" or "einsum" in str(error) or "returning" in str(error), error


# Lists with numbers in them.


def torch_list(x, v):
    return x * torch.tensor([v, 2, 1])


def torch_filled(x, v):
    return x * torch.full((3,), v)


def jax_list(x, v):
    return x + jnp.array([v, v, 1])


def numpy_list(x, v):
    return x + np.array([v, 1, 2])


LISTS = [("torch", torch_list), ("torch", torch_filled), ("jax", jax_list), ("numpy", numpy_list)]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("number", [2, 2.5])
@pytest.mark.parametrize("name", ["float32", "int32"])
@pytest.mark.parametrize(("source", "fn"), LISTS, ids=lambda v: getattr(v, "__name__", v))
def test_lists_with_numbers_of_other_kinds(source: str, fn: Any, name: str, number: Any, to: str) -> None:
    names = NARROW if "jax" in (source, to) else NAMES
    others = [(of(a), v) for a in names for v in (2, 100, 2.5)]
    judge(fn, source, (of(name), number), others, to)


def of_numbers(v):
    return torch.tensor([v, 1])


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("number", [2, 2.0])
def test_a_list_of_nothing_else(number: Any, to: str) -> None:
    judge(of_numbers, "torch", (number,), [(2,), (2.5,), (True,)], to)


# A number on one way, an array on another.


def first_above(x, w):
    t = 0.0
    for v in x:
        if v > 0.5:
            t = v
            break
    return w + t


def last_above(x, w):
    t = 0.0
    for v in x:
        if v < 0.5:
            continue
        t = v
    return w * t


def found_by_index(x, w):
    t = 0.0
    for i in range(3):
        if x[i] > 0.5:
            t = x[i]
            break
    return w + t


def found(x):
    for v in x:
        if v > 0.5:
            return v
    return 0.0


def by_what_a_helper_finds(x, w):
    return w * found(x)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(
    "example", [("float64", "float64"), ("float32", "float32"), ("float32", "float64")], ids="-".join
)
@pytest.mark.parametrize("fn", [first_above, last_above, found_by_index, by_what_a_helper_finds])
def test_numbers_on_one_way(fn: Any, example: tuple[str, str], to: str) -> None:
    """On the way on which there is a number, it is the other array that says the dtype."""
    import tracelate as tl
    from tracelate.backends.arrays import compare, convert

    out = tl.transpile(fn, tuple(map(of, example)), to=to, x64=True if to == "jax" else None)
    for a, b, scale in itertools.product(NAMES[:5], NAMES[:5], (1, 0)):
        x, w = of(a) * np.array(scale, a), of(b)
        try:
            made = out(convert(x, to), convert(w, to))
        except (AssertionError, TypeError):  # a check, or JAX, which wants one dtype on all ways
            continue
        wrong = list(compare(fn(x, w), made, kind="reduction"))
        assert not wrong, f"{a} {b}: {wrong[0]}\n{out.source}"

"""Numbers of Python's that are not known while tracing: computed from sizes, and taken out of arrays."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import number_programs as programs
import numpy as np
import pytest
import torch
from ways import convert

import tracelate as tl
from tracelate.backends.arrays import compare, to_numpy

X = np.random.default_rng(0).normal(size=12)

HISTOGRAM = """\
    h = np.zeros(bins)
    lo = x.min()
    hi = x.max()
    for v in x:
        k = int((v - lo) / (hi - lo + 1e-9) * bins)
        h[min(k, bins - 1)] += 1
    return h
"""

STEPS = """\
    n = jnp.trunc(abs(x.sum())).astype(jnp.int64) % 7 + 2

    def step(i, x):
        return x * 0.5 + i

    return jax.lax.fori_loop(0, n, step, x)
"""

WRITTEN = """\
    x = x.clone()
    s = x[0].item()
    u = float(x[1])
    x[0] = 5
    x[1] = x[1] * 2
    return x, x * s + u
"""


def test_the_text() -> None:
    assert tl.symbolic_trace(programs.histogram, (X,)).source("numpy").endswith(HISTOGRAM)
    assert tl.symbolic_trace(programs.as_many_steps, (X,)).source("jax", x64=True).endswith(STEPS)
    taken = tl.symbolic_trace(programs.t_taken_before_a_write, (torch.tensor(X),))
    assert taken.source("torch").endswith(WRITTEN)
    assert "number = x[0].item()\n" in tl.symbolic_trace(programs.taken_into_a_list, (X,)).source("torch")


@pytest.mark.usefixtures("wide")
def test_no_gradient_goes_through_a_number_of_torchs() -> None:
    def scaled(x):
        s = (x * x).sum().item()
        y = x * s if s > 2 else x + s
        return (y * x).sum()

    out = tl.transpile(scaled, (torch.tensor(X),), to="jax", x64=True)
    assert out.source.count("stop_gradient") == 1
    for x in (X, X * 0.1):
        given = torch.tensor(x, requires_grad=True)
        scaled(given).backward()
        assert np.allclose(jax.grad(out)(jnp.asarray(x)), given.grad)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_a_size_that_a_function_gives_is_not_that_of_the_example(to: str) -> None:
    def half(x):
        k = int(x.shape[0] * 0.5)
        return np.zeros(k) + x[:k] * k

    def up(x):
        k = math.ceil(x.shape[0] / 2)
        y = x[:k]
        return y * y.shape[0]

    def near(x):
        k = round(x.shape[0] * 0.3)
        return x[:k].mean() * k

    def root(x):
        k = int(math.sqrt(x.shape[0]))
        return x[: k * k].reshape(k, k).sum(0)

    third = np.float64(1 / 3)

    def by_numpys(x):
        k = int(x.shape[0] * third)
        return x[:k] * x[:k].shape[0]

    # JAX's compiler makes an array of NumPy's number, and says so aloud.
    for fn in (half, up, near, root, *([by_numpys] if to != "jax" else [])):
        out = tl.transpile(fn, (X,), to=to, x64=True if to == "jax" else None)
        for n in (12, 7, 20):
            x = np.arange(float(n))
            assert np.allclose(out(convert(x, to)), fn(x)), (fn.__name__, n)


def test_a_size_that_python_looks_at_is_checked() -> None:
    def fixed(x):
        k = int(math.sqrt(x.shape[0]))
        for _ in range(k):
            x = x + 1
        return x if k == 3 else x * [1, 2, 3][k - 2]

    out = tl.transpile(fixed, (X,), to="numpy")
    assert np.allclose(out(X), fixed(X))
    for n in (16, 9, 4):
        x = np.arange(float(n))
        try:
            found = out(x)
        except AssertionError:
            assert "assert int(math.sqrt(x.shape[0])) - 2 == 1, " in out.source
        else:
            assert np.allclose(found, fixed(x))


def test_numbers_without_examples() -> None:
    def scaled(x, n: int, r: float = 0.5):
        return np.sin(x) * (n + 1) / math.sqrt(n * r + 1)

    out = tl.symbolic_trace(scaled).to("numpy")
    assert np.allclose(out(X, 3), scaled(X, 3)) and np.allclose(out(X, 8, 2.0), scaled(X, 8, 2.0))


def test_in_a_branch_the_dtype_is_asked_for_too() -> None:
    def chosen(x, y):
        if y.sum() > 0:
            return x * x[0].item() if x.dtype == np.float64 else x
        return -x

    out = tl.transpile(chosen, (X, X), to="torch", guards="raise")
    for y in (X, -X):
        assert np.allclose(out(torch.tensor(X), torch.tensor(y)), chosen(X, y))
    with pytest.raises(ValueError, match="chosen was traced for x of dtype torch.float64"):
        out(torch.ones(3), torch.ones(3, dtype=torch.float64))


def test_one_number_of_many() -> None:
    for take in (float, int, lambda x: x.item()):
        with pytest.raises(tl.TraceError, match="one number of an array of shape"):
            tl.symbolic_trace(lambda x, take=take: x * take(x), (torch.tensor(X),))
    with pytest.raises(tl.TraceError, match=r"float\(x\) of a complex number"):
        tl.symbolic_trace(lambda x: x * float(x[0]), (X.astype(complex),))


def test_items_of_a_display_keep_their_names() -> None:
    def spread(x):
        low, high = x.min(), x.max()
        low, high = high - low, low + high
        (a, b), c = (low, high), low * 2
        return (x - low) / (high - low) + a * b * c + a - b

    text = tl.symbolic_trace(spread, (X,)).source("numpy")
    assert "    low, high = x.min(), x.max()\n" in text
    assert np.allclose(tl.transpile(spread, (X,), to="numpy")(X), spread(X))


def best_of(x):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    return best


def largest(x):
    return max(x.max(), 2)


def summed(x):
    total = 0
    for v in x:
        total = total + v * 2
    return total


def until(x, n):
    j, total = 0, 0.0
    while j < len(x) and total < n * 2:
        total = total + x[j]
        j += 1
    return j, total / 2


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("make", [np.array, torch.tensor], ids=["numpy", "torch"])
@pytest.mark.parametrize("fn", [best_of, largest, summed, until], ids=lambda fn: fn.__name__)
def test_a_number_on_one_way_stays_a_number(fn: Any, make: Any, to: str) -> None:
    more = (1.0,) if fn is until else ()
    out = tl.transpile(fn, (make([-3.0, 4.0, 5.0]), *more), to=to)
    assert "tensor(" not in out.source and "array(" not in out.source
    for given in ([-3.0, 4.0, 5.0], [-3.0, -4.0, -5.0]) + (() if fn is largest else ([],)):
        wanted = fn(make(given), *more)
        try:
            found = out(convert(make(given), to), *more)
        except AssertionError:  # a first turn that stands before the loop
            assert not given and fn is until
            continue
        pairs = zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]
        for one, other in pairs:
            assert float(one) == float(other)
            plain = [type(v) in (int, float) for v in (one, other)]
            assert plain[0] == plain[1] and (not plain[0] or type(one) is type(other)), out.source


def test_a_number_that_a_function_takes_is_an_array() -> None:
    def rooted(x):
        total = 0.0
        for v in x:
            total = total + v
        return np.sqrt(total)

    out = tl.transpile(rooted, (X,), to="torch")
    assert "total = torch.tensor(0.0, dtype=torch.float64)" in out.source
    assert float(out(torch.tensor(X))) == rooted(X) and float(out(torch.zeros(0, dtype=torch.float64))) == 0.0


def overlap(x):
    return max(0, x[0] - x[1]) * max(0, x[2] - x[3]) / 2


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("make", [np.float32, torch.tensor, jnp.array], ids=["numpy", "torch", "jax"])
def test_numbers_and_arrays_are_computed_with(make: Any, to: str) -> None:
    out = tl.transpile(overlap, (make([3.0, 1.0, 4.0, 2.0]),), to=to)
    for given in ([3.0, 1.0, 4.0, 2.0], [1.0, 3.0, 4.0, 2.0], [1.0, 3.0, 2.0, 4.0]):
        wanted, found = overlap(make(given)), out(convert(make(given), to))
        assert float(wanted) == float(found)
        if to != "jax":
            assert (type(wanted) in (int, float)) == (type(found) in (int, float)), out.source


def positive(v):
    return max(0, v) * 2


def capped(v):
    if v > 1:
        return 2
    return v


def of_helpers(x):
    return positive(x[0]) + positive(x[1]), capped(x[0]) * 2, capped(x[1])


def of_a_helper_that_computes(x):
    return np.sqrt(positive(x[0]))


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("make", [np.float32, torch.tensor], ids=["numpy", "torch"])
def test_a_helper_may_give_a_number_on_one_way(make: Any, to: str) -> None:
    out = tl.transpile(of_helpers, (make([3.0, -1.0]),), to=to)
    for given in ([3.0, -1.0], [-3.0, -1.0], [-3.0, 4.0]):
        for one, other in zip(of_helpers(make(given)), out(convert(make(given), to))):
            assert float(one) == float(other) and (type(one) is int) == (type(other) is int), out.source


def test_a_number_of_a_helper_that_a_function_takes_is_refused_elsewhere() -> None:
    with pytest.raises(tl.UnsupportedError, match="number"):
        tl.transpile(of_a_helper_that_computes, (np.float32([3.0]),), to="torch")


def clipped(x):
    top = 0
    for value in x:
        if value > top:
            top = value
    return x.clip(0, top), top


def absolute(x):
    low = 0
    for value in x:
        if value < low:
            low = value
    return abs(low), -low


def named(x):
    low = 0
    for value in x:
        if value < low:
            low = value
    return type(low).__name__


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_number_that_the_text_has_as_an_array_is_not_returned(to: str) -> None:
    x = np.float32([1, 3, 2])
    if to == "torch":
        with pytest.raises(tl.UnsupportedError, match="returning the number 0"):
            tl.transpile(clipped, (x,), to=to)
        return
    out = tl.transpile(clipped, (x,), to=to)
    assert type(out(-x)[1]) is int and type(out(x)[1]) is np.float32


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("make", [np.float32, torch.tensor], ids=["numpy", "torch"])
def test_what_python_computes_of_one_number_is_a_number(make: Any, to: str) -> None:
    out = tl.transpile(absolute, (make([1.0, -3.0]),), to=to)
    for given in ([1.0, -3.0], [1.0, 3.0]):
        for one, other in zip(absolute(make(given)), out(convert(make(given), to))):
            assert float(one) == float(other) and (type(one) is int) == (type(other) is int), out.source


def test_the_type_of_what_is_a_number_on_one_way_is_not_known() -> None:
    with pytest.raises(tl.UnsupportedError, match="a number on one way, and an array on another"):
        tl.transpile(named, (np.float32([1.0, -3.0]),), to="numpy")


@pytest.mark.parametrize("make", [np.float32, jax.numpy.float32], ids=["numpy", "jax"])
def test_an_int_or_a_float_beside_integers_is_refused_in_jax(make: Any) -> None:
    def one_or_more(x: Any) -> Any:
        return x + (1 if x.sum() > 0 else 2.5)

    out = tl.transpile(one_or_more, (make([1.0, 2.0]),), to="jax")
    assert ", 1.0, 2.5)" in out.source
    assert list(out(jax.numpy.float32([-1.0, 0.5]))) == [1.5, 3.0]
    with pytest.raises(AssertionError):
        out(jax.numpy.int32([1, 2]))


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_torch_fills_with_the_number_of_an_array(to: str) -> None:
    def filled(x: Any) -> Any:
        return torch.full((2,), x[0])

    for dtype in (torch.float64, torch.float32, torch.int32, torch.bool):
        x = torch.tensor([1, 0], dtype=dtype)
        if to == "jax" and dtype is torch.float64:
            continue  # which needs x64
        out = tl.transpile(filled, (x,), to=to)
        assert str(to_numpy(out(convert(x, to))).dtype) in {
            str(filled(x).dtype).removeprefix("torch."), *(["int32"] if to == "jax" else [])
        }  # fmt: skip


def chosen_by_a_number(x, k):
    return np.where(k > 2, x, 0), np.where(True, x, k)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_bool_of_pythons_may_choose(to: str) -> None:
    x = np.float32([1, -2])
    out = tl.transpile(chosen_by_a_number, (x, 3), to=to)
    for k in (3, 1):
        for one, other in zip(chosen_by_a_number(x, k), out(convert(x, to), k)):
            assert np.array_equal(one, to_numpy(other)), out.source


G = np.float32([1, 2])
OUTSIDE = [
    lambda x, n: x + n * G, lambda x, n: x + G / n, lambda x, n: (G > n, n < G, G**n, n**G),
    lambda x, n: x * np.float32(2) + np.float32(3) * n, lambda x, n: x + (G * n - n),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", OUTSIDE)
def test_a_number_beside_an_array_from_outside(program, to):
    out = tl.transpile(program, to=to, source="numpy", args=(G, 3))
    for n in (3, 2, 5):
        assert not [*compare(program(G, n), out(convert(G, to), n), kind="reduction")], out.source


def test_an_array_from_outside_is_not_written_into_by_a_number():
    def scaled(x, n):
        held = G
        held *= n
        return x + held

    with pytest.raises(tl.UnsupportedError, match="made outside the traced function"):
        tl.transpile(scaled, to="torch", source="numpy", args=(G, 3))
    assert G.tolist() == [1, 2]

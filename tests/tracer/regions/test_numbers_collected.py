"""Numbers of Python's that a loop appends to a list: the loop stays one, and the list holds numbers."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import product
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, to_numpy
from tracelate.ir.values.tree import leaves

X = np.arange(6.0).reshape(2, 3) + 1
OTHERS = [np.arange(12.0).reshape(4, 3) - 3, X[:1], X[:, :1], X.astype(np.float32), X[:0]]


def times_of_a_solver(x, n=5, h=0.1):
    t = 0.0
    ts = [t]
    xs = [x]
    for _ in range(n):
        x = x + h * np.sin(x)
        t += h
        ts.append(t)
        xs.append(x)
    return np.array(ts), np.array(xs)


def losses_of_a_training_loop(x, n=5, h=0.5):
    losses = []
    for epoch in range(n):
        loss = (x**2).sum()
        x = x - h * x
        losses.append(float(loss))
    return x, losses


def items(x, n=5):
    losses = []
    for _ in range(n):
        x = x * 0.5
        losses.append(x.sum().item())
    return np.asarray(losses, dtype=np.float32), losses


def until_it_is_small(x, n=5):
    history = []
    for _ in range(n):
        loss = float((x**2).sum())
        history.append(loss)
        x = x * 0.5
        if loss < 20:
            break
    return x, history


def read_last(x, n=5):
    history = [float((x**2).sum())]
    for _ in range(n):
        x = x * 0.5
        history.append(float((x**2).sum()))
        if abs(history[-1] - history[-2]) < 1.0:
            break
    return history


def as_long_as_it_is_large(x, n=5):
    steps = []
    step = 0
    while abs(x).sum() > 1:
        x = x * 0.5
        step += n
        steps.append(step)
    return x, steps


def counted(x, n=5):
    places, halves = [], []
    for i in range(n):
        places.append(i)
        halves.append(i * 0.5)
    return np.array(halves) * x[0, 0], len(places), places


def flags(x, n=5):
    found = []
    for row in x:
        found.append(bool(row.sum() > n))
    return x * 2, found


def of_rows(x, n=5):
    sums = []
    for row in x:
        sums.append(float(row.sum()) * n)
    return np.array(sums)


def on_both_ways(x, n=5):
    found = []
    for row in x:
        if row.sum() > n:
            found.append(float(row[0]))
        else:
            found.append(0.0)
    return found


def picked(x, n=5):
    sums = []
    for _ in range(n):
        x = x * 0.5
        sums.append(float(x.sum()))
    return x * sums[-1], len(sums), sums[0]


def array_of_them(x, n=5):
    sums = []
    for _ in range(n):
        x = x * 0.5
        sums.append(float(x.sum()))
    made = np.array(sums)
    out = x * 0
    for v in made:  # NumPy's numbers, which are no floats of Python's
        out = out + v
    return out, made / 2, sums


def written_into(x, n=5):
    sums = []
    for _ in range(n):
        x = x * 0.5
        sums.append(float(x.sum()))
    made = np.array(sums)
    made[0] = 7
    return made, sums


def of_a_helper(x, n=5):
    def measured(v):
        return float(v.max())

    found = []
    for _ in range(n):
        x = x * 0.5
        found.append(measured(x))
    return np.array(found)


def begun_with_others(x, n=5):
    found = [1.5, float(x.sum())]
    for i in range(n):
        found.append(i + 0.5)
    return np.array(found), found


def behind_two_beginnings(x, n=5):
    losses = []
    for _ in range(n):
        x = x * 0.5
        losses.append(float(x.sum()))
    one, other = [0.0], [100.0]
    one.extend(losses)
    other.extend(losses)
    return np.array(one), np.array(other), one, losses


# What wants the numbers one by one has the loop written out.


def as_places(x, n=5):
    places = []
    for i in range(len(x)):
        if x[i].sum() > n:
            places.append(i)
        else:
            places.append(0)
    return x[places], places


def changed_afterwards(x, n=5):
    found = []
    for row in x:
        found.append(float(row.sum()))
    found[0] = 1.0
    return found


def one_by_one(x, n=5):
    found = []
    for i in range(n):
        found.append(float(x[0, 0]) * i)
    return sum(found) * x, max(found)


def of_two_types(x, n=5):
    found = [1]
    for i in range(n):
        found.append(i + 0.5)
    return found


def appended_to_before(x, n=5):
    found = []
    for i in range(3):
        found.append(i * 1.0)
    for i in range(n):
        found.append(float(x.sum()) * i)
    return found


STAYING = [
    times_of_a_solver, losses_of_a_training_loop, items, until_it_is_small, read_last, as_long_as_it_is_large,
    counted, flags, of_rows, on_both_ways, picked, array_of_them, written_into, of_a_helper,
    begun_with_others, behind_two_beginnings,
]  # fmt: skip
WRITTEN_OUT = [as_places, changed_afterwards, one_by_one, of_two_types, appended_to_before]
#: How much they collect is known only when the program runs, which is refused into JAX.
ENDLESS = [until_it_is_small, read_last, as_long_as_it_is_large]
NAMES = {"ids": lambda value: getattr(value, "__name__", None)}


def types(value: Any) -> Iterator[type]:
    """The types of numbers, and of arrays of all frameworks' one."""
    for leaf in leaves(value):
        yield type(leaf) if type(leaf) in (bool, int, float) else np.ndarray


@pytest.mark.parametrize("program, to", product([*STAYING, *WRITTEN_OUT], ["numpy", "jax", "torch"]), **NAMES)
def test_it_is_what_the_program_gives(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        try:
            out = tl.transpile(program, (X.copy(),), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError:
            assert to == "jax" and program in ENDLESS
            return
        for array, numbers in product([X, *OTHERS], [(), (3,), (0,), (1,), (4, 1)]):
            if len(numbers) > len(inspect.signature(program).parameters) - 1:
                continue
            try:
                found = out(convert(array.copy(), to), *numbers)
            except (AssertionError, TypeError, ValueError, IndexError, RuntimeError):
                assert array is not X or numbers
                continue
            expected = program(array.copy(), *numbers)
            wrong = [*compare(expected, found, kind="reduction")]
            assert not wrong, f"{array} {numbers}: {wrong[0]}\n{out.source}"
            if to == "numpy":
                assert [*map(type, leaves(expected))] == [*map(type, leaves(found))], out.source
            if to == "torch":
                assert [*types(expected)] == [*types(found)], out.source


@pytest.mark.parametrize("program, to", product(STAYING, ["numpy", "torch"]), **NAMES)
def test_the_loop_takes_other_lengths(program: Any, to: str) -> None:
    out = tl.transpile(program, (X.copy(),), to=to)
    assert ".append(" in out.source
    for n in (1, 3, 9):
        wrong = [*compare(program(X, n), out(convert(X.copy(), to), n), kind="reduction")]
        assert not wrong, f"{n}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize("program", sorted({*STAYING} - {read_last, behind_two_beginnings}, key=str), **NAMES)
def test_its_text_is_traced_to_the_same_program(program: Any) -> None:
    out = tl.transpile(program, (X.copy(),), to="numpy")
    again = tl.transpile(out, (X.copy(),), to="numpy")
    assert sorted(again.source.splitlines()) == sorted(out.source.splitlines())


# Torch's are of another dtype by default than the numbers.


def items_of_torch(x, n=5):
    losses = []
    for _ in range(n):
        x = x * 0.5
        losses.append(x.sum().item())
    return torch.tensor(losses), torch.tensor(losses, dtype=torch.float64), losses


def counts_of_torch(x, n=5):
    steps = []
    for i in range(n):
        steps.append(i)
    return torch.tensor(steps), torch.as_tensor(steps, dtype=torch.float32) * x[0, 0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", [items_of_torch, counts_of_torch], **NAMES)
def test_of_torch(program: Any, to: str, dtype: torch.dtype) -> None:
    example = torch.from_numpy(X).to(dtype)
    with jax.enable_x64(True):
        out = tl.transpile(program, (example,), to=to, x64=True if to == "jax" else None)
        assert ".append(" in out.source or "scan" in out.source
        for n in (5, 1, 3):
            wrong = [*compare(program(example, n), out(convert(to_numpy(example), to), n), kind="reduction")]
            assert not wrong, f"{n}: {wrong[0]}\n{out.source}"


def test_of_ints_of_which_there_may_be_none_no_array_is_made() -> None:
    def halved(x, tol=1.0):
        steps, step = [], 0
        while abs(x).max() > tol:
            x = x * 0.5
            step += 1
            steps.append(step)
        return np.array(steps)

    with pytest.raises(tl.UnsupportedError):
        tl.symbolic_trace(halved, (X,))


def on_a_flag(x, high=True, n=3):
    log = []
    for _ in range(n):
        if high:
            v = float(x.max())
        else:
            v = 0.0
        log.append(v)
    return log


def returned_on_the_way(x, n=5):
    history = []
    for _ in range(n):
        history.append(float(x.max()))
        if x.sum() < 4:
            return history
        x = x * 0.5
    return history


def made_in_turns(x, n=3):
    ts = [0.0]
    for i in range(n):
        ts.append(float(x.sum()) * i)
    for _ in range(n):
        x = x + np.array(ts).sum()
    return x


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", [on_a_flag, returned_on_the_way, made_in_turns], **NAMES)
def test_on_ways_and_in_turns(program: Any, to: str) -> None:
    with jax.enable_x64(True):
        try:
            out = tl.transpile(program, (X.copy(),), to=to, x64=True if to == "jax" else None)
        except tl.UnsupportedError:
            assert to == "jax" and program is returned_on_the_way  # of which length is known as it runs
            return
        others = {on_a_flag: (False,), made_in_turns: (2,)}  # the other is written out
        for numbers in ((), others.get(program, ())):
            wrong = [*compare(program(X.copy(), *numbers), out(convert(X.copy(), to), *numbers))]
            assert not wrong, f"{numbers}: {wrong[0]}\n{out.source}"

"""Calls of one function share a graph where they are alike, and only there."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from ways import agree_in_all as agree

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy
from tracelate.ir.graphs.likeness import alike
from tracelate.ir.graphs.walk import functions

X = np.arange(6, dtype=np.float32).reshape(2, 3)
Y = X * 2 - 3
STATE: dict[str, float] = {"scale": 2.0}
TABLES = [np.ones(3, np.float32), np.full(3, 2, np.float32)]


def graphs(traced: tl.Traced) -> list[Any]:
    """The functions that a program calls, of the tape and of what is read of it."""
    found = functions(traced.graph)[1:]
    assert len(functions(traced.program)) - 1 >= len(found)
    return found


def scaled(x: Any, w: Any, k: Any = 2.0) -> Any:
    return x * w + k


def twice_scaled(x: Any, w: Any) -> Any:
    return scaled(scaled(x, w), w)


def layers(x: Any, y: Any) -> Any:
    x = twice_scaled(x, y)
    x = twice_scaled(x, y)
    return scaled(twice_scaled(x, y), y)


def test_calls_that_are_alike_share_one_graph_from_the_tape_to_the_text() -> None:
    traced = agree(layers, X, Y)
    assert len(graphs(traced)) == 2
    for program in (traced.program, traced.lowered("jax"), traced.lowered("torch"), traced.lowered("numpy")):
        assert len(functions(program)) == 3
    assert traced.source("numpy").count("def ") == 3


def numbers(x: Any, y: Any) -> Any:
    return [scaled(x, y, k) for k in (1, 1.0, True, 0.0, -0.0, math.nan)] + [scaled(x, y, -0.0)]


def divided(x: Any, k: Any) -> Any:
    return np.copysign(x, k) if k else x / 4


def test_numbers_are_told_apart_by_type_and_sign() -> None:
    def signs(x: Any) -> Any:
        return [divided(x, k) for k in (0.0, -0.0, 1, 1.0)]

    agree(signs, X + 1)
    agree(numbers, X, Y)


def test_other_specs_are_other_graphs() -> None:
    def program(x: Any, y: Any, n: Any) -> Any:
        return scaled(x, y), scaled(x, n), scaled(n, n), scaled(x[0], y), scaled(x, y[:, :1]), scaled(y, x)

    assert len(graphs(agree(program, X, Y, np.arange(3)))) == 5


def by_state(x: Any) -> Any:
    return x * STATE["scale"]


def by_table(x: Any, number: int) -> Any:
    return x + TABLES[number]


def test_what_a_function_reads_besides_its_arguments_counts() -> None:
    def program(x: Any) -> Any:
        return by_state(x), by_table(x, 0), by_table(x, 1), by_table(x, 0), by_state(x + 1)

    assert len(graphs(agree(program, X))) == 3

    def changing(x: Any) -> Any:
        first = by_state(x)
        STATE["scale"] = 5.0
        second = by_state(x)
        STATE["scale"] = 2.0
        return first, second

    with pytest.raises(tl.UnsupportedError, match="outlives the call"):
        agree(changing, X)


def shouted(x: Any) -> Any:
    print("hello")
    return x * 2


def test_what_is_printed_is_printed_by_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    def program(x: Any) -> Any:
        return shouted(shouted(x))

    traced = tl.symbolic_trace(program, (X,))
    capsys.readouterr()
    np.testing.assert_array_equal(to_numpy(traced.to("torch")(convert(X, "torch"))), X * 4)
    assert capsys.readouterr().out == "hello\nhello\n"


def checked(x: Any, n: int) -> Any:
    if x.shape[0] > n:
        raise ValueError("too long")
    return x * n


def test_a_call_that_raises_is_one_of_its_own() -> None:
    def program(x: Any, y: Any) -> Any:
        return checked(x, 5), checked(x, 4), checked(y, 5), checked(x, 5)

    traced = agree(program, X, Y)
    for to in ("numpy", "torch", "jax"):
        with pytest.raises(ValueError, match="too long"):
            traced.to(to)(*(convert(np.ones((5, 3), np.float32), to) for _ in "xy"))


def bumped(x: Any, y: Any) -> Any:
    x[0] += 1
    return x + y


def test_calls_that_write_and_share_memory() -> None:
    def program(x: Any, y: Any) -> Any:
        a, b = x * 1, y * 1
        first = bumped(a, b)
        second = bumped(a, a)
        third = bumped(b, a[0])
        bumped(a[1:], b)
        return first, second, third, bumped(first, second), a, b

    agree(program, X, Y)
    agree(program, X, Y, source="torch")


def part(x: Any) -> Any:
    return x[0]


def test_what_calls_give_of_one_memory_stays_in_it() -> None:
    def program(x: Any, y: Any) -> Any:
        a, b = x * 1, y * 1
        a[0] = 7
        one = part(a)
        return a, b, one, part(a), part(b), part(a * 2)

    agree(program, X, Y)
    agree(program, X, Y, source="torch")


def averaged(n: int) -> Any:
    return torch.ones(n).mean()


def test_a_mode_that_a_program_sets_between_calls_is_refused() -> None:
    def program(x: Any) -> Any:
        first = averaged(3)
        torch.set_default_dtype(torch.float64)
        second = averaged(3)
        torch.set_default_dtype(torch.float32)
        return first + x, second

    with pytest.raises(tl.UnsupportedError, match="set_default_dtype"):
        tl.transpile(program, (torch.ones(3),), to="jax")


def test_weak_numbers_of_jax_are_others() -> None:
    def program(x: Any) -> Any:
        weak, strong = jnp.asarray(2.0), jnp.ones((), jnp.float16)
        half = x.astype(jnp.float16)
        return scaled(half, weak), scaled(half, strong), scaled(half, jnp.float32(2)), scaled(half, weak)

    traced = tl.symbolic_trace(program, (jnp.asarray(X),))
    expected = program(jnp.asarray(X))
    for got, want in zip(traced.to("numpy")(X), expected):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, to_numpy(want))


def summed(items: Any) -> Any:
    total = items[0]
    for item in items[1:]:
        total = total + item
    return total


def test_lists_of_other_lengths_and_dicts_of_other_keys() -> None:
    def program(x: Any, y: Any) -> Any:
        return summed([x, y]), summed([x, y, x]), summed([y, x]), summed((x, y)), summed([x])

    agree(program, X, Y)


def counted(x: Any, n: Any) -> Any:
    return x * n + x.shape[0]


def test_a_number_that_python_knows_and_one_that_it_does_not() -> None:
    def program(x: Any, n: Any) -> Any:
        first = counted(x, n)
        total = 0
        for row in x:
            if row.sum() > 3:
                total = total + 1
        return first, counted(x, n), counted(x, total), counted(x, n + 1)

    def looped(x: Any, n: Any) -> Any:
        y = counted(x, n)
        while y.sum() < 100:
            y = counted(y, n)
            n = n + 1
        return counted(y, n)

    agree(program, X, 3)
    agree(looped, X + 1, 2)


def beside(a: Any, b: Any) -> Any:
    c = a + b
    return c * (2.0, 3.0)[c.shape[0] < 4]


def test_what_broadcasts_in_a_call_is_checked_in_every_call() -> None:
    def program(x: Any, y: Any, u: Any, v: Any) -> Any:
        return beside(x, y), beside(u, v)

    ones = np.ones(3, np.float32)
    traced = tl.symbolic_trace(program, (ones,) * 4)
    for to in ("numpy", "torch", "jax"):
        out, one, five = traced.to(to), *(convert(np.ones(n, np.float32), to) for n in (1, 5))
        for args in ((one, five, one, one), (one, one, one, five), (five, one, one, one)):
            with pytest.raises(AssertionError):
                out(*args)


def test_a_graph_is_like_itself_and_no_other() -> None:
    def program(x: Any, y: Any) -> Any:
        return scaled(x, y), twice_scaled(x, y), by_table(x, 1), part(x), summed([x, y]), by_state(x)

    found = graphs(tl.symbolic_trace(program, (X, Y)))
    again = graphs(tl.symbolic_trace(program, (X, Y)))
    for one, other in zip(found, again):
        assert alike(one, one)
        assert [alike(one, each) for each in found] == [each is one for each in found]
        assert one is not other


calls = st.tuples(
    st.sampled_from(["scaled", "twice_scaled", "by_table", "part", "bumped", "summed"]),
    st.integers(0, 3), st.integers(0, 3), st.sampled_from([1, 1.0, -0.0, 2.5]),
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(calls, min_size=2, max_size=6))
def test_chains_of_calls_agree(chain: list[tuple[str, int, int, float]]) -> None:
    def program(x: Any, y: Any) -> Any:
        values = [x * 1, y * 1, x[:1] * 1, y + 1]
        for name, i, j, k in chain:
            a, b = values[i], values[j]
            match name:
                case "scaled":
                    made = scaled(a, b, k)
                case "twice_scaled":
                    made = twice_scaled(a, b)
                case "by_table":
                    made = by_table(a, int(k > 1))
                case "part":
                    made = part(a)[None] * 1
                case "bumped":
                    made = bumped(a, b[:1])
                case _:
                    made = summed([a, b][: 1 + (k == 1)])
            values[i] = made
        return values

    agree(program, X, Y)

"""Tracing: what ends up on the tape, under which names, and what is looked at is guarded."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from tracing import X, calls, same, text

import tracelate as tl

# What is recorded.


def test_each_framework_by_its_arguments() -> None:
    def f(x: Any) -> Any:
        return x * 2 + x

    for array in (np.ones(3), jnp.ones(3), torch.ones(3)):
        assert calls(f, array) == ["mul", "add"]


def test_the_framework_by_the_globals() -> None:
    assert calls(lambda x: jnp.sin(x)) == ["sin"]
    assert calls(lambda x: np.sin(x)) == ["sin"]


def test_methods_and_operators() -> None:
    assert calls(lambda x: -x.exp() @ x.T, X) == ["exp", "neg", "getattr", "matmul"]


def test_without_examples_shapes_are_unknown() -> None:
    traced = tl.symbolic_trace(lambda x, y: torch.sin(x) + y)
    assert [str(n.spec) for n in traced.graph.nodes if n.spec is not None] == ["float32[...]"] * 4


def test_running_the_tape() -> None:
    traced = tl.symbolic_trace(lambda x, k=2.0: torch.sin(x) * k, (X,))
    assert torch.equal(traced(X, 3.0), torch.sin(X) * 3.0)


def test_the_memo_knows_a_call_by_its_specs() -> None:
    def f(x: Any) -> Any:
        return torch.sin(torch.sin(torch.sin(x)))

    assert calls(f, X) == ["sin", "sin_1", "sin_2"]


def test_factories_are_recorded() -> None:
    assert calls(lambda x: x + torch.ones(3), X) == ["ones", "add"]
    assert calls(lambda x: x + np.ones(3), np.ones(3)) == ["ones", "add"]


def test_a_constant_test_is_plain_python() -> None:
    def f(x: Any) -> Any:
        if torch.ones(3).all():
            return x + 1
        return x

    assert calls(f, X)[-1] == "add"


# Functions.


def double(x: Any) -> Any:
    """Twice."""
    return x * 2


def test_functions_of_the_users_keep_their_names() -> None:
    assert calls(lambda x: double(x) + 1, X) == ["double", "add"]
    assert text(lambda x: double(double(x)), X).count("def double(x: Any) -> Any:") == 1


def test_lambdas_and_methods_are_inlined() -> None:
    class Scale:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        def apply(self, x: Any) -> Any:
            return x * self.factor

    scale = Scale(3.0)
    shift = 2.0

    def inner(x: Any) -> Any:
        return x + shift

    assert calls(lambda x: scale.apply((lambda y: y + shift)(x)), X) == ["add", "mul"]
    assert calls(lambda x: scale.apply(inner(x)), X) == ["inner", "mul"]


def test_a_recorded_number_stays_general() -> None:
    def f(x: Any, n: int, scale: float = 0.5) -> Any:
        return x * scale + n

    made = text(f, X, 3)
    assert made.startswith("def f(x: Any, n: int, scale: float = 0.5) -> Any:")
    assert made.endswith("\n    return x * scale + n\n")
    same(f, X, 3)


def test_partials_star_args_and_comprehensions() -> None:
    def f(x: Any, *rest: Any, **named: Any) -> Any:
        return sum([functools.partial(torch.mul, r)(x) for r in rest]) + named["bias"]

    traced = tl.symbolic_trace(f, (X, X, X), {"bias": X})
    assert torch.equal(traced.fn(X, X, X, bias=X), 2 * X * X + X)
    assert "*rest" in traced.source("jax") and "**named" in traced.source("jax")


def test_library_code_gets_recording_twins() -> None:
    assert calls(lambda xs: functools.reduce(jnp.add, xs), [jnp.ones(2)] * 3)[-2:] == ["add", "add_1"]
    assert calls(lambda x: list(map(jnp.sin, [x, x])), jnp.ones(2)) == ["sin", "sin_1"]


def test_jitted_functions_are_traced_through() -> None:
    @jax.jit
    def inner(x: Any) -> Any:
        return jnp.sin(x)

    assert calls(lambda x: inner(x) + 1, jnp.ones(2)) == ["inner", "add"]
    assert "jnp.sin(x)" in text(lambda x: inner(x) + 1, jnp.ones(2), to="jax")


# Names.


def test_the_users_names_survive() -> None:
    def f(x: Any, y: Any) -> Any:
        hidden = torch.exp(x)
        hidden = hidden + y
        out: Any = hidden * hidden
        return out

    assert text(f, X, X).endswith(
        "    hidden = np.exp(x)\n    hidden = hidden + y\n    out: Any = hidden * hidden\n    return out\n"
    )


def test_a_name_that_is_still_needed_is_not_reused() -> None:
    def f(x: Any) -> Any:
        h = torch.abs(x)
        old = h
        h = h * 2
        return h + old

    assert text(f, X) == "def f(x: Any) -> Any:\n    h = np.abs(x)\n    h_2 = h * 2\n    return h_2 + h\n"


def test_names_of_builtins_and_imports_are_left_alone() -> None:
    def f(x: Any) -> Any:
        sum = torch.exp(x)
        np = sum * sum
        return np + np

    body = text(f, X)
    assert "sum_ = np.exp(x)" in body and "np_2 = " in body


def test_shapes_are_unpacked_as_they_were() -> None:
    def f(x: Any) -> Any:
        B, T = x.shape
        return x.reshape(B * T) / T

    assert "B, T = x.shape" in text(f, X)
    same(f, X)


# Looks and guards.


def test_what_was_looked_at_is_checked() -> None:
    def f(x: Any) -> Any:
        y = [x + 1] if x.shape[0] > 1 else x
        return y

    out = tl.transpile(f, (X,), to="numpy")
    assert out(np.ones((5, 4), np.float32))[0].shape == (5, 4)
    with pytest.raises(AssertionError, match="^1$"):
        out(np.ones((1, 3), np.float32))


def test_what_was_not_looked_at_stays_general() -> None:
    out = tl.transpile(lambda x: torch.softmax(x, -1) @ x.T, (X,), to="numpy")
    assert out(np.ones((7, 5), np.float32)).shape == (7, 7)


def test_kept_arguments_are_checked() -> None:
    def pool(x: Any, mode: str = "mean") -> Any:
        """Pool over the last axis."""
        return x.mean(-1) if mode.lower() == "mean" else x.amax(-1)

    out = tl.transpile(pool, (X,), to="numpy")
    with pytest.raises(AssertionError, match="max"):
        out(np.ones((2, 3), np.float32), "max")


def test_a_loop_over_a_number_stays_a_loop() -> None:
    def f(x: Any, n: int) -> Any:
        for _ in range(n):
            x = x * 2
        return x

    out = tl.transpile(f, (X, 3), to="numpy")
    for n in (0, 3, 4):
        assert out(np.ones(2, np.float32), n).tolist() == [2.0**n, 2.0**n]
    assert out.source.endswith("    for _ in range(n):\n        x = x * 2\n    return x\n")


def test_sizes_of_one_are_checked_where_they_were_broadcast_and_looked_at() -> None:
    def f(x: Any, y: Any) -> Any:
        return (x + y) / x.shape[0]

    def g(x: Any, y: Any) -> Any:
        return [row / x.shape[0] for row in x + y]

    x, y = np.ones((1, 3), np.float32), np.ones((4, 3), np.float32)
    out = tl.transpile(f, (torch.ones(1, 3), torch.ones(1, 3)), to="numpy")
    np.testing.assert_array_equal(out(x, y), f(x, y))
    out = tl.transpile(g, (torch.ones(1, 3), torch.ones(1, 3)), to="numpy")
    with pytest.raises(AssertionError, match="4"):
        out(x, y)


def test_a_proxy_does_not_outlive_its_trace() -> None:
    def f(x: Any) -> Any:
        raise LookupError(x)

    with pytest.raises(LookupError) as kept:
        tl.symbolic_trace(f, (np.ones(3),))
    with pytest.raises(tl.TraceError, match="finished trace"):
        np.sin(kept.value.args[0])


def test_calls_whose_sizes_alone_are_new_give_what_they_give() -> None:
    """What a call gives for one shape is not taken for what it gives for another, unless it keeps shapes."""
    calls = {
        "cat": lambda x: torch.cat([x, x], 0),
        "stack": lambda x: torch.stack([x, x]),
        "matmul": lambda x: x @ x.mT,
        "cumsum": lambda x: torch.cumsum(x, 0),
        "sum": lambda x: torch.sum(x, 0),
        "where": lambda x: torch.where(x > 0, x, 0.0),
        "softmax": lambda x: torch.softmax(x, -1),
        "outer": lambda x: x[:, None] * x[None],
    }

    def program(x: Any, y: Any) -> Any:
        return {name: (call(x), call(y)) for name, call in calls.items()}

    x, y = torch.ones(3, 4), torch.ones(5, 2)
    traced = tl.symbolic_trace(program, (x, y))
    found, expected = traced(x, y), program(x, y)
    for name, both in expected.items():
        assert [a.shape for a in found[name]] == [a.shape for a in both]
    whole = traced.graph.output_node.args[0]
    for name, both in expected.items():
        assert [n.spec.hint_shape for n in whole[name]] == [tuple(a.shape) for a in both], name

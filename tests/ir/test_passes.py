"""The passes: each is a switch, does its one thing, and changes no number, -0.0, NaN and inf included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.ir.meaning.op import Op
from tracelate.ir.passes import PASSES, USUAL
from tracelate.ir.passes.common import frozen

X = torch.linspace(-2, 2, 6).reshape(2, 3)

#: What an exact law must leave alone to the last bit.
SPECIAL = np.array([0.0, -0.0, 1.0, -1.5, 1e-40, 3e38, np.inf, -np.inf, np.nan], dtype=np.float32)


def ops(fn: Callable[..., Any], *args: Any, passes: tuple[str, ...] | None = ()) -> list[str]:
    """The names of the ops of a Program after these passes; `identity` is printed as its operand."""
    program = tl.symbolic_trace(fn, args or (X,)).read(passes)
    program.lint()
    names = [n.target.name for n in program.nodes if isinstance(n.target, Op)]
    return [name for name in names if name != "identity"]


# The switches.


def test_the_passes_by_name_in_their_order() -> None:
    assert tuple(PASSES) == ("fold", "algebra", "raise", "common", "dead")
    assert USUAL == ("fold", "raise", "common", "dead")


def test_without_passes_every_call_is_there() -> None:
    def f(x: Any) -> Any:
        torch.exp(x)
        return -(-x) * 1

    assert ops(f) == ["exp", "negative", "negative", "multiply"]
    assert ops(f, passes=None) == ["negative", "negative", "multiply"]
    assert ops(f, passes=tuple(PASSES)) == []


def test_each_pass_does_its_own_thing_alone() -> None:
    def f(x: Any) -> Any:
        torch.exp(x)
        return -(-x.permute(0, 1) * torch.sigmoid(x.permute(0, 1)))

    full = ops(f)
    for name in PASSES:
        removed = len(full) - len(ops(f, passes=(name,)))
        assert (removed > 0) == (name in ("fold", "dead")), name
    assert "silu" not in full


def test_a_pass_that_does_not_exist() -> None:
    with pytest.raises(tl.TraceError, match="the passes are fold, algebra, raise, common, dead"):
        tl.transpile(lambda x: x, (X,), to="jax", passes=("x",))


def test_every_choice_of_passes_gives_the_same_numbers() -> None:
    def f(x: Any) -> Any:
        y = x * torch.sigmoid(x) + torch.softmax(-(-x) / 1, -1)
        return y.permute(0, 1) ** 1 - x.reshape(2, 3)

    wanted = f(X).numpy()
    for passes in [(), *((name,) for name in PASSES), USUAL, USUAL[::-1]]:
        for to in ("numpy", "jax", "torch"):
            out = tl.transpile(f, (X,), to=to, passes=passes)
            x = {"numpy": X.numpy(), "jax": jnp.asarray(X.numpy()), "torch": X}[to]
            assert np.allclose(np.asarray(out(x)), wanted, atol=1e-6), (passes, to)


# What each does.


@pytest.mark.parametrize(
    ("fn", "left"),
    [
        (lambda x: torch.ones(3).to(torch.float32) + x, ["ones", "add"]),
        (lambda x: x.to(torch.float32) + 1, ["cast", "add"]),
        (lambda x: x.permute(0, 1) + 1, ["add"]),
        (lambda x: x.permute(-2, -1) + 1, ["add"]),
        (lambda x: x.permute(1, 0) + 1, ["permute_dims", "add"]),
        (lambda x: x.to(torch.float64) + 1, ["cast", "add"]),
    ],
    ids=["to its dtype", "to that of the example", "permuted not at all", "from behind", "permuted", "cast"],
)
def test_fold_leaves_out_what_does_nothing(fn: Callable[..., Any], left: list[str]) -> None:
    assert ops(fn, passes=("fold",)) == left


def test_fold_keeps_what_the_user_gave_a_name() -> None:
    def f(x: Any) -> Any:
        same = x.permute(0, 1)
        return same + 1

    assert ops(f, passes=("fold",)) == ["permute_dims", "add"]


@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.parametrize(
    ("fn", "left"),
    [
        (lambda x: -(-x), []),
        (lambda x: x * 1, []),
        (lambda x: 1 * x, []),
        (lambda x: x * 1.0, []),
        (lambda x: x / 1, []),
        (lambda x: x - 0, []),
        (lambda x: x**1, []),
        (lambda x: x + 0, ["add"]),
        (lambda x: x + 0.0, ["add"]),
        (lambda x: x * 0, ["multiply"]),
        (lambda x: x - x, ["subtract"]),
        (lambda x: x / x, ["divide"]),
        (lambda x: 0 - x, ["subtract"]),
        (lambda x: x**0, ["pow"]),
        (lambda x: x * -1, ["multiply"]),
        (lambda x: abs(abs(x)), ["abs", "abs"]),
    ],
)
def test_algebra_knows_only_what_holds_for_every_value(fn: Callable[..., Any], left: list[str]) -> None:
    """x + 0 makes 0.0 of -0.0; x * 0 and x - x are NaN where x is inf."""
    x = torch.from_numpy(SPECIAL)
    assert ops(fn, x, passes=("algebra", "dead")) == left
    wanted = np.asarray(fn(x))
    for to in ("numpy", "torch"):
        out = tl.transpile(fn, (x,), to=to)
        got = np.asarray(out(SPECIAL.copy() if to == "numpy" else x))
        assert np.array_equal(got, wanted, equal_nan=True)
        kept = ~np.isnan(wanted)
        assert np.array_equal(np.signbit(got[kept]), np.signbit(wanted[kept]))


def test_algebra_keeps_dtype_and_shape() -> None:
    whole = torch.arange(3)
    assert ops(lambda x: x / 1, whole, passes=("algebra",)) == ["cast", "divide"]
    assert ops(lambda x: x * 1.0, whole, passes=("algebra",)) == ["cast", "multiply"]
    one = torch.ones(2, 1)
    assert "multiply" in ops(lambda x, y: x * torch.ones(3), one, one, passes=("algebra",))
    for fn in (lambda x: x / 1, lambda x: x * 1.0, lambda x: x * 1, lambda x: x**1):
        assert tl.check(fn, (whole,), to="numpy").ok


def test_raise_finds_the_named_op() -> None:
    assert ops(lambda x: x * torch.sigmoid(x), passes=("raise",)) == ["sigmoid", "silu"]
    assert ops(lambda x: torch.sigmoid(x) * x, passes=("raise", "dead")) == ["silu"]
    assert ops(lambda x: (x + 1) * torch.sigmoid(x), passes=("raise", "dead")) == [
        "add",
        "sigmoid",
        "multiply",
    ]
    assert ops(lambda x: torch.exp(x) / torch.exp(x).sum(), passes=("raise",))[-1] == "divide"


def test_raised_ops_overflow_as_what_they_were() -> None:
    def swish(x: Any) -> Any:
        return x * torch.sigmoid(x)

    x = torch.from_numpy(SPECIAL)
    for to in ("jax", "torch"):
        out = tl.transpile(swish, (x,), to=to)
        assert "silu" in out.source
        got = np.asarray(out(jnp.asarray(SPECIAL) if to == "jax" else x))
        np.testing.assert_allclose(got, swish(x).numpy(), rtol=1e-6, atol=1e-37)


def test_common_merges_what_reading_made_and_nothing_of_the_users() -> None:
    def twice(x: Any) -> Any:
        return torch.sin(x) + torch.sin(x)

    assert ops(twice, passes=("common",)) == ["sin", "sin", "add"]


def test_common_tells_apart_what_python_calls_equal() -> None:
    assert len({frozen(v) for v in (1, 1.0, True)}) == 3
    assert frozen(0.0) != frozen(-0.0)
    assert frozen((1, [2])) != frozen([1, (2,)])
    assert frozen(slice(0, None)) == frozen(slice(0, None)) != frozen(slice(0, 1))


def test_dead_removes_what_nothing_uses_and_keeps_what_is_checked() -> None:
    def f(x: Any) -> Any:
        torch.exp(x)
        y = torch.sin(x) if int(x.shape[0]) > 1 else [x]
        return y

    program = tl.symbolic_trace(f, (X,)).read(("dead",))
    assert "exp" not in str(program) and "guard" in str(program)


def test_passes_reach_into_functions_and_branches() -> None:
    def f(x: Any, y: Any = None) -> Any:
        if y is not None:
            x = -(-x) + y
        return x

    program = tl.symbolic_trace(f, (X, X)).read(("algebra", "dead"))
    assert "negative" not in str(program)
    assert tl.check(f, (X, X), to="numpy").ok


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_what_the_user_wrote_stays_unless_laws_are_asked_for(to: str) -> None:
    def f(x: Any) -> Any:
        y = x * 1
        return y, -(-x) / 1.0

    traced = tl.symbolic_trace(f, (X,))
    assert "y = x * 1" in traced.source(to) and "-(-x) / 1.0" in traced.source(to)
    short = traced.source(to, passes=tuple(PASSES))
    assert "* 1" not in short and "-(-x)" not in short


def test_a_program_prints_its_types() -> None:
    text = str(tl.symbolic_trace(lambda x: torch.softmax(x, -1) @ x.T, (X,)).program)
    assert text.startswith("def fn(x: float32[x.shape[0], x.shape[1]]):\n")
    assert "softmax(x, axis=-1)" in text and "# float32[" in text


def test_jax_with_x64_is_another_program() -> None:
    with jax.enable_x64(True):
        assert "int64" in str(tl.symbolic_trace(lambda x: x + 1, (jnp.arange(3),)).program)
    assert "int32" in str(tl.symbolic_trace(lambda x: x + 1, (jnp.arange(3),)).program)

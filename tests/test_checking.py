"""check and verify: they find what is wrong in a translation, and where."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.ir.meaning.op import inexact

X = torch.linspace(0.5, 2.0, 6).reshape(2, 3)


@pytest.fixture
def broken(dictionary: None) -> Callable[..., None]:
    """Declares an op that torch says by i1, and other frameworks by a word that means something else."""

    def declare(numpy: str = "np.sin(x)", jax: str = "jnp.sin(x)") -> None:
        @tl.op("X[~] -> Y[~]", dtype=inexact)
        def broken(x):  # type: ignore[no-untyped-def]
            """Whatever its words say."""
            ...

        tl.say(broken, numpy, jax, "torch.special.i1(x)")

    return declare


def plain(x: Any) -> Any:
    y = torch.exp(x)
    z = torch.special.i1(y)
    return z + 1


def inner(x: Any) -> Any:
    """The fault is in here."""
    h = torch.cos(x)
    return torch.special.i1(h) * 2


def nested(x: Any) -> Any:
    return torch.exp(inner(torch.cos(x)))


def outermost(x: Any) -> Any:
    return nested(x) + inner(x * 2)


# What agrees.


def test_a_report_that_is_true() -> None:
    report = tl.check(lambda x: torch.softmax(x @ x.T, -1), (X,), to="numpy")
    assert report and report.ok and report.first is None and report.differences == []
    assert str(report) == "fn: torch and numpy agree on the result and on 3 calls one by one"


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_every_source_is_run_as_it_is(to: str) -> None:
    for fn, x in [
        (lambda x: np.tanh(x) @ x.T, np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)),
        (lambda x: jnp.tanh(x) @ x.T, jnp.linspace(0, 1, 6).reshape(2, 3)),
        (lambda x: torch.tanh(x) @ x.T, X),
    ]:
        report = tl.check(fn, (x,), to=to)
        assert report.ok, str(report)


def test_ints_that_jax_narrows_are_no_difference_and_floats_are() -> None:
    assert tl.check(lambda x: x * 2, (torch.arange(3),), to="jax").ok
    with jax.enable_x64(True):
        assert tl.check(lambda x: x * 2, (torch.arange(3.0).double(),), to="jax", x64=True).ok


def test_arguments_are_left_as_they_were() -> None:
    x = np.ones(3)

    def f(x: Any) -> Any:
        y = x * 2
        y += x
        return y

    assert tl.check(f, (x,), to="torch").ok and x.tolist() == [1.0, 1.0, 1.0]


def test_factors_are_unique_only_up_to_signs() -> None:
    def factors(x: Any) -> Any:
        values, vectors = np.linalg.eigh(x.T @ x)
        q, r = np.linalg.qr(x)
        return {"values": values, "vectors": vectors, "qr": (q, r)}

    def projected(x: Any) -> Any:
        _, vectors = np.linalg.eigh(x.T @ x)  # of rank 3, so most directions are as good as any other
        return (x @ vectors) ** 2

    random = np.random.default_rng(0)
    x = random.standard_normal((9, 6))
    assert tl.check(factors, (x,), to="torch").ok
    for whole in (torch.linalg.qr, torch.linalg.svd):  # in a tuple whose items have names
        for to in ("torch", "numpy"):
            assert tl.check(lambda a, whole=whole: whole(a), (torch.tensor(x[:6]),), to=to).ok
    report = tl.check(projected, (random.standard_normal((3, 6)),), to="torch")
    assert report.first is None, str(report)


# What differs.


@pytest.mark.parametrize("to", ["numpy", "jax"])
def test_a_wrong_row_is_found_end_to_end_and_op_by_op(broken: Callable[..., None], to: str) -> None:
    broken()
    report = tl.check(plain, (X,), to=to)
    assert not report and not report.ok
    assert [d.path for d in report.differences] == [""]
    assert "values differ by up to" in report.differences[0].what and report.differences[0].error > 1
    assert report.first is not None
    node, difference = report.first
    assert node.target is torch.special.i1 and difference.error == pytest.approx(report.differences[0].error)
    lines = str(report).splitlines()
    assert lines[0] == f"plain: torch and {to} differ"
    assert lines[1].startswith("  the result: values differ by up to")
    assert lines[2] == f"first at {node.name}: {difference.what}"
    assert lines[3].startswith("  test_checking.py:") and lines[3].endswith("z = torch.special.i1(y)")
    assert lines[4].strip() == "^" * len("torch.special.i1(y)")


def test_a_fault_that_the_result_hides(broken: Callable[..., None]) -> None:
    broken()

    def hidden(x: Any) -> Any:
        y = torch.special.i1(x)
        return x + y * 0

    report = tl.check(hidden, (X,), to="numpy")
    assert not report.ok and report.differences == [] and report.first is not None
    assert "y = torch.special.i1(x)" in str(report)


def test_a_fault_inside_functions_is_found_there(broken: Callable[..., None]) -> None:
    broken()
    report = tl.check(outermost, (X,), to="numpy")
    assert report.first is not None
    assert report.first[0].target is torch.special.i1
    assert "return torch.special.i1(h) * 2" in str(report)


def test_a_wrong_dtype_and_a_wrong_shape_are_told(broken: Callable[..., None]) -> None:
    broken(numpy="np.isnan(x)", jax="jnp.ravel(x)")
    assert "dtype float32 became bool" in str(tl.check(plain, (X,), to="numpy").first)
    report = tl.check(lambda x: torch.special.i1(x), (X,), to="jax")
    assert "the result: shape (2, 3) became (6,)" in str(report)


def test_every_output_is_named_and_the_worst_comes_first(broken: Callable[..., None]) -> None:
    broken()

    def several(x: Any) -> Any:
        y = torch.special.i1(x)
        return {"right": x, "wrong": [y, y * 100]}

    report = tl.check(several, (X,), to="jax")
    assert [d.path for d in report.differences] == ["['wrong'][1]", "['wrong'][0]"]


def test_verify_raises_what_check_reports(broken: Callable[..., None]) -> None:
    broken()
    with pytest.raises(tl.MismatchError, match=r"plain: torch and jax differ\n") as caught:
        tl.transpile(plain, (X,), to="jax", verify=True)
    assert "z = torch.special.i1(y)" in str(caught.value)
    tl.transpile(plain, (X,), to="jax")
    tl.transpile(lambda x: torch.exp(x), (X,), to="jax", verify=True)


def test_a_form_that_is_another_is_a_difference() -> None:
    from tracelate.backends.arrays import compare

    x = np.ones(2)

    def told(expected: Any, got: Any) -> list[str]:
        return [str(d) for d in compare(expected, got)]

    assert told((x, x), [x, x]) == ["the result: tuple of 2 became list of 2"]
    assert told({"a": (x,)}, {"a": (x, x)}) == ["['a']: tuple of 1 became tuple of 2"]
    assert told({"a": x, "b": x}, {"b": x, "a": x}) == []
    assert told({"a": x}, {"b": x}) == ["the result: keys ['a'] became ['b']"]
    assert told(torch.max(X, 0), tuple(torch.max(X, 0))) == []
    assert told([x, None, "a"], [x, None, "b"]) == ["[2]: 'a' became 'b'"]
    assert told(np.array([np.nan, np.inf]), np.array([np.nan, np.inf])) == []
    assert told(np.array([1.0, np.inf]), np.array([1.0, -np.inf])) != []


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_number_of_pythons_is_as_exact_as_the_array_that_it_comes_from(to: str) -> None:
    def solved(a: Any, b: Any) -> Any:
        return float(np.linalg.solve(a, b)[0])

    def half(x: Any) -> Any:
        return [x.sum().item() * 0.1, {"mean": x.mean().item()}]

    random = np.random.default_rng(0)
    for _ in range(5):
        a, b = random.standard_normal((6, 6)), random.standard_normal(6)
        with jax.enable_x64(True):
            assert tl.check(solved, (a, b), to=to, x64=True, vary=True).ok
    for size in (10, 100, 1000):
        assert tl.check(half, (torch.rand(size),), to=to).ok


def test_how_numbers_of_pythons_are_compared() -> None:
    from tracelate.backends.arrays import compare
    from tracelate.ir.values.dtypes import float32

    def told(expected: Any, got: Any, **how: Any) -> list[str]:
        return [str(d) for d in compare(expected, got, **how)]

    nan = float("nan")
    assert told([nan, 1.0, 1j, 2, True], [nan, 1.0 + 1e-15, 1j * (1 + 1e-15), 2, True]) == []
    assert told(1.0, 1.0 + 1e-7) == ["the result: values differ: 1.0 became 1.0000001"]
    assert told(1.0, 1.0 + 1e-7, floats=float32) == [] == told(1j, 1j * (1 + 1e-7), floats=float32)
    assert told(10**30, 10**30 + 1, floats=float32) != []
    for one, other in [(1, 1.0), (1, True), (1.0, 1 + 0j), (nan, None), (float("inf"), -float("inf"))]:
        assert told(one, other) != [] and told(other, one) != []


def test_int_results_are_equal_to_the_last_bit() -> None:
    from tracelate.backends.arrays import compare

    a = np.array([2**53 + 1, -1])
    assert list(compare(a, a.copy())) == []
    assert [d.what for d in compare(a, a - [1, 0])] == ["values differ by up to 1"]


def test_memory_that_is_filled_step_by_step_agrees() -> None:
    def smoothed(x: Any) -> Any:
        out = np.empty_like(x)
        out[0] = x[0]
        for i in range(1, len(x)):
            out[i] = 0.5 * x[i] + 0.5 * out[i - 1]
        return out

    assert tl.check(smoothed, (np.random.default_rng(0).random(30),), to="torch").ok


def test_a_class_that_jax_does_not_look_into_is_an_argument_of_a_loop() -> None:
    @dataclasses.dataclass
    class Weights:
        w: Any
        b: Any

    def recurrent(xs: Any, p: Weights) -> Any:
        h = torch.zeros(3)
        for t in range(xs.shape[0]):
            h = torch.tanh(xs[t] @ p.w + h + p.b)
        return h

    args = torch.ones(12, 2), Weights(torch.ones(2, 3), torch.ones(3))
    assert tl.check(recurrent, args, to="jax").ok
    assert "@jax.jit" not in tl.symbolic_trace(recurrent, args).source("jax")

"""vary: a translation that holds for its example only is found out, and told at its smallest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.ir.meaning.op import inexact
from tracelate.varying.promise import Watch
from tracelate.varying.report import Varied
from tracelate.varying.vary import USUAL

X = np.array([1.0, -2.0, 3.0])


def check(fn: Any, args: Any, to: str = "numpy", vary: bool | int = True) -> Varied:
    with jax.enable_x64(True):
        report = tl.check(fn, args, to=to, x64=to == "jax" or None, vary=vary)
    assert isinstance(report, Varied)
    return report


@pytest.fixture
def broken(dictionary: None) -> Callable[[str], None]:
    """Declares an op that NumPy says by `words`, and torch by i1."""

    def declare(words: str) -> None:
        @tl.op("X[~] -> X[~]", dtype=inexact)
        def broken(x):  # type: ignore[no-untyped-def]
            """Whatever its words say."""
            ...

        tl.say(broken, words, words.replace("np", "jnp"), "torch.special.i1(x)")

    return declare


def softmax(x: Any, w: Any) -> Any:
    y = x @ w
    e = np.exp(y - y.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_holds_for_the_example_may_hold_for_all(to: str) -> None:
    report = check(softmax, (np.ones((2, 3)), np.arange(12.0).reshape(3, 4) / 8), to)
    assert report.ok and report.smallest is None and not report.of("differs")
    assert len(report.cases) == USUAL + 1 and len(report.of("held")) > 20
    assert "49 variations: " in str(report) and "raise in both" in str(report)


def test_the_number_of_variations_is_ones_own() -> None:
    assert len(check(lambda x: x + 1, (X,), vary=5).cases) == 6
    assert not isinstance(tl.check(lambda x: x + 1, (X,), to="numpy"), Varied)
    with pytest.raises(ValueError, match="a number of variations, not -1"):
        tl.check(lambda x: x + 1, (X,), to="numpy", vary=-1)


def test_they_are_the_same_each_time() -> None:
    one, other = (check(lambda x, n: x * n, (X, 2)) for _ in range(2))
    assert [repr(c.arguments) for c in one.cases] == [repr(c.arguments) for c in other.cases]


def test_what_is_wrong_for_other_numbers_is_told_at_its_smallest(broken: Callable[[str], None]) -> None:
    broken("np.sin(x)")  # right for the example

    def f(x: Any, y: Any) -> Any:
        return torch.special.i1(x) * y

    report = check(f, (torch.zeros(2, 3), torch.ones(3)))
    assert not report.ok and report.differences == [] and report.first is None
    assert report.smallest is not None
    assert tuple(report.smallest.arguments["x"].shape) == (1, 1)
    assert "at its smallest\n  f(x=torch.tensor([[" in str(report)


def test_a_check_of_the_text_refuses() -> None:
    def f(x: Any) -> Any:
        return x * x.shape[0] if len(x) == 3 else -x

    report = check(lambda x: x.reshape(3), (X,), "torch")
    assert not report.of("differs")

    def kinds(x: Any) -> Any:
        return max(x.sum(), 0.0) if x.dtype == np.float64 else x

    report = check(kinds, (X,), "torch")
    refused = [case for case in report.of("refused") if case.outcome.guard]
    assert refused and "refused by its checks:" in str(report)
    assert check(f, (X,), "jax").ok

    def turning(x: Any) -> Any:  # under jax.jit, which leaves its frames out of what is raised
        for _ in range(20):
            x = x * x.sum()
        return x[:2] if x.ndim == 1 else x

    report = check(turning, (X,), "jax")
    refused = [case for case in report.of("refused") if "AssertionError" in case.outcome.why]
    assert refused and all(case.outcome.guard for case in refused)


def test_what_the_source_refuses_is_outside() -> None:
    def f(x: Any, i: int) -> Any:
        return x[i] * 2

    report = check(f, (X, 1))
    assert report.ok and {c.outcome.kind for c in report.cases} <= {"held", "raised", "refused", "outside"}
    assert any("the source raises IndexError" in c.outcome.why for c in report.of("raised"))


@pytest.mark.parametrize(
    ("fn", "args", "why"),
    [
        (lambda x: x.astype(np.int64), (X,), "a float out of an int's range was made an int"),
        (lambda x, y: x // y, (np.array([5, 6]), np.array([2, 3])), "an int was divided by zero"),
        (lambda x, y: x**y, (torch.tensor([5, 6]), torch.tensor([2, 3])), "an int was raised to a power"),
        (lambda x: torch.topk(x, 2), (torch.tensor([1.0, 3.0, 2.0]),), ""),
        (lambda x: x + np.random.rand(3), (X,), ""),
    ],
    ids=["casts", "divisions", "powers", "ties", "random"],
)
def test_what_is_undefined_is_outside(fn: Any, args: Any, why: str) -> None:
    try:
        report = check(fn, args, "jax")
    except tl.TraceError:
        assert not why
        return
    assert report.smallest is None, str(report)
    assert why in str(report)


def test_a_search_in_what_is_not_sorted_is_outside() -> None:
    line, values = np.array([0.0, 1.0, 2.0]), np.array([2.0, 0.0])
    traced = tl.symbolic_trace(lambda x, v: np.searchsorted(x, v), (line, values))
    for given, found in ((line, ""), (line[::-1], "a value was looked for in what is not sorted")):
        watch = Watch(traced)
        traced.run(watch, given, values)
        assert watch.found == found


def test_arguments_may_share_memory() -> None:
    def f(a: Any, b: Any) -> Any:
        a[0] = 9.0
        return b * 2, a

    report = check(f, (np.ones(3), np.zeros(3)), "torch")
    assert any("one array" in c.what for c in report.of("held") + report.of("differs"))
    shared = next(c for c in report.cases if "are one array" in c.what)
    assert shared.arguments["a"] is shared.arguments["b"]


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_of_numbers_of_numpys_where_the_example_has_pythons_nothing_is_promised(to: str) -> None:
    def scaled(x: Any, s: float) -> Any:
        return x * s

    report = check(scaled, (torch.ones(3), 2.0), to)
    assert report.ok, str(report)
    assert to == "torch" or any("numbers of NumPy's" in case.outcome.why for case in report.of("outside"))


def test_kinds_are_compared() -> None:
    from tracelate.backends.backend import target_of
    from tracelate.checking import as_compiled
    from tracelate.varying.running import kinds

    plain, compiled = target_of("numpy", None), target_of("jax", None)
    assert [d.what for d in kinds(1.0, np.float64(1), "", "numpy", plain)] == [
        "float became a NumPy number, no array"
    ]
    assert [d.path for d in kinds([1, {"a": 2}], [1, {"a": 2.0}], "", "numpy", plain)] == ["[1]['a']"]
    assert not list(kinds(np.float64(1), torch.tensor(1.0), "", "numpy", target_of("torch", None)))
    assert not list(kinds(np.float64(1), np.array(1.0), "", "numpy", plain))
    assert as_compiled((2, [1.5]), (jnp.array(2.0), [1.5])) == (2.0, [1.5])
    assert as_compiled((2.0,), (jnp.array(2),)) == (2.0,)
    assert type(as_compiled((2.0,), (jnp.array(2),))[0]) is float
    assert compiled.compiles


def test_an_endless_loop_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    from tracelate.varying import running

    monkeypatch.setattr(running, "LONGEST", 0.2)

    def f(x: Any, n: int) -> Any:
        while n != 2:
            n = n + 1
        return x * n

    report = check(f, (X, 0))
    assert any("takes longer" in c.outcome.why for c in report.cases)


@pytest.mark.parametrize("to", ["jax", pytest.param("numpy", marks=pytest.mark.slow)])
def test_an_endless_loop_of_jax_is_not_begun(to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stops a loop that is compiled: it is tried turn by turn before."""
    from tracelate.varying import running

    monkeypatch.setattr(running, "LONGEST", 0.5)

    def halved(x: Any) -> Any:
        return jax.lax.while_loop(lambda v: jnp.abs(v).max() > 1, lambda v: v / 2, x)

    report = check(halved, (jnp.array([3.0, 5.0]),), to=to)
    assert any("takes longer" in c.outcome.why for c in report.cases)


def test_an_endless_loop_that_was_translated_into_jax_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """0 / 0 is an error in Python, and nan in JAX, which is never near."""
    from tracelate.varying import running

    monkeypatch.setattr(running, "LONGEST", 0.5)

    def root(a: float) -> float:
        x = a
        while True:
            new = 0.5 * (x + a / x)
            if abs(new - x) < 1e-12:
                break
            x = new
        return new

    with jax.enable_x64(True):
        report = tl.check(root, (2.0,), to="jax", source="numpy", x64=True, vary=True)
    assert any("ZeroDivisionError" in c.outcome.why for c in report.cases)  # type: ignore[attr-defined]

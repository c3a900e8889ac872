"""Objects and functions among the arguments, which the text is the program for: others are refused."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import argparse
import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from frozen_programs import CASES, ONE, Config, Other, X, a_function, a_method, cube, functions, square

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "example", "alike", "others"), CASES)
def test_another_object_is_refused(fn, example, alike, others, target) -> None:
    out: Any = tl.transpile(fn, source="numpy", to=target, args=(X, example))
    for given in (example, alike):
        np.testing.assert_allclose(to_numpy(out(convert(X, target), given)), fn(X, given), rtol=1e-6)
    for other in others:
        with pytest.raises((AssertionError, AttributeError)):
            out(convert(X, target), other)


def test_an_object_that_changes_is_another() -> None:
    """JAX compiles nothing for an object that is the same and holds something else."""
    out: Any = tl.transpile(a_method, source="numpy", to="jax", args=(X, config := Config(0.5)))
    assert out(jnp.asarray(X), config).tolist() == (X * 1.5).tolist()
    config.scale = 2.0
    with pytest.raises(AssertionError):
        out(jnp.asarray(X), config)


@pytest.mark.parametrize("f", [np.sin, np.abs, np.tanh, square], ids=lambda f: f.__name__)
def test_a_function_of_another_name_is_refused(f: Any) -> None:
    """That of the target may be given in its place."""
    own = {"numpy": np, "torch": torch, "jax": jnp}
    for target, module in own.items():
        out: Any = tl.transpile(a_function, source="numpy", to=target, args=(f, X))
        x = convert(X, target)
        for given in {f, getattr(module, {"absolute": "abs"}.get(f.__name__, f.__name__), f)}:
            np.testing.assert_allclose(to_numpy(out(given, x)), a_function(f, X), rtol=1e-6)
        for other in (np.cos, cube, 3.0):
            with pytest.raises((AssertionError, AttributeError)):
                out(other, x)


def of_several(x, *cfgs, **more):
    return x * cfgs[1].scale * more["last"].scale


def by_default(x, a=ONE, *, cfg=Config(3.0)):  # noqa: B008
    return x * a.lr * cfg.scale


@pytest.mark.parametrize("target", ["numpy", "torch", "jax"])
def test_objects_that_are_taken_together_or_by_default(target: str) -> None:
    x = convert(X, target)
    args, kwargs = (X, Config(1.0), Config(2.0)), {"last": Config(3.0)}
    out: Any = tl.transpile(of_several, source="numpy", to=target, args=args, kwargs=kwargs)
    np.testing.assert_allclose(to_numpy(out(x, Config(5.0), Config(2.0), last=Config(3.0))), X * 6)
    for other in ((Config(1.0), Config(3.0)), (Config(1.0),), (Config(1.0), Other())):
        with pytest.raises((AssertionError, IndexError)):
            out(x, *other, last=Config(3.0))
    out = tl.transpile(by_default, source="numpy", to=target, args=(X,))
    np.testing.assert_allclose(to_numpy(out(x)), X * 3)
    np.testing.assert_allclose(to_numpy(out(x, ONE, cfg=Config(3.0))), X * 3)
    for given in ({"a": argparse.Namespace(lr=2.0)}, {"cfg": Config(4.0)}):
        with pytest.raises(AssertionError):
            out(x, **given)


TORCHS = [
    (torch.nn.ReLU(), torch.nn.Sigmoid()), (torch.nn.Softmax(0), torch.nn.Softmax(-1)),
    (torch.nn.Sequential(torch.nn.ReLU()), torch.nn.Sequential(torch.nn.Tanh())),
    (torch.tanh, torch.sin), (torch.nn.functional.gelu, torch.nn.functional.relu),
]  # fmt: skip


@pytest.mark.parametrize(("f", "other"), TORCHS)
def test_modules_and_functions_of_torch(f: Any, other: Any) -> None:
    out: Any = tl.transpile(lambda f, x: f(x), source="torch", to="torch", args=(f, torch.from_numpy(X)))
    torch.testing.assert_close(out(f, torch.from_numpy(X)), f(torch.from_numpy(X)))
    with pytest.raises(AssertionError):
        out(other, torch.from_numpy(X))


def test_functions_of_jax() -> None:
    out: Any = tl.transpile(lambda f, x: f(x), source="jax", to="numpy", args=(jnp.sin, jnp.asarray(X)))
    np.testing.assert_allclose(out(np.sin, X), np.sin(X))
    with pytest.raises(AssertionError):
        out(jnp.cos, X)


def test_parameters_of_modules_are_refused() -> None:
    with pytest.raises(tl.UnsupportedError, match="weight"):
        tl.transpile(lambda m, x: m.weight @ x, source="torch", to="torch",
                     args=(torch.nn.Linear(3, 3), torch.from_numpy(X)))  # fmt: skip


def test_a_list_of_functions_is_the_examples() -> None:
    out: Any = tl.transpile(functions, source="numpy", to="torch", args=([square, np.tanh], X))
    x = torch.from_numpy(X)
    torch.testing.assert_close(out([square, np.tanh], x), torch.tanh(x * x))
    for other in ([square], [np.tanh, square], [square, np.tanh, square]):
        with pytest.raises(AssertionError):
            out(other, x)


class Model:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, x):
        return x @ self.w


@pytest.mark.parametrize("w", [X, [X]], ids=["array", "list"])
def test_arrays_in_an_object_are_refused(w: Any) -> None:
    def predict(model, x):
        return x @ (model.w if isinstance(model.w, np.ndarray) else model.w[0])

    with pytest.raises(tl.UnsupportedError, match=r"model\.w.*an array in an object") as error:
        tl.transpile(predict, source="numpy", to="jax", args=(Model(w), X))
    assert "make model a dataclass" in str(error.value)
    assert error.value.span is not None


def test_arrays_of_an_object_that_is_bound_before_are_constants() -> None:
    model = Model(np.eye(3, dtype=np.float32) * 2)
    out: Any = tl.transpile(lambda x: model(x), source="numpy", to="jax", args=(X,))
    assert out(jnp.asarray(X)).tolist() == (X * 2).tolist()


def test_what_has_no_end_is_not_gone_through() -> None:
    out: Any = tl.transpile(lambda x, c: x * 2, source="numpy", to="numpy", args=(X, itertools.count()))
    assert out(X, itertools.count()).tolist() == (X * 2).tolist()


def test_objects_are_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(0.5)
    before = dict(vars(config))
    tl.transpile(a_method, source="jax", to="numpy", args=(jax.numpy.asarray(X), config))
    assert vars(config) == before

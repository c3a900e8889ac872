"""Defaults that are arrays, and objects: they stay parameters, and stay where they stand."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

V = np.array([1.0, 2.0, 3.0])


def scaled(x: Any, w: Any = np.array([1.0, 2.0, 4.0]), n: int = 2) -> Any:
    return x * w * n


def listed(x: Any, ws: Any = (np.ones(3), [np.zeros(3)])) -> Any:
    return x * ws[0] + ws[1][0]


def large(x: Any, table: Any = np.arange(40.0), n: int = 2) -> Any:
    return x[0] * table * n


@pytest.mark.parametrize("to", ("numpy", "torch"))
def test_an_array_as_default_stays_a_parameter(to: str) -> None:
    out = tl.transpile(scaled, (V,), to=to, verify=True)
    assert list(inspect.signature(out).parameters) == ["x", "w", "n"]
    x = torch.tensor(V) if to == "torch" else V
    np.testing.assert_array_equal(np.asarray(out(x)), scaled(V))
    np.testing.assert_array_equal(np.asarray(out(x, x)), scaled(V, V))
    np.testing.assert_array_equal(np.asarray(out(x, w=x, n=3)), scaled(V, V, 3))


def test_it_is_written_as_a_person_would() -> None:
    source = tl.transpile(scaled, (V,), to="numpy").source
    assert "def scaled(x: Any, w: Any = np.array([1.0, 2.0, 4.0]), n: int = 2) -> Any:" in source
    half = torch.tensor([1.0, float("inf")], dtype=torch.bfloat16)
    source = tl.transpile(lambda x, w=half: x * w, (torch.ones(2),), to="jax").source
    assert "w=jnp.array([1.0, jnp.inf], dtype=jnp.bfloat16)" in source


def test_arrays_in_containers() -> None:
    out = tl.transpile(listed, (V,), to="torch", verify=True)
    np.testing.assert_array_equal(out(torch.tensor(V)).numpy(), V)


def test_what_follows_a_large_array_is_given_by_name() -> None:
    out = tl.transpile(large, (V,), to="numpy")
    np.testing.assert_array_equal(out(V, n=3), large(V, n=3))
    with pytest.raises(TypeError, match="positional"):
        out(V, 3)


def test_strings_beside_arrays_are_static() -> None:
    def layer(p: Any, x: Any) -> Any:
        y = x * p["w"]
        if p["act"] == "leaky":
            y = jnp.where(y > 0, y, 0.1 * y)
        return y if y[0] > 0 else -y

    given = {"act": "leaky", "w": jnp.ones(3), "rest": [None, True]}
    for to in ("numpy", "jax", "torch"):
        report = tl.check(layer, (given, jnp.array([1.0, -2.0, 3.0])), to=to)
        assert report.ok, str(report)


def with_numpys(x: Any, w: Any = np.arange(3.0), mask: Any = np.array([True, False, True])) -> Any:
    return jnp.where(mask, x * w, x)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_numpys_arrays_are_what_jax_makes_of_them(to: str) -> None:
    """Without x64 it narrows them: the default is float32 in every text, and may be another."""
    x = jnp.array([1.0, 2.0, 3.0])
    out = tl.transpile(with_numpys, (x,), to=to, verify=True)
    for given in ((x,), (x, jnp.ones(3)), (x, jnp.ones(3), jnp.zeros(3, bool))):
        found = out(*(convert(np.asarray(a), to) for a in given))
        assert str(found.dtype).removeprefix("torch.") == "float32"
        np.testing.assert_array_equal(np.asarray(found), np.asarray(with_numpys(*given)))


def of_array(x: Any, w: Any = np.arange(3.0)) -> Any:
    return x * torch.from_numpy(w)


def of_number(x: Any, w: Any = np.float32(2)) -> Any:
    return x * w


def in_a_list(x: Any, ws: Any = (1.0, np.arange(3.0))) -> Any:
    return x * torch.from_numpy(ws[1])


@pytest.mark.parametrize("fn", [of_array, of_number, in_a_list])
def test_those_of_another_framework_would_be_constants(fn: Any) -> None:
    """torch's programs take NumPy's arrays for constants; what is given for them would be forgotten."""
    with pytest.raises(tl.TraceError, match="an argument is of numpy, in a program of torch"):
        tl.symbolic_trace(fn, (torch.ones(3),))
    _, given = inspect.signature(fn).parameters.values()
    with pytest.raises(tl.TraceError, match="an argument is of numpy, in a program of torch"):
        tl.symbolic_trace(fn, (torch.ones(3), given.default), source="torch")


class Point(NamedTuple):
    a: float
    b: float


@dataclass
class Config:
    lr: float = 0.5


def of_namedtuple(x: Any, p: Any = Point(1, 2.5)) -> Any:
    return x * p.a + p.b


def of_dataclass(x: Any, c: Any = Config()) -> Any:
    return x * c.lr


def by_keyword(x: Any, *, c: Any = Config(2.0)) -> Any:
    return x * c.lr


def in_containers(x: Any, c: Any = {"a": (Config(), Point(1, 2))}) -> Any:  # noqa: B006
    return x * c["a"][0].lr - c["a"][1].b


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [of_namedtuple, of_dataclass, by_keyword, in_containers])
def test_objects_are_of_their_classes(fn: Any, to: str) -> None:
    """The text defines the classes; what is given instead counts, or is refused."""
    x = np.arange(3.0, dtype=np.float32)
    try:
        out = tl.transpile(fn, (x,), to=to)
    except tl.UnsupportedError:
        assert to == "jax"
        return
    np.testing.assert_allclose(np.asarray(out(convert(x, to))), fn(x))
    if fn is of_dataclass:
        np.testing.assert_allclose(np.asarray(out(convert(x, to), Config(3.0))), fn(x, Config(3.0)))

"""Ops, and functions of users' libraries that rows name, called in programs: recorded as what they are."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.backend import NAMES
from tracelate.ir.meaning.op import inexact
from tracelate.ir.ops.activation import gelu, softmax
from tracelate.ir.ops.elementary import sqrt
from tracelate.ir.ops.reduction import max_and_argmax, mean

pytestmark = pytest.mark.usefixtures("dictionary")

ARRAYS: dict[str, Callable[[Any], Any]] = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.asarray}
X = np.random.default_rng(0).standard_normal((2, 3)).astype(np.float32)
W = np.array([1.0, 2.0, 0.5], np.float32)
DIRECTIONS = list(itertools.product(NAMES, NAMES))

LIBRARY = {
    "__init__.py": "from .norms import rms_norm\n",
    "norms.py": '''
def rms_norm(x, weight, eps=1e-6):
    """x over its root mean square, for arrays of any framework."""
    square = (x * x).mean(-1)
    return x / (square.reshape((*square.shape, 1)) + eps) ** 0.5 * weight
''',
}


@pytest.fixture
def mylib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A library of the user's, with a row that names its function."""
    (tmp_path / "mylib").mkdir()
    for name, text in LIBRARY.items():
        (tmp_path / "mylib" / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))

    @tl.op("X[*b n] W[n] -> Y[*b n]", dtype=inexact, namespace="mylib")
    def rms_norm(x, weight, *, eps=1e-6):  # type: ignore[no-untyped-def]
        """x over its root mean square, times the weight."""
        return x / sqrt(mean(x * x, axis=-1, keepdims=True) + eps) * weight

    called = "mylib.rms_norm(x, weight, eps=eps)"
    tl.say(rms_norm, numpy=called, reads=called, gives="numpy: new")
    import mylib  # type: ignore[import-not-found]

    yield mylib
    for name in [name for name in sys.modules if name.partition(".")[0] == "mylib"]:
        del sys.modules[name]


@pytest.mark.parametrize(("source", "to"), DIRECTIONS)
def test_a_function_of_a_library_is_what_its_row_says(mylib: Any, source: str, to: str) -> None:
    def normed(x: Any, w: Any) -> Any:
        y = mylib.rms_norm(x * 2, w)
        for _ in range(2):
            y = mylib.rms_norm(y, eps=0.1, weight=w) + 1
        return y

    x, w = ARRAYS[source](X), ARRAYS[source](W)
    traced = tl.symbolic_trace(normed, (x, w))
    assert str(traced.program).count("mylib.rms_norm(") == 2
    assert ("mylib" in traced.source(to)) == (to == "numpy")
    assert tl.check(normed, (x, w), to=to, vary=4)


def test_the_text_imports_the_library(mylib: Any) -> None:
    text = tl.transpile(lambda x, w: mylib.rms_norm(x, w), (X, W), to="numpy").source
    assert text == "import mylib\n\n\ndef fn(x, w):\n    return mylib.rms_norm(x, w)\n"


def test_of_constants_a_function_of_a_library_is_called(mylib: Any) -> None:
    def scaled(x: Any) -> Any:
        return x * float(mylib.rms_norm(X, W).sum())

    assert "mylib" not in tl.transpile(scaled, (X,), to="torch", verify=True).source


def test_what_a_row_does_not_take_is_refused_by_the_users_line(mylib: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match=r"mylib\.rms_norm .*takes no argument 'epsilon'"):
        tl.transpile(lambda x, w: mylib.rms_norm(x, w, epsilon=1), (X, W), to="torch")


def activated(x: Any, w: Any) -> Any:
    y = gelu(x, approximate="tanh") * w
    if y.sum() > 0:
        y = softmax(y, axis=-1)
    largest, where = max_and_argmax(y, axis=0)
    return y - largest, where


@pytest.mark.parametrize(("source", "to"), DIRECTIONS)
def test_an_op_is_recorded_as_itself(source: str, to: str) -> None:
    x, w = ARRAYS[source](X), ARRAYS[source](W)
    traced = tl.symbolic_trace(activated, (x, w))
    assert "gelu(" in str(traced.program) and "softmax(" in str(traced.program)
    assert tl.check(activated, (x, w), to=to, vary=4)


@pytest.mark.parametrize("source", NAMES)
def test_an_op_of_arrays_is_what_its_framework_has_of_it(source: str) -> None:
    x, w = torch.tensor(X), torch.tensor(W)
    y = torch.softmax(torch.nn.functional.gelu(x, approximate="tanh") * w, -1)
    found, where = activated(ARRAYS[source](X), ARRAYS[source](W))
    np.testing.assert_allclose(found, (y - y.max(0).values).numpy(), rtol=1e-4, atol=1e-6)
    assert type(found) is type(ARRAYS[source](X)) and where.tolist() == y.argmax(0).tolist()


def test_an_op_in_what_jax_compiles() -> None:
    compiled = jax.jit(lambda x: softmax(x, axis=-1) * 2)
    np.testing.assert_allclose(compiled(jnp.asarray(X)), 2 * jax.nn.softmax(jnp.asarray(X), -1), rtol=1e-5)


def test_an_op_of_no_array_says_so() -> None:
    with pytest.raises(TypeError, match="gelu of no array: give it arrays of NumPy, JAX or torch"):
        gelu(2.0)

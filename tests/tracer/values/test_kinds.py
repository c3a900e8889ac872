"""What a program is told of types and identity is what Python tells it, or the program is refused."""

from __future__ import annotations

import functools
import linecache
import numbers
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

V = np.array([1.0, 2.0, 3.0])
M = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
J = jnp.asarray(M.numpy())
NAMES = {"np": np, "torch": torch, "jax": jax, "jnp": jnp, "numbers": numbers, "functools": functools}

#: Tests of x, a vector of NumPy's, and of y, an int.
NUMPY = """
type(x) is np.ndarray; type(x) == np.ndarray; type(x) in (int, np.ndarray); type(x).__name__ == "ndarray"
x.__class__ is np.ndarray; list(map(type, [x, y])) == [np.ndarray, int]
[type(v) for v in (x, y)] == [np.ndarray, int]; isinstance(x, (list, np.ndarray))
isinstance(x, np.ndarray | list); issubclass(type(x), np.ndarray); callable(x); isinstance(x[0], np.ndarray)
isinstance(x[:1], np.ndarray); isinstance(x[...], np.ndarray); isinstance(x.sum(), float)
isinstance(x.sum(), numbers.Real); isinstance(x.sum(), np.generic); isinstance(x[0].item(), float)
type(x[0]) is np.float64; type(x @ x) is np.float64; type(-x[0]) is np.float64; type(x[0] > 1) is np.bool_
type(x.argmax()) is np.int64; type(np.where(x[0] > 0, x[0], 0)) is np.ndarray
type(np.median(x)) is np.float64; type(x.astype(int)[0]) is np.int64; type(np.float32(x[0])) is np.float32
type(np.sqrt(y)) is np.float64; type(float(x[0])) is float; type(x.shape) is tuple; type(x.shape[0]) is int
type(x.ndim) is int; type(len(x)) is int; type(x.dtype) is type(np.dtype(float))
isinstance(x.dtype, np.dtype); hasattr(x, "detach"); hasattr(x[0], "is_integer"); np.isscalar(x[0])
np.isscalar(x); np.isscalar(x.shape[0]); type(y) is int; isinstance(y, bool); isinstance(y, float)
isinstance(y, numbers.Integral); str(type(y)) == "<class 'int'>"; type(y)(2.5) == 2; type(y / 2) is float
y.__class__ is int; type(y + x[0]) is np.float64; hasattr(y, "bit_length"); (y > 2) is True; y is True
y is None; np.asarray(x) is x; np.asarray(x, dtype=np.float64) is x; np.asarray(x, np.float32) is x
x[:] is x; x.T is x; x.astype(x.dtype) is x; (x * 1) is x; x is not None; x is x; x[0] is None
x.sum() is x.sum(); (x > 0).any() is True; bool((x > 0).any()) is True; bool((x > 9).any()) is not True
x.shape is x.shape; x.sum() is np.nan
"""
TORCH = """
type(x) is torch.Tensor; isinstance(x, torch.Tensor); isinstance(x, torch.FloatTensor)
type(x.sum()) is torch.Tensor; isinstance(x, torch.nn.Parameter); isinstance(x.sum(), float)
type(x.shape) is torch.Size; isinstance(x.shape, tuple); type(x.sum().item()) is float; torch.is_tensor(x)
x.__class__.__name__ == "Tensor"; type(x.dtype) is torch.dtype; x.float() is x; x.double() is x
x.to(x.dtype) is x; x.to("cpu") is x; x.cpu() is x; x.detach() is x; (x + 0) is x; x.view(2, 2) is x
x.add_(0) is x; x.T is x; x.dtype is torch.float32; x.requires_grad_(False) is x
"""
JAX = """
type(x) is jax.Array; isinstance(x, jax.Array); isinstance(x, jax.core.Tracer); isinstance(x[0, 0], float)
(x + 1) is x; jnp.isscalar(x[0, 0]); type(x.shape) is tuple; isinstance(x, np.ndarray); hasattr(x, "at")
x is None
"""
#: What is not certain, or depends on the call.
UNSURE = """
x is z; np.asarray(x) is z; np.ascontiguousarray(x) is x; np.squeeze(x) is x; y is 3; id(x) == id(z)
x.real is x
"""


def program(test: str, names: str) -> Any:
    text = f"def f({names}):\n    return x + 1 if {test} else x - 1\n"
    file = f"<{test}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module = dict(NAMES)
    exec(compile(text, file, "exec"), module)
    return module["f"]


def asked(text: str) -> list[str]:
    return [test.strip() for line in text.strip().splitlines() for test in line.split(";")]


@pytest.mark.filterwarnings("ignore:.*literal:SyntaxWarning")
@pytest.mark.parametrize("text, names, args", [(NUMPY, "x, y", (V, 3)), (TORCH, "x", (M,)), (JAX, "x", (J,))],
                         ids=("numpy", "torch", "jax"))  # fmt: skip
def test_the_answer_is_pythons_own(text: str, names: str, args: Any) -> None:
    wrong = []
    for test in asked(text):
        f = program(test, names)
        want = f(*args)
        if not np.array_equal(tl.symbolic_trace(f, args)(*args), want):
            wrong.append(test)
    assert not wrong


@pytest.mark.filterwarnings("ignore:.*literal:SyntaxWarning")
@pytest.mark.parametrize("test", asked(UNSURE))
def test_what_is_not_certain_is_refused(test: str) -> None:
    with pytest.raises(tl.UnsupportedError) as error:
        tl.symbolic_trace(program(test, "x, y, z"), (V, 3, V.copy()))
    assert test in str(error.value)


@pytest.mark.parametrize("test", [
    "isinstance(x.sum(), float)", "type(x[0]) is np.float64", "isinstance(x.sum(), np.floating)",
    "np.asarray(x, dtype=np.float64) is x", "type(x) is np.ndarray", "isinstance(x[0], np.ndarray)",
])  # fmt: skip
def test_an_answer_that_depends_on_the_dtype_holds_for_it(test: str) -> None:
    f = program(test, "x")
    for example in (V, V.astype(np.float32), V.astype(int)):
        out = tl.transpile(f, (example,), to="numpy")
        for other in (V, V.astype(np.float32), V.astype(int)):
            try:
                found = out(other)
            except (ValueError, AssertionError):
                assert other.dtype != example.dtype and "dtype" in out.source
                continue
            assert np.array_equal(found, f(other)) and found.dtype == f(other).dtype


@functools.singledispatch
def doubled(v: Any) -> Any:
    return v * 2


@doubled.register
def _(v: float) -> Any:
    return v * 3


@doubled.register(np.ndarray)
def _(v: Any) -> Any:
    if v.sum() > 0:  # runs as any other function of the user's
        return v * 5
    return v * 7


def dispatching(x: Any) -> Any:
    return doubled(x), doubled(x.sum()), doubled(x.sum() > 0)


def matching(x: Any) -> Any:
    found = []
    for v in (x, x.sum(), x.shape[0], x.dtype, (x[0], 2)):
        match v:
            case np.ndarray():
                found.append(1)
            case float():
                found.append(2)
            case int():
                found.append(3)
            case (np.float64(), k):
                found.append(k * 10)
            case _:
                found.append(4)
    return x * np.array(found)[:3].sum() + found[4]


def kind_of(v: Any) -> str:
    return type(v).__name__


def helped(x: Any) -> Any:
    return x * len(kind_of(x)) + len(kind_of(x.sum()))


def optional(x: Any, b: Any = None) -> Any:
    return x + b if isinstance(b, np.ndarray) else x


@pytest.mark.parametrize("f, args", [
    (dispatching, (V,)), (matching, (V,)), (helped, (V,)), (optional, (V, V)),
])  # fmt: skip
def test_other_ways_to_ask(f: Any, args: Any) -> None:
    out = tl.transpile(f, args, to="numpy")
    for found, want in zip(out(*args), f(*args), strict=True):
        assert np.array_equal(found, want)
        assert type(found) is type(want)


def test_what_an_optional_argument_was_found_to_be_is_checked() -> None:
    with pytest.raises((ValueError, AssertionError)):
        tl.transpile(optional, (V, V), to="numpy")(V)


def test_jax_jit_hands_out_other_objects() -> None:
    @jax.jit
    def f(x: Any) -> Any:
        return x + 1 if isinstance(x, jax.core.Tracer) else x

    with pytest.raises(tl.UnsupportedError, match="jax.jit hands other objects"):
        tl.symbolic_trace(f, (J,))

"""Facts: what a trace took for granted, as checks at the top of the emitted function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

X = np.arange(12.0, dtype=np.float32).reshape(3, 4)

AXES: list[Callable[..., Any]] = [
    lambda x, n: np.sum(x, n),
    lambda x, n: x.max(axis=n),
    lambda x, n: np.stack([x, x], n),
    lambda x, n: np.moveaxis(x, n, 0),
    lambda x, n: np.take(x, 0, axis=n),
    lambda x, n: np.sort(x, n),
    lambda x, n: np.expand_dims(x, n),
    lambda x, n: np.cumsum(x, axis=n),
]


@pytest.mark.parametrize("fn", AXES)
@pytest.mark.parametrize("to", ["jax", "torch"])
def test_an_axis_that_is_an_argument_is_guarded(fn: Callable[..., Any], to: str) -> None:
    out = tl.transpile(fn, (X, 1), to=to, verify=True)
    enter = {"jax": jnp.asarray, "torch": torch.asarray}[to]
    np.testing.assert_array_equal(np.asarray(out(enter(X), 1)), fn(X, 1))
    with pytest.raises(AssertionError, match="0"):
        out(enter(X), 0)


def test_a_tuple_of_axes_is_one_fact() -> None:
    out = tl.transpile(lambda x, p: np.transpose(x, p), (X, (1, 0)), to="torch")
    assert out.source.count("assert tuple(p) == (1, 0), tuple(p)") == out.source.count("assert") == 1
    with pytest.raises(AssertionError, match=r"\(0, 1\)"):
        out(torch.asarray(X), (0, 1))


def test_sizes_stay_general() -> None:
    def f(x: Any, k: int) -> Any:
        n = x.numel()
        return x.reshape(x.size(0), -1) * n, torch.full((k,), x.shape[1]), torch.roll(x, k)

    out = tl.transpile(f, (torch.asarray(X), 2), to="numpy", verify=True)
    assert out.source.count("assert") == 1 and "assert type(k) is int" in out.source
    assert "n = x.size" in out.source
    other = torch.ones(5, 7)
    for got, expected in zip(out(other.numpy(), 3), f(other, 3)):
        np.testing.assert_array_equal(got, expected.numpy())


@pytest.mark.parametrize("module", [np, jnp], ids=["numpy", "jax"])
def test_sizes_asked_for_by_functions(module: Any) -> None:
    def f(x: Any) -> Any:
        return x * (module.size(x) + module.shape(x)[0] + module.ndim(x) + module.size(x, 1))

    out = tl.transpile(f, (module.asarray(X),), to="torch")
    assert "assert x.shape" not in out.source
    other = np.ones((2, 5), np.float32)
    np.testing.assert_array_equal(out(torch.asarray(other)).numpy(), other * (10 + 2 + 2 + 5))


def test_equal_shapes_are_one_fact() -> None:
    def f(x: Any, y: Any) -> Any:
        if x.shape != y.shape:
            raise ValueError("no")
        return x + y

    out = tl.transpile(f, (X, X), to="torch")
    assert "assert x.shape == y.shape, (x.shape, y.shape)" in out.source
    assert out.source.count("shape ==") == 1
    out(torch.ones(5, 1), torch.ones(5, 1))
    with pytest.raises(AssertionError, match=r"torch.Size\(\[5, 1\]\), torch.Size\(\[1, 1\]\)"):
        out(torch.ones(5, 1), torch.ones(1, 1))


def test_equal_sizes_are_an_equation() -> None:
    def f(x: Any, y: Any) -> Any:
        return x.split(y.size(0))

    out = tl.transpile(f, (torch.ones(6), torch.ones(2)), to="numpy")
    assert "assert x.shape[0] == 3 * y.shape[0], (x.shape[0], 3 * y.shape[0])" in out.source
    with pytest.raises(AssertionError, match=r"\(6, 9\)"):
        out(np.ones(6), np.ones(3))


def test_a_fact_that_follows_from_others_is_left_out() -> None:
    def f(x: Any, n: int) -> Any:
        if n % 2 == 0 or n > 7:
            return x
        return np.sum(x, axis=n)

    text = tl.transpile(f, (X, 1), to="torch").source
    assert text.count("assert n") == 1 and "assert n == 1, n" in text


def test_a_test_that_went_one_way() -> None:
    out = tl.transpile(lambda x, n: [x] if n > 2 else -x, (X, 3), to="torch")
    out(torch.asarray(X), 7)
    with pytest.raises(AssertionError, match="2"):
        out(torch.asarray(X), 2)


def test_decorated_functions_are_their_own_body() -> None:
    @torch.no_grad()
    def f(x: Any) -> Any:
        with torch.inference_mode(), torch.enable_grad():
            h = torch.abs(x)
        return h * 2

    text = tl.transpile(f, (torch.asarray(X),), to="numpy", verify=True).source
    assert text.endswith("def f(x: Any) -> Any:\n    h = np.abs(x)\n    return h * 2\n")


def test_a_parameter_may_be_called_like_an_import() -> None:
    out = tl.transpile(lambda x, np: torch.sin(x) * np, (torch.ones(2), torch.ones(2)), to="numpy")
    assert out(X, X).shape == X.shape and "import numpy as np_" in out.source


@pytest.mark.parametrize("fn", [np.sin, jnp.sin, torch.sin])
def test_a_function_of_a_framework_itself(fn: Any) -> None:
    array = {"n": np.ones(2), "j": jnp.ones(2), "t": torch.ones(2)}
    args = (array["n" if fn is np.sin else "j" if fn is jnp.sin else "t"],)
    with pytest.raises(tl.TraceError, match="sin is a function of .* itself"):
        tl.transpile(fn, args, to="numpy")


def test_a_generator_is_refused() -> None:
    def f(x: Any) -> Any:
        yield x

    with pytest.raises(tl.UnsupportedError, match="it is a generator"):
        tl.symbolic_trace(f, (X,))


def test_a_result_that_cannot_be_written() -> None:
    with pytest.raises(tl.UnsupportedError, match="returning a set"):
        tl.symbolic_trace(lambda x: {1, 2}, (X,))


# Names.


def test_one_call_that_is_two_ops_keeps_both_names() -> None:
    def f(x: Any) -> Any:
        top, where = torch.max(x, 1)
        spread, middle = torch.var_mean(x, 1)
        return top * spread, where, middle

    text = tl.transpile(f, (torch.asarray(X),), to="numpy", verify=True).source
    for name in ("top = np.max", "where = np.argmax", "spread = np.var", "middle = np.mean"):
        assert name in text


def test_a_long_line_is_broken_where_one_would_break_it() -> None:
    def f(image: Any, weight: Any, bias: Any) -> Any:
        return torch.nn.functional.layer_norm(image, (4,), weight, bias)

    args = (torch.asarray(X), torch.ones(4), torch.zeros(4))
    text = tl.transpile(f, args, to="numpy", verify=True).source
    assert "    centered = image - np.mean(image, axis=-1, keepdims=True)\n    variance = np.mean(" in text


def test_two_norms_in_one_line_have_two_names() -> None:
    def f(x: Any, y: Any) -> Any:
        return x * torch.cosine_similarity(y, x)[:, None]

    args = (torch.asarray(X), torch.asarray(X[::-1].copy() ** 2))
    text = tl.transpile(f, args, to="numpy", verify=True).source
    assert "norm = " in text and "norm_2 = " in text


def first(x: Any) -> Any:
    return second(x) + 1


def second(x: Any) -> Any:
    return torch.sin(x)


def test_functions_stand_in_the_order_in_which_a_reader_meets_them() -> None:
    text = tl.transpile(lambda x: second(first(x)) * first(x), (torch.asarray(X),), to="numpy").source
    assert text.index("def second") < text.index("def first")


def test_two_versions_of_a_function_and_a_variable_of_that_name() -> None:
    def f(x: Any) -> Any:
        second_2 = second(x)
        return second_2 * second(x[None])

    text = tl.transpile(f, (torch.asarray(X),), to="numpy", verify=True).source
    assert text.count("def second") <= 2


# Without examples.


def test_without_examples_only_what_would_differ_is_refused() -> None:
    out = tl.transpile(lambda x: np.sin(x), to="torch", guards="raise")
    for dtype in (torch.float16, torch.float32, torch.float64):
        assert out(torch.ones(2, dtype=dtype)).dtype == dtype
    with pytest.raises(ValueError, match="not torch.int32"):  # of which NumPy makes float64, torch float32
        out(torch.ones(2, dtype=torch.int32))


def test_another_dtype_may_be_assumed() -> None:
    out = tl.transpile(lambda x: np.sin(x), to="torch", assume=np.float32)
    assert out(torch.ones(2)).dtype == torch.float32
    with pytest.raises(TypeError, match="float7"):
        tl.symbolic_trace(lambda x: np.sin(x), assume="float7")

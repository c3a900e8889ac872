"""Looks at a rank: a text given arrays of another rank gives what the program gives, or raises."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves

SHAPES = ((3,), (3, 3), (), (2, 3, 3), (1, 3))


def by_ndim(x):
    return x * 2 if x.ndim == 1 else x + 1


def refused_by_hand(x):
    if x.ndim != 2:
        raise ValueError("no matrix")
    return x * 2


def asserted(x):
    assert x.ndim == 2
    return x * 2


def told(x):
    return x * x.ndim


def counted(x):
    for _ in range(x.ndim):
        x = x + 1
    return x


def by_length(x):
    return x * len(x.shape)


def last_size(x):
    return x * np.size(x, -1)


def last_size_of_torch(x):
    return x * x.size(-1) + torch.arange(6).sum() // x.size(-1)


def by_np_ndim(x):
    return x * np.ndim(x)


def unpacked(x):
    b, t = x.shape
    return x.reshape(b * t)


def starred(x):
    *rest, last = x.shape
    return x.reshape(-1, last) + len(rest)


def from_behind(x):
    return x * x.shape[-1]


def looked_from_behind(x):
    return x * 2 if x.shape[-1] == 3 else x


def whole(x):
    return x * 2 if x.shape == (3,) else x


def without_last(x):
    return np.zeros(x.shape[:-1]) + x.sum()


def with_one(x):
    return x.reshape(x.shape + (1,))


def any_of_one(x):
    return x * 2 if 1 in x.shape else x


def of_a_sum(x):
    y = x.sum(axis=-1, keepdims=True)
    return x * 2 if y.shape[0] == 1 else x


def computed(x):
    y = np.atleast_1d(x * 2).sum(0)
    return x * 2 if y.ndim == 1 else x


def in_a_branch(x):
    if x.sum() > 0:
        return x * 2 if x.ndim == 1 else x * 3
    return x


def bump(x):
    return x * 2 if x.ndim == 1 else x * 3


def through_a_helper(x):
    return bump(x) + bump(x[0])


def through_a_method(x):
    shape = x.shape
    return x * 2 if not shape else x * sum(1 for _ in shape)


def tried_to_iterate(x):
    try:
        iter(x)
    except TypeError:
        return x * 2
    return x.sum(0) * 3


def tried_to_measure(x):
    try:
        n = len(x)
    except TypeError:
        n = 7
    return x * n


def asked_for_rows(x):
    return x.sum(0) * 3 if hasattr(x, "__len__") and np.iterable(x) else x * 2


def number_or_row(x):
    s = x[0]
    t = s
    s += 1
    return x, t


def elements(x):
    return x * x.size


def flattened(x):
    return np.flip(x), x.T, np.squeeze(x), np.pad(x, 1)


def dotted(x):
    return np.dot(x, x)


NUMPY = [
    by_ndim, refused_by_hand, asserted, told, counted, by_length, by_np_ndim, unpacked, starred, from_behind,
    looked_from_behind, whole, without_last, with_one, any_of_one, of_a_sum, computed, in_a_branch,
    through_a_helper, through_a_method, number_or_row, elements, flattened, dotted, last_size,
    tried_to_iterate, tried_to_measure, asked_for_rows,
]  # fmt: skip


def dim(x):
    return x * 2 if x.dim() == 1 else x + 1


def ndimension(x):
    return x * x.ndimension()


def size(x):
    return x * len(x.size())


def mixed(x):
    return x * torch.ones(3, dtype=torch.float64)


def linear(x):
    return torch.nn.functional.linear(torch.ones(3, 3), x)


def flat(x):
    return torch.flatten(x, end_dim=1), torch.t(x), x.unsqueeze(-1)


TORCH = [dim, ndimension, size, mixed, linear, flat, last_size_of_torch]


def jnp_ndim(x):
    return x * jnp.ndim(x) + len(jnp.shape(x))


def run(fn: Any, x: Any, framework: str) -> Any:
    try:
        found = fn(map_arrays(x, lambda a: convert(a, framework)))
    except Exception as error:
        return error
    return [np.asarray(to_numpy(v)) for v in leaves(found)]


def agree(one: Any, other: Any) -> bool:
    return len(one) == len(other) and all(
        a.shape == b.shape and a.dtype == b.dtype and np.allclose(a, b) for a, b in zip(one, other)
    )


PROGRAMS = [(fn, "numpy") for fn in NUMPY] + [(fn, "torch") for fn in TORCH] + [(jnp_ndim, "jax")]


@pytest.mark.parametrize("to", ["numpy", "torch", pytest.param("jax", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("fn", "source"), PROGRAMS, ids=lambda v: getattr(v, "__name__", None))
@pytest.mark.usefixtures("wide")
def test_another_rank_agrees_or_is_refused(fn: Any, source: str, to: str) -> None:
    arrays = [np.arange(1.0, 1 + np.prod(shape)).reshape(shape).astype(np.float32) for shape in SHAPES]
    for example in arrays[:3]:
        expected = run(fn, example, source)
        if isinstance(expected, Exception):
            continue
        try:
            out = tl.transpile(fn, (convert(example, source),), source=source, to=to, x64=True)
        except tl.UnsupportedError:
            continue
        assert agree(expected, run(out, example, to)), out.source
        for x in arrays:
            expected_of_it, found = run(fn, x, source), run(out, x, to)
            if isinstance(found, Exception):
                assert not isinstance(found, (NameError, UnboundLocalError)), out.source
            elif isinstance(expected_of_it, Exception):
                assert fn not in (refused_by_hand, asserted, unpacked), out.source
            else:
                assert agree(expected_of_it, found), f"{example.shape} {x.shape}\n{out.source}"


def test_ranks_are_one_check() -> None:
    def f(x, y, z):
        return x * 2 if x.ndim == 2 and y.ndim == 2 and z.ndim == 1 else y

    x = np.ones((3, 3), np.float32)
    text = tl.symbolic_trace(f, (x, x, x[0])).source("numpy")
    assert "    assert x.ndim == y.ndim == 2, (x.shape, y.shape)\n    assert z.ndim == 1, z.shape\n" in text
    text = tl.symbolic_trace(f, (x, x, x[0])).source("numpy", guards="raise")
    assert 'raise ValueError(f"f was traced with x.ndim=2, not {x.ndim}")' in text


GENERAL = [from_behind, lambda x: np.sin(x).sum(-1) + x.shape[0], lambda x: x[..., 0] + 1]


@pytest.mark.parametrize("fn", GENERAL)
def test_what_nothing_hangs_on_is_not_checked(fn: Any) -> None:
    for to in ("numpy", "jax", "torch"):
        assert "ndim" not in tl.symbolic_trace(fn, (np.ones((3, 3), np.float32),)).source(to)


def test_an_unpacking_says_the_rank() -> None:
    for to in ("numpy", "jax", "torch"):
        text = tl.symbolic_trace(unpacked, (np.ones((3, 3), np.float32),)).source(to)
        assert "b, t = x.shape" in text and "ndim" not in text


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("norm", [torch.nn.functional.layer_norm, torch.nn.functional.rms_norm])
def test_a_whole_shape_that_an_op_is_spelled_out_by_is_a_rank(norm: Any, to: str) -> None:
    """How many axes are normalized is how long the shape is."""
    x, w = torch.randn(4, 3), torch.randn(3)
    out = tl.symbolic_trace(lambda x, w: norm(x, w.shape, w), (x, w)).to(to)
    given = [convert(v.numpy(), to) for v in (x, w)]
    np.testing.assert_allclose(to_numpy(out(*given)), norm(x, w.shape, w).numpy(), rtol=1e-5, atol=1e-5)
    with pytest.raises(AssertionError):
        out(given[0], convert(np.ones((4, 3), np.float32), to))


LINES = [
    (lambda x: np.cumsum(x, axis=0), "numpy"), (lambda x: np.argsort(-x), "numpy"),
    (lambda x: np.cumprod(x * 2, axis=-1), "numpy"), (lambda x: np.fft.fftn(x), "numpy"),
    (lambda x: x.cumsum(0), "torch"), (lambda x: x.argsort(), "torch"),
    (lambda x: x.sum(-1).cumsum(0), "torch"), (lambda x: x.index_select(0, torch.tensor([0])), "torch"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(LINES)))
def test_an_array_without_axes_is_no_line_of_one(number: int) -> None:
    """NumPy takes it for one where torch does not."""
    fn, source = LINES[number]
    to = "torch" if source == "numpy" else "numpy"
    x = np.float32([[3, 1], [2, 5]])
    out = tl.transpile(fn, (convert(x, source),), to=to)
    assert not list(compare(fn(convert(x, source)), out(convert(x, to)), kind="linalg"))
    for other in (x[0], x[0, :1].reshape(())):
        try:
            found = out(convert(other, to))
        except AssertionError:
            continue
        assert not list(compare(fn(convert(other, source)), found, kind="linalg")), out.source


def test_what_always_has_axes_needs_no_check() -> None:
    for fn in (lambda x: np.cumsum(np.arange(4) * 2), lambda x: np.argsort(np.linalg.eigh(x)[0])):
        assert "ndim" not in tl.transpile(fn, (np.eye(2),), to="torch").source

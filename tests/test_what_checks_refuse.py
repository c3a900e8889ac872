"""What a check refuses would come out otherwise: what the text does not depend on is free."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves

#: The sizes of an example, in which 1 may stand beside 1 or another, and of what is given then.
SIZES = [(1, 3), (4, 3), (4, 1), (1, 1)]
GIVEN = [*SIZES, (2, 3), (1, 5), (2, 1)]


def attention(q, k):
    return q @ k.mT


def weights(v, g):
    return v * (g / torch.linalg.norm(v, dim=1, keepdim=True))


def first_and_others(q, k):
    return q[..., :1] * q[..., 1:] + k


def shape(a, b):
    return (a + b).shape


def reshaped(a, b):
    c = a * b
    return c.reshape(c.shape[0], -1), c.reshape(-1, 1)


def looked_at(a, b):
    c = a + b
    return c * [1.0, 2.0][c.shape[0] > 1]


def way(a, b):
    c = a + b
    return c * 2 if c.shape[0] == 1 else c


def rows(a, b):
    return [row * i for i, row in enumerate(a * b)]


def squeezed(a, b):
    return (a + b).squeeze()


def expanded(a, b):
    return a.expand((a + b).shape)


def counted(a, b):
    c = a + b
    return c.sum(0) / c.shape[0], torch.arange(c.shape[0] + 1), c.var(1)


def likeness(a, b):
    return torch.cosine_similarity(a, b)


def joined(a, b):
    c = a + b
    return torch.cat([c, c], 0), torch.stack([c, c])


def carried(a, b):
    for i in range(12):
        a = a * 0.5 + b * i
    return a, a.shape[0]


def on_both_ways(a, b):
    return a + b if a.sum() > 0 else a - b


def within_a_try(a, b):
    try:
        c = a + b
    except RuntimeError:
        c = a
    return c


STRETCHING = [
    attention, weights, first_and_others, shape, reshaped, looked_at, way, rows, squeezed, expanded,
    counted, likeness, joined, carried, on_both_ways, within_a_try,
]  # fmt: skip


def of(framework, *shapes):
    made = (np.random.default_rng(n).standard_normal(s).astype(np.float32) for n, s in enumerate(shapes))
    return [convert(array, framework) for array in made]


def agree(left, right):
    ours, theirs = (list(leaves(map_arrays(v, to_numpy))) for v in (left, right))
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5, strict=isinstance(one, np.ndarray))


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("program", STRETCHING)
def test_a_size_of_1_in_the_example_may_be_another(program, to):
    """The translation gives what the program gives, or refuses."""
    for sizes in itertools.product(SIZES, SIZES):
        try:
            program(*of("torch", *sizes))
            translated = tl.transpile(program, of("torch", *sizes), to=to)
        except (RuntimeError, tl.UnsupportedError):
            continue
        for given in itertools.product(GIVEN, GIVEN):
            try:
                expected = program(*of("torch", *given))
            except RuntimeError:
                continue
            try:
                found = translated(*of(to, *given))
            except (AssertionError, ValueError):
                continue
            agree(found, expected)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("program", [attention, weights, first_and_others, shape, reshaped, counted])
def test_a_size_of_1_is_not_checked_where_nothing_depends_on_it(program, to):
    example = {weights: [(4, 3), (4, 1)], first_and_others: [(4, 2), (4, 1)]}
    text = tl.transpile(program, of("torch", *example.get(program, [(1, 3), (1, 3)])), to=to).source
    assert "assert a.shape" not in text and ".shape[0] ==" not in text and ".shape[1] ==" not in text


def test_what_a_loop_carries_keeps_its_shape():
    text = tl.transpile(carried, of("torch", (1, 3), (1, 3)), to="jax").source
    assert "fori_loop" in text and "assert a.shape[0] == 1" in text and "assert b.shape[0] == 1" in text


def test_a_look_says_it_of_all_that_broadcast():
    text = tl.transpile(rows, of("torch", (1, 3), (1, 3)), to="numpy").source
    assert "assert a.shape[0] == 1" in text and "assert b.shape[0] == 1" in text


# Dtypes.

DTYPES = ("float32", "float64", "float16", "int64", "int32", "uint8", "bool")


def in_dtype(framework, dtype):
    return convert((np.arange(24.0).reshape(2, 3, 4) % 5).astype(dtype), framework)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: (x > 0).mean(),
        lambda x: np.signbit(x).mean(),
        lambda x: (x > 1).std(),
        lambda x: (x > 0)[0].mean(),
        lambda x: np.all(x > 0, 0).mean(),
        lambda x: ((x > 0) & (x < 4)).sum() / 3,
        lambda x: (x > 0) * 2.5,
        lambda x: np.exp(x > 0),
    ],
    ids=["mean", "signbit", "std", "item", "all", "sum", "product", "exp"],
)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_what_is_compared_may_be_of_any_dtype(program, dtype):
    translated = tl.transpile(program, (in_dtype("numpy", dtype),), to="torch")
    assert "dtype ==" not in translated.source and "dtype in" not in translated.source
    for other in DTYPES:
        x = in_dtype("numpy", other)
        agree(translated(convert(x, "torch")), program(x))


@pytest.mark.parametrize(
    "program",
    [lambda x: np.any(x, 0) / 2, lambda x: (x > 0) * x * 0.5, lambda x: (x > 0) / x],
    ids=["any", "product", "quotient"],
)
def test_beside_other_arrays_a_comparison_is_judged_as_before(program):
    translated = tl.transpile(program, (in_dtype("numpy", "float32") + 1,), to="torch")
    for other in DTYPES:
        x = in_dtype("numpy", other) + np.ones((), other)
        expected = program(x)
        try:
            found = translated(convert(x, "torch"))
        except AssertionError:
            continue
        assert to_numpy(found).dtype == expected.dtype


@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize(
    "program",
    [lambda x: x.flatten(1), lambda x: x.flatten(0, 1), lambda x: x.unflatten(1, (3, -1))],
    ids=["flatten", "flatten_first", "unflatten"],
)
def test_another_shape_is_no_matter_of_dtypes(program, to):
    translated = tl.transpile(program, (in_dtype("torch", "float32"),), to=to)
    assert "dtype" not in translated.source
    for other in DTYPES if to == "numpy" else ("float32", "int32", "bool"):
        agree(translated(in_dtype(to, other)), program(in_dtype("torch", other)))


# Numbers.


@pytest.mark.parametrize("to", ["torch", "jax"])
@pytest.mark.parametrize("example", [4, 4.0])
@pytest.mark.parametrize(
    "program",
    [
        lambda x, k: np.exp(-1.0 / k) * x,
        lambda x, k: x * (k / 2.0),
        lambda x, k: x * (k * 3 // 2 / 2),
        lambda x, k: np.full(3, k / 2) * x,
        lambda x, k: np.array([k / 2, 1.0, 2.0]) * x,
    ],
    ids=["inverse", "half", "after_others", "filled", "listed"],
)
def test_what_is_divided_may_be_an_int_or_a_float(program, example, to):
    x = np.arange(3)
    with jax.enable_x64(to == "jax"):
        translated = tl.transpile(program, (x, example), to=to, x64=to == "jax")
        for k in (3, 2.5):
            found, expected = to_numpy(translated(convert(x, to), k)), program(x, k)
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-6)
        with pytest.raises(AssertionError):
            translated(convert(x, to), 2 + 1j)


def test_a_number_that_is_also_used_as_it_is_keeps_its_type():
    def both(x, k):
        return x * (k / 2.0) + x * k

    translated = tl.transpile(both, (np.arange(3), 4), to="torch")
    assert "assert type(k) is int, k" in translated.source


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(
    "program",
    [
        lambda x, y: y if not (x > 2).any() else -y,
        lambda x, y: not x.sum(),
        lambda x, y: np.add.at(y, np.argmax(x), 1.0) or y,
    ],
)
def test_what_is_reduced_to_one_number_has_no_axes_whatever_it_is_made_of(program, to):
    y = np.zeros(9)
    out = tl.transpile(program, (np.ones(3), y), to=to, x64=True if to == "jax" else None)
    assert "x.ndim" not in out.source

"""Lists of tuples, lists and dicts that a loop appends to, as they are returned."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from ways import agree, attempt

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.random.default_rng(0).normal(size=(12, 3))


def of_tuples(x):
    out = []
    for row in x:
        out.append((row, row.sum()))
    return out


def of_lists(x):
    out = []
    for row in x:
        out.append([row * 2, [row + 1]])
    return {"found": out, "many": len(out)}


def of_dicts(x):
    history = []
    for row in x:
        history.append({"loss": row.sum(), "step": (row * 2, row.max())})
    return history


def two_in_a_turn(x):
    out = []
    for row in x:
        out.append((row, row.sum()))
        out.append((row * 2, row.max()))
    return out


def of_one(x):
    out = []
    for row in x:
        out.append((row * 2,))
    return out


def in_a_while(x):
    out, i = [], 0
    while i < 12:
        out.append((x[i], x[i].sum()))
        i += 1
    return out


def used_and_returned(x):
    out = []
    for row in x:
        out.append((row, row.sum()))
    total = 0.0
    for row, weight in out:
        total = total + row * weight
    return out, total


def lists_in_a_list(x):
    outer = []
    for row in x:
        inner = []
        for value in row:
            inner.append(value * 2)
        outer.append(inner)
    return outer, np.array(outer)


PROGRAMS = (
    of_tuples, of_lists, of_dicts, two_in_a_turn, of_one, in_a_while, used_and_returned, lists_in_a_list,
)  # fmt: skip


def last_one_changed(x):
    history = []
    for row in x:
        history.append({"loss": row.sum(), "row": row * 2})
    history[-1]["loss"] = history[0]["loss"] * 0
    return history


def last_one_changed_by_name(x):
    history = []
    for row in x:
        history.append({"loss": row.sum(), "row": row * 2})
    last = history[-1]
    last["loss"] = last["loss"] * 0
    return [each["loss"] for each in history]


def last_one_lengthened(x):
    history = []
    for row in x:
        history.append([row.sum(), row * 2])
    history[-1].append(x[0])
    return history


def each_changed(x):
    history = []
    for row in x:
        history.append([row.sum(), row * 2])
    for pair in history:
        pair[0] = 0 * pair[0]
    return history


def one_in_all_places(x):
    out, current = [], [x[0] * 0]
    for row in x:
        current[0] = current[0] + row
        out.append(current)
    return out


def kept_and_changed(x):
    out, current = [], [x[0] * 0]
    for row in x:
        current = [current[0] + row]
        out.append(current)
    current[0] = current[0] * 0
    return out


def twice_the_same(x):
    out = []
    for row in x:
        pair = [row, row.sum()]
        out.append(pair)
        out.append(pair)
    out[0][1] = out[0][1] * 0
    return out


def array_in_a_tuple_written(x):
    out = []
    for row in x:
        out.append((row.sum(), row * 2))
    for _, row in out:
        row *= 2
    out[0][1][0] = 7
    return out


CHANGED = (
    last_one_changed, last_one_changed_by_name, last_one_lengthened, each_changed, one_in_all_places,
    kept_and_changed, twice_the_same, array_in_a_tuple_written,
)  # fmt: skip


def form(value: Any) -> Any:
    """A value with True for all that is no container."""
    if isinstance(value, dict):
        return {key: form(item) for key, item in value.items()}
    return type(value)(map(form, value)) if isinstance(value, (list, tuple)) else True


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_they_are_the_same(fn: Callable[[Any], Any], target: str) -> None:
    options: dict[str, Any] = {"x64": True} if target == "jax" else {}
    out = tl.symbolic_trace(fn, (X,)).to(target, **options)
    for x in (X, -X, X[:9], X[:1], X[:0]):
        expected = attempt(fn, (x,), "numpy", arguments=False)
        found = attempt(out, (x,), target, arguments=False)
        if isinstance(expected, type):  # there are too few rows for the source
            continue
        refused = fn is lists_in_a_list or fn is used_and_returned and not len(x)
        if found is not AssertionError or not refused:
            assert agree(expected, found)
    given = {"numpy": X, "torch": torch.from_numpy(X), "jax": jnp.asarray(X)}[target]
    assert form(out(given)) == form(fn(X))


@pytest.mark.parametrize("target", ("numpy", "torch"))
@pytest.mark.parametrize("fn", CHANGED, ids=lambda fn: fn.__name__)
def test_what_is_changed_after_it_was_appended(fn: Callable[[Any], Any], target: str) -> None:
    """A list holds the things themselves, no copies of them."""
    out = tl.symbolic_trace(fn, (X,)).to(target)
    for x in (X, -X):
        expected = attempt(fn, (x,), "numpy", arguments=False)
        assert agree(expected, attempt(out, (x,), target, arguments=False))


def test_torch() -> None:
    out = tl.transpile(of_dicts, torch.from_numpy(X), to="numpy")
    for n in (12, 7):
        for one, other in zip(out(X[:n]), of_dicts(torch.from_numpy(X[:n])), strict=True):
            np.testing.assert_allclose(one["step"][0], other["step"][0])


def test_the_text() -> None:
    text = tl.symbolic_trace(of_tuples, (X,)).source("numpy")
    assert text.endswith("        out.append((row, row.sum()))\n    return out\n")
    text = tl.symbolic_trace(of_lists, (X,)).source("jax", x64=True)
    assert '{"found": [[a, [b]] for a, b in zip(out, out_2)], "many": out.shape[0]}' in text


def kept_and_gone_on(x, y):
    acc = x * 1
    keep = []
    for row in y:
        keep.append(acc)
        acc = acc * row
    acc += 1
    return acc, keep


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_items_that_are_copied_together_are_of_the_dtypes_that_they_are_of(to: str) -> None:
    def given(first: str, second: str, name: str) -> Any:
        return convert(np.arange(3).astype(first), name), convert(np.ones((2, 3), second), name)

    out = tl.transpile(kept_and_gone_on, given("float32", "float32", "numpy"), to=to)
    for dtypes in itertools.product(("float32", "float64", "int32"), repeat=2):
        try:
            expected = kept_and_gone_on(*given(*dtypes, "numpy"))
            found = out(*given(*dtypes, to))
        except (AssertionError, TypeError):
            assert dtypes != ("float32", "float32")
            continue
        assert [np.asarray(k).dtype for k in found[1]] == [k.dtype for k in expected[1]], out.source

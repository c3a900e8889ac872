"""max, min, any and all of generators and lists of arrays; ranges as indices."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gathering_programs as programs
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from ways import attempt

import tracelate as tl
from tracelate import UnsupportedError
from tracelate.backends.arrays import compare, convert

X = np.random.default_rng(0).normal(size=(5, 3))
WITH_NAN = np.where(np.arange(15).reshape(5, 3) == 4, np.nan, X)
CASES = (X, -X, X * 0, np.abs(X), WITH_NAN, WITH_NAN[::-1].copy(), X[:, :1] * [1, np.inf, -1])
WIDE: dict[str, Any] = {"jax": {"x64": True}}


def same(found: Any, expected: Any) -> None:
    """In shape, dtype and number."""
    assert isinstance(found, list) and len(found) == len(expected)
    for one, other in zip(found, expected):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_allclose(one, other, rtol=1e-6)


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", programs.GATHERING, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_of_all_items(fn: Callable[[Any], Any], target: str) -> None:
    """Where NaN is among them, Python's order of asking decides."""
    made = tl.symbolic_trace(fn, (X,)).to(target, **WIDE.get(target, {}))
    for x in CASES:
        same(attempt(made, (x,), target, arguments=False), attempt(fn, (x,), "numpy", arguments=False))
    other = attempt(made, (X[:4],), target, arguments=False)  # mostly there must be as many as there were
    if other is not AssertionError:
        same(other, attempt(fn, (X[:4],), "numpy", arguments=False))


@pytest.mark.parametrize("target", ("numpy", "torch"))
def test_any_and_all_give_bools_of_pythons(target: str) -> None:
    made = tl.symbolic_trace(programs.truths_of_a_list, (X,)).to(target)
    given = X if target == "numpy" else torch.from_numpy(X)
    assert [type(found) for found in made(given)] == [bool, bool]


def test_torch_and_jax() -> None:
    def asked(x):
        if any(row.sum() > 2 for row in x):
            return max(row.sum() for row in x) * max(row.sum().item() for row in x)
        return x.sum()

    def greatest(x):
        return max(x[i].sum() for i in range(5))

    for x in map(torch.from_numpy, CASES[:4]):
        for to in ("numpy", "torch"):
            out = tl.symbolic_trace(asked, (torch.from_numpy(X),)).to(to)
            np.testing.assert_allclose(out(x.numpy() if to == "numpy" else x), asked(x))
        x = jnp.asarray(x.numpy(), "float32")
        np.testing.assert_allclose(tl.transpile(greatest, (x,), to="numpy")(np.asarray(x)), greatest(x))


@pytest.mark.parametrize("f", (max, min))
@pytest.mark.usefixtures("wide")
def test_numbers_that_are_not_ordered(f: Callable[..., Any]) -> None:
    """NaN beats nothing and is beaten by nothing, in what is compiled too."""

    def chosen(x):
        return x * f(x[0].item(), x[1].item(), 2.0) + f(1.0, x[1].item())

    out = tl.symbolic_trace(chosen, (X[0],)).to("jax", x64=True)
    for pair in ((1.0, 3.0), (np.nan, 3.0), (3.0, np.nan), (0.0, -0.0), (np.inf, np.nan)):
        x = np.array([*pair, 1.0])
        np.testing.assert_array_equal(out(jnp.asarray(x)), chosen(x))


def test_items_that_do_something_are_refused() -> None:
    """Python would not ask for those behind the first that is true."""
    seen: list[int] = []

    def printed(x):
        def is_large(row):
            print("asked")
            return row.sum() > 2

        return any(is_large(row) for row in x)

    def written(x):
        def is_large(row):
            row[0] = 9
            return row.sum() > 2

        y = x * 1
        return any(is_large(row) for row in y), y

    def remembered(x):
        def is_large(row):
            seen.append(1)
            return row.sum() > 2

        return all(is_large(row) for row in x), len(seen)

    for fn in (printed, written, remembered):
        with pytest.raises(UnsupportedError, match="of items that print or change something") as caught:
            tl.symbolic_trace(fn, (X,))
        assert caught.value.span is not None and caught.value.span.file == __file__
    assert not seen


@pytest.mark.parametrize("target", ("numpy", "torch", "jax"))
@pytest.mark.parametrize("fn", programs.RANGES, ids=lambda fn: fn.__name__)
@pytest.mark.usefixtures("wide")
def test_ranges(fn: Callable[..., Any], target: str) -> None:
    made = tl.symbolic_trace(fn, (X, 2)).to(target, **WIDE.get(target, {}))
    for args in ((X, 2), (-X, 3), (np.ones((4, 3)), 4)):
        same(attempt(made, args, target, arguments=False), attempt(fn, args, "numpy", arguments=False))


def test_ranges_in_torch_and_jax() -> None:
    def picked(x, y):
        return x[range(2)], x[range(y.shape[0]), y]

    places = [0, 2, 1, 0, 2]
    out = tl.symbolic_trace(picked, (torch.from_numpy(X), torch.tensor(places))).to("numpy")
    for n in (5, 3):
        expected = picked(torch.from_numpy(X[:n]), torch.tensor(places[:n]))
        for one, other in zip(out(X[:n], np.array(places[:n])), expected):
            np.testing.assert_array_equal(one, other)
    with pytest.raises(UnsupportedError, match="a range as an index.*JAX itself takes none"):
        tl.symbolic_trace(picked, (jnp.asarray(X), jnp.asarray(places)))


def test_what_a_loop_goes_through_is_no_index() -> None:
    with pytest.raises(UnsupportedError, match="an iterator as an argument.*only a loop goes through"):
        tl.symbolic_trace(lambda x: x[enumerate(x)], (X,))


def best_position(x):
    return max(range(12), key=lambda i: x[i]), min([3, 1, 2], key=lambda i: abs(x[i]))


def row_of_the_best_position(x):
    return x[max(range(len(x)), key=lambda i: x[i])]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [best_position, row_of_the_best_position])
def test_numbers_are_chosen_by_the_values_of_an_array(fn: Any, to: str) -> None:
    x = np.float32(np.arange(12) - 3)
    out = tl.transpile(fn, (x,), to=to)
    for given in (x, -x, x[::-1].copy(), np.roll(x, 5)):
        assert not list(compare(fn(given), out(convert(given, to)), narrowed=to == "jax")), out.source


def sorted_positions(x):
    return sorted(range(12), key=lambda i: x[i])


def sorted_values(x):
    return sorted(x)


@pytest.mark.parametrize("fn", [sorted_positions, sorted_values])
def test_what_is_sorted_by_values_says_how(fn: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match=r"np.argsort\(x\)"):
        tl.transpile(fn, (np.float32(np.arange(12)),), to="jax")


def sorted_otherwise(x):
    return x * sorted([3, 1, 2], key=lambda v: -v)[0] + sorted([len(x), 2], reverse=True)[1]


def test_what_is_sorted_otherwise_stays() -> None:
    x = np.float32(np.arange(12))
    assert np.array_equal(tl.transpile(sorted_otherwise, (x,), to="numpy")(x), sorted_otherwise(x))

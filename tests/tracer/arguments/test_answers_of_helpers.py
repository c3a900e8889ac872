"""What a helper asks is checked, though nobody reads what it gives; what it is told may hang on anything."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from ways import agrees_or_raises

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays

A = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
B = np.array([1.0, -2.0, 3.0], np.float32)


def is_given(m):
    return m is not None


def doubled(m):
    return None if m is None else m * 2


def word(m):
    return "sum" if len(m.shape) == 1 else "mean"


def flags(m):
    return {"float": isinstance(m, float), "long": hasattr(m, "__len__")}


def is_wide(m):
    return len(m.shape) == 2 and str(m.dtype).endswith("float32")


def count(ms):
    return len(ms)


def has_bias(p):
    return "b" in p


def through(m):
    return is_given(m)


def scaled(x, c):
    return x * 3 if c else x


def by_presence(x, m):
    return x + 1 if is_given(m) else x


def by_presence_of_a_result(x, m):
    w = doubled(m)
    return x if w is None else x * 2


def by_two_helpers(x, m):
    return x + 1 if through(m) else x


def by_a_word(x, m):
    if m is None or isinstance(m, float):
        return x
    return x.sum() if word(m) == "sum" else x.mean()


def by_flags(x, m):
    found = flags(m)
    return x * 2 if found["float"] else x + 1 if found["long"] else x


def by_rank_and_dtype(x, m):
    return x * 2 if m is not None and not isinstance(m, float) and is_wide(m) else x


def in_a_loop(x, m):
    for _ in range(9):
        x = x * 2 if is_given(m) else x
    return x


def in_a_branch(x, m):
    if x.sum() > 0:
        return x * 2 if is_given(m) else x
    return x


def told_of_a_size(x, m):
    return scaled(x, x.shape[0] > 1)


def told_of_presence(x, m):
    return scaled(x, m is not None)


LOOKS = [
    by_presence, by_presence_of_a_result, by_two_helpers, by_a_word, by_flags, by_rank_and_dtype, in_a_loop,
    in_a_branch, told_of_a_size, told_of_presence,
]  # fmt: skip
GIVEN: list[Any] = [B, None, A, 2.0, B.astype(np.float64)]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch", pytest.param("jax", marks=pytest.mark.slow)])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", LOOKS)
@pytest.mark.usefixtures("wide")
def test_a_look_of_a_helper_is_checked(fn: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    others = [(x, m) for x in (A, A[:1], -A - 9) for m in GIVEN]
    for m in GIVEN:
        try:
            fn(*map_arrays((A, m), lambda a: convert(a, source)))
        except Exception:
            continue
        taken = [args for args in others if fits(fn, source, args)]
        if to == "jax":  # jax.jit hands on numbers as arrays
            taken = [(x, k) for x, k in taken if isinstance(k, float) is isinstance(m, float)]
        agrees_or_raises(fn, source, (A, m), taken, to, x64=True if to == "jax" else None)


def fits(fn: Any, source: str, args: Any) -> bool:
    try:
        fn(*map_arrays(args, lambda a: convert(a, source)))
    except Exception:
        return False
    return True


def by_more_than_one(x, k):
    return scaled(x, k > 1)


def by_a_test_of_two(x, k):
    return scaled(x, 0 < k < 3)


def by_no(x, k):
    return scaled(x, not k)


def by_keyword(x, k):
    return scaled(x, c=k == 2)


def summed(x, keep):
    return np.sum(x, axis=0, keepdims=keep)


def by_a_parameter(x, k):
    return summed(x, k > 1)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [by_more_than_one, by_a_test_of_two, by_no, by_keyword, by_a_parameter])
def test_a_bool_that_is_computed_is_no_constant(fn: Any, to: str) -> None:
    for k in (2, 0):
        agrees_or_raises(fn, "numpy", (A, k), [(A, 0), (A, 1), (A, 2), (A, 5)], to)


def matrix(m):
    if m.ndim != 2:
        raise ValueError("two axes")
    return m


def of_a_matrix(x, k):
    if k > 1:
        x = matrix(x)
    return x * k


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_what_a_helper_asks_before_it_raises_is_checked(to: str) -> None:
    out = tl.transpile(of_a_matrix, to=to, args=(B, 1))
    a, b = (convert(each, to) for each in (A, B))
    assert np.asarray(out(b, 1)).tolist() == [1, -2, 3]
    with pytest.raises(ValueError, match="two axes"):
        out(b, 2)
    with pytest.raises(AssertionError):  # and not the program's own error, which does not raise it here
        out(a, 2)


def test_what_a_helper_asks_is_checked_by_its_caller() -> None:
    text = tl.symbolic_trace(by_presence, (A, B)).source("numpy")
    assert "    assert m is not None\n    return x + 1\n" in text and "is_given" not in text


def of_tensor(a, k):
    return a * k if torch.is_tensor(a) else torch.as_tensor(a) + k


def no_float(a, k):
    return a * k if isinstance(a, float) else a + k


@pytest.mark.parametrize("helper", [of_tensor, no_float])
def test_a_number_of_numpys_is_an_array_to_who_has_arrays_alone(helper):
    """Sums that torch has as arrays without axes are numbers in NumPy, of which the helper is asked."""

    def fn(x):
        return helper(x.sum(), 2) + helper(x, 3) + helper(x[0], 1)

    x = torch.tensor(B)
    out = tl.transpile(fn, to="numpy", args=(x,))
    assert "isinstance(a, (np.ndarray, np.generic))" in out.source
    assert np.array_equal(out(B), fn(x).numpy())


def test_numpys_own_numbers_are_no_arrays_to_it():
    def picked(a):
        return a * 2 if isinstance(a, np.ndarray) else a + 1

    def fn(x):
        return picked(x.sum()) + picked(x)

    out = tl.transpile(fn, to="numpy", args=(B,))
    assert "(np.ndarray, np.generic)" not in out.source and np.array_equal(out(B), fn(B))


def halved(a, s=1.0):
    return a * s if s == 0.5 else a


def test_numbers_of_another_framework_stay_what_they_are():
    def fn(x):
        return halved(x, np.float64(0.5)) + halved(x, np.float64(2.0))

    x = torch.tensor(B)
    out = tl.transpile(fn, to="numpy", args=(x,))
    assert out.source.count("def halved") == 2 or "s == 0.5" in out.source, out.source
    assert np.array_equal(out(B), fn(x).numpy())

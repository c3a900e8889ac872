"""What the user asserts is asserted in the text, with his message; a check of ours has his words."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import jax
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(1.0, 10.0).reshape(3, 3)


def of_a_number(x, n):
    assert n > 0, "n must be positive"
    return x * n


def of_two_sizes(x, n):
    assert x.shape[-1] == x.shape[0]
    return x @ x * n


def of_a_rank(x, n):
    assert x.ndim == 2, f"need a matrix, got {x.shape}"
    return x * n


def of_both(x, n):
    # few of them
    assert n > 0 and x.shape[0] > n, ("bad", n)
    if n > 5:
        raise ValueError("too many")
    return x * n


def of_what_is_computed(x, n):
    y = x * n
    total = y.shape[0] * n
    assert total < 100, f"{total} of {n}"
    return y


def of_values(x, n):
    assert x.sum() > 0, f"sum is {x.sum() > n}"
    return x * n


def raised_by_hand(x, n):
    if not n > 0:
        raise AssertionError("n must be positive")
    return x * n


ASSERTS = {
    of_a_number: 'assert n > 0, "n must be positive"',
    of_two_sizes: "assert x.shape[-1] == x.shape[0]",
    of_a_rank: 'assert x.ndim == 2, f"need a matrix, got {x.shape}"',
    of_both: '# few of them\n    assert n > 0 and x.shape[0] > n, ("bad", n)',
    of_what_is_computed: 'assert total < 100, f"{total} of {n}"',
    of_values: 'assert x.sum() > 0, f"sum is {x.sum() > n}"',
    raised_by_hand: 'if not n > 0:\n        raise AssertionError("n must be positive")',
}
#: Those that fail one of them.
GIVEN = [(X, 2), (X, 0), (X[:2], 2), (X[0], 2), (X, 40), (-X, 2), (X, 6)]


def outcome(f, *args):
    try:
        return np.asarray(f(*args))
    except (AssertionError, ValueError) as error:
        return type(error), str(error).partition("\n")[0]  # pytest says more of its own


@pytest.mark.complete
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", ASSERTS, ids=lambda fn: fn.__name__)
def test_an_assert_stays_one(fn, to):
    if fn is of_values and to == "jax":
        with pytest.raises(tl.UnsupportedError, match="what is compiled cannot raise"):
            tl.transpile(fn, (X, 2), to=to)
        return
    with jax.enable_x64(True):
        out = tl.transpile(fn, (X, 2), to=to, x64=True if to == "jax" else None)
        assert ASSERTS[fn] in out.source
        for x, n in GIVEN:
            mine, theirs = outcome(fn, x.copy(), n), outcome(out, convert(x.copy(), to), n)
            if isinstance(theirs, tuple):  # a check of ours may refuse more
                assert isinstance(mine, np.ndarray) or theirs[0] is mine[0], (mine, theirs)
            else:
                assert np.allclose(mine, theirs)
            if fn in (of_a_number, of_a_rank) and isinstance(mine, tuple) and "torch" not in str(theirs):
                assert theirs == mine


def test_without_checks_what_the_user_decides_by_numbers_stays():
    out = tl.transpile(of_a_number, (X, 2), to="numpy", guards="none")
    with pytest.raises(AssertionError, match="^n must be positive$"):
        out(X, 0)


def test_an_assert_is_traced_again():
    first = tl.transpile(of_a_number, (X, 2), to="numpy")
    again = tl.symbolic_trace(first, (X, 2)).source("numpy")
    assert ASSERTS[of_a_number] in again


def test_what_an_early_return_passes_by_is_not_told_in_the_words_of_an_assert():
    def early(x):
        if x.ndim == 1:
            return x
        assert x.ndim == 2, "need a matrix"
        return x * 2

    out = tl.transpile(early, (X,), to="numpy")
    with pytest.raises(AssertionError) as caught:
        out(X[0])
    assert "need a matrix" not in str(caught.value)

"""What numbers decide turn after turn is checked in a line: where that would be too long to be said, the
numbers that all is computed from are those of the example.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(1.0, 4.0)


def doubling(x, k, limit):
    total = k
    kept = []
    for turn in range(30):
        total = total + total * k
        kept.append(total)
        if total > limit:
            break
    return x * kept[-1] + turn


def of_sizes(x, k, limit):
    a, b, kept = x.shape[0], k, []
    for turn in range(12):
        a, b = a + b * k, a * b + limit
        kept.append((a, b))
        if a < 0 or b < 0:
            break
    return x * a + b + turn


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn, args", [(doubling, (X, 0.5, 1e4)), (of_sizes, (X, 0.5, 0.25))])
def test_a_check_that_would_be_too_long_asks_for_the_numbers_themselves(fn, args, to):
    out = tl.transpile(fn, args, to=to)
    assert max(map(len, out.source.split("\n"))) < 200
    others = [args, (X, 0.25, args[2]), (X, args[1], 8.0), (X[:2], *args[1:]), (np.ones(7), *args[1:])]
    for each in others:
        given = each if to == "numpy" else (convert(each[0], "torch"), *each[1:])
        try:
            found = np.asarray(out(*given))
        except AssertionError:
            assert each is not args
            continue
        np.testing.assert_allclose(found, fn(*each))


def test_a_short_check_is_said_as_it_is():
    def short(x, k):
        kept = []
        for _ in range(2):
            k = k * 2
            kept.append(k)
        return x * k if k + 1 > 3 else x

    out = tl.transpile(short, (X, 1.0), to="numpy")
    np.testing.assert_allclose(out(X, 5.0), short(X, 5.0))

"""What is decided about sizes by what their names are at least and at most: no more than holds."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracelate.ir.sizes.dim import COMPARISONS, Sym, compare, maximum, minimum, sym

n = sym("n", 7, 0)
i = sym("i", 3, 0, n - 1)
j = sym("j", 1, 0, i)
pair = sym("pair", 2, 0, n // 2 - 1)


@pytest.mark.parametrize(
    ("left", "op", "right", "answer"),
    [
        (i, "<", n, True),
        (i, "<=", n - 1, True),
        (i + 1, "<=", n, True),
        (i + 2, "<=", n, None),
        (i, ">=", 0, True),
        (i, "<", 0, False),
        (i, "!=", -1, True),
        (i, "==", n, False),
        (n - i, ">", 0, True),
        (n - 1 - i, ">=", 0, True),
        (i, "<", n - 1, None),
        (j, "<", n, True),
        (j - i, "<=", 0, True),
        (n - j, ">=", 1, True),
        (j, "<", i, None),
        (2 * i, "<", 2 * n, True),
        (2 * i, "<", n, None),
        (2 * pair + 2, "<=", n, True),
        (2 * pair + 3, "<=", n, None),
        (n // 2 * 2, "<=", n, True),
        (n // 2 * 2, ">=", n - 1, True),
        (n // 2, "<=", n, None),
        (n + 1, ">", 0, True),
        (i * i, ">=", 0, None),
        (sym("b"), ">=", 0, None),
        (i - sym("b"), "<", n, None),
    ],
)
def test_compare(left, op, right, answer):
    assert compare(op, left, right) is answer


def test_extremes_are_decided():
    assert minimum(i + 1, n) == i + 1
    assert maximum(i, 0) == i
    assert isinstance(minimum(i + 2, n), Sym)


@given(
    slopes=st.tuples(*[st.integers(-3, 3)] * 5),
    rest=st.integers(-4, 4),
    op=st.sampled_from(sorted(COMPARISONS)),
)
def test_what_is_decided_holds_everywhere(slopes, rest, op):
    dim = sum((c * v for c, v in zip(slopes, (n, i, j, pair, n // 2))), rest)
    answer = compare(op, dim, 0)
    if answer is not None and isinstance(dim, Sym):
        for size, a, b, c in product(range(6), repeat=4):
            if a < size and b <= a and c < size // 2:
                value = dim.evaluate({"n": size, "i": a, "j": b, "pair": c})
                assert COMPARISONS[op](value, 0) is answer, (size, a, b, c)

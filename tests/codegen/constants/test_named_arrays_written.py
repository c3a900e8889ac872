"""Nobody writes into an array that stands above the functions; what only reads it has it by its name."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import textwrap
from typing import Any

import pytest
from named_texts import TARGETS, check

#: What writes into the array, hands it on, or makes it anew.
OTHERS = {
    "a copy is written into": """
        def f(x):
            y = K.copy()
            y[0] = x[0, 0]
            return y * 2
    """,
    "returned": """
        def f(x):
            return x * 2, K
    """,
    "a view is returned": """
        def f(x):
            return x * 2, K.reshape(3, 1)
    """,
    "returned by a helper": """
        def g(x, k):
            return x * 2, k

        def f(x):
            return g(x, K)
    """,
    "a helper writes into its copy": """
        def g(x, k):
            k[0] = 7
            return x * k

        def f(x):
            return g(x, K.copy())
    """,
    "what a loop begins with": """
        def f(x):
            y = K
            for row in x:
                y = y + row
            return y
    """,
    "what an if gives": """
        def f(x):
            y = K if x.sum() > 100 else K * 2
            return y
    """,
    "put into what is written": """
        def f(x):
            y = np.zeros_like(x)
            y[0] = K
            y[1] = K + y[0]
            return y
    """,
    "no copy, where there need be none": """
        def f(x):
            y = np.asarray(K, dtype=np.float32)
            return y.reshape(3), x
    """,
    "added to in place": """
        def f(x):
            y = K + 0
            y += x[0]
            return y
    """,
    "written into on one way": """
        def f(x):
            y = K * 1 if x.sum() > 100 else K + 0
            if x.sum() > 1:
                y[0] = 9
            return y, x * K
    """,
    "gone through by a loop that writes into rows": """
        def f(x):
            rows = np.stack([K, K]) + 0
            for row in rows:
                row *= 2
            return rows, x * K
    """,
    "handed out by a loop": """
        def f(x):
            y = x[0]
            for row in x:
                y = K if row[0] > 0.5 else y
            return y, x * K
    """,
    "collected by a loop": """
        def f(x):
            found = []
            for row in x:
                found.append(K)
            return np.stack(found), x * K
    """,
    "written into by a helper in a loop": """
        def g(k, row):
            k[0] = row[0]
            return k * 2

        def f(x):
            y = K.copy()
            for row in x:
                y = g(y, row)
            return y, x * K
    """,
}


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("case", OTHERS)
def test_nobody_writes_into_a_constant(case: str, to: str, traced: Any) -> None:
    check(traced("K = np.array([1., 2., 3.], np.float32)\n" + textwrap.dedent(OTHERS[case])), "numpy", to)


@pytest.mark.parametrize("to", TARGETS)
def test_a_helper_that_only_reads_gets_it_by_name(to: str, traced: Any) -> None:
    f = traced("""
        K = np.array([1., 2., 3.], np.float32)

        def g(x, k):
            return x * k + k

        def f(x):
            return g(x, K)
    """)
    assert "return g(x, K)" in check(f, "numpy", to)


@pytest.mark.parametrize("to", TARGETS)
def test_loops_and_branches_that_only_read_have_it_by_name(to: str, traced: Any) -> None:
    f = traced("""
        K = np.array([1., 2., 3.], np.float32)

        def g(x, k):
            n, = k.shape
            y = x
            for i in range(n):
                if x[0, i] > k[i] / 10:
                    y = y + k[i] * k
            return y

        def f(x):
            return g(x, K)
    """)
    assert "g(x, K)" in check(f, "numpy", to)


@pytest.mark.parametrize("to", TARGETS)
def test_what_was_changed_since_is_what_it_was(to: str, traced: Any) -> None:
    f = traced("""
        K = np.array([1., 2., 3.], np.float32)

        def f(x):
            return x * K
    """)
    assert "K = " in check(f, "numpy", to)
    f.__globals__["K"][0] = 9
    assert "[9.0, 2.0, 3.0]" in check(f, "numpy", to)

"""Loops that begin with a number of Python's: what comes of one that does not turn is that number, and what
Python computes of it; a text that has an array there checks that there is a turn.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from as_written import defined

import tracelate as tl
from tracelate.backends.arrays import compare, convert

X, ROWS = np.arange(3, dtype=np.float32) - 1, np.arange(6, dtype=np.float32).reshape(2, 3)
NONE = ROWS[:0]

#: What is returned of `acc`.
RETURNED = (
    "acc", "acc / 2", "acc // 2", "acc % 2", "acc * 0.5", "acc + 0.5", "1 - acc / 4", "acc ** 2", "-acc",
    "abs(acc)", "acc / x.size", "acc / max(len(u), 1)", "(acc / 2, acc)", "{'rate': acc / 2}",
    "100 * acc / 3", "round(acc / 2, 1)", "acc > 0", "max(acc, 1)", "acc & 1", "not acc",
    "acc / 2 if acc > 1 else 0.5", "(acc > 0) + (acc > 1)", "(acc >= 0) + (acc == 0)",
)  # fmt: skip
LOOPS = {
    "numbered": "    for i in range(len(u)):\n        acc += (u[i] > x).sum()\n",
    "rows": "    for row in u:\n        acc += (row > x).sum()\n",
    "left": "    for row in u:\n        if row[0] > 9:\n            break\n        acc += (row > x).sum()\n",
    "while": "    i = 0\n    while i < len(u):\n        acc += (u[i] > x).sum()\n        i += 1\n",
}


def program(loop: str, returned: str) -> Any:
    text = f"import numpy as np\n\ndef f(x, u):\n    acc = 0\n{LOOPS[loop]}    return {returned}\n"
    return defined(text, f"<turning {loop} {returned}>")


def kinds(value: Any) -> Any:
    """Of which of Python's types it is, or "array"; of several, of each."""
    if isinstance(value, (tuple, list)):
        return [kinds(item) for item in value]
    if isinstance(value, dict):
        return {key: kinds(item) for key, item in value.items()}
    return "array" if isinstance(value, (np.generic, np.ndarray, torch.Tensor)) else type(value)


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("returned", RETURNED)
@pytest.mark.parametrize("loop", LOOPS)
def test_what_is_no_array_is_none_in_the_text(loop: str, returned: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = program(loop, returned)
    try:
        out = tl.transpile(fn, (X, ROWS), to=to)
    except tl.UnsupportedError:
        assert to == "torch" or returned.startswith("acc / 2 if"), "one's own framework says all of these"
        return
    for rows in (ROWS, NONE, ROWS[:1], ROWS * 9):
        wanted = fn(X, rows)
        try:
            found = out(convert(X, to), convert(rows, to))
        except AssertionError:
            assert not len(rows), "but for the number of turns nothing is another than in the example"
            continue
        assert kinds(found) == kinds(wanted), out.source
        assert not [*compare(wanted, found, kind="reduction")], out.source


def test_the_usual_sum_of_what_is_right_begins_with_a_number() -> None:
    source = tl.transpile(program("numbered", "acc / len(u)"), (X, ROWS), to="torch").source
    assert "acc = 0\n" in source and "assert u.shape[0] > 0" in source


def two_sums(x, u):
    low = high = 0
    for row in u:
        low += (row < x).sum()
    for i in range(len(x)):
        high += (u[:, i] > x[i]).sum()
    return low / 2, high / 2


def test_each_of_two_loops_is_checked_to_turn():
    out = tl.transpile(two_sums, (X, ROWS), to="torch")
    for x, rows in ((X, ROWS), (X, NONE), (X[:0], ROWS[:, :0])):
        wanted = two_sums(x, rows)
        try:
            found = out(torch.tensor(x), torch.tensor(rows))
        except AssertionError:
            assert not rows.size
            continue
        assert kinds(found) == kinds(wanted) and not [*compare(wanted, found)]


def test_a_denial_is_a_bool_of_pythons() -> None:
    def denied(x):
        return not x.sum(), [not x[0]], {"any": not (x > 0).any()}

    for source in ("numpy", "torch"):
        for to in ("numpy", "torch"):
            out = tl.transpile(denied, (convert(X, source),), to=to)
            for given in (X, X * 0, -X):
                wanted, found = denied(convert(given, source)), out(convert(given, to))
                assert found == wanted and kinds(found) == kinds(wanted), out.source


def test_a_denial_that_functions_of_arrays_are_given_is_an_array() -> None:
    def chosen(x):
        return np.where(not x.sum(), x, -x), np.stack([not x[0], not (x > 1).any()])

    out = tl.transpile(chosen, (X,), to="torch")
    for given in (X, X * 0, X + 5):
        assert not [*compare(chosen(given), out(torch.tensor(given)))]


def rounded(x, k=1):
    a = x.mean() if k > 0 else 0.25
    return round(a, 1)


@pytest.mark.parametrize("k", [0, 1])
def test_what_may_be_a_number_is_rounded_as_python_does(k: int) -> None:
    x = np.arange(3.0) / 7
    out = tl.transpile(rounded, (x, k), to="numpy")
    for other in (0, 1):
        assert out(x, other) == rounded(x, other) and type(out(x, other)) is type(rounded(x, other))


def asked_twice(x, tol):
    s = tol
    for v in x:
        s = max(s, v)
    return x.sum() + ((s > -9) + (s > -8))


def chosen_and_asked(x, tol):
    s = 1.5 if tol > 1 else x.sum()
    return (s > -9) + (s > -8)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [asked_twice, chosen_and_asked])
def test_bools_of_pythons_add_up_and_those_of_arrays_do_not(fn: Any, to: str) -> None:
    try:
        out = tl.transpile(fn, (X, 0.5), to=to, x64=False if to == "jax" else None)
    except tl.UnsupportedError:
        assert to != "numpy"
        return
    for x, tol in ((X, 0.5), (X, 10.0), (X[:0], 1.5)):
        found = out(convert(x, to), tol)
        assert float(found) == float(fn(x, tol)), out.source

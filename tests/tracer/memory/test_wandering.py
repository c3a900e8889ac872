"""Names that change places in a loop or branch, and views of what they were: a write into the one shows in
the other, or is refused."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from ways import agrees_or_is_refused, program

import tracelate as tl
from tracelate.backends.arrays import compare, convert

#: What p and q are, and what is done with them before.
BEGUN = {
    "locals": "p = x * 2; q = x * 3",
    "arguments": "p = x; q = y",
    "arguments, written": "for i in range(12):\n    x *= 0.5\n    y -= 0.5\np = x; q = y",
    "elements, written": "for i in range(len(x)):\n    x[i] = i\n    y[i] += 1\np = x; q = y",
}
SWAPS = {
    "rows": "for e in x:\n    p, q = q, p",
    "range": "for i in range(len(x)):\n    p, q = q, p",
    "turns": "for i in range(11):\n    p, q = q, p",
    "three": "r = x * 5\nfor i in range(len(x)):\n    p, q, r = q, r, p",
    "while": "k = 0\nwhile k < x.sum() + 11:\n    p, q = q, p\n    k += 1",
    "if": "if x[0] > y[0]:\n    p, q = q, p",
    "if in a loop": "for i in range(len(x)):\n    if x[i] > 0.5:\n        p, q = q, p",
}
VIEWS = {
    "a part": "v = {}[1:]",
    "reversed": "v = {}[::2]",
    "reshaped": "v = {}.reshape(2, 3)[:, 1]",
    "it": "v = {}",
}
WRITES = ("v += 1", "v[1] = 7", "p += 1", "q[0] = 7", "for i in range(2):\n    v[i] += 1")
RESULTS = ("p, q, v", "v", "p", "p.sum(), v * 1, q")


@pytest.mark.covering
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize(("begun", "swap", "view"), [*product(BEGUN, SWAPS, VIEWS)])
def test_what_changes_places(begun, swap, view, source) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    for of, write, result in product("pq", WRITES, RESULTS):
        parts = (BEGUN[begun], VIEWS[view].format(of), SWAPS[swap], write, f"return {result}")
        agrees_or_is_refused(source, source, *parts)


@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("begun", BEGUN)
def test_in_another_framework(begun, swap) -> None:
    for write, result in product(WRITES, RESULTS[:2]):
        parts = (BEGUN[begun], VIEWS["a part"].format("q"), SWAPS[swap], write, f"return {result}")
        agrees_or_is_refused("numpy", "torch", *parts)


@pytest.mark.parametrize("source", ["numpy", "torch"])
def test_two_buffers_are_no_views_of_one_another(source) -> None:
    steps = "for i in range(9):\n    q[1:-1] = p[:-2] + p[2:]\n    p, q = q, p"
    for more in ("p += 1", "q[0] = 3", "for i in range(9):\n    q[1:-1] = p[:-2]\n    p, q = q, p"):
        f, text = program("p = x * 1; q = y * 1", steps, more, "return p, q")
        args = [np.linspace(0.0, 1.0, 6), np.linspace(2.0, 1.0, 6)]
        out = tl.transpile(f, tuple(convert(a, source) for a in args), to=source)
        found = out(*(convert(a.copy(), source) for a in args))
        assert not list(compare(f(*(convert(a.copy(), source) for a in args)), found)), out.source

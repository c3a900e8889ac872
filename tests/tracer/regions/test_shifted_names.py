"""Names that take each other's arrays from turn to turn are one array after some turns: what is written into
one by then is in all of them, as in the program, or the write is refused.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from as_written import defined

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays

BEGUN = {
    "arrays": "a, b, c, d = y * 1, y * 2, y * 3, y * 4",
    "an argument": "a, b, c, d = y, y * 2, y * 3, y * 4",
    "a view": "a, b, c, d = y[1:], y[1:] * 2, y[1:] * 3, y[1:] * 4",
    "a part of one": "e = y * 1\n    a, b, c, d = e[:2], e[1:] * 2, e[1:] * 3, e[1:] * 4",
    "lists": "a, b, c, d = [y * 1], [y * 2], [y * 3], [y * 4]",
    "dicts": "a, b, c, d = ({0: y * k} for k in (1, 2, 3, 4))",
}
LOOPS = {
    "three turns": "for i in range(3):",
    "as many as asked": "for i in range(n):",
    "through an array": "for v in x:",
    "a while": "while n > 0:\n        n = n - 1",
}
SHIFTS = {
    "at once": "c, b = b, a",
    "one by one": "c = b\n        b = a",
    "three": "d, c, b = c, b, a",
    "round": "a, b, c = c, a, b",
    "on a way": "c = b\n        if x[0] > 0:\n            b = a",
    "a view of it": "c = b\n        b = a[:2]",
    "of one made anew": "c, b = b, a + 1",
}
WRITES = ["c[0] = 9", "b[0] = 9", "a[0] = 9", "d[0] = 9", "c += c", "c[0] = 9\n    b[0] = 7"]


def program(begun: str, loop: str, shift: str, write: str) -> Any:
    turns = f"    {LOOPS[loop]}\n        {SHIFTS[shift]}\n"
    text = f"def f(x, y, n=3):\n    {BEGUN[begun]}\n{turns}    {write}\n    return a, b, c, d\n"
    return defined(text, f"<shifted {begun} {loop} {shift} {write}>")


def arrays() -> list[Any]:
    return [np.arange(1.0, 4.0), np.arange(3.0) + 2]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("begun", BEGUN)
def test_a_write_behind_the_loop_is_in_all_of_them(
    begun: str, loop: str, shift: str, write: str, to: str
) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn = program(begun, loop, shift, write)
    try:
        wanted = fn(*arrays(), 3)
        out = tl.transpile(fn, (*arrays(), 3), to=to)
    except (tl.TraceError, IndexError, ValueError, TypeError) as error:
        assert not isinstance(error, tl.InternalError)
        return
    for sign, n in ((1, 0), (1, 1), (1, 2), (1, 3), (-1, 3)):
        mine = [each * sign for each in arrays()]
        theirs = [convert(each, to) for each in copy.deepcopy(mine)]
        wanted = fn(*mine, n)
        try:
            found = out(*theirs, n)
        except AssertionError:
            continue
        wrong = [*compare(map_arrays(wanted, np.array), found), *compare(mine, theirs)]
        assert not wrong, f"{sign, n}: {wrong[0]}\n{out.source}"

"""Views of an argument that is written into by another name too: what a target has no view of, a copy stands
for, which sees no write through the other argument. The text checks that they are apart, or is right.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from test_outsiders import program

import tracelate as tl

VIEWS = {
    "numpy": [
        "x[1:]", "x[::-1]", "x[::-2]", "x[1:][::-1]", "x[0][::-1]", "x[:, ::-1][1:]", "x[1:][::-1][::-1]",
        "x[::-1].T", "x.T[::-1]", "np.swapaxes(x, 0, 1)[::-1]", "x[::-1].reshape(-1)", "np.flip(x[1:])",
        "np.fliplr(x)", "np.rot90(x[1:])", "np.split(x, 2)[1][::-1]", "np.vsplit(x, 2)[0][:, ::-1]",
    ],
    "torch": [
        "x[1:]", "x.flip(0)", "x.t()", "x.view(-1)", "x.reshape(-1)[2:]", "x.chunk(2)[1]", "x.unbind(0)[1]",
        "x.diagonal()", "x.narrow(0, 1, 2)", "x.unfold(0, 2, 1)[1]", "x.movedim(0, 1)[1:]",
        "x.split(2)[0].t()",
    ],
}  # fmt: skip
WRITES = {
    "numpy": [
        "pass", "s[0] = 4", "s += 3", "s[:] = 4", "s[0] = 4; s *= 2", "s *= 2; s[0] = 1",
        "t = s[1:]; t[:] = 7", "t = s[:1]; t -= 7", "np.add.at(s, [0], 3.)", "s[s > 0] = -1",
        "np.copyto(s, 5)",
    ],
    "torch": [
        "pass", "s[0] = 4", "s.add_(3)", "s.fill_(4)", "s[0] = 4; s.mul_(2)", "s *= 2; s[0] = 1",
        "t = s[1:]; t[:] = 7", "s[:1].sub_(7)", "s[s > 0] = -1", "s.copy_(s * 2)",
    ],
}  # fmt: skip
#: What is written into the other argument, and what is read then.
OTHERS = ["y += 1", "y[-1] = 9", "y[:] = 3", "y[1:] *= 2"]
READ = ["s.sum()", "x.sum()", "s * 1, x + 0", "s", "y.sum() + s[-1]"]


def given(framework: str) -> Iterator[tuple[Any, Any]]:
    """Arguments that share memory in several ways; the last do not."""

    def made(rows: int) -> Any:
        array = np.arange(rows * 4.0).reshape(rows, 4) - 3
        return array if framework == "numpy" else torch.from_numpy(array)

    one, larger, square = made(4), made(6), made(4)
    yield one, one
    yield larger[:4], larger[2:]
    larger = made(6)
    yield larger[2:], larger[:4]
    yield square, square.T
    yield made(4), made(4) + 1


@pytest.mark.covering(("source", "view"), ("source", "write"), "to")
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(
    ("source", "view", "write"),
    [(s, *each) for s in VIEWS for each in itertools.product(VIEWS[s], WRITES[s])],
)
def test_a_view_of_an_argument_given_twice(source: str, view: str, write: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    ways = list(itertools.product(OTHERS, READ))
    first = zlib.crc32(f"{view} {write}".encode())
    for other, read in (ways[(first + 7 * i) % len(ways)] for i in range(4)):
        fn = program(f"s = {view}; {write}; {other}; return {read}")
        *_, apart = given(source)
        try:
            out = tl.transpile(fn, apart, to=to)
        except tl.UnsupportedError:
            continue
        for mine, theirs in zip(given(source), given(to), strict=True):
            try:
                expected = fn(*mine)
            except RuntimeError:  # torch does not write into what lies in a leaf, or twice in memory
                continue
            try:
                found = out(*theirs)
            except AssertionError:
                assert np.shares_memory(*map(np.asarray, theirs)), out.source
                continue
            for a, b in zip(leaves(expected, mine), leaves(found, theirs), strict=True):
                np.testing.assert_allclose(np.asarray(b), np.asarray(a), err_msg=out.source)


def leaves(result: Any, arguments: tuple[Any, Any]) -> list[Any]:
    return [*(result if isinstance(result, tuple) else (result,)), *arguments]

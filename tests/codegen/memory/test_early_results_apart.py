"""What a function returns before its end lies in the memory in which the program has it: a copy of an
argument is no part of that, and two arrays are two.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch
from as_written import defined

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.ir.values.tree import leaves

X = np.float32([[3, 1, 2], [6, 5, 4], [7, 9, 8]])
MODULES = {"numpy": np, "torch": torch}
#: How an array is made of the argument.
MADE = {
    "numpy": [
        "np.copyto(a := np.empty_like(x), x)", "a = np.empty_like(x); a[...] = x", "a = x * 1", "a = x + 0",
        "a = x.copy()", "a = x", "a = x[1:]", "a = x.T", "a = np.asarray(x)", "a = x.reshape(-1)",
        "a = x.flatten()", "a = x.astype(np.float32)", "a = np.where(x == x, x, 0)", "a = x[[0, 1, 2]]",
    ],
    "torch": [
        "a = torch.empty_like(x); a.copy_(x)", "a = torch.empty_like(x); a[...] = x", "a = x * 1",
        "a = x + 0",
        "a = x.clone()", "a = x", "a = x[1:]", "a = x.T", "a = x.float()", "a = x.reshape(-1)",
        "a = x.contiguous()", "a = x.to(torch.float32, copy=True)",
    ],
}  # fmt: skip
GIVEN = ["a", "a, x", "a, a", "{'a': a, 'b': x * 2}", "[a, a * 1]", "a, b", "x[:1], a"]
WHERE = {
    "a value": "    if x[0, 0] > 0:\n{0}        return {1}\n",
    "a size": "    if len(x) == 3:\n{0}        return {1}\n",
    "made before": "{2}    if x[0, 0] > 0:\n        return {1}\n",
    "a loop": "    for i in range(2):\n        if x[i, 0] > 2:\n{3}            return {1}\n",
    "another way": "    if x[0, 0] < 0:\n        y = y * 2\n    else:\n{0}        return {1}\n",
}


def program(source: str, made: str, given: str, where: str) -> Any:
    statements = made.split("; ")
    if "b" in given:
        statements += [re.sub(r"^a\b", "b", each) for each in statements]
    lines = ["".join(f"{' ' * depth}{each}\n" for each in statements) for depth in (8, 4, 12)]
    text = WHERE[where].format(lines[0], given, lines[1], lines[2])
    head = f"import {'numpy as np' if source == 'numpy' else 'torch'}\n\n\ndef f(x):\n    y = x * 3\n"
    return defined(f"{head}{text}    return y\n", f"<early {source} {made} {given} {where}>")


def changed(fn: Any, framework: str) -> list[list[bool]]:
    """Which of the argument and what is given change with each of these."""
    count, found = 1, []
    for place in range(9):
        x = convert(X.copy(), framework)
        arrays = [x, *leaves(fn(x))]
        count = len(arrays)
        if place >= count:
            break
        before = [convert(each, "numpy").copy() for each in arrays]
        arrays[place][...] = -1
        found.append([not np.array_equal(convert(a, "numpy"), b) for a, b in zip(arrays, before)])
    return found


@pytest.mark.covering
@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize(("source", "made"), [(s, m) for s, every in MADE.items() for m in every])
def test_what_is_returned_early_lies_apart(source: str, made: str, given: str, where: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    if "b" in given and ":=" in made:
        pytest.skip("an expression makes one array")
    fn = program(source, made, given, where)
    for to in MODULES:
        try:
            out = tl.transpile(fn, (convert(X, source),), to=to)
        except tl.UnsupportedError:
            continue
        assert not [*compare(fn(convert(X.copy(), source)), out(convert(X.copy(), to)))]
        wanted, found = changed(fn, source), changed(out, to)
        # A part of an argument may be an array of its own, but no copy a part.
        assert all(w or not f for one, other in zip(wanted, found) for w, f in zip(one, other)), out.source

"""Results that are arrays of their own beside others are so in the text, wherever those come from: what is
written into one afterwards changes of the others and of the arguments what it does in the program.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import linecache
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.ir.values.tree import leaves

V = np.float32([[3, 1, 2], [6, 5, 4]])
MODULES = {"numpy": np, "torch": torch}
#: Where an array `a` comes from.
ORIGINS = {
    "plain": "a = x * 2",
    "a branch": "if x[0, 0] > 0: a = x * 2\n    else: a = x * 3",
    "an expression": "a = x * 2 if x[0, 0] > 0 else x - 1",
    "an early return": "if x[0, 0] < 0: return x, x * 1\n    a = x * 2",
    "an early return of the other": "if x[0, 0] > 0: a = x * 2\n    else: return x, x * 1",
    "a loop": "a = x\n    for i in range(12): a = a * 2",
    "a loop of unknown length": "a = x\n    while a.sum() < 90: a = a * 2",
    "a loop that may return": (
        "a = x\n    for i in range(12):\n        if a[0, 0] > 900: return a, a * 1\n        a = a + 1"
    ),
    "a helper": "a = helper(x)",
    "a helper of two": "b, a = two(x)",
    "one of two views": "if x[0, 0] > 0: a = (c := x * 2)[:1]\n    else: c, a = x * 3, x * 4",
    "a list": "h = []\n    for i in range(12):\n        a = x * i\n        h.append(a)",
}
#: What is given; `a` is one of it, or what lies together with it.
GIVEN = {
    "numpy": [
        "a, a * 1", "a / 1, a", "a, a.flatten()", "a, a.astype(np.float32)",
        "a, np.array(a, dtype=np.float32)",
        "a, np.ascontiguousarray(a.T), a.T", "a, (v := a[1:]), v * 1", "(v := a[1:]) * 1, a, v",
        "a, (m := a > 2), m.astype(bool)", "{'a': a, 'b': +a}", "[a, a * 1], a", "a * 1, a * 1, a, a",
    ],
    "torch": [
        "a, a * 1", "a / 1, a", "a, a.clone().flatten()", "a, a.to(torch.float32, copy=True)",
        "a, a.T.contiguous(), a.T", "a, (v := a[1:]), v * 1",
        "(v := a[1:]) * 1, a, v",
        "a, (m := a > 2), m & True", "{'a': a, 'b': a - 0}", "[a, a * 1], a", "a * 1, a * 1, a, a",
    ],
}  # fmt: skip
MORE = {
    "one of two views": ["c, a * 1", "a * 1, c, a"],
    "a helper of two": ["b, a * 1, b * 1"],
    "a list": ["h, a * 1"],
}
LOOPS = ("a loop", "a loop of unknown length", "a loop that may return", "a list")


def program(source: str, origin: str, given: str) -> Any:
    text = (
        f"def helper(v):\n    return {'np' if source == 'numpy' else 'torch'}.sqrt(v)\n\n"
        "def two(v):\n    w = v * 2\n    return w, w * 3\n\n"
        f"def f(x):\n    {ORIGINS[origin]}\n    return {given}\n"
    )
    file = f"<apart {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"np": np, "torch": torch}
    exec(compile(text, file, "exec"), module)
    return module["f"]


def programs() -> Iterator[tuple[str, str, str]]:
    for source, all_given in GIVEN.items():
        for origin in ORIGINS:
            for given in (*all_given, *MORE.get(origin, ())):
                if origin in LOOPS and "contig" in given:
                    continue  # whether it copies hangs on how what a loop carries lies in memory
                yield source, origin, given


def changed(fn: Any, framework: str) -> list[list[bool]]:
    """Which results, and which argument, change where one result is filled."""
    found = []
    for number in range(len(held(fn(convert(V, framework))))):
        x = convert(V, framework)
        results = [*held(fn(x)), x]
        before = [np.array(one) for one in results]
        results[number][...] = True if "bool" in str(results[number].dtype) else 77
        found.append([not np.array_equal(np.array(now), old) for now, old in zip(results, before)])
    return found


def held(result: Any) -> list[Any]:
    return [leaf for leaf in leaves(result) if hasattr(leaf, "dtype")]


@pytest.mark.covering
@pytest.mark.parametrize(("source", "origin", "given"), [*programs()])
def test_what_is_written_into_a_result_changes_the_same_others(source: str, origin: str, given: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    f = program(source, origin, given)
    for to in MODULES:
        out = tl.transpile(f, to=to, args=(convert(V, source),))
        assert not [*compare(f(convert(V, source)), out(convert(V, to)))], out.source
        assert changed(f, source) == changed(out, to), out.source


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("origin", ORIGINS)
def test_items_of_what_a_caller_holds_are_apart(source: str, origin: str) -> None:
    body = ORIGINS[origin].replace("return x, x * 1", "return x").replace("return a, a * 1", "return a")
    text = "def helper(v):\n    return v + 1\n\ndef two(v):\n    return v * 2, v * 3\n\n"
    text += f"def f(x, state):\n    {body}\n    state['a'] = a\n    state['b'] = a * 1\n    return x\n"
    file = f"<items {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {}
    exec(compile(text, file, "exec"), module)
    for to in MODULES:
        state = {key: convert(V, to) for key in "ab"}
        example = {key: convert(V, source) for key in "ab"}
        out = tl.transpile(module["f"], to=to, args=(convert(V, source), example))
        out(convert(V, to), state)
        held = np.array(state["b"])
        state["a"][...] = 77
        assert np.array_equal(np.array(state["b"]), held), out.source


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(
    "laid",
    [
        lambda x: np.ascontiguousarray(x), lambda x: np.ascontiguousarray(x)[1:], lambda x: x.ravel(),
        lambda x: [np.ascontiguousarray(x) if x.sum() > 0 else x], lambda x: x.reshape(-1),
    ],
    ids=["whole", "part", "flat", "branch", "reshaped"],
)  # fmt: skip
def test_what_is_returned_as_it_lies_is_the_argument_where_it_is_in_the_source(laid: Any, to: str) -> None:
    for shape in (6,), (4, 6):
        whole = np.arange(1.0, math.prod(shape) + 1).reshape(shape)
        out = tl.transpile(laid, to=to, args=(whole,))
        for x in whole, whole[::2], whole[..., ::2], whole.T:
            theirs = x if to == "numpy" else torch.from_numpy(x)
            try:
                (found,) = leaves(out(theirs))
            except AssertionError:
                continue
            (expected,) = leaves(laid(x))
            assert np.shares_memory(np.asarray(found), x) == np.shares_memory(expected, x), out.source


#: What gives an array itself, or a view, where it lies row by row, and else a copy.
ROWS = {
    "numpy": ["np.ascontiguousarray(x)", "x.ravel()", "np.ravel(x)", "x.ravel().reshape(x.shape)", "prep(x)",
              "np.ascontiguousarray(x)[:1]", "np.ascontiguousarray(x) if x.sum() > 0 else x * 2",
              "np.ascontiguousarray(x.T)", "np.ascontiguousarray(x.T).T"],
    "torch": ["x.contiguous()", "torch.ravel(x)", "x.ravel()", "x.ravel().reshape(x.shape)", "prep(x)",
              "x.contiguous()[:1]", "x.contiguous() if x.sum() > 0 else x * 2", "x.T.contiguous()"],
}  # fmt: skip
READ = {
    "afterwards": "y[0] = 50\n    return r * 1",
    "returned": "y[0] = 50\n    return r",
    "in a branch": "y[0] = 50\n    if y[0, 0] > 0: s = r.sum()\n    else: s = r.sum() * 2\n    return s",
    "in a loop that writes": (
        "s = r.sum()\n    for i in range(12):\n        s = s + r.sum() * i\n        y[0] = 50\n    return s"
    ),
    "after a branch that writes": "if r.sum() > 0: y[0] = 50\n    return r * 1",
    "after a helper that writes": "write(y)\n    return r * 1",
    "before": "s = r * 1\n    y[0] = 50\n    return s",
}
#: How two arguments lie to each other.
OVERLAPS = {
    "equal": lambda m: (m, m),
    "transposed": lambda m: (m.T, m),
    "the other transposed": lambda m: (m, m.T),
    "strided": lambda m: (m[:, ::2][:, :2], m),
    "shifted": lambda m: (m[1:], m[:-1]),
    "shifted columns": lambda m: (m[:, 1:], m[:, :-1]),
}
SQUARE = np.arange(1, 17, dtype=np.float32).reshape(4, 4)


@pytest.mark.parametrize(("source", "made"), [(s, m) for s, all_made in ROWS.items() for m in all_made])
@pytest.mark.parametrize("read", READ)
def test_what_copies_by_layout_is_read_as_it_was(source: str, made: str, read: str) -> None:
    rows = "np.ascontiguousarray(v)" if source == "numpy" else "v.contiguous()"
    text = f"def prep(v):\n    return {rows}\n\ndef write(v):\n    v[0] = 50\n\n"
    text += f"def f(x, y):\n    r = {made}\n    {READ[read]}\n"
    file = f"<rows {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"np": np, "torch": torch}
    exec(compile(text, file, "exec"), module)
    f = module["f"]
    for to in MODULES:
        out = tl.transpile(f, to=to, args=(convert(SQUARE, source), convert(SQUARE, source)))
        apart = [(convert(SQUARE, name), convert(SQUARE, name)) for name in (source, to)]
        assert not [*compare(f(*apart[0]), out(*apart[1]), kind="reduction")]
        for lie in OVERLAPS.values():
            mine, theirs = (lie(convert(SQUARE, name)) for name in (source, to))
            try:
                got = out(*theirs)
            except AssertionError:
                continue
            found = [*compare(f(*mine), got, kind="reduction"), *compare(mine, theirs)]
            assert not found, f"{found[0]}\n{out.source}"


def test_an_example_of_one_array_twice_need_not_be_apart() -> None:
    def f(x, y):
        r = np.ascontiguousarray(x)
        y[0] = 50
        return r * 1

    m = SQUARE.copy()
    out = tl.transpile(f, to="numpy", args=(m, m))
    m, n = SQUARE.copy(), SQUARE.copy()
    assert np.array_equal(out(m, m), f(n, n))
    with pytest.raises(AssertionError):
        out(m.T, m)

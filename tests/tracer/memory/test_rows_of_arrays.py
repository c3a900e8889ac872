"""Lists of the items of arrays: NumPy's numbers are copies, the rows of other arrays are parts of them."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.ir.values.tree import leaves


def counted(*shape: int, dtype: Any = np.float32) -> Any:
    return np.arange(1, 1 + np.prod(shape)).astype(dtype).reshape(shape)


def kept(x):
    vals = list(x)
    x[0] = 100
    return vals, x


def shifted(x):
    old = list(x)
    for i in range(1, len(x)):
        x[i] = old[i - 1]
    return x


def augmented(x):
    y = x * 2
    vals = list(y)
    y += 1
    return vals[0], vals[3], np.array(vals)


def appended(x):
    out = []
    for v in x:
        out.append(v)
    x[0] = 9
    return out


def paired(x):
    out = []
    for v in x:
        out.append((v, v + 1))
    return out


def firsts(x):
    out = []
    for row in x:
        out.append(row[0])
    x[0] = 9
    return out


def of_parts(x):
    out = []
    for row in x:
        out.append(row[1:][0])
    x[0] = 9
    return out


def last(x):
    b = x[0, 0]
    for row in x:
        b = row[0]
    x[:] = 9
    return b


def innermost(x):
    b = x[0, 0, 0]
    for rows in x:
        for row in rows:
            b = row[0]
    x[:] = 9
    return b


def best(x):
    b = x[0]
    for v in x:
        if v > b:
            b = v
    return b


def popped(x):
    st, n = list(x), 0
    while st:
        st.pop()
        n += 1
    return x * n


def emptied(x):
    st = []
    for v in x:
        st.append(v * 2)
    total = 0
    while st:
        total = total + st.pop()
    return total


def tree(x):
    st = list(x)
    while len(st) > 1:
        st = [a + b for a, b in zip(st[::2], st[1::2])]
    return st[0]


def joined(x):
    return list(x) + list(x[::2])


def with_sum(x):
    made = list(x)
    made.append(x.sum())
    return made


def with_number(x):
    made = list(x)
    made.append(0)
    return np.array(made)


def stacked_with_number(x):
    return np.stack(list(x) + [1.0])


def just(x):
    return list(x)


PROGRAMS: list[tuple[Any, list[Any]]] = [
    *((f, [counted(12), counted(13), counted(12, 2)]) for f in (kept, shifted, appended, paired, just)),
    *((f, [counted(12), counted(13)]) for f in (augmented, best)),
    *((f, [counted(12, 2), counted(3, 2, 2), counted(13, 3)]) for f in (firsts, of_parts, last, just)),
    (innermost, [counted(12, 2, 2), counted(3, 2, 2, 2), counted(13, 3, 2)]),
    *((f, [counted(12), counted(13), counted(11), counted(3)]) for f in (popped, emptied)),
    (tree, [counted(16), counted(32), counted(8), counted(2), counted(15), counted(17)]),
    *(
        (f, [counted(12), *(counted(12, dtype=d) for d in ("int32", "float16", "float64", "bool"))])
        for f in (joined, with_sum, with_number, stacked_with_number)
    ),
]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("program", "given"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_what_an_array_goes_through_is_what_it_is_in_the_source(program, given, to):
    example, *_ = given
    try:
        out = tl.transpile(program, to=to, args=(copy.deepcopy(example),))
    except tl.UnsupportedError:
        assert to == "jax"  # what writes into its argument
        return
    for x in given:
        if to == "jax" and x.dtype == np.float64:
            continue  # which is another dtype there
        mine, theirs = copy.deepcopy(x), convert(copy.deepcopy(x), to)
        try:
            found = out(theirs)
        except (AssertionError, IndexError):
            assert x is not example
            continue
        expected = program(mine)
        assert not [*compare(expected, found, kind="reduction", narrowed=to == "jax")], out.source
        if to == "jax" or x.ndim != example.ndim:
            continue
        assert not [*compare(mine, theirs, kind="reduction")], out.source
        shared = [
            [np.shares_memory(np.asarray(leaf), np.asarray(whole)) for leaf in leaves(result)]
            for result, whole in ((expected, mine), (found, theirs))
        ]
        assert shared[0] == shared[1], out.source


def test_a_list_that_is_not_written_into_needs_no_copy():
    assert "copy" not in tl.transpile(just, to="numpy", args=(counted(12),)).source
    assert "clone" in tl.transpile(just, to="torch", args=(counted(12),)).source
    assert "clone" not in tl.transpile(just, to="torch", args=(torch.ones(12),)).source


def test_what_is_counted_in_a_loop_that_was_tried_twice_is_checked():
    assert "assert x.shape == (12,)" in tl.transpile(popped, to="numpy", args=(counted(12),)).source


def one(n: int, x: np.ndarray) -> Any:
    return range(n)[-1], range(n).stop, range(len(x))[-1], x * range(1, n)[1], range(2, n, 2).step


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_an_item_of_a_range(to):
    out = tl.transpile(one, to=to, args=(4, counted(12)))
    assert not [*compare(one(4, counted(12)), out(4, convert(counted(12), to)), kind="reduction")]
    with pytest.raises(AssertionError):
        out(5, convert(counted(12), to))
    first = tl.transpile(lambda n: range(1, n)[1] * 2, to=to, source="numpy", args=(4,))
    assert first(9) == 4
    with pytest.raises(AssertionError):
        first(2)
    with pytest.raises(IndexError, match="range object index out of range"):
        tl.symbolic_trace(lambda n: range(1, n)[1], args=(2,), source="numpy")
    with pytest.raises(tl.UnsupportedError, match="a part of a range"):
        tl.transpile(lambda n: range(n)[::2], to=to, source="numpy", args=(4,))


def begun(x):
    h = [x * 3]
    for i in range(12):
        h.append(h[-1] + i)
    return h, x


def begun_twice(x):
    h = [x * 3]
    for i in range(12):
        h.append(x * i)
    return h, [x], {"h": h}


def in_two_loops(x):
    h = []
    for v in x:
        h.append(v * 2)
    for v in x[1:]:
        h.append(v)
    return h


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("program", [begun, begun_twice, in_two_loops])
def test_a_list_that_was_begun_before_the_loop(program, source, to):
    example = convert(counted(12), source)
    out = tl.transpile(program, to=to, source=source, args=(example,))
    joined = to == "jax" or (source, to, program) == ("numpy", "torch", in_two_loops)
    assert joined == ("x.dtype" in out.source)  # of another kind its items would be of several dtypes
    for dtype in ("float32", "int32", "float16"):
        x = convert(counted(12, dtype=dtype), source)
        try:
            found = out(convert(counted(12, dtype=dtype), to))
        except AssertionError:
            continue
        assert not [*compare(program(x), found, kind="reduction")], out.source


def part_that_is_there(x):
    def itself(v):
        return v

    a = itself(x)
    return x if a[1:] is None else x * 2


def test_a_part_of_what_a_helper_gives_is_no_none():
    assert "return x * 2" in tl.transpile(part_that_is_there, to="torch", args=(torch.ones(3),)).source

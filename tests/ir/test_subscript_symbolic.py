"""Subscripts of symbolic sizes: what comes out of a match, and what it takes for granted."""

from __future__ import annotations

import numpy as np
import pytest
from subscripts import SLICE, SVD, TOPK

from tracelate.ir.sizes.dim import hint_of, minimum, sym
from tracelate.ir.sizes.stretched import broadcast, unstretched
from tracelate.ir.subscript import Subscript


def test_an_int_beats_a_symbol():
    match = Subscript("[x y] [x y] -> [x y]").match([(10, "a"), (10, 3)])
    assert match.outputs == ((10, 3),)
    assert [str(c) for c in match.constraints] == ["a == 3"]


def test_products():
    match = Subscript("X[n c *sp] -> Y[n c m] where m = prod(sp)").match([("N", 3, 4, 5)])
    assert match.outputs == ((sym("N"), 3, 20),)
    (m,) = Subscript("A[i j] -> B[m] where m = i*j").match([("b", 3)]).outputs[0]
    assert str(m) == "3 * b"
    assert m.evaluate({"b": 4}) == 12


def test_hints_that_differ_are_a_clash():
    match = Subscript("A[x] B[x] -> C[x]").match([(sym("n", 3),), (sym("m", 4),)])
    assert [report.kind for report in match.reports] == ["mismatch"]
    assert match.constraints == ()
    assert not Subscript("A[x] B[x] -> C[x]").match([(sym("n", 3),), (5,)]).ok


def test_hints_that_agree_are_a_constraint():
    match = Subscript("A[x] B[x] -> C[x]").match([(sym("n", 3),), (sym("m", 3),)])
    assert match.ok and [str(c) for c in match.constraints] == ["n == m"]


def test_what_cannot_be_equal_is_a_clash_without_hints():
    n = sym("n")
    assert not Subscript("A[x] B[x] -> C[x]").match([(n,), (n + 1,)]).ok


def test_what_must_be_equal_is_no_constraint():
    h = sym("h")
    match = Subscript("A[x] B[x] -> C[x]").match([((h - 3) // 2 + 1,), ((h - 1) // 2,)])
    assert match.ok and match.constraints == ()


def test_strict_symbols():
    match = Subscript("A[x] B[x] -> C[x]").match([("n",), ("m",)], strict_symbols=True)
    assert [report.kind for report in match.reports] == ["mismatch"]


@pytest.mark.parametrize(
    ("first", "second", "result", "constraints"),
    [
        (sym("n", 1), 5, 5, ["n == 1"]),
        (sym("n", 1), sym("m", 5), broadcast(sym("n"), sym("m")), ["n == 1"]),
        (sym("n", 5), sym("m", 1), broadcast(sym("m"), sym("n")), ["m == 1"]),
        (sym("n", 1), sym("m", 1), broadcast(sym("n"), sym("m")), ["n == m"]),
        (sym("n", 5), sym("m", 5), sym("n"), ["n == m"]),
        (sym("n", 1), 1, sym("n"), []),
        (sym("n"), 1, sym("n"), []),
        (sym("n"), 5, 5, ["n == 5"]),
        (sym("n", 5), sym("m", 4), None, None),
    ],
)
def test_broadcasting_looks_at_hints(first, second, result, constraints):
    match = Subscript("A[#~] B[#~] -> C[~]").match([(first, 2), (second, 1)])
    assert match.ok == (result is not None)
    if match.ok:
        assert match.outputs == ((result, 2),)
        assert [str(c) for c in match.constraints] == constraints


def test_a_condition_is_a_constraint():
    match = Subscript(TOPK).match([(sym("n", 5), 7)], {"axis": 0, "k": 2})
    assert match.ok and [str(c) for c in match.constraints] == ["n >= 2"]
    assert not Subscript(TOPK).match([(sym("n", 1), 7)], {"axis": 0, "k": 2}).ok


def test_a_branch_taken_is_a_constraint():
    text = "A[x] -> B[y] where y = 1 if x == 3 else x + 1"
    here, there = (Subscript(text).match([(sym("n", hint),)]) for hint in (3, 4))
    assert (here.outputs, [str(c) for c in here.constraints]) == (((1,),), ["n == 3"])
    assert (there.outputs, [str(c) for c in there.constraints]) == (((sym("n") + 1,),), ["n != 3"])


def test_reshape_of_equal_products_needs_no_constraint():
    text = "X[*s] -> Y[*t] where t = shape, prod(s) == prod(t)"
    n = sym("n", 6)
    match = Subscript(text).match([(n, 4)], {"shape": (2, 2, n)})
    assert match.ok and match.constraints == ()


def test_solving_divides_symbols():
    n = sym("n", 3)
    match = Subscript("X[(c*r*r)] -> Y[c]").match([(4 * n,)], {"r": 2})
    assert match.outputs == ((n,),) and match.constraints == ()
    unsure = Subscript("X[(c*r*r)] -> Y[c]").match([(sym("m", 8),)], {"r": 2})
    assert [str(c) for c in unsure.constraints] == ["m % 4 == 0"]
    assert hint_of(unsure.outputs[0][0]) == 2


def test_functions_of_symbols():
    m, n = sym("m", 3), sym("n", 5)
    k = minimum(m, n)
    assert Subscript(SVD).match([(m, n)]).outputs == ((m, k), (k,), (k, n))
    env = {"axis": 0, "start": 1, "stop": None, "step": None}
    assert Subscript(SLICE).match([(n,)], env).outputs == ((n - 1,),)


def test_the_start_of_a_slice_is_looked_at():
    n = sym("n", 5)
    match = Subscript(SLICE).match([(n,)], {"axis": 0, "start": n // 2, "stop": None, "step": None})
    assert match.outputs == ((n - n // 2,),)
    assert [str(c) for c in match.constraints] == ["n // 2 >= 0", "n // 2 <= n"]


@pytest.mark.parametrize("sizes", [(1, 1), (1, 5), (5, 1), (5, 5), (0, 1), (1, 0), (0, 0)])
def test_a_size_to_which_others_broadcast(sizes):
    size = broadcast(sym("n", 1), sym("m", 1))
    assert eval(str(size), dict(zip("nm", sizes))) == np.broadcast_shapes(*((n,) for n in sizes))[0]
    assert size.evaluate(dict(zip("nm", sizes))) == np.broadcast_shapes(*((n,) for n in sizes))[0]


@pytest.mark.parametrize(
    ("hints", "facts"),
    [
        ((1, 1), ["m == 1", "n == 1"]),
        ((1, 4), ["m == 4"]),
        ((4, 1), ["n == 4"]),
        ((1, 0), ["m == 0"]),
    ],
)
def test_what_is_checked_of_a_size_to_which_others_broadcast(hints, facts):
    size = broadcast(*map(sym, "nm", hints))
    assert [f"{what} == {known}" for what, known in unstretched(size, hint_of(size))] == facts
    twice = [f"{what} == {known}" for what, known in unstretched(size * 2, hint_of(size) * 2)]
    assert len(twice) == 2 and all(eval(fact, dict(zip("nm", hints))) for fact in twice)

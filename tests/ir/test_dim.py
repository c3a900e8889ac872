"""Symbolic sizes: arithmetic, text, equality, and that nobody looks at one by accident."""

from __future__ import annotations

import copy
import operator
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracelate.ir.errors import UnsupportedError
from tracelate.ir.sizes.dim import Sym, compare, hint_of, maximum, minimum, sym
from tracelate.ir.sizes.dimtext import source
from tracelate.ir.values.dtypes import float32
from tracelate.ir.values.spec import Spec

b, h, n = sym("b"), sym("h", 7), sym("n", 3)
ROWS = sym("x.shape[0]", 5)


@pytest.mark.parametrize(
    ("dim", "text"),
    [
        (3 * b, "3 * b"),
        (b * 3, "3 * b"),
        ((h + 2) // 2 + 1, "(h + 2) // 2 + 1"),
        (5 - n, "5 - n"),
        (-n - h, "-h - n"),
        (-n, "-n"),
        (n * n * h - 1, "h * n**2 - 1"),
        (2 * n - 3 * h, "2 * n - 3 * h"),
        (-(n // 2), "-(n // 2)"),
        (4 - n // 2, "4 - n // 2"),
        (3 * (n // 2), "3 * (n // 2)"),
        (n // (2 * h), "n // (2 * h)"),
        (n // h**2, "n // h**2"),
        (n % 4 * 2, "2 * (n % 4)"),
        (n // 2 // 3, "n // 2 // 3"),
        (n // (h // 2), "n // (h // 2)"),
        (ROWS * 2, "2 * x.shape[0]"),
        (ROWS // 2, "x.shape[0] // 2"),
        (sym("a if c else d"), "a if c else d"),
        (sym("a if c else d") + 1, "(a if c else d) + 1"),
        (sym("a + d") // 2, "(a + d) // 2"),
        (maximum(n - 1, 0), "max(n - 1, 0)"),
        (minimum(h, 3, n), "min(h, n, 3)"),
        (2 * maximum(n, h), "2 * max(h, n)"),
        ((n + 1) ** 2, "n**2 + 2 * n + 1"),
    ],
)
def test_it_reads_as_python(dim, text):
    assert str(dim) == text


@pytest.mark.parametrize(
    ("dim", "value"),
    [
        (n - n, 0),
        (0 * n, 0),
        (n**0, 1),
        (n + 2 - n, 2),
        (n // n, 1),
        (n % n, 0),
        ((2 * n + 1) // 2 - n, 0),
        ((4 * n + 3) % 2, 1),
        (n // 1 - n, 0),
        (n % 1, 0),
        (maximum(n, n + 1) - n, 1),
        (minimum(3, 4), 3),
    ],
)
def test_what_is_constant_is_an_int(dim, value):
    assert type(dim) is int
    assert dim == value


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (n + h, h + n),
        (n * h, h * n),
        ((n + 1) * (n - 1), n**2 - 1),
        (sym("n", 3), sym("n", 99)),
        ((6 * n * h) // (2 * n), 3 * h),
        ((2 * n + h) // 2, n + h // 2),
        ((n * h + 1) % h, 1 % h),
        (maximum(n, maximum(h, 2)), maximum(2, h, n)),
    ],
)
def test_equal_ones_are_equal(first, second):
    assert first == second
    assert hash(first) == hash(second)
    assert compare("==", first, second) is True


def test_equality_is_structural():
    assert n != h
    assert n != 3
    assert n != n + 1
    assert n != "n"
    assert (3, n) == (3, sym("n"))
    assert n in {sym("n"): 0}


def test_nobody_looks_at_one():
    compared = (lambda d: d < 3, lambda d: 3 <= d, lambda d: d > h)
    for look in (bool, int, operator.index, range, lambda d: [0][d], *compared):
        with pytest.raises(TypeError, match="the size n is known only when the program runs"):
            look(n)


def test_it_computes_with_ints_only():
    for other in (0.5, "a", None, (1,)):
        for function in (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod):
            with pytest.raises(TypeError):
                function(n, other)
            with pytest.raises(TypeError):
                function(other, n)
    with pytest.raises(TypeError):
        n / 2
    with pytest.raises(ValueError, match="power"):
        n**-1
    with pytest.raises(ZeroDivisionError):
        n // 0
    with pytest.raises(ZeroDivisionError):
        n % 0


def test_hints():
    assert ((h + 2) // 2 + n).hint == 7
    assert (h % 4 * n).hint == 9
    assert maximum(n - 10, 0).hint == 0
    assert (n + b).hint is None
    assert (b // 2).hint is None
    assert (n // (h - 7)).hint is None
    assert (hint_of(4), hint_of(n), hint_of(b)) == (4, 3, None)


def test_atoms():
    assert ((n + ROWS) // 2 + maximum(b, 1) * 2).atoms == {"n", "x.shape[0]", "b"}


def test_evaluate():
    dim = (h + 2) // 2 + b
    assert dim.evaluate({"h": 4, "b": 1}) == 4
    assert dim.evaluate({"h": 4}) == b + 3
    assert dim.evaluate({"b": n}) == (h + 2) // 2 + n
    assert dim.evaluate({}).hint is None
    assert (h * 2).evaluate({}).hint == 14


def test_compare_knows_what_holds_for_all_values():
    assert compare("==", (h - 3) // 2 + 1, (h - 1) // 2) is True
    assert compare("==", n % 2, n - 2 * (n // 2)) is True
    assert compare("<", n, n + 1) is True
    assert compare(">=", n, n + 1) is False
    assert compare("!=", n, h) is None
    assert compare("<", n, 3) is None
    assert compare("<=", 3, 3) is True


def test_linear_in():
    assert (3 * n + h - 1).linear_in("n") == (3, h - 1)
    assert (n * h).linear_in("n") == (h, 0)
    assert h.linear_in("n") == (0, h)
    assert (n * n).linear_in("n") is None
    assert (n // 2).linear_in("n") is None
    assert (n + n // 2).linear_in("n") is None


def test_copies_are_equal():
    dim = (h + 2) // 2
    assert copy.deepcopy(dim) == dim
    assert pickle.loads(pickle.dumps(dim)).hint == dim.hint


NAMES = {"a": sym("a", 3), "b": sym("b", 5), "c[0]": sym("c[0]", 2)}
leaves = st.sampled_from(list(NAMES.values())) | st.integers(-4, 6)
BINARY = (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, maximum, minimum)
trees = st.recursive(
    st.tuples(leaves), lambda inner: st.tuples(st.sampled_from(BINARY), inner, inner), max_leaves=8
)
values = st.fixed_dictionaries({name: st.integers(-9, 30) for name in NAMES})


def computed(tree, env):
    """The tree's value with `env` for the names; ZeroDivisionError is part of the meaning."""
    if len(tree) == 1:
        return env[str(tree[0])] if isinstance(tree[0], Sym) else tree[0]
    function, left, right = tree
    return function(computed(left, env), computed(right, env))


@given(trees, values)
def test_it_means_what_it_was_made_of(tree, env):
    try:
        expected = computed(tree, env)
        dim = computed(tree, NAMES)
    except ZeroDivisionError:
        return
    evaluated = dim.evaluate(env) if isinstance(dim, Sym) else dim
    assert evaluated == expected
    read = eval(str(dim), {"a": env["a"], "b": env["b"], "c": [env["c[0]"]]})
    assert read == expected


@given(trees)
def test_hints_are_values(tree):
    try:
        expected = computed(tree, {name: hint_of(dim) for name, dim in NAMES.items()})
        dim = computed(tree, NAMES)
    except ZeroDivisionError:
        return
    assert hint_of(dim) == expected


@given(trees, trees, values)
def test_what_compare_decides_is_true(first, second, env):
    try:
        left, right = computed(first, NAMES), computed(second, NAMES)
        there = computed(first, env), computed(second, env)
        answers = {op: compare(op, left, right) for op in ("==", "<", ">=")}
    except ZeroDivisionError:
        return
    for op, answer in answers.items():
        assert answer in (None, {"==": operator.eq, "<": operator.lt, ">=": operator.ge}[op](*there))


def test_spec():
    assert str(Spec((2, n), float32)) == "float32[2, n]"
    assert str(Spec(None, float32)) == "float32[...]"
    assert str(Spec((2, 3), None)) == "?[2, 3]"
    assert str(Spec((), float32)) == "float32[]"
    assert (Spec(None, None).rank, Spec((2, n), None).rank) == (None, 2)
    assert Spec((2, n), None).hint_shape == (2, 3)
    assert Spec((2, b), None).hint_shape is None
    assert Spec(None, None).hint_shape is None
    assert Spec((2, n), float32) == Spec((2, sym("n")), float32)


def test_dims_may_be_nested_deeply():
    """What a loop written out does to a size. Comparing twice at each depth would never end."""
    size = sym("n", 5)
    for turn in range(200):
        size = minimum(2 * size, 7 + turn) - 1
    assert compare("<", minimum(size, 10_000), 10_000) is True
    assert compare("<", minimum(size, 10_000), 100) is None
    assert size.evaluate({"n": 3}) == size.evaluate({"n": 100}) == 205


def grown(turns: int) -> Sym:
    """A size in which each step stands twice in the next: written out, it doubles with every turn."""
    dim = n
    for _ in range(turns):
        dim = dim + minimum(dim, 1)
    return dim


def test_what_is_shared_is_not_written_out():
    large, twin = grown(100), grown(100)
    assert large == twin and hash(large) == hash(twin) and large != grown(99)
    assert compare("==", large, twin) is True and compare("<", large, twin + 1) is True
    assert large.hint == 103 and large.atoms == {"n"}
    assert large.evaluate({"n": 5}) == 105 and large.evaluate({"n": 0}) == 0
    assert len(str(large)) < 100 * 1100


def test_a_size_too_long_to_be_read_is_not_emitted():
    assert source(grown(2)) == "min(min(n, 1) + n, 1) + min(n, 1) + n"
    with pytest.raises(UnsupportedError, match=r"over 1000 characters: min\(min\("):
        source(grown(20))

"""create_subscript_p: the compiled checker says what match says, and does not need it for what fits."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tracelate.ir.sizes.dim import Sym, sym
from tracelate.ir.subscript import Subscript, SubscriptError, create_subscript_p
from tracelate.ir.subscript.helpers import ceildiv, drop, insert, permute, put, slicelen

CONV1D = "X[n c h] W[o (c//g) k] -> Y[n o oh] where oh = (h - k)//s + 1"


def test_the_seeds_three_values():
    fn, pointers, broadcastable = create_subscript_p("A[~] B[~] -> A[~]")
    assert (pointers, broadcastable) == ((0,), (True, True))
    assert fn.subscript is Subscript("A[~] B[~] -> A[~]")
    fn, pointers, broadcastable = create_subscript_p("[x y] -> [x y]")
    assert (pointers, broadcastable) == ((None,), (False,))


def test_the_checkers_four_values():
    fn, _, _ = create_subscript_p("A[~ i j] B[~ j k] -> C[~ i k]")
    assert fn([(2, 3), (3, 4)]) == (((2, 4),), (), False, ((2, 3), (3, 4)))
    outputs, reports, rank_error, inputs = fn([(2, 3), (5, 4)])
    assert [report.kind for report in reports] == ["mismatch"]
    assert (outputs, rank_error, inputs) == (((2, 4),), False, ((2, 3), (5, 4)))
    assert fn([(2,), (5, 4)])[2] is True


def test_an_absent_input_is_missed():
    fn, _, _ = create_subscript_p("A[~] B[~] -> C[~]")
    assert [report.kind for report in fn([None, None])[1]] == ["arity"]


def test_return_body_gives_source_that_compiles(capsys):
    source, _, _ = create_subscript_p("A[~ i j] B[~ j k] -> C[~ i k]", return_body=True)
    compile(source, "checker", "exec")
    assert "i = s0[-2]" in source and "if s1[-2] != j:" in source
    create_subscript_p("A[~ i j] B[~ j k] -> C[~ i k]", macroexpand=True)
    assert capsys.readouterr().out == source + "\n"


def test_the_source_can_be_seen():
    fn, _, _ = create_subscript_p("A[x y] -> A[y x]")
    assert inspect.getsource(fn) == create_subscript_p("A[x y] -> A[y x]", return_body=True)[0]


def test_fixed_ignores_the_batch():
    fn, _, _ = create_subscript_p("A[~ i] -> A[~ i]", fixed=True)
    assert fn([(4,)])[:2] == (((4,),), ())
    assert [report.kind for report in fn([(2, 4)])[1]] == ["rank"]


def test_allow_symbol():
    fn, _, _ = create_subscript_p("A[x] -> B[z x]", allow_symbol=True)
    assert fn([(4,)])[:2] == (((sym("z"), 4),), ())


def test_local_variables_are_keywords():
    fn, _, _ = create_subscript_p("X[*s] -> Y[*t] where t = drop(s, axes)", local_variables=("axes",))
    assert fn([(2, 3, 4)], axes=[0, 2])[0] == ((3,),)
    with pytest.raises(TypeError):
        fn([(2, 3, 4)])


@pytest.mark.parametrize("name", ["min", "s1", "len", "class_", "x_axes", "_shapes_"])
def test_local_variables_may_have_any_name(name):
    text = f"X[*s0 x] -> Y[batch n] where batch = len(s0), n = {name} + len((1, 2))"
    fn, _, _ = create_subscript_p(text, local_variables=(name,))
    assert fn([(2, 3, 4)], **{name: 5}) == (((2, 7),), (), False, ((2, 3, 4),))


def test_constraints_are_handed_over():
    fn, _, _ = create_subscript_p("A[x] B[x] -> C[x]")
    constraints = []
    assert fn([(sym("n"),), (3,)], constraints)[:2] == (((3,),), ())
    assert [str(c) for c in constraints] == ["n == 3"]


@pytest.mark.parametrize(
    ("text", "env", "shapes"),
    [
        ("A[~ i j] B[~ j k] -> C[~ i k]", {}, [(2, 3, 4), (2, 4, 5)]),
        ("A[#~ i j] B[#~ j k] -> C[~ i k]", {}, [(7, 1, 3, 4), (2, 4, 5)]),
        ("A[#~] B[#~] -> C[~]", {}, [(sym("n"), 1), (sym("n"), 5)]),
        ("X[~ i] W[o i] B?[o] -> Y[~ o]", {}, [(2, 8), (5, 8)]),
        ("X[*s] -> Y[*t] where t = put(s, axes, 1)", {"axes": (0,)}, [(sym("n"), 8)]),
        ("X[*a n *b] I[m] -> Y[*a m *b] where len(a) = axis, m <= n", {"axis": 1}, [(2, 8, 3), (5,)]),
        (CONV1D, {"g": 2, "s": 2}, [(1, 4, 9), (6, 2, 3)]),
    ],
)
def test_what_fits_does_not_need_match(text, env, shapes, monkeypatch):
    fn, _, _ = create_subscript_p(text, local_variables=tuple(env))
    expected = Subscript(text).match(shapes, env)
    monkeypatch.setitem(fn.__globals__, "_slow", None)
    assert fn(shapes, **env)[0] == expected.outputs


TERMS = ("i", "j", "k", "~", "*v", "3", "_", "#i", "#j", "#~", "#*v", "v", "#3", "(i+1)", "(2*j)", "b", "m")
CLAUSES = (
    "m = i + 1", "len(v) = n", "j = 2", "v = t", "m = 1 if i == j else i", "m = max(i, j)", "b = t",
    "m = prod(t)", "m = j // (i - 1)", "m = slicelen(i, -2, None, 1)", ", i <= j", ", not (i == j)",
    ", i == 2 or j == 2", "len(v) = i", "n = 2 len(v) = n",
)  # fmt: skip
VARIABLES = {
    "i": [1, 2, 3], "n": [0, 1, 2], "t": [(), (2,), [1, 3]], "b": [2, (3,), (2, 1)], "v": [(1, 2), 3]
}  # fmt: skip
SIZES = (1, 2, 3, 4, sym("p", 1), sym("q", 2), sym("q", 2) + 1, sym("r"))


@st.composite
def subscripts(draw):
    def arg(name, terms):
        first = next((number for number, term in enumerate(terms) if "~" in term), None)
        inside = [term for number, term in enumerate(terms) if "~" not in term or number == first]
        return f"{name}[{' '.join(inside)}]"

    term = st.sampled_from(TERMS)
    inputs = draw(st.lists(st.lists(term, max_size=3), min_size=1, max_size=3))
    known = [t.lstrip("#") for terms in inputs for t in terms if t != "_"] or ["3"]
    outputs = draw(st.lists(st.lists(st.sampled_from([*known, "m"]), max_size=3), max_size=2))
    names = ["A", "B", "C"][: len(inputs)]
    names[-1] += draw(st.sampled_from(["", "?"]))
    before = [arg(name, terms) for name, terms in zip(names, inputs)]
    after = [arg("XY"[k], terms) for k, terms in enumerate(outputs)]
    clauses = draw(st.lists(st.sampled_from(CLAUSES), max_size=2, unique=True))
    where = f" where {' '.join(clauses).removeprefix(',')}" if clauses else ""
    try:
        return Subscript(f"{' '.join(before)} -> {' '.join(after)}{where}")
    except SubscriptError:
        assume(False)


@st.composite
def inputs_of(draw, subscript):
    """Shapes that mostly fit: every symbol has one value, and now and then an axis is another."""
    sizes = st.sampled_from(SIZES)
    table = {name: draw(sizes) for name in "ijkm"} | {"~": draw(st.lists(sizes, max_size=2)), "b": 2}
    table["v"] = draw(st.lists(sizes, max_size=2))
    shapes = []
    for arg in subscript.inputs:
        shape = []
        for term in arg.terms:
            if term.kind in ("symbol", "run"):
                value = table[term.name]
                shape += value if isinstance(value, list) else [value]
            elif term.kind == "expr":
                shape.append(table["i"] + 1 if "i" in term.names else 2 * table["j"])
            else:
                shape.append(3)
            if draw(st.integers(0, 11)) == 7:
                shape[-1:] = draw(st.lists(sizes, max_size=2))
        shapes.append(tuple(shape))
    if shapes and draw(st.integers(0, 9)) == 7:
        shapes[-1:] = draw(st.sampled_from([[], [None], [shapes[-1], (2,)]]))
    return shapes


@st.composite
def calls(draw):
    """A Subscript, the shapes of its inputs, the constructor's arguments."""
    subscript = draw(subscripts())
    variables = draw(st.sets(st.sampled_from(sorted(VARIABLES))))
    env = {name: draw(st.sampled_from(VARIABLES[name])) for name in sorted(variables)}
    return subscript, draw(inputs_of(subscript)), env


@settings(max_examples=600, deadline=None)
@given(calls())
def test_the_checker_says_what_match_says(call):
    subscript, shapes, env = call
    match = subscript.match(shapes, env)
    fn, _, _ = create_subscript_p(subscript.text, local_variables=tuple(env))
    constraints = []
    found = fn(shapes, constraints, **env)
    assert found == (match.outputs, match.reports, match.rank_error, match.inputs)
    assert tuple(constraints) == match.constraints
    if match.ok and not match.constraints:
        assert all(isinstance(size, (int, Sym)) for shape in match.outputs for size in shape)


@settings(max_examples=200, deadline=None)
@given(calls(), st.integers(0, 4))
def test_what_matches_symbolically_matches_at_the_hints(call, r):
    subscript, shapes, env = call
    names = {"p": 1, "q": 2, "r": r}
    match = subscript.match(shapes, env)
    if not match.ok or not all(constraint.holds(names) for constraint in match.constraints):
        return

    def at(shape):
        return shape and tuple(size.evaluate(names) if isinstance(size, Sym) else size for size in shape)

    try:
        plain = subscript.match([at(shape) for shape in shapes], env)
        expected = tuple(at(shape) for shape in match.outputs)
    except ZeroDivisionError:
        return
    if any("by zero" in report.text or report.kind == "undetermined" for report in plain.reports):
        return  # `j // (i - 1)` has no value at i = 1, whatever a symbol says
    solved = (size.evaluate(names) for size in match.table.values() if isinstance(size, Sym))
    if any(isinstance(size, int) and size < 0 for size in solved):
        return  # i + 1 = r: i is negative at r = 0, which shows where the program runs
    assert plain.ok and expected is not None and plain.outputs == tuple(at(shape) for shape in match.outputs)


@given(subscripts())
def test_reverse_twice_is_itself(subscript):
    try:
        back = subscript.reverse()
    except SubscriptError:
        return
    assert back.reverse() == subscript


BOUND = st.none() | st.integers(-8, 8)


@given(st.integers(0, 7), BOUND, BOUND, st.integers(-3, 3).filter(bool))
def test_slicelen_is_pythons(size, start, stop, step):
    expected = len(range(size)[start:stop:step])
    assert slicelen(size, start, stop, step) == expected
    symbolic = slicelen(sym("n"), start, stop, step)
    assert (symbolic.evaluate({"n": size}) if isinstance(symbolic, Sym) else symbolic) == expected


def test_helpers():
    n = sym("n", 5)
    assert permute((2, n, 4), (2, 0, -2)) == (4, 2, n)
    assert drop((2, n, 4), -1) == (2, n)
    assert drop((2, n, 4), None) == ()
    assert insert((2, n), (0, -1)) == (1, 2, n, 1)
    assert put((2, n, 4), (0, 2), (n, 1)) == (n, n, 1)
    assert put((2, n), None, 1) == (1, 1)
    assert (ceildiv(7, 2), ceildiv(n, 2)) == (4, (n + 1) // 2)
    assert slicelen(n) == n and slicelen(n, None, None, -1) == n
    for helper, *arguments in ((permute, (2, 3), (0, 0)), (permute, (2, 3), (0,)), (put, (2,), 0, (1, 2))):
        with pytest.raises(ValueError):
            helper(*arguments)
    for helper, *arguments in ((drop, (2, 3), 2), (put, (2, 3), -3, 1), (insert, (2,), 4)):
        with pytest.raises(IndexError):
            helper(*arguments)
    with pytest.raises(TypeError, match="decided only when the program runs"):
        slicelen(6, n, None, 1)

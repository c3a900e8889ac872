"""The Subscript DSL: what matches, what comes out, what is said where nothing does."""

from __future__ import annotations

import pickle
import re

import pytest

from tracelate.ir.dim import hint_of, minimum, sym
from tracelate.ir.dtypes import bool_, float32, float64, int32
from tracelate.ir.errors import ShapeError, TraceError
from tracelate.ir.span import Span
from tracelate.ir.subscript import (
    MatchError,
    Subscript,
    SubscriptError,
    create_subscript_p,
    subscript_function,
)

MATMUL = "A[~ i j] B[~ j k] -> C[~ i k]"
CONCAT = "X...[*a @k *b] -> Y[*a n *b] where len(a) = axis n = sum(k)"
SPLIT = "X[*a n *b] -> Y...[*a @k *b] where len(a) = axis k = sizes, n == sum(k)"
LINEAR = "X[~ i] W[o i] B?[o] -> Y[~ o]"
LIST = "[a] [b] -> [b] where a = (10,10,10) b = (2,2,2)"
POOL = "X[~ h w] -> Y[~ oh ow] where oh = (h + 2*p - k)//s + 1 ow = (w + 2*p - k)//s + 1"
CONV = (
    "X[n c h w] W[o (c//g) kh kw] B?[o] -> Y[n o oh ow]"
    " where oh = (h+2*p-d*(kh-1)-1)//s+1 ow = (w+2*p-d*(kw-1)-1)//s+1, c % g == 0, o % g == 0"
)
SLICE = "X[*a n *b] -> Y[*a m *b] where len(a) = axis m = slicelen(n, start, stop, step)"
PAD = "X[*s] -> Y[*t] where t = put(s, (-2,-1), (s[-2]+top+bot, s[-1]+left+right))"
TOPK = "X[*a n *b] -> V[*a k *b] I[*a k *b] where len(a) = axis, k <= n"
GATHER = "X[*a n *b] I[*a m *b] -> Y[*a m *b] where len(a) = axis"
LSTM = "X[t b i] H[l b h] W[(4*h) i] -> Y[t b h] H2[l b h]"
SVD = "X[~ m n] -> U[~ m k] S[~ k] V[~ k n] where k = min(m, n)"

# fmt: off
FITS = [
    # subscript, constructor's arguments, inputs, outputs
    ("A[~ i j] -> A[~ j i]", {}, [(10, 5, 2)], [(10, 2, 5)]),
    ("A[~] Scal[scal] -> A[~] where scal = 1", {}, [(3, 4), (1,)], [(3, 4)]),
    ("A[~] Scal[scal] -> A[~] where scal = 1", {}, [(3, 4), ()], [(3, 4)]),
    ("A[before] -> A[after]", dict(before=(3, 4), after=[2, 6]), [(3, 4)], [(2, 6)]),
    ("A[~ i j] B[~ j k] C[~ k i] -> C[~ k i]", {}, [(2, 3, 4), (2, 4, 9), (2, 9, 3)], [(2, 9, 3)]),
    ("A[i] B[j] -> C[k] where i = 1 j = 2 k = 3", {}, [(1,), (2,)], [(3,)]),
    ("A[~] -> A[i]", dict(i=3), [(7, 8)], [(3,)]),
    ("A[b] -> A[b]", dict(b=(1, 2)), [(1, 2)], [(1, 2)]),
    ("[~ x y] [~ z] -> [x z]", {}, [(10, 3, 2), (10, 3, 2)], [(3, 2)]),
    ("[~ x y] [~ z] -> [x z]", {}, [(7, 3, 2), (9, 9, 2)], [(3, 2)]),
    ("[~ x y] [~ x y] -> [x y]", {}, [(5, 1, 2), (1, 1, 2)], [(1, 2)]),
    ("[~ x y] -> [y x]", {}, [(2, 3, 4, 10, 5)], [(5, 10)]),
    ("[~ x y z l] -> [~ x]", {}, [(10, 10, 5, 3, 2)], [(10, 10)]),
    ("[x y] -> [x out] where out = (10,10,10)", {}, [(10, 3)], [(10, 10, 10, 10)]),
    ("[~ x] -> [~ x] [x] [y] where y = 1", {}, [(10, 3)], [(10, 3), (3,), (1,)]),
    (LIST, {}, [(10, 10, 10), (2, 2, 2)], [(2, 2, 2)]),
    ("A[x ~ y] -> B[y ~ x]", {}, [(2, 3, 4, 5)], [(5, 3, 4, 2)]),
    ("A[x] ->", {}, [(3,)], []),
    ("-> A[n m] where n = 3 m = 4", {}, [], [(3, 4)]),
    ("A[x] -> B[y] where y = z z = x + 1", {}, [(3,)], [(4,)]),
    (POOL, dict(p=0, k=5, s=1), [(8, 3, 25, 25)], [(8, 3, 21, 21)]),
    (CONCAT, dict(axis=1), [(2, 3, 4), (2, 5, 4)], [(2, 8, 4)]),
    (CONCAT, dict(axis=2), [(2, 3, 4), (2, 3, 6)], [(2, 3, 10)]),
    ("X...[~] -> Y[n ~] where n = len(X)", {}, [(2, 3)] * 4, [(4, 2, 3)]),
    ("X[n ~] -> Y...[~] where len(Y) = n", {}, [(3, 2)], [(2,)] * 3),
    (SPLIT, dict(axis=1, sizes=(1, 2, 3)), [(10, 6)], [(10, 1), (10, 2), (10, 3)]),
    ("X[*s] -> Y[*t] where t = shape, prod(s) == prod(t)", dict(shape=(2, 6)), [(3, 4)], [(2, 6)]),
    ("A[#~] B[#~] -> C[~]", {}, [(3, 1), (4,)], [(3, 4)]),
    ("A[~] B[#~] -> C[~]", {}, [(3, 4), (4,)], [(3, 4)]),
    ("A[#~] B[~] -> C[~]", {}, [(4,), (3, 4)], [(3, 4)]),
    ("A[#i] B[#i] -> C[i]", {}, [(1,), (5,)], [(5,)]),
    (LINEAR, {}, [(2, 3, 8), (5, 8)], [(2, 3, 5)]),
    (LINEAR, {}, [(2, 3, 8), (5, 8), None], [(2, 3, 5)]),
    (LINEAR, {}, [(2, 3, 8), (5, 8), (5,)], [(2, 3, 5)]),
    ("X[*a d *b] -> Y[*a 1 *b] where len(a) = axis", dict(axis=1), [(2, 3, 4)], [(2, 1, 4)]),
    ("A[~ i] B[~ j] -> C[i j]", {}, [(2, 3), (4, 5)], [(3, 5)]),
    ("A[batch-size in-features] -> B[batch-size]", {}, [(2, 3)], [(2,)]),
    ("A[] -> B[]", {}, [()], [()]),
    ("A[i' i] -> B[m] where m = i' * i", {}, [(2, 3)], [(6,)]),
    # one for each of the other ops whose Subscript the dictionary needs
    ("C[#~] A[#~] B[#~] -> Y[~]", {}, [(2, 1), (3,), ()], [(2, 3)]),
    ("A[#~ i j] B[#~ j k] -> C[~ i k]", {}, [(5, 1, 2, 3), (4, 3, 7)], [(5, 4, 2, 7)]),
    ("A[j] B[#~ j k] -> C[~ k]", {}, [(3,), (4, 3, 7)], [(4, 7)]),
    ("A[j] B[j] -> C[]", {}, [(3,), (3,)], [()]),
    ("I[~] W[v d] -> Y[~ d]", {}, [(2, 3), (100, 16)], [(2, 3, 16)]),
    ("A[i] B[j] -> C[i j]", {}, [(2,), (3,)], [(2, 3)]),
    (CONV, dict(p=1, d=1, s=2, g=2), [(5, 4, 9, 8), (6, 2, 3, 3), (6,)], [(5, 6, 5, 4)]),
    ("X[~ *n] W?[*n] B?[*n] -> Y[~ *n]", dict(n=(4, 5)), [(2, 3, 4, 5), (4, 5), None], [(2, 3, 4, 5)]),
    ("X[~ *n] W?[*n] B?[*n] -> Y[~ *n]", dict(n=5), [(2, 5), (5,)], [(2, 5)]),
    ("X[n c *s] M[c] V[c] W?[c] B?[c] -> Y[n c *s]", {}, [(2, 3, 4, 5), (3,), (3,)], [(2, 3, 4, 5)]),
    ("X[n c *s] T[n *s] -> L[]", {}, [(8, 10, 4, 4), (8, 4, 4)], [()]),
    ("X[*s] -> Y[*t] where t = drop(s, axes)", dict(axes=(0, 2)), [(2, 3, 4)], [(3,)]),
    ("X[*s] -> Y[*t] where t = drop(s, axes)", dict(axes=None), [(2, 3, 4)], [()]),
    ("X[*s] -> Y[*t] where t = put(s, axes, 1)", dict(axes=1), [(2, 3, 4)], [(2, 1, 4)]),
    ("X[*s] -> Y[*t] where t = permute(s, perm)", dict(perm=(2, 0, 1)), [(2, 3, 4)], [(4, 2, 3)]),
    ("X[*s] -> Y[*t] where t = insert(s, axes)", dict(axes=(0, 2)), [(2, 3)], [(1, 2, 1, 3)]),
    (SLICE, dict(axis=1, start=-3, stop=None, step=2), [(2, 7, 4)], [(2, 2, 4)]),
    ("X[*a n *b] I[m] -> Y[*a m *b] where len(a) = axis", dict(axis=0), [(7, 4), (2,)], [(2, 4)]),
    (GATHER, dict(axis=1), [(2, 7, 4), (2, 3, 4)], [(2, 3, 4)]),
    (PAD, dict(top=1, bot=2, left=0, right=5), [(9, 3, 4)], [(9, 6, 9)]),
    ("X[n c *s] -> Y[n c *t] where t = size", dict(size=(8, 8)), [(1, 3, 4, 4)], [(1, 3, 8, 8)]),
    (TOPK, dict(axis=1, k=2), [(3, 7)], [(3, 2), (3, 2)]),
    (SVD, {}, [(9, 3, 5)], [(9, 3, 3), (9, 3), (9, 3, 5)]),
    ("X[~ n n] -> D[~ n]", {}, [(2, 3, 3)], [(2, 3)]),
    (LSTM, {}, [(9, 2, 3), (1, 2, 7), (28, 3)], [(9, 2, 7), (1, 2, 7)]),
    ("X[~ (c*r*r) h w] -> Y[~ c (h*r) (w*r)]", dict(r=2), [(5, 12, 4, 4)], [(5, 3, 8, 8)]),
]

CLASHES = [
    # subscript, constructor's arguments, inputs, kinds of the reports, and what the first says
    ("A[~] Scal[scal] -> A[~] where scal = 1", {}, [(3, 4), (2,)], ["mismatch"], "scal.* 1 .*2"),
    ("A[i] B[j] -> C[k] where i = 1 j = 2 k = 3", {}, [(5,), (2,)], ["mismatch"], "i.*1.*5"),
    ("[~ x y] [~ y] -> [~ y]", {}, [(10, 5, 2), (3, 2)], ["batch-axis"], r"~\[0\] is determined as 10"),
    ("[~ x y] [~ y] -> [~ y]", {}, [(10, 5, 2), (2,)], ["batch-length"], r"length of ~ differs.* got \(\)"),
    ("A[x] -> B[z]", {}, [(3,)], ["undetermined"], "failed to determine this symbol: z"),
    ("A[~] -> B[~]", {}, [(2, 3), (3,)], ["arity"], r"too many arguments: expected 1 \(A\), got 2"),
    ("A[~] B[~] -> B[~]", {}, [(2,)], ["arity"], r"too few arguments: expected 2 \(A, B\), got 1"),
    ("A[~ i j] B[~] -> B[~ i]", {}, [(2,)], ["arity"], "too few"),
    (SPLIT, dict(axis=1, sizes=(1, 2, 3)), [(10, 7)], ["constraint"], r"constraint failed: n == sum\(k\)"),
    ("A[~] B[#~] -> C[~]", {}, [(4,), (3, 4)], ["broadcast"], "does not broadcast"),
    ("A[#~] B[~] -> C[~]", {}, [(3, 4), (4,)], ["broadcast"], "A: .*does not broadcast"),
    ("A[#~] B[#~] -> C[~]", {}, [(3, 2), (2, 4)], ["broadcast"] * 2, "broadcast ~: axis 0 is 3 but got 2"),
    (LINEAR, {}, [(2, 3, 8), (5, 8), (6,)], ["mismatch"], "o.*5.*6"),
    (LINEAR, {}, [(2, 3, 8)], ["arity"], r"too few arguments: expected 2 to 3 \(X, W, B\?\)"),
    ("X[n 3 h w] -> Y[n 3 h w]", {}, [(2, 4, 8, 8)], ["literal"], "axis 1 must be 3 but got 4"),
    ("A[*b i] B[*b j] -> C[i j]", {}, [(2, 3), (4, 5)], ["batch-axis"], r"b\[0\] is determined as 2"),
    ("A[] -> B[]", {}, [(1,)], ["rank"], "rank must be 0"),
    ("A[x y] -> B[x]", {}, [(1,)], ["rank"], r"2 but got 1 \(shape \(1,\)\); declared \[x y\]"),
    ("A[~ x y] -> B[~]", {}, [(1,)], ["rank"], "rank must be >= 2 but got 1"),
    (LSTM, {}, [(9, 2, 3), (1, 2, 7), (27, 3)], ["expr"], r"4\*h = 28 got 27"),
    ("X[(c*r*r)] -> Y[c]", dict(r=2), [(37,)], ["expr"], r"c\*r\*r = 37 has no integer solution for c"),
    ("A[y] B[x] -> C[y] where y = x + 1", {}, [(9,), (3,)], ["let"], "y should be 4, but determined as 9"),
    ("X[*a i] -> Y[*a] where len(a) = i", {}, [(2, 2, 3)], ["let"], r"len\(a\) should be 3, .* 2"),
    ("X[*a n *b] -> Y[n]", {}, [(9, 3)], ["undetermined"], r"how many axes \*a and \*b take"),
    ("X[n] -> Y[m] where m = n // p", dict(p=0), [(9,)], ["expr"], "m = n // p.*zero"),
    ("X[n] -> Y[m] where m = n - p", {}, [(9,)], ["undetermined"], "symbol: p"),
    ("X[n] -> Y[m] where m = n - 5", {}, [(3,)], ["expr"], "m = -2 is negative"),
    ("X[*s] -> Y[*t] where t = drop(s, axes)", dict(axes=5), [(9,)], ["expr"], "axes"),
    ("X[*a n *b] -> Y[n] where len(a) = axis", dict(axis=-1), [(9,)], ["expr", "undetermined"], "-1 is no"),
    ("X[n] -> Y[n]", dict(n=0.5), [(9,)], ["expr"], "0.5 is no size"),
    (TOPK, dict(axis=1, k=9), [(3, 7)], ["constraint"], r"k <= n \(k = 9, n = 7\)"),
    (CONV, dict(p=1, d=1, s=2, g=3), [(5, 4, 9, 8), (6, 2, 3, 3)], ["expr", "constraint"], "c//g = 1 got 2"),
]
# fmt: on


@pytest.mark.parametrize(("text", "env", "inputs", "outputs"), FITS)
def test_what_fits(text, env, inputs, outputs):
    match = Subscript(text).match(inputs, env)
    assert match.reports == ()
    assert match.outputs == tuple(outputs)
    assert match.constraints == ()
    check, aliases, broadcastable = create_subscript_p(text, local_variables=tuple(env))
    assert check(inputs, **env) == (tuple(outputs), (), False, tuple(inputs))
    assert (aliases, broadcastable) == (check.subscript.aliases, check.subscript.broadcastable)


@pytest.mark.parametrize(("text", "env", "inputs", "kinds", "said"), CLASHES)
def test_what_does_not_fit(text, env, inputs, kinds, said):
    match = Subscript(text).match(inputs, env)
    assert [report.kind for report in match.reports] == kinds
    assert re.search(said, match.reports[0].text)
    with pytest.raises(ShapeError):
        match.raise_if_bad()
    check, _, _ = create_subscript_p(text, local_variables=tuple(env))
    assert check(inputs, **env) == (match.outputs, match.reports, match.rank_error, tuple(inputs))


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("A[x] -> B[~ x]", 8),
        ("A[~ x ~] -> B[x]", 6),
        ("A[x] B[x]", 9),
        ("A[x] -> B[x] -> C[x]", 13),
        ("A[[x]] -> B[x]", 2),
        ("A] -> B[x]", 1),
        ("A B[x] -> B[x]", 2),
        ("A[x] where x = 1 -> B[x]", 5),
        ("A[x] -> B[x] where x =", 19),
        ("A[x] -> B[x] where", 18),
        ("A[x -> B[x]", 1),
        ("A[x] -> B[y] where y = x / 2", 23),
        ("A[x] -> B[y] where y = half(x)", 23),
        ("A[x] -> B[y] where y = x.size", 23),
        ("A[x] -> B[y] where y = 0.5", 23),
        ("A[x] -> B[y] where y = max(x, key=x)", 23),
        ("A[x] -> B[y] where y = z z = y", 13),
        ("A[x] -> B[y] where y = 1 y = 2", 25),
        ("A[x] -> B[y] where y = x where x = y", 25),
        ("X...[x] Y...[x] -> Z[x]", 8),
        ("A?[x] B[x] -> C[x]", 0),
        ("A[@k] -> B[x]", 2),
        ("A[x] -> B[_]", 10),
        ("A[x-1] -> B[x]", 3),
        ("A[x, y] -> B[x]", 3),
        ("A[(x] -> B[x]", 2),
        ("A:float[x] -> B:half(T)[x]", 16),
        ("A:T[x] -> A:T[x] where T <= small", 28),
        ("A[#(x)] -> B[x]", 3),
        ("A -> B[x]", 2),
    ],
)
def test_definition_errors_point_at_the_place(text, position):
    with pytest.raises(SubscriptError) as caught:
        Subscript(text)
    assert caught.value.position == position
    assert str(caught.value).splitlines()[1:] == [f"  {text}", "  " + " " * position + "^"]
    assert isinstance(caught.value, TraceError) and isinstance(caught.value, ValueError)


def test_definition_errors_say_what_to_do():
    with pytest.raises(SubscriptError, match="use //"):
        Subscript("A[x] -> B[y] where y = x / 2")
    with pytest.raises(SubscriptError, match="`x \\+` is not an expression"):
        Subscript("A[x] -> B[y] where y = x +")


def test_the_table_says_what_every_symbol_is():
    match = Subscript("A[~ i j] B[~ j k] C[~ k i] -> C[~ k i]").match([(2, 3, 4), (2, 4, 9), (2, 9, 3)])
    assert match.table == {"~": (2,), "i": 3, "j": 4, "k": 9}


@pytest.mark.parametrize(
    ("text", "aliases", "broadcastable"),
    [
        ("A[~ i j] -> A[~ j i]", (0,), (True,)),
        ("A[~] B[~] -> A[~]", (0,), (True, True)),
        ("[x y] -> [x y]", (None,), (False,)),
        ("A[x] B[x] -> B[x] C[x] B[x]", (1, None, 1), (False, False)),
        ("A[#~ i] B[i ~] -> C[~]", (None,), (True, False)),
    ],
)
def test_aliases_and_broadcastable(text, aliases, broadcastable):
    assert (Subscript(text).aliases, Subscript(text).broadcastable) == (aliases, broadcastable)


def test_flags_say_what_is_marked():
    assert Subscript("A[#~ i #j] B[i] -> C[~]").flags == ((True, False, True), (False,))


def test_parsing_needs_no_blanks():
    subscript = Subscript("[x y] [x y]-> [z] [x] where z = x*y")
    assert [arg.inside for arg in subscript.inputs] == ["x y", "x y"]
    assert [arg.inside for arg in subscript.outputs] == ["z", "x"]
    assert str(Subscript("[x y]->[z]where z=x*y,x<=y")) == "[x y] -> [z] where z = x*y, x<=y"
    assert Subscript("X.grad[~],B[~] -> C[~]").inputs[0].name == "X_grad"


def test_the_same_text_is_the_same_object():
    assert Subscript(MATMUL) is Subscript(MATMUL)
    assert Subscript(MATMUL) == Subscript(MATMUL.replace(" -> ", "->"))
    assert pickle.loads(pickle.dumps(Subscript(MATMUL))) is Subscript(MATMUL)


def test_a_shape_error_as_the_user_reads_it():
    match = Subscript("A[~] B[~] -> A[~]").match([(3, 2), (2, 4)])
    span = Span(__file__, test_a_shape_error_as_the_user_reads_it.__code__.co_firstlineno + 1, 4, 0, 0)
    with pytest.raises(MatchError) as caught:
        match.raise_if_bad(node="<Node: AddNode-numpy (A[~] B[~] -> A[~])>", user_loc=span)
    error = caught.value
    assert str(error) == (
        f"""\
couldn't step forward because of a shape error.

The operation was   : <Node: AddNode-numpy (A[~] B[~] -> A[~])>
User code           : {span.place}  `{span.source_line.strip()}`
Input(s)            : A(3, 2) B(2, 4)
Predicted output(s) : A(3, 2)

Here's a list of reports.

1. B: couldn't identify ~: ~[0] is determined as 3 (by A)
 but got: 2.
 Expected ~ = (3, 2), but got: (2, 4)

Also, these reports could be helpful for you (calculated ignoring the first errors).

2. B: couldn't identify ~: ~[1] is determined as 2 (by A)
 but got: 4.
 Expected ~ = (3, 2), but got: (2, 4)

Suggestion: B axis 0 should be 3 or broadcast.
Suggestion: B axis 1 should be 2 or broadcast."""
    )
    first = error.reports[0]
    assert (first.kind, first.arg, first.axis, first.symbol) == ("batch-axis", "B", 0, "~")
    assert (first.expected, first.got) == (3, 2)
    assert (error.inputs, error.predicted, error.when) == (((3, 2), (2, 4)), ((3, 2),), "forward")
    assert error.tree().splitlines()[:3] == [
        "A(3, 2)",
        "B(2, 4)",
        "├── couldn't identify ~: ~[0] is determined as 3 (by A)",
    ]


def test_an_error_of_one_report_has_no_second_header():
    match = Subscript(MATMUL).match([(2, 3), (5, 4)])
    with pytest.raises(ShapeError) as caught:
        match.raise_if_bad(when="backward")
    text = str(caught.value)
    assert text.startswith("couldn't step backward")
    assert "1. B: axis 0 (j) should be 3 but got 5; determined by A" in text
    assert "Also" not in text and "2." not in text
    assert f"The operation was   : {MATMUL}" in text


def test_the_first_value_is_kept():
    match = Subscript(MATMUL).match([(2, 3), (5, 4)])
    assert match.outputs == ((2, 4),)
    assert match.table["j"] == 3


def test_what_is_undetermined_is_a_question_mark():
    match = Subscript("A[x] -> B[z x] C[*t]").match([(3,)])
    assert [str(shape) for shape in match.outputs] == ["(?, 3)", "(...,)"]
    assert [report.symbol for report in match.reports] == ["z", "t"]
    free = Subscript("A[x] -> B[z]").match([(3,)], allow_symbol=True)
    assert free.ok and free.outputs == ((sym("z"),),)


def test_undetermined_goes_last():
    match = Subscript("A[x] B[x] -> C[z]").match([(3,), (4,)])
    assert [report.kind for report in match.reports] == ["mismatch", "undetermined"]


def test_what_a_bad_rank_would_have_determined_is_not_reported_again():
    match = Subscript("A[x y] -> B[y]").match([(3,)])
    assert [report.kind for report in match.reports] == ["rank"]
    assert match.rank_error


def test_raise_if_bad_hands_on_what_is_good():
    match = Subscript(MATMUL).match([(2, 3), (3, 4)])
    assert match.raise_if_bad() is match


class TestSymbolic:
    def test_an_int_beats_a_symbol(self):
        match = Subscript("[x y] [x y] -> [x y]").match([(10, "a"), (10, 3)])
        assert match.outputs == ((10, 3),)
        assert [str(c) for c in match.constraints] == ["a == 3"]

    def test_products(self):
        match = Subscript("X[n c *sp] -> Y[n c m] where m = prod(sp)").match([("N", 3, 4, 5)])
        assert match.outputs == ((sym("N"), 3, 20),)
        (m,) = Subscript("A[i j] -> B[m] where m = i*j").match([("b", 3)]).outputs[0]
        assert str(m) == "3 * b"
        assert m.evaluate({"b": 4}) == 12

    def test_hints_that_differ_are_a_clash(self):
        match = Subscript("A[x] B[x] -> C[x]").match([(sym("n", 3),), (sym("m", 4),)])
        assert [report.kind for report in match.reports] == ["mismatch"]
        assert match.constraints == ()
        assert not Subscript("A[x] B[x] -> C[x]").match([(sym("n", 3),), (5,)]).ok

    def test_hints_that_agree_are_a_constraint(self):
        match = Subscript("A[x] B[x] -> C[x]").match([(sym("n", 3),), (sym("m", 3),)])
        assert match.ok and [str(c) for c in match.constraints] == ["n == m"]

    def test_what_cannot_be_equal_is_a_clash_without_hints(self):
        n = sym("n")
        assert not Subscript("A[x] B[x] -> C[x]").match([(n,), (n + 1,)]).ok

    def test_what_must_be_equal_is_no_constraint(self):
        h = sym("h")
        match = Subscript("A[x] B[x] -> C[x]").match([((h - 3) // 2 + 1,), ((h - 1) // 2,)])
        assert match.ok and match.constraints == ()

    def test_strict_symbols(self):
        match = Subscript("A[x] B[x] -> C[x]").match([("n",), ("m",)], strict_symbols=True)
        assert [report.kind for report in match.reports] == ["mismatch"]

    @pytest.mark.parametrize(
        ("first", "second", "result", "constraints"),
        [
            (sym("n", 1), 5, 5, ["n == 1"]),
            (sym("n", 1), sym("m", 5), sym("m"), ["n == 1"]),
            (sym("n", 5), sym("m", 1), sym("n"), ["m == 1"]),
            (sym("n", 5), sym("m", 5), sym("n"), ["n == m"]),
            (sym("n", 1), 1, sym("n"), []),
            (sym("n"), 1, sym("n"), []),
            (sym("n"), 5, 5, ["n == 5"]),
            (sym("n", 5), sym("m", 4), None, None),
        ],
    )
    def test_broadcasting_looks_at_hints(self, first, second, result, constraints):
        match = Subscript("A[#~] B[#~] -> C[~]").match([(first, 2), (second, 1)])
        assert match.ok == (result is not None)
        if match.ok:
            assert match.outputs == ((result, 2),)
            assert [str(c) for c in match.constraints] == constraints

    def test_a_condition_is_a_constraint(self):
        match = Subscript(TOPK).match([(sym("n", 5), 7)], {"axis": 0, "k": 2})
        assert match.ok and [str(c) for c in match.constraints] == ["n >= 2"]
        assert not Subscript(TOPK).match([(sym("n", 1), 7)], {"axis": 0, "k": 2}).ok

    def test_a_branch_taken_is_a_constraint(self):
        text = "A[x] -> B[y] where y = 1 if x == 3 else x + 1"
        here, there = (Subscript(text).match([(sym("n", hint),)]) for hint in (3, 4))
        assert (here.outputs, [str(c) for c in here.constraints]) == (((1,),), ["n == 3"])
        assert (there.outputs, [str(c) for c in there.constraints]) == (((sym("n") + 1,),), ["n != 3"])

    def test_reshape_of_equal_products_needs_no_constraint(self):
        text = "X[*s] -> Y[*t] where t = shape, prod(s) == prod(t)"
        n = sym("n", 6)
        match = Subscript(text).match([(n, 4)], {"shape": (2, 2, n)})
        assert match.ok and match.constraints == ()

    def test_solving_divides_symbols(self):
        n = sym("n", 3)
        match = Subscript("X[(c*r*r)] -> Y[c]").match([(4 * n,)], {"r": 2})
        assert match.outputs == ((n,),) and match.constraints == ()
        unsure = Subscript("X[(c*r*r)] -> Y[c]").match([(sym("m", 8),)], {"r": 2})
        assert [str(c) for c in unsure.constraints] == ["m % 4 == 0"]
        assert hint_of(unsure.outputs[0][0]) == 2

    def test_functions_of_symbols(self):
        m, n = sym("m", 3), sym("n", 5)
        k = minimum(m, n)
        assert Subscript(SVD).match([(m, n)]).outputs == ((m, k), (k,), (k, n))
        env = {"axis": 0, "start": 1, "stop": None, "step": None}
        assert Subscript(SLICE).match([(n,)], env).outputs == ((n - 1,),)

    def test_the_start_of_a_slice_is_looked_at(self):
        n = sym("n", 5)
        match = Subscript(SLICE).match([(n,)], {"axis": 0, "start": n // 2, "stop": None, "step": None})
        assert match.outputs == ((n - n // 2,),)
        assert [str(c) for c in match.constraints] == ["n // 2 >= 0", "n // 2 <= n"]


class TestDtypes:
    def test_classes(self):
        subscript = Subscript("X:float[~] -> Y:float[~]")
        bad = subscript.match([(2,)], dtypes=[int32])
        assert [(r.kind, r.text) for r in bad.reports] == [("dtype", "X: float expected but got int32")]
        good = subscript.match([(2,)], dtypes=[float64])
        assert good.ok and good.dtypes == (float64,)

    def test_a_variable_is_what_its_first_argument_says(self):
        match = Subscript("A:T[~] B:T[~] -> C:T[~]").match([(2,), (2,)], dtypes=[float32, float64])
        assert [r.text for r in match.reports] == ["B: T is float32 (by A) but got float64"]
        assert match.dtypes == (float32,)

    def test_promotion_is_the_callers(self):
        subscript = Subscript("A:T[#~] B:U[#~] -> C:promote(T,U)[~]")
        for wide in (float32, float64):
            match = subscript.match([(2,), (2,)], dtypes=[float32, int32], promote=lambda *_, wide=wide: wide)
            assert match.ok and match.dtypes == (wide,)
        bad = subscript.match([(2,), (2,)], dtypes=[float32, int32])
        assert [(r.kind, r.arg) for r in bad.reports] == [("dtype", "C")]
        assert subscript.match([(2,), (2,)]).ok

    def test_restrictions(self):
        subscript = Subscript("A:T[~] -> B:T[~] where T <= inexact")
        assert subscript.match([(2,)], dtypes=[float32]).ok
        bad = subscript.match([(2,)], dtypes=[int32])
        assert [r.text for r in bad.reports] == ["A: inexact expected but got int32"]

    def test_without_a_word_it_is_that_of_the_alias_or_the_first_input(self):
        match = Subscript("A[~] B[~] -> B[~] C[~]").match([(), ()], dtypes=[int32, float32])
        assert match.dtypes == (float32, int32)

    def test_concrete_ones(self):
        match = Subscript("A[~] -> B:bool[~] C:float64[~]").match([()])
        assert match.dtypes == (bool_, float64)
        source = Subscript("-> Y:T[n]").match([], {"n": 3, "T": float32})
        assert source.dtypes == (float32,)


def test_reverse_goes_back():
    subscript = Subscript("A[~ i j] B[j] -> C[~ j i] where i = 3")
    assert str(subscript.reverse()) == "C[~ j i] -> A[~ i j] B[j] where i = 3"
    assert subscript.reverse().reverse() == subscript
    with pytest.raises(SubscriptError):
        Subscript("A[~ i] -> B[i]").reverse()


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        ("bij,bjk->bik", "X0[b i j] X1[b j k] -> Y[b i k]"),
        ("ij, jk", "X0[i j] X1[j k] -> Y[i k]"),
        ("...ij,...jk->...ik", "X0[#~ i j] X1[#~ j k] -> Y[~ i k]"),
        ("...i,i", "X0[#~ i] X1[i] -> Y[~]"),
        ("ii->i", "X0[i i] -> Y[i]"),
        ("ba", "X0[b a] -> Y[a b]"),
        ("i,i->", "X0[i] X1[i] -> Y[]"),
    ],
)
def test_from_einsum(equation, text):
    assert str(Subscript.from_einsum(equation)) == text


@pytest.mark.parametrize("equation", ["ij->k", "i1->i", "i->ii", "i->i->i"])
def test_from_einsum_refuses(equation):
    with pytest.raises(ValueError, match="einsum"):
        Subscript.from_einsum(equation)


def test_functions_of_ones_own():
    @subscript_function("conv-out-size")
    def out(size, kernel, stride):
        return (size - kernel) // stride + 1

    @subscript_function
    def twice(size):
        return 2 * size

    subscript = Subscript("X[h w] -> Y[oh ow] where oh = conv_out_size(h, 3, 2) ow = twice(w)")
    assert subscript.match([(9, 4)]).outputs == ((4, 8),)
    assert subscript.match([("h", 4)]).outputs == (((sym("h") - 3) // 2 + 1, 8),)
    with pytest.raises(ValueError, match="sum is a function of every Subscript"):
        subscript_function("sum")

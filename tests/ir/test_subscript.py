"""The Subscript DSL: what matches, what comes out, what is said where nothing does."""

from __future__ import annotations

import re

import pytest
from subscripts import CONCAT, CONV, GATHER, LINEAR, LIST, LSTM, MATMUL, PAD, POOL, SLICE, SPLIT, SVD, TOPK

from tracelate.ir.errors import ShapeError
from tracelate.ir.sizes.dim import sym
from tracelate.ir.source.span import Span
from tracelate.ir.subscript import MatchError, Subscript, create_subscript_p

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


def test_the_table_says_what_every_symbol_is():
    match = Subscript("A[~ i j] B[~ j k] C[~ k i] -> C[~ k i]").match([(2, 3, 4), (2, 4, 9), (2, 9, 3)])
    assert match.table == {"~": (2,), "i": 3, "j": 4, "k": 9}


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

"""The dtypes in a Subscript: which fit, and which come out."""

from __future__ import annotations

from tracelate.ir.subscript import Subscript
from tracelate.ir.values.dtypes import bool_, float32, float64, int32


def test_classes():
    subscript = Subscript("X:float[~] -> Y:float[~]")
    bad = subscript.match([(2,)], dtypes=[int32])
    assert [(r.kind, r.text) for r in bad.reports] == [("dtype", "X: float expected but got int32")]
    good = subscript.match([(2,)], dtypes=[float64])
    assert good.ok and good.dtypes == (float64,)


def test_a_variable_is_what_its_first_argument_says():
    match = Subscript("A:T[~] B:T[~] -> C:T[~]").match([(2,), (2,)], dtypes=[float32, float64])
    assert [r.text for r in match.reports] == ["B: T is float32 (by A) but got float64"]
    assert match.dtypes == (float32,)


def test_promotion_is_the_callers():
    subscript = Subscript("A:T[#~] B:U[#~] -> C:promote(T,U)[~]")
    for wide in (float32, float64):
        match = subscript.match([(2,), (2,)], dtypes=[float32, int32], promote=lambda *_, wide=wide: wide)
        assert match.ok and match.dtypes == (wide,)
    bad = subscript.match([(2,), (2,)], dtypes=[float32, int32])
    assert [(r.kind, r.arg) for r in bad.reports] == [("dtype", "C")]
    assert subscript.match([(2,), (2,)]).ok


def test_restrictions():
    subscript = Subscript("A:T[~] -> B:T[~] where T <= inexact")
    assert subscript.match([(2,)], dtypes=[float32]).ok
    bad = subscript.match([(2,)], dtypes=[int32])
    assert [r.text for r in bad.reports] == ["A: inexact expected but got int32"]


def test_without_a_word_it_is_that_of_the_alias_or_the_first_input():
    match = Subscript("A[~] B[~] -> B[~] C[~]").match([(), ()], dtypes=[int32, float32])
    assert match.dtypes == (float32, int32)


def test_concrete_ones():
    match = Subscript("A[~] -> B:bool[~] C:float64[~]").match([()])
    assert match.dtypes == (bool_, float64)
    source = Subscript("-> Y:T[n]").match([], {"n": 3, "T": float32})
    assert source.dtypes == (float32,)

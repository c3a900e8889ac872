"""Subscripts as text: what is one, what is said of what is none, what is known before anything matches."""

from __future__ import annotations

import pickle

import pytest
from subscripts import MATMUL

from tracelate.ir.errors import TraceError
from tracelate.ir.sizes.dim import sym
from tracelate.ir.subscript import Subscript, SubscriptError, subscript_function


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

"""Cells: what is said in one column of a row."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

import tracelate as tl
from tracelate.backends import rows
from tracelate.backends.cells import cases
from tracelate.backends.memory import declare, gives
from tracelate.backends.phrase import PhraseError, dtypes_of, parse
from tracelate.backends.typing import NoTyping, Operand, typing
from tracelate.ir.meaning.op import REGISTER, inexact, same
from tracelate.ir.values.dtypes import CLASSES, DTYPES


def test_a_cell_is_a_case_a_line() -> None:
    assert cases(None) == []
    assert cases("np.sum(x)") == ["np.sum(x)"]
    assert cases("""
        np.sum(x)                if axis=None    # what most people write

        # And with an axis.
        np.sum(x, axis=axis)
    """) == ["np.sum(x) if axis=None", "np.sum(x, axis=axis)"]


def test_a_case_goes_on_while_a_bracket_is_open_or_where_its_condition_follows() -> None:
    assert cases("""
        np.pad(x, widths,
               mode=mode)
        np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims)
            if axis: int
        np.flip(x)
    """) == [
        "np.pad(x, widths, mode=mode)",
        "np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims) if axis: int",
        "np.flip(x)",
    ]


def test_parts_of_a_cell_stand_in_a_list() -> None:
    assert cases(["torch.max(x)\ntorch.amax(x)", *(f"F.max_pool{n}d(x, 1)" for n in (1, 2))]) == [
        "torch.max(x)", "torch.amax(x)",
        "torch.nn.functional.max_pool1d(x, 1)", "torch.nn.functional.max_pool2d(x, 1)",
    ]  # fmt: skip


def test_classes_of_dtypes() -> None:
    for name, kinds in CLASSES.items():
        if name not in ("int", "float", "bool"):  # of a number these are types
            assert dtypes_of(name).split("|") == [*kinds]
    left = set(dtypes_of("any-float16-bfloat16").split("|"))
    assert left == DTYPES.keys() - {"float16", "bfloat16"}
    assert dtypes_of("2d") == "2d" and dtypes_of("known") == "known"


def test_a_class_less_what_it_has_not_is_no_condition() -> None:
    with pytest.raises(PhraseError, match="nothing"):
        parse(REGISTER["sin"], "np.sin(x) if x: nothing-int8", "numpy")
    with pytest.raises(PhraseError, match="int8"):
        parse(REGISTER["sin"], "np.sin(x) if x: float-int8", "numpy")


def test_what_is_alike_is_read_by_its_own_name_wherever_there_is_such_a_function() -> None:
    rows.load()
    read = {(f, callee) for (f, callee), found in rows.READS.items() for p in found if p.op.name == "exp2"}
    assert read == {
        ("numpy", "np.exp2"), ("jax", "jnp.exp2"), ("jax", "jax.lax.exp2"), ("torch", "torch.exp2"),
        ("torch", "torch.special.exp2"),
    }  # fmt: skip
    assert not any(p.op.name == "equal" for p in rows.READS.get(("torch", "torch.equal"), ()))


@pytest.mark.usefixtures("dictionary")
def test_an_op_of_the_users_may_be_alike() -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def i0(x):  # type: ignore[no-untyped-def]
        """The modified Bessel function of the first kind and order 0."""
        ...

    tl.alike(i0)
    out = tl.transpile(lambda x: torch.special.i0(x) * torch.i0(x), (torch.ones(3),), to="jax", verify=True)
    assert "jnp.i0(x) * jnp.i0(x)" in out.source


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"types": "torch: floats"}, "'floats' names no dtypes"),
        ({"types": "torch: float, strange"}, "what may be said of an op is alike, loose"),
        ({"types": "tensorflow: float"}, "starts with no framework"),
        ({"gives": "numpy: views"}, "says nothing of what is called here"),
        ({"gives": "np.i1: view"}, "says nothing of what is called here"),
    ],
)
def test_what_is_said_of_dtypes_and_memory_means_something(said: dict[str, str], why: str) -> None:
    @tl.op("X[~] -> Y[~]", dtype=inexact)
    def i0(x):  # type: ignore[no-untyped-def]
        """The modified Bessel function of the first kind and order 0."""
        ...

    with pytest.raises(PhraseError, match=why):
        tl.say(i0, numpy="np.i0(x)", **said)  # type: ignore[arg-type]


@pytest.mark.usefixtures("dictionary")
def test_an_op_of_the_users_says_its_dtypes_and_memory() -> None:
    @tl.op("X[~] -> Y[~]", dtype=same)
    def half(x):  # type: ignore[no-untyped-def]
        """The array of the real parts, of which torch has a view."""
        return x

    tl.say(
        half, torch="torch.view_as_real(x)",
        types="torch: complex -> real", gives="torch: view",
    )  # fmt: skip
    assert gives("torch", ["torch.view_as_real"]) == "view"
    assert typing("torch", "same", [Operand(1, DTYPES["complex64"])], op="half").result.name == "float32"
    with pytest.raises(NoTyping):
        typing("torch", "same", [Operand(1, DTYPES["float32"])], op="half")


@pytest.mark.usefixtures("dictionary")
def test_rows_agree_on_what_a_callee_gives() -> None:
    declare("np.ravel: view", [("numpy", "np.ravel")])
    assert gives("numpy", ["np.ravel"]) == "view"  # what users say counts first
    with pytest.raises(ValueError, match="another row says"):
        declare("np.ravel: flat", [("numpy", "np.ravel")])


def test_which_function_a_phrase_calls_is_seen_before_it_is_parsed() -> None:
    """What is built in is parsed once somebody reads it, found before by what its text begins with."""
    rows.load()
    said = [each for found in rows.READS.values() for each in found.said]
    unread = [replace(each, made=None) for each in said]
    assert [each.callee for each in unread] == [each.phrase.callee for each in said]

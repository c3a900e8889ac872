"""Cells: what is said in one column of a row."""

from __future__ import annotations

import pytest
import torch

import tracelate as tl
from tracelate.backends import rows
from tracelate.backends.cells import cases
from tracelate.backends.phrase import PhraseError, dtypes_of, parse
from tracelate.ir.dtypes import CLASSES, DTYPES
from tracelate.ir.op import REGISTER, inexact
from tracelate.ir.ops import load


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
    load()
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

"""A phrase speaks of those ways to call a function that take its arguments, and of no others."""

# mypy: disable-error-code="no-untyped-def,empty-body,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.overloads import fitting, hold_to_signature
from tracelate.backends.phrase import PhraseError
from tracelate.backends.rows import READS
from tracelate.backends.rows import load as load_phrases
from tracelate.ir.meaning.op import Op, promote

Y, X = torch.tensor([1.0, 2.0, 4.0]), torch.tensor([0.0, 2.0, 5.0])


def test_every_phrase_fits_what_it_calls() -> None:
    load_phrases()
    phrases = [phrase for found in READS.values() for phrase in found]
    for phrase in phrases:
        hold_to_signature(phrase)
    assert sum(fitting(phrase) is not None for phrase in phrases) > 1000


def area(**words: str) -> Op:
    @tl.op("Y[n] X[n] -> Z[]", dtype=promote)
    def trapezoid_area(y, x):
        """The area under y over the places x."""
        ...

    cells = {"numpy": "np.trapezoid(y, x)", "jax": "jnp.trapezoid(y, x)", "torch": "torch.trapezoid(y, x)"}
    tl.say(trapezoid_area, **{**cells, **words})
    return trapezoid_area


@pytest.mark.usefixtures("dictionary")
def test_another_overload_is_not_read_by_a_phrase_of_the_first() -> None:
    """The second argument of torch.trapezoid(y) is no place of a sample, but their distance."""
    area()
    out = tl.transpile(lambda y, x: torch.trapezoid(y, x), args=(Y, X), to="numpy")
    assert "np.trapezoid(y, x)" in out.source
    for fn in (lambda y, x: torch.trapezoid(y), lambda y, x: torch.trapezoid(y, dx=2.0)):
        with pytest.raises(tl.UnsupportedError, match="torch.trapezoid is called in another way here"):
            tl.transpile(fn, args=(Y, X), to="numpy")


@pytest.mark.usefixtures("dictionary")
def test_an_array_that_the_call_leaves_out_is_not_made_up() -> None:
    area()
    with pytest.raises(tl.UnsupportedError, match="np.trapezoid"):
        tl.transpile(lambda y: np.trapezoid(y), args=(Y.numpy(),), to="torch")


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize(
    "phrase",
    ["torch.trapezoid(y, x, x)", "torch.trapezoid(y, places=x)", "torch.searchsorted(y, input=x, self=x)"],
)
def test_a_phrase_that_fits_no_way_to_call_is_an_error_at_once(phrase: str) -> None:
    with pytest.raises(PhraseError, match=r"trapezoid_area: .* fits no way to call torch\.\w+, which is"):
        area(torch=phrase)


BOTH = (
    torch.std, torch.var, torch.std_mean, torch.var_mean, lambda x, k: x.std(k), lambda x, k: x.var(k),
    lambda x, k: torch.std(x, k).sum() * 2,
)  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("called", BOTH)
def test_a_flag_is_no_int_where_it_calls_another_overload(called, to: str) -> None:
    """`x.std(0)` is of one axis; `x.std(False)` is of all, and as if they were the whole population."""
    x = torch.arange(6.0, dtype=torch.float32).reshape(2, 3) ** 2

    def spread(x, k):
        return called(x, k)

    out = tl.transpile(spread, (x, 0), to=to, source="torch")
    given = convert(x, to)
    assert not [*compare(spread(x, 0), out(given, 0), kind="reduction")]
    with pytest.raises(AssertionError):
        out(given, False)

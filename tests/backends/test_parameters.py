"""Parameters that only the running program knows: sizes and numbers among the arguments."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np
import pytest

import tracelate as tl

X = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize("shift", ((1,), (1, 2), 3))
@pytest.mark.parametrize("axis", (0, None))
def test_what_is_an_argument_is_spelled_out(shift, axis):
    def rolled(x, c):
        return np.roll(x, c, axis=axis)

    report = tl.check(rolled, (X, shift), to="torch", vary=True)
    assert report, report


@pytest.mark.parametrize("to", ("torch", "jax"))
def test_what_a_meaning_asks_for_must_be_a_constant(to):
    def rounded(x, n):
        return np.round(x, n)

    with pytest.raises(tl.UnsupportedError, match="give it decimals= as a constant") as caught:
        tl.transpile(rounded, (np.arange(5), 1), to=to)
    assert caught.value.span is not None

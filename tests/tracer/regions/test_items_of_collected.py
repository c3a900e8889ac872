"""Items of lists that were made of lists: each has its own dtype and shape, and no array is made of all."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import collected_programs as programs
import jax
import numpy as np
import pytest
from other_lists import entered, outcome, translations

from tracelate.backends.arrays import compare

HELPERS = ("head", "write_first")
FUNCTIONS = [f for name, f in vars(programs).items() if callable(f) and name not in HELPERS]
GIVEN = {"place_is_given": (1,)}


def v(size: int, dtype: str = "float32") -> np.ndarray:
    return (np.arange(size) + 1.5).astype(dtype)


X = v(3)
#: Lists whose items are of several dtypes, sizes and ranks.
LISTS = [
    [v(3), v(3) * 2],
    [v(3), v(3, "float64")],
    [v(3, "float64"), v(3)],
    [v(3), v(3, "int64")],
    [v(3), v(1)],
    [v(3), v(1), v(3, "float64")],
    [v(3, "float64"), v(3, "float64")],
    [v(3)[None], v(3)],
]


@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_items_are_what_they_were(fn: Callable[..., Any], source: str) -> None:
    more = GIVEN.get(fn.__name__, ())
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = (copy.deepcopy(LISTS[0]), X, *more)
        if isinstance(outcome(fn, entered(first, source)), type):
            pytest.skip("it calls a function of NumPy's that torch has otherwise")
        for to, out in translations(fn, first, source):
            for number, ws in enumerate(LISTS if out is not None else ()):
                given = (ws, X, *more)
                expected, found = outcome(fn, entered(given, source)), outcome(out, entered(given, to))
                if isinstance(found, type):
                    assert number, out.source
                elif not isinstance(expected, type):
                    assert not list(compare(expected[0], found[0])), (to, ws, out.source)

"""A number of Python's is an int in the example and a float in the call, or the other way round: whatever way
it has gone, and whatever it is used for, the text gives what the program gives, or raises.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from number_ways import CASES, given, program

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy
from tracelate.backends.backend import NARROW

pytestmark = pytest.mark.filterwarnings("ignore")

X = {"int32": np.array([3, 1, 2, 0], np.int32), "float32": np.array([2.5, 1.5, 0.5, 4.0], np.float32)}
NUMBERS = {"int": 2, "float": 2.5}


def run(fn: Any, x: Any, number: Any, framework: str) -> Any:
    try:
        return fn(convert(x, framework), copy.deepcopy(number))
    except Exception as error:
        return error


def dtype(value: Any, *, narrow: bool) -> str:
    name = str(to_numpy(value).dtype)
    return str(NARROW.get(name, name)) if narrow else name


def agree(one: Any, other: Any, *, narrow: bool) -> bool:
    close = np.allclose(to_numpy(one), to_numpy(other), rtol=1e-5)
    return close and dtype(one, narrow=narrow) == dtype(other, narrow=narrow)


@pytest.mark.covering
@pytest.mark.parametrize(("source", "way", "use"), CASES, ids=map("-".join, CASES))
def test_numbers_of_another_type_agree_or_are_refused(source: str, way: str, use: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    f = program(source, way, use)
    for kind, number in NUMBERS.items():
        for name, x in X.items():
            s = given(way, number)
            left_out = way == "default" and number == 2
            if isinstance(run(f, x, s, source), Exception):
                continue  # a program that raises by itself
            try:
                traced = tl.symbolic_trace(f, (convert(x, source), s)[: 2 - left_out], source=source)
            except tl.TraceError:
                continue
            for to in ("numpy", "jax", "torch"):
                try:
                    out = traced.to(to)
                except tl.TraceError:
                    continue
                narrow = "jax" in (source, to)
                mine = run(out, x, s, to)
                assert not isinstance(mine, Exception), (to, kind, name, mine, out.source)
                for other, array in ((o, a) for o in NUMBERS.values() for a in X.values()):
                    one = run(f, array, given(way, other), source)
                    two = run(out, array, given(way, other), to)
                    told = to, (number, x), (other, array), one, two, out.source
                    if isinstance(two, Exception):  # a check, or what the target itself says
                        assert isinstance(two, (AssertionError, RuntimeError, TypeError, ValueError)), told
                    elif not isinstance(one, Exception):
                        assert agree(one, two, narrow=narrow), told

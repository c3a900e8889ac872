"""What is written at places, given places and values of other ranks and shapes: each place counts as often as
it is named, or the call is refused.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import itertools
import linecache
import warnings
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays
from tracelate.backends.phrases.updates import APPLIED, JOINS

AT = [f"jax: x.at[i].{how}(v)" for how in ("set", *APPLIED)]
UFUNCS = [f"numpy: np.{op}.at(x, i, v)" for op in JOINS]
CALLS = [
    *AT, *UFUNCS, "jax: x.at[i, i].add(v)", "jax: x.at[0, i].add(v)", "numpy: np.put(x, i, v)",
    "numpy: np.putmask(x, x > i, v)", "numpy: np.fill_diagonal(x, v)", "torch: x.index_put_((i,), v, True)",
    "torch: x.index_add_(0, i, v)", "torch: x.index_copy_(0, i, v)", "torch: x.scatter_(0, i, v)",
    "torch: x.scatter_add_(0, i, v)",
]  # fmt: skip
PLACES: tuple[Any, ...] = (
    np.array(1), np.array([1, 1]), np.array([[0, 1], [1, 1]]), 1, np.array(True), np.array([1, 0, 1]) > 0,
)  # fmt: skip
VALUES = (np.array(7.0), np.array([7.0, 3.0]), np.array([[8.0], [3.0]]), np.array([[7.0, 3.0], [2.0, 9.0]]))
WRITTEN = (np.array([2.0, 6.0, 4.0]), np.array([[2.0, 6.0, 4.0], [3.0, 1.0, 5.0], [9.0, 8.0, 7.0]]))
#: What targets have no word for, whatever the example is.
LACKING: set[tuple[str, str]] = set()
#: What frameworks raise of arguments that do not fit.
RAISED = (IndexError, RuntimeError, TypeError, ValueError, NotImplementedError)


def program(call: str) -> tuple[str, Any]:
    """Its framework, and a function that makes a call."""
    source, _, text = call.partition(": ")
    written = "" if source == "jax" else f"    {text}\n"
    code = f"def f(x, i, v):\n{written}    return {text if source == 'jax' else 'x'}\n"
    file, names = f"<{call}>", {"np": np, "torch": torch}
    linecache.cache[file] = len(code), None, code.splitlines(True), file
    exec(compile(code, file, "exec"), names)
    return source, names["f"]


def given(values: tuple[Any, ...], framework: str) -> list[Any]:
    return [map_arrays(value, lambda array: convert(array, framework)) for value in values]


def answer(fn: Any, values: tuple[Any, ...], framework: str) -> Any:
    """What a function gives; None where it raises."""
    try:
        return fn(*given(values, framework))
    except RAISED:
        return None


def is_beyond(call: str, values: tuple[Any, ...]) -> bool:
    """Whether NumPy itself reads behind the end of what has fewer axes than the places (2.4)."""
    x, i, v = map(np.ndim, values)
    return call in UFUNCS and x == 1 and i == 2 > v


def examples(call: str) -> list[tuple[Any, ...]]:
    x = WRITTEN["i, i" in call or "at[0" in call or "diagonal" in call]
    pairs = (PLACES[0], VALUES[0]), (1, VALUES[0]), (PLACES[1], VALUES[0]), (PLACES[1], VALUES[1])
    return [(x, place, value) for place, value in pairs]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("call", CALLS)
def test_each_place_counts_as_often_as_it_is_named(call: str, to: str) -> None:
    source, fn = program(call)
    every = [v for v in itertools.product(WRITTEN, PLACES, VALUES) if not is_beyond(call, v)]
    taken = 0
    with warnings.catch_warnings(), jax.enable_x64(True):
        warnings.simplefilter("ignore")
        expected = [answer(fn, values, source) for values in every]
        for example in examples(call):
            try:
                out = tl.transpile(fn, given(example, source), source=source, to=to)
            except tl.TraceError:
                continue
            taken += 1
            for values, wanted in [*zip(every, expected)][:: 5 if to == "jax" else 1]:
                if wanted is None:
                    continue
                try:
                    found = out(*given(values, to))
                except (AssertionError, *RAISED):
                    continue
                differs = list(compare(wanted, found))
                assert not differs, (example, values, differs, out.source)
    assert taken or (call, to) in LACKING

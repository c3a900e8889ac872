"""Every callee of the dictionary, called as in an example and then with arguments of other ranks, sizes,
dtypes and kinds: its translation gives the same, or raises.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from callees import ARRAYS, METHODS, Program, answer, callees, given, others, programs

import tracelate as tl
from tracelate.backends import measure
from tracelate.backends.arrays import compare

#: What differs, and why nothing else is promised.
KNOWN = {
    **dict.fromkeys(("argsort", "sort", "topk"), "the order of equal values"),
    **dict.fromkeys(("bucketize", "searchsorted"), "places in what is not sorted"),
    **dict.fromkeys(("eigh", "svd"), "factors beyond what is unique"),
    "inner": "arrays without axes where the example has axes, of other dtypes",
    "unique_values": "NumPy gives them in any order", "rfftfreq": "NumPy and torch count below 0 in two ways",
    **dict.fromkeys(("std", "var", "std_mean", "var_mean"), "False and 0, one of which is no axis"),
    **dict.fromkeys(("hsplit", "vsplit", "dsplit"), "to torch an array without axes is an index"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Arrays of places name more than one."""

    def integers(framework: str, shape: tuple[int, ...]) -> Any:
        return measure.own(framework, np.arange(int(np.prod(shape))).reshape(shape) % 2)

    monkeypatch.setattr(measure, "integers", integers)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def differences(program: Program, source: str) -> Iterator[str]:
    """What differs of its translations: not the dtype where a number is an array, or one of another type."""
    try:
        traced = tl.symbolic_trace(program.fn, given(program.values, source), source=source)
    except tl.TraceError:
        return
    calls = [
        (values, answer(program.fn, values, source))
        for values in [program.values, *others(source, program.values)]
    ]
    for to in METHODS:
        try:
            out = traced.to(to)
        except tl.TraceError:
            continue
        for values, wanted in calls:
            found = answer(out, values, to) if wanted is not None else None
            if wanted is None or found is None:
                continue
            numbers = [(a, b) for a, b in zip(values, program.values) if not isinstance(b, ARRAYS)]
            same = all(type(a) is type(b) for a, b in numbers)
            for difference in compare(wanted, found):
                if same or ": dtype" not in str(difference):
                    yield f"{program.code} to {to}, {values}: {difference}\n{out.source}"


@pytest.mark.parametrize(
    ("source", "callee"), [(source, callee) for source in METHODS for callee in callees(source)]
)
def test_other_arguments_agree_or_are_refused(source: str, callee: str) -> None:
    found = [each for program in programs(source, callee) for each in differences(program, source)]
    if callee.rpartition(".")[2] not in KNOWN:
        assert not found, found[0]

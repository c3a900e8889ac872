"""Calls traced without any example, given arrays of all dtypes: what the source gives, or an error; mostly
what the source gives.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from lines import line as spelled
from lines import lines_of
from running import Line, differences, function, own, quiet
from samples import Sample
from test_generality import UNJUDGED, attempted

import tracelate.api as api
from tracelate.backends.backend import NAMES
from tracelate.backends.phrase import Phrase
from tracelate.ir.errors import TraceError
from tracelate.ir.meaning.op import REGISTER, Op

FLOATS = ("float32", "float64")
DTYPES = (*FLOATS, "float16", "int32", "bool", "complex64")
SAMPLED = [op for op in REGISTER.values() if not op.static and not isinstance(op.samples, str)]
#: The dtype in a parameter's name.
DTYPE = re.compile(r"_(float|int|bool|complex)\d*")


def given(line: Line, phrase: Phrase, sample: Sample, dtype: str) -> Line | None:
    """A line with its floats of another dtype; None where it has none that can be judged."""
    other = spelled(phrase, sample, dtype)
    if other is None or len(other.arrays) != len(line.arrays) or (sample.op.name, dtype) in UNJUDGED:
        return None
    pairs = zip(line.arrays.items(), other.arrays.values())
    arrays = {name: new if array.dtype == np.float32 else array for (name, array), new in pairs}
    return Line(line.text, arrays, line.column, dtype)


def calls(op: Op, source: str) -> Iterator[tuple[Any, Any, list[Line]]]:
    """Functions of one call, traced without an example, with what they may be called with."""
    met = set()
    for phrase, sample, line in lines_of(op, source):
        if line.dtype != "float32" or phrase in met or line.wide:
            continue
        met.add(phrase)
        fn = function([line])
        if isinstance(attempted(fn, line, source), Exception):
            continue
        try:
            traced = api.symbolic_trace(fn, source=source)
        except TraceError:
            continue
        found = (given(line, phrase, sample, dtype) for dtype in DTYPES[1:])
        yield fn, traced, [line, *(each for each in found if each is not None)]


def outcomes(op: Op, source: str) -> Iterator[tuple[str, str, str]]:
    """Of each call, the dtype, what became of it, and words."""
    for fn, traced, variants in calls(op, source):
        for target in NAMES:
            try:
                out = traced.to(target, x64=True)
            except TraceError:
                continue
            for variant in variants:
                expected = attempted(fn, variant, source)
                got = attempted(inspect.unwrap(out), variant, target)
                if isinstance(expected, Exception):
                    continue
                if isinstance(got, Exception):
                    raw = isinstance(got, (NameError, AttributeError))
                    yield variant.dtype, "wrong" if raw else "refused", repr(got)
                    continue
                differs = differences(expected, got, variant, narrowed=False)
                words = f"{source} -> {target}: {variant.text} of {variant.dtype} {differs}\n{out.source}"
                yield variant.dtype, "wrong" if differs else "given", words


@pytest.mark.slow
def test_without_examples_nothing_is_wrong(op: Op, source: str) -> None:
    with quiet(True):
        wrong = [words for _, kind, words in outcomes(op, source) if kind == "wrong"]
    assert not wrong, f"{len(wrong)} problems\n" + "\n".join(wrong[:8])


def test_without_examples_most_ops_run(source: str) -> None:
    """More than 80 % of the ops run for floats of 32 and 64 bits, for each target: no check is in the way.
    So do 80 % of the calls with others of which a text made for these has the same words: source and target
    agree there.
    """
    floats: dict[tuple[str, str], list[bool]] = defaultdict(list)
    others: list[bool] = []
    with quiet(True):
        for op in SAMPLED[3::24]:
            for fn, traced, variants in calls(op, source):
                for target, variant in itertools.product(NAMES, variants):
                    if isinstance(attempted(fn, variant, source), Exception):
                        continue
                    words = said(traced, target)
                    if words is None:
                        continue
                    runs = not isinstance(attempted(inspect.unwrap(words[1]), variant, target), Exception)
                    if variant.dtype in FLOATS:
                        floats[op.name, target].append(runs)
                    elif agrees(fn, variant, source, target, words[0]):
                        others.append(runs)
    assert len(floats) > 20 and len(others) > 40
    stopped = [op for op, runs in floats.items() if not all(runs)]
    assert len(stopped) <= 0.2 * len(floats), stopped
    assert sum(others) >= 0.8 * len(others), (sum(others), len(others))


def said(traced: Any, target: str) -> tuple[str, Any] | None:
    """What a text says but for its checks, and the text; None where there is none."""
    try:
        out = traced.to(target, x64=True)
        bare = traced.to(target, x64=True, guards="none").source
    except TraceError:
        return None
    return DTYPE.sub("", bare[bare.index("def f(") :].partition("\n")[2]), out


def agrees(fn: Any, variant: Line, source: str, target: str, words: str) -> bool:
    """Whether a text made for these dtypes says the same."""
    try:
        made = said(api.symbolic_trace(fn, own(variant.arrays, source), source=source), target)
    except TraceError:
        return False
    return made is not None and made[0] == words


def test_without_examples_most_calls_of_floats_are_answered(source: str) -> None:
    """More than 80 % of the calls with floats that the source takes."""
    found: Counter[str] = Counter()
    with quiet(True):
        for op in SAMPLED[::30]:
            found.update(kind for dtype, kind, _ in outcomes(op, source) if dtype in FLOATS)
    assert found["given"] > 40 and not found["wrong"]
    assert found["given"] >= 0.8 * found.total(), found

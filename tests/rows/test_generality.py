"""A translation given other dtypes than those of its example: it gives what the source gives, or raises."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lines import line as spelled
from lines import lines_of
from running import Line, differences, function, own, quiet
from samples import Sample

import tracelate.api as api
from tracelate.backends.phrase import Phrase
from tracelate.ir.errors import TraceError
from tracelate.ir.meaning.op import Op

OTHERS = ("float64", "float16", "int32", "bool", "complex64")
#: Nobody promises complex powers of 0, branches of complex logarithms, complex numbers over -0.0, the places
#: of numbers among bools that are in no order.
UNJUDGED = {(name, "complex64") for name in ("pow", "logaddexp", "divide")} | {("searchsorted", "bool")}


def variants(line: Line, phrase: Phrase, sample: Sample, x64: bool, held: bool) -> Iterator[Line]:
    """The line with its floats of other dtypes: all of them; where there are several the first or last.
    Numbers that 32 bits do not hold are no other dtype where there are no others. `held`: all are finite.
    """
    mine = [name for name, array in line.arrays.items() if array.dtype == np.float32]
    for dtype in (dtype for dtype in OTHERS if mine and (x64 or dtype != "float64")):
        other = spelled(phrase, sample, dtype)
        if other is None or len(other.arrays) != len(line.arrays) or (sample.op.name, dtype) in UNJUDGED:
            continue  # none that can be judged
        found = {n: finite(a) if held else a for n, a in zip(line.arrays, other.arrays.values())}
        for chosen in {tuple(mine), tuple(mine[:1]), tuple(mine[-1:])}:
            given = {n: found[n] if n in chosen else finite(a) for n, a in line.arrays.items()}
            yield Line(line.text, given, line.column, dtype)


def finite(array: Any) -> Any:
    """An array beside one of another dtype: False * inf is 0 in JAX, and complex inf is nobody's promise."""
    return np.where(np.isfinite(array), array, 1) if array.dtype.kind == "f" else array


def attempted(fn: Any, line: Line, framework: str) -> Any:
    """The result, or the error."""
    try:
        return fn(*own(line.arrays, framework))[0]
    except Exception as error:
        return error


def as_they_are(line: Line) -> Line | None:
    return line


def masked(line: Line, place: int) -> Line | None:
    """The line with the outcome of a test for one of several floats. False * inf is 0 in JAX."""
    floats = [name for name, array in line.arrays.items() if array.dtype == np.float32]
    if len(floats) < 2:
        return None
    text = re.sub(rf"\b{floats[place]}\b", f"({floats[place]} > 0)", line.text)
    return replace(line, text=text, arrays={name: finite(array) for name, array in line.arrays.items()})


def wrong(
    op: Op, source: str, targets: tuple[str, ...], x64: bool, said: Callable[[Line], Line | None]
) -> Iterator[str]:
    met = set()
    for line, (phrase, sample) in ((said(made), key) for *key, made in lines_of(op, source)):
        if line is None or line.dtype != "float32" or phrase in met or line.wide:
            continue
        met.add(phrase)
        fn = function([line])
        if isinstance(attempted(fn, line, source), Exception):
            continue
        try:
            traced = api.symbolic_trace(fn, own(line.arrays, source), source=source)
        except TraceError:
            continue  # tests/rows/test_rows.py says what is refused
        for target in targets:
            try:
                out = traced.to(target, x64=x64)
            except TraceError:
                continue
            for variant in variants(line, phrase, sample, x64, said is not as_they_are):
                expected, got = (
                    attempted(f, variant, t) for f, t in ((fn, source), (inspect.unwrap(out), target))
                )
                if isinstance(expected, Exception):
                    continue
                if isinstance(got, Exception):
                    found = repr(got) if isinstance(got, (NameError, AttributeError)) else ""
                else:
                    found = differences(expected, got, variant, narrowed=not x64)
                if found:
                    dtypes = ", ".join(f"{n}: {a.dtype}{list(a.shape)}" for n, a in variant.arrays.items())
                    yield f"{source} -> {target}: {line.text} [{dtypes}] {found}\n{out.source}"
                    break


def judged(
    op: Op,
    source: str,
    targets: tuple[str, ...],
    x64: bool = True,
    said: Callable[[Line], Line | None] = as_they_are,
) -> None:
    with quiet(x64):
        found = list(wrong(op, source, targets, x64, said))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])


def test_other_dtypes_agree_or_are_refused(op: Op, source: str) -> None:
    judged(op, source, tuple(t for t in ("numpy", "torch") if t != source))


@pytest.mark.slow
def test_other_dtypes_agree_or_are_refused_in_jax(op: Op, source: str) -> None:
    judged(op, source, ("jax",))


@pytest.mark.slow
def test_other_dtypes_agree_or_are_refused_in_jax_without_x64(op: Op, source: str) -> None:
    judged(op, source, ("jax",), x64=False)


@pytest.mark.covering
@pytest.mark.slow
@pytest.mark.parametrize("place", [0, -1], ids=["first", "last"])
def test_beside_the_outcomes_of_tests_they_agree_or_are_refused(op: Op, source: str, place: int) -> None:
    """In all targets. Of the cases those that have all pairs of values, see covering.py."""
    if op.name in ("floor_divide", "divmod"):
        pytest.skip("what is an int divided by 0 is nobody's promise, and False is 0")
    judged(op, source, ("numpy", "torch", "jax"), said=lambda line: masked(line, place))

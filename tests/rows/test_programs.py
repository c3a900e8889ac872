"""Random programs: equal in every framework or refused; translated there and back; translated twice."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import programs
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from running import loaded, own, quiet, run

import tracelate.api as api
from tracelate.backends.arrays import compare, map_arrays, to_numpy
from tracelate.backends.backend import NAMES
from tracelate.ir.errors import UnsupportedError

FEW = settings(
    max_examples=12, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
MANY = settings(FEW, max_examples=150, derandomize=False)
DTYPES = {"f": "float64", "i": "int32"}
#: What a framework raises where an op takes no such dtypes: torch has no product of int32 and int64, which
#: sums of int32 are, and none has bits of floats, which an int and 0.5 make.
REFUSALS: dict[str, type[Exception]] = {"numpy": TypeError, "jax": TypeError, "torch": RuntimeError}


@st.composite
def texts(draw: Any, framework: str, kind: str) -> tuple[str, list[Any]]:
    """A program's source and its arguments, NumPy arrays."""
    program = programs.drawn(lambda options: draw(st.sampled_from(options)), kind, draw(st.integers(3, 15)))
    text = programs.source(program, framework) if program.steps else None
    assume(text is not None)
    return text, programs.arrays(program, draw(st.integers(0, 99)), DTYPES[kind])


def rounded(value: Any) -> Any:
    """Floats as float32: the programs compute in float64, so that only what is wrong shows."""

    def single(array: Any) -> Any:
        a = to_numpy(array)
        return a.astype(np.float32) if a.dtype == np.float64 else a

    return map_arrays(value, single)


def agree(expected: Any, got: Any, text: str) -> None:
    before = [to_numpy(v).dtype for v in leaves(expected)]
    after = [to_numpy(v).dtype for v in leaves(got)]
    assert before == after, f"{before} became {after}\n{text}"
    found = list(compare(rounded(expected), rounded(got)))
    assert not found, f"{'; '.join(map(str, found))}\n{text}"


def leaves(value: Any) -> list[Any]:
    return [v for part in value for v in leaves(part)] if isinstance(value, (tuple, list)) else [value]


def everywhere(source: str, text: str, arrays: list[Any]) -> None:
    """Equal in all targets; from each of them back again; and the second translation is the first, to the
    letter.
    """
    named = {f"x{i}": a for i, a in enumerate(arrays)}
    with quiet(x64=True):
        fn = loaded(text)
        try:
            expected = run(fn, own(named, source), source)
        except REFUSALS[source]:
            reject()
        traced = api.symbolic_trace(fn, own(named, source), source=source)
        for target in NAMES:
            try:
                out = traced.to(target, x64=True)
            except UnsupportedError:
                continue
            plain = inspect.unwrap(out)
            agree(expected, run(plain, own(named, target), target), f"{text}\n{out.source}")
            again = api.symbolic_trace(plain, own(named, target), source=target)
            if target == source:
                guarded = "assert" in out.source  # what is asserted is looked at, and guarded itself
                assert guarded or again.source(source, x64=True) == out.source
            else:
                back = again.to(source, x64=True)
                agree(
                    expected,
                    run(inspect.unwrap(back), own(named, source), source),
                    f"{text}\n{out.source}\n{back.source}",
                )


@pytest.mark.parametrize("kind", ["f", "i"])
def test_programs_mean_the_same_everywhere(source: str, kind: str) -> None:
    FEW(given(texts(source, kind))(lambda made: everywhere(source, *made)))()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["f", "i"])
def test_many_programs_mean_the_same_everywhere(source: str, kind: str) -> None:
    MANY(given(texts(source, kind))(lambda made: everywhere(source, *made)))()

"""A translation given arrays of other ranks than its example's: it gives what the source gives, or raises."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from lines import lines_of
from running import Line, differences, function, own, quiet
from test_generality import attempted

import tracelate.api as api
from tracelate.ir.errors import TraceError
from tracelate.ir.meaning.op import Op


def variants(line: Line) -> Iterator[Line]:
    """The line with its arrays of one axis more, or less: all of them, or one at a time."""
    for made in (longer, shorter, deeper, alone):
        for chosen in dict.fromkeys([tuple(line.arrays), *((name,) for name in line.arrays)]):
            given = {n: fitting(n, a, made) if n in chosen else a for n, a in line.arrays.items()}
            if any(given[n].ndim != a.ndim for n, a in line.arrays.items()):
                yield Line(line.text, given, line.column, line.dtype)


def fitting(name: str, array: Any, made: Any) -> Any:
    """The array of another rank, still of its domain: its elements distinct, or positions that are there."""
    if "distinct" in name and made in (longer, deeper):
        more = array + (np.ptp(array) + 1).astype(array.dtype) if array.size else array
        return np.stack([array, more], axis=0 if made is longer else -1)
    found = made(array)
    return found % 2 if "position" in name and made in (longer, deeper) else found


def longer(array: Any) -> Any:
    return np.stack([array, array])


def deeper(array: Any) -> Any:
    """An axis more behind the others."""
    return np.stack([array, array], axis=-1)


def alone(array: Any) -> Any:
    """One element without axes."""
    return array.reshape(-1)[0] if array.size else array


def shorter(array: Any) -> Any:
    return array[0] if array.ndim and len(array) else array


def wrong(op: Op, source: str, targets: tuple[str, ...]) -> Iterator[str]:
    """Of variants of several arrays, which are many, each is for one of two targets, which take turns."""
    met: set[Any] = set()
    for line, (phrase, sample) in ((made, key) for *key, made in lines_of(op, source)):
        key = phrase, tuple(array.ndim for array in line.arrays.values()), line.text.count("=")
        if line.dtype != "float32" or key in met or line.wide:
            continue
        met.add(key)
        fn = function([line])
        if isinstance(attempted(fn, line, source), Exception):
            continue
        try:
            traced = api.symbolic_trace(fn, own(line.arrays, source), source=source)
        except TraceError:
            continue  # tests/rows/test_rows.py says what is refused
        tried = list(variants(line))
        for place, target in enumerate(targets, start=len(met)):
            try:
                out = traced.to(target, x64=True)
            except TraceError:
                continue
            for variant in tried[place % 2 :: 2] if len(line.arrays) > 1 else tried:
                expected, got = (
                    attempted(f, variant, t) for f, t in ((fn, source), (inspect.unwrap(out), target))
                )
                if isinstance(expected, Exception) or isinstance(got, Exception):
                    continue
                if found := differences(expected, got, variant, narrowed=False):
                    shapes = ", ".join(f"{n}: {list(a.shape)}" for n, a in variant.arrays.items())
                    yield f"{source} -> {target}: {line.text} [{shapes}] {found}\n{out.source}"
                    break


def judged(op: Op, source: str, targets: tuple[str, ...]) -> None:
    with quiet(True):
        found = list(wrong(op, source, targets))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])


@pytest.mark.slow
def test_other_ranks_agree_or_are_refused(op: Op, source: str) -> None:
    judged(op, source, tuple(t for t in ("numpy", "jax", "torch") if t != source))

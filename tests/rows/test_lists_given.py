"""A translation given lists where its example has arrays: none comes back for an array of the program's."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
from lines import lines_of
from running import Line, function, own, quiet

import tracelate.api as api
from tracelate.ir.errors import TraceError
from tracelate.ir.meaning.op import Op


def given(fn: Any, line: Line) -> Any:
    try:
        return fn(*(array.tolist() for array in line.arrays.values()))[0]
    except Exception as error:
        return error


def wrong(op: Op, source: str, targets: tuple[str, ...]) -> Iterator[str]:
    met: set[Any] = set()
    for line, (phrase, _) in ((made, key) for *key, made in lines_of(op, source)):
        has_axes = any(a.ndim for a in line.arrays.values())
        if phrase in met or line.dtype != "float32" or line.wide or not has_axes:
            continue
        met.add(phrase)
        fn = function([line])
        expected = given(fn, line)
        if isinstance(expected, (Exception, list)):
            continue
        try:
            traced = api.symbolic_trace(fn, own(line.arrays, source), source=source)
            outs = [traced.to(target, x64=True) for target in targets]
        except TraceError:
            continue  # tests/rows/test_rows.py says what is refused
        for out in outs:
            got = given(inspect.unwrap(out), line)
            assert not isinstance(got, NameError), f"{source}: {line.text}: {got}\n{out.source}"
            if isinstance(got, Exception) or not isinstance(got, (list, bool)):
                continue
            if isinstance(got, list) or np.ndim(expected):
                yield f"{source}: {line.text} of lists gives {got}, not {expected}\n{out.source}"


def test_no_list_stands_for_an_array_that_numpy_makes(op: Op) -> None:
    with quiet(True):
        found = list(wrong(op, "numpy", ("numpy", "torch", "jax")))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])

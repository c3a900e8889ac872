"""Every function given Python's numbers for arrays: read or refused, and no text fails of its own example.

JAX's own functions do not agree on what a bool among floats is under x64, float32 or float64:
`jnp.exp(True)`, `jax.nn.elu(True)`. The audit says so where it is traced.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from lines import lines_of
from running import Line, agree, function, given, quiet

import tracelate.api as api
from tracelate.ir.errors import InternalError, TraceError
from tracelate.ir.meaning.op import Op

#: JAX alone takes what has no axes here; NumPy and torch raise.
AXES = frozenset({"fftshift", "ifftshift"})


def numbers(line: Line) -> list[Any] | None:
    """The first element of each array; None where one has none."""
    arrays = line.arrays.values()
    return None if any(not a.size for a in arrays) else [np.asarray(a).ravel()[0].item() for a in arrays]


def wrong(op: Op, source: str) -> Iterator[str]:
    if op.name in AXES:
        return
    met: set[Any] = set()
    for line, (phrase, _) in ((made, key) for *key, made in lines_of(op, source)):
        values = numbers(line)
        if (phrase, line.dtype) in met or values is None or line.wide or not line.arrays:
            continue
        met.add((phrase, line.dtype))
        fn = function([line])
        expected = given(fn, values)
        if isinstance(expected, Exception) or source == "jax" and bool in map(type, values):
            continue
        try:
            traced = api.symbolic_trace(fn, tuple(values), source=source)
        except InternalError as error:
            yield f"{source}: {line.text} of {values}: {error}"
            continue
        except TraceError:
            continue
        for to in ("numpy", "torch", "jax"):
            try:
                out = traced.to(to, x64=True)
            except InternalError as error:
                yield f"{source} to {to}: {line.text} of {values}: {error}"
                continue
            except TraceError:
                continue
            got = given(inspect.unwrap(out), values)
            if isinstance(got, TypeError) and "an integer is required" in str(got):
                continue  # torch makes no uint64 of a float
            if isinstance(got, Exception):
                yield f"{source} to {to}: {line.text} of {values}: {type(got).__name__}: {got}\n{out.source}"
            elif not agree(expected, got):
                yield f"{source} to {to}: {line.text} of {values} gives {got}, not {expected}\n{out.source}"


def test_numbers_for_arrays(op: Op, source: str) -> None:
    if source == "torch":
        pytest.skip("torch's functions take tensors")
    with quiet(True):
        found = list(wrong(op, source))
    assert not found, f"{len(found)} problems\n" + "\n".join(found[:8])

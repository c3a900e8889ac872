"""What the tests of the rows share: `same` translates and compares; `refused` wants an error instead of a
number.

Their helper module (calls) is imported as a plain module from this folder.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import tracelate.api as api
from tracelate.backends.arrays import compare, convert, map_arrays
from tracelate.backends.backend import NAMES, framework_of
from tracelate.ir.errors import TraceError

sys.path.insert(0, str(Path(__file__).parent))

WIDE = ("float64", "complex128")


def is_wide(value: Any) -> bool:
    found: list[str] = []
    map_arrays(value, lambda a: found.append(str(a.dtype).rpartition(".")[2]))
    return any(name in WIDE for name in found)


@pytest.fixture
def same() -> Callable[..., dict[str, str]]:
    """same(fn, *args): fn, translated to every framework, gives what it gives in its own, dtypes included.

    Arguments are arrays of the source framework, or NumPy arrays that are made its own; `source` says which
    it is where they do not. `kind` is the column of the table of tolerances, `to` the targets, `x64` JAX's
    flag (by default on where 64-bit floats appear). Returns the emitted texts.
    """

    def check(
        fn: Callable[..., Any],
        *args: Any,
        source: str | None = None,
        kind: str = "reduction",
        to: Sequence[str] = NAMES,
        x64: bool | None = None,
    ) -> dict[str, str]:
        own = source or next(f for f in map(framework_of, args) if f is not None)
        if not fn.__name__.isidentifier():
            fn.__name__ = "fn"
        wide = is_wide(args) if x64 is None else x64
        texts: dict[str, str] = {}
        with warnings.catch_warnings(), np.errstate(all="ignore"), jax.enable_x64(wide):
            warnings.simplefilter("ignore")
            mine = [map_arrays(a, lambda a: convert(a, own)) for a in args]
            expected = fn(*[map_arrays(a, lambda a: convert(a, own)) for a in mine])
            traced = api.symbolic_trace(fn, mine, source=own)
            for name in to:
                flag = (wide or is_wide(expected)) if x64 is None else x64
                with jax.enable_x64(flag):
                    out = traced.to(name, x64=flag)
                    got = out(*[map_arrays(a, lambda a: convert(a, name)) for a in mine])
                    texts[name] = out.source
                    narrowed = name == "jax" and not flag
                    found = list(compare(expected, got, kind=kind, narrowed=narrowed))
                    assert not found, f"{own} -> {name}: {'; '.join(map(str, found))}\n{out.source}"
        return texts

    return check


@pytest.fixture
def refused() -> Callable[..., None]:
    """refused(fn, *args, match=...): the translation is refused with this text, in tracing, reading or
    writing.
    """

    def check(
        fn: Callable[..., Any],
        *args: Any,
        match: str,
        source: str | None = None,
        to: Sequence[str] = NAMES,
        x64: bool | None = None,
    ) -> None:
        own = source or next(f for f in map(framework_of, args) if f is not None)
        if not fn.__name__.isidentifier():
            fn.__name__ = "fn"
        mine = [map_arrays(a, lambda a: convert(a, own)) for a in args]
        for name in to:
            with warnings.catch_warnings(), pytest.raises(TraceError, match=match):
                warnings.simplefilter("ignore")
                api.symbolic_trace(fn, mine, source=own).source(name, x64=x64)

    return check

"""What tests of the rows call, and with what: random arrays, many functions as one, spellings in tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tracelate.backends.backend import NAMES

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]
Table = Sequence[tuple[Any, ...]]


def normal(rng: np.random.Generator, *shape: int, dtype: str = "float32", scale: float = 3) -> Array:
    """Normally distributed numbers, `scale` only where they are real."""
    numbers = rng.standard_normal(shape)
    if dtype.startswith("complex"):
        return (numbers + 1j * rng.standard_normal(shape)).astype(dtype)
    return (scale * numbers).astype(dtype)


def calling(fn: Function, *args: Any, **kwargs: Any) -> Function:
    return lambda *arrays: fn(*arrays, *args, **kwargs)


def every(functions: Sequence[Function]) -> Function:
    """All functions as one: JAX compiles each function anew."""
    return lambda *arrays: [function(*arrays) for function in functions]


def sourced(numpy: Table, jax: Table, torch: Table) -> list[Any]:
    """(source, case) for each case of the three tables."""
    return [
        pytest.param(source, case, id=f"{source}-{i}")
        for source, table in zip(NAMES, (numpy, jax, torch))
        for i, case in enumerate(table)
    ]


def grouped(numpy: Table, jax: Table, torch: Table, arrays: Mapping[str, Array]) -> list[Any]:
    """(source, function, arrays) for each function and all the arrays that its row names at once; those of
    float64 apart, since JAX wants x64 for them.
    """
    wide = {name for name, array in arrays.items() if array.dtype == np.float64}
    return [
        pytest.param(source, fn, [arrays[name] for name in group], id=f"{source}-{i}-{'-'.join(group)}")
        for source, table in zip(NAMES, (numpy, jax, torch))
        for i, (fn, names) in enumerate(table)
        for group in (sorted(set(names.split()) - wide), sorted(set(names.split()) & wide))
        if group
    ]

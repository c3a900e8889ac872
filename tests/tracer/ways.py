"""Running a program and its translations on every way, for the tests of control flow."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.tree import leaves


def source_of(args: tuple[Any, ...]) -> str:
    return "torch" if any(isinstance(a, torch.Tensor) for a in args) else "numpy"


def attempt(fn: Any, args: tuple[Any, ...], framework: str, *, arguments: bool) -> Any:
    """The leaves of what a call gives, and of its arguments after it, as NumPy's arrays; the kind of
    error that it raises.
    """
    given = map_arrays(args, lambda a: convert(a, framework))
    try:
        found = fn(*given)
    except Exception as error:
        return type(error)
    return [np.asarray(to_numpy(v)) for v in leaves((found, given if arguments else ()))]


def agree(one: Any, other: Any) -> bool:
    if isinstance(one, type) or isinstance(other, type):
        return one is other
    return len(one) == len(other) and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-4, equal_nan=True) for a, b in zip(one, other)
    )

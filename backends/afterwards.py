"""What a call left of its arguments: a translation writes into the same ones, and the same numbers.

JAX's arrays are not written into. What a program writes there must be part of its result, or the caller never
gets it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from inspect import BoundArguments
from typing import Any

import numpy as np

from ..ir.values.dtypes import DType, float64
from ..ir.values.tree import children
from .arrays import Difference, compare, to_numpy
from .backend import Backend, framework_of
from .copies import COLLECTIONS, arrays_of, share_memory


def afterwards(
    before: BoundArguments,
    source: BoundArguments,
    translation: BoundArguments,
    result: Any,
    target: Backend,
    floats: DType = float64,
) -> Iterator[Difference]:
    """How the arguments differ after both were called.

    Args:
        before: as they were. source, translation: as they are now.
        result: what the source gave, in which JAX hands back what is written.
        floats: see compare.
    """
    for name in translation.arguments:
        path = f"argument {name}"
        if target.pure:
            for place, value in changed(before.arguments[name], source.arguments[name], path):
                if not returned(value, result):
                    yield Difference(place, f"is written into, and in {target.words} nobody gets to see it")
            continue
        given = source.arguments[name]
        if children(given) is None and framework_of(given) is None and not isinstance(given, COLLECTIONS):
            continue  # a number, a flag, a dtype: nothing that can be written into
        theirs, mine = source.arguments[name], translation.arguments[name]
        found = compare(theirs, mine, narrowed=not target.x64, floats=floats, path=path)
        for difference in found:
            yield Difference(difference.path, f"{difference.what} after the call", difference.error)


def changed(before: Any, after: Any, path: str) -> Iterator[tuple[str, Any]]:
    """What a call has changed of an argument, and where: arrays, and containers with other items."""
    if framework_of(before) is not None:
        if framework_of(after) is None or not same_numbers(before, after):
            yield path, after
        return
    if isinstance(before, deque):
        before, after = list(before), list(after)
    old, new = children(before), children(after)
    if old is None or new is None:
        if isinstance(before, COLLECTIONS) and before != after:
            yield path, after
        return
    if [key for key, _ in old] != [key for key, _ in new] or any(
        replaced(a, b) for (_, a), (_, b) in zip(old, new)
    ):
        yield path, after
        return
    for (key, a), (_, b) in zip(old, new):
        yield from changed(a, b, f"{path}[{key!r}]")


def replaced(before: Any, after: Any) -> bool:
    """Whether another thing that is no array stands in the place of one."""
    if framework_of(before) is not None or children(before) is not None:
        return (framework_of(before) is None) != (framework_of(after) is None)
    return before is not after and bool(before != after)


def same_numbers(one: Any, other: Any) -> bool:
    """Whether two arrays have the same numbers, nan for nan."""
    a, b = to_numpy(one), to_numpy(other)
    same = a.dtype == b.dtype and a.shape == b.shape
    return same and bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))


def returned(value: Any, result: Any) -> bool:
    """Whether the caller gets to see a value in the result."""
    if framework_of(value) is not None:
        return any(value is array or share_memory(value, array) for array in arrays_of(result))
    if value is result:
        return True
    return any(returned(value, item) for _, item in children(result) or ())

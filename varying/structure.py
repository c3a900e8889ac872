"""Other structure: lists of other lengths, dicts with other keys, other numbers of Python's, None, and what
may be left out.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import numpy as np

from ..backends.backend import framework_of
from ..ir.values.tree import is_record, tuple_fields
from .paths import Path, arrays_in, leaves_of, nested, replaced, spelled

Arguments = dict[str, Any]
Varied = Iterator[tuple[str, Arguments]]
T = TypeVar("T")


def variations(arguments: Arguments, parameters: Mapping[str, inspect.Parameter]) -> Varied:
    """What is other, in words, and the arguments; a variation of each argument before the next of any."""
    yield from in_turn([
        *(of_container(path, value, arguments) for path, value in nested(arguments) if path and lies(value)),
        *(of_number(path, value, arguments) for path, value in leaves_of(arguments) if is_number(value)),
        *(of_none(path, arguments) for path, value in leaves_of(arguments) if value is None),
        of_defaults(arguments, parameters),
    ])  # fmt: skip


def in_turn(families: list[Iterator[T]]) -> Iterator[T]:
    """One of each family, again and again; of a family that ends no more."""
    while families:
        left = []
        for family in families:
            for one in itertools.islice(family, 1):
                left.append(family)
                yield one
        families = left


def lies(value: Any) -> bool:
    """Whether a value is a container whose items may be more or fewer."""
    if framework_of(value) is not None or is_record(value) or tuple_fields(type(value)) is not None:
        return False
    return isinstance(value, (list, tuple, dict))


def is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex)) and framework_of(value) is None


def of_container(path: Path, value: Any, arguments: Arguments) -> Varied:
    where = spelled(path, arguments)
    if isinstance(value, dict):
        for key in list(value)[:4]:
            without = {k: v for k, v in value.items() if k != key}
            yield f"{where} without {key!r}", replaced(arguments, path, without)
        if all(isinstance(key, str) for key in value):
            item = next(iter(value.values()), 1.0)
            yield f"{where} with another key", replaced(arguments, path, {**value, "another": item})
        return
    kind = type(value)
    if value:
        yield f"{where} longer by one", replaced(arguments, path, kind((*value, value[-1])))
        yield f"{where} shorter by one", replaced(arguments, path, kind(value[:-1]))
        yield f"{where} empty", replaced(arguments, path, kind())
        yield f"{where} three times as long", replaced(arguments, path, kind((*value, *value, *value)))
    if len(path) > 1 or kind is list:  # not *args, which is a tuple always
        other = tuple if kind is list else list
        yield f"{where} as a {other.__name__}", replaced(arguments, path, other(value))


def of_number(path: Path, value: Any, arguments: Arguments) -> Varied:
    """Other numbers, and the same one of other types."""
    where = spelled(path, arguments)
    others: tuple[Any, ...]
    if isinstance(value, bool):
        others = (not value, int(value), int(not value))
    elif isinstance(value, int):
        others = (value + 1, 0, float(value), -1, 1, True, value + 9, value + 0.5, -value, np.int64(value))
    elif isinstance(value, float):
        others = (
            (2 * value, 0.0, int(value) or 1, -value, math.inf, True, math.nan, -0.0)
            if math.isfinite(value)
            else (0.0, 1.0, 1)
        )
        others = (*others, np.float64(value))
    else:
        others = (0j, value.conjugate(), value.real)
    for other in others:
        if type(other) is not type(value) or other != value:
            yield f"{where} == {other!r}", replaced(arguments, path, other)


def of_none(path: Path, arguments: Arguments) -> Varied:
    """Something where there is None: an array like one that is there, and a number."""
    where = spelled(path, arguments)
    array = next((a for _, a in arrays_in(arguments)), None)
    if array is not None:
        yield f"{where} an array", replaced(arguments, path, array)
    yield f"{where} == 2", replaced(arguments, path, 2)
    yield f"{where} == 0.5", replaced(arguments, path, 0.5)


def of_defaults(arguments: Arguments, parameters: Mapping[str, inspect.Parameter]) -> Varied:
    """Arguments left out where they have a default; what has been left out, given."""
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty:
            continue
        if name in arguments:
            yield f"{name} left out", {k: v for k, v in arguments.items() if k != name}
            if arguments[name] is not None:
                yield f"{name} is None", {**arguments, name: None}
            continue
        given = {**arguments, name: parameter.default}
        if parameter.default is None:
            yield from of_none((name,), given)
        elif is_number(parameter.default):
            yield from of_number((name,), parameter.default, given)

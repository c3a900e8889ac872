"""Programs of one call each, of every callee of the dictionary, and other arguments for them."""

from __future__ import annotations

import functools
import itertools
import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.special
import torch

from tracelate.backends import measure
from tracelate.backends.arrays import convert, map_arrays
from tracelate.backends.backend import speaker
from tracelate.backends.loading import load
from tracelate.backends.memory import writes
from tracelate.backends.rows import CONSTRUCTS, READERS, READS
from tracelate.backends.signatures import known

#: What a callee's arrays are in the examples.
WORLDS: tuple[measure.World, ...] = (
    ("float32", (3,)), ("float32", (3, 3)), ("float32", ()), ("int64", (3,)), ("bool", (3,)),
    ("float32", (2, 3, 3)),
)  # fmt: skip
#: Of each world so many calls are looked through, and so many kept that go well.
ATTEMPTS, CALLS = 120, 3
#: How many programs there are of a callee.
PROGRAMS = 6
METHODS = {"numpy": "np.ndarray", "torch": "torch.Tensor"}
ARRAYS = (np.ndarray, torch.Tensor)
#: What gives other numbers at each call, or what nobody wrote.
RANDOM = ("rand", "dropout", "seed", "empty")
INTS = (0, 1, 2, -1, True, False)
DTYPES = ("bool", "int32", "uint8", "float64", "int64")


@dataclass(frozen=True)
class Program:
    """A function of arrays and numbers, and examples of these."""

    code: str
    fn: Callable[..., Any]
    values: list[Any]


def callees(framework: str) -> list[str]:
    load()
    own = {callee for name, callee in (*READS, *READERS) if name == framework and "." in callee}
    own |= {callee for callee in CONSTRUCTS if speaker(callee) == framework}
    own = {callee for callee in own if not callee.startswith(("operator.", "attribute.", "helper."))}
    methods = {f"{METHODS[framework]}.{callee.rpartition('.')[2]}" for callee in own}
    found = own | {method for method in methods if known(method)}
    return sorted(callee for callee in found if not any(word in callee for word in RANDOM))


def programs(framework: str, callee: str) -> list[Program]:
    found: dict[str, Program] = {}
    for world in WORLDS:
        kept = 0
        for call, _ in itertools.islice(measure.calls(framework, callee, world), ATTEMPTS):
            program = written(framework, callee, call)
            if kept < CALLS and program is not None and f"{world} {program.code}" not in found:
                if answer(program.fn, program.values, framework) is not None:
                    found[f"{world} {program.code}"] = program
                    kept += 1
    return [*found.values()][:PROGRAMS]


def written(framework: str, callee: str, call: functools.partial[Any]) -> Program | None:
    """A call as a function of its arrays and numbers; what it writes into is given back as well."""
    values: list[Any] = []

    def word(value: Any) -> str:
        if isinstance(value, ARRAYS) or type(value) in (int, float):
            values.append(value)
            return f"a{len(values) - 1}"
        if isinstance(value, (list, tuple)) and any(isinstance(item, ARRAYS) for item in value):
            return f"[{', '.join(map(word, value))}]"
        return f"np.{value}" if isinstance(value, np.dtype) else repr(value)

    args = [*map(word, call.args), *(f"{name}={word(value)}" for name, value in call.keywords.items())]
    text = f"{callee}({', '.join(args)})"
    if callee.startswith(f"{METHODS[framework]}."):
        if not args or "=" in args[0]:
            return None
        text = f"{args[0]}.{callee.rpartition('.')[2]}({', '.join(args[1:])})"
    names = ", ".join(f"a{number}" for number in range(len(values)))
    result = f"{text}, {names}" if writes(callee) and values else text
    code = f"def f({names}):\n    return {result}\n"
    return Program(code, compiled(code), values)


def compiled(code: str) -> Callable[..., Any]:
    """The function, whose text may be looked up."""
    file = f"<call {code}>"
    linecache.cache[file] = len(code), None, code.splitlines(True), file
    names: dict[str, Any] = {"np": np, "torch": torch, "scipy": scipy}
    exec(compile(code, file, "exec"), names)
    made: Callable[..., Any] = names["f"]
    return made


def given(values: list[Any], framework: str) -> list[Any]:
    return [map_arrays(value, lambda array: convert(array, framework)) for value in values]


def answer(fn: Callable[..., Any], values: list[Any], framework: str) -> Any:
    """What a function gives, in a tuple; None where it raises."""
    try:
        return (fn(*given(values, framework)),)
    except Exception:
        return None


def others(framework: str, values: list[Any]) -> Iterator[list[Any]]:
    """Arguments of other ranks, sizes, dtypes and kinds: one at a time, then all arrays alike."""
    made = functools.partial(measure.own, framework)
    for i, value in enumerate(values):
        if isinstance(value, ARRAYS):
            array = np.array(value)
            for other in (*reshaped(array), *map(array.astype, DTYPES), array[:0] if array.ndim else array):
                yield [*values[:i], made(other), *values[i + 1 :]]
        elif type(value) is int:
            for number in (*INTS, made(np.array(1)), made(np.array([1, 0]))):
                yield [*values[:i], number, *values[i + 1 :]]
        else:
            for number in (0, 1, True, -0.5):
                yield [*values[:i], number, *values[i + 1 :]]
    arrays = [np.array(value) if isinstance(value, ARRAYS) else None for value in values]
    for changed in zip(*(alike(array) for array in arrays if array is not None)):
        rest = iter(changed)
        yield [value if array is None else made(next(rest)) for value, array in zip(values, arrays)]


def reshaped(array: Any) -> Iterator[Any]:
    """The same of other ranks, and other sizes."""
    yield array[None]
    if not array.ndim:
        yield np.array([array, array])
        return
    yield from (array[0], array[:1], array[..., :1])
    more = array if array.dtype == bool else array + array.dtype.type(2)
    yield np.concatenate([array, more])


def alike(array: Any) -> Iterator[Any]:
    yield from (array[None], array[0] if array.ndim else array, array[:1] if array.ndim else array)
    yield from (array.astype("float64"), array.astype("int32"), array.astype(bool))

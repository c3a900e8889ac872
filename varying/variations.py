"""Variations: what else a function might be called with, given what it was called with once."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..backends.arrays import handling, to_numpy
from ..backends.backend import framework_of
from ..ir.values.tree import children
from . import arrays, structure
from .paths import arrays_in, leaves_of, mapped, replaced, spelled

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Variation:
    """Arguments by parameter, and in words what is other about them than about the example."""

    what: str
    arguments: Arguments


@dataclass(frozen=True)
class Example:
    """What is varied: real arguments, the parameters that take them, the dtypes that both sides have."""

    arguments: Arguments
    parameters: Mapping[str, inspect.Parameter]
    dtypes: tuple[str, ...]
    seed: int = 0

    @property
    def random(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)


def variations(example: Example, count: int) -> list[Variation]:
    """Up to `count` of them, the same ones each time; some of every family, as far as there are any."""
    families = [family(example) for family in FAMILIES]
    found: list[Variation] = []
    known = {text(example.arguments)}
    for variation in structure.in_turn(families):
        if len(found) >= count:
            break
        key = text(variation.arguments)
        if variation.what.startswith(SHARED) or key not in known:
            known.add(key)
            found.append(variation)
    return found


def text(value: Any) -> str:
    """What tells arguments apart."""
    if framework_of(value) is not None:
        array = to_numpy(value)
        generic = isinstance(value, np.generic)
        return f"{array.dtype}{array.shape}{generic}{array.strides}{array.tobytes()!r}"
    items = children(value)
    if items is None:
        return f"{type(value).__name__} {value!r}"
    return f"{type(value).__name__}({', '.join(f'{k!r}: {text(v)}' for k, v in items)})"


def numbers(example: Example) -> Iterator[Variation]:
    """Other numbers in the arrays, in all of them and in one alone."""
    found, random = arrays_in(example.arguments), example.random
    kinds = {path: arrays.kind_of(array) for path, array in found}
    changes = {path: list(arrays.numbers(kind, random)) for path, kind in kinds.items()}
    for words in dict.fromkeys(words for each in changes.values() for words, _ in each):
        known = {path: dict(each).get(words) for path, each in changes.items()}
        if not words.startswith("with a") and len(found) > 1:
            yield Variation(f"arrays {words}", changed(example, known))
        for path, change in known.items():
            if change is not None:
                where = spelled(path, example.arguments)
                yield Variation(f"{where} {words}", changed(example, {path: change}))


def changed(example: Example, changes: Mapping[Any, arrays.Change | None]) -> Arguments:
    """The arguments with some of the arrays changed."""

    def change(path: Any, array: Any) -> Any:
        known = changes.get(path)
        return array if known is None else arrays.altered(array, known)

    made: Arguments = mapped(example.arguments, change)
    return made


def sizes(example: Example) -> Iterator[Variation]:
    """Dims that are equal in the example, changed together, with the ints that are equal too, and apart."""
    dims = [(p, axis, d) for p, a in arrays_in(example.arguments) for axis, d in enumerate(a.shape)]
    ints = [(p, v) for p, v in leaves_of(example.arguments) if type(v) is int]
    groups: dict[int, dict[Any, list[int]]] = {}
    for path, axis, size in dims:
        groups.setdefault(size, {}).setdefault(path, []).append(axis)
    for step in (lambda d: d + 1, lambda d: 1, lambda d: 0, lambda d: d + 9, lambda d: max(d - 1, 0)):
        for size, axes in groups.items():
            new = step(size)
            made = changed(example, {path: sizing(every, new) for path, every in axes.items()})
            yield Variation(f"{new} where the example has {size}", made)
            same = [path for path, value in ints if value == size]
            for path in same:
                made = replaced(made, path, new)
            if same:
                yield Variation(f"{new} for {size}, sizes and numbers", made)
        for path, axis, size in dims if len(dims) > 1 else ():
            where = f"{spelled(path, example.arguments)}.shape[{axis}]"
            yield Variation(f"{where} == {step(size)}", changed(example, {path: sizing([axis], step(size))}))


def sizing(axes: list[int], size: int) -> arrays.Change:
    def change(array: arrays.Array) -> arrays.Array:
        for axis in axes:
            array = arrays.resized(array, axis, size)
        return array

    return change


def each_and_all(example: Example, words: str, change: arrays.Change) -> Iterator[Variation]:
    """One change of all arrays, then of each alone."""
    paths = [path for path, _ in arrays_in(example.arguments)]
    if len(paths) != 1:
        yield Variation(f"arrays {words}", changed(example, dict.fromkeys(paths, change)))
    for path in paths:
        yield Variation(f"{spelled(path, example.arguments)} {words}", changed(example, {path: change}))


def ranks(example: Example) -> Iterator[Variation]:
    """One axis more or fewer."""
    steps = (("of one more axis", arrays.raised), ("of one axis fewer", arrays.lowered))
    for words, change in (*steps, ("with another last axis", arrays.trailing)):
        yield from each_and_all(example, words, change)


def dtypes(example: Example) -> Iterator[Variation]:
    """Other dtypes, as far as both sides have them."""
    for name in example.dtypes:
        yield from each_and_all(example, f"of dtype {name}", arrays.cast(name))


SHARED = "sharing: "


def memory(example: Example) -> Iterator[Variation]:
    """The same array twice, views of one array, and arrays that do not lie in a row."""
    found = [(p, a) for p, a in arrays_in(example.arguments) if not handling(a).is_constant(a)]
    for (one, a), (other, b) in itertools.combinations(found, 2):
        if tuple(a.shape) != tuple(b.shape) or a.dtype != b.dtype:
            continue
        names = f"{spelled(one, example.arguments)} and {spelled(other, example.arguments)}"
        same = replaced(example.arguments, other, a)
        yield Variation(f"{SHARED}{names} are one array", same)
        if len(a.shape):
            longer = arrays.altered(a, lambda v: arrays.resized(v, 0, v.shape[0] + 1))
            both = replaced(replaced(example.arguments, one, longer[1:]), other, longer[:-1])
            yield Variation(f"{SHARED}{names} overlap", both)
        if len(a.shape) == 2 and a.shape[0] == a.shape[1]:
            yield Variation(f"{SHARED}{names} are turned", replaced(example.arguments, other, a.T))
    for path, array in found:
        if len(array.shape):
            twice = arrays.altered(array, lambda v: np.repeat(v, 2, axis=-1))[..., ::2]
            where = spelled(path, example.arguments)
            yield Variation(f"{SHARED}{where} with gaps", replaced(example.arguments, path, twice))


def mixtures(example: Example) -> Iterator[Variation]:
    """Two changes at once: other numbers, and one of the rest."""
    random = np.random.default_rng(example.seed + 1)
    others = [v for family in (sizes, numbers, ranks, dtypes, structure_of) for v in family(example)]
    for index in random.permutation(len(others)):
        one = others[int(index)]
        known = {path: (lambda a: arrays.drawn(a, random)) for path, _ in arrays_in(one.arguments)}
        both = changed(Example(one.arguments, example.parameters, example.dtypes), known)
        yield Variation(f"{one.what}, drawn anew", both)


def structure_of(example: Example) -> Iterator[Variation]:
    """Other containers, other numbers of Python's, arguments left out."""
    for what, arguments in structure.variations(example.arguments, example.parameters):
        yield Variation(what, arguments)


FAMILIES: tuple[Callable[[Example], Iterator[Variation]], ...] = (
    numbers,
    structure_of,
    sizes,
    memory,
    ranks,
    dtypes,
    mixtures,
)

"""Measures, for `make memory`, what NumPy's callees give that has no axes: a number of NumPy's, in which
nobody writes, or an array. Each is called in many ways, on numbers and on arrays with and without axes.

Most give numbers, `x.sum()`; a few arrays, `np.copy(x)`; and some of a number a number, of an array an array,
`x.reshape(())`: these keep what they are given.
"""

from __future__ import annotations

import itertools
import json
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import forms, measure
from .loading import load
from .memory import ARRAY, COMPUTED, EITHER, KEPT, NUMBER, NUMBERS
from .rows import READS

#: The arrays of calls; complex ones are told apart, of which `x.conj()` computes what it else keeps.
WORLDS: tuple[measure.World, ...] = (
    ("float32", ()), ("int64", ()), ("bool", ()), ("float64", ()),
    *(world for world in measure.WORLDS if world[0] != "complex64"),
)  # fmt: skip
COMPLEX: tuple[measure.World, ...] = (("complex64", ()), ("complex128", ()), ("complex64", (3,)))
ATTEMPTS = 150
#: What a call was given.
ALONE, BARE, OTHERS = "numbers", "arrays without axes", "arrays with axes, or lists"
#: A call: a function, its arguments by position and by name.
Call = tuple[Callable[..., Any], list[Any], dict[str, Any]]


def number(value: Any) -> Any:
    """Arrays without axes as numbers, in nested arguments."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(number, value))
    return value[()] if isinstance(value, np.ndarray) and not value.ndim else value


def calls(name: str, world: measure.World) -> Iterator[Call]:
    """Calls by the names of the parameters, and as the dictionary's phrases have them."""
    for call, _ in itertools.islice(measure.calls("numpy", name, world), ATTEMPTS):
        yield call.func, [*call.args], call.keywords
    function = measure.resolved("numpy", name) if name.startswith("np.") else None
    for phrase in READS.get(("numpy", name), ()):
        if phrase.form == "call" and function is not None:
            for args, kwargs in itertools.islice(forms.calls("numpy", phrase, world), ATTEMPTS):
                yield function, args, kwargs


def ways(name: str, world: measure.World) -> Iterator[tuple[str, Call]]:
    """The calls with what they are given. A method is asked for of what it is called of."""
    for function, args, kwargs in calls(name, world):
        if name.startswith("np.ndarray.") and args:
            function = called(name.rpartition(".")[2])
        if world in COMPLEX and not (args and np.iscomplexobj(args[0])):
            continue
        if world[1]:
            yield OTHERS, (function, args, kwargs)
        elif not args or not isinstance(args[0], (np.ndarray, np.generic)):
            yield OTHERS, (function, args, kwargs)
        else:
            yield BARE, (function, [np.asarray(args[0]), *args[1:]], kwargs)
            yield ALONE, (function, [*map(number, args)], {k: number(v) for k, v in kwargs.items()})


def called(word: str) -> Callable[..., Any]:
    return lambda x, *args, **kwargs: getattr(x, word)(*args, **kwargs)


def kind(name: str, worlds: tuple[measure.World, ...]) -> str | None:
    """What a callee gives; None where none of its calls gave anything without axes."""
    found: defaultdict[str, set[bool]] = defaultdict(set)
    for world in worlds:
        for given, (function, args, kwargs) in ways(name, world):
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                try:
                    results = [*measure.flat(function(*args, **kwargs))]
                except Exception:
                    continue
            found[given].update(isinstance(r, np.ndarray) for r in results if not r.ndim)
    if not any(found.values()):
        return None
    if (only := set().union(*found.values())) in ({False}, {True}):
        return ARRAY if True in only else NUMBER
    keeps = found[ALONE] == {False} and found[BARE] == {True} and found[OTHERS] <= {True}
    return KEPT if keeps else EITHER


def measured() -> dict[str, list[str]]:
    """What belongs into numbers.json: the callees by what they give."""
    load()
    written: dict[str, list[str]] = {each: [] for each in (NUMBER, ARRAY, KEPT, COMPUTED, EITHER)}
    for name in (each for each in measure.callees("numpy") if not each.startswith("helper.")):
        found, other = kind(name, WORLDS), kind(name, COMPLEX)
        if found == KEPT and other == NUMBER:
            found = COMPUTED
        if found is not None:
            written[found].append(name)
    return written


def main() -> None:
    """Write numbers.json."""
    NUMBERS.write_text(json.dumps(measured(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

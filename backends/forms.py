"""Measures, for `make signatures`, which functions of a framework are methods of its arrays too, `np.mean(x)`
is `x.mean()`, and `np.sort(x)` is not `x.sort()`, which writes into x; and which are operators:
`torch.matmul(a, b)` is `a @ b`, and `torch.dot(a, b)` is not, which takes lines alone.

Both are called in many ways, with the arguments of every phrase that calls the function, and what they give
and leave is compared: values, dtypes and types, whether what comes out lies in the memory of an operand, and
whether they raise. A method that lists or numbers of Python's have too is left out: given one, a text shall
raise. One that a framework's own numbers lack is left out as well.
"""

from __future__ import annotations

import itertools
import json
import operator
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from . import measure
from .backend import NAMES, backend
from .loading import load
from .overloads import at, fitting, keys, taking
from .phrase import Hole, Literal, Phrase
from .rows import READS, written
from .signatures import Parameter, callee, known
from .signatures.data import FORMS

#: What a text may be given where the example has an array, with methods of its own.
PYTHONS = (list, tuple, dict, str, bool, int, float, complex)
#: The arrays of calls.
WORLDS: tuple[measure.World, ...] = (
    ("float32", (3, 3)), ("int8", (4,)), ("float32", ()), ("bool", (2, 3)), ("complex64", (1, 3)),
    ("float64", (0,)), ("uint8", (2, 2, 2)), ("int32", ()), ("float16", (4,)), ("bool", ()),
    ("float32", (1,)),
)  # fmt: skip
#: The operators of one operand.
ALONE = frozenset({"neg", "pos", "invert", "not_"})
NUMBERS = (2, 3, -1, 0, 0.5, True, 300)
#: Of each world and phrase so many calls that go well, among so many.
GOOD, TRIED = 5, 40
#: A call: the arguments by position, the first of them an array, and those by name.
Call = tuple[list[Any], dict[str, Any]]
NO_CALL = ("no call",)


def candidates(framework: str) -> dict[str, list[Phrase]]:
    """The functions of which arrays have a method of the same name, and the phrases that call them as it may
    be called.
    """
    load()
    own = backend(framework)
    found: dict[str, list[Phrase]] = {}
    for column, name in READS:
        root, _, word = name.rpartition(".")
        method = f"{own.array_type}.{word}"
        if column != framework or root != own.functions[0] or not known(name) or not known(method):
            continue
        phrases = [p for p in READS[column, name] if takes_array(p) and taking(method, keys(p))]
        has = own.number_type is None or hasattr(measure.resolved(framework, own.number_type), word)
        if phrases and has and not any(hasattr(kind, word) for kind in PYTHONS):
            found[name] = phrases
    return found


def operators(framework: str) -> dict[str, str]:
    """The functions that a row reads as it writes an operator, by what Python calls that."""
    load()
    root = f"{backend(framework).functions[0]}."
    found: dict[str, str] = {}
    for column, name in READS:
        if column != framework or not name.startswith(root) or not known(name):
            continue
        for phrase in (p for p in READS[column, name] if p.form == "call" and not p.conditions):
            said = [
                p
                for p in written(phrase.op, framework)
                if p.form == "operator" and p.holes() == phrase.holes()
            ]
            if said and keys(phrase) == tuple(range(len(phrase.arguments))):
                found[name] = said[0].callee.rpartition(".")[2]
    return found


def takes_array(phrase: Phrase) -> bool:
    """Whether a phrase calls a function with an array of the op's as its first argument."""
    if phrase.form != "call" or not phrase.arguments:
        return False
    key, first = phrase.arguments[0]
    return key == 0 and isinstance(first, Hole) and first.name in phrase.op.arrays


def is_method(framework: str, name: str, phrases: Sequence[Phrase]) -> bool:
    """Whether the method of a function's name does what the function does, in every call that is found, and
    there is one.
    """
    word = name.rpartition(".")[2]
    made = (
        itertools.islice(calls(framework, phrase, world), TRIED)
        for world, phrase in itertools.product(WORLDS, phrases)
    )
    return same(
        framework, callee(framework, name, load=True), lambda x, *a, **k: getattr(x, word)(*a, **k), made
    )


def is_operator(framework: str, name: str, word: str) -> bool:
    """Whether an operator does what a function does, of arrays of all ranks and dtypes, and of numbers of
    Python's beside them.
    """
    function, python = callee(framework, name, load=True), getattr(operator, word)
    operands: list[tuple[Any, ...]]
    if word in ALONE:
        operands = [(measure.array(framework, world, 0),) for world in WORLDS]
    else:
        first, second = ([measure.array(framework, world, i) for world in WORLDS] for i in range(2))
        operands = [*itertools.product(first, [*second[::3], *NUMBERS])]
    return same(framework, function, python, (iter([([*each], {})]) for each in operands))


def same(framework: str, function: Any, other: Callable[..., Any], made: Iterable[Iterator[Call]]) -> bool:
    """Whether two functions do the same, and do anything; of each kind of calls a few are enough."""
    went = 0
    for kind in made:
        good = 0
        for call in kind:
            called = outcome(framework, function, call)
            if called is NO_CALL:
                continue
            if not alike(called, outcome(framework, other, call)):
                return False
            good += called is not None
            if good == GOOD:
                break
        went += good
    return went > 0


def calls(framework: str, phrase: Phrase, world: measure.World) -> Iterator[Call]:
    """Calls as a phrase has them, with arguments by the names of the function's parameters."""
    for overload in fitting(phrase) or ():
        given = [at(overload.parameters, key) for key, _ in phrase.arguments]
        choices = [
            values(framework, argument, parameter, world, number)
            for number, (parameter, (_, argument)) in enumerate(zip(given, phrase.arguments))
        ]
        for chosen in itertools.product(*choices):
            args = [v for v, (key, _) in zip(chosen, phrase.arguments) if isinstance(key, int)]
            yield args, {key: v for v, (key, _) in zip(chosen, phrase.arguments) if isinstance(key, str)}


def values(
    framework: str, argument: Any, parameter: Parameter | None, world: measure.World, number: int
) -> list[Any]:
    """What is given for an argument of a phrase."""
    if isinstance(argument, Literal):
        return [argument.value]
    if not number:
        array = measure.array(framework, world, 0)
        return [array, array[()]] if backend(framework).own_numbers and world[1] == () else [array]
    return measure.candidates(framework, parameter, world, number)


def outcome(framework: str, called: Callable[..., Any], call: Call) -> tuple[Any, ...] | None:
    """What a call gives, of what types it is, whether it shares memory with its arrays, and what it leaves in
    the first; None where it raises, and NO_CALL where that is no way to call it.
    """
    args, kwargs = call
    args = [copied(framework, args[0]), *args[1:]]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = called(*args, **kwargs)
        except TypeError:
            return NO_CALL
        except Exception:
            return None
    parts = [*measure.flat(result)]
    given = [leaf for value in (*args, *kwargs.values()) for leaf in measure.flat(value)]
    sharing = backend(framework).mutable and any(
        measure.share(framework, part, array) for part in parts for array in given
    )
    kinds = [type(result), *(type(part) for part in parts)]
    left = plain(framework, args[0])
    return kinds, sharing, [plain(framework, p) for p in parts], left, "" if parts else repr(result)


def copied(framework: str, array: Any) -> Any:
    made = measure.own(framework, plain(framework, array))
    return made[()] if backend(framework).own_numbers and not isinstance(array, type(made)) else made


def plain(framework: str, array: Any) -> np.ndarray[Any, Any]:
    return np.array(backend(framework).handling.to_numpy(array))


def alike(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> bool:
    """Whether two outcomes are the same, bit by bit."""
    if one is None or other is None or other is NO_CALL:
        return one is None and other in (None, NO_CALL)
    held = [[(a.dtype, a.shape, a.tobytes()) for a in (*found[2], found[3])] for found in (one, other)]
    return (*one[:2], held[0], one[4]) == (*other[:2], held[1], other[4])


def measured(framework: str) -> dict[str, list[str]]:
    """What belongs into the framework's part of forms.json."""
    methods = [name for name, said in candidates(framework).items() if is_method(framework, name, said)]
    found = [name for name, word in operators(framework).items() if is_operator(framework, name, word)]
    return {"methods": sorted(methods), "operators": sorted(found)}


def main() -> None:
    """Write forms.json."""
    found = {framework: measured(framework) for framework in NAMES}
    FORMS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

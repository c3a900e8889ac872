"""Overloads: which of the ways to call a function a phrase speaks of.

torch.trapezoid(y, x) takes the places of its samples, torch.trapezoid(y, *, dx) their distance: a phrase of
the one says nothing of a call of the other. What the data in signatures/ has no parameters for is not bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .backend import speaker
from .phrase import Phrase, PhraseError
from .signatures import NAMESPACES, Overload, Parameter, Passing, known, namespace, signature

POSITIONAL = (Passing.POSITIONAL_ONLY, Passing.POSITIONAL_OR_KEYWORD)


def hold_to_signature(phrase: Phrase) -> None:
    """Hold a phrase against what it calls.

    Raises:
        PhraseError: where there is no such function, or it cannot be called so.
    """
    if is_missing(phrase):
        raise PhraseError(f"{phrase.op.name}: {phrase.text!r} calls {phrase.callee}, which is not there")
    if fitting(phrase) == ():
        ways = " or ".join(map(str, signature(phrase.callee).overloads))
        why = f"{phrase.text!r} fits no way to call {phrase.callee}, which is called as {ways}"
        raise PhraseError(f"{phrase.op.name}: {why}")


def is_missing(phrase: Phrase) -> bool:
    """Whether a framework that has been imported has no function of the name that a phrase calls."""
    prefix, _, name = phrase.callee.rpartition(".")
    framework = speaker(prefix) or ""
    place = NAMESPACES.get(framework, {}).get(prefix)
    if phrase.form != "call" or place is None or known(phrase.callee):
        return False
    holder = namespace(place)
    return holder is not None and not hasattr(holder, name)


def speaks_of(phrase: Phrase, overload: Overload) -> bool:
    """Whether a call by this overload may be what a phrase says."""
    ways = fitting(phrase)
    return ways is None or overload in ways


def fitting(phrase: Phrase) -> tuple[Overload, ...] | None:
    """The overloads that take a phrase's arguments; None where nobody knows its function's parameters."""
    if phrase.form not in ("call", "method") or not known(phrase.callee):
        return None
    return taking(phrase.callee, keys(phrase))


def keys(phrase: Phrase) -> tuple[str | int, ...]:
    """The places and names at which a phrase has arguments."""
    return tuple(key for key, _ in phrase.arguments)


@cache
def taking(callee: str, keys: tuple[str | int, ...]) -> tuple[Overload, ...]:
    """The overloads that take arguments at these places and by these names, and need no others."""
    return tuple(o for o in signature(callee).overloads if takes(o.parameters, keys))


def takes(parameters: Sequence[Parameter], keys: Sequence[str | int]) -> bool:
    given = [at(parameters, key) for key in keys]
    return None not in given and all(p in given for p in parameters if p.required)


def at(parameters: Sequence[Parameter], key: str | int) -> Parameter | None:
    """The parameter that an argument at this place, or of this name, goes to."""
    if isinstance(key, str):
        named = (p for p in parameters if key in (p.name, *p.spellings) or p.passing is Passing.VAR_KEYWORD)
        return next(named, None)
    for place, parameter in enumerate(parameters):
        if parameter.passing is Passing.VAR_POSITIONAL:
            return parameter
        if place == key:
            return parameter if parameter.passing in POSITIONAL else None
    return None

"""Advancing: objects whose state nobody can put back, changed in a loop or branch that is tried anew.

Loops and branches are traced, taken back and traced anew. Containers are then what they were, see
staging/heap.py; an iterator, an open file, a generator of random numbers stand where the attempt left them. A
loop that is about to change one which is older than itself is Python's, turn by turn, from there on; and in
a region that is recorded it is refused before it changes.
"""

from __future__ import annotations

import array
import io
import random
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..ir.errors import UnsupportedError
from . import opaque
from .own import attribute

#: What changes when a method is called, and has no copy that could be put back.
STATEFUL = (random.Random, bytearray, array.array, io.IOBase)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is being tried.

    Attributes:
        before: what could be reached when it began, a Heap.
        loop: the loop whose turns Python runs; None: a region that is recorded.
    """

    before: Any
    loop: Any = None


@contextmanager
def tried(tracer: Any, before: Any, loop: Any = None) -> Iterator[None]:
    tracer.attempts.append(Attempt(before, loop))
    depth = len(tracer.attempts)
    try:
        yield
    finally:
        del tracer.attempts[depth - 1 :]


def called(tracer: Any, f: Any) -> None:
    """A method is about to be called, which may change what it is a method of."""
    if not tracer.attempts or (value := attribute(f, "__self__")) is None:
        return
    pops = type(value) is set and attribute(f, "__name__", "") == "pop"  # which of them hangs on those before
    if pops or isinstance(value, STATEFUL) or opaque.is_iterator(value):
        advance(tracer, value, f"{type(value).__name__}.{attribute(f, '__name__', '')}")


def handed(tracer: Any, value: Any) -> None:
    """Something may be about to take items from this value."""
    if tracer.attempts and opaque.is_iterator(value):
        advance(tracer, value, "taking items from an iterator")


def attributed(tracer: Any, value: Any) -> None:
    """An attribute of this value is about to be set."""
    if tracer.attempts and isinstance(value, types.FunctionType):
        advance(tracer, value, "setting an attribute of a function")


def advance(tracer: Any, value: Any, what: str) -> None:
    """
    Raises:
        UnsupportedError: where a region is being recorded, which all turns or both ways would share;
            `tracer.advanced` is that.
    """
    older = [a for a in tracer.attempts if id(value) in a.before.met or id(value) in a.before.held]
    if not older:
        return
    refusal = UnsupportedError(
        f"{what} in a branch or loop",
        why="how far it has gone would depend on the way taken",
        span=tracer.span(),
        hint="take the items before, or loop over them",
    )
    for attempt in older:
        if attempt.loop is None:
            tracer.advanced = refusal
            raise refusal
        attempt.loop.stageable = False
        attempt.loop.refusal = attempt.loop.refusal or refusal

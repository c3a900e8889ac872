"""Tries: what a trace may have to take back, and what its program catches."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from ...ir.errors import TraceError, UnsupportedError


@dataclass(slots=True)
class Tries:
    """See the module.

    Attributes:
        open: the bodies of `try` that are traced, from the outermost on, see catching.py.
        finishing: what a `finally` or a manager does when it is left, see finishing.py.
        recorded: where those stand that are recorded as regions; choices: those that could be, see
            attempts.py.
        attempts: what is being tried, from the outermost on; moments: to which one may come back, see
            values/advancing.py.
        later: the heaps that are looked at when something may be about to change, see objects/heap.py.
        unseen: whether there may be generators that change something when they go on, or objects whose
            methods do.
        advanced: why a region was not recorded in which something would be changed.
        spoiled: why nothing can be recorded now.
        sourceless: why a function of the user's runs as it is, which may be why what it does then fails.
    """

    open: list[Any] = field(default_factory=list)
    finishing: list[Any] = field(default_factory=list)
    recorded: Set[Any] = frozenset()
    choices: set[Any] = field(default_factory=set)
    attempts: list[Any] = field(default_factory=list)
    moments: list[Any] = field(default_factory=list)
    later: set[Any] = field(default_factory=set)
    unseen: bool = False
    advanced: UnsupportedError | None = None
    spoiled: UnsupportedError | None = None
    sourceless: TraceError | None = None

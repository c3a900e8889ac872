"""What came of all variations, for people."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..backends.arrays import to_numpy
from ..backends.backend import backend, framework_of
from ..checking import Report
from ..ir.values.tree import children
from .running import Outcome
from .variations import Arguments


@dataclass(frozen=True)
class Case:
    """One variation: what is other about its arguments than about the example, and what came of it.

    Attributes:
        arguments: by parameter, in the source's arrays. Of the first that differs, made small.
    """

    what: str
    arguments: Arguments
    outcome: Outcome


@dataclass
class Varied(Report):
    """A Report that has tried other arguments than the example's too. True where none differs.

    Attributes:
        cases: one for each variation, in the order in which they were tried.
        smallest: the first that differs, made small; None where none does.
    """

    cases: list[Case] = field(default_factory=list)
    smallest: Case | None = None

    @property
    def ok(self) -> bool:
        return super().ok and self.smallest is None

    def of(self, kind: str) -> list[Case]:
        """The cases with this kind of outcome, see Outcome."""
        return [case for case in self.cases if case.outcome.kind == kind]

    def __str__(self) -> str:
        plain = Report(self.name, self.source, self.target, self.differences, self.first, self.compared)
        lines = [str(plain), self.counts()]
        refused = self.of("refused")
        lines += listed("refused by its checks", [c for c in refused if c.outcome.guard])
        lines += listed("refused by an error from inside", [c for c in refused if not c.outcome.guard])
        lines += listed("outside of the promise", self.of("outside"))
        if self.smallest is not None:
            lines.append(f"differs with {self.smallest.what}, at its smallest")
            lines.append(f"  {self.name}({as_written(self.smallest.arguments)})")
            lines += [f"  {difference}" for difference in self.smallest.outcome.differences]
        return "\n".join(lines)

    def counts(self) -> str:
        count = Counter(case.outcome.kind for case in self.cases)
        words = {
            "held": "held",
            "refused": "refused by the translation",
            "raised": "raise in both",
            "outside": "outside of the promise",
            "differs": "different",
        }
        told = ", ".join(f"{count[kind]} {word}" for kind, word in words.items() if count[kind])
        return f"{len(self.cases)} variations: {told or 'none'}"


def listed(title: str, cases: list[Case]) -> list[str]:
    """Each reason once, with how often it was given and for what first."""
    if not cases:
        return []
    count = Counter(case.outcome.why for case in cases)
    first = {case.outcome.why: case.what for case in reversed(cases)}
    times = {why: f"{n} times, first with" if n > 1 else "with" for why, n in count.items()}
    return [f"{title}:", *(f"  {why} ({times[why]} {first[why]})" for why in count)]


def as_written(arguments: Arguments) -> str:
    """Arguments as one writes them."""
    return ", ".join(f"{name}={said(value)}" for name, value in arguments.items())


def said(value: Any) -> str:
    own = framework_of(value)
    if own is not None:
        array = to_numpy(value)
        with np.printoptions(threshold=40, precision=6):
            numbers = np.array2string(array, separator=", ").replace("\n", "")
        numbers = " ".join(numbers.split())
        module, creator = backend(own).functions[0], backend(own).array
        if isinstance(value, np.generic):
            return f"{module}.{array.dtype}({numbers})"
        dtype = f"{module}.{array.dtype}"
        if array.size == 0:
            return f"{module}.zeros({tuple(array.shape)}, dtype={dtype})"
        return f"{creator}({numbers}, dtype={dtype})"
    items = children(value)
    if items is None:
        return repr(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {said(v)}" for k, v in items) + "}"
    inner = ", ".join(said(v) for _, v in items)
    if isinstance(value, list):
        return f"[{inner}]"
    if type(value) is tuple:
        return f"({inner},)" if len(items) == 1 else f"({inner})"
    return f"{type(value).__name__}({inner})"

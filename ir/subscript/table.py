"""Table: what the symbols of a Subscript are, by whose word, and the reports of what clashed with that.

A symbol that only #-marked terms have met is `loose`: it stands for the broadcast of what they saw, until
an unmarked term, a where or the end of the inputs settles it. Law: the first value stays; every clash is
one report.
"""

from __future__ import annotations

import operator
from collections.abc import Set
from typing import Any

from ..sizes.dim import Dim, Shape, Sym, sym
from .judge import Judge
from .report import Report, shown

WHERE = "where"
CONSTRUCTOR = "the constructor"


def size_of(value: Any) -> Dim:
    """`value` as a size: a str is the name of one.

    Raises:
        TypeError: where it is none.
    """
    if isinstance(value, (int, Sym)):
        return value
    return sym(value) if isinstance(value, str) else operator.index(value)


def plain(value: Any) -> Any:
    """A constructor's argument as expressions compute with it: lists as tuples, NumPy's ints as Python's."""
    if isinstance(value, (tuple, list)):
        return tuple(map(plain, value))
    foreign = hasattr(value, "__index__") and not isinstance(value, (int, Sym))
    return operator.index(value) if foreign else value


def axes_of(value: Any) -> Shape:
    """The sizes that a symbol of this value stands for.

    Raises:
        TypeError: where it is neither a size nor a tuple of sizes.
    """
    sizes = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(size, (int, Sym)) for size in sizes):
        raise TypeError(f"{value!r} is no size")
    return sizes


class Table:
    """The symbols and their values while shapes are matched."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.values: dict[str, Any] = {}
        self.origins: dict[str, str] = {}
        self.reports: list[Report] = []
        self.loose: dict[str, Shape] = {}
        self._claims: dict[str, list[tuple[str, int, Shape]]] = {}

    def report(self, kind: str, text: str, **details: Any) -> None:
        self.reports.append(Report(kind, text, **details))

    def fix(self, name: str, axes: Shape, origin: str, start: int = 0, *, scalar: bool) -> None:
        """`name` is `axes`, which `origin` has from its axis `start` on: determined now, or compared."""
        if name not in self.values:
            self.values[name] = axes[0] if scalar else axes
            self.origins[name] = origin
            self.loose.pop(name, None)
            for claim in self._claims.pop(name, ()):
                self._fit(name, *claim)
            return
        known = axes_of(self.values[name])
        if len(known) != len(axes):
            self._differing_length(name, known, axes, origin)
            return
        sizes = []
        for axis, (have, got) in enumerate(zip(known, axes)):
            size = self.judge.unify(have, got)
            if size is None:
                self._mismatch(name, known, axes, axis, origin, start, scalar)
            sizes.append(have if size is None else size)
        self.values[name] = tuple(sizes) if isinstance(self.values[name], tuple) else sizes[0]

    def loosen(self, name: str, axes: Shape, origin: str, start: int) -> None:
        """`name` is what `axes` and the other marked ones broadcast to, or what an unmarked one says."""
        if name in self.values:
            self._fit(name, origin, start, axes)
            return
        have = self.loose.get(name, axes)
        self._claims.setdefault(name, []).append((origin, start, axes))
        self.loose[name], clashes = self.judge.broadcast(have, axes)
        shift = len(self.loose[name]) - len(axes)
        for axis in clashes:
            self._no_broadcast(
                name, self.loose[name][axis], axes[axis - shift], origin, start, axis, axis - shift
            )

    def settle_loose(self, runs: Set[str]) -> None:
        """What only marked terms met is what they broadcast to."""
        for name, axes in self.loose.items():
            self.values[name] = axes if name in runs else axes[0]
            self.origins[name] = "broadcasting"
        self.loose.clear()

    def agree(self, name: str, value: Any) -> None:
        """A where says that `name` is `value`, after all inputs or before."""
        axes = axes_of(value)
        if name not in self.values:
            self.fix(name, axes, WHERE, scalar=not isinstance(value, tuple))
            return
        have = axes_of(self.values[name])
        sizes = [self.judge.unify(a, b) for a, b in zip(have, axes)]
        if len(have) != len(axes) or None in sizes:
            got = self.values[name]
            text = f"{name} should be {_value(value)}, but determined as {_value(got)}"
            self.report("let", text, symbol=name, expected=value, got=got)
        else:
            self.values[name] = tuple(sizes) if isinstance(self.values[name], tuple) else sizes[0]

    def _fit(self, name: str, origin: str, start: int, axes: Shape) -> None:
        known = axes_of(self.values[name])
        if len(axes) > len(known):
            text = f"{origin}: {shown(axes)} does not broadcast to {name} = {shown(known)}, {self.by(name)}"
            self.report("broadcast", text, arg=origin, symbol=name, expected=known, got=axes)
            return
        shift = len(known) - len(axes)
        sizes = list(known)
        for axis, got in enumerate(axes):
            size = self.judge.fit(got, known[axis + shift])
            if size is None:
                self._no_broadcast(name, known[axis + shift], got, origin, start, axis + shift, axis)
            else:
                sizes[axis + shift] = size
        self.values[name] = tuple(sizes) if isinstance(self.values[name], tuple) else sizes[0]

    def by(self, name: str) -> str:
        """Who determined `name`, as a message ends."""
        return f"determined by {self.origins[name]}"

    def _no_broadcast(
        self, name: str, expected: Dim, got: Dim, origin: str, start: int, place: int, axis: int
    ) -> None:
        self.report(
            "broadcast",
            f"{origin}: cannot broadcast {name}: axis {place} is {expected} but got {got}",
            arg=origin, axis=start + axis, symbol=name, expected=expected, got=got,
            suggestion=f"{origin} axis {start + axis} should be {expected} or 1.",
        )  # fmt: skip

    def _differing_length(self, name: str, known: Shape, axes: Shape, origin: str) -> None:
        self.report(
            "batch-length",
            f"{origin}: length of {name} differs: {name} = {shown(known)} but got {shown(axes)}",
            arg=origin, symbol=name, expected=known, got=axes,
            suggestion="mark the operand with # or call ir.flexible(x, at=0).",
        )  # fmt: skip

    def _mismatch(
        self, name: str, known: Shape, axes: Shape, axis: int, origin: str, start: int, scalar: bool
    ) -> None:
        have, got = known[axis], axes[axis]
        place = start + axis
        details: dict[str, Any] = {"arg": origin, "axis": place, "symbol": name, "expected": have, "got": got}
        if scalar:
            text = f"{origin}: axis {place} ({name}) should be {have} but got {got}; {self.by(name)}"
            self.report("mismatch", text, **details, suggestion=f"{origin} axis {place} should be {have}.")
            return
        text = (
            f"{origin}: couldn't identify {name}: {name}[{axis}] is determined as {have}"
            f" (by {self.origins[name]})\n but got: {got}.\n"
            f" Expected {name} = {shown(known)}, but got: {shown(axes)}"
        )
        hint = f"{origin} axis {place} should be {have} or broadcast."
        self.report("batch-axis", text, **details, suggestion=hint)


def _value(value: Any) -> str:
    return shown(value) if isinstance(value, tuple) else str(value)

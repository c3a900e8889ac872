"""Audit: heaps that are looked at later, see tracer/objects/heap.py, held against what was there at once.

What a trace does not look at must not have changed by then, however it may come about that it did: no hook
has been told. Every test whose programs are traced asks this; nothing in the package does, as it takes long.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tracelate.tracer.objects import heap, opaque

#: What was changed before anybody looked, since `audited` was called.
MISSED: list[str] = []


class Audited(heap.Later):
    known: heap.Heap | None = None

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        if self.found is not None:
            return
        roots = [*heap.variables(self.tracer.stack.outermost, self.frame), *self.roots]
        self.known = heap.of(self.tracer, roots, self.without)
        met = [value for value, _ in self.known.met.values() if opaque.is_small(value)]
        self.states = [(value, opaque.state(value)) for value in met]

    def audit(self) -> None:
        """Compare once, while nobody has looked."""
        known, self.known = self.known, None
        if known is not None and self.found is None:
            MISSED.extend(f"{type(c.container).__name__} {c.name}" for c in known.changed())
            others = [v for v, before in self.states if opaque.differs(opaque.state(v), before)]
            MISSED.extend(type(value).__name__ for value in others)

    def look(self) -> heap.Heap:
        self.audit()
        return super().look()

    def done(self) -> None:
        self.audit()
        super().done()

    def changed(self, among: Collection[int] | None = None) -> list[heap.Change]:
        if self.found is None and self.known is not None:
            known = self.known
            self.audit()
            self.known = known
        return super().changed(among)


def audited() -> None:
    """Let each heap from here on be held against what was there."""
    setattr(heap, "Later", Audited)

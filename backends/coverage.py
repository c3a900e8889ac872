"""Coverage: which op each framework says, by what means; computed from the rows. `tracelate ops` prints
it.
"""

from __future__ import annotations

from ..ir.meaning.op import REGISTER
from .backend import NAMES
from .loading import load
from .rows import READERS, WRITES, written

#: Hand-written readers and helpers may make up at most this share of the cells, and the share may only fall.
LIMIT = 0.11


def cell(op: str, framework: str) -> str:
    """How a framework says an op: its first phrase, "by its meaning", or "–"."""
    phrases = written(REGISTER[op], framework)
    if phrases:
        more = f"  (+{len(phrases) - 1})" if len(phrases) > 1 else ""
        return phrases[0].text.partition(" if ")[0].strip() + more
    return "by its meaning" if REGISTER[op].body is not None else "–"


def hatches() -> tuple[int, int]:
    """How many cells are filled by hand-written readers or helpers, and how many cells there are."""
    load()
    helpers = sum(
        any(p.form == "helper" for p in written(REGISTER[op], framework))
        for op in WRITES
        for framework in NAMES
    )
    readers = len({(framework, function) for (framework, _), function in READERS.items()})
    return helpers + readers, len(REGISTER) * len(NAMES)


def coverage(family: str | None = None) -> tuple[list[tuple[str, ...]], str]:
    """A row for each op, and a line that sums up."""
    load()
    names = [
        name for name, op in REGISTER.items()
        if not op.static and (family is None or family_of(name) == family)
    ]  # fmt: skip
    rows = [(name, *(cell(name, f) for f in NAMES)) for name in names]
    filled, cells = hatches()
    share = f"{filled} of {cells} cells ({filled / cells:.0%}) are filled by a hand-written reader or helper"
    return rows, f"{len(rows)} ops; {share}, {LIMIT:.0%} may be"


def family_of(name: str) -> str:
    """The file of ir/ops in which an op stands."""
    op = REGISTER[name]
    return op.module.rpartition(".")[2]

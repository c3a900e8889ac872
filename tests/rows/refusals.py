"""What may be refused, and why: the one table. What is refused and does not stand here is a failure, as is a
wrong number.

    op | op | ...      source > target      dtypes      words of the refusal

`*` is any; a target of `*` is a call that cannot even be read. Where the words begin with "raises" the
translation runs into the target's own error, on inputs that it does not take. The reason is what the user is
told; where that is no reason, one follows after `--`. A row that names its op and nothing refuses any more
fails as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from running import Finding

TABLE = """
"""


@dataclass(frozen=True)
class Row:
    ops: tuple[str, ...]
    source: str
    target: str
    dtypes: tuple[str, ...]
    words: str

    def speaks_of(self, op: str, finding: Finding) -> bool:
        said = (
            finding.why
            if finding.kind == "refused"
            else f"raises {finding.why}"
            if finding.kind == "broken"
            else "wrong"
        )
        return (
            (self.ops == ("*",) or op in self.ops)
            and self.source in ("*", finding.source)
            and (
                self.target == "*"
                or self.target in (finding.target, "any")
                and finding.target in (self.target, "any")
            )
            and (self.dtypes == ("*",) or finding.line.dtype in self.dtypes)
            and self.words in said
        )


@cache
def rows() -> tuple[Row, ...]:
    found = []
    for text in filter(None, map(str.strip, TABLE.splitlines())):
        ops, source, target, dtypes, words = re.split(
            r"\s{2,}|\s+>\s+", text.partition(" -- ")[0].rstrip(), maxsplit=4
        )
        found.append(Row(tuple(ops.split("|")), source, target, tuple(dtypes.split("|")), words))
    return tuple(found)


def allowed(op: str, finding: Finding) -> list[Row]:
    """The rows of the table that allow a refusal; none for a wrong number."""
    return [row for row in rows() if row.speaks_of(op, finding)]


def stale(op: str, source: str, met: set[Row]) -> list[Row]:
    """The rows about this op and source that nothing refused."""
    return [row for row in rows() if op in row.ops and row.source == source and row not in met]

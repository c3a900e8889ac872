"""Names: the user's own where they are known, else the op's; never an id.

A name is reused when the value that bore it is dead. Live ranges are counted in statements, so that an edit
of the program changes only the names around it.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator, Mapping

from ...ir.graphs.graph import Graph, Node

#: Names that would hide something that emitted code uses.
BUILTINS = (
    frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) - {"_", "type"}
)


class Names:
    """The names of one function. `taken` are those never to be used: imports, helpers, other functions."""

    def __init__(self, taken: frozenset[str] = frozenset()) -> None:
        self.taken = taken
        self.owner: dict[str, Node | None] = {}
        self.until: dict[str, float] = {}

    def reserve(self, name: str, node: Node | None = None, until: float = float("inf")) -> str:
        """Give `name` to a parameter, which has no choice."""
        self.owner[name], self.until[name] = node, until
        return name

    def read_last(self, graph: Graph, until: Mapping[Node, float]) -> None:
        """Note by which statements the parameters of a function are read last. Who is checked to be None is
        asked nothing else.
        """
        read = {node.target: until.get(node, -1) for node in graph.placeholders}
        read |= {name: -1 for name, value in graph.meta.get("static", {}).items() if value is None}
        for target, last in read.items():
            name = target.lstrip("*") if isinstance(target, str) else ""
            if name in self.until:
                self.until[name] = last

    def give(self, wanted: str, node: Node, at: float, until: float) -> str:
        """A name for a value that is made by statement `at` and last read by statement `until`."""
        base = legal(wanted)
        for candidate in candidates(base):
            if self.is_free(candidate, at):
                self.owner[candidate], self.until[candidate] = node, until
                return candidate
        raise AssertionError("there is always another number")

    def is_free(self, name: str, at: float) -> bool:
        """Whether nothing has this name that is still read after statement `at`."""
        return name == legal(name) and name not in self.taken and self.until.get(name, -1.0) <= at


def legal(name: str) -> str:
    """`name` as an identifier that hides no builtin."""
    name = re.sub(r"\W", "_", name.strip("<>"))  # `<holds>` is a variable of ours
    if not name or name[0].isdigit():
        name = f"x{name}"
    return f"{name}_" if name in BUILTINS else name


def candidates(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base.rstrip('_')}_{number}"
        number += 1

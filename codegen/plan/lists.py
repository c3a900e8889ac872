"""Lists: those among the arguments of a function that its loops go through.

They may be longer than in the example, or shorter, unless the text says their items one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...ir.graphs.graph import Graph


@dataclass
class Lists:
    """
    Attributes:
        lengths: how long each is in the example, by path.
        pinned: how long all containers are that are checked to be as long as in the example.
        spelled: those whose items the text says one by one.
        graph: the graph of the function.
    """

    lengths: Mapping[str, int]
    pinned: Mapping[str, int] = field(default_factory=dict)
    spelled: set[str] = field(default_factory=set)
    graph: Graph | None = None

    @classmethod
    def of(cls, graph: Graph) -> Lists:
        """Those of the function of a graph."""
        checked = graph.meta.get("structure", {}).items()
        whole = {path: asked["whole"] for path, asked in checked if "whole" in asked}
        pinned = {path: held if isinstance(held, int) else len(held) for path, held in whole.items()}
        return cls(graph.meta.get("listed", {}), pinned, graph=graph)

    def spell(self, texts: Iterable[str]) -> None:
        """The text says these, which may be items of them."""
        self.spelled |= {path for text in texts for path in self.lengths if text.startswith(f"{path}[")}

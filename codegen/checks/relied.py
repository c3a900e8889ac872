"""Relied: what the text of a function depends on, beside what the program has asked while it was traced.

Only the entry checks its arguments. What a function that it calls depends on is asked of the arguments of the
entry from which it is given what it computes with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...ir import handed
from ...ir.graph import Graph, Node
from ...ir.leaves import Noted, behind, leaves
from ...ir.regions import Function
from ...ir.walk import own_graphs


@dataclass(slots=True)
class Relied:
    """What a text depends on, by the paths of a function's arguments.

    Attributes:
        dtypes: those whose dtypes must be those of the example.
        alike: groups of those that must have one dtype, or those of the example.
        ranks, axes: those whose ranks must be the example's, and those that must have axes.
    """

    dtypes: set[str] = field(default_factory=set)
    alike: list[list[Node]] = field(default_factory=list)
    ranks: set[str] = field(default_factory=set)
    axes: set[str] = field(default_factory=set)

    @property
    def all_dtypes(self) -> set[str]:
        return self.dtypes | {str(leaf.meta["path"]) for group in self.alike for leaf in group}


def relied(graph: Graph, noted: Noted, dtypes: Iterable[str], called: Mapping[Graph, Relied]) -> Relied:
    """What the text of a function depends on.

    Args:
        dtypes: the arguments whose dtypes it says.
        called: what the functions depend on that it calls.
    """
    made = Relied({*dtypes}, list(noted.alike(graph)), noted.ranks(graph), noted.axes(graph))
    home = graph.meta.get("home", graph)
    for call in (node for inner in own_graphs(graph) for node in inner.nodes):
        known = called.get(call.target.graph) if isinstance(call.target, Function) else None
        if known is None or call.origin is None:
            continue
        for mine, theirs in (
            (made.dtypes, known.all_dtypes),
            (made.ranks, known.ranks),
            (made.axes, known.axes),
        ):
            given = [value for path in theirs for value in handed.given(call.origin, path)]
            found = {leaf.meta["path"] for leaf in behind(given) if leaf.graph is home}
            mine |= {path for path in found if path in leaves(graph)}
    return made

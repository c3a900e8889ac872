"""Recorder: runs a tape on values, and keeps what every call gave."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..backends.copies import copied
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function
from ..ir.source.printing import print_
from .interpreter import Interpreter


@dataclass
class Run:
    """What was kept of one run of a function.

    Attributes:
        operands: what it was called with. `values`: what its calls gave, the last time that they ran.
        calls: the runs of the functions of the user's that it calls; their graphs may be shared.
    """

    operands: Any = ()
    values: dict[Node, Any] = field(default_factory=dict)
    calls: dict[Node, Run] = field(default_factory=dict)


class Recorder(Interpreter):
    """Runs a tape and keeps every value, those inside the user's functions too."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.kept = Run()

    def run_node(self, node: Node, args: Any, kwargs: Any) -> Any:
        if node.target is print_:
            return None
        outer = self.kept
        if isinstance(node.target, Function):
            self.kept = outer.calls[node] = Run(copied(args))
        try:
            found = super().run_node(node, args, kwargs)
        finally:
            self.kept = outer
        outer.values[node] = copied(found)  # a copy, since later calls may write into it
        return found

"""Interpreter: runs a tape in its own framework, call by call, as torch.fx's does. Override `run_node` to
watch or change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.dim import Sym
from ..ir.graph import Graph, Node, map_arg
from ..ir.regions import Function, cond, guard


class Interpreter:
    """`Interpreter(graph).run(*values)`: one value for each placeholder, in order."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def run(self, *values: Any) -> Any:
        """What the graph returns for these values of its placeholders."""
        return self.run_graph(self.graph, values)

    def run_graph(self, graph: Graph, values: Sequence[Any]) -> Any:
        env: dict[Node, Any] = {}
        supply = iter(values)
        for node in graph.nodes:
            if node.op == "output":
                return map_arg(node.args[0], env.__getitem__)
            if node.op == "placeholder":
                env[node] = next(supply)
            else:
                args, kwargs = map_arg(node.args, env.__getitem__), map_arg(node.kwargs, env.__getitem__)
                env[node] = self.run_node(node, args, kwargs)
        return None

    def run_node(self, node: Node, args: Any, kwargs: Any) -> Any:
        """What one call gives. `args` and `kwargs` are values already."""
        if node.op == "get_attr":
            return node.graph.constants[node.target]
        if node.op == "call_method":
            return getattr(args[0], node.target)(*args[1:], **kwargs)
        if node.target is cond:
            predicate, then, orelse, operands = args
            return self.run_graph(then if predicate else orelse, operands)
        if isinstance(node.target, Function):
            return self.run_graph(node.target.graph, args)
        if node.target is guard:
            return None if isinstance(args[0], Sym) else guard(*args, **kwargs)
        return node.target(*args, **kwargs)

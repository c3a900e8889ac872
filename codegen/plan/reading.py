"""What a statement reads, and what it spells out itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.node import collect
from ...ir.graphs.regions import since
from ...ir.worklist import operands_first, reached
from .containers import part


def reads(node: Node, named: dict[Node, Any]) -> list[Node]:
    """The named values, parameters and single results included, that a statement reads."""

    def has_name(inner: Node) -> bool:
        return inner in named or inner.op in ("placeholder", "get_attr")

    def behind(inner: Node) -> Sequence[Node]:
        if has_name(inner):
            return ()
        return inner.args[:1] if inner.target is since else inner.all_input_nodes

    inputs = reached(node.all_input_nodes, behind)
    return [n for n in inputs if has_name(n) or is_result(n, named)]


def is_result(node: Node, named: dict[Node, Any]) -> bool:
    """Whether a node picks one of the results that have names."""
    return part(node) and node.args[0] in named


def inside(values: Any, named: dict[Node, Any]) -> list[Node]:
    """The named values that nested values are, or are computed from."""
    found: dict[Node, None] = {}
    collect(values, found)
    read: list[Node] = []
    for node in found:
        computed = node not in named and node.op == "call_function"
        read += [*reads(node, named), *([node] if is_result(node, named) else [])] if computed else [node]
    return read


def nested_in(node: Node, named: dict[Node, Any]) -> list[Node]:
    """The ops that a statement spells out, operands first."""

    def spelled_out(call: Node) -> list[Node]:
        return [n for n in call.all_input_nodes if n not in named and n.op == "call_function"]

    return list(operands_first(spelled_out(node), spelled_out))

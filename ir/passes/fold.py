"""Folding: ops that do nothing on these operands, and plain Python on numbers that are known."""

from __future__ import annotations

from ..dim import Sym
from ..graph import Node
from ..op import Op, front
from ..program import Program
from ..spec import Spec


def fold(program: Program) -> None:
    """Replace every op that hands its operand through by the operand."""
    for node in program.nodes:
        if not isinstance(node.target, Op) or node.graph is not program:
            continue
        kept = idle(node)
        if kept is not None:
            node.replace_all_uses_with(kept)
            program.erase_node(node)


def idle(node: Node) -> Node | None:
    """The operand that an op hands through unchanged; None where it does something."""
    source = node.args[0] if node.args else None
    if not isinstance(source, Node) or not isinstance(source.spec, Spec) or not isinstance(node.spec, Spec):
        return None
    if source.spec.dtype != node.spec.dtype or named(node):
        return None
    rank = source.spec.rank
    match node.target.name:
        case "cast":
            return source
        case "permute_dims" if rank is not None:
            return source if front(node.kwargs["axes"], rank) == tuple(range(rank)) else None
        case "reshape" | "broadcast_to" | "expand":
            shape = source.spec.shape
            fixed = shape is not None and not any(isinstance(d, Sym) for d in shape)
            return source if fixed and shape == node.spec.shape else None
    return None


def named(node: Node) -> bool:
    """Whether the user wrote the op and gave its value a name: that statement stays."""
    source = node.meta.get("for")
    return source is not None and source.place is not None and bool(source.place.names)

"""Common subexpressions: two ops of the same operands and parameters are one value.

Only what lowering and reading made is merged. Where the user wrote an expression twice it stays twice: the
user's statements are the scaffold of the emitted text.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ..analysis.outside import epochs
from ..graphs.graph import Node, map_arg
from ..graphs.likeness import key
from ..meaning.op import REGISTER, Op
from ..program import Program


def common(program: Program) -> None:
    """Let the later of two equal values be the earlier."""
    seen: dict[Any, Node] = {}
    epoch = epochs(program)
    for node in program.nodes:
        if node.op != "call_function" or not isinstance(node.target, Op) or node.target.effect:
            continue
        # A cast that promotion asks for is not printed, as a rule: it needs none that the user wrote. Nor is
        # a number that is an array on another way an array that the user made.
        kind = [node.implicit, *(node.meta.get(fact) for fact in ("wrote", "kept", "whole"))]
        said = node.target, frozen(node.args), frozen(node.kwargs), str(node.spec), *kind, epoch.get(node)
        first = seen.setdefault(said, node)
        if first is node or node.stands_for is not None or isinstance(node.spec, tuple) or is_written(node):
            continue
        node.replace_all_uses_with(first)
        program.erase_node(node)


def is_written(node: Node) -> bool:
    """Whether it is a number that is only written into arrays: a text has the number itself there,
    `x[0] = v`, as often as the user does, who may call it with an array that what is written changes.
    """
    if node.target is not REGISTER["full"] or node.kwargs["shape"] != ():
        return False
    return all(user.target is REGISTER["update"] and user.args.index(node) == 1 for user in node.users)


def shared_steps(program: Program) -> None:
    """Merge the named steps of ops that were spelled out, where they are the same: of two losses the mask, of
    two normalisations the mean.
    """
    same: dict[Node, Node] = {}
    seen: dict[Any, Node] = {}
    epoch = epochs(program)
    for node in program.nodes:
        if node.op != "call_function" or not isinstance(node.target, Op) or node.target.effect:
            continue
        args = map_arg(node.args, lambda n: same.get(n, n))
        kwargs = map_arg(node.kwargs, lambda n: same.get(n, n))
        said = node.target, frozen(args), frozen(kwargs), str(node.spec), epoch.get(node)
        first = same[node] = seen.setdefault(said, node)
        if first is not node and "step" in node.meta and "step" in first.meta:
            node.replace_all_uses_with(first)
    program.eliminate_dead_code()


def frozen(value: Any) -> Hashable:
    """A hashable stand-in, equal for equal values only."""
    return key(value, lambda node: node)

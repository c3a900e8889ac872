"""Measuring: numbers that are read off the shape of an array, by the word that the user has for them:
`len(x)`, and `x.size` or `x.numel()`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ....ir.graphs.graph import Node
from ...text.unparsing import unparsed

if TYPE_CHECKING:
    from ..emitter import Emitter


def said(emitter: Emitter, node: Node) -> ast.expr | None:
    """What the user's word says; None where he has none, or where a shape is at hand that is no array's."""
    word = node.stands_for.meta.get("word") if node.stands_for is not None else None
    shape = node.args[0] if word else None
    if not isinstance(shape, Node) or shape.target is not getattr or shape.args[1:] != ("shape",):
        return None
    array = emitter.tree(shape.args[0])
    if word == "len":
        return ast.Call(ast.Name("len", ast.Load()), [array], [])
    return ast.parse(emitter.module.target.elements.format(unparsed(array)), mode="eval").body

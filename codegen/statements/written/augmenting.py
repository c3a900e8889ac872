"""Augmenting: `n += 1` stays so where that binds a name anew, as `n = n + 1` does: of Python's numbers, and
of all where the user's own arrays are never written into. A text for such a framework may be given arrays of
NumPy's, which `+=` writes into: there it stands only where the user has it for the same framework.
"""

from __future__ import annotations

import ast
from typing import Any

from ....ir.graphs.graph import Node
from ....ir.graphs.static import Scalar
from ....ir.source.remarks import remarks
from ...text.walking import Transformer

NUMBERS = (int, float, complex, bool)


def note(made: ast.Assign, value: Any) -> ast.Assign:
    """Note on an assignment whether its value is a number of Python's."""
    spec = value.spec if isinstance(value, Node) else None
    made.number = isinstance(spec, Scalar) and spec.type in NUMBERS  # type: ignore[attr-defined]
    return made


class Augmenting(Transformer):
    """Puts `n += 1` for `n = n + 1` where the user has it so.

    Args:
        mutable: whether `+=` may write into arrays.
    """

    def __init__(self, mutable: bool) -> None:
        self.mutable = mutable

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        match node:
            case ast.Assign([ast.Name(name) as target], ast.BinOp(ast.Name(first), op, value) as whole):
                if first == name and is_augmented(whole, name) and self.binds_anew(node):
                    made: Any = ast.AugAssign(target, op, value)
                    for word, said in vars(node).items():
                        if word not in node._fields:
                            setattr(made, word, said)
                    return made  # type: ignore[no-any-return]
        return node

    def binds_anew(self, node: ast.Assign) -> bool:
        return not self.mutable or bool(getattr(node, "number", False))


def is_augmented(whole: ast.BinOp, name: str) -> bool:
    """Whether the user writes this as `name += value`."""
    key = getattr(whole, "of", None)
    user = remarks(key[0]).found.get(key) if key is not None else None
    match user.node if user is not None else None:
        case ast.AugAssign(ast.Name(own), op):
            return own == name and type(op) is type(whole.op)
    return False

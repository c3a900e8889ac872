"""`with`: Python enters and leaves, hooks see the manager made and what it gives stored."""

from __future__ import annotations

import ast

from .assign import received
from .template import Template
from .walk import Walk

MANAGER = Template("HOOKS.manager(MANAGER)")


def with_(node: ast.With, walk: Walk) -> list[ast.stmt]:
    """Several managers are one inside the other, as Python has them."""
    item, *rest = node.items
    manager = MANAGER(item.context_expr, MANAGER=walk.value(item.context_expr))
    stored, stores = (None, []) if item.optional_vars is None else received(item.optional_vars, walk)
    inner = with_(ast.copy_location(ast.With(rest, node.body), node), walk) if rest else walk.block(node.body)
    return [ast.copy_location(ast.With([ast.withitem(manager, stored)], stores + inner), node)]

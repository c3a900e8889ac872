"""Variables: read or deleted inside a thunk or a branch, where they may have no value yet.

There Python would raise NameError for an unbound variable, the user's own function raises UnboundLocalError.
"""

from __future__ import annotations

import ast

from . import access
from .template import Template
from .walk import Walk

DELITEM = Template("HOOKS.delitem(OBJECT, INDEX)")
LOCAL = Template("RUNTIME.local(NAME, lambda *thunk: VARIABLE)")


def name(node: ast.Name, walk: Walk) -> ast.expr:
    return _read(node, walk) if isinstance(node.ctx, ast.Load) else node


def _read(node: ast.Name, walk: Walk) -> ast.expr:
    is_safe = node.id in walk.here or node.id not in walk.scope.locals
    if not is_safe and node.id not in walk.scope.bound(walk.statement):
        return LOCAL(node, NAME=node.id, VARIABLE=node)
    return node


def delete(node: ast.Delete, walk: Walk) -> list[ast.stmt]:
    """A variable that is deleted is read first, where that is the way to the right error."""
    made: list[ast.stmt] = []
    for target in _flat(node.targets):
        if isinstance(target, ast.Name):
            variable = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            read = _read(variable, walk)
            if read is not variable:
                made.append(ast.copy_location(ast.Expr(read), target))
        if isinstance(target, ast.Subscript):
            item = DELITEM(target, OBJECT=walk.value(target.value), INDEX=access.index(target.slice, walk))
            made.append(ast.copy_location(ast.Expr(item), node))
        else:
            made.append(ast.copy_location(ast.Delete([walk.value(target)]), node))
    return made or [ast.copy_location(ast.Pass(), node)]


def _flat(targets: list[ast.expr]) -> list[ast.expr]:
    flat: list[ast.expr] = []
    for target in targets:
        flat += _flat(target.elts) if isinstance(target, ast.Tuple | ast.List) else [target]
    return flat

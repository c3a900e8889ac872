"""Single exit: a function that returns on its way as one that returns at its end.

    if norm < eps:               if norm < eps:
        return g                     result = g
    return g / norm     becomes  else:
                                     result = g / norm
                                 return result

What has no graph of its own, as it changes what its caller sees, may be put inline in this form.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from . import names
from .runtime import VARIABLE_READERS


def single_exit(node: ast.FunctionDef) -> ast.FunctionDef | None:
    """The function in that form; None where it returns out of a loop, a `with` or a `try`, where two ways
    would go on with the same statements, or where it lists its variables.
    """
    parts = [*ast.walk(node)]
    yields = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in parts)
    if yields or VARIABLE_READERS.keys() & names.Names(*node.body).reads:
        return None
    name = "result"
    taken = {each.id for each in parts if isinstance(each, ast.Name)}  # by functions in it too
    taken |= {each.arg for each in parts if isinstance(each, ast.arg)}
    taken |= {each for part in parts if isinstance(part, ast.Global | ast.Nonlocal) for each in part.names}
    while name in taken | names.variables(node):
        name += "_"
    body = _ways(node.body, name, node.body[-1])
    if body is None:
        return None
    end = ast.copy_location(ast.Return(ast.copy_location(ast.Name(name, ast.Load()), body[-1])), body[-1])
    made = ast.FunctionDef(node.name, node.args, [*body, end], node.decorator_list, node.returns)
    return ast.copy_location(made, node)


def _ways(statements: Sequence[ast.stmt], name: str, last: ast.stmt) -> list[ast.stmt] | None:
    """Statements with which a function ends, as what gives its result this name on every way."""
    for i, node in enumerate(statements):
        before, rest = [*statements[:i]], statements[i + 1 :]
        match node:
            case ast.Return():
                return [*before, _given(name, node.value, node)]
            case ast.Raise():
                return [*before, node]
            case ast.If() if _returns(node):
                if not (_ends(node.body) or _ends(node.orelse)):
                    return None  # the rest would be there twice
                body, orelse = (
                    _ways([*side, *(() if _ends(side) else rest)], name, node)
                    for side in (node.body, node.orelse)
                )
                if body is None or orelse is None:
                    return None
                return [*before, ast.copy_location(ast.If(node.test, body, orelse), node)]
            case _ if _returns(node):
                return None
    return [*statements, _given(name, None, last)]


def _given(name: str, value: ast.expr | None, at: ast.AST) -> ast.stmt:
    value = value or ast.copy_location(ast.Constant(None), at)
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    return ast.copy_location(ast.Assign([target], value), at)


def _returns(node: ast.stmt) -> bool:
    """Whether a statement may return, apart from functions that it defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return False
    parts = (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr))
    return isinstance(node, ast.Return) or any(map(_returns, parts))  # type: ignore[arg-type]


def _ends(statements: Sequence[ast.stmt]) -> bool:
    """Whether the function never goes on behind these."""
    match statements:
        case [*_, ast.Return() | ast.Raise()]:
            return True
        case [*_, ast.If(_, body, orelse)]:
            return _ends(body) and _ends(orelse)
    return False

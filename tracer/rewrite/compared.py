"""Compared: the parameters of a function with which it does nothing but hold them against strings.

    if mode == "same": ...
    elif mode not in ("full", "valid"): raise ValueError(f"no mode: {mode}")

Law: a use that is none of these, or that cannot be seen here, makes a parameter none of them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from . import names
from .runtime import VARIABLE_READERS


def compared(node: names.Function) -> frozenset[str]:
    """The names of these parameters."""
    if isinstance(node, ast.Lambda):
        return frozenset()
    parameters = {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    own = set(held_against(names.own(node.body)))
    found = {place.id for place in own} & parameters
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part not in own:
            found.discard(part.id)
        elif isinstance(part, ast.Global | ast.Nonlocal):
            found.difference_update(part.names)
        if isinstance(part, ast.Name) and part.id in VARIABLE_READERS:
            return frozenset()
    return frozenset(found)


def held_against(parts: Iterator[ast.AST]) -> Iterator[ast.Name]:
    """Where a variable is held against strings, or said in an error."""
    for part in parts:
        match part:
            case ast.Compare(ast.Name() as name, [ast.Eq() | ast.NotEq()], [ast.Constant(str())]):
                yield name
            case ast.Compare(ast.Constant(str()), [ast.Eq() | ast.NotEq()], [ast.Name() as name]):
                yield name
            case ast.Compare(ast.Name() as name, [ast.In() | ast.NotIn()], [ast.Tuple() | ast.List() as row]):
                if all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in row.elts):
                    yield name
            case ast.Raise(ast.Call(_, [ast.JoinedStr(pieces)], [])) | ast.Assert(msg=ast.JoinedStr(pieces)):
                yield from (
                    name
                    for piece in pieces
                    for name in ([piece.value] if isinstance(piece, ast.FormattedValue) else ())
                    if isinstance(name, ast.Name)
                )

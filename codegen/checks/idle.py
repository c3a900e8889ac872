"""Idle: calls that the text made for nothing but the checks of a function, which its callers make now."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ..text.walking import walked


def leave_out_idle(entry: ast.FunctionDef, defs: Mapping[str, ast.FunctionDef]) -> None:
    """Leave out statements that call a function which only gives what it was given, or a constant."""
    while idle := {name for name, function in defs.items() if is_idle(function)}:
        if not any([left_out(function, idle) for function in (entry, *defs.values())]):
            return


def is_idle(function: ast.FunctionDef) -> bool:
    body = function.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):  # its docstring
        body = body[1:]
    match body:
        case [ast.Return(ast.Name() | ast.Constant() | None)]:
            return True
    return False


def left_out(function: ast.FunctionDef, idle: set[str]) -> bool:
    """Leave out the calls in one function. Returns whether there were any."""
    found = False
    for node in walked(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and any(calls_idle(each, idle) for each in block):
                kept = [each for each in block if not calls_idle(each, idle)]
                block[:] = kept or ([ast.Pass()] if name == "body" else [])
                found = True
    return found


def calls_idle(statement: ast.stmt, idle: set[str]) -> bool:
    """Whether a statement calls one of these with what needs no computing."""
    match statement:
        case ast.Expr(ast.Call(ast.Name(name), given, named)) if name in idle:
            values = [*given, *(each.value for each in named)]
            return all(isinstance(each, (ast.Name, ast.Attribute, ast.Constant)) for each in values)
    return False

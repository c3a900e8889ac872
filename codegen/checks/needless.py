"""Needless: the checks of a function that whoever calls it need not make, since what it gives holds them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from ..text.walking import copied, walked
from .guards import is_path

#: What a check of a number may ask.
KINDS = {"type": type, "isinstance": isinstance, "int": int, "float": float, "bool": bool, "str": str}
#: The comparisons of values.
VALUED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def is_needless(check: ast.stmt, function: ast.FunctionDef, call: ast.Call, caller: ast.FunctionDef) -> bool:
    """Whether a call gives what a check asks whatever its caller has: an int, or what literals hold. A test
    of a number stays: it says for which others the function is not meant.
    """
    asked = check.test if isinstance(check, (ast.Assert, ast.If)) else None
    said = holds_of_literals(asked, given_by(call, function)) if asked is not None else None
    if said is isinstance(check, ast.Assert) and not (asked is not None and tests(asked)):
        return True
    match asked:
        case ast.Compare(ast.Call(ast.Name("type"), [ast.Name(name)]), [_], [ast.Name("int")]):
            given = given_by(call, function).get(name)
            return given is not None and is_int(given, caller)
    return False


def tests(asked: ast.expr) -> bool:
    """Whether a check says less of a number than what it is."""
    for part in walked(asked):
        match part:
            case ast.Compare(left, [ast.Eq()], [right]) if is_path(left) and literal(right):
                continue
            case ast.Compare(ops=ops) if any(isinstance(each, VALUED) for each in ops):
                return True
    return False


def holds_of_literals(test: ast.expr, given: Mapping[str, ast.expr]) -> bool | None:
    """What a test says of parameters for which literals are given; None where there are others."""
    names = {node.id for node in walked(test) if isinstance(node, ast.Name)} - KINDS.keys()
    literals = {name: value for name, each in given.items() for value in literal(each)}
    if not names or not names <= literals.keys():
        return None
    code = compile(ast.fix_missing_locations(ast.Expression(copied(test))), "<check>", "eval")
    try:
        return bool(eval(code, {"__builtins__": KINDS}, literals))
    except Exception:  # what it asks, a text has not
        return None


def literal(expression: ast.expr) -> list[Any]:
    """What a literal stands for; nothing where an expression is none."""
    try:
        return [ast.literal_eval(expression)]
    except (ValueError, TypeError):
        return []


def given_by(call: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr]:
    """What a function has for its parameters where it is called so, by default too."""
    own = function.args
    names = [arg.arg for arg in (*own.posonlyargs, *own.args)]
    if any(isinstance(arg, ast.Starred) for arg in call.args) or own.vararg:
        return {}
    said = dict(zip(names, call.args)) | {k.arg: k.value for k in call.keywords if k.arg is not None}
    return dict(zip(names[len(names) - len(own.defaults) :], own.defaults)) | said


def is_int(value: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether an expression in a function is an int: a literal, a size, or computed of such."""
    match value:
        case ast.Constant(number):
            return type(number) is int
        case ast.Subscript(ast.Attribute(attr="shape"), ast.Constant()):
            return True
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() | ast.Mod(), right):
            return is_int(left, function) and is_int(right, function)
        case ast.Name(name):
            bound = [part for part in walked(function) if is_binding(part, name)]
            made = (s for s in function.body if isinstance(s, ast.Assign) and len(s.targets) == 1)
            return len(bound) == 1 and any(binds_int(each, name, function) for each in made)
    return False


def is_binding(part: ast.AST, name: str) -> bool:
    stored = isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
    return stored or isinstance(part, ast.arg) and part.arg == name


def binds_int(made: ast.Assign, name: str, function: ast.FunctionDef) -> bool:
    """Whether a statement binds a name to an int."""
    target, value = made.targets[0], made.value
    if not isinstance(target, ast.Tuple):
        return isinstance(target, ast.Name) and target.id == name and is_int(value, function)
    names = [each.id if isinstance(each, ast.Name) else None for each in target.elts]
    if name not in names:
        return False
    if isinstance(value, ast.Tuple) and len(value.elts) == len(names):
        return is_int(value.elts[names.index(name)], function)
    return isinstance(value, ast.Attribute) and value.attr == "shape"

"""Desugaring: what simpler statements say, so that the other rules need not know it.

A `while` with a walrus in its test becomes an endless loop that breaks, because the function of a test tells
no variables. An `if` with one in what an `and` or `or` may leave out asks the operands in turn. A `match` on
plain values becomes a chain of `if`. What raises behind an `if` that returns is its `else`, and so is the
rest of a turn behind one that appends and goes on. A `try` is asked first whether it fails.

Law: the new statements do the same in the same order, and stand where the old ones stood.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from . import attempt, names, returning
from .match import chain
from .runtime import VARIABLE_READERS
from .template import variable

Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Whole:
    """The function around.

    Attributes:
        room: whether a variable of ours may join the user's, as nobody lists them.
        uses: how often each name is written in it.
        asked: its parameters that are words and flags.
    """

    room: bool
    uses: Mapping[str, int]
    asked: frozenset[str]


def desugared(node: ast.FunctionDef, apart: bool = True) -> ast.FunctionDef:
    """The function in simpler statements; those of functions and classes inside it stay as they are. `apart`:
    whether it may return in more places than the user's, which what ends up inline may not.
    """
    readers = VARIABLE_READERS.keys() & names.Names(*node.body).reads
    asked = returning.asked(node) if apart else frozenset()
    whole = Whole(readers <= names.variables(node), attempt.uses(node), asked)
    return _inside(node, whole)


def _block(statements: Sequence[ast.stmt], whole: Whole) -> list[ast.stmt]:
    made = [made for node in statements for made in _statement(node, whole)]
    return _otherwise(returning.on_each_way(made, whole.asked))


def _otherwise(statements: list[ast.stmt]) -> list[ast.stmt]:
    """What ends by raising, behind an `if` that returns, as its `else`: it is a way of its own then, and not
    what the program does in the end.
    """
    if not statements or not _raises(statements[-1]):
        return statements
    for i in range(len(statements) - 2, -1, -1):
        made = _with_else(statements[i], statements[i + 1 :])
        if made is not None:
            return [*statements[:i], made]
    return statements


def _with_else(node: ast.stmt, rest: list[ast.stmt]) -> ast.stmt | None:
    """An `if`, with `elif` or not, all of whose bodies return or raise, and what comes then as its `else`."""
    if not isinstance(node, ast.If) or not isinstance(node.body[-1], ast.Return | ast.Raise):
        return None
    if node.orelse:
        last = _with_else(node.orelse[0], rest) if len(node.orelse) == 1 else None
        if last is None:
            return None
        rest = [last]
    return ast.copy_location(ast.If(node.test, node.body, rest), node)


def _each_way(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The rest of a turn, behind an `if` that appends to a list and goes on, as its `else`: each way appends
    then, and so does the turn.
    """
    for i, node in enumerate(statements):
        rest = statements[i + 1 :]
        match node:
            case ast.If(test, [*body, ast.Continue()], []) if _appends(body) and _appends(rest):
                made = ast.If(test, body, _each_way(rest))
                return [*statements[:i], ast.copy_location(made, node)]
    return statements


def _appends(statements: Sequence[ast.stmt]) -> bool:
    """Whether one of them appends to something."""
    for node in statements:
        match node:
            case ast.Expr(ast.Call(ast.Attribute(_, "append"), [_], [])):
                return True
    return False


def _form(value: ast.expr) -> object:
    """What is seen of a value's form by how it is written; "" of what is written otherwise."""
    match value:
        case ast.Tuple(items) | ast.List(items):
            return type(value), len(items)
        case ast.Dict(keys):
            return tuple(ast.unparse(key) if key is not None else "**" for key in keys)
        case ast.Constant(None):
            return None
    return ""


def _lines_up(target: ast.expr, *ways: ast.expr) -> bool:
    """Whether each way of a choice has an expression for each of several names."""
    if not isinstance(target, ast.Tuple) or not all(isinstance(each, ast.Name) for each in target.elts):
        return False
    for way in ways:
        match way:
            case ast.IfExp(_, body, orelse) if _lines_up(target, body, orelse):
                pass
            case ast.Tuple(items) if len(items) == len(target.elts):
                if any(isinstance(item, ast.Starred) for item in items):
                    return False
            case _:
                return False
    return True


def _bound(target: ast.expr, value: ast.expr, node: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Assign([copy.deepcopy(target)], value), node)


def _raises(node: ast.stmt) -> bool:
    never = isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant) and not node.test.value
    return never or isinstance(node, ast.Raise)


def _statement(node: ast.stmt, whole: Whole) -> list[ast.stmt]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node]
    made = _inside(node, whole)
    if isinstance(made, ast.For | ast.While):
        made.body = _each_way(made.body)
    match made:
        case ast.While() if names.assigns(made.test) and not _leaves(made.orelse):
            return [_endless(made, whole)]
        case ast.If(test=ast.BoolOp(values=[_, *rest])) if any(map(names.assigns, rest)):
            return _in_turn(made, whole)
        case ast.Return(ast.IfExp(test, body, orelse)) if _form(body) != _form(orelse):  # a way each
            ways = [_statement(ast.copy_location(ast.Return(each), made), whole) for each in (body, orelse)]
            return [ast.copy_location(ast.If(test, *ways), made)]
        case ast.Assign([target], ast.IfExp(test, body, orelse)) if _lines_up(target, body, orelse):
            ways = [_statement(_bound(target, each, made), whole) for each in (body, orelse)]
            return [ast.copy_location(ast.If(test, *ways), made)]
        case ast.Match() if whole.room:
            return chain(made) or [made]
        case ast.Try():
            return [attempt.choice(made, whole.uses)]
        case _:
            return [made]


def _inside(node: Node, whole: Whole) -> Node:
    """The node itself, or one like it where a statement inside it changes."""
    parts = dict(ast.iter_fields(node))
    for field, value in ast.iter_fields(node):
        match value:
            case [ast.stmt(), *_]:
                parts[field] = _block(value, whole)
            case [ast.ExceptHandler() | ast.match_case(), *_]:
                parts[field] = [_inside(part, whole) for part in value]
    return ast.copy_location(type(node)(**parts), node)


def _leaves(statements: Sequence[ast.stmt]) -> bool:
    """Whether a `break` or `continue` among them may mean a loop around them."""
    return any(isinstance(n, ast.Break | ast.Continue) for s in statements for n in ast.walk(s))


def _endless(node: ast.While, whole: Whole) -> ast.While:
    """`while TEST: ... else: LAST` as `while True: (if TEST: pass, else: LAST, break); ...`"""
    test = node.test
    leave = [*node.orelse, ast.copy_location(ast.Break(), test)]
    asked = _statement(_if(test, [_pass(test)], leave), whole)
    always = ast.copy_location(ast.Constant(True), test)
    return ast.copy_location(ast.While(always, [*asked, *node.body], []), node)


def _in_turn(node: ast.If, whole: Whole) -> list[ast.stmt]:
    """An `if` whose test is an `and` or `or` as one that asks an operand after the other."""
    test = node.test
    first, rest, is_and = _operands(test)

    def asked(test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> list[ast.stmt]:
        return _statement(_if(test, body, orelse), whole)

    match node.body, node.orelse:
        case body, [] if is_and:
            return [_if(first, asked(rest, body, []), [])]
        case [ast.Pass()], orelse if not is_and:
            return [_if(first, node.body, asked(rest, node.body, orelse))]
        case [ast.Pass()], [ast.Break()] if is_and:
            return [*asked(first, node.body, node.orelse), *asked(rest, node.body, node.orelse)]
        case body, orelse if whole.room:
            return [*_told(test), _if(variable("holds", test), body, orelse)]
    return [node]


def _told(test: ast.expr) -> list[ast.stmt]:
    """`holds = TEST`; of an `and` or `or` its first operand, and where that does not decide, the rest."""
    if not isinstance(test, ast.BoolOp):
        return [ast.copy_location(ast.Assign([variable("holds", test, ast.Store())], _bool(test)), test)]
    first, rest, is_and = _operands(test)
    ask: ast.expr = variable("holds", first)
    if not is_and:
        ask = ast.copy_location(ast.UnaryOp(ast.Not(), ask), first)
    return [*_told(first), _if(ask, _told(rest), [])]


def _operands(test: ast.expr) -> tuple[ast.expr, ast.expr, bool]:
    """The first operand of an `and` or `or`, the rest of it, and whether it is an `and`."""
    assert isinstance(test, ast.BoolOp)
    first, *others = test.values
    rest = others[0] if len(others) == 1 else ast.copy_location(ast.BoolOp(test.op, others), others[0])
    return first, rest, isinstance(test.op, ast.And)


def _bool(test: ast.expr) -> ast.expr:
    """The truth of a test, as a value."""
    if isinstance(test, ast.Compare) or isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test
    inner = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
    return ast.copy_location(ast.UnaryOp(ast.Not(), inner), test)


def _if(test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> ast.stmt:
    return ast.copy_location(ast.If(test, body, orelse), test)


def _pass(at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Pass(), at)

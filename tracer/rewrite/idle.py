"""Idle looks: what a function asks and then makes nothing of. Both sides of an `if` are the same, or the
answer goes to a variable that nobody reads.

Law: a look called idle that is none would cost a check that matters; one too few costs a check too many. So
what is no look by its form is none, and the hook that runs it sees whether it only asks. On a way that the
example does not take no hook runs: there only what cannot do anything is idle, and no call is.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import Any

from . import names
from .runtime import VARIABLE_READERS


class Idle:
    """The idle looks of a function.

    Attributes:
        same: the `if` and conditional expressions whose sides are the same.
        unread: the variables that are read by idle looks alone, or not at all.
    """

    def __init__(self, node: names.Function, local: frozenset[str], inside: names.Names) -> None:
        self.local = local
        self.same: set[ast.AST] = set()
        self.unread: frozenset[str] = frozenset()
        body = names.body(node)
        parts = list(names.own(body))
        looks = [part for part in parts if _looks(part)]
        for part in looks:
            if isinstance(part, ast.IfExp) and is_same([part.body], [part.orelse]):
                self.same.add(part)
        blocks = [block for part in parts for block in _blocks(part)] if looks else []
        blocks += [] if isinstance(node, ast.Lambda) else [node.body]
        blocks.sort(key=_size)  # what stands inside first
        while True:
            for block in blocks:
                self._compare(block)
            wanted = _Wanted(self, body) if looks else inside
            unread = local - wanted.used - wanted.declared
            if VARIABLE_READERS.keys() & wanted.reads - local:
                unread = frozenset()
            done, self.unread = unread == self.unread, unread
            if done or not any(isinstance(part, ast.Assign) and self.stores(part) for part in looks):
                return  # no more looks become idle

    def stores(self, node: ast.stmt) -> bool:
        """Whether a statement does nothing but look, and hand the answer to nobody."""
        match node:
            case ast.Expr(value):
                return is_look(value)
            case ast.Assign([ast.Name(name)], value):
                return name in self.unread and is_look(value)
        return False

    def _compare(self, block: Sequence[ast.stmt]) -> None:
        """Note the `if` statements of a block that do the same on both ways."""
        for place, node in enumerate(block):
            if not isinstance(node, ast.If) or not is_look(node.test):
                continue
            after = node.orelse
            if not after and node.body and isinstance(node.body[-1], ast.Return):
                after = list(block[place + 1 :])
            if is_same(self._done(node.body), self._done(after)):
                self.same.add(node)

    def _done(self, block: Sequence[ast.stmt]) -> list[ast.AST]:
        """What a block does."""
        done: list[ast.AST] = []
        for node in block:
            does = not self.stores(node) or not is_still(node, self.local, attributes=False)
            if isinstance(node, ast.Pass) or not does:
                continue
            if node in self.same and isinstance(node, ast.If) and is_still(node.test, self.local):
                done += self._done(node.body)
                if node.body and isinstance(node.body[-1], ast.Return):
                    break
            else:
                done.append(node)
        return done


def _looks(node: ast.AST) -> bool:
    """Whether a part of a function is one in which a look may be idle."""
    match node:
        case ast.If(test=asked) | ast.IfExp(test=asked) | ast.Expr(asked) | ast.Assign(value=asked):
            return is_look(asked)
    return False


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    fields = (value for _, value in ast.iter_fields(node))
    return [value for value in fields if isinstance(value, list) and value and isinstance(value[0], ast.stmt)]


def _size(block: Sequence[ast.stmt]) -> int:
    return (block[-1].end_lineno or 0) - block[0].lineno


class _Wanted(names.Names):
    """What a function reads beside its idle looks."""

    def __init__(self, idle: Idle, nodes: Sequence[ast.AST]) -> None:
        self.idle = idle
        super().__init__(*nodes)

    def visit_If(self, node: ast.If) -> None:
        self.visit_all((*(() if node in self.idle.same else (node.test,)), *node.body, *node.orelse))

    def visit_IfExp(self, node: ast.IfExp) -> None:
        if node in self.idle.same:
            self.perhaps((node.body, node.orelse))
        else:
            super().visit_IfExp(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not self.idle.stores(node):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit_all(node.targets if self.idle.stores(node) else (node.value, *node.targets))


def is_same(one: Sequence[ast.AST], other: Sequence[ast.AST]) -> bool:
    """Whether two pieces of code are the same, word by word."""
    return len(one) == len(other) and all(ast.dump(a) == ast.dump(b) for a, b in zip(one, other))


#: Python's own functions that run nothing of anybody's.
STILL = frozenset({"isinstance", "type", "callable"})


def is_still(node: ast.AST, local: Collection[str] = (), *, attributes: bool = True) -> bool:
    """Whether a look runs nothing of anybody's, whatever it looks at: no call but of Python's own, no item
    that may be made as it is asked for.

    Args:
        attributes: whether attributes are taken to be no properties that do something.
    """
    match node:
        case ast.Subscript():
            return False
        case ast.Attribute() if not attributes:
            return False
        case ast.Call(ast.Name(name)) if name in STILL and name not in local:
            pass
        case ast.Call():
            return False
    return all(is_still(part, local, attributes=attributes) for part in ast.iter_child_nodes(node))


def is_look(node: Any) -> bool:
    """Whether an expression may be one that asks something and does nothing, by its form."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Subscript(value, ast.UnaryOp(operand=ast.Constant())):
            return is_look(value)
        case ast.Attribute(value) | ast.Subscript(value, ast.Constant()):
            return is_look(value)
        case ast.UnaryOp(ast.Not(), value):
            return is_look(value)
        case ast.Compare(left, _, [other, *others]):  # of which Python may ask the first two alone
            return is_look(left) and is_look(other) and all(is_look(v) and is_still(v) for v in others)
        case ast.BoolOp(_, [value, *others]):
            return is_look(value) and all(is_look(v) and is_still(v) for v in others)
        case ast.Tuple(values):
            return all(map(is_look, values))
        case ast.Call(function, arguments, []):
            return is_look(function) and all(map(is_look, arguments))
    return False

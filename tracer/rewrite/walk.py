"""Walk: goes through a function's tree and lets the rules of each construct write the new one.

Law: the tree that is read is never changed, and what no rule speaks of is copied as it stands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from . import names
from .flow import Flow
from .runtime import Exit
from .template import Template

Node = TypeVar("Node", bound=ast.AST)

THUNK = Template("lambda *thunk: VALUE")
TRUTH = Template("HOOKS.truth(TEST)")


@dataclass(frozen=True, slots=True)
class Rules:
    """Which function writes which node; `tests` speaks where only the truth of an expression is wanted."""

    values: Mapping[type[ast.AST], Callable[[Any, Walk], ast.expr]]
    tests: Mapping[type[ast.AST], Callable[[Any, Walk], ast.expr]]
    statements: Mapping[type[ast.AST], Callable[[Any, Walk], list[ast.stmt]]]


class Scope:
    """A function, lambda, class or comprehension of the user's, whose variables are `locals`.

    Attributes:
        node: the function or lambda; None where no flow is to be had.
        private: the class whose name mangles `__x`.
        dropped: local variables that the function no longer binds itself, because its branches keep them.
    """

    def __init__(
        self, locals: Iterable[str], *, node: names.Function | None = None, private: str | None = None
    ) -> None:
        self.locals = frozenset(locals)
        self.node = node
        self.private = private
        self.dropped: set[str] = set()

    @cached_property
    def flow(self) -> Flow | None:
        return None if self.node is None else Flow(self.node)

    def bound(self, statement: ast.AST | None) -> frozenset[str]:
        """The variables that surely have a value wherever `statement` has expressions."""
        if self.flow is None:
            return self.locals
        if isinstance(self.node, ast.Lambda):
            return frozenset(arg.arg for arg in names.parameters(self.node.args))
        bound = None if statement is None else self.flow.heads[statement].bound
        return self.locals if bound is None else bound


class ClassScope(Scope):
    """A class body: its variables are attributes, which no thunk sees and none of ours may join."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Where the walk stands.

    Attributes:
        here: the user's variables that the code being written has itself: a thunk has none, a branch some.
        statement: the statement being rewritten.
        on_return, on_loop: how `return`, and `break` and `continue`, are written; None: as they are.
    """

    rules: Rules
    scope: Scope
    here: frozenset[str]
    statement: ast.AST | None = None
    on_return: Callable[[ast.AST, ast.expr | None], list[ast.stmt]] | None = None
    on_loop: Callable[[ast.AST, Exit], list[ast.stmt]] | None = None

    def value(self, node: ast.expr) -> ast.expr:
        """The expression, rewritten, where its value is wanted."""
        rule = self.rules.values.get(type(node))
        return self.parts(node) if rule is None else rule(node, self)

    def values(self, nodes: Sequence[ast.expr]) -> list[ast.expr]:
        return [self.value(node) for node in nodes]

    def test(self, node: ast.expr) -> ast.expr:
        """The expression, rewritten, where only its truth is wanted; nothing has asked for its truth yet."""
        rule = self.rules.tests.get(type(node))
        return self.value(node) if rule is None else rule(node, self)

    def truth(self, node: ast.expr) -> ast.expr:
        """What Python itself shall test."""
        return node if isinstance(node, ast.Constant) else TRUTH(node, TEST=self.test(node))

    def thunk(self, node: ast.expr, write: Callable[[Walk, ast.expr], ast.expr] | None = None) -> ast.expr:
        """The expression as a function of no arguments; `write` is `Walk.value` unless told."""
        return THUNK(node, VALUE=(write or Walk.value)(self.inside(), node))

    def inside(self) -> Walk:
        """The same place, written into a function of ours that has none of the user's variables itself."""
        return replace(self, here=frozenset())

    def defers(self, *nodes: ast.expr) -> bool:
        """Whether these expressions can be thunks."""
        if isinstance(self.scope, ClassScope):
            return False
        return all(names.is_deferrable(node, self.scope.locals) for node in nodes)

    def block(self, nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in nodes:
            rule = self.rules.statements.get(type(node))
            walk = replace(self, statement=node)
            made += [walk.parts(node)] if rule is None else rule(node, walk)
        return made

    def returning(self, at: ast.AST, value: ast.expr | None) -> list[ast.stmt]:
        """Statements that return `value`, rewritten already, from the user's function."""
        if self.on_return is not None:
            return self.on_return(at, value)
        return [ast.copy_location(ast.Return(value), at)]

    def leaving_loop(self, at: ast.AST, exit: Exit) -> list[ast.stmt]:
        """Statements that break or continue the user's loop."""
        if self.on_loop is not None:
            return self.on_loop(at, exit)
        return [ast.copy_location(ast.Break() if exit is Exit.BROKE else ast.Continue(), at)]

    def parts(self, node: Node) -> Node:
        """The node as it stands, its parts rewritten."""
        made = type(node)(**{name: self.part(value) for name, value in ast.iter_fields(node)})
        return ast.copy_location(made, node)

    def part(self, value: Any) -> Any:
        match value:
            case ast.expr():
                return self.value(value)
            case [ast.stmt(), *_]:
                return self.block(value)
            case list():
                return [self.part(item) for item in value]
            case ast.ExceptHandler():
                return self.parts(value)
            case _:  # contexts, operators, names
                return value

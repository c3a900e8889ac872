"""Walk: goes through a function's tree and lets the rules of each construct write the new one.

Law: the tree that is read is never changed, and what no rule speaks of is copied as it stands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from . import names
from .flow import Flow
from .idle import Idle
from .runtime import Exit
from .template import Template

Node = TypeVar("Node", bound=ast.AST)

THUNK = Template("lambda *thunk: VALUE")
TRUTH = Template("HOOKS.truth(TEST)")
TRUTH_ONLY = Template("HOOKS.truth(TEST, WHY)")
IDLE = Template("HOOKS.idle(LOOK, ASKS)")


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

    @cached_property
    def idle(self) -> Idle | None:
        return None if self.node is None else Idle(self.node, self.locals, self.names)

    @cached_property
    def names(self) -> names.Names:
        return names.Names(*([] if self.node is None else names.body(self.node)))

    @cached_property
    def used(self) -> Set[str]:
        """The variables that are read here or around, but for those of comprehensions inside."""
        return self.names.used

    def bound(self, statement: ast.AST | None) -> frozenset[str]:
        """The variables that surely have a value wherever `statement` has expressions."""
        if self.flow is None:
            return self.locals
        if isinstance(self.node, ast.Lambda):
            return frozenset(arg.arg for arg in names.parameters(self.node.args))
        bound = None if statement is None else self.flow.heads[statement].bound
        return self.locals if bound is None else bound

    def at_hand(self, statement: ast.AST) -> frozenset[str]:
        """The variables that surely have a value at `statement` and are still wanted, so are kept there."""
        assert self.flow is not None
        head = self.flow.heads[statement]
        return head.live & (head.bound or frozenset())


class ClassScope(Scope):
    """A class body: its variables are attributes, which no thunk sees and none of ours may join."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a `break` or `continue` hands over that leaves a function of ours.

    Attributes:
        names: the variables; `sure` of them have a value, None: those that the flow says.
        is_loops: they are the names of a loop that is formed, and what is in between hands them on;
            else the loop is Python's, and each `if` in between hands over its own.
    """

    names: Sequence[str]
    sure: frozenset[str] | None
    is_loops: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """Where the walk stands.

    Attributes:
        here: the user's variables that the code being written has itself: a thunk has none, a branch some.
        statement: the statement being rewritten.
        exits: how the function of ours that is being written may be left; None: it is the user's own.
        way: how the loop around is left from here; None: by Python's own `break` and `continue`.
        stays: why the loop around is Python's, in a few words.
        depth: in how many functions of ours the code stands.
    """

    rules: Rules
    scope: Scope
    here: frozenset[str]
    statement: ast.stmt | None = None
    exits: set[Exit] | None = None
    way: Way | None = None
    stays: str = ""
    depth: int = 0

    def value(self, node: ast.expr) -> ast.expr:
        """The expression, rewritten, where its value is wanted."""
        rule = self.rules.values.get(type(node))
        return self.parts(node) if rule is None else rule(node, self)

    def values(self, nodes: Sequence[ast.expr]) -> list[ast.expr]:
        return [self.value(node) for node in nodes]

    def test(self, node: ast.expr, of: ast.AST | None = None) -> ast.expr:
        """The expression, rewritten, where only its truth is wanted; nothing has asked for its truth yet.

        `of`: what it decides; see idle.py, where that is nothing.
        """
        if of is not None and self.scope.idle is not None and of in self.scope.idle.same:
            return self.look(node, asks=True)
        rule = self.rules.tests.get(type(node))
        return self.value(node) if rule is None else rule(node, self)

    def look(self, node: ast.expr, *, asks: bool = False) -> ast.expr:
        """The expression, rewritten, where nothing is made of it; `asks`: Python asks for its truth."""
        write = Walk.test if asks else Walk.value
        if not self.defers(node):
            return write(self, node)
        return IDLE(node, LOOK=self.thunk(node, write), ASKS=asks)

    def truth(self, node: ast.expr, why: str | None = None, of: ast.AST | None = None) -> ast.expr:
        """What Python itself shall test; `why`: what stands in the way of more, if there is a way."""
        if isinstance(node, ast.Constant):
            return node
        if why is None:
            return TRUTH(node, TEST=self.test(node, of))
        return TRUTH_ONLY(node, TEST=self.test(node, of), WHY=why)

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

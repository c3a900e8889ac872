"""Numbers as the user spelled them, and under the names that he gave them.

While tracing a constant is a number. Its text is taken from the expression in which it was written, if that
is made of literals, constants and operators, and gives the very number; else it is its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Set
from typing import Any

from ...ir.likeness import equal
from ...ir.readings import Readings
from ...ir.remarks import Key, Remarked, remarks
from .definitions import defaults, places
from .words import Constant, Scope, Word, told

#: How many constants may have one name.
MOST = 100


class Constants:
    """The constants of one file.

    Args:
        name: how the target says a dotted name.
        own: the module of the target's own words, `np`.
        taken: the names that the file uses otherwise.
        readings: what the program read.
    """

    def __init__(
        self, name: Callable[[str], ast.expr], own: str, taken: Set[str], readings: Readings
    ) -> None:
        self.name = name
        self.own = own
        self.taken = taken
        self.readings = readings
        #: The statements that name them, with the numbers, by the names.
        self.defined: dict[str, tuple[ast.stmt, Any]] = {}

    def spell(self, function: ast.FunctionDef) -> None:
        """Let the numbers in a function have the user's words."""
        Spelling(self).visit(function)

    def dotted(self, module: str, name: str) -> ast.expr:
        """What a module knows by name; "" for the target's own."""
        return self.name(f"{module or self.own}.{name}")

    def named(self, constant: Constant) -> ast.expr | None:
        """A constant under its name, which the file defines as the user does; what it is defined as where the
        name is taken.
        """
        names = (constant.name, *(f"{constant.name}_{number}" for number in range(2, MOST)))
        for name in names:
            if name in self.taken:
                break
            value = None
            if name not in self.defined and constant.word is not None:
                value = constant.word.say(self)
            if name not in self.defined:  # by `Config(eps=eps)` of which it was made
                made = ast.Assign([ast.Name(name, ast.Store())], value or literal(constant.number))
                made.trailing = constant.comment  # type: ignore[attr-defined]
                self.defined[name] = made, constant.number
            if equal(self.defined[name][1], constant.number):
                return ast.Name(name, ast.Load())
        return constant.word.say(self) if constant.word is not None else None


class Spelling(ast.NodeTransformer):
    """Puts the user's words for numbers into a tree. Of several in one expression of his that give the same
    number each is said once, in order, and the last again where there are more.
    """

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        #: What was not said yet, by the expression and the number.
        self.left: dict[ast.expr, dict[Hashable, list[Word]]] = {}
        #: The expressions by their places.
        self.known: dict[Any, tuple[Scope, ast.expr] | None] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        own = getattr(node, "own", None)
        if own is not None:
            theirs = dict(defaults(own.node))
            for arguments, place, name in places(node):
                if (expression := theirs.get(name)) is not None:
                    arguments[place] = (
                        self.put(arguments[place], self.scope(own), expression) or arguments[place]
                    )
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        inner = node.operand
        made = self.within(node, inner) if isinstance(inner, ast.Constant) else None
        return self.generic_visit(node) if made is None else made

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return self.within(node, node) or node

    def within(self, number: ast.expr, constant: ast.Constant) -> ast.expr | None:
        """The user's words for a number, where it is known in which expression he wrote it."""
        place: Any = getattr(constant, "within", None)
        if place not in self.known:
            self.known[place] = self.found(*place) if place is not None else None
        known = self.known[place]
        return None if known is None else self.put(number, *known)

    def put(self, printed: ast.expr, scope: Scope, expression: ast.expr) -> ast.expr | None:
        """What the user wrote for a number in an expression of his; None where nothing there gives it."""
        if (number := scope.value(printed)) is None:
            return None
        if expression not in self.left:
            self.left[expression] = {}
            for part in constant_parts(expression, scope):
                for word in scope.words(part):
                    self.left[expression].setdefault(told(word.number), []).append(word)
        same = self.left[expression].get(told(number), [])
        for word in same:
            if (made := word.say(self.constants)) is not None:
                if len(same) > 1:
                    same.remove(word)
                return made
        return None

    def scope(self, statement: Remarked) -> Scope:
        return Scope(statement, self.constants.readings)

    def found(self, key: Key, positions: Any) -> tuple[Scope, ast.expr] | None:
        """An expression of the user's by its place, and what names stand for there."""
        statement = remarks(key[0]).found.get(key)
        expression = at(statement, positions) if statement is not None else None
        return None if statement is None or expression is None else (self.scope(statement), expression)


def constant_parts(expression: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """The greatest parts of an expression that are constants: its own operands before theirs, in the order of
    the text.
    """
    level: list[ast.AST] = [expression]
    while level:
        inner: list[ast.AST] = []
        for part in level:
            if isinstance(part, ast.expr) and scope.words(part):
                yield part
            else:
                inner += ast.iter_child_nodes(part)
        level = inner


def at(statement: Remarked, positions: Any) -> ast.expr | None:
    """The expression at a position in a statement; that of its header where none is said."""
    if positions is None:
        header = getattr(statement.node, "iter", None) or getattr(statement.node, "test", None)
        return header if header is not None else getattr(statement.node, "value", None)
    for part in ast.walk(statement.node):
        if isinstance(part, ast.expr):
            if (part.lineno, part.end_lineno, part.col_offset, part.end_col_offset) == positions:
                return part
    return None


def literal(number: complex) -> ast.expr:
    return ast.parse(repr(number), mode="eval").body

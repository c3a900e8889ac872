"""Numbers as the user spelled them, and under the names that he gave them.

While tracing a constant is a number. Its text is taken from the expression in which it was written, if that
is made of literals, constants of its module and operators, and gives the very number; else it is its own.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
import re
import types
from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from typing import Any

from ...ir.likeness import equal
from ...ir.remarks import File, Key, Remarked, module_of, remarks

NUMBERS = (int, float, complex)
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
#: What modules know by name, and beyond which nothing is raised to a power, or shifted.
KNOWN, GREATEST = ("pi", "e", "tau"), 1024
#: Those of `math` that are kept where they are given constants.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10,
    "sin": math.sin, "cos": math.cos, "radians": math.radians,
}  # fmt: skip


class Constants:
    """The constants of one file.

    Args:
        name: how the target says a dotted name.
        own: the module of the target's own words, `np`.
        taken: the names that the file uses otherwise.
    """

    def __init__(self, name: Callable[[str], ast.expr], own: str, taken: Set[str]) -> None:
        self.name = name
        self.own = own
        self.taken = taken
        #: The statements that name them, with the numbers, by the names.
        self.defined: dict[str, tuple[ast.stmt, Any]] = {}

    def spell(self, function: ast.FunctionDef) -> None:
        """Let the numbers in a function have the user's words."""
        Spelling(self).visit(function)

    def written(self, part: ast.expr, scope: Scope) -> ast.expr | None:
        """An expression of constants as the file has it; None where a name of it is taken."""
        match part:
            case ast.Constant(value):
                made = ast.Constant(value)
                made.text = spelled(scope.text(part))  # type: ignore[attr-defined]
                return made
            case ast.UnaryOp(op, operand):
                inner = self.written(operand, scope)
                return None if inner is None else ast.UnaryOp(op, inner)
            case ast.BinOp(left, op, right):
                one, other = self.written(left, scope), self.written(right, scope)
                return None if one is None or other is None else ast.BinOp(one, op, other)
            case ast.Attribute(ast.Name(root), attr):
                is_math = scope.module.get(root) is math or attr == "tau"
                return self.name(f"{'math' if is_math else self.own}.{attr}")
            case ast.Call(ast.Attribute(attr=attr), args):
                said = [inner for arg in args if (inner := self.written(arg, scope)) is not None]
                return ast.Call(self.name(f"math.{attr}"), said, []) if len(said) == len(args) else None
            case ast.Name(name):
                return self.named(name, scope)
        return None

    def named(self, name: str, scope: Scope) -> ast.expr | None:
        """A constant of the user's module, which the file defines as he does."""
        number, statement, own = scope.module[name], scope.definition(name), name
        if name in self.defined and not equal(self.defined[name][1], number):
            name += "_2"
        if name not in self.defined:
            if statement is None or name in self.taken:
                return None
            value = self.written(bound_to(own, statement.node), Scope(statement))
            if value is None:
                return None
            made = ast.Assign([ast.Name(name, ast.Store())], value)
            made.trailing = statement.trailing  # type: ignore[attr-defined]
            self.defined[name] = made, number
        return ast.Name(name, ast.Load()) if equal(self.defined[name][1], number) else None


class Spelling(ast.NodeTransformer):
    """Puts the user's words for numbers into a tree. Of several in one expression of his that give the same
    number each is said once, in order, and the last again where there are more.
    """

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        #: What was not said yet, by the expression and the number.
        self.left: dict[ast.expr, dict[Hashable, list[ast.expr]]] = {}
        #: The expressions by their places.
        self.known: dict[Any, tuple[Scope, ast.expr] | None] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        own = getattr(node, "own", None)
        if own is not None:
            theirs = dict(defaults(own.node))
            for arguments, place, name in places(node):
                if (expression := theirs.get(name)) is not None:
                    arguments[place] = self.put(arguments[place], Scope(own), expression) or arguments[place]
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
            self.known[place] = found(*place) if place is not None else None
        known = self.known[place]
        return None if known is None else self.put(number, *known)

    def put(self, printed: ast.expr, scope: Scope, expression: ast.expr) -> ast.expr | None:
        """What the user wrote for a number in an expression of his; None where nothing there gives it."""
        if (number := scope.value(printed)) is None:
            return None
        if expression not in self.left:
            self.left[expression] = {}
            for part in constant_parts(expression, scope):
                self.left[expression].setdefault(told(scope.value(part)), []).append(part)
        same = self.left[expression].get(told(number), [])
        for part in same:
            if (made := self.constants.written(part, scope)) is not None:
                if len(same) > 1:
                    same.remove(part)
                return made
        return None


def told(number: complex) -> Hashable:
    """What tells a number from others, of its type too: 0.0 is no -0.0."""
    return type(number), repr(number)


def found(key: Key, positions: Any) -> tuple[Scope, ast.expr] | None:
    """An expression of the user's by its place, and what names stand for there."""
    statement = remarks(key[0]).found.get(key)
    expression = at(statement, positions) if statement is not None else None
    return None if statement is None or expression is None else (Scope(statement), expression)


class Scope:
    """What the names in a statement of the user's stand for, as far as they are constants of its module."""

    def __init__(self, statement: Remarked) -> None:
        self.file = remarks(statement.key[0])
        self.module = module_of(statement.key[0])
        self.bound: set[str] = set()
        around: Remarked | None = statement
        while around is not None:
            if around.is_function:
                self.bound |= bound_in(around.node)
            around = around.parent

    def text(self, part: ast.expr) -> str:
        line = self.file.lines[part.lineno - 1].encode()
        return line[part.col_offset : part.end_col_offset].decode() if part.lineno == part.end_lineno else ""

    def definition(self, name: str) -> Any:
        """The statement by which the module binds a name, where there is but one."""
        return definition(self.file, name)

    def value(self, part: ast.expr) -> Any:
        """The number that an expression of constants gives; None for any other expression."""
        match part:
            case ast.Constant(value):
                return value if type(value) in NUMBERS else None
            case ast.UnaryOp(op, operand):
                return self.reckoned(op, operand)
            case ast.BinOp(left, op, right):
                return self.reckoned(op, left, right)
            case ast.Name(name) if name not in self.bound:
                statement, value = self.definition(name), self.module.get(name)
                if statement is None or type(value) not in NUMBERS:
                    return None  # what it is now need not be what its definition says
                return value if equal(Scope(statement).value(bound_to(name, statement.node)), value) else None
            case ast.Attribute(ast.Name(root), attr) if attr in KNOWN and root not in self.bound:
                module = self.module.get(root)
                value = getattr(module, attr, None) if isinstance(module, types.ModuleType) else None
                return value if type(value) is float else None
            case ast.Call(ast.Attribute(ast.Name(root), name), args, []) if root not in self.bound:
                known = self.module.get(root) is math and name in FUNCTIONS
                return self.given(FUNCTIONS[name], args) if known else None
        return None

    def reckoned(self, op: ast.AST, *operands: ast.expr) -> Any:
        bounded = isinstance(op, (ast.Pow, ast.LShift, ast.RShift))
        function = OPERATORS.get(type(op))
        return None if function is None else self.given(function, operands, GREATEST if bounded else math.inf)

    def given(self, function: Callable[..., Any], args: Sequence[ast.expr], most: float = math.inf) -> Any:
        """What a function gives for constants of at most this size."""
        values = [self.value(arg) for arg in args]
        if None in values or any(abs(value) > most for value in values):
            return None
        try:
            return function(*values)
        except (ArithmeticError, TypeError, ValueError):
            return None


@functools.lru_cache(maxsize=4096)
def definition(file: File, name: str) -> Remarked | None:
    found = [s for s in file.statements if s.parent is None and name in bound_in(s.node)]
    return found[0] if len(found) == 1 and bound_to(name, found[0].node) is not None else None


def constant_parts(expression: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """The greatest parts of an expression that are constants: its own operands before theirs, in the order of
    the text.
    """
    level: list[ast.AST] = [expression]
    while level:
        inner: list[ast.AST] = []
        for part in level:
            if isinstance(part, ast.expr) and scope.value(part) is not None:
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


def defaults(function: Any) -> Iterator[tuple[str, ast.expr]]:
    """The defaults of a function, by the names of its parameters."""
    for expressions, place, name in places(function):
        yield name, expressions[place]


def places(function: Any) -> Iterator[tuple[list[Any], int, str]]:
    """Where the defaults of a function stand: in which list, at which place, for which parameter."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    for place, arg in enumerate(positional[len(positional) - len(given.defaults) :]):
        yield given.defaults, place, arg.arg
    for place, arg in enumerate(given.kwonlyargs):
        if given.kw_defaults[place] is not None:
            yield given.kw_defaults, place, arg.arg


@functools.lru_cache(maxsize=1024)
def bound_in(node: ast.AST) -> frozenset[str]:
    """The names that code binds, the parameters of functions included."""
    args = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    stored = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return frozenset(args | {part.id for part in stored if not isinstance(part.ctx, ast.Load)})


def bound_to(name: str, node: Any) -> Any:
    """The expression that an assignment binds a name to: `a, b = 1, 2` binds two."""
    match node:
        case ast.Assign([ast.Name()], value) | ast.AnnAssign(ast.Name(), value=value):
            return value
        case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values):
            pairs = zip(names, values)
            return next((v for n, v in pairs if isinstance(n, ast.Name) and n.id == name), None)
    return None


def spelled(text: str) -> str:
    """A literal as black writes it: `1.0` for `1.`, `1e5` for `1E5`, `0xFF` for `0Xff`."""
    low = text.lower()
    if low.startswith("0x"):
        return "0x" + low[2:].upper()
    low = re.sub(r"^\.", "0.", low)
    return re.sub(r"\.(?=$|[ej])", ".0", low)

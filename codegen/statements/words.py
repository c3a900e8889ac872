"""Words: what an expression of the user's says for a number, where it is made of literals, names of constants
and operators.

Constants are names of modules and of closures, attributes of modules, classes and objects that outlive the
call, and names of a function's that stand for an expression of such. An attribute may be of one object now
and of another then: it has as many words as it was numbers.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
import re
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from ...ir.likeness import equal
from ...ir.readings import Reading, Readings
from ...ir.remarks import Remarked, module_of, remarks
from .definitions import assigned, bound_in, bound_to, definition, imported, of_class

NUMBERS = (int, float, complex)
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
#: What modules know by name, and beyond which nothing is raised to a power, or shifted.
KNOWN, GREATEST = {"pi": math.pi, "e": math.e, "tau": math.tau}, 1024
#: Those of `math` that are kept where they are given constants.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log2": math.log2, "log10": math.log10,
    "sin": math.sin, "cos": math.cos, "radians": math.radians,
}  # fmt: skip
#: How many numbers an expression may stand for, and how long one is that is said behind its number.
MOST, SHORT = 16, 50


class Told(Protocol):
    """What says the words in a file."""

    def dotted(self, module: str, name: str) -> ast.expr: ...

    def named(self, constant: Constant) -> ast.expr | None: ...


class Word(NamedTuple):
    """A number, and what says it in a file: None where a name in it is taken."""

    number: Any
    say: Callable[[Told], ast.expr | None]


@dataclass(frozen=True, slots=True)
class Constant:
    """A number with a name.

    Attributes:
        word: what it is defined as; None for its literal.
        comment: what stands behind that.
    """

    name: str
    number: complex
    word: Word | None
    comment: str


class Scope:
    """What the names in a statement of the user's, or in a whole file, stand for.

    Args:
        seen: the names whose words are being looked for, each with where it is bound.
    """

    def __init__(self, place: Remarked | str, readings: Readings, seen: frozenset[Any] = frozenset()) -> None:
        self.statement = None if isinstance(place, str) else place
        path = place if isinstance(place, str) else place.key[0]
        self.file = remarks(path)
        self.module = module_of(path)
        self.readings = readings
        self.seen = seen
        self.known: dict[ast.expr, list[Word]] = {}

    def text(self, part: ast.expr) -> str:
        line = self.file.lines[part.lineno - 1].encode()
        return line[part.col_offset : part.end_col_offset].decode() if part.lineno == part.end_lineno else ""

    def value(self, part: ast.expr) -> Any:
        """The one number that an expression of constants gives; None for any other expression."""
        found = {told(word.number): word.number for word in self.words(part)}
        return next(iter(found.values())) if len(found) == 1 else None

    def words(self, part: ast.expr) -> list[Word]:
        """What an expression says, one for each number; none where it is not made of constants."""
        if part not in self.known:
            found: dict[Any, Word] = {}
            for word in itertools.islice(self.every(part), MOST):
                found.setdefault(told(word.number), word)
            self.known[part] = [*found.values()]
        return self.known[part]

    def every(self, part: ast.expr) -> Iterable[Word]:
        match part:
            case ast.Constant(int() | float() | complex() as value) if type(value) in NUMBERS:
                return [Word(value, lambda _: written(value, spelled(self.text(part))))]
            case ast.UnaryOp(sign, operand):
                return self.reckoned(sign, [operand], lambda _, inner: ast.UnaryOp(sign, inner))
            case ast.BinOp(left, op, right):
                return self.reckoned(op, [left, right], lambda _, one, other: ast.BinOp(one, op, other))
            case ast.Name(name):
                return self.named(name)
            case ast.Attribute(ast.Name(root), attr) if self.is_known(root, attr):
                module = "math" if self.module.get(root) is math or attr == "tau" else ""
                return [Word(KNOWN[attr], lambda to: to.dotted(module, attr))]
            case ast.Attribute():
                return self.read(part)
            case ast.Call(ast.Attribute(ast.Name(root), name), args, []) if name in FUNCTIONS:
                if self.owner(root) is None and self.module.get(root) is math:
                    return self.given(FUNCTIONS[name], args, lambda to, *said: called(to, name, said))
        return []

    def reckoned(
        self, op: ast.AST, operands: Sequence[ast.expr], make: Callable[..., ast.expr]
    ) -> Iterable[Word]:
        bounded = isinstance(op, (ast.Pow, ast.LShift, ast.RShift))
        function = OPERATORS.get(type(op))
        return self.given(function, operands, make, GREATEST if bounded else math.inf) if function else ()

    def given(
        self,
        function: Callable[..., Any],
        args: Sequence[ast.expr],
        make: Callable[..., ast.expr],
        most: float = math.inf,
    ) -> Iterator[Word]:
        """What a function gives for constants of at most this size."""
        for words in itertools.product(*map(self.words, args)):
            if any(abs(word.number) > most for word in words):
                continue
            try:
                number = function(*(word.number for word in words))
            except (ArithmeticError, TypeError, ValueError):
                continue
            if type(number) in NUMBERS:
                yield Word(number, joined(words, make))

    # Names.

    def owner(self, name: str) -> Remarked | None:
        """The function or class whose name this is; None for one of the module."""
        around = self.statement
        if around is not None and around.parent is not None and isinstance(around.parent.node, ast.ClassDef):
            if any(name in bound_in(each.node) for block in around.parent.blocks for each in block):
                return around.parent
        while around is not None:
            if around.is_function and name in bound_in(around.node):
                return around
            around = around.parent
        return None

    def named(self, name: str) -> list[Word]:
        if (owner := self.owner(name)) is None:
            return self.of_module(name)
        if (owner, name) in self.seen:
            return []
        where, statement = [], assigned(owner, name)
        if statement is not None:
            inner = self.within(statement, owner, name)
            where = [(inner, bound_to(name, statement.node), statement.trailing)]
        found = [word for scope, expression, _ in where for word in scope.words(expression)]
        values = [*self.cells(owner, name)]
        if not values and owner.is_function:
            return found
        values = values or [word.number for word in found]
        return [*filter(None, (constant(name, value, where, strict=True) for value in values))]

    def within(self, place: Remarked | str, owner: Any, name: str) -> Scope:
        """The scope of the statement that binds a name."""
        return Scope(place, self.readings, self.seen | {(owner, name)})

    def cells(self, owner: Remarked, name: str) -> Iterator[complex]:
        """What the functions in a function that is over have under a name of its."""
        last = owner.node.end_lineno or 0
        for (line, _), value in self.readings.cells.get((self.file.file, name), {}).items():
            if owner.first < line <= last:
                yield value

    def of_module(self, name: str, word: str = "") -> list[Word]:
        """A constant of the module, or one that it imports by name.

        Args:
            word: what it is called where it is read.
        """
        value: Any = self.module.get(name)
        statement = definition(self.file, name)
        if type(value) not in NUMBERS or (self.file.file, name) in self.seen:
            return []
        if statement is not None:
            inner = self.within(statement, self.file.file, name)
            where = [(inner, bound_to(name, statement.node), statement.trailing)]
            return [*filter(None, [constant(word or name, value, where, strict=True)])]
        module, own = imported(self.file, name) or (None, "")
        if module is math and equal(value, KNOWN.get(own)):
            return [Word(value, lambda to: to.dotted("math", own))]
        there = self.elsewhere(name)
        found = there[0].of_module(there[1], word or name) if there is not None else []
        return [each for each in found if equal(each.number, value)]

    def elsewhere(self, name: str) -> tuple[Scope, str] | None:
        """The file of the module that a name is imported from, and the name there."""
        module, own = imported(self.file, name) or (None, "")
        file = getattr(module, "__file__", None)
        return (self.within(file, self.file.file, name), own) if file else None

    def is_known(self, root: str, name: str) -> bool:
        """Whether a module has under a name what all know by it."""
        module = self.module.get(root) if name in KNOWN and self.owner(root) is None else None
        return isinstance(module, types.ModuleType) and equal(vars(module).get(name), KNOWN[name])

    # Attributes.

    def read(self, part: ast.Attribute) -> Iterator[Word]:
        """What an attribute was when it was read."""
        place = part.lineno, part.end_lineno or 0, part.col_offset, part.end_col_offset or 0
        for reading in self.readings.attributes.get((self.file.file, place), {}).values():
            if isinstance(reading.home, types.ModuleType):
                file = getattr(reading.home, "__file__", None)
                found = self.within(file, place, reading.word).of_module(reading.word) if file else []
                yield from (word for word in found if equal(word.number, reading.value))
            elif (word := constant(reading.word, reading.value, self.given_to(part, reading))) is not None:
                yield word

    def given_to(self, part: ast.Attribute, reading: Reading) -> Iterator[tuple[Scope, ast.expr, str]]:
        """The expressions that an attribute may have come of."""
        yield from ((scope, expression, "") for scope, expression in self.origin(part))
        for found, expression in of_class(reading.home, reading.word):
            yield self.within(found, found, reading.word), expression, found.trailing

    def origin(self, part: ast.expr) -> Iterator[tuple[Scope, ast.expr]]:
        """The expression that a name is bound to, or what an object was given for an attribute."""
        match part:
            case ast.Name(name):
                owner = self.owner(name)
                statement = assigned(owner, name) if owner is not None else definition(self.file, name)
                if statement is not None and (statement, name) not in self.seen:
                    yield self.within(statement, statement, name), bound_to(name, statement.node)
                elif owner is None and (found := self.elsewhere(name)) is not None:
                    yield from found[0].origin(ast.Name(found[1], ast.Load()))
            case ast.Attribute(value, name):
                for scope, call in self.made(value):
                    yield from ((scope, keyword.value) for keyword in call.keywords if keyword.arg == name)

    def made(self, part: ast.expr) -> Iterator[tuple[Scope, ast.Call]]:
        """The call that made what an expression stands for."""
        if isinstance(part, ast.Call):
            yield self, part
        else:
            for scope, expression in self.origin(part):
                yield from scope.made(expression)


def constant(
    name: str, value: complex, where: Iterable[tuple[Scope, ast.expr, str]], strict: bool = False
) -> Any:
    """The word for a constant of this name.

    Args:
        where: the expressions that it may be defined by, each with a comment.
        strict: whether it is none if they give another number; else it is its literal.
    """
    behind = ""
    for scope, expression, comment in where:
        words = scope.words(expression)
        if same := [word for word in words if equal(word.number, value)]:
            made = Constant(name, value, same[0], comment)
            return Word(value, lambda to: to.named(made))
        if words and strict:
            return None
        text = scope.text(expression)
        plain = isinstance(expression, (ast.Name, ast.Attribute)) or len(text) > SHORT
        behind = behind or ("" if words else comment or ("" if plain else text))
    literal = Constant(name, value, None, behind)
    return Word(value, lambda to: to.named(literal))


def told(number: complex) -> tuple[type, str]:
    """What tells a number from others, of its type too: 0.0 is no -0.0."""
    return type(number), repr(number)


def joined(words: Sequence[Word], make: Callable[..., ast.expr]) -> Callable[[Told], ast.expr | None]:
    """What says an expression of several words."""

    def say(to: Told) -> ast.expr | None:
        said = [word.say(to) for word in words]
        return None if None in said else make(to, *said)

    return say


def called(to: Told, name: str, said: Sequence[ast.expr]) -> ast.expr:
    return ast.Call(to.dotted("math", name), [*said], [])


def written(value: complex, text: str) -> ast.expr:
    made = ast.Constant(value)
    made.text = text  # type: ignore[attr-defined]
    return made


def spelled(text: str) -> str:
    """A literal as black writes it: `1.0` for `1.`, `1e5` for `1E5`, `0xFF` for `0Xff`."""
    low = text.lower()
    if low.startswith("0x"):
        return "0x" + low[2:].upper()
    low = re.sub(r"^\.", "0.", low)
    return re.sub(r"\.(?=$|[ej])", ".0", low)

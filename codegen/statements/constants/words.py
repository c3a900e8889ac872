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
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ....ir.graphs.likeness import equal
from ....ir.source.readings import Reading, Readings
from ....ir.source.remarks import Key, Remarked, module_of, remarks
from ...text.unparsing import unparsed
from ...text.walking import walked
from .definitions import (  # fmt: skip
    assigned,
    bound_in,
    bound_to,
    definition,
    imported,
    is_parameter,
    member,
    of_class,
    parts,
)
from .tables import NUMBERS, Table, forms, written
from .word import Constant, Word, joined, limits, told

OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
#: How many bytes a number has at least that is made of one of Python's by rounding it once.
LEAST = 4
#: What has constants itself.
HOMES = (type, types.ModuleType)
#: What modules know by name, and beyond which nothing is raised to a power, or shifted.
KNOWN, GREATEST = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf}, 1024
#: Those of `math` that are kept where they are given constants.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (math.sqrt, math.exp, math.log, math.log2, math.log10, math.sin, math.cos, math.radians)
}
#: How many numbers an expression may stand for, and how long one is that is said behind its number.
MOST, SHORT = 16, 50


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
        #: The function at hand, with the numbers that its parameters are checked to be.
        self.pinned: tuple[Remarked | None, Mapping[str, Any]] = None, {}
        self.known: dict[ast.expr, list[Word]] = {}

    def text(self, part: ast.expr) -> str:
        line = self.file.lines[part.lineno - 1].encode()
        return line[part.col_offset : part.end_col_offset].decode() if part.lineno == part.end_lineno else ""

    def among(self, name: str) -> tuple[Key, int] | None:
        """The statement that binds a name with others, `A, B = 1, 2`, and which of its names it is."""
        match self.statement.node if self.statement is not None else None:
            case ast.Assign([ast.Tuple(targets)]) if self.statement is not None:
                names = [unparsed(target) for target in targets]
                return (self.statement.key, names.index(name)) if name in names else None
        return None

    def value(self, part: ast.expr) -> Any:
        """The one number that an expression of constants gives; None for any other expression."""
        found = {told(w.number): w.number for w in self.words(part) if type(w.number) in NUMBERS}
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
            case ast.Constant(int() | float() | complex() as value) if forms(value):
                return [Word(value, lambda _: written(value, self.text(part)))]
            case ast.UnaryOp(sign, operand):
                return self.reckoned(sign, [operand], lambda _, inner: ast.UnaryOp(sign, inner))
            case ast.BinOp(left, op, right):
                return self.reckoned(op, [left, right], lambda _, one, other: ast.BinOp(one, op, other))
            case ast.Name(name):
                return self.named(name)
            case ast.Attribute(ast.Name(root), attr) if self.is_known(root, attr):
                module = "math" if self.module.get(root) is math or attr == "tau" else ""
                return [Word(KNOWN[attr], lambda to: to.dotted(module, attr))]
            case ast.Attribute(ast.Call(ast.Attribute(_, "finfo") | ast.Name("finfo"), [_], []), limit):
                return limits(limit)
            case ast.Attribute() | ast.Subscript():
                return self.read(part)
            case ast.Call(ast.Attribute(ast.Name(root), name), args, []) if name in FUNCTIONS:
                if self.owner(root) is None and self.module.get(root) is math:
                    say = lambda to, *said: ast.Call(to.dotted("math", name), [*said], [])  # noqa: E731
                    return self.given(FUNCTIONS[name], args, say)
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
            if any(type(word.number) not in NUMBERS or abs(word.number) > most for word in words):
                continue
            try:
                number = function(*(word.number for word in words))
            except (ArithmeticError, TypeError, ValueError):
                continue
            if forms(number):
                yield Word(number, joined(words, make), any(word.given for word in words))

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
        if owner is self.pinned[0] and name in self.pinned[1] and is_parameter(owner, name):
            return [Word(self.pinned[1][name], lambda _: ast.Name(name, ast.Load()), given=True)]
        where, statement = [], assigned(owner, name)
        if statement is not None:
            inner = self.within(statement, owner, name)
            where = [(inner, bound_to(name, statement.node), statement.trailing)]
        found = [word for scope, expression, _ in where for word in scope.words(expression)]
        values = [*self.cells(owner, name)]
        if not values and owner.is_function:
            return [local(owner, name, word) for word in found]
        values = values or [word.number for word in found]
        return [*filter(None, (constant(name, value, where, strict=True) for value in values))]

    def within(self, place: Remarked | str, owner: Any, name: str) -> Scope:
        """The scope of the statement that binds a name."""
        made = Scope(place, self.readings, self.seen | {(owner, name)})
        made.pinned = self.pinned
        return made

    def cells(self, owner: Remarked, name: str) -> Iterator[Any]:
        """What the functions in a function that is over have under a name of its."""
        last = owner.node.end_lineno or 0
        for (line, _), value in self.readings.cells.get((self.file.file, name), {}).items():
            if owner.first < line <= last:
                yield from forms(value)

    def of_module(self, name: str, word: str = "") -> list[Word]:
        """A constant of the module, or one that it imports by name.

        Args:
            word: what it is called where it is read.
        """
        value: Any = self.module.get(name)
        statement = definition(self.file, name)
        if not (found := forms(value)) or (self.file.file, name) in self.seen:
            return []
        if statement is not None:
            inner = self.within(statement, self.file.file, name)
            where = [(inner, bound_to(name, statement.node), statement.trailing)]
            return [*filter(None, (constant(word or name, form, where, strict=True) for form in found))]
        module, own = imported(self.file, name) or (None, "")
        if module is math and equal(value, KNOWN.get(own)):
            return [Word(value, lambda to: to.dotted("math", own))]
        there = self.elsewhere(name)
        words = there[0].of_module(there[1], word or name) if there is not None else []
        return [each for each in words if any(equal(each.number, form) for form in found)]

    def elsewhere(self, name: str) -> tuple[Scope, str] | None:
        """The file of the module that a name is imported from, and the name there."""
        module, own = imported(self.file, name) or (None, "")
        file = getattr(module, "__file__", None)
        return (self.within(file, self.file.file, name), own) if file else None

    def is_known(self, root: str, name: str) -> bool:
        """Whether a module has under a name what all know by it."""
        module = self.module.get(root) if name in KNOWN and self.owner(root) is None else None
        return isinstance(module, types.ModuleType) and equal(vars(module).get(name), KNOWN[name])

    def listed(self, expression: ast.expr, value: Table) -> list[Word]:
        """The list that an array was made of, where every framework makes the same array of it."""
        made = expression.args[:1] if isinstance(expression, ast.Call) else []
        word = self.items(made[0]) if made and isinstance(made[0], ast.List) else None
        numbers = np.array(word.number) if word is not None else None
        wanted = value.array.dtype
        if word is None or numbers is None or numbers.dtype.kind != wanted.kind:
            return []
        exact = wanted.kind in "fi" and wanted.itemsize >= LEAST and numbers.shape == value.shape
        same = exact and numbers.astype(wanted).tobytes() == value.data
        return [Word(value, word.say)] if same else []

    def items(self, part: ast.expr) -> Word | None:
        """A nested list of numbers."""
        if not isinstance(part, ast.List):
            return next(iter(self.words(part)), None)
        items = [self.items(each) for each in part.elts]
        found = [word for word in items if word is not None]
        rows = {np.shape(word.number) for word in found if not isinstance(word.number, Table)}
        if len(rows) != 1 or len(found) < len(items) or any(isinstance(word.number, Table) for word in found):
            return None
        return Word(
            [word.number for word in found], joined(found, lambda _, *said: ast.List([*said], ast.Load()))
        )

    def said(self, expression: ast.expr) -> str:
        """The text of what no word says, to stand behind its number."""
        lists = any(isinstance(part, ast.List) for part in walked(expression))
        text = self.text(expression)
        named = isinstance(expression, (ast.Name, ast.Attribute, ast.Constant))
        plain = named or lists or len(text) > SHORT
        return "" if plain else text

    # Attributes.

    def read(self, part: ast.expr) -> Iterator[Word]:
        """What an attribute, or an item of a dict, was when it was read; outside of functions, is now."""
        if not hasattr(part, "lineno"):  # of our own making
            return
        place = part.lineno, part.end_lineno or 0, part.col_offset, part.end_col_offset or 0
        known = self.readings.attributes.get((self.file.file, place), {}).values()
        outside = self.statement is None or self.statement.function is None
        for reading in known or (self.now(part) if outside and isinstance(part, ast.Attribute) else ()):
            if issubclass(type(reading.home), types.ModuleType):
                file = getattr(reading.home, "__file__", None)
                found = self.within(file, place, reading.word).of_module(reading.word) if file else []
                same = forms(reading.value)
                yield from (word for word in found if any(equal(word.number, form) for form in same))
                continue
            for form in forms(reading.value):
                yield constant(reading.word, form, self.given_to(part, reading))

    def now(self, part: ast.Attribute) -> Iterator[Reading]:
        """What an attribute of a module, a class or an object is."""
        owner = self.held(part.value)
        if owner is not None and forms(value := member(owner, part.attr)):
            yield Reading(value, part.attr, owner if issubclass(type(owner), HOMES) else type(owner))

    def held(self, part: ast.expr) -> Any:
        """What a name of the module, or an attribute, stands for."""
        match part:
            case ast.Name(name) if self.owner(name) is None:
                return self.module.get(name)
            case ast.Attribute(value, name):
                return member(self.held(value), name)
        return None

    def given_to(self, part: ast.expr, reading: Reading) -> Iterator[tuple[Scope, ast.expr, str]]:
        """The expressions that an attribute, or an item, may have come of."""
        yield from ((scope, expression, "") for scope, expression in self.origin(part))
        if reading.home is None:
            return
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
            case ast.Attribute(value, name) | ast.Subscript(value, ast.Constant(str() as name)):
                for scope, whole in self.made(value):
                    yield from ((scope, held) for key, held in parts(whole) if key == name)

    def made(self, part: ast.expr) -> Iterator[tuple[Scope, ast.Call | ast.Dict]]:
        """The call, or the dict, that made what an expression stands for."""
        if isinstance(part, (ast.Call, ast.Dict)):
            yield self, part
        else:
            for scope, expression in self.origin(part):
                yield from scope.made(expression)


def constant(
    name: str, value: Any, where: Iterable[tuple[Scope, ast.expr, str]], strict: bool = False
) -> Any:
    """The word for a constant of this name.

    Args:
        where: the expressions that it may be defined by, each with a comment.
        strict: whether it is none if they give another number; else it is its literal.
    """
    found: list[str] = []
    places: list[Key] = []
    for scope, expression, comment in where:
        places += [scope.statement.key] if scope.statement is not None else []
        words = scope.listed(expression, value) if isinstance(value, Table) else scope.words(expression)
        if same := [word for word in words if equal(word.number, value)]:
            made = Constant(name, value, same[0], comment, scope.among(name), *places[-1:])
            return Word(value, lambda to: to.named(made))
        if words and strict:
            return None
        text = "" if value in (math.inf, -math.inf) else scope.said(expression)
        found += ["; ".join(filter(None, [text, comment]))] if not words else []
    literal = Constant(name, value, None, found[0] if found else "", None, *places[:1])
    return Word(value, lambda to: to.named(literal))


def local(owner: Remarked, name: str, word: Word) -> Word:
    """The word for a number that a function names."""
    return Word(word.number, lambda to: to.local(owner, name, word), word.given)



"""Numbers as the user spelled them, and under the names that he gave them.

While tracing a constant is a number. Its text is taken from the expression in which it was written, if that
is made of literals, constants and operators, and gives the very number; else it is its own.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Hashable, Set
from typing import Any

from ....backends.backend import Backend
from ....ir.graphs.graph import Graph
from ....ir.graphs.likeness import equal
from ....ir.graphs.regions import guard
from ....ir.sizes.dim import Sym
from ....ir.source.readings import Readings
from ....ir.source.remarks import Key, Remarked
from ...checks.guards import relation
from ...text.unparsing import unparsed
from ...text.walking import Transformer, walked
from ..abreast import abreast, beside
from ..written.remarks import infinity
from .arrays import Printed
from .definitions import defaults, places
from .expressions import constant_parts, found
from .local_constants import is_constant, leave_unread
from .sequences import sequences, value_of
from .tables import NUMBERS, Table, literal
from .word import Constant, Word, told
from .words import Scope

#: How many constants may have one name.
MOST = 100
#: What numbers are written as that ops compute with, where nothing of the user's says them.
COMPUTED = ("math.pi", "2 * math.pi", "math.sqrt(2)", "math.sqrt(2 / math.pi)", "math.sqrt(math.pi)",
            "math.sqrt(2 * math.pi)", "math.log(2)", "math.log(10)", "math.log(math.pi)")  # fmt: skip
EXPRESSIONS = {eval(text, {"math": math}): text for text in COMPUTED}


class Constants:
    """The constants of one file.

    Args:
        name: how the target says a dotted name.
        target: the framework of the file.
        taken: the names that the file uses otherwise.
        readings: what the program read.
    """

    def __init__(
        self, name: Callable[[str], ast.expr], target: Backend, taken: Set[str], readings: Readings
    ) -> None:
        self.name = name
        self.target = target
        self.taken = taken
        self.readings = readings
        #: The array that is to get a name.
        self.printed: Printed | None = None
        #: The statements that name them, with the numbers, by the names.
        self.defined: dict[str, tuple[ast.stmt, Any]] = {}
        #: Where the user binds the names, by the files in the order in which they are met.
        self.places: dict[str, dict[str, Key]] = {}
        #: The function whose numbers are spelled.
        self.function: Any = None

    def definitions(self) -> list[ast.stmt]:
        """The statements that define the constants, those in one that the user has in one."""
        waiting: list[Any] = [self.defined[name][0] for name in self.ordered()]
        made: list[ast.stmt] = []
        while waiting:
            first = waiting.pop(0)
            with_it = [other for other in waiting if beside(other) == beside(first) is not None]
            together = [other for other in with_it if not reads(other.value)]
            waiting = [other for other in waiting if other not in together]
            made += abreast([first, *together])
        return made

    def ordered(self) -> list[str]:
        """The names as the user has them, each behind those that its definition reads."""
        by_file = [sorted(names, key=lambda n: names[n]) for names in self.places.values()]
        placed = [name for names in by_file for name in names]
        found: dict[str, None] = {}
        asked = set[str]()
        waiting = [*reversed([*placed, *(name for name in self.defined if name not in placed)])]
        while waiting:
            name = waiting[-1]
            value: Any = self.defined[name][0]
            read = (part.id for part in walked(value.value) if isinstance(part, ast.Name))
            before = [each for each in read if each in self.defined and each not in found]
            if before and name not in asked:
                asked.add(name)
                waiting += before
            else:
                found[waiting.pop()] = None
        return [*found]

    def spell(self, function: ast.FunctionDef) -> None:
        """Let the numbers in a function have the user's words."""
        self.function = function
        spelling = Spelling(self)
        spelling.visit(function)
        leave_unread(function, spelling.generic_visit)

    def dotted(self, module: str, name: str) -> ast.expr:
        """What a module knows by name; "" for the target's own."""
        return self.name(f"{module or self.target.functions[0]}.{name}")

    def named(self, constant: Constant) -> ast.expr | None:
        """A constant under its name, which the file defines as the user does; what it is defined as where the
        name is taken.
        """
        printed = self.printed if isinstance(constant.number, Table) else None
        number = printed.table if printed is not None else constant.number
        for name in (constant.name, *(f"{constant.name}_{count}" for count in range(2, MOST))):
            if name in self.taken:
                break
            if name not in self.defined:
                self.define(name, constant, printed)
            if equal(self.defined[name][1], number):
                return ast.Name(name, ast.Load())
        return constant.word.say(self) if constant.word is not None and printed is None else None

    def local(self, owner: Remarked, name: str, word: Word) -> ast.expr | None:
        """A number that a function of the user's names, by its name where that is the function at hand."""
        known = getattr(self.function, "constants", {}) if self.function.own is owner else {}
        if name in known and equal(known[name], word.number):
            return ast.Name(name, ast.Load())
        return word.say(self)

    def literal(self, value: Any) -> ast.expr:
        """A number, a string, or a tuple or a list of such, of which nothing of the user's is said."""
        if isinstance(value, tuple | list):
            kind = ast.Tuple if isinstance(value, tuple) else ast.List
            return kind([*map(self.literal, value)], ast.Load())
        if type(value) is float and math.isinf(value):
            made = self.dotted("", "inf")
            return made if value > 0 else ast.UnaryOp(ast.USub(), made)
        return ast.Constant(value) if isinstance(value, str) else literal(value)

    def computed(self, number: float) -> ast.expr:
        """What a number is computed from."""
        made = ast.parse(EXPRESSIONS[number], mode="eval").body
        return Imported(self.dotted).visit(made)  # type: ignore[no-any-return]

    def limit(self, dtype: str, name: str) -> ast.expr:
        """`torch.finfo(torch.float32).min`, as a number of Python's."""
        found = ast.Call(self.dotted("", "finfo"), [self.dotted("", dtype)], [])
        said = ast.Attribute(found, name, ast.Load())
        return ast.Call(ast.Name("float", ast.Load()), [said], []) if self.target.own_limits else said

    def define(self, name: str, constant: Constant, printed: Printed | None) -> None:
        value = constant.word.say(self) if constant.word is not None else None
        if name in self.defined:  # by what it is made of, `Config(eps=eps)`
            return
        number = constant.number
        value = printed.of(value, number) if printed is not None else value or self.literal(number)
        made = ast.Assign([ast.Name(name, ast.Store())], value)
        made.trailing = constant.comment  # type: ignore[attr-defined]
        if constant.among is not None:
            made.beside, made.place = constant.among  # type: ignore[attr-defined]
        self.defined[name] = made, printed.table if printed is not None else number
        if constant.place is not None:
            self.places.setdefault(constant.place[0], {})[name] = constant.place


class Imported(Transformer):
    """Imports what is named in an expression."""

    def __init__(self, dotted: Callable[[str, str], ast.expr]) -> None:
        self.dotted = dotted

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self.dotted(unparsed(node.value), node.attr)


class Spelling(Transformer):
    """Puts the user's words for numbers into a tree. Of several in one expression of his that give the same
    number each is said once, in order, and the last again where there are more.
    """

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        #: What was not said yet, by the expression and the number.
        self.left: dict[ast.expr, dict[Hashable, list[Word]]] = {}
        #: The expressions by their places.
        self.known: dict[Any, tuple[Scope, ast.expr] | None] = {}
        #: Whether an index is visited.
        self.indexing = False

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

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return node if is_constant(node) else self.generic_visit(node)  # it is not known yet who reads it

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        inner = node.operand
        known = isinstance(inner, ast.Constant) or infinity(inner) is not None
        made = self.within(node, inner) if known else None
        return self.generic_visit(node) if made is None else made

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        made = self.within(node, node) if infinity(node) is not None else None
        return self.generic_visit(node) if made is None else made

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str):
            return self.whole(node) or node
        own = self.number(node)
        if own is None and isinstance(node.value, float) and node.value in EXPRESSIONS:
            return self.constants.computed(node.value)
        return own or node

    def number(self, node: ast.expr) -> ast.expr | None:
        return self.within(node, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        printed: Printed | None = getattr(node, "array", None)
        if printed is None:
            return self.generic_visit(node)
        if (known := self.place(node)) is not None:
            self.constants.printed = printed
            for word in printed.words(*known):
                if (made := word.say(self.constants)) is not None:
                    return made
            self.give_items(node, printed, *known)
        if getattr(node, "of", None) is None and known is None:
            return node
        self.generic_visit(node)
        match node:
            case ast.Call(_, [ast.Call(ast.Name("float"), [ast.Attribute(ast.Call()) as limit])], [_]):
                node.args = [limit]  # the array is made in a dtype that is said
        return node

    def give_items(self, node: ast.Call, printed: Printed, scope: Scope, expression: ast.expr) -> None:
        """Let an array be made of a sequence that has a name."""
        if node.args and isinstance(node.args[0], ast.List):
            told = any(keyword.arg == "dtype" for keyword in node.keywords)
            same = (word for word in sequences(scope, expression) if printed.holds(word.number, told))
            said = (word.say(self.constants) for word in same)
            node.args[0] = next(filter(None, said), node.args[0])

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        node.value = self.visit(node.value)
        before, self.indexing = self.indexing, True
        node.slice = self.visit(node.slice)
        self.indexing = before
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return self.whole(node) or self.generic_visit(node)

    def visit_List(self, node: ast.List) -> ast.AST:
        return self.whole(node) or self.generic_visit(node)

    def whole(self, printed: ast.expr) -> ast.expr | None:
        """The name of a sequence that is printed, where the user wrote it by that."""
        known = self.place(printed)
        value = value_of(printed) if known is not None else None
        for word in sequences(*known) if known is not None and value is not None else ():
            if equal(word.number, value) and (made := word.say(self.constants)) is not None:
                return made
        return None

    def within(self, number: ast.expr, constant: ast.expr) -> ast.expr | None:
        """The user's words for a number, where it is known in which expression he wrote it."""
        known = self.place(constant)
        return None if known is None else self.put(number, *known)

    def place(self, printed: ast.expr) -> tuple[Scope, ast.expr] | None:
        """The expression in which the user wrote what is printed, where that is known."""
        place: Any = getattr(printed, "within", None)
        if place not in self.known:
            key, positions = place or (None, None)
            self.known[place] = found(key, positions, self.constants.readings) if key is not None else None
            if (known := self.known[place]) is not None:
                function = self.constants.function
                known[0].pinned = getattr(function, "own", None), pinned(function)
        return self.known[place]

    def put(self, printed: ast.expr, scope: Scope, expression: ast.expr) -> ast.expr | None:
        """What the user wrote for a number in an expression of his; None where nothing there gives it."""
        number = infinity(printed) or scope.value(printed)
        if number is None:
            return None
        if expression not in self.left:
            self.left[expression] = {}
            for part in constant_parts(expression, scope):
                for word in scope.words(part):
                    self.left[expression].setdefault(told(word.number), []).append(word)
        same = self.left[expression].get(told(number), [])
        same = same if all(word.given for word in same) else [word for word in same if not word.given]
        if self.indexing and not any(isinstance(part, ast.Subscript) for part in walked(expression)):
            same = [word for word in same if not word.given]  # as an index False is not 0
        for word in same:
            if (made := word.say(self.constants)) is not None:
                if len(same) > 1:
                    same.remove(word)
                return made
        return None

    def scope(self, statement: Remarked) -> Scope:
        return Scope(statement, self.constants.readings)


def pinned(function: Any) -> dict[str, Any]:
    """The numbers that the parameters of a function are checked to be, by whoever calls it at least."""
    first, *others = [*map(checked, getattr(function, "graphs", ()))] or [{}]
    return {
        name: value
        for name, value in first.items()
        if type(value) in NUMBERS and all(equal(other.get(name), value) for other in others)
    }


def checked(graph: Graph) -> dict[str, Any]:
    """What the arguments of a graph are checked to be, by what says them."""
    guards = (node.args for node in graph.nodes if node.target is guard)
    found = (relation(what, value) for what, value in guards if isinstance(what, Sym))
    return {**graph.meta.get("static", {}), **{fact.what: fact.expected for fact in found if not fact.other}}


def reads(expression: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) for node in walked(expression))


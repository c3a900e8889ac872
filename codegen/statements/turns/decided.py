"""Decided: the test of an `if` that Python decided while tracing, turn by turn, as the loop has it.

It may ask what the text knows as well: keys, numbers of turns, how many items there are, ranks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ....ir.source.remarks import Key
from ...text.unparsing import unparsed
from ...text.walking import Transformer, copied, walked
from ..constants.expressions import span
from .headers import Bound, Given, Held, Keys, length

#: The methods of strings that a test may call.
ASKED = frozenset("endswith startswith isdigit isupper islower lower upper count find".split())


#: The rank of an array of which it is only known that it is one.
SOME = -1


class Unlike(Exception):
    """The turns are not the same."""


class Decided:
    """The tests of one loop.

    Args:
        bound: what the names of its header are in each turn.
        given: what is known of the arguments, as it is checked.
        constants: the names of the user's module.
        key: the statement of the user's in which the tests are.
    """

    def __init__(
        self, bound: Bound, given: Given, constants: Mapping[str, Any], key: Key | None = None
    ) -> None:
        self.bound = bound
        self.given = given
        self.constants = constants
        self.key = key

    def __deepcopy__(self, memo: dict[int, Any]) -> Decided:
        return self

    def test(self, test: ast.expr, holds: Sequence[int], others: Sequence[int]) -> ast.expr | None:
        """A test, if the text can ask it, and it holds in some turns and in others it does not."""
        made: ast.expr = Asked(self).visit(copied(test))
        if not self.is_asked(made):
            return None
        answers = {turn: self.answer(made, turn) for turn in (*holds, *others)}
        if all(answers[t] is True for t in holds) and all(answers[t] is False for t in others):
            return made
        return None

    def parted(self, test: ast.expr, turns: Sequence[int]) -> tuple[ast.expr, list[int], list[int]] | None:
        """A test, if the text can ask it; the turns in which it holds, and those in which it does not."""
        made: ast.expr = Asked(self).visit(copied(test))
        answers = {turn: self.answer(made, turn) for turn in turns} if self.is_asked(made) else {}
        if not answers or not all(isinstance(answer, bool) for answer in answers.values()):
            return None
        return made, [turn for turn in turns if answers[turn]], [turn for turn in turns if not answers[turn]]

    def mixed(
        self,
        test: ast.expr,
        printed: Sequence[ast.expr],
        holds: Sequence[int],
        alike: Callable[[list[Any]], Any],
    ) -> tuple[ast.expr, tuple[bool, ...]] | None:
        """`weight_decay and not name.endswith("bias")`, of which the turns have the first part, and which of
        the parts Python decided.
        """
        if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
            return None
        turns = range(len(next(iter(self.bound.values()))))
        others = [turn for turn in turns if turn not in holds]
        known = [self.test(part, holds, others) for part in test.values]
        if sum(part is not None for part in known) != 1:
            return None
        values = []
        for place, part in enumerate(known):
            each = [parts(one, len(known), place) for one in printed]
            if part is None and all(one is not None for one in each):
                values.append(alike(each))
            elif part is None:
                return None
            else:
                values.append(part)
        return ast.BoolOp(ast.And(), values), tuple(part is not None for part in known)

    def is_asked(self, test: ast.expr) -> bool:
        """Whether a test asks what the text knows alone."""
        names = set[int]()
        loops = [node for node in walked(test) if isinstance(node, ast.comprehension)]
        own = {node.id for loop in loops for node in walked(loop.target) if isinstance(node, ast.Name)}
        for node in walked(test):
            match node:
                case ast.Attribute(ast.Name(name), "ndim") if name in self.bound:
                    names.add(id(node.value))
                case ast.Compare(ast.Name() as item) if is_look(node):
                    names.add(id(item))
                case ast.Compare(ast.Constant(), [ast.In() | ast.NotIn()], [ast.Name(name) as whole]):
                    if name in self.bound:
                        names.add(id(whole))
                case ast.Call(ast.Attribute(_, method), _, []) if method in ASKED:
                    names.add(id(node.func))
                case ast.Call(ast.Name("len"), [whole], []) if unparsed(whole) in self.given.held:
                    names |= {id(part) for part in walked(node)}
                case ast.Call(ast.Name("any" | "all"), [ast.GeneratorExp()], []):
                    names |= {id(node), id(node.func)}
                case ast.Name(name) if id(node) not in names and name not in own:
                    items = self.bound.get(name, [test])
                    if not all(isinstance(item, ast.Constant) for item in items):
                        return False
                case ast.Attribute() | ast.Call() if id(node) not in names:
                    return False
                case ast.Lambda() | ast.ListComp() | ast.Await() | ast.NamedExpr():
                    return False
        return True

    def answer(self, test: ast.expr, turn: int) -> Any:
        """What a test says in a turn."""
        items = {name: each[turn] for name, each in self.bound.items()}
        values = {name: item.value for name, item in items.items() if isinstance(item, ast.Constant)}
        paths = {name: unparsed(item) for name, item in items.items()}
        known = Known(self.given.held, paths, self.given.ranks, self.given.keys)
        asked = ast.Expression(ast.fix_missing_locations(known.visit(copied(test))))
        words = {"__builtins__": {"any": any, "all": all}}
        try:
            return eval(compile(asked, "<test>", "eval"), {**words, **values})
        except Exception:  # what is asked of strings and numbers may raise anything
            return None


class Asked(Transformer):
    """Says a test without constants of the user's module and words of a framework's."""

    def __init__(self, decided: Decided) -> None:
        self.decided = decided

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.decided.bound or node.id not in self.decided.constants:
            return node
        value = self.decided.constants[node.id]
        flat = value if type(value) is tuple else (value,)
        if all(type(each) in (int, str, bool) for each in flat):
            made: Any = ast.parse(repr(value), mode="eval").body
            if self.decided.key is not None:
                made.within = self.decided.key, span(node)
            return made  # type: ignore[no-any-return]
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), "dim"), [], []) if name in self.decided.bound:
                return ast.Attribute(ast.Name(name, ast.Load()), "ndim", ast.Load())
            case ast.Call(ast.Name("len"), [ast.Attribute(ast.Name(name), "shape")], []):
                if name in self.decided.bound:
                    return ast.Attribute(ast.Name(name, ast.Load()), "ndim", ast.Load())
        return self.generic_visit(node)


class Known(Transformer):
    """Puts in how many items containers have, which keys, which ranks arrays, and what is None."""

    def __init__(
        self,
        held: Held,
        items: Mapping[str, str],
        ranks: Mapping[str, int | None],
        keys: Mapping[str, Keys],
    ) -> None:
        self.held = held
        self.items = items
        self.ranks = ranks
        self.keys = keys

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(ast.Name("len"), [whole], []) if unparsed(whole) in self.held:
                return ast.Constant(length(self.held[unparsed(whole)]))
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(ast.Name(name), "ndim"):
                if (rank := self.ranks.get(self.items.get(name, ""), SOME)) != SOME:
                    return ast.Constant(rank)
        return self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(ast.Name(name), [ast.Is() | ast.IsNot() as asks], [ast.Constant(None)]):
                if self.items.get(name) in self.ranks:
                    nothing = self.ranks[self.items[name]] is None
                    return ast.Constant(nothing == isinstance(asks, ast.Is))
            case ast.Compare(ast.Constant(key), [ast.In() | ast.NotIn() as asks], [ast.Name(name)]):
                there = self.keys.get(self.items.get(name, ""), {}).get(key)
                if there is not None:
                    return ast.Constant(there == isinstance(asks, ast.In))
        return self.generic_visit(node)


def settled(test: ast.expr, held: Held) -> bool | None:
    """What a test says of how many items containers have, whatever else there is; None where it asks more."""
    asked = ast.Expression(ast.fix_missing_locations(Known(held, {}, {}, {}).visit(copied(test))))
    if any(isinstance(node, (ast.Name, ast.Call)) for node in walked(asked)):
        return None
    try:
        found = eval(compile(asked, "<test>", "eval"), {"__builtins__": {}})
    except Exception:
        return None
    return found if isinstance(found, bool) else None


def is_look(node: ast.AST) -> bool:
    """Whether some code looks at what an item is."""
    match node:
        case ast.Attribute(_, "ndim") | ast.Compare(_, [ast.Is() | ast.IsNot()], [ast.Constant(None)]):
            return True
    return False


def parts(printed: ast.expr, count: int, place: int) -> ast.expr | None:
    """One of the parts of a test that is printed, of as many as the user's."""
    if isinstance(printed, ast.BoolOp) and isinstance(printed.op, ast.And) and len(printed.values) == count:
        return printed.values[place]
    return printed if count == 2 else None


def pairs(facts: Mapping[Any, Any]) -> Iterator[tuple[Any, bool]]:
    """The keys that a dict has, or has not, of what is checked of it."""
    whole = facts.get("whole")
    yield from ((key, True) for key in (whole if isinstance(whole, tuple) else ()))
    yield from (fact for fact in facts if fact != "whole")

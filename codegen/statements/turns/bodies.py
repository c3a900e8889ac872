"""Bodies: those of several versions of one function, gone through abreast; see versions.py."""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ....ir.source.remarks import Remarked, remarks
from ...text.unparsing import unparsed
from ...text.walking import copied, walked
from ..written.named_items import mentioned, stored
from ..written.positions import position, within
from .alike import Turns
from .decided import Decided, Unlike
from .headers import Bound
from .picked import picked, picks

#: So many conditional expressions that the user did not write may stand in a function, none longer than this.
CHOICES, LONG = 3, 40
#: The statements of each version that are still to be gone through.
Waiting = dict[int, list[ast.stmt]]
#: Statements for all that go on, and those that leave the function there.
Step = tuple[list[ast.stmt], Sequence[int]]
#: What changes while bodies are gone through.
CHANGING = ("own", "also", "binds", "outside", "used", "stale", "spent")
#: Statements of which the user's is not always known.
UNPLACED = (ast.Return, ast.For, ast.While, ast.FunctionDef)
#: What a function may end with before its last statement.
LEAVING = (ast.Return, ast.Raise)


class Abreast(Turns):
    """The bodies of several versions, which are gone through abreast.

    Args:
        bound: what parameters are in each version that are not the same in all.
        common: the parameters that all have.
        own: the user's function.

    Attributes:
        spent: how many conditional expressions stand there that are not the user's.
    """

    def __init__(
        self,
        bodies: Sequence[list[ast.stmt]],
        bound: Bound,
        common: Collection[str],
        decided: Decided,
        own: Remarked,
    ) -> None:
        differing = {n: each for n, each in bound.items() if len({*map(unparsed, each)}) > 1}
        super().__init__(differing, [{*stored(body)} for body in bodies], decided)
        self.own = [{name: name for name in common} for _ in bodies]
        self.user = own
        self.spent = self.tried = 0
        #: The names that the user's statement at hand goes back to.
        self.behind: set[str] = set()
        flags = [name for name, items in differing.items() if all(map(is_flag, items))]
        asked = [node.test for node in walked(own.node) if isinstance(node, (ast.If, ast.IfExp))]
        self.tests = [*asked, *(ast.Name(name, ast.Load()) for name in flags)]

    def from_before(self, each: Sequence[Any]) -> ast.Name:
        raise Unlike

    def goes_by(self, turn: int, name: str, new: str) -> None:
        if not any(name in self.names(turn, own) for own in self.own[turn]):
            raise Unlike
        super().goes_by(turn, name, new)

    def end(self) -> None:
        """What is read and not bound here must be bound nowhere.

        Raises:
            Unlike: where it is.
        """
        if self.binds & self.outside:
            raise Unlike

    def saved(self) -> Any:
        return copy.deepcopy({name: getattr(self, name) for name in CHANGING})

    def restore(self, saved: Any) -> None:
        for name, value in copy.deepcopy(saved).items():
            setattr(self, name, value)

    # Statements.

    def block(self, each: Sequence[Sequence[ast.stmt]], user: Sequence[Remarked] = ()) -> list[ast.stmt]:
        """The statements of a block."""
        waiting = dict(zip(self.active, map(list, each)))
        going, made = [*self.active], list[ast.stmt]()
        while any(waiting[turn] for turn in going):
            for step in (self.next, self.parted_by, self.next_of_any):
                before, ahead = self.saved(), {turn: [*rest] for turn, rest in waiting.items()}
                try:
                    with self.among(going):
                        parted, left = step(waiting, going)
                except Unlike:
                    self.restore(before)
                    waiting = ahead
                    continue
                made += parted
                going = [turn for turn in going if turn not in left]
                break
            else:
                raise Unlike
        if any(waiting.values()):
            raise Unlike
        return made

    def next(self, waiting: Waiting, going: Sequence[int]) -> Step:
        """The first statement of all that go on, which is of one of the user's."""
        if len({position(waiting[turn][0]) for turn in going if waiting[turn]}) != 1:
            raise Unlike
        return self.next_of_any(waiting, going)

    def next_of_any(self, waiting: Waiting, going: Sequence[int]) -> Step:
        """The same where that is not known."""
        heads = [waiting[turn][0] for turn in going if waiting[turn]]
        places = {(type(h), None if isinstance(h, UNPLACED) else position(h)) for h in heads}
        if len(places) != 1 or len(heads) < len(going):
            raise Unlike
        before, self.behind = self.behind, {*self.names_behind(heads)}
        try:
            made = self.statement(copied(heads))
        finally:
            self.behind = before
        for turn in going:
            waiting[turn].pop(0)
        return [made], []

    def names_behind(self, heads: Sequence[ast.stmt]) -> Iterator[str]:
        """The names that the user's statements read of which these are, and those that these were made of."""
        waiting: list[ast.stmt] = []
        for head in heads:
            key = position(head)
            user = remarks(key[0]).found.get(key) if key is not None else None
            while user is not None and user is not self.user:
                waiting.append(user.node)
                user = user.parent
        inside = [node for node in walked(self.user.node) if isinstance(node, ast.stmt)]
        if isinstance(heads[0], ast.Return):
            waiting += [node for node in inside if isinstance(node, ast.Return)]
        met = set[str]()
        while waiting:
            names = {name for each in read_by(waiting.pop()) for name in mentioned(each)} - met
            met |= names
            yield from names
            waiting += [each for each in inside if not is_block(each) and names & {*stored([each])}]

    def parted_by(self, waiting: Waiting, going: Sequence[int]) -> Step:
        """What stands below a test of the user's that Python decided, and who leaves the function there."""
        keys = {key for turn in going if waiting[turn] and (key := position(waiting[turn][0])) is not None}
        for user in around(sorted(keys), self.user):
            if picks(user.node):
                rows = [taken(waiting[turn], user) for turn in going]
                return picked(self, rows, user), []
            parts = self.decided.parted(user.node.test, going)  # type: ignore[attr-defined]
            if parts is not None and parts[1] and parts[2]:
                return self.below(user, parts, waiting)
        return self.ended(waiting, going)

    def ended(self, waiting: Waiting, going: Sequence[int]) -> Step:
        """An `if` by which some leave the function with what they have: `return x`."""
        bare = [turn for turn in going if is_end(waiting[turn]) and position(waiting[turn][0]) is None]
        for node in walked(self.user.node) if bare else ():
            if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return):
                parts = self.decided.parted(node.test, going)
                if parts is not None and parts[1] == bare and parts[2]:
                    with self.among(bare):
                        made: Any = ast.If(parts[0], self.block([waiting[turn] for turn in bare]), [])
                    made.decided = (True,)
                    waiting.update({turn: [] for turn in bare})
                    return [made], bare
        raise Unlike

    def below(
        self, user: Remarked, parts: tuple[ast.expr, list[int], list[int]], waiting: Waiting
    ) -> Step:
        """An `if` that was decided while tracing, for some so and for others so."""
        test, *ways = parts
        sides: list[list[ast.stmt]] = [[], []]
        left = []
        for number, way in enumerate(ways):
            rows = [taken(waiting[turn], user) for turn in way]
            block = user.blocks[number] if number < len(user.blocks) else []
            if any(not block or not of_block(row, block) for row in rows if row):
                raise Unlike
            if any(rows):
                with self.among(way):
                    sides[number] = self.block(rows)
                left += way if isinstance(sides[number][-1], LEAVING) else []
        if not sides[0] and not sides[1]:
            raise Unlike
        made: Any = ast.If(test, *sides) if sides[0] else ast.If(ast.UnaryOp(ast.Not(), test), sides[1], [])
        made.of, made.decided = user.key, (True,)
        return [made], left

    def field(self, each: list[Any]) -> Any:
        first = each[0]
        if isinstance(first, list) and any(isinstance(item, ast.stmt) for one in each for item in one):
            return self.block(each)
        return super().field(each)

    # Expressions.

    def expression(self, each: list[Any]) -> Any:
        before = self.saved()
        try:
            if len({node.func.attr for node in each if is_method(node)}) > 1:
                raise Unlike
            return super().expression(each)
        except Unlike:
            self.restore(before)
            if not all(is_value(node) for node in each):
                raise
            return self.either(each)

    def either(self, each: list[Any]) -> ast.expr:
        """One expression or the other, by a test that tells these apart."""
        for test in (test for test in self.tests if self.behind & {*mentioned(test)}):
            self.tried += 1
            parts = self.decided.parted(test, self.active) if self.tried < 100 else None
            if parts is None or not parts[1] or not parts[2] or self.spent >= CHOICES:
                continue
            before = self.saved()
            found = dict(zip(self.active, each))
            try:
                sides = []
                for way in parts[1:]:
                    with self.among(way):
                        sides.append(self.expression([found[turn] for turn in way]))
            except Unlike:
                self.restore(before)
                continue
            if max(len(unparsed(side)) for side in sides) > LONG:
                break
            made: Any = ast.IfExp(parts[0], *sides)
            made.decided = (True,)
            self.spent += 1
            return made  # type: ignore[no-any-return]
        raise Unlike


def is_block(node: ast.stmt) -> bool:
    return hasattr(node, "body")


def read_by(node: Any) -> list[ast.AST]:
    """A statement; the header of one that holds others."""
    if isinstance(node, ast.For):
        return [node.iter]
    if is_block(node):
        return [node.test] if isinstance(node, (ast.If, ast.While)) else []
    return [node]


def is_method(node: Any) -> bool:
    """Whether a method is called, which is said with its array."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def is_flag(item: ast.expr) -> bool:
    return isinstance(item, ast.Constant) and isinstance(item.value, bool)


def is_value(node: Any) -> bool:
    """Whether one of two may stand in the place of an expression."""
    parts = [node, *node.elts] if isinstance(node, ast.Tuple) else [node]
    if any(not isinstance(part, ast.expr) or isinstance(part, (ast.Slice, ast.Starred)) for part in parts):
        return False
    return isinstance(getattr(node, "ctx", None), ast.Load | None)


def around(keys: Sequence[Any], own: Remarked) -> Iterator[Remarked]:
    """The tests of the user's in a function around some statements, outer ones first."""
    for key in keys:
        user = remarks(key[0]).found.get(key)
        chain: list[Remarked] = []
        while user is not None and user is not own:
            chain.append(user)
            user = user.parent
        if user is own:
            yield from (each for each in reversed(chain) if isinstance(each.node, ast.If) or picks(each.node))


def taken(statements: list[ast.stmt], user: Remarked) -> list[ast.stmt]:
    """Take the first statements off that are of one of the user's, and what only hands on what these made."""
    found: list[ast.stmt] = []
    while statements:
        at = position(statements[0])
        if not within(at, user.node, user.node) and not (at is None and found and is_end(statements)):
            break
        found.append(statements.pop(0))
    return found


def is_end(statements: Sequence[ast.stmt]) -> bool:
    return len(statements) == 1 and isinstance(statements[0], ast.Return)


def of_block(row: Sequence[ast.stmt], block: Sequence[Remarked]) -> bool:
    places = (at for statement in row if (at := position(statement)) is not None)
    return all(within(at, block[0].node, block[-1].node) for at in places)

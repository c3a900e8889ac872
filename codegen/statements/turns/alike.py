"""Alike: the statements of several turns of a loop as those of one, where they differ in the items alone.

    params["w"] -= lr * grads["w"]
    params["b"] -= lr * grads["b"]          p -= lr * grads[name]

What a turn has that another has not stands below an `if` of the user's that Python decided turn by turn.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ....ir.source.remarks import Remarked
from ...text.unparsing import unparsed
from ..written.named_items import stored
from ..written.positions import goes_on, is_of, taken, taken_all, uneven
from ..written.remarks import said
from ..written.stated import is_path
from .decided import Decided, Unlike
from .headers import Bound
from .picked import picked, picks


class Turns:
    """Several turns, which are gone through abreast, in the order in which they are run.

    Args:
        bound: what the names of the header are in each turn.
        stored: the variables that each turn binds.
        calls: what the user calls them, for some; the others are called as in the first turn.

    Attributes:
        own: by turn, what the variables that it has bound so far are called in the loop; not those whose
            names are others' by now.
        carried: what turns read of the ones before them, and what these must call it.
        begun: what variables are before the first turn, where that is no variable of the same name.
        active: the turns that are gone through; fewer below an `if`.
    """

    def __init__(
        self,
        bound: Bound,
        stored: Sequence[Collection[str]],
        decided: Decided,
        calls: Mapping[str, str] | None = None,
    ) -> None:
        self.bound = {name: [unparsed(item) for item in items] for name, items in bound.items()}
        self.everything = set[str]().union(*stored)
        self.decided = decided
        self.calls = calls or {}
        #: What the turns bind as the loop calls it, and what they read that is bound outside.
        self.binds: set[str] = set()
        self.outside: set[str] = set()
        self.own: list[dict[str, str]] = [{} for _ in stored]
        #: Their other names, where what a variable is was given to another.
        self.also: list[dict[str, set[str]]] = [{} for _ in stored]
        #: From which variables others may get what they are.
        self.sources: Mapping[str, Collection[str]] = {}
        self.carried: list[tuple[int, str, str]] = []
        self.begun: dict[str, ast.expr] = {}
        self.active: Sequence[int] = range(len(stored))
        #: The names of the header that stand somewhere.
        self.used: set[str] = set()
        #: Those whose items are others by now: something was put in their places.
        self.stale: set[str] = set()

    def end(self) -> None:
        """What a turn reads of the one before it must be what that has bound.

        Raises:
            Unlike: where it is something else.
        """
        if any(wanted not in self.names(turn - 1, name) for turn, name, wanted in self.carried):
            raise Unlike
        if (self.binds | {*self.bound}) & self.outside:
            raise Unlike

    @contextmanager
    def among(self, turns: Sequence[int]) -> Iterator[None]:
        before, self.active = self.active, turns
        yield
        self.active = before

    # Statements.

    def block(self, each: Sequence[Sequence[ast.stmt]], user: Sequence[Remarked]) -> list[ast.stmt]:
        """The statements of a block, of which the user's is this.

        Raises:
            Unlike: where they are not the same in every turn.
        """
        if any(said(s, "of") is not None for statements in each for s in statements):
            waiting = [list(statements) for statements in each]
            made: list[ast.stmt] = []
            for place, one in enumerate(user):
                skipped = [turn for turn, left in zip(self.active, waiting) if not left]
                if skipped and goes_on(one.node):
                    return [*made, *self.rest(waiting, skipped, one, user[place + 1 :])]
                rows = [taken(statements, one) for statements in waiting]
                if isinstance(one.node, ast.If) and uneven(rows, one.key):
                    made += self.parted(rows, one)
                elif picks(one.node) and any(rows):
                    made += picked(self, rows, one)
                else:
                    made += self.abreast(rows)
            if not any(waiting):
                return made
            raise Unlike
        return self.abreast(each)

    def rest(
        self, each: list[list[ast.stmt]], skipped: list[int], user: Remarked, behind: Sequence[Remarked]
    ) -> list[ast.stmt]:
        """The rest of a block behind an `if` by which some turns end."""
        others = [turn for turn in self.active if turn not in skipped]
        test = self.decided.test(user.node.test, skipped, others)  # type: ignore[attr-defined]
        if test is None:
            raise Unlike
        leaves: Any = ast.Continue()
        made: Any = ast.If(test, [leaves], [])
        made.of, leaves.of = user.key, user.blocks[0][0].key
        made.decided = (True,)
        left = [statements for statements in each if statements]
        with self.among(others):
            return [made, *self.block(left, behind)]

    def abreast(self, each: Sequence[Sequence[ast.stmt]]) -> list[ast.stmt]:
        if len({len(statements) for statements in each}) != 1:
            raise Unlike
        return [self.statement(list(row)) for row in zip(*each)]

    def parted(self, rows: Sequence[Sequence[ast.stmt]], user: Remarked) -> list[ast.stmt]:
        """An `if` that was decided while tracing, in some turns so and in others so; where another part of
        its test is not, those in which it may hold have an `if` of their own.
        """
        node: Any = user.node
        if any(is_of(row, user.key) for row in rows):
            holds = [turn for turn, row in zip(self.active, rows) if row]
            if any(not is_of(row, user.key) or len(row) != 1 for row in rows if row):
                raise Unlike
            found: list[Any] = [row[0] for row in rows if row]
            with self.among(holds):
                mix = self.decided.mixed(node.test, [each.test for each in found], holds, self.expression)
                if mix is None or any(each.orelse for each in found):
                    raise Unlike
                body = self.block([each.body for each in found], user.blocks[0])
            mixed: Any = ast.copy_location(ast.If(mix[0], body, []), found[0])
            mixed.decided, mixed.of = mix[1], user.key
            return [mixed]
        waiting = [list(row) for row in rows]
        ways = [[taken_all(row, block) for row in waiting] for block in user.blocks]
        if any(waiting) or any(all(sides) for sides in zip(*ways) if len(sides) > 1):
            raise Unlike
        holds = [turn for turn, row in zip(self.active, ways[0]) if row]
        others = [turn for turn in self.active if turn not in holds]
        test = self.decided.test(node.test, holds, others)
        if test is None:
            raise Unlike
        sides: list[list[ast.stmt]] = [[], []]
        for side, turns, block, found_rows in zip(sides, (holds, others), user.blocks, ways):
            chosen = [row for turn, row in zip(self.active, found_rows) if turn in turns]
            if any(chosen):
                with self.among(turns):
                    side += self.block(chosen, block)
        made: Any = ast.If(test, *sides) if sides[0] else ast.If(ast.UnaryOp(ast.Not(), test), sides[1], [])
        made.of, made.decided = user.key, (True,)
        return [made]

    def statement(self, each: list[Any]) -> ast.stmt:
        first = each[0]
        self.same_kind(each)
        made: Any = copy.copy(first)
        fields = [name for name in first._fields if name not in ("targets", "target")]
        if isinstance(first, ast.If) and self.keeps_item(each):
            made.test = self.expression([statement.test for statement in each])
            made.body, made.orelse = self.field([statement.body for statement in each]), []
            return made  # type: ignore[no-any-return]
        if isinstance(first, ast.FunctionDef):
            self.bind([statement.name for statement in each])
            made.name = self.called(first.name)
            fields.remove("name")
        if isinstance(first, ast.For):  # what it goes through is read before its names are bound
            fields.remove("iter")
            made.iter = self.expression([statement.iter for statement in each])
            made.target = self.expression([statement.target for statement in each])
        for name in fields:
            setattr(made, name, self.field([getattr(statement, name) for statement in each]))
        if isinstance(first, ast.Assign):
            made.targets = [self.target(list(row)) for row in zip(*(statement.targets for statement in each))]
        elif isinstance(first, ast.AugAssign):
            targets = [statement.target for statement in each]
            if all(isinstance(target, ast.Name) for target in targets) and self.item(targets) is None:
                self.variable([ast.Name(target.id, ast.Load()) for target in targets])
            made.target = self.expression(targets)
        return made  # type: ignore[no-any-return]

    def keeps_item(self, each: Sequence[ast.If]) -> bool:
        """Whether a variable is an item on the other way of an `if`, and is called as it: where the user has
        `if decay: g = g + p * decay`, the turns have `else: g = grads[0]`.
        """
        names, items = list[str](), list[str]()
        for statement in each:
            match statement.orelse:
                case [ast.Assign([ast.Name(name)], value)]:
                    names.append(name)
                    items.append(unparsed(value))
                case _:
                    return False
        (name,) = {*names} if len({*names}) == 1 else ("",)
        if name not in self.bound or self.items(name) != items or name in self.stale:
            return False
        if self.calls.get(name, name) != name or any(name in self.own[t].values() for t in self.active):
            return False
        return all(name in {*stored(statement.body)} for statement in each)

    def target(self, each: list[Any]) -> Any:
        """Where something is put, as a place in its container."""
        if is_path(each[0]):
            self.stale |= {name for name in self.bound if self.items(name) == [*map(unparsed, each)]}
        return self.expression(each)

    # Expressions.

    def field(self, each: list[Any]) -> Any:
        first = each[0]
        if isinstance(first, ast.stmt):
            return self.statement(each)
        if isinstance(first, ast.AST):
            return self.expression(each)
        if isinstance(first, list):
            if any(len(values) != len(first) for values in each):
                raise Unlike
            return [self.field(list(row)) for row in zip(*each)]
        if any(type(value) is not type(first) or repr(value) != repr(first) for value in each):
            raise Unlike
        return first

    def expression(self, each: list[Any]) -> Any:
        """An expression, or another part of a statement that holds some."""
        first = each[0]
        if isinstance(first, ast.expr) and (name := self.item(each) or self.partly_item(each)) is not None:
            return name
        if all(isinstance(node, ast.Name) for node in each):
            return self.variable(each)
        later = [node for turn, node in zip(self.active, each) if turn]
        if isinstance(first, ast.expr) and later and all(isinstance(node, ast.Name) for node in later):
            return self.from_before(each)
        self.same_kind(each)
        made, fields = copy.copy(first), [*first._fields]
        if is_path(first) and isinstance(first, ast.Subscript):
            places = [node.slice for node in each]
            made.slice = self.item(places, places=True) or self.field(places)
            fields.remove("slice")
        for name in fields:
            setattr(made, name, self.field([getattr(node, name, None) for node in each]))
        return made

    def same_kind(self, each: Sequence[Any]) -> None:
        if any(type(node) is not type(each[0]) for node in each):
            raise Unlike

    def items(self, name: str) -> list[str]:
        """What a name of the header is in these turns."""
        return [self.bound[name][turn] for turn in self.active]

    def item(self, each: list[ast.expr], *, places: bool = False) -> ast.expr | None:
        """The name of the header that stands for these. `places`: whether they are places in a container,
        which are items' in one turn as well.
        """
        if not (is_path(each[0]) or isinstance(each[0], (ast.Constant, ast.Name))):
            return None
        texts = [unparsed(node) for node in each]
        if len({*texts}) == 1 and (len(texts) > 1 or not (places or is_path(each[0]))):
            return None
        for name in self.bound:
            if self.items(name) != texts or name in self.stale:
                continue
            if any(name in self.own[turn].values() for turn in self.active):  # it is another thing by now
                raise Unlike
            self.used.add(name)
            if not name.isidentifier():  # what is computed of places
                return ast.parse(name, mode="eval").body
            return ast.copy_location(ast.Name(name, getattr(each[0], "ctx", ast.Load())), each[0])
        return None

    def partly_item(self, each: list[ast.expr]) -> ast.expr | None:
        """The same where some turns have bound the name to something else."""
        for name in self.bound:
            bound = [
                isinstance(node, ast.Name) and self.own[turn].get(node.id) == name
                for turn, node in zip(self.active, each)
            ]
            if any(bound) and not all(bound) and name not in self.stale:
                rest = zip(self.active, each, bound)
                if all(b or unparsed(n) == self.bound[name][t] for t, n, b in rest):
                    self.used.add(name)
                    return ast.copy_location(ast.Name(name, ast.Load()), each[0])
        return None

    def variable(self, each: list[Any]) -> ast.Name:
        first = each[0]
        if isinstance(first.ctx, ast.Store):
            self.bind([node.id for node in each])
            return ast.copy_location(ast.Name(self.called(first.id), ast.Store()), first)
        known = [self.names(turn, node.id) for turn, node in zip(self.active, each)]
        if common := set.intersection(*known):
            own = self.own[self.active[0]].get(first.id)
            name = own if own is not None and own in common else min(common)
            return ast.copy_location(ast.Name(name, first.ctx), first)
        if any(known):
            raise Unlike
        if len({node.id for node in each}) == 1 and first.id not in self.everything:
            self.outside.add(first.id)
            return first  # type: ignore[no-any-return]
        return self.from_before(each)

    def from_before(self, each: Sequence[Any]) -> ast.Name:
        """A variable that a turn has from the one before it; it is called as the first turn calls it."""
        later = [(turn, node.id) for turn, node in zip(self.active, each) if turn]
        if not later or any(n in self.own[t] or n not in self.everything for t, n in later):
            raise Unlike
        before = next((name for turn, name in later if turn == 1), later[0][1])
        wanted = self.calls.get(before, before)
        known = {called for turn, name, called in self.carried if (turn, name) in later}
        if len(known) == 1:
            (wanted,) = known
        elif isinstance(each[0], ast.Name) and wanted in self.sources.get(each[0].id, ()):
            wanted = each[0].id
        self.carried += [(turn, name, wanted) for turn, name in later]
        first = each[0]
        if self.active[0] == 0 and not (isinstance(first, ast.Name) and first.id == wanted):
            if not isinstance(first, (ast.Constant, ast.Name)) or unparsed(first) in self.everything:
                raise Unlike
            if unparsed(self.begun.setdefault(wanted, first)) != unparsed(first):
                raise Unlike
        elif self.active[0] == 0 and wanted in self.begun:
            raise Unlike
        return ast.copy_location(ast.Name(wanted, ast.Load()), first)

    def bind(self, names: Sequence[str]) -> None:
        """These turns bind a variable."""
        called = self.calls.get(names[0]) or self.called(names[0])
        if any(self.calls.get(name, called) != called for name in names):
            raise Unlike
        self.binds.add(called)
        for turn, name in zip(self.active, names):
            self.free(turn, called)
            self.also[turn].pop(name, None)
            self.own[turn] = {**self.own[turn], name: called}

    def free(self, turn: int, called: str) -> None:
        """Let no variable of a turn be called this any longer."""
        self.own[turn] = {n: v for n, v in self.own[turn].items() if v != called}
        self.also[turn] = {n: names - {called} for n, names in self.also[turn].items()}

    def names(self, turn: int, name: str) -> set[str]:
        """What a variable of a turn is called."""
        own = self.own[turn].get(name)
        return {*self.also[turn].get(name, ()), *([] if own is None else [own])}

    def goes_by(self, turn: int, name: str, new: str) -> None:
        """Let the variable of a turn that is called so be called otherwise as well.

        Raises:
            Unlike: where it is not known which that is.
        """
        if name == new:
            return
        found = [n for n in self.own[turn] if name in self.names(turn, n)]
        if len(found) != 1:
            raise Unlike
        self.free(turn, new)
        self.also[turn].setdefault(found[0], set()).add(new)

    def called(self, name: str) -> str:
        return self.own[self.active[0]].get(name, name)

"""Segments: which statements are of which turn of a loop, where the turns are printed one after another."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from ...text.unparsing import unparsed
from ...text.walking import walked
from ..written.positions import position
from ..written.remarks import said
from ..written.stated import is_path
from .headers import Bound

#: In loops of so many turns those that have nothing are looked for.
MOST = 8


class Segments:
    """Those of one loop, of which the names of the header are these in each turn."""

    def __init__(self, names: Bound) -> None:
        self.names = names
        self.turns = len(next(iter(names.values())))

    def of(self, statements: Sequence[ast.stmt]) -> Iterator[list[list[ast.stmt]]]:
        """The statements of each turn, as they may be: the next begins where one begins again at the top."""
        if (said_of := self.by_items(statements)) is not None:
            yield said_of
        found: list[list[ast.stmt]] = []
        before: Any = None
        for statement in statements:
            at = position(statement)
            if before is None or at is not None and at < before or said(found[-1][-1], "last"):
                found.append([])
            found[-1].append(statement)
            before = at if at is not None else before
        each, odd = divmod(len(statements), self.turns)
        if len(found) == self.turns:
            yield found
        elif not odd:
            yield [[*statements[n * each : (n + 1) * each]] for n in range(self.turns)]
        for parts in (found, [[statement] for statement in statements]):
            for there in self.some(len(parts)):  # others have nothing
                yield [parts[there.index(turn)] if turn in there else [] for turn in range(self.turns)]

    def by_items(self, statements: Sequence[ast.stmt]) -> list[list[ast.stmt]] | None:
        """The statements of each turn by the items that they are about; those about none are of the turn of
        the one before, or where they begin again at the top, of the next.
        """
        found: list[list[ast.stmt]] = [[] for _ in range(self.turns)]
        turn, before = 0, None
        for statement in statements:
            at, about = position(statement), self.about(statement)
            if len(about) > 1:
                return None
            again = at is not None and before is not None and at < before
            turn, last = next(iter(about), turn + again), turn
            if turn < last or turn >= self.turns:
                return None
            found[turn].append(statement)
            before = at if at is not None else before
        return found

    def about(self, statement: ast.stmt) -> set[int]:
        """The turns of whose items a statement says something."""
        found = set[int]()
        for node in walked(statement):
            if is_path(node):
                place = node.slice if isinstance(node, ast.Subscript) else node
                texts = {unparsed(node), unparsed(place)}
                for turn in range(self.turns):
                    if any(unparsed(items[turn]) in texts for items in self.names.values()):
                        found.add(turn)
        return found

    def some(self, count: int) -> Iterator[tuple[int, ...]]:
        """The turns that may be those of so many."""
        return itertools.combinations(range(self.turns), count) if count < self.turns <= MOST else iter(())

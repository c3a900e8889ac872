"""Families: what is checked of every item of a list that a loop goes through, as one check of all of them.

The list may hold more items than that of the example, or fewer, or none. So nothing is said of one item by
its place: `all(w.dtype == np.float32 for w, b in params)`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..plan.lists import Lists
from ..text.unparsing import unparsed
from ..text.walking import Transformer, dumped, walked
from .assertions import Check
from .guards import parsed

#: What stands for the place of an item in the path of what it holds.
ANY = "[*]"


@dataclass(frozen=True, slots=True)
class Item:
    """How a check speaks of the items of a list: `target` stands between `for` and `in`, and `names` says
    what it binds, by path in the item.
    """

    target: ast.expr
    names: dict[str, str]


class Families:
    """Those of one function.

    Args:
        lists: those among its arguments that its loops go through.
        statements: its text, of which these loops are part.
        taken: the names of its parameters, which a check means by them.
    """

    def __init__(self, lists: Lists, statements: Sequence[ast.stmt], taken: Iterable[str]) -> None:
        self.listed = lists.lengths
        # A list that is in an item of another is checked to be as long as it was: it is no other item's.
        self.spelled = lists.spelled | {path for path in self.listed if self.of(path) != path}
        self.taken = {*taken}
        self.items = {path: item_of(path, statements, self.taken) for path in self.listed}

    def of(self, path: str) -> str:
        """The family of what is in an item of such a list; of anything else the path itself."""
        for container in self.listed:
            rest = path.removeprefix(container)
            if rest != path and (place := re.match(r"\[\d+\]", rest)):
                return f"{container}{ANY}{rest[place.end():]}"
        return path

    def each(self, path: str) -> ast.expr:
        """How a check of all items says what a family is of; of anything else as the function says it."""
        container, found, rest = path.partition(ANY)
        if not found:
            return parsed(path)
        part = next(self.parts(container, rest))
        return parsed(self.items[container].names[part] + rest.removeprefix(part))

    def says(self, path: str) -> bool:
        """Whether a check of all items has a name for what a family is of."""
        container, found, rest = path.partition(ANY)
        return not found or any(True for _ in self.parts(container, rest))

    def parts(self, container: str, rest: str) -> Iterator[str]:
        """The parts of an item with a name of their own in which something is."""
        names = self.items[container].names
        return (p for p in names if not p or rest == p or rest.startswith((f"{p}[", f"{p}.")))

    def all(self, container: str, test: ast.expr, item: Item | None = None) -> ast.expr:
        """That a test holds for what there is in all items of a list."""
        loop = self.loop(container, item)
        return ast.Call(ast.Name("all", ast.Load()), [ast.GeneratorExp(test, [loop])], [])

    def loop(self, container: str, item: Item | None = None) -> ast.comprehension:
        """What a comprehension goes through for the items of a list."""
        return ast.comprehension((item or self.items[container]).target, parsed(container), [], 0)

    def together(self, tests: Mapping[str, ast.expr]) -> Iterator[tuple[str, list[ast.expr]]]:
        """Tests by family, those of each list together."""
        found: dict[str, list[ast.expr]] = {}
        for family, test in tests.items():
            found.setdefault(family.partition(ANY)[0], []).append(test)
        yield from found.items()

    def merged(self, checks: Sequence[Check]) -> Iterator[Check]:
        """Checks of single items, as checks of all where there is one of each. Where there is not, the list
        is as long as that of the example.
        """
        left = list(checks)
        for container, length in self.listed.items():
            left = list(self.of_list(left, container, length))
        yield from left

    def of_list(self, checks: Sequence[Check], container: str, length: int) -> Iterator[Check]:
        found: dict[Hashable, list[int]] = {}
        tests = [self.general(check, container) for check in checks]
        for place, text in tests:
            found.setdefault(text, []).append(place)
        pins = container in self.spelled
        for check, (place, text) in zip(checks, tests):
            if place < 0 or check.of_all:
                yield check
            elif sorted(found[text]) != [*range(length)]:
                pins = True
                yield check
            elif place == 0:
                item = self.items[container]
                item = item if "" in item.names else plain(self.taken)
                swap = Swap(container, place, parsed(item.names[""]))
                held, *given = (swap.visit(parsed(unparsed(e))) for e in (check.held, *check.given))
                loop = ast.comprehension(item.target, parsed(container), [], 0)
                shown = tuple(ast.ListComp(each, [loop]) for each in given)
                held = self.all(container, held, item)
                yield replace(check, held=held, given=shown, shown=(), quoted=True, of_all=True)
        if pins:
            size = parsed(f"len({container})")
            held = ast.Compare(size, [ast.Eq()], [ast.Constant(length)])
            yield Check(held, (size,), f"with len({container})={length}, not ")

    def general(self, check: Check, container: str) -> tuple[int, Hashable]:
        """The item that a check is about, -1 where it is about none, and the same check of any."""
        every = ast.Tuple([check.held, *check.every], ast.Load())
        places = {*Places(container).of(every)}
        if not places:
            return -1, ""
        if len(places) > 1 or check.every:
            return max(places), dumped(every)
        (place,) = places
        return place, dumped(Swap(container, place, ast.Name(ANY)).visit(parsed(unparsed(check.held))))


class Places:
    """Finds which items of a list an expression speaks of."""

    def __init__(self, container: str) -> None:
        self.container = dumped(parsed(container))

    def of(self, expr: ast.AST) -> Iterator[int]:
        for node in walked(expr):
            match node:
                case ast.Subscript(value, ast.Constant(int(place))) if dumped(value) == self.container:
                    yield place


class Swap(Transformer):
    """Puts something else in the place of an item of a list."""

    def __init__(self, container: str, place: int, other: ast.expr) -> None:
        self.item = dumped(parsed(f"{container}[{place}]"))
        self.other = other

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if dumped(node) == self.item:
            return self.other
        return self.generic_visit(node)


def item_of(container: str, statements: Iterable[ast.stmt], taken: set[str]) -> Item:
    """What the user's loop over a list calls its items, if that means nothing else where checks stand."""
    for node in (node for statement in statements for node in walked(statement)):
        if isinstance(node, (ast.For, ast.comprehension)):
            for target, iterated in pairs(node.target, node.iter):
                item = named(target) if unparsed(iterated) == unparsed(parsed(container)) else None
                if item is not None and taken.isdisjoint(item.names.values()):
                    return item
    return plain(taken)


def plain(taken: set[str]) -> Item:
    """A name for items that have none of the user's."""
    name = next(name for name in ("item", "each", "item_") if name not in taken)
    return Item(ast.Name(name, ast.Store()), {"": name})


def pairs(target: ast.expr, iterated: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a `for` binds to the items of each thing that it goes through."""
    match iterated, target:
        case ast.Call(ast.Name("enumerate"), [inner, *_]), ast.Tuple([_, item]):
            yield from pairs(item, inner)
        case ast.Call(ast.Name("zip"), several), ast.Tuple(items):
            yield from zip(items, several)
        case ast.Call(ast.Name("reversed"), [inner]), _:
            yield target, inner
        case _:
            yield target, iterated


def named(target: ast.expr) -> Item | None:
    """How the items of a list are called by what a `for` binds; None where not all of it has a name."""
    names: dict[str, str] = {}

    def take(part: ast.expr, path: str) -> None:
        for number, inner in enumerate(part.elts if isinstance(part, ast.Tuple) else ()):
            take(inner, f"{path}[{number}]")
        if isinstance(part, ast.Name):
            names[path] = part.id

    take(target, "")
    return None if "_" in names.values() else Item(target, names)

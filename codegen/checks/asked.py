"""Asked: what checks ask, one by one, and of which arguments and parts of them."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from ..text.line_breaking import WIDTH
from ..text.unparsing import unparsed
from ..text.walking import Transformer, copied, dumped
from .assertions import equal
from .guards import is_path, parsed

#: What stands for one of those that a loop goes through, and for a path in a text.
EACH, HOLE = "@", "\ufffc"


@dataclass(eq=False)
class Atom:
    """One thing that is asked.

    Attributes:
        message: what the check shows; None where it shows nothing.
        lines: how many lines of the text it takes.
        paths: the arguments, and the parts of them, that it speaks of, in order; `between`: the text around
            these.
        loop: the check of several that it is one of.
    """

    test: ast.expr
    message: ast.expr | None
    lines: float
    paths: tuple[str, ...]
    between: tuple[str, ...]
    loop: ast.For | None = None

    @property
    def text(self) -> str:
        return "".join(chain(*zip_longest(self.between, self.paths, fillvalue="")))

    def of(self, path: str) -> str | None:
        """What is asked, of whatever stands for this path; None where it is asked of others too."""
        if not all(is_under(each, path) for each in self.paths):
            return None
        each = [EACH + known[len(path) :] for known in self.paths]
        return "".join(chain(*zip_longest(self.between, each, fillvalue="")))


class Put(Transformer):
    """Puts a name in the place of a path."""

    def __init__(self, path: str, name: str) -> None:
        self.path = dumped(ast.Name(path, ast.Load()) if path == EACH else parsed(path))
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.name, ast.Load()) if dumped(node) == self.path else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if dumped(node) == self.path:
            return ast.Name(self.name, ast.Load())
        return self.generic_visit(node)


def atoms(check: ast.stmt, names: Collection[str]) -> Iterator[Atom]:
    """What a check asks, one by one."""
    match check:
        case ast.For(ast.Name(name), ast.Tuple(paths), [ast.Assert(test, message)]):
            several = (len(paths) + 3 if len(unparsed(check.iter)) > WIDTH - 15 else 2) / len(paths)
            for path in paths:
                put = Put(name, "?")
                swap = Swap(path)
                shown = swap.visit(put.visit(copied(message))) if message is not None else None
                made = atom(swap.visit(put.visit(copied(test))), shown, several, names)
                made.loop = check
                yield made
        case ast.Assert(ast.Compare(first, signs, rest), message) if len(rest) > 1 and is_equal(signs):
            *others, last = first, *rest
            if atom(last, None, 0, names).paths:
                yield atom(check.test, message, lines_of(check), names)
                return
            shown = [*message.elts] if isinstance(message, ast.Tuple) else []
            for number, one in enumerate(others):
                of_it = shown[number] if len(shown) == len(others) else None
                yield atom(equal([one, last]), of_it, lines_of(check) / len(others), names)
        case ast.Assert(test, message):
            yield atom(test, message, lines_of(check), names)


class Swap(Transformer):
    """Puts an expression in the place of `?`."""

    def __init__(self, path: ast.expr) -> None:
        self.path = path

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copied(self.path) if node.id == "?" else node


def atom(test: ast.expr, message: ast.expr | None, lines: float, names: Collection[str]) -> Atom:
    holes = Holes(names)
    said = re.split(f"{HOLE}([0-9]+)", unparsed(holes.visit(copied(test))))  # in the order of the text
    paths = tuple(holes.paths[int(number)] for number in said[1::2])
    return Atom(test, message, lines, paths, tuple(said[::2]))


class Holes(Transformer):
    """Puts a hole in the place of each of the longest paths that begin with one of the names."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = names
        self.paths: list[str] = []

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name | ast.Subscript) and is_path(node):
            if root_of(node) not in self.names:
                return node
            self.paths.append(unparsed(node))
            return ast.Name(f"{HOLE}{len(self.paths) - 1}", ast.Load())
        return super().generic_visit(node)


def is_equal(signs: Iterable[ast.cmpop]) -> bool:
    return all(isinstance(sign, ast.Eq) for sign in signs)


def root_of(path: ast.expr) -> str:
    while isinstance(path, ast.Subscript):
        path = path.value
    return path.id if isinstance(path, ast.Name) else ""


@functools.lru_cache(maxsize=4096)
def prefixes(path: str) -> tuple[str, ...]:
    """A path, and those of the containers that it goes through."""
    return tuple(outwards(path))


def outwards(path: str) -> Iterator[str]:
    expr: ast.expr = parsed(path)
    while True:
        yield unparsed(expr)
        if not isinstance(expr, ast.Subscript):
            return
        expr = expr.value


def is_under(path: str, container: str) -> bool:
    return path == container or path.startswith(f"{container}[")


def lines_of(check: ast.Assert) -> int:
    return 1 if len(unparsed(check)) <= WIDTH - 4 else 3

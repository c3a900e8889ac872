"""Mentions: the names that the functions of a file mention, gone through once, and their renaming where two
things would have one.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ..ir.worklist import nearest
from .plan.names import candidates
from .text.walking import parts_of, walked

#: How names of functions begin as long as the text is made: a letter, which no user begins a name with.
UNREAD = "\u01c3"
#: What has a name of its own in a tree.
FUNCTIONS = (ast.FunctionDef, ast.ClassDef)


def is_meaning(function: ast.FunctionDef) -> bool:
    """Whether a function says what an op means, and is none of the user's."""
    return bool(getattr(function, "meaning", False))


class Mentions:
    """The names in functions, in the order of the text."""

    def __init__(self) -> None:
        self.known: dict[ast.FunctionDef, list[ast.Name | ast.arg]] = {}

    def of(self, function: ast.FunctionDef) -> list[ast.Name | ast.arg]:
        if function not in self.known:
            found: list[ast.Name | ast.arg] = []
            self.visit(function, found)
            self.known[function] = found
        return self.known[function]

    def visit(self, node: ast.AST, found: list[ast.Name | ast.arg]) -> None:
        if isinstance(node, (ast.Name, ast.arg)):
            found.append(node)
        for inner in parts_of(node):
            self.visit(inner, found)

    def names(self, functions: Iterable[ast.FunctionDef]) -> list[ast.Name]:
        return [node for each in functions for node in self.of(each) if isinstance(node, ast.Name)]

    def parameters(self, functions: Iterable[ast.FunctionDef]) -> set[str]:
        return {node.arg for each in functions for node in self.of(each) if isinstance(node, ast.arg)}

    def bound(self, functions: Sequence[ast.FunctionDef]) -> set[str]:
        """The names that functions bind."""
        stored = {name.id for name in self.names(functions) if isinstance(name.ctx, ast.Store)}
        return self.parameters(functions) | stored

    def every(self, functions: Iterable[ast.FunctionDef]) -> set[str]:
        """All names that functions bear, bind or read, those of functions in them too."""
        functions = [*functions]
        return {name.id for name in self.names(functions)} | self.parameters(functions) | inside(functions)

    def called(
        self, entry: ast.FunctionDef, defs: Mapping[str, ast.FunctionDef]
    ) -> dict[str, ast.FunctionDef]:
        """Those of `defs` that `entry` calls, and those that they call, in the order in which a reader meets
        them.
        """

        def named(function: ast.FunctionDef) -> list[str]:
            return [name.id for name in self.names([function]) if name.id in defs]

        return {name: defs[name] for name in nearest(named(entry), lambda name: named(defs[name]))}

    def rename(
        self, entry: ast.FunctionDef, parts: Mapping[str, ast.FunctionDef], words: Collection[str]
    ) -> None:
        """Let functions that go by names that nobody can read have those that they were made with, where
        these are free: the user's first, which no name in their callers hides.

        Args:
            words: names that imports bind, and such as the helpers of the file bear or read.
        """
        functions = [entry, *parts.values()]
        bound = self.bound(functions)
        taken = {*bound, *vars(builtins)}
        said = {name.id for name in self.names(functions)}.union(words)
        names: dict[str, str] = {}
        for name, made in sorted(parts.items(), key=lambda part: is_meaning(part[1])):
            own = made.name if not is_meaning(made) else None
            given = entry.name, *names.values()
            if own in said - bound:  # it is a word of the text's, and means something else
                free = chain([f"{own}_"], candidates(f"{own}_"))
                names[name] = next(n for n in free if n not in (*given, *said, *taken))
                continue
            left = {*given, *(taken if own is None else bound)}
            names[name] = next(n for n in candidates(made.name) if n not in left or n == own not in given)
        for node in self.names(functions):
            node.id = names.get(node.id, node.id)
        for name, made in parts.items():
            made.name = names[name]

    def give_way(self, helpers: list[ast.FunctionDef], functions: list[ast.FunctionDef]) -> None:
        """Rename the helpers whose names `functions` bear or bind, where they stand and where they are
        called.
        """
        clashes = {f.name for f in functions} | self.bound(functions)
        clashes &= {helper.name for helper in helpers}
        calls = [name for name in self.names(functions) if getattr(name, "helper", False)]
        taken = self.every([*functions, *helpers])
        given = {name: next(n for n in lengthened(name) if n not in taken) for name in clashes}
        for name in (*self.names(helpers), *calls) if clashes else ():
            name.id = given.get(name.id, name.id)
        for helper in helpers:
            helper.name = given.get(helper.name, helper.name)

    def apart(self, imports: list[ast.stmt], functions: list[ast.FunctionDef]) -> None:
        """Import under another name what the name of a function, of a parameter or a variable would hide."""
        taken = self.bound(functions) | inside(functions)
        every = self.every(functions)
        for alias in (alias for line in imports if isinstance(line, ast.Import) for alias in line.names):
            name = alias.asname or alias.name
            if name not in taken:
                continue
            alias.asname = next(n for n in lengthened(name) if n not in every)
            for node in Mentions().names(functions):  # some are new: what says a number, `np.pi`
                if node.id == name and getattr(node, "imported", False):
                    node.id = alias.asname


def lengthened(name: str) -> Iterator[str]:
    """Other names, made of one."""
    while True:
        name += "_"
        yield name


def inside(functions: Iterable[ast.FunctionDef]) -> set[str]:
    """The names of functions, and of those in them."""
    return {node.name for each in functions for node in walked(each) if isinstance(node, FUNCTIONS)}

"""Remarks: what a user wrote beside his statements, comments and the blank lines between paragraphs.

A comment belongs to the statement below it, one behind a statement to that, and one before `else` or at the
end of a block to what stands there last. Directives to other tools (`noqa`, `type:`) are none.
"""

from __future__ import annotations

import ast
import functools
import io
import linecache
import re
import sys
import tokenize
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

#: What other tools read, and nobody else; the end of a comment may be of such.
DIRECTIVE = re.compile(
    r"(?:^|#)\s*(?:(?:noqa|nosec|pragma|isort|ruff|flake8|mypy|yapf|fmt|type)\b\s*:|noqa\b|nosec\b|%%|!"
    r"|\w+:\s*(?:disable|enable|ignore)\s*(?:[=\[#]|$)).*"
)
#: The line of a clause that is no statement of its own.
CLAUSE = re.compile(r"\s*(else|elif|except|finally)\b")
#: A function of each file that was traced, whose globals are the names of its module.
FUNCTIONS: WeakValueDictionary[str, types.FunctionType] = WeakValueDictionary()
#: A statement by its file, line and column, as `ast` has them.
Key = tuple[str, int, int]


@dataclass(eq=False)
class Remarked:
    """A statement of the user's with its remarks.

    Attributes:
        first: the line where it begins, its decorators included.
        header: the line where its header ends, or a simple statement.
        above, below: the comments there, a line each.
        trailing: the comment behind it.
        paragraph: whether a blank line stands above it.
        blocks: the statements in it. Those of a function are of that function.
    """

    key: Key
    node: ast.stmt
    first: int
    header: int
    above: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    trailing: str = ""
    paragraph: bool = False
    blocks: list[list[Remarked]] = field(default_factory=list)
    parent: Remarked | None = None

    @property
    def column(self) -> int:
        return self.node.col_offset

    @property
    def is_function(self) -> bool:
        return isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef))

    @property
    def function(self) -> Remarked | None:
        """The function that it stands in."""
        at = self.parent
        while at is not None and not at.is_function:
            at = at.parent
        return at

    @property
    def ends_block(self) -> bool:
        """Whether it stands last in a block of another."""
        return self.parent is not None and any(block[-1] is self for block in self.parent.blocks)


def remarks(file: str) -> File:
    """The statements of a file, with what stands beside them."""
    return read(file, len(linecache.getlines(file)))


def module_of(file: str) -> dict[str, Any]:
    """The names of the module that a file is the text of, as far as it is known."""
    if (function := FUNCTIONS.get(file)) is not None:
        return function.__globals__
    found = (m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == file)
    return vars(module) if (module := next(found, None)) is not None else {}


@functools.lru_cache(maxsize=256)
def read(file: str, lines: int) -> File:
    return File(file)


class File:
    """The statements of a file by their keys, and its functions by the lines where they begin."""

    def __init__(self, file: str) -> None:
        self.lines = linecache.getlines(file)
        self.file = file
        #: In the order of the text.
        self.statements: list[Remarked] = []
        text = "".join(self.lines)
        try:
            self.add(ast.parse(text).body, None)
            comments = [*commented(text)]
        except (SyntaxError, tokenize.TokenError):
            self.statements, comments = [], []
        for line, column, comment in comments:
            self.give(line, column, comment)
        for each in self.statements:
            line = self.begin(each) - 1
            each.paragraph = line > 0 and not self.lines[line - 1].strip()
        self.found = {each.key: each for each in self.statements}
        self.functions = {each.first: each for each in self.statements if each.is_function}

    def add(self, block: Sequence[ast.stmt], parent: Remarked | None) -> list[Remarked]:
        made = []
        for node in block:
            decorators = getattr(node, "decorator_list", ())
            first = min((node.lineno, *(d.lineno for d in decorators)))
            inner = [*blocks(node)]
            header = headed(node) if inner else node.end_lineno or node.lineno
            each = Remarked((self.file, node.lineno, node.col_offset), node, first, header)
            each.parent = parent
            self.statements.append(each)
            made.append(each)
            each.blocks = [self.add(statements, each) for statements in inner]
        return made

    def begin(self, each: Remarked) -> int:
        """The line where a statement begins with the comments right above it."""
        line = each.first
        while line > 1 and self.lines[line - 2].lstrip().startswith("#"):
            line -= 1
        return line

    def give(self, line: int, column: int, comment: str) -> None:
        """Give a comment to the statement that it belongs to."""
        behind = bool(self.lines[line - 1][:column].strip())
        around = [s for s in self.statements if s.first <= line <= s.header]
        if around:
            owner = around[-1]
            if behind and line == owner.header and not owner.trailing:
                owner.trailing = comment
            else:
                owner.above.append(comment)
            return
        following = next((s for s in self.statements if s.first > line), None)
        between = self.lines[line : following.first if following is not None else None]
        clause = behind or any(CLAUSE.match(text) for text in between)
        if following is not None and (behind or not clause and following.column >= column):
            if not following.is_function or self.begin(following) <= line:
                following.above.append(comment)
            return
        if (last := self.last(line, column, clause)) is not None:
            last.below.append(comment)

    def last(self, line: int, column: int, clause: bool) -> Remarked | None:
        """The statement that ends the block which a comment stands at the end of."""
        before = [s for s in self.statements if s.first < line]
        chain = []
        at: Remarked | None = before[-1] if before else None
        while at is not None and at.ends_block:
            chain.append(at)
            at = at.parent
        if clause:
            return next((s for s in reversed(chain) if s.column > column), chain[0] if chain else None)
        return next((s for s in chain if s.column <= column), chain[-1] if chain else None)


def headed(node: ast.stmt) -> int:
    """The line where the header of a compound statement ends."""
    bodies = (ast.stmt, ast.excepthandler, ast.match_case)
    parts = (n for n in ast.iter_child_nodes(node) if not isinstance(n, bodies))
    inner = (n for part in parts for n in ast.walk(part))
    return max((node.lineno, *(getattr(n, "end_lineno", None) or 0 for n in inner)))


def blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement, in the order of the text."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        each = getattr(node, name, None) or []
        if name in ("handlers", "cases"):
            yield from (inner.body for inner in each)
        elif each:
            yield each


def commented(text: str) -> Iterator[tuple[int, int, str]]:
    """The comments of a text, by line and column, without their `#`."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and (said := DIRECTIVE.sub("", token.string[1:]).strip()):
            yield *token.start, said

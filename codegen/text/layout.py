"""A module's tree as text that black (stable style, 88 columns) leaves as it is.

A body's statements are written one after the other, each once: a hundred thousand of them take linear time.
Only bodies inside bodies recurse. Attributes of a statement say what stands beside it: `comment`, above it,
and `below`, where it ends a body, each line behind a `#`; `trailing`, behind its first line if there is room,
else above it; and `paragraph`, whether a blank line sets it apart.

The law: what is parsed from the text is the tree that was given, but for the indentation inside docstrings.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator

from .line_breaking import INDENT, WIDTH, broken, width
from .statement import flat

DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
Compound = ast.If | ast.For | ast.While | ast.With | ast.Try


def render(module: ast.Module) -> str:
    """The text of a module.

    Raises:
        TypeError: where the tree holds what has no place in emitted code, such as `match` or `await`.
        ValueError: where a constant has no literal, such as inf.
    """
    page = _Page()
    page.body(module, module.body, 0)
    return "".join(f"{line}\n" for line in page.lines)


class _Page:
    """Lines, and what must be remembered of them to know how many are to be left blank."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.kind = ""
        self.indent = 0
        self.definitions: list[int] = []  # the indents of the definitions that are not over yet
        self.group = 0
        self.paragraph = False  # whether the next line begins one

    def body(self, owner: ast.AST, statements: list[ast.stmt], indent: int) -> None:
        rest = iter(statements)
        if isinstance(owner, (ast.Module, *DEFINITIONS)) and (text := _docstring(statements)) is not None:
            kind = "docstring" if isinstance(owner, ast.FunctionDef) else "title"
            self.add(kind, _quoted(text, indent), indent)
            next(rest)
        for node in rest:
            self.statement(node, indent)

    def statement(self, node: ast.stmt, indent: int) -> None:
        clauses = list(_clauses(node)) if isinstance(node, Compound) else []
        header, above = _remarked(broken(clauses[0][1] if clauses else _header(node), indent), node)
        self.paragraph = getattr(node, "paragraph", False) and bool(self.lines) and self.indent >= indent
        if above:
            self.comment(above, _kind(node), indent)
        if isinstance(node, DEFINITIONS):
            for decorator in node.decorator_list:
                self.add("decorator", broken("@" + flat(decorator), indent), indent)
            self.add(_kind(node), header, indent)
            if not _is_stub(node.body):
                self.body(node, node.body, indent + 1)
        elif clauses:
            self.add("plain", header, indent)
            self.body(node, clauses[0][2], indent + 1)
            for kind, text, body, owner in clauses[1:]:
                lines, above = _remarked(broken(text, indent), owner)
                self.add(kind, lines, indent)
                if above:
                    self.comment(above, "plain", indent + 1)
                self.body(node, body, indent + 1)
        else:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self.group, group = _group(node), self.group
                if self.kind == "import" and indent == self.indent == 0 and group != self.group:
                    self.lines.append("")
            self.add(_kind(node), header, indent)
        if below := getattr(node, "below", None):
            self.comment(below, "plain", indent)
            self.kind = "plain"

    def comment(self, text: str, kind: str, indent: int) -> None:
        """What is said above a statement of this kind; the blank lines that it wants go above the comment."""
        if kind == "import" or (self.indent < indent and self.kind):
            kind = "plain"
        self.blank(self.space(kind, indent))
        self.lines += [INDENT * indent + _comment(line) for line in text.split("\n")]
        self.kind, self.indent = "comment", indent

    def add(self, kind: str, lines: list[str], indent: int) -> None:
        self.blank(self.space(kind, indent))
        self.lines += lines
        self.kind, self.indent = kind, indent
        if kind in ("def", "class"):
            self.definitions.append(indent)

    def blank(self, count: int) -> None:
        self.lines += [""] * max(count, self.paragraph and self.lines[-1] != "")
        self.paragraph = False

    def space(self, kind: str, indent: int) -> int:
        """How many lines black leaves blank above a line of this kind."""
        ended = None
        while self.definitions and self.definitions[-1] >= indent:
            ended = self.definitions.pop()
        last, begins_body = self.kind, self.indent < indent
        if not last or last == "comment" or kind == "docstring":
            return 0
        if kind in ("decorator", "def", "class"):
            if last == "decorator" or (begins_body and last in ("def", "class")):
                return 0
            return 1 if indent or (last == "title" and kind == "decorator") else 2
        if ended is not None:
            return 1 if indent or (ended and kind == "clause") else 2
        if last == "title" or (last == "import" and kind != "import" and self.indent == indent):
            return 1
        return 0


def _header(node: ast.stmt) -> str:
    return flat(node) + (" ..." if isinstance(node, DEFINITIONS) and _is_stub(node.body) else "")


def _comment(text: str) -> str:
    """A comment as black writes it: `#: ` and `#!` stay."""
    return "#" + (text if text[:1] in (":", "!") else f" {text}").rstrip()


def _remarked(lines: list[str], node: ast.stmt | None) -> tuple[list[str], str]:
    """The lines of a statement, with what is said behind it; and what is said above it."""
    above, trailing = getattr(node, "comment", None), getattr(node, "trailing", None)
    if trailing and len(lines) == 1 and width(lines[0]) + 2 + width(_comment(trailing)) <= WIDTH:
        return [f"{lines[0]}  {_comment(trailing)}"], above or ""
    return lines, "\n".join(filter(None, (above, trailing)))


def _kind(node: ast.stmt) -> str:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return "import"
    if isinstance(node, ast.FunctionDef):
        return "def"
    return "class" if isinstance(node, ast.ClassDef) else "plain"


def _group(node: ast.Import | ast.ImportFrom) -> int:
    """Where an import stands: __future__, the standard library, everything else, the package's own."""
    if isinstance(node, ast.ImportFrom) and node.level:
        return 3
    name = node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
    root = name.partition(".")[0]
    return 0 if root == "__future__" else 1 if root in sys.stdlib_module_names else 2


def _clauses(node: Compound) -> Iterator[tuple[str, str, list[ast.stmt], ast.stmt | None]]:
    """The headers of a compound statement, each with its kind, its body, and for an `elif` its statement."""
    yield "plain", flat(node), node.body, None
    if isinstance(node, ast.With):
        return
    if isinstance(node, ast.Try):
        for handler in node.handlers:
            yield "clause", flat(handler), handler.body, None
    orelse = node.orelse
    while isinstance(node, ast.If) and len(orelse) == 1:
        inner = orelse[0]
        if not isinstance(inner, ast.If) or getattr(inner, "comment", None) or getattr(inner, "below", None):
            break
        yield "clause", "el" + flat(inner), inner.body, inner
        orelse = inner.orelse
    if orelse:
        yield "clause", "else:", orelse, None
    if isinstance(node, ast.Try) and node.finalbody:
        yield "clause", "finally:", node.finalbody, None


def _is_stub(body: list[ast.stmt]) -> bool:
    only = body[0]
    return (
        len(body) == 1
        and isinstance(only, ast.Expr)
        and isinstance(only.value, ast.Constant)
        and only.value.value is ...
        and not any(getattr(only, name, None) for name in ("comment", "trailing", "below"))
    )


def _docstring(body: list[ast.stmt]) -> str | None:
    value = body[0].value if body and isinstance(body[0], ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _quoted(text: str, indent: int) -> list[str]:
    """A docstring in triple quotes, indented anew; of several lines, the last holds the quotes."""
    lines = [_escaped(line.rstrip()) for line in inspect.cleandoc(text).strip().split("\n")]
    pad = INDENT * indent
    lead = " " if lines[0].startswith('"') or not lines[0] else ""
    lines[0] = f'{pad}"""{lead}{lines[0]}'
    if len(lines) == 1:
        return [lines[0] + (' """' if lines[0].endswith('"') else '"""')]
    return lines[:1] + [(pad + line).rstrip() for line in lines[1:]] + [pad + '"""']


def _escaped(line: str) -> str:
    """A line of a docstring as it stands between triple quotes."""
    line = line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)

"""Templates: the code that a rewrite makes, shown as code.

In a template UPPERCASE names are holes; HOOKS and RUNTIME are constants that link.py puts in; every other
name is a variable of ours and is spelt `<name>` in the code made, so that it meets no name of the user's.
`*HOLE`, `**HOLE`, a parameter and a statement take lists. Every node made bears the position of the user's
node that it stands for, because names and error spans are read from frame positions.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence
from typing import TypeVar
from uuid import uuid4

#: Stand-ins in the code until link.py puts in the objects; no constant of a user's equals them.
HOOKS = f"<hooks {uuid4()}>"
RUNTIME = f"<runtime {uuid4()}>"
STAND_INS = {"HOOKS": HOOKS, "RUNTIME": RUNTIME}

Node = TypeVar("Node", bound=ast.AST)
Filling = ast.AST | Sequence[ast.AST] | str | int | None


def ours(name: str) -> str:
    """How a variable of ours is spelt: no identifier, so none of the user's."""
    return f"<{name}>"


def is_ours(name: str) -> bool:
    return name.startswith("<")


def variable(name: str, at: ast.AST, context: ast.expr_context | None = None) -> ast.Name:
    """A variable of ours, read unless told otherwise."""
    return ast.copy_location(ast.Name(ours(name), context or ast.Load()), at)


class Template:
    """Code with holes: call it for an expression, ask for `lines` of statements."""

    def __init__(self, text: str) -> None:
        self.text = textwrap.dedent(text)
        self.body = ast.parse(self.text).body

    def __call__(self, at: ast.AST, /, *, attribute: ast.AST | None = None, **holes: Filling) -> ast.expr:
        """The expression, filled in, at the position of `at`; `attribute`: see Fill.hook."""
        statement = self.body[0]
        assert isinstance(statement, ast.Expr)
        made = _Fill(at, attribute, holes).node(statement.value)
        assert isinstance(made, ast.expr)
        return made

    def lines(self, at: ast.AST, /, *, attribute: ast.AST | None = None, **holes: Filling) -> list[ast.stmt]:
        """The statements, filled in, at the position of `at`."""
        fill = _Fill(at, attribute, holes)
        return [made for made in fill.nodes(self.body) if isinstance(made, ast.stmt)]


class _Fill:
    def __init__(self, at: ast.AST, attribute: ast.AST | None, holes: dict[str, Filling]) -> None:
        self.at = at
        self.attribute = attribute
        self.holes = holes

    def nodes(self, nodes: Sequence[ast.AST]) -> list[ast.AST]:
        made: list[ast.AST] = []
        for node in nodes:
            filling = self.holes.get(_hole(node))
            if isinstance(filling, Sequence) and not isinstance(filling, str):
                made.extend(filling)
            else:
                made.append(self.node(node))
        return made

    def node(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.Attribute):
            return self.hook(node)
        fields = dict(ast.iter_fields(node))
        for field, value in fields.items():
            if isinstance(value, list):
                fields[field] = self.nodes(value)
            elif isinstance(value, ast.AST):
                fields[field] = self.node(value)
        made = type(node)(**fields)
        if isinstance(made, ast.FunctionDef):
            made.name = ours(made.name)
        elif isinstance(made, ast.arg):
            made.arg = ours(made.arg)
        return self.placed(made)

    def name(self, node: ast.Name) -> ast.AST:
        if node.id in STAND_INS:
            return self.placed(ast.Constant(STAND_INS[node.id]))
        if not node.id.isupper():
            return self.placed(ast.Name(ours(node.id), node.ctx))
        filling = self.holes[node.id]
        if isinstance(filling, ast.AST):
            return filling
        assert not isinstance(filling, Sequence) or isinstance(filling, str)
        return self.placed(ast.Constant(filling))

    def hook(self, node: ast.Attribute) -> ast.Attribute:
        """HOOKS.name or RUNTIME.name.

        CPython gives an attribute, and a call of one, the line of the name after the dot. Where a hook stands
        for a user's `attribute` that is kept; elsewhere our own dot stands at the start.
        """
        base = self.node(node.value)
        assert isinstance(base, ast.expr)
        made = self.placed(ast.Attribute(base, node.attr, node.ctx))
        theirs = self.attribute
        if isinstance(theirs, ast.Attribute) and theirs.end_lineno != theirs.lineno:
            ast.copy_location(made, theirs)
            made.end_col_offset = (theirs.end_col_offset or 0) - len(theirs.attr) + len(node.attr)
        else:
            made.end_lineno, made.end_col_offset = made.lineno, made.col_offset
        return made

    def placed(self, node: Node) -> Node:
        return ast.copy_location(node, self.at)


def _hole(node: ast.AST) -> str:
    """The hole that a list may fill, "" if `node` is none."""
    if isinstance(node, ast.Expr | ast.Starred | ast.keyword):
        node = node.value
    if isinstance(node, ast.arg):
        return node.arg
    return node.id if isinstance(node, ast.Name) else ""

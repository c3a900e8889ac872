"""Hidden: builtins of Python's whose names a text gives to something else, and which it says in full then.

    def clipped(x, max):
        return x * builtins.max(len(x), 3)

Functions of the user's are called by the names that he gave them, and so are their parameters.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from typing import Any

from .plan.names import BUILTINS
from .text.walking import Transformer

#: The classes that checks ask for.
CLASSES = frozenset(name for name, value in vars(builtins).items() if isinstance(value, type))


def say_in_full(entry: ast.FunctionDef, functions: Iterable[ast.FunctionDef]) -> bool:
    """Let functions say the builtins that are hidden where they stand: by parameters of theirs, or by the
    name of the entry, to which no other is given (mentions.py). Returns whether there are any.
    """
    made = InFull(BUILTINS & {entry.name})
    for function in functions:
        made.visit(function)
    return made.found


class InFull(Transformer):
    """Says `builtins.len` for `len` where that is something else: what is called, and the classes that checks
    and casts ask for, are Python's own.
    """

    def __init__(self, hidden: frozenset[str]) -> None:
        self.hidden = hidden
        self.found = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self.scope(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return self.scope(node)

    def scope(self, node: ast.FunctionDef | ast.Lambda) -> ast.AST:
        outer = self.hidden
        each = node.args
        named = [*each.posonlyargs, *each.args, *each.kwonlyargs, *filter(None, (each.vararg, each.kwarg))]
        self.hidden = outer | BUILTINS & {arg.arg for arg in named}
        made = self.generic_visit(node)
        self.hidden = outer
        return made

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if self.hidden:
            match node:
                case ast.Call(ast.Name("isinstance") | ast.Attribute(_, "astype"), [*_, kinds]):
                    node.args[-1] = self.classes(kinds)
            node.func = self.full(node.func)
            for keyword in node.keywords:
                keyword.value = self.classes(keyword.value) if keyword.arg == "dtype" else keyword.value
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        match node.left:
            case ast.Call(ast.Name("type") | ast.Attribute(_, "type")) if self.hidden:
                node.comparators = [self.classes(each) for each in node.comparators]
        return node

    def classes(self, kinds: ast.expr) -> ast.expr:
        """A class of Python's, or several."""
        if isinstance(kinds, ast.Tuple):
            kinds.elts = [self.classes(each) for each in kinds.elts]
            return kinds
        return self.full(kinds) if isinstance(kinds, ast.Name) and kinds.id in CLASSES else kinds

    def full(self, name: ast.expr) -> Any:
        if not isinstance(name, ast.Name) or name.id not in self.hidden:
            return name
        self.found = True
        return ast.Attribute(ast.Name("builtins", ast.Load()), name.id, ast.Load())

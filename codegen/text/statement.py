"""A statement as one line of text, however long: a simple statement whole, a compound one by its header.

Soft parentheses (SOFT_OPEN, SOFT_CLOSE) stand where black would add some when it breaks the line.
"""

from __future__ import annotations

import ast

from .astor_classes import symbol_data, to_source
from .expression import COMMA, SOFT_CLOSE, SOFT_OPEN, SOLE, TIGHT, TUPLE, VALUE, ExpressionWriter

#: An expression statement of these operators is broken in parentheses.
SPLITTABLE = (ast.Add, ast.Sub, ast.LShift, ast.RShift, ast.BitXor, ast.BitAnd)


def flat(node: ast.AST) -> str:
    """The one line that says `node`. Bodies and decorators are not in it.

    Raises:
        TypeError: where `node` holds something that has no place in emitted code.
        ValueError: where a constant has no literal.
    """
    text: str = to_source(node, source_generator_class=_StatementWriter, pretty_source="".join)
    return text[:-1]


class _StatementWriter(ExpressionWriter):
    """Statements; global, pass and their like are astor's own."""

    visit_AsyncFunctionDef = visit_AsyncFor = visit_AsyncWith = visit_Module = None

    def soft(self, node: ast.AST, level: int) -> None:
        """A value that may be put in parentheses, unless it brings its own."""
        if isinstance(node, ast.GeneratorExp) or (
            isinstance(node, ast.Tuple) and (level > TUPLE or len(node.elts) < 2)
        ):
            self.put(node, level)
            return
        self.text(SOFT_OPEN)
        self.put(node, level)
        self.text(SOFT_CLOSE)

    # Simple statements

    def visit_Expr(self, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, SPLITTABLE):
            self.soft(value, SOLE)
        else:
            self.put(value, COMMA)

    def visit_Assign(self, node: ast.Assign) -> None:
        several = False
        for place, target in enumerate(node.targets):
            unpacks = isinstance(target, (ast.Tuple, ast.List))
            several = several or unpacks
            if place or unpacks:
                self.soft(target, VALUE)
            else:
                self.put(target, TIGHT)
            self.text(" = ")
        self.soft(node.value, VALUE if several else SOLE)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.put(node.target, TIGHT)
        self.text(f" {symbol_data[type(node.op)]}= ")
        self.soft(node.value, SOLE)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        wrapped = isinstance(node.target, ast.Name) and not node.simple
        self.text(f"({self.said(node.target, TIGHT)})" if wrapped else self.said(node.target, TIGHT))
        self.text(": ")
        self.soft(node.annotation, SOLE)
        if node.value:
            self.text(" = ")
            self.soft(node.value, SOLE)

    def visit_Return(self, node: ast.Return) -> None:
        self.text("return")
        if node.value:
            self.text(" ")
            self.soft(node.value, VALUE)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.text("raise")
        if node.exc:
            self.text(" ")
            self.put(node.exc, COMMA)
        if node.cause:
            self.text(" from ")
            self.put(node.cause, COMMA)

    def visit_Assert(self, node: ast.Assert) -> None:
        self.text("assert ")
        self.soft(node.test, SOLE)
        if node.msg:
            self.text(", ")
            self.soft(node.msg, SOLE)

    def visit_Delete(self, node: ast.Delete) -> None:
        self.text("del " + SOFT_OPEN)
        self.commas(node.targets)
        self.text(SOFT_CLOSE)

    def visit_Import(self, node: ast.Import) -> None:
        self.text("import ")
        self.commas(node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.text(f"from {'.' * node.level}{node.module or ''} import ")
        if node.names[0].name == "*":
            self.text("*")
            return
        self.text(SOFT_OPEN)
        self.commas(node.names)
        self.text(SOFT_CLOSE)

    # Headers

    def visit_If(self, node: ast.If) -> None:
        self.text("if ")
        self.soft(node.test, SOLE)
        self.text(":")

    def visit_While(self, node: ast.While) -> None:
        self.text("while ")
        self.soft(node.test, SOLE)
        self.text(":")

    def visit_For(self, node: ast.For) -> None:
        self.text("for ")
        self.soft(node.target, VALUE)
        self.text(" in ")
        self.soft(node.iter, SOLE)
        self.text(":")

    def visit_With(self, node: ast.With) -> None:
        self.text("with ")
        self.commas(node.items)
        self.text(":")

    def visit_withitem(self, node: ast.withitem) -> None:
        self.put(node.context_expr, COMMA)
        if node.optional_vars:
            self.text(" as ")
            self.put(node.optional_vars, COMMA)

    def visit_Try(self, node: ast.Try) -> None:
        self.text("try:")

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.text("except")
        if node.type:
            self.text(" ")
            self.soft(node.type, SOLE)
        self.text(f" as {node.name}:" if node.name else ":")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.refuse_type_parameters(node)
        self.text(f"def {node.name}({self.parameters(node.args)})")
        if node.returns:
            self.text(" -> ")
            self.soft(node.returns, SOLE)
        self.text(":")

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.refuse_type_parameters(node)
        self.text("class " + node.name)
        if node.bases or node.keywords:
            self.text("(")
            self.arguments(node.bases, node.keywords)
            self.text(")")
        self.text(":")

    def refuse_type_parameters(self, node: ast.AST) -> None:
        if getattr(node, "type_params", None):
            raise TypeError("type parameters have no place in emitted code")

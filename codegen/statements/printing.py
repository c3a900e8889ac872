"""Printing as it is written: `print` with f-strings, and jax.debug.print where JAX compiles."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graph import Node

if TYPE_CHECKING:
    from .emitter import Emitter


def statement(emitter: Emitter, node: Node) -> ast.stmt:
    """A recorded print."""
    if emitter.module.target.compiles:
        return ast.Expr(compiled(emitter, node))
    options = [ast.keyword(name, ast.Constant(value)) for name, value in node.kwargs.items()]
    values = [argument(emitter, text) for text in node.args]
    return ast.Expr(ast.Call(ast.Name("print", ast.Load()), values, options))


def argument(emitter: Emitter, text: Any) -> ast.expr:
    """A text: a value as it is, a string, or an f-string."""
    if len(text) == 1 and not isinstance(text[0], str) and text[0][1:] == ("s", ""):
        found: ast.expr = emitter.tree(text[0][0])
        return found
    if all(isinstance(piece, str) for piece in text):
        return ast.Constant("".join(text))
    return ast.JoinedStr([written(emitter, piece) for piece in text])


def written(emitter: Emitter, piece: Any) -> ast.expr:
    """A piece of an f-string."""
    if isinstance(piece, str):
        return ast.Constant(piece)
    value, conversion, spec = piece
    format_spec = ast.JoinedStr([ast.Constant(spec)]) if spec else None
    return ast.FormattedValue(emitter.tree(value), ord(conversion) if conversion else -1, format_spec)


def compiled(emitter: Emitter, node: Node) -> ast.expr:
    """`jax.debug.print`, which prints each time that the compiled function runs."""
    emitter.module.imports.add("import jax")
    values: list[ast.expr] = []
    texts = [template(emitter, text, values) for text in node.args]
    end = str(node.kwargs.get("end", "\n"))
    if not end.endswith("\n"):
        raise UnsupportedError(
            "print without a new line", backend="jax", why="jax.debug.print ends every line", span=node.span,
            hint="print the line as a whole",
        )  # fmt: skip
    whole = str(node.kwargs.get("sep", " ")).join(texts) + end[:-1]
    if not values and "{" in whole:  # JAX would look for values
        return plainly(emitter, whole.replace("{{", "{").replace("}}", "}"))
    module = ast.Attribute(ast.Name("jax", ast.Load()), "debug", ast.Load())
    return ast.Call(ast.Attribute(module, "print", ast.Load()), [ast.Constant(whole), *values], [])


def plainly(emitter: Emitter, text: str) -> ast.expr:
    """`jax.debug.callback(print, text)` of a text that is known."""
    printing = ast.Call(ast.Name("print", ast.Load()), [ast.Constant(text)], [])
    nothing = ast.arguments([], [], None, [], [], None, [])
    module = ast.Attribute(ast.Name("jax", ast.Load()), "debug", ast.Load())
    return ast.Call(ast.Attribute(module, "callback", ast.Load()), [ast.Lambda(nothing, printing)], [])


def template(emitter: Emitter, text: Any, values: list[ast.expr]) -> str:
    """A text with braces for its values, which are added to `values`."""
    found = ""
    for piece in text:
        if isinstance(piece, str):
            found += piece.replace("{", "{{").replace("}", "}}")
        else:
            values.append(emitter.tree(piece[0]))
            found += f"{{:{piece[2]}}}" if piece[2] else "{}"
    return found

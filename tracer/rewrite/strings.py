"""f-strings: each value is formatted by a hook, the string put together by Python."""

from __future__ import annotations

import ast

from .template import Template
from .walk import Walk

FORMAT = Template("HOOKS.format_(VALUE, CONVERSION, SPEC)")
JOINED = Template("HOOKS.joined(TEXT)")
SAID = Template("HOOKS.said(VALUE, CONVERSION, SPEC)")


def say(message: ast.expr | None) -> None:
    """Note that an f-string is what an exception says."""
    for value in message.values if isinstance(message, ast.JoinedStr) else ():
        if isinstance(value, ast.FormattedValue):
            value.said = True  # type: ignore[attr-defined]


def joined(node: ast.JoinedStr, walk: Walk) -> ast.expr:
    made = together(node, walk)
    return JOINED(node, TEXT=made) if any(isinstance(v, ast.FormattedValue) for v in made.values) else made


def together(node: ast.JoinedStr, walk: Walk) -> ast.JoinedStr:
    return ast.copy_location(ast.JoinedStr([walk.value(value) for value in node.values]), node)


def formatted(node: ast.FormattedValue, walk: Walk) -> ast.expr:
    conversion = None if node.conversion == -1 else chr(node.conversion)
    spec = together(node.format_spec, walk) if isinstance(node.format_spec, ast.JoinedStr) else ""
    form = SAID if getattr(node, "said", False) else FORMAT
    text = form(node, VALUE=walk.value(node.value), CONVERSION=conversion, SPEC=spec)
    return ast.copy_location(ast.FormattedValue(text, -1, None), node)

"""f-strings: each value is formatted by a hook, the string put together by Python."""

from __future__ import annotations

import ast

from .template import Template
from .walk import Walk

FORMAT = Template("HOOKS.format_(VALUE, CONVERSION, SPEC)")


def formatted(node: ast.FormattedValue, walk: Walk) -> ast.expr:
    conversion = None if node.conversion == -1 else chr(node.conversion)
    spec = "" if node.format_spec is None else walk.value(node.format_spec)
    text = FORMAT(node, VALUE=walk.value(node.value), CONVERSION=conversion, SPEC=spec)
    return ast.copy_location(ast.FormattedValue(text, -1, None), node)

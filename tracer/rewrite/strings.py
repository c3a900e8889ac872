"""f-strings: each value is formatted by a hook, the string put together by Python. What an exception says by
`%` or `.format` is one too.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from typing import Any

from .runtime import ALONE, ONE
from .template import Template
from .walk import Walk

FORMAT = Template("HOOKS.format_(VALUE, CONVERSION, SPEC)")
JOINED = Template("HOOKS.joined(TEXT)")
SAID = Template("HOOKS.said(VALUE, CONVERSION, SPEC)")
PRINTED = Template("HOOKS.format_(VALUE, CONVERSION, SPEC, FUNCTION)")


#: A value in a string before `%`, or a percent sign. Names, and widths among the values, are left to Python.
FIELD = re.compile(r"%([-+ 0#]*[0-9]*(?:\.[0-9]+)?[diouxXeEfFgGcrsa%])")


def say(message: ast.expr | None) -> ast.expr | None:
    """What an exception says, as an f-string whose values are noted to be said where it is one."""
    return None if message is None else noted(message, SAID)


def printed(message: ast.expr) -> ast.expr:
    """Likewise what is given to something called `print`."""
    return noted(message, PRINTED)


def noted(message: ast.expr, form: Template) -> ast.expr:
    made = as_fstring(message)
    for value in made.values if isinstance(made, ast.JoinedStr) else ():
        if isinstance(value, ast.FormattedValue):
            value.said = form  # type: ignore[attr-defined]
    return made


def as_fstring(node: ast.expr) -> ast.expr:
    """`"..." % values` and `"...".format(...)` as f-strings, where each value is said once and in order."""
    match node:
        case ast.BinOp(ast.Constant(str() as text), ast.Mod(), right):
            several = isinstance(right, ast.Tuple)
            pieces = list(by_percent(text, right.elts if isinstance(right, ast.Tuple) else [right], several))
        case ast.Call(ast.Attribute(ast.Constant(str() as text), "format"), args, []):
            pieces = list(by_format(text, args))
        case _:
            return node
    if None in pieces:
        return node
    return ast.fix_missing_locations(ast.copy_location(ast.JoinedStr([p for p in pieces if p]), node))


def by_percent(text: str, values: list[ast.expr], several: bool) -> Iterator[ast.expr | None]:
    """The pieces of an f-string; None where there is none."""
    waiting = list(values)
    for i, part in enumerate(FIELD.split(text)):
        if i % 2 == 0:
            yield None if "%" in part else ast.Constant(part)
        elif part.endswith("%"):
            yield ast.Constant("%") if part == "%" else None
        elif not waiting or isinstance(waiting[0], ast.Starred):
            yield None
        else:
            field = ast.FormattedValue(waiting.pop(0), -1, ast.JoinedStr([ast.Constant(part)]))
            field.percent = ONE if several else ALONE  # type: ignore[attr-defined]
            yield field
    if waiting:
        yield None


def by_format(text: str, values: list[ast.expr]) -> Iterator[ast.expr | None]:
    """Likewise."""
    waiting = list(values)
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        fields = [(text, "?", "", None)]
    for number, (before, name, spec, conversion) in enumerate(fields):
        yield ast.Constant(before)
        if name is None:
            continue
        ordered = name in ("", str(number)) and "{" not in (spec or "")
        if not ordered or not waiting or isinstance(waiting[0], ast.Starred):
            yield None
            return
        inner = ast.JoinedStr([ast.Constant(spec)]) if spec else None
        yield ast.FormattedValue(waiting.pop(0), ord(conversion) if conversion else -1, inner)
    if waiting:
        yield None


def joined(node: ast.JoinedStr, walk: Walk) -> ast.expr:
    made = together(node, walk)
    return JOINED(node, TEXT=made) if any(isinstance(v, ast.FormattedValue) for v in made.values) else made


def together(node: ast.JoinedStr, walk: Walk) -> ast.JoinedStr:
    return ast.copy_location(ast.JoinedStr([walk.value(value) for value in node.values]), node)


def formatted(node: ast.FormattedValue, walk: Walk) -> ast.expr:
    conversion = getattr(node, "percent", None if node.conversion == -1 else chr(node.conversion))
    spec = together(node.format_spec, walk) if isinstance(node.format_spec, ast.JoinedStr) else ""
    form = getattr(node, "said", FORMAT)
    given: dict[str, Any] = {"VALUE": walk.value(node.value), "CONVERSION": conversion, "SPEC": spec}
    if form is PRINTED:
        given["FUNCTION"] = walk.value(ast.copy_location(ast.Name("print", ast.Load()), node))
    text = form(node, **given)
    return ast.copy_location(ast.FormattedValue(text, -1, None), node)

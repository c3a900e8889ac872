"""`assert` and `raise`: Python fails, hooks see what for."""

from __future__ import annotations

import ast

from .strings import say
from .template import Template
from .walk import Walk

ASSERTED = Template("HOOKS.asserted(TEST, MESSAGE)")
RAISE = Template("HOOKS.raise_(ERROR)")


def assert_(node: ast.Assert, walk: Walk) -> list[ast.stmt]:
    """The message is written twice, for the hook and for Python, which alone evaluates it."""
    said = say(node.msg)
    message = None if said is None else walk.value(said)
    test = node.test
    if not isinstance(test, ast.Constant):
        thunk = walk.thunk(said) if said is not None and walk.defers(said) else None
        test = ASSERTED(test, TEST=walk.test(test), MESSAGE=thunk)
    return [ast.copy_location(ast.Assert(test, message), node)]


def raise_(node: ast.Raise, walk: Walk) -> list[ast.stmt]:
    if isinstance(node.exc, ast.Call):
        node.exc.args = [say(argument) or argument for argument in node.exc.args]
    error = None if node.exc is None else RAISE(node.exc, ERROR=walk.value(node.exc))
    cause = None if node.cause is None else walk.value(node.cause)
    return [ast.copy_location(ast.Raise(error, cause), node)]

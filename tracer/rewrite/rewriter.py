"""Rewriter: a function in, the same function out, every construct that can be traced a call on the hooks."""

from __future__ import annotations

import ast
import inspect
from types import CodeType, FunctionType
from typing import Any

from . import link, source
from .compared import compared
from .functions import body, lambda_body, scope_of
from .hooks import Hooks
from .returning import asked
from .rules import RULES
from .single_exit import single_exit

_ASYNC = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

#: The code that stands for another one, and the parameters that a function reads in idle looks at most.
_tidied = link.Cache[CodeType]()
#: The same of functions that return at their end alone then, and of those that end up inline.
_joined = link.Cache[CodeType]()
_inline = link.Cache[CodeType]()
_unread = link.Cache[frozenset[str]]()
#: The parameters that it only holds against strings.
_words = link.Cache[frozenset[str]]()


def rewrite(fn: FunctionType, hooks: Hooks, joined: bool = False, inline: bool = False) -> FunctionType:
    """`fn` with every construct that can be traced turned into a call on `hooks`; `joined`: returning at its
    end alone, where it can; `inline`: returning nowhere but where the user's returns.

    With the hooks of `Plain` the result cannot be told from `fn`. It shares fn's cells, globals, defaults
    and attributes. The work is done once for each code object. An async function comes back as it is, and
    so does what was made for these hooks already, nested functions included.

    Raises:
        NoSource: the text of `fn` is not to be had; it can only be run as it is.
    """
    code = fn.__code__
    if code.co_flags & _ASYNC or link.is_linked(code, hooks):
        return fn
    if (made := hooks.codes.get((id(code), inline))) is None:
        tidied = (joined and _joined_code(fn)) or (inline and _inline_code(fn)) or _done(fn)
        made = hooks.codes[id(code), inline] = code, link.linked(tidied, hooks, _tidied)
    return link.like(fn, made[1])


def _done(fn: FunctionType) -> CodeType:
    """The code of a function, rewritten."""
    tidied = _tidied.get(fn.__code__)
    if tidied is None:
        tidied = _compiled(fn.__code__, fn.__globals__)
        _tidied.put(fn.__code__, tidied)
    return tidied


def _compiled(code: CodeType, module: dict[str, Any]) -> CodeType:
    try:
        found = source.find(code, module)
        new, unread = _new(found)
        _unread.put(code, unread)
        _words.put(code, compared(found.node))
        return link.tidied(found.compile(new, code))
    except RecursionError:
        raise source.NoSource(f"{code.co_qualname} is nested too deeply to be rewritten") from None


def _joined_code(fn: FunctionType) -> CodeType | None:
    """The same of a function that returns at its end alone; None where it cannot."""
    tidied = _joined.get(fn.__code__)
    if tidied is None:
        found = source.find(fn.__code__, fn.__globals__)
        once = single_exit(found.node) if isinstance(found.node, ast.FunctionDef) else None
        if once is None:
            return None
        tidied = link.tidied(found.compile(_new(found, once, apart=False)[0], fn.__code__))
        _joined.put(fn.__code__, tidied)
    return tidied


def _inline_code(fn: FunctionType) -> CodeType | None:
    """The same of a function that ends up inline; None where that is no other."""
    tidied = _inline.get(fn.__code__)
    if tidied is None:
        found = source.find(fn.__code__, fn.__globals__)
        if not isinstance(found.node, ast.FunctionDef) or not asked(found.node):
            return None
        tidied = link.tidied(found.compile(_new(found, apart=False)[0], fn.__code__))
        _inline.put(fn.__code__, tidied)
    return tidied


def _new(
    found: source.Definition, other: source.Leaf | None = None, *, apart: bool = True
) -> tuple[source.Leaf, frozenset[str]]:
    """The definition rewritten, or another form of it."""
    old = other or found.node
    new: source.Leaf
    scope = scope_of(old, found.private, apart)
    if isinstance(old, ast.Lambda):
        new = ast.Lambda(old.args, lambda_body(scope, RULES))
    else:
        new = ast.FunctionDef(old.name, old.args, body(scope, RULES), old.decorator_list, old.returns)
    unread = frozenset() if scope.idle is None else scope.idle.unread
    stars = {arg.arg for arg in (old.args.vararg, old.args.kwarg) if arg is not None}  # counted as they come
    return ast.copy_location(new, old), unread - stars


def unread(fn: FunctionType) -> frozenset[str]:
    """The variables of a function that was rewritten which it reads in idle looks at most."""
    return _unread.get(fn.__code__) or frozenset()


def words(fn: Any) -> frozenset[str]:
    """The parameters of a function that it only holds against strings; none where it has no text, is no
    function, or stands for another one, whose parameters may have other names.
    """
    if not isinstance(fn, FunctionType) or hasattr(fn, "__wrapped__"):
        return frozenset()
    try:
        _done(fn)
    except source.NoSource:
        return frozenset()
    return _words.get(fn.__code__) or frozenset()

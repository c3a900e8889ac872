"""Checks of the containers among the arguments, at the top of the emitted function: how long one is, what
keys it has, whether it has a key.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...backends.backend import Backend
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Graph
from ...ir.values.tree import plain_constant
from ..text.unparsing import unparsed
from .assertions import Check, equal
from .guards import parsed, root
from .statics import said, writable


def structure_checks(
    graph: Graph, target: Backend, literal: Callable[[Any], ast.expr], statements: Sequence[ast.stmt]
) -> list[Check]:
    """The checks of what the program asked of containers.

    Args:
        target: where it sorts the keys of a dict, only the set of them is checked.
        statements: what the function says beside; a check of all the items of a tuple says its length.
    """
    checks: list[Check] = []
    told = {unparsed(s.test) for s in statements if isinstance(s, (ast.Assert, ast.If))}
    for path, asked in graph.meta.get("structure", {}).items():
        if root(path) in graph.meta.get("unread", ()):
            continue
        if "whole" in asked:
            found = asked["whole"]
            if any(test.startswith((f"tuple({path}) == (", f"tuple({path}) != (")) for test in told):
                continue
            checks.append(whole(path, found, target, literal))
            if isinstance(found, tuple):
                continue
        checks += keys(path, asked, literal)
    for path, asked in graph.meta.get("attributes", {}).items():
        if root(path) not in graph.meta.get("unread", ()):
            checks += attributes(path, asked)
    return checks


def attributes(path: str, asked: Mapping[str, Any]) -> Iterator[Check]:
    """Which attributes an object has, or that it has one, or has not."""
    if "" in asked:
        listed = called("list", called("vars", parsed(path)))
        wanted = ast.List([ast.Constant(name) for name in asked[""]], ast.Load())
        words = f"with {path} of attributes {', '.join(asked[''])}, not "
        yield Check(equal([listed, wanted]), (listed,), words)
        return
    for name, there in asked.items():
        held: ast.expr = called("hasattr", parsed(path), ast.Constant(name))
        test = held if there else ast.UnaryOp(ast.Not(), held)
        words = f"{'with' if there else 'without'} the attribute {name} in {path}, not like this "
        kind = ast.Attribute(called("type", parsed(path)), "__name__", ast.Load())
        yield Check(test, (kind,), words)  # an object that lacks an attribute may have no repr


def whole(path: str, found: Any, target: Backend, literal: Callable[[Any], ast.expr]) -> Check:
    if not isinstance(found, tuple):
        size = called("len", parsed(path))
        return Check(equal([size, ast.Constant(found)]), (size,), f"with len({path})={found}, not ")
    listed = called("list", parsed(path))
    words = f"with {path} of keys {', '.join(map(repr, found))}, not "
    if any(said(plain_constant(key)) is None for key in found):
        shown = called("repr", listed)
        return Check(equal([shown, ast.Constant(repr([*map(known, found)]))]), (listed,), words)
    if any(plain_constant(key) is not key for key in found):  # whose classes the program has looked at
        return of_classes(path, found, target, literal, words)
    if not target.sorts_keys or len(found) < 2:
        wanted: ast.expr = ast.List([written(key, literal) for key in found], ast.Load())
        return Check(equal([listed, wanted]), (listed,), words)
    wanted = ast.Set([written(key, literal) for key in found])
    keyed = ast.Call(ast.Attribute(parsed(path), "keys", ast.Load()), [], [])
    return Check(equal([keyed, wanted]), (listed,), words)


def of_classes(
    path: str, found: Sequence[Any], target: Backend, literal: Callable[[Any], ast.expr], words: str
) -> Check:
    """That a dict has these keys, of which some are of classes made of Python's: members of an Enum."""
    key = ast.Name("key", ast.Load())
    pair = ast.Tuple([ast.Attribute(called("type", key), "__name__", ast.Load()), key], ast.Load())
    loop = ast.comprehension(ast.Name("key", ast.Store()), parsed(path), [], 0)
    pairs = [(ast.Constant(type(key).__name__), written(plain_constant(key), literal)) for key in found]
    wanted = [ast.Tuple([*pair], ast.Load()) for pair in pairs]
    kind: Any = (ast.SetComp, ast.Set) if target.sorts_keys else (ast.ListComp, ast.List)
    made = kind[1](wanted) if target.sorts_keys else kind[1](wanted, ast.Load())
    return Check(equal([kind[0](pair, [loop]), made]), (called("list", parsed(path)),), words)


def keys(path: str, asked: Mapping[Any, Any], literal: Callable[[Any], ast.expr]) -> Iterator[Check]:
    """That keys are there, or not."""
    for what in asked:
        if what == "whole":
            continue
        key, there = plain_constant(what[0]), what[1]
        sign: ast.cmpop = ast.In() if there else ast.NotIn()
        held = ast.Compare(written(key, literal), [sign], [parsed(path)])
        if said(key) is None:  # a member of an Enum, of which is known what is printed for it
            shown = called("map", ast.Name("repr", ast.Load()), parsed(path))
            held = ast.Compare(ast.Constant(repr(known(key))), [sign], [shown])
        words = f"{'with' if there else 'without'} the key {key!r} in {path}, not with "
        yield Check(held, (called("list", parsed(path)),), words)


def written(key: Any, literal: Callable[[Any], ast.expr]) -> ast.expr:
    return literal(key) if writable(key) else parsed(said(key) or "...")


def known(key: Any) -> Any:
    """A key that is told from others by what is printed for it.

    Raises:
        UnsupportedError: where that is of one object only, or is nothing that can be trusted.
    """
    if " at 0x" in repr(key) or not isinstance(key, (enum.Enum, tuple)) and said(key) is None:
        raise UnsupportedError(
            f"the key {key!r} of a dict among the arguments",
            why="no text can say what it is: another could not be told from it",
            hint="use strings, numbers or tuples of these as keys",
        )
    return key


def called(name: str, *values: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [*values], [])

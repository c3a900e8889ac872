"""Walking: the nodes of a tree, and a tree once more, as `ast.walk` and `copy.deepcopy` have them and several
times as fast: much of what it takes to write a text is this.
"""

from __future__ import annotations

import ast
from typing import Any, TypeVar

Tree = TypeVar("Tree")


def walked(tree: ast.AST) -> list[Any]:
    """A node and all below it, those of a block before what is in them; all but the contexts of names."""
    found: list[Any] = [tree]
    for node in found:
        for name in node._fields:
            if name == "ctx":
                continue
            value = getattr(node, name, None)
            if type(value) is list:
                found += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def copied(tree: Tree) -> Tree:
    """A tree, or a list of such, once more: what is one node in several places is so in the copy."""
    return _copied(tree, {})  # type: ignore[no-any-return]


def _copied(value: Any, made: dict[int, Any]) -> Any:
    kind = type(value)
    if kind is list:
        return [_copied(each, made) for each in value]
    if kind is tuple:
        return tuple(_copied(each, made) for each in value)
    if not isinstance(value, ast.AST):
        return value
    if (known := made.get(id(value))) is not None:
        return known
    new = made[id(value)] = kind()
    held = new.__dict__
    for name, each in value.__dict__.items():
        held[name] = each if type(each) in ATOMS else _copied(each, made)
    return new


def unshared(tree: Any) -> Any:
    """A tree once more, in which no node stands in several places."""
    new = type(tree)()
    for name, value in tree.__dict__.items():
        if isinstance(value, list):
            new.__dict__[name] = [unshared(each) if isinstance(each, ast.AST) else each for each in value]
        elif name in tree._fields:
            new.__dict__[name] = unshared(value) if isinstance(value, ast.AST) else value
    return new


def marked(made: Any, node: ast.AST) -> Any:
    """A part of a text in place of another, with what is noted of that."""
    made.__dict__ |= {name: value for name, value in node.__dict__.items() if name not in node._fields}
    return made


#: What is itself in a copy.
ATOMS = frozenset({str, int, float, bool, type(None)})

"""The user's loops in a function, those of functions that were inlined into it too, and what he names and
computes of items in them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....ir.source.remarks import Remarked, remarks
from ...text.unparsing import unparsed
from ...text.walking import walked
from ..written.annotations import parameters
from ..written.named_items import root_of, stored
from ..written.named_turns import named_by
from ..written.positions import position
from ..written.remarks import lines
from ..written.stated import is_path
from .headers import Bound, in_full

#: What the place of an item may be computed with.
PLAIN = (ast.BinOp, ast.Name, ast.Constant, ast.Add, ast.Sub, ast.expr_context)


def loops(blocks: Sequence[Sequence[Remarked]]) -> Iterator[Remarked]:
    """The `for` statements of a function, outer ones first."""
    for each in (each for block in blocks for each in block):
        if isinstance(each.node, ast.For) and not each.node.orelse:
            yield each
        if not each.is_function:
            yield from loops(each.blocks)


def aliases(user: Remarked, names: Bound, roots: Mapping[str, str]) -> Bound:
    """The names that the user gives items beside those of the header: `g = grads[name]`."""
    found: Bound = {}
    turns = range(len(next(iter(names.values()))))
    known = [{n: unparsed(items[turn]) for n, items in names.items()} for turn in turns]
    for name, value in (pair for each in user.blocks[0] for pair in named_by(each.node)):
        if isinstance(value, ast.Subscript) and name not in (*names, *found, *roots):
            items = [in_full(value, {**roots, **one}) for one in known]
            if all(is_path(item) and root_of(item) in roots for item in items):
                found[name] = items
    return found


def computed(user: Remarked, names: Bound) -> Bound:
    """What the user computes of the places of items, in each turn: `i - 1`."""
    found: Bound = {}
    places = {name: items for name, items in names.items() if all(type(value_of(i)) is int for i in items)}
    turns = range(len(next(iter(names.values()))))
    for node in walked(user.node):
        parts = walked(node) if isinstance(node, ast.BinOp) else []
        mine = {part.id for part in parts if isinstance(part, ast.Name)}
        if mine and mine <= {*places} and all(isinstance(part, PLAIN) for part in parts):
            each = [{name: value_of(items[turn]) for name, items in places.items()} for turn in turns]
            text = unparsed(node)
            found[text] = [ast.Constant(eval(text, {"__builtins__": {}}, values)) for values in each]
    return found


def value_of(item: ast.expr) -> Any:
    return item.value if isinstance(item, ast.Constant) else None


def inner_loops(
    own: Remarked, body: Sequence[ast.stmt], roots: Mapping[str, str]
) -> Iterator[tuple[Remarked, Mapping[str, str]]]:
    """The loops of functions that a function calls once and whose statements stand in it, and what their
    names are in it.
    """
    found = {position(statement) for statement in lines(body)}
    others = {remarks(key[0]).found[key].function for key in found if key and key in remarks(key[0]).found}
    for other in others - {own, None}:
        assert other is not None and isinstance(other.node, ast.FunctionDef)
        calls = [n for n in walked(own.node) if isinstance(n, ast.Call) and is_called(n, other.node.name)]
        names = [arg.arg for arg in parameters(other.node.args)]
        if len(calls) != 1 or any(isinstance(arg, ast.Starred) for arg in calls[0].args):
            continue
        (call,) = calls
        given = {**dict(zip(names, call.args)), **{k.arg: k.value for k in call.keywords if k.arg}}
        rebound = {*stored(other.node.body)}
        known = {
            name: unparsed(in_full(value, roots))
            for name, value in given.items()
            if name not in rebound and is_known(value, roots)
        }
        yield from ((each, known) for each in loops(other.blocks))


def is_called(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == name


def is_known(value: ast.expr, roots: Mapping[str, str]) -> bool:
    """Whether some code of the user's is in terms of arguments alone."""
    names = {node.id for node in walked(value) if isinstance(node, ast.Name)}
    return names <= {*roots, "list", "tuple", "zip", "enumerate", "range", "len", "reversed"}

"""Comprehensions: `[w * 2 for w in ws]`, for a loop that the user wrote so, where its body is one expression.

It stands where the user has it: what it gives is nested into the statement behind it, unless he named it.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import Any

from ....ir.graphs.graph import Node
from ....ir.graphs.regions import loop
from ....ir.graphs.static import Scalar
from ....ir.values.dtypes import bool_
from ...text.unparsing import unparsed
from ...text.walking import Transformer, parts_of, walked

#: Statements of which a part may run later than the first, and again.
COMPOUND = (ast.If, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)
#: Expressions with parts that do.
AGAIN = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def comprehended(node: Node, head: Sequence[ast.stmt], turns: ast.For) -> ast.Assign | None:
    """A loop, of which `head` stands before it, as one statement; None where that cannot be, or it was one.
    It is written where it is read, if the user gave it no name: see `nest`.
    """
    write = {"comprehension": listed, "sum": summed}.get((node.stands_for or node).meta.get("kind", ""))
    found = write(node, head, turns) if write is not None else None
    if found is None:
        return None
    made: Any = ast.Assign([found[0]], found[1])
    made.nests = not is_named(node)
    return made  # type: ignore[no-any-return]


def listed(node: Node, head: Sequence[ast.stmt], turns: ast.For) -> Any:
    """`outs = [item for ...]`"""
    match head, turns.body:
        case [ast.Assign([name], ast.List([]))], [ast.Expr(ast.Call(ast.Attribute(attr="append"), [item]))]:
            return name, ast.ListComp(item, [ast.comprehension(turns.target, turns.iter, [], 0)])
    return None


def summed(node: Node, head: Sequence[ast.stmt], turns: ast.For) -> Any:
    """`total = sum(item for ...)`: what Python begins with makes nothing else of what it first meets."""
    match head, turns.body:
        case (
            [ast.Assign([ast.Name(name) as target], _)],
            [ast.Assign([ast.Name(again)], ast.BinOp(ast.Name(left), ast.Add(), item))],
        ) if name == again == left and adds_alike(node) and not reads(item, name):
            made = ast.GeneratorExp(item, [ast.comprehension(turns.target, turns.iter, [], 0)])
            alone = isinstance(item, ast.Name) and unparsed(item) == unparsed(turns.target)
            return target, ast.Call(ast.Name("sum", ast.Load()), [turns.iter if alone else made], [])
    return None


def adds_alike(node: Node) -> bool:
    """Whether all that a loop adds up is of the dtype that comes of it, and there is something."""
    parts = loop(node)
    (total,) = parts.yields if len(parts.yields) == 1 else (None,)
    if not isinstance(total, Node) or total.op != "call_function":
        return False
    added = [whole(arg) for arg in total.args if isinstance(arg, Node) and arg not in parts.carried]
    kinds = [
        getattr(each.spec, "dtype", None) or getattr(each.spec, "type", None) for each in (total, *added)
    ]
    surely = (node.stands_for or node).meta.get("turns") or isinstance(total.spec, Scalar)
    return bool(surely) and len(added) == 1 and kinds[0] == kinds[1] not in (None, bool_, bool)


def whole(node: Node) -> Node:
    """A value without the casts that promotion asks for."""
    while node.implicit and len(node.args) == 1 and isinstance(node.args[0], Node):
        (node,) = node.args
    return node


def reads(expr: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in walked(expr))


def is_named(node: Node) -> bool:
    """Whether the user's statement binds what a comprehension gives to a name."""
    place = node.stands_for.place if node.stands_for is not None else None
    return place is not None and len(place.names) == 1


def nest(function: ast.FunctionDef) -> None:
    """Put comprehensions that the user did not name where they are used, if that is once, in the next
    statement.
    """
    nodes = walked(function)
    if not any(getattr(node, "nests", False) for node in nodes):
        return
    names: dict[str, list[type]] = {}
    for node in nodes:
        if isinstance(node, ast.Name):
            names.setdefault(node.id, []).append(type(node.ctx))
    once = {name for name, uses in names.items() if len(uses) == 2 and {*uses} == {ast.Load, ast.Store}}
    for statement in nodes:
        for body in (getattr(statement, field, None) for field in ("body", "orelse")):
            if isinstance(body, list):
                nest_in(body, once)


def nest_in(body: list[ast.stmt], once: Collection[str]) -> None:
    """The same in a block. `once`: what is bound once, and read once."""
    for place in range(len(body) - 2, -1, -1):
        match body[place]:
            case ast.Assign([ast.Name(name)], made) if name in once and getattr(body[place], "nests", False):
                user = body[place + 1]
                inside = Nested(name, made)
                if inside.stands_in(user):
                    inside.visit(user)
                    del body[place]


class Nested(Transformer):
    """Puts an expression in the place of a name."""

    def __init__(self, name: str, made: ast.expr) -> None:
        self.name = name
        self.made = made

    def stands_in(self, statement: ast.AST) -> bool:
        """Whether the name stands in a statement, and is read there once, when that runs."""
        if isinstance(statement, ast.For):
            statement = statement.iter
        if isinstance(statement, COMPOUND):
            return False
        waiting: list[ast.AST] = [statement]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name) and node.id == self.name:
                return True
            if isinstance(node, AGAIN):
                waiting.append(node.generators[0].iter)
            elif not isinstance(node, ast.Lambda):
                waiting += parts_of(node)
        return False

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.made if node.id == self.name else node

"""Alternatives: what has a name on one way of an `if` has it on the other too, where that is what it stands
beside later.

    if "s" in p:                            if "s" in p:
        skip = x * p["s"]                       skip = x * p["s"]
    return (skip if "s" in p else x) + h    else:
                                                skip = x
                                            return skip + h
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import Any

from ...text.unparsing import unparsed
from ...text.walking import Transformer, copied, dumped, walked
from ..written.named_items import changed, mentioned, stored
from ..written.stated import is_path


def named(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function, with such names on both ways."""
    made: list[Any] = [*body]
    for place, statement in enumerate(made):
        match statement:
            case ast.If(test, [ast.Assign([ast.Name(name)])], []):
                other = beside(test, name, made[place + 1 :])
                if other is not None and not stored_in(made[:place], name):
                    statement.orelse = [ast.Assign([ast.Name(name, ast.Store())], copied(other))]
                    put = Put(test, name)
                    made[place + 1 :] = [put.visit(each) for each in made[place + 1 :]]
    return made


def beside(test: ast.expr, name: str, rest: Sequence[ast.stmt]) -> ast.expr | None:
    """The one value, an array that has a name itself, that stands in for a variable wherever the test fails;
    None where there is none.
    """
    choices = [node for each in rest for node in walked(each) if chosen(node, test, name)]
    others = {unparsed(node.orelse): node.orelse for node in choices}
    read = sum(isinstance(node, ast.Name) and node.id == name for each in rest for node in walked(each))
    if len(others) != 1 or read != len(choices):
        return None
    (other,) = others.values()
    asked = {*mentioned(test), *(() if isinstance(other, ast.Name) else mentioned(other))}
    changes = {*stored(rest)} & {name, *mentioned(other), *asked} or not only_read(rest, asked)
    return other if (isinstance(other, ast.Name) or is_path(other)) and not changes else None


def only_read(body: Sequence[ast.stmt], containers: Collection[str]) -> bool:
    """Whether statements only look into containers: none is changed, nor given away to what may change it."""
    held = (head.split("[")[0].split(".")[0] for head in changed(body))
    nodes = [node for each in body for node in walked(each)]
    looked = {id(part) for node in nodes for part in looked_into(node)}
    given = (node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in looked)
    return {*held, *given}.isdisjoint(containers)


def looked_into(node: ast.AST) -> list[ast.expr]:
    """What an expression reads a part of, or asks for one."""
    match node:
        case ast.Subscript(value) | ast.Attribute(value):
            return [value]
        case ast.Compare(left, operators, several):
            pairs = zip(operators, [left, *several], several)
            return [side for how, *sides in pairs for side in sides[isinstance(how, (ast.In, ast.NotIn)) :]]
    return []


def chosen(node: ast.AST, test: ast.expr, name: str) -> bool:
    """Whether it is `name if test else ...`."""
    match node:
        case ast.IfExp(asked, ast.Name(own), _):
            return own == name and dumped(asked) == dumped(test)
    return False


def stored_in(statements: Sequence[ast.stmt], name: str) -> bool:
    return name in {*stored(statements)}


class Put(Transformer):
    """Puts a variable in the place of the choice between it and what it is otherwise."""

    def __init__(self, test: ast.expr, name: str) -> None:
        self.test = test
        self.name = name

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if chosen(node, self.test, self.name):
            return ast.Name(self.name, ast.Load())
        return self.generic_visit(node)

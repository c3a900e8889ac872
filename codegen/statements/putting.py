"""Putting: what a program puts into dicts and lists that it was given is put there as the function is left.
What is read of these places afterwards is what was there before, and is read in time.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from ..text.unparsing import unparsed
from ..text.walking import Transformer, copied, walked

#: Gives a name that nothing else has, as near as can be to one that is wanted.
Naming = Callable[[str], str]


def read_in_time(body: list[ast.stmt], puts: Sequence[ast.stmt], naming: Naming) -> list[ast.stmt]:
    """The statements of a function, with those reads before `puts`, which are among them, that must not come
    after them.
    """
    if not puts:
        return body
    first = min(body.index(statement) for statement in puts)
    reads = Reads(naming)
    made: list[ast.stmt] = []
    for statement in body[first:]:
        new = copied(statement)
        made.append(reads.visit(new))
        if statement in puts:
            reads.add(statement)
    reads.places, reads.containers = set(reads.names), set()  # what has a name goes by it
    return [*body[:first], *reads.found, *(reads.visit(statement) for statement in made)]


class Reads(Transformer):
    """Gives names to what is read of places that hold something else by then.

    Attributes:
        places: how the text says them; `containers`: what holds one, or was appended to.
        names: by what the text says, the name of what was there; `found`: the statements that give them.
    """

    def __init__(self, naming: Naming) -> None:
        self.naming = naming
        self.places: set[str] = set()
        self.containers: set[str] = set()
        self.names: dict[str, str] = {}
        self.found: list[ast.stmt] = []

    def add(self, statement: ast.stmt) -> None:
        """Something is put into this place from here on."""
        match statement:
            case ast.Assign([ast.Subscript() as place]):
                self.places.add(unparsed(place))
                self.containers |= set(prefixes(place.value))
            case ast.Expr(ast.Call(ast.Attribute(container, "append"))):
                self.containers |= set(prefixes(container))

    def named(self, node: ast.expr, wanted: str) -> ast.Name:
        text = unparsed(node)
        if text not in self.names:
            self.names[text] = name = self.naming(wanted)
            self.found.append(ast.Assign([ast.Name(name, ast.Store())], node))
        return ast.Name(self.names[text], ast.Load())

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        node.value = self.visit(node.value)
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                target.value = self.visit(target.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if unparsed(node) in self.places:
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            root = next(n.id for n in walked(node) if isinstance(n, ast.Name))
            return self.named(node, key if isinstance(key, str) else f"{root}_{key!r}")
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(unparsed(leaf) in self.containers for value in given for leaf in whole(value)):
            return self.named(node, "value")
        self.generic_visit(node)
        return node


def prefixes(node: ast.expr) -> list[str]:
    """A container, and those that it is in, as the text has them."""
    found = [unparsed(node)]
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
        found.append(unparsed(node))
    return found


def whole(value: ast.expr) -> list[ast.expr]:
    """What is handed on whole, in displays too."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return [leaf for item in value.elts for leaf in whole(item)]
    return [value] if isinstance(value, (ast.Name, ast.Subscript, ast.Attribute)) else []

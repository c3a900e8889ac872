"""Walking: the nodes of a tree, one tree made of another, a tree once more, and what tells trees apart, as
`ast.walk`, `ast.NodeTransformer`, `copy.deepcopy` and `ast.dump` have them and several times as fast: much of
what it takes to write a text is this.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeVar

Tree = TypeVar("Tree")

#: What fields are called in which there is no node; of a few kinds of nodes other fields are none either.
PLAIN = frozenset(
    "ctx id attr arg name asname module level kind type_comment simple is_async conversion rest "
    "kwd_attrs".split()
)
KINDS = [kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)]
ELSE = {ast.Constant: "value", ast.MatchSingleton: "value", ast.Global: "names", ast.Nonlocal: "names"}
#: The fields in which there may be nodes, by kind of node.
PARTS: dict[Any, tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in {*PLAIN, ELSE.get(kind)}) for kind in KINDS
}


#: The fields in which there are statements, or what holds such.
HOLDING = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})


def walked(tree: ast.AST) -> list[Any]:
    """A node and all below it, those of a block before what is in them; all but the contexts of names."""
    found: list[Any] = [tree]
    add, extend = found.append, found.extend  # `parts_of`, without a call for each node
    for node in found:
        if names := PARTS[node.__class__]:
            held = node.__dict__
            for name in names:
                value = held.get(name)
                if value.__class__ is list:
                    extend(value if None not in value else [each for each in value if each is not None])
                elif value is not None:
                    add(value)
    return found


def parts_of(node: ast.AST) -> list[Any]:
    """The nodes directly below one, as `ast.iter_child_nodes` has them; all but the contexts of names."""
    found: list[Any] = []
    held = node.__dict__
    for name in PARTS[node.__class__]:
        value = held[name] if name in held else None
        if value.__class__ is list:
            found += value if None not in value else [each for each in value if each is not None]
        elif value is not None:
            found += (value,)
    return found


def blocks(tree: Any) -> Iterator[list[Any]]:
    """All lists of statements in some code, each before those in it."""
    waiting = [tree]
    for node in waiting:
        for name, block in list(node.__dict__.items()):
            if block and type(block) is list and name in HOLDING:
                if name not in ("handlers", "cases"):
                    yield block
                waiting += block


def dumped(tree: Any) -> Hashable:
    """What tells a tree from others, as `ast.dump` says it: not where it stands, nor what is noted of it."""
    kind = tree.__class__
    if kind is list:
        return tuple([dumped(each) for each in tree])
    if kind not in PARTS:
        return kind, tree if kind is str else repr(tree)
    held = tree.__dict__
    parts = [held[name] if name in held else None for name in kind._fields]
    return kind, *[None if part is None else dumped(part) for part in parts]


class Transformer:
    """`ast.NodeTransformer`: what `visit_Name` and the like give takes the place of a node; None takes it
    out.
    """

    #: What is run of each kind of node, and None where there is nothing to do.
    runs: dict[type[ast.AST], Callable[..., Any] | None]
    #: Whether each node is asked, as in classes that have a `visit` of their own.
    asks_all: bool

    def __init_subclass__(cls) -> None:
        cls.runs = {}
        cls.asks_all = cls.visit is not Transformer.visit

    def visit(self, node: ast.AST) -> Any:
        run = self.run_of(type(node))
        return node if run is None else run(self, node)

    def run_of(self, kind: type[ast.AST]) -> Callable[..., Any] | None:
        if kind not in self.runs:
            usual = type(self).generic_visit if PARTS[kind] else None
            self.runs[kind] = getattr(type(self), f"visit_{kind.__name__}", usual)
        return self.runs[kind]

    def generic_visit(self, node: Tree) -> Tree:
        held = node.__dict__
        for name in PARTS[node.__class__]:
            value = held.get(name)
            if value.__class__ is list:
                self.visit_all(value)
            elif value is not None and (run := self.asking(value.__class__)) is not None:
                made = run(self, value)
                if made is None:
                    delattr(node, name)
                else:
                    held[name] = made
        return node

    def asking(self, kind: type[ast.AST]) -> Callable[..., Any] | None:
        """What is called of a node of this kind; None where it stays."""
        if self.asks_all:
            return type(self).visit
        return self.runs[kind] if kind in self.runs else self.run_of(kind)

    def visit_all(self, values: list[Any]) -> None:
        """Visit all of a list, which holds what comes of them afterwards."""
        made: list[Any] = []
        for value in values:
            run = None if value is None else self.asking(value.__class__)
            new = value if run is None else run(self, value)
            if new is value or isinstance(new, ast.AST):
                made.append(new)
            elif new is not None:
                made += new
        values[:] = made


def copied(tree: Tree) -> Tree:
    """A tree, or a list of such, once more: what is one node in several places is so in the copy."""
    return _copied(tree, {})  # type: ignore[no-any-return]


def _copied(value: Any, made: dict[int, Any]) -> Any:
    kind = value.__class__
    if kind is list:
        return [_copied(each, made) for each in value]
    if kind is tuple:
        return tuple([_copied(each, made) for each in value])
    if kind in ATOMS or kind not in PARTS:
        return value
    if (key := id(value)) in made:
        return made[key]
    new = made[key] = kind()
    held = new.__dict__
    for name, each in value.__dict__.items():
        held[name] = each if each.__class__ in ATOMS else _copied(each, made)
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


#: What is itself in a copy: operators and the contexts of names too.
ATOMS = frozenset({str, int, float, bool, type(None), *(kind for kind in KINDS if not kind._fields)})

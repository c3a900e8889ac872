"""Annotations of the user's: those that are made of Python's types, typing's, and arrays of a framework."""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable
from typing import Any, Literal

from ....backends.backend import classes
from ....ir.source.remarks import module_of, remarks
from ...text.walking import Transformer, marked, parts_of
from .positions import position

#: Where the words of annotations come from, besides Python's own.
TYPING = ("typing", "collections.abc")


class Annotations:
    """The annotations of one file.

    Args:
        name: how the target says a dotted name.
        array: the type of its arrays, by its dotted name.
        imports: takes up what the file must import.
    """

    def __init__(self, name: Callable[[str], ast.expr], array: str, imports: set[str]) -> None:
        self.name = name
        self.array = array
        self.imports = imports

    def annotate(self, function: ast.FunctionDef) -> None:
        """Give a function the annotations of the user's definition."""
        own = getattr(function, "own", None)
        if own is None:
            return
        module = module_of(own.key[0])
        theirs = {arg.arg: arg.annotation for arg in parameters(own.node.args)}
        for arg in parameters(function.args):
            arg.annotation = self.whole(theirs.get(arg.arg), module)
        if returns_alike(function, own.node):
            function.returns = self.whole(own.node.returns, module)
        Locals(self, module).visit(function)

    def whole(self, annotation: ast.expr | None, module: dict[str, Any]) -> ast.expr | None:
        """An annotation, with what it needs imported where it has a place in the file."""
        before = set(self.imports)
        made = self.of(annotation, module)
        if made is None:
            self.imports.intersection_update(before)
        return made

    def of(self, annotation: ast.expr | None, module: dict[str, Any]) -> ast.expr | None:
        """An annotation as the file has it; None where a name in it has no place there."""
        match annotation:
            case ast.Constant(None):
                return ast.Constant(None)
            case ast.Constant(str() as text):
                try:
                    return self.of(ast.parse(text, mode="eval").body, module)
                except SyntaxError:
                    return None
            case ast.BinOp(left, ast.BitOr(), right):
                one, other = self.of(left, module), self.of(right, module)
                return None if one is None or other is None else ast.BinOp(one, ast.BitOr(), other)
            case ast.Subscript(value, inner) if found(value, module) is Literal:
                whole = self.of(value, module)
                return None if whole is None else ast.Subscript(whole, inner, ast.Load())
            case ast.Subscript(value, inner) if is_generic(found(value, module)):
                whole, part = self.of(value, module), self.of(inner, module)
                return None if whole is None or part is None else ast.Subscript(whole, part, ast.Load())
            case ast.Tuple(items) | ast.List(items):
                made = [item for each in items if (item := self.of(each, module)) is not None]
                return type(annotation)(made, ast.Load()) if len(made) == len(items) else None
            case ast.Constant(value) if value is ...:
                return ast.Constant(...)
            case ast.Name() | ast.Attribute():
                return self.named(annotation, found(annotation, module))
        return None

    def named(self, annotation: ast.expr, value: Any) -> ast.expr | None:
        """A name in an annotation, by what it stands for."""
        name = annotation.attr if isinstance(annotation, ast.Attribute) else getattr(annotation, "id", "")
        if isinstance(value, type) and vars(builtins).get(name) is value:
            return ast.Name(name, ast.Load())
        if is_array(value):
            return self.name(self.array)
        where = getattr(value, "__module__", "")
        if where in TYPING and getattr(value, "__name__", getattr(value, "_name", None)) == name:
            self.imports.add(f"from {where} import {name}")
            return ast.Name(name, ast.Load())
        return None


class Locals(Transformer):
    """Gives variables of a function the annotations with which the user binds them."""

    def __init__(self, annotations: Annotations, module: dict[str, Any]) -> None:
        self.annotations = annotations
        self.module = module

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        key = position(node)
        user = remarks(key[0]).found.get(key) if key is not None else None
        match user.node if user is not None else None, node.targets:
            case ast.AnnAssign(ast.Name(theirs), annotation), [ast.Name(mine) as target] if theirs == mine:
                said = self.annotations.whole(annotation, self.module)
                if said is not None:
                    made: ast.stmt = marked(ast.AnnAssign(target, said, node.value, 1), node)
                    return made
        return node


def found(annotation: ast.expr, module: dict[str, Any]) -> Any:
    """What a name of an annotation stands for, where that can be told without running anything."""
    match annotation:
        case ast.Name(name):
            return module.get(name, vars(builtins).get(name))
        case ast.Attribute(value, name):
            owner = found(value, module)
            return vars(owner).get(name) if isinstance(owner, types.ModuleType) else None
    return None


def is_generic(value: Any) -> bool:
    """Whether a type takes others: the file says it when it is run, which `from __future__` may put off."""
    name = "__class_getitem__" if isinstance(value, type) else "__getitem__"
    return hasattr(value, name) and not is_array(value)


def is_array(value: Any) -> bool:
    """Whether a type is that of a framework's arrays."""
    if not isinstance(value, type):
        return False
    home, name = value.__module__.partition(".")[0], value.__name__.rpartition(".")[2]
    return (home, name) in classes()


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    several = [arguments.vararg, arguments.kwarg]
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [*named, *(arg for arg in several if arg is not None)]


def returns_alike(function: ast.FunctionDef, theirs: Any) -> bool:
    """Whether a function gives as many values as the user's: a helper may hand back what it writes into."""
    mine, wanted = (ends(each) for each in (function, theirs))
    return mine == wanted


def ends(function: Any) -> set[int]:
    """How many values a function gives where it returns: 0 for none."""
    found: set[int] = set()
    ahead: list[ast.AST] = [*function.body]
    for part in ahead:
        if isinstance(part, ast.Return):
            value = part.value
            found.add(0 if value is None else len(value.elts) if isinstance(value, ast.Tuple) else 1)
        elif not isinstance(part, (ast.FunctionDef, ast.Lambda)):
            ahead += [each for each in parts_of(part) if not isinstance(each, ast.expr)]
    return found

"""Definitions: by which statements names are bound, and attributes set, in the text of the user's files."""

from __future__ import annotations

import ast
import functools
import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Any

from ....ir.source.remarks import File, Remarked, module_of, remarks
from ...text.walking import walked


@functools.lru_cache(maxsize=4096)
def definition(file: File, name: str) -> Remarked | None:
    """The statement by which a module binds a name, where there is but one."""
    found = [s for s in file.statements if s.parent is None and name in bound_in(s.node)]
    return found[0] if len(found) == 1 and bound_to(name, found[0].node) is not None else None


@functools.lru_cache(maxsize=4096)
def assigned(owner: Remarked, name: str) -> Remarked | None:
    """The statement by which a function or class binds a name, where there is but one."""
    if sum(map(binds(name), walked(owner.node))) != 1:
        return None
    found = (s for s in inside(owner) if not s.blocks and name in bound_in(s.node))
    return next((s for s in found if bound_to(name, s.node) is not None), None)


@functools.lru_cache(maxsize=4096)
def is_parameter(owner: Remarked, name: str) -> bool:
    """Whether a function binds a name as its parameter, and nothing in it binds it again."""
    return sum(map(binds(name), walked(owner.node))) == 1 and assigned(owner, name) is None


def binds(name: str) -> Any:
    """Whether a part of a tree binds this name."""
    return lambda part: (
        isinstance(part, ast.arg) and part.arg == name
        or isinstance(part, ast.Name) and part.id == name and not isinstance(part.ctx, ast.Load)
    )  # fmt: skip


def inside(owner: Remarked) -> Iterator[Remarked]:
    """The statements in the blocks of another, save those of functions and classes in it."""
    for block in owner.blocks:
        for statement in block:
            yield statement
            if not statement.is_function and not isinstance(statement.node, ast.ClassDef):
                yield from inside(statement)


def imported(file: File, name: str) -> tuple[types.ModuleType, str] | None:
    """The module that a name is imported from, `from config import EPS`, and its name there."""
    found = []
    for statement in file.statements:
        node: Any = statement.node
        if statement.parent is None and isinstance(node, ast.ImportFrom):
            found += [(node, alias.name) for alias in node.names if (alias.asname or alias.name) == name]
    if len(found) != 1:
        return None
    node, own = found[0]
    package = module_of(file.file).get("__package__")
    try:
        full = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
    except ImportError:
        return None
    module = sys.modules.get(full)
    return (module, own) if isinstance(module, types.ModuleType) else None


def of_class(kind: type, name: str) -> Iterator[tuple[Remarked, ast.expr]]:
    """The expressions that an attribute of a class, or of its objects, is bound to by default: in the body of
    the class, and where it is made. Each with its statement.
    """
    for base in type.__getattribute__(kind, "__mro__"):
        for own in classes(base):
            if (found := assigned(own, name)) is not None:
                yield found, bound_to(name, found.node)
        for own in classes(base):
            yield from initialized(own, name)


def classes(kind: type) -> Iterator[Remarked]:
    """The statements that define a class."""
    held = type.__getattribute__(kind, "__dict__")
    module = sys.modules.get(str(held.get("__module__")))
    codes = [each.__code__ for each in held.values() if type(each) is types.FunctionType]
    files = dict.fromkeys([getattr(module, "__file__", None), *(code.co_filename for code in codes)])
    qualified = str(type.__getattribute__(kind, "__qualname__"))
    path = [name for name in qualified.split(".") if name != "<locals>"]
    for file in filter(None, files):
        yield from defined(remarks(file), ".".join(path))


@functools.lru_cache(maxsize=1024)
def defined(file: File, path: str) -> list[Remarked]:
    """The statements that define a class of a file, by the names of what stands around it, and its own."""
    found = (each for each in file.statements if isinstance(each.node, ast.ClassDef))
    return [each for each in found if ".".join(named_path(each)) == path]


def named_path(statement: Remarked) -> list[str]:
    """The names of a class and of the classes and functions around it."""
    around: Remarked | None = statement
    found: list[str] = []
    while around is not None:
        name = getattr(around.node, "name", None)
        found = [name, *found] if isinstance(name, str) else found
        around = around.parent
    return found


def initialized(own: Remarked, name: str) -> Iterator[tuple[Remarked, ast.expr]]:
    """What `__init__` sets an attribute to; the default of a parameter where it is that."""
    for method in own.blocks[0]:
        if not method.is_function or getattr(method.node, "name", "") != "__init__":
            continue
        sets = [s for s in inside(method) if attribute_set(s.node) == name]
        for statement in sets if len(sets) == 1 else ():
            value: Any = getattr(statement.node, "value")
            default = dict(defaults(method.node)).get(value.id) if isinstance(value, ast.Name) else None
            yield (method, default) if default is not None else (statement, value)


def attribute_set(node: ast.stmt) -> str | None:
    """The attribute of a name that a statement sets."""
    match node:
        case ast.Assign([ast.Attribute(ast.Name(), name)]):
            return name
        case ast.AnnAssign(ast.Attribute(ast.Name(), name), value=ast.expr()):
            return name
    return None


def member(owner: Any, name: str) -> Any:
    """What is under a name in a module, a class or an object, none of which is asked."""
    kind = type(owner)
    if issubclass(kind, type):
        bases = (type.__getattribute__(base, "__dict__") for base in type.__getattribute__(owner, "__mro__"))
        return next((held[name] for held in bases if name in held), None)
    try:
        held = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return None
    return held.get(name) if type(held) is dict else None


def parts(whole: ast.Call | ast.Dict) -> Iterator[tuple[Any, ast.expr]]:
    """What an object, or a dict, is given by names."""
    if isinstance(whole, ast.Call):
        yield from ((keyword.arg, keyword.value) for keyword in whole.keywords if keyword.arg is not None)
    else:
        pairs = zip(whole.keys, whole.values)
        yield from ((k.value, value) for k, value in pairs if isinstance(k, ast.Constant))


def defaults(function: Any) -> Iterator[tuple[str, ast.expr]]:
    """The defaults of a function, by the names of its parameters."""
    for expressions, place, name in places(function):
        yield name, expressions[place]


def places(function: Any) -> Iterator[tuple[list[Any], int, str]]:
    """Where the defaults of a function stand: in which list, at which place, for which parameter."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    for place, arg in enumerate(positional[len(positional) - len(given.defaults) :]):
        yield given.defaults, place, arg.arg
    for place, arg in enumerate(given.kwonlyargs):
        if given.kw_defaults[place] is not None:
            yield given.kw_defaults, place, arg.arg


@functools.lru_cache(maxsize=1024)
def bound_in(node: ast.AST) -> frozenset[str]:
    """The names that code binds, the parameters of functions included."""
    args = {part.arg for part in walked(node) if isinstance(part, ast.arg)}
    stored = (part for part in walked(node) if isinstance(part, ast.Name))
    return frozenset(args | {part.id for part in stored if not isinstance(part.ctx, ast.Load)})


def bound_to(name: str, node: Any) -> Any:
    """The expression that an assignment binds a name to: `a, b = 1, 2` and `a = b = 1` bind two."""
    match node:
        case ast.AnnAssign(ast.Name(), value=value):
            return value
        case ast.Assign(targets, value) if all(isinstance(target, ast.Name) for target in targets):
            return value
        case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values):
            pairs = zip(names, values)
            return next((v for n, v in pairs if isinstance(n, ast.Name) and n.id == name), None)
    return None

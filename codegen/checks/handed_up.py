"""Handed up: what a function of the user's checks of what it is given, whoever calls it for sure checks, so
that the entry has the checks. What callers compute, or give only on some way, the function checks itself.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from ..text.unparsing import unparsed
from ..text.walking import parts_of, walked
from .apart import (
    Functions,
    arguments,
    atoms,
    bound_before,
    changes_container,
    checks_of,
    is_implied,
    looks_inside,
    own_containers,
    put_in,
    replace,
    root,
)
from .needless import is_needless
from .repeated import checked_once, is_given

#: What code goes through some of its parts in, or none.
SOMETIMES = (
    ast.Lambda, ast.FunctionDef, ast.ClassDef, ast.Try, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp,
)  # fmt: skip
#: What is run in any case of a statement or expression that has several ways.
FIRST: dict[type[ast.AST], str] = {
    ast.If: "test", ast.IfExp: "test", ast.While: "test", ast.Assert: "test", ast.For: "iter",
}  # fmt: skip
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class Site(NamedTuple):
    """A call that a function makes whenever it is called.

    Attributes:
        given: what it gives by parameters, where that is what the caller was given, or a part of it.
    """

    call: ast.Call
    caller: ast.FunctionDef
    given: Mapping[str, ast.expr]


class Sites:
    """The calls of functions that their callers make for sure.

    Attributes:
        mentioned: how often callers mention each name.
        changing: whether one of them changes a container that it may have been given.
    """

    def __init__(self, callers: Collection[ast.FunctionDef], defs: Functions) -> None:
        self.of: dict[str, list[Site]] = {}
        self.mentioned, self.changing = Counter[str](), False
        for caller in callers:
            nodes = walked(caller)
            self.mentioned.update(node.id for node in nodes if isinstance(node, ast.Name))
            own = own_containers(caller, nodes)
            self.changing = self.changing or any(changes_container(node, own) for node in nodes)
            for site in sure_sites(caller, defs):
                self.of.setdefault(called(site.call), []).append(site)

    def goes_up(self, check: ast.stmt, name: str, function: ast.FunctionDef) -> bool:
        """Whether all callers of a function can make a check of its, or need not."""
        found = self.of.get(name, [])
        if not found or self.mentioned[name] != len(found) or self.changing and looks_inside(check):
            return False
        return all(goes_up(check, function, site) for site in found)

    def hand_up(self, checks: Sequence[ast.stmt], name: str, function: ast.FunctionDef) -> list[ast.stmt]:
        """Let callers make some checks of a function; those that they make now."""
        replace(function, [check for check in checks_of(function) if check not in checks])
        gained: list[ast.stmt] = []
        for check in checks:
            for site in self.of.get(name, ()):
                gained += take_over(check, function, site)
        return gained


def hand_up(entry: ast.FunctionDef, defs: Functions) -> list[ast.stmt]:
    """Let callers make the checks of the functions that they call for sure; those that they make now."""
    sites = Sites((entry, *defs.values()), defs)
    gained: list[ast.stmt] = []
    for name, function in defs.items():  # those that are called come before those that call them
        checks = [check for check in checks_of(function) if sites.goes_up(check, name, function)]
        gained += sites.hand_up(checks, name, function)
    return gained


def called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def sure_sites(caller: ast.FunctionDef, defs: Functions) -> Iterator[Site]:
    """The calls of functions that a function makes whenever it is called."""
    sure: list[ast.Call] = []
    first, count = getattr(caller, "checks", (0, 0))
    for statement in caller.body[first + count :]:
        sure += [call for call in run_by(statement) if called(call) in defs]
        if any(isinstance(node, LEAVING) for node in walked(statement)):
            break
    if not sure:
        return
    statements = [(each, walked(each)) for each in caller.body]
    bound = bound_before(statements, {id(call) for call in sure})
    for call in sure:
        yield Site(call, caller, arguments(call, defs[called(call)], caller, bound[id(call)]))


def run_by(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that code makes whichever way it takes."""
    if isinstance(node, SOMETIMES):
        return
    if isinstance(node, ast.Call):
        yield node
    parts: Sequence[ast.AST] = [*parts_of(node)]
    if type(node) in FIRST:
        parts = [getattr(node, FIRST[type(node)])]
    elif isinstance(node, ast.BoolOp):
        parts = node.values[:1]
    elif isinstance(node, ast.Compare):
        parts = [node.left, node.comparators[0]]
    for part in parts:
        yield from run_by(part)


def goes_up(check: ast.stmt, function: ast.FunctionDef, site: Site) -> bool:
    """Whether a caller can make a check of a function's, of what it gives, or need not."""
    if is_needless(check, function, site.call, site.caller):
        return True
    own = {arg.arg for arg in walked(function.args) if isinstance(arg, ast.arg)}
    names = [node for node in walked(check) if isinstance(node, ast.Name)]
    read = {node.id for node in names} & own
    within = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    if not read <= site.given.keys() or within & {root(site.given[name]) for name in read}:
        return False
    if not any(is_shape(part) for name in read for part in walked(site.given[name])):
        return True
    return holds_of_shape(put_in(check, site.given), said_by(site.caller))


def take_over(check: ast.stmt, function: ast.FunctionDef, site: Site) -> list[ast.stmt]:
    """Let a caller make a check of a function's, where it does not yet; those that it makes now."""
    known = said_by(site.caller)
    made = put_in(check, site.given)
    needless = is_needless(check, function, site.call, site.caller) or holds_of_shape(made, known)
    if needless or all(atom in known or is_implied(atom, known) for atom in atoms(made)):
        return []
    checks = checked_once(checks_of(site.caller), [made])
    first = is_given(made) in {arg.arg for arg in walked(site.caller.args) if isinstance(arg, ast.arg)}
    replace(site.caller, [made, *(each for each in checks if each is not made)] if first else checks)
    return [made]


def said_by(function: ast.FunctionDef) -> set[str]:
    return {atom for check in checks_of(function) for atom in atoms(check)}


def holds_of_shape(check: ast.stmt, known: Collection[str]) -> bool:
    """Whether a check asks of the shape of an array what holds of each, or how many axes there are, which is
    known.
    """
    match check.test if isinstance(check, ast.Assert) else None:
        case ast.Compare(ast.Call(ast.Name("len"), [shape]), [ast.Eq()], [ast.Constant(int() as axes)]):
            return f"{array_of(shape)}.ndim == {axes}" in known
        case ast.Compare(ast.Call(ast.Name("type"), [size]), [ast.Is()], [ast.Name("int")]):
            array = array_of(size.value) if isinstance(size, ast.Subscript) else ""
            return any(atom.startswith(f"{array}.ndim == ") for atom in known)
    return False


def is_shape(part: ast.AST) -> TypeGuard[ast.Attribute]:
    """Whether it may be the shape of an array."""
    return isinstance(part, ast.Attribute) and part.attr == "shape"


def array_of(shape: ast.expr) -> str:
    """The array whose shape it may be; "" for what is none."""
    return unparsed(shape.value) if is_shape(shape) else ""

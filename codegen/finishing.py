"""Finishing: the functions of a file, once all of them are emitted: loops as the user has them, items and
containers under his names, one function for its versions, and what he wrote beside his statements.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

from ..ir.graphs.graph import Graph
from .checks.apart import checks_of, replace
from .checks.handed_up import Sites
from .statements.constants.definitions import defaults
from .statements.constants.local_constants import put_constants
from .statements.control.assigned_once import assign_once
from .statements.turns.rolled import roll
from .statements.turns.versions import Version, holds, merged
from .statements.written.asserts import keep_asserts
from .statements.written.choosing import choose_in_one
from .statements.written.named_displays import name_displays
from .statements.written.named_items import name_items
from .statements.written.named_turns import name_turns
from .statements.written.raises import keep_raises
from .statements.written.remarks import defined, remark
from .statements.written.returned import return_behind
from .statements.written.stated import leave_stated
from .statements.written.targets import join_targets
from .text.walking import Transformer, dumped, walked

if TYPE_CHECKING:
    from .module import Module

Functions = dict[str, ast.FunctionDef]


def finish(module: Module, entry: ast.FunctionDef) -> None:
    """Finish the entry of a file and the functions that are called, those first that others call."""
    left, calls = dict(module.defs), Instead()
    found: Functions = {}
    for group in groups(left):
        for name in group:
            calls.visit(left[name])
            shape(module, left[name])
        callers = {**left, "": entry}
        members = same(module, {name: left[name] for name in group}, callers)
        joined = joint(module, members, calls, callers)
        made = members if joined is None else joined
        left, found = left | made, found | made
    calls.visit(entry)
    shape(module, entry)
    module.defs = found
    for function in (entry, *found.values()):
        if graphs := graphs_of(function):
            own, taken = defined(graphs[0]), function.emitter.names.taken  # type: ignore[attr-defined]
            keep_asserts(function, own)
            keep_raises(function, own, graphs[0])
            if own is not None:
                put_constants(function, own, module.readings, taken)
                join_targets(function, own)
            return_behind(function)
            choose_in_one(function)
            remark(graphs[0], function)


def shape(module: Module, function: Any) -> None:
    """Let a function have the user's loops and names."""
    if not (graphs := graphs_of(function)):  # what an op means
        return
    own, taken = defined(graphs[0]), function.emitter.names.taken
    roll(function, graphs[0], function.emitter)
    name_items(function, own, taken)
    name_turns(function, taken)
    leave_stated(function)
    assign_once(function)
    name_displays(function, own, taken)


def groups(defs: Functions) -> Iterator[list[str]]:
    """The names of functions, those together that are of one function of the user's, after all that they
    call.
    """
    of: dict[str, Any] = {}
    for name, function in defs.items():
        graphs = graphs_of(function)
        of[name] = graphs[0].meta.get("defined") or name if graphs else name
    members: dict[Any, list[str]] = {}
    for name, group in of.items():
        members.setdefault(group, []).append(name)
    done = set[Any]()

    def visit(group: Any) -> Iterator[list[str]]:
        done.add(group)
        for name in members[group]:
            for node in walked(defs[name]):
                if isinstance(node, ast.Name) and node.id in of and of[node.id] not in done:
                    yield from visit(of[node.id])
        yield members[group]

    for group in members:
        if group not in done:
            yield from visit(group)


def same(module: Module, members: Functions, callers: Functions) -> Functions:
    """Functions without those that are as others are but for their checks, which callers make instead, or
    where these cannot the others, if they hold in the example.
    """
    left: Functions = {}
    known: dict[Hashable, str] = {}
    for name, function in members.items():
        text = dumped(ast.FunctionDef("", function.args, function.body[sum(counted(function)) :], [], None))
        other = known.setdefault(text, name)
        if other == name or not joins(module, name, other, members, callers):
            left[name] = function
            continue
        graphs_of(left[other]).extend(graphs_of(function))
        for node in (node for caller in callers.values() for node in walked(caller)):
            if isinstance(node, ast.Name) and node.id == name:
                node.id = other
    return left


def joins(module: Module, name: str, other: str, members: Functions, callers: Functions) -> bool:
    """Let one function check what another does, as far as callers do not, if it can stand for that."""
    mine, theirs = ([*checks_of(members[each])] for each in (name, other))
    apart = {name: without(mine, theirs), other: without(theirs, mine)}
    if handed_up(module, apart, members, callers):
        return True
    graphs = [*graphs_of(members[name]), *graphs_of(members[other])]
    if not all(holds(check, graphs) for checks in apart.values() for check in checks):
        return False
    replace(members[other], [*theirs, *apart[name]])
    return True


def without(checks: list[ast.stmt], others: list[ast.stmt]) -> list[ast.stmt]:
    """The checks that are not among others."""
    known = {*map(dumped, others)}
    return [check for check in checks if dumped(check) not in known]


def graphs_of(function: Any) -> list[Graph]:
    """The graphs that a function is printed of; none for one that says what an op means."""
    return getattr(function, "graphs", [])


def handed_up(
    module: Module, checks: dict[str, list[ast.stmt]], members: Functions, callers: Functions
) -> bool:
    """Let callers make some checks of functions, if they can make all of these. Returns whether they do."""
    sites = Sites([*callers.values()], callers)
    if not all(sites.goes_up(check, name, members[name]) for name, each in checks.items() for check in each):
        return False
    for name, each in checks.items():
        module.checks += sites.hand_up(each, name, members[name])
    return True


def counted(function: Any) -> tuple[int, int]:
    """Where the checks of a function begin, and how many there are."""
    found: tuple[int, int] = getattr(function, "checks", (0, 0))
    return found


def joint(module: Module, members: Functions, calls: Instead, callers: Functions) -> Functions | None:
    """One function in the place of several; None where there is none.

    Args:
        callers: those that may call them, by their names.
    """
    if len(members) < 2 or not all(map(graphs_of, members.values())):
        return None
    every = [*callers.values()]
    if any(node.id in members for f in members.values() for node in walked(f) if isinstance(node, ast.Name)):
        return None  # it calls itself
    given: dict[str, list[Any]] = {name: [] for name in members}
    for call in (call for function in every for call in calls_of(function)):
        given.get(call.func.id, []).append(call)
    if not all(hasattr(call, "baked") for calls_ in given.values() for call in calls_):
        return None  # a check calls it, which says what it is given
    versions = [Version(name, f, graphs_of(f), baked(given[name])) for name, f in members.items()]
    own = defined(versions[0].graphs[0])
    if own is None or (made := merged(versions, own, numbers=module.target.own_numbers)) is None:
        return None
    made.graphs = [graph for version in versions for graph in version.graphs]  # type: ignore[attr-defined]
    wanted = [arg.arg for arg in made.args.args]
    for name, function in members.items():
        left = {*wanted} - {arg.arg for arg in function.args.args}
        if not all(left <= call.baked.keys() for call in given[name]):
            return None
    own_checks = [*checks_of(made)]
    apart = {v.name: without([*checks_of(v.made)], own_checks) for v in versions}
    if not handed_up(module, apart, members, callers):
        return None
    for name, function in members.items():
        mine = [arg.arg for arg in function.args.args]
        calls.made[name] = versions[0].name, mine, wanted, dict(defaults(own.node)).keys()
    return {versions[0].name: made}


def calls_of(function: ast.FunctionDef) -> Iterator[Any]:
    return (n for n in walked(function) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))


def baked(calls: list[Any]) -> dict[str, Any]:
    """What Python knew of the parameters of a function in all its calls."""
    every = [{name: (type(v), v) for name, v in call.baked.items()} for call in calls]
    counts = Counter(pair for each in every for pair in each.items())
    return {name: value for (name, (_, value)), count in counts.items() if count == len(every)}


class Instead(Transformer):
    """Calls functions in the place of those that are not printed.

    Attributes:
        made: those that are called in the place of their versions, with the parameters of these, theirs, and
            those of theirs that the user need not give.
    """

    def __init__(self) -> None:
        self.made: dict[str, tuple[str, list[str], list[str], Set[str]]] = {}

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.made and hasattr(node, "baked"):
            node.func.id, mine, wanted, optional = self.made[node.func.id]
            given: Mapping[str, ast.expr] = dict(zip(mine, node.args))
            node.args, node.keywords = [], []
            for name in wanted:
                if name in given and not node.keywords:
                    node.args.append(given[name])
                elif name in given or name in optional:
                    value = given[name] if name in given else ast.Constant(node.baked[name])
                    node.keywords.append(ast.keyword(name, value))
                else:
                    node.args.append(ast.Constant(node.baked[name]))
            del node.baked
        return node

"""Exits: how code of the user's leaves the function of ours that it was moved into.

That returns an Exit and what goes with it: the value returned after RETURNED, else the values of variables.
What leaves several functions is handed on as it is, so that who runs them may put anything in its place. Only
in a loop that Python runs do values become variables again on the way, before its own `break`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from .runtime import Exit
from .template import Template, variable
from .walk import Walk

LEAVING = Template("HOOKS.returned(VALUE)")
RETURNED = Template("return RUNTIME.RETURNED, VALUE")
LEFT = {
    Exit.FELL: Template("return RUNTIME.FELL, (*VALUES,)"),
    Exit.BROKE: Template("return RUNTIME.BROKE, (*VALUES,)"),
    Exit.CONTINUED: Template("return RUNTIME.CONTINUED, (*VALUES,)"),
}
#: Those of a loop that Python runs.
PYTHONS = {
    Exit.BROKE: Template("return RUNTIME.BROKE, HOOKS.jumps((*VALUES,), WHY)"),
    Exit.CONTINUED: Template("return RUNTIME.CONTINUED, HOOKS.jumps((*VALUES,), WHY)"),
}
ON = {
    Exit.RETURNED: Template("if exit is RUNTIME.RETURNED: LEAVE"),
    Exit.BROKE: Template("if exit is RUNTIME.BROKE: LEAVE"),
    Exit.CONTINUED: Template("if exit is RUNTIME.CONTINUED: LEAVE"),
}
HAND_ON = Template("return exit, values")
PEEK = Template("RUNTIME.peek(lambda *thunk: VARIABLE)")


def return_(node: ast.Return, walk: Walk) -> list[ast.stmt]:
    value = None if node.value is None else LEAVING(node.value, VALUE=walk.value(node.value))
    if walk.exits is None:
        return [ast.copy_location(ast.Return(value), node)]
    walk.exits.add(Exit.RETURNED)
    return RETURNED.lines(node, VALUE=value)


def break_(node: ast.Break, walk: Walk) -> list[ast.stmt]:
    return _leaving_loop(node, walk, Exit.BROKE)


def continue_(node: ast.Continue, walk: Walk) -> list[ast.stmt]:
    return _leaving_loop(node, walk, Exit.CONTINUED)


def _leaving_loop(at: ast.AST, walk: Walk, exit: Exit) -> list[ast.stmt]:
    if walk.way is None:
        return [ast.copy_location(ast.Break() if exit is Exit.BROKE else ast.Continue(), at)]
    assert walk.exits is not None
    walk.exits.add(exit)
    sure = walk.way.sure
    if sure is None:
        assert walk.statement is not None
        sure = walk.scope.at_hand(walk.statement)
    if walk.way.is_loops:
        return leaving(at, exit, walk.way.names, sure)
    return PYTHONS[exit].lines(at, WHY=walk.stays, VALUES=values(at, walk.way.names, sure))


def leaving(at: ast.AST, exit: Exit, names: Sequence[str], sure: frozenset[str]) -> list[ast.stmt]:
    """Statements that leave a function of ours with the values of `names`."""
    return LEFT[exit].lines(at, VALUES=values(at, names, sure))


def values(at: ast.AST, names: Iterable[str], sure: frozenset[str]) -> list[ast.expr]:
    """Variables as values: UNDEFINED where one may have none and has none."""
    read = [ast.copy_location(ast.Name(name, ast.Load()), at) for name in names]
    return [node if node.id in sure else PEEK(at, VARIABLE=node) for node in read]


def handing_on(at: ast.AST, walk: Walk, exits: set[Exit]) -> list[ast.stmt]:
    """Statements for the exits of a construct that leave what is around it, its values untouched."""
    made: list[ast.stmt] = []
    for exit in ON:
        if exit not in exits or not _hands_on(walk, exit):
            continue
        if walk.exits is None:
            way: list[ast.stmt] = [ast.copy_location(ast.Return(variable("values", at)), at)]
        else:
            walk.exits.add(exit)
            way = HAND_ON.lines(at)
        made += ON[exit].lines(at, LEAVE=way)
    return made


def going_on(at: ast.AST, walk: Walk, exits: set[Exit]) -> list[ast.stmt]:
    """Statements for the others, after its values have become variables."""
    made: list[ast.stmt] = []
    for exit in ON:
        if exit in exits and not _hands_on(walk, exit):
            made += ON[exit].lines(at, LEAVE=_leaving_loop(at, walk, exit))
    return made


def _hands_on(walk: Walk, exit: Exit) -> bool:
    return exit is Exit.RETURNED or (walk.way is not None and walk.way.is_loops)

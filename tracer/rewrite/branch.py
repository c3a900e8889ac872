"""`if`: a test that may be recorded takes its branches as functions.

A branch takes the variables it may change, and returns how it was left and those of them still wanted after.
The code that follows runs by that: `return`, `break`, `continue` keep their meaning, which a flag would lose.
Where a branch cannot become a function, see region.py, the `if` stays one.
"""

from __future__ import annotations

import ast

from . import region
from .attempt import Fails
from .moving import Moving
from .template import Template
from .walk import Walk

IF = Template("""
    def then(STATE):
        THEN

    def orelse(STATE):
        ORELSE

    exit, values = HOOKS.if_(TEST, then, orelse, (*BEFORE,), (*NAMES,))
    HANDING_ON
    (*AFTER,) = values
    FORGETTING
    del then, orelse, values
    GOING_ON
""")


def if_(node: ast.If, walk: Walk) -> list[ast.stmt]:
    found = "its test is a constant" if isinstance(node.test, ast.Constant) else region.find(node, walk)
    if isinstance(found, str) and isinstance(node.test, Fails):
        return walk.block(node.orelse)
    if isinstance(found, str):
        made = ast.If(walk.truth(node.test, found, node), walk.block(node.body), walk.block(node.orelse))
        return [ast.copy_location(made, node)]
    moving = Moving(found, walk, node.test)
    then, orelse = moving.branch(node.body), moving.branch(node.orelse)
    return IF.lines(
        node.test,
        TEST=walk.test(node.test, node),
        STATE=moving.parameters(),
        THEN=then,
        ORELSE=orelse,
        **moving.around(),
    )

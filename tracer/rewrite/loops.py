"""`for` and `while`: each turn is a call of a function that takes, and returns, what the next turn wants.

Where the code cannot move, see region.py, Python loops; hooks see what it loops over, and each test.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from . import region
from .assign import DROP_ITEM, received, store
from .moving import Moving
from .template import Template
from .walk import Walk

ITER = Template("HOOKS.iter_(VALUE)")
FOR = Template("""
    def body(item, STATE):
        BODY

    ORELSE
    exit, values = HOOKS.for_(ITERABLE, body, orelse, (*BEFORE,), (*NAMES,))
    HANDING_ON
    (*AFTER,) = values
    FORGETTING
    del body, orelse, values
    GOING_ON
""")
WHILE = Template("""
    TEST

    def body(STATE):
        BODY

    ORELSE
    exit, values = HOOKS.while_(test, body, orelse, (*BEFORE,), (*NAMES,))
    HANDING_ON
    (*AFTER,) = values
    FORGETTING
    del test, body, orelse, values
    GOING_ON
""")
TEST = Template("""
    def test(STATE):
        TAKING
        return VALUE
""")
NO_TEST = Template("test = None")
ORELSE = Template("""
    def orelse(STATE):
        BODY
""")
NO_ORELSE = Template("orelse = None")


def for_(node: ast.For, walk: Walk) -> list[ast.stmt]:
    found = region.find(node, walk)
    if isinstance(found, str):
        stored, stores = received(node.target, walk)
        iterated = ITER(node.iter, VALUE=walk.value(node.iter))
        body = stores + replace(walk, way=None, stays=found).block(node.body)
        return [ast.copy_location(ast.For(stored, iterated, body, walk.block(node.orelse)), node)]
    moving = Moving(found, walk, node.iter)

    def turn(inner: Walk) -> list[ast.stmt]:
        stores = [*store(node.target, "item", inner), *DROP_ITEM.lines(node.target)]
        return stores + inner.block(node.body)

    return FOR.lines(
        node.iter,
        STATE=moving.parameters(),
        BODY=moving.turn(turn),
        ORELSE=_orelse(moving, node.orelse),
        ITERABLE=walk.value(node.iter),
        **moving.around(),
    )


def while_(node: ast.While, walk: Walk) -> list[ast.stmt]:
    never = isinstance(node.test, ast.Constant) and not node.test.value
    found = "it never runs" if never else region.find(node, walk)
    if isinstance(found, str):
        body = replace(walk, way=None, stays=found).block(node.body)
        made = ast.While(walk.truth(node.test, found), body, walk.block(node.orelse))
        return [ast.copy_location(made, node)]
    moving = Moving(found, walk, node.test)
    return WHILE.lines(
        node.test,
        TEST=_test(moving, node.test),
        STATE=moving.parameters(),
        BODY=moving.turn(lambda inner: inner.block(node.body)),
        ORELSE=_orelse(moving, node.orelse),
        **moving.around(),
    )


def _test(moving: Moving, node: ast.expr) -> list[ast.stmt]:
    """The function that gives what is tested; None for a loop that goes on until it is left."""
    if isinstance(node, ast.Constant):
        return NO_TEST.lines(node)
    value = moving.inside().test(node)
    return TEST.lines(node, STATE=moving.parameters(), TAKING=moving.taking(), VALUE=value)


def _orelse(moving: Moving, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    if not statements:
        return NO_ORELSE.lines(moving.at)
    return ORELSE.lines(moving.at, STATE=moving.parameters(), BODY=moving.branch(statements))

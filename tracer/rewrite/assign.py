"""Assignments: what is stored into anything but a plain name is seen by a hook, and so is unpacking.

Python evaluates the value first, then each target from left to right, then stores. A value that has to wait
for its target waits in a variable of ours. A class body has no room for one: there such targets are Python's.
"""

from __future__ import annotations

import ast

from .access import index
from .names import mangled
from .operators import ARITHMETIC
from .template import Template, variable
from .walk import ClassScope, Walk

HOLD = Template("value = VALUE")
DROP = Template("del value")
DROP_ITEM = Template("del item")
UNPACK = Template("HOOKS.unpack(VALUE, COUNT, STAR)")
SETATTR = Template("HOOKS.setattr_(OBJECT, NAME, VALUE)")
SETITEM = Template("HOOKS.setitem(OBJECT, INDEX, VALUE)")

INPLACE = Template("HOOKS.inplace(OP, LEFT, RIGHT)")
GET_HELD_ATTRIBUTE = Template("HOOKS.getattr_(base, NAME)")
GET_HELD_ITEM = Template("HOOKS.getitem(base, index)")
UPDATE_ATTRIBUTE = Template("""
    base = OBJECT
    HOOKS.setattr_(base, NAME, NEW)
    del base
""")
UPDATE_ITEM = Template("""
    base, index = OBJECT, INDEX
    HOOKS.setitem(base, index, NEW)
    del base, index
""")


def assign(node: ast.Assign, walk: Walk) -> list[ast.stmt]:
    idle = walk.scope.idle
    value = walk.look(node.value) if idle is not None and idle.stores(node) else walk.value(node.value)
    match node.targets:
        case [ast.Tuple() | ast.List() as target] if is_flat(target):
            return [ast.copy_location(ast.Assign([target], unpacked(target, value)), node)]
        case targets if all(_is_pythons(target, walk) for target in targets):
            return [ast.copy_location(ast.Assign([walk.parts(target) for target in targets], value), node)]
        case targets:
            stores = [made for target in targets for made in store(target, "value", walk)]
            return [*HOLD.lines(node, VALUE=value), *stores, *DROP.lines(node)]


def expression(node: ast.Expr, walk: Walk) -> list[ast.stmt]:
    """An expression of which nothing is made."""
    idle = walk.scope.idle
    if isinstance(node.value, ast.Constant):
        return [node]
    value = walk.look(node.value) if idle is not None and idle.stores(node) else walk.value(node.value)
    return [ast.copy_location(ast.Expr(value), node)]


def annotated(node: ast.AnnAssign, walk: Walk) -> list[ast.stmt]:
    """The annotation stays as it is: it is no part of what a function computes.

    A variable of the user's that a function of ours shares may bear none.
    """
    if isinstance(node.target, ast.Name) and node.target.id in walk.scope.locals - walk.here:
        if node.value is None:
            return [ast.copy_location(ast.Pass(), node)]
        return assign(_unannotated(node, node.value), walk)
    if node.value is not None and not _is_pythons(node.target, walk):
        return assign(_unannotated(node, node.value), walk)
    value = node.value and walk.value(node.value)
    made = ast.AnnAssign(walk.parts(node.target), node.annotation, value, node.simple)
    return [ast.copy_location(made, node)]


def _unannotated(node: ast.AnnAssign, value: ast.expr) -> ast.Assign:
    return ast.copy_location(ast.Assign([node.target], value), node)


def _is_pythons(target: ast.expr, walk: Walk) -> bool:
    """Whether Python stores into `target` with no hook."""
    return isinstance(target, ast.Name) or isinstance(walk.scope, ClassScope)


def received(target: ast.expr, walk: Walk) -> tuple[ast.expr, list[ast.stmt]]:
    """What Python stores into where a `for` or `with` of its own has `target`, and how that is handed on."""
    if _is_pythons(target, walk):
        return walk.parts(target), []
    return variable("item", target, ast.Store()), [*store(target, "item", walk), *DROP_ITEM.lines(target)]


def store(target: ast.expr, held: str, walk: Walk) -> list[ast.stmt]:
    """Statements that store our variable `held` into `target`."""
    value = variable(held, target)
    match target:
        case ast.Starred():
            return store(target.value, held, walk)
        case ast.Attribute():
            name = mangled(target.attr, walk.scope.private)
            base = walk.value(target.value)
            made = SETATTR(target, attribute=target, OBJECT=base, NAME=name, VALUE=value)
            return [ast.copy_location(ast.Expr(made), target)]
        case ast.Subscript():
            base = walk.value(target.value)
            made = SETITEM(target, OBJECT=base, INDEX=index(target.slice, walk), VALUE=value)
            return [ast.copy_location(ast.Expr(made), target)]
        case ast.Tuple() | ast.List():
            return _store_several(target, held, walk)
        case _:
            return [ast.copy_location(ast.Assign([target], value), target)]


def _store_several(target: ast.Tuple | ast.List, held: str, walk: Walk) -> list[ast.stmt]:
    value = unpacked(target, variable(held, target))
    if is_flat(target):
        return [ast.copy_location(ast.Assign([target], value), target)]
    holders = [f"{held}.{place}" for place in range(len(target.elts))]
    flat = flattened(target, holders)
    made: list[ast.stmt] = [ast.copy_location(ast.Assign([flat], value), target)]
    for item, holder in zip(target.elts, holders, strict=True):
        made += store(item, holder, walk)
    drop = ast.Delete([variable(holder, target, ast.Del()) for holder in holders])
    return [*made, ast.copy_location(drop, target)]


def flattened(target: ast.Tuple | ast.List, holders: list[str]) -> ast.expr:
    """`target` with variables of ours for its items, starred where they are."""
    items: list[ast.expr] = []
    for item, holder in zip(target.elts, holders, strict=True):
        made: ast.expr = variable(holder, item, ast.Store())
        if isinstance(item, ast.Starred):
            made = ast.copy_location(ast.Starred(made, ast.Store()), item)
        items.append(made)
    return ast.copy_location(ast.Tuple(items, ast.Store()), target)


def unpacked(target: ast.Tuple | ast.List, value: ast.expr) -> ast.expr:
    """What Python shall unpack into `target`: `value`, seen by a hook."""
    stars = [place for place, item in enumerate(target.elts) if isinstance(item, ast.Starred)]
    return UNPACK(target, VALUE=value, COUNT=len(target.elts), STAR=stars[0] if stars else None)


def is_flat(target: ast.Tuple | ast.List) -> bool:
    items = (item.value if isinstance(item, ast.Starred) else item for item in target.elts)
    return all(isinstance(item, ast.Name) for item in items)


def augmented(node: ast.AugAssign, walk: Walk) -> list[ast.stmt]:
    """Base and index are evaluated once, the old value is read before the right-hand side is."""
    target = node.target
    op = f"i{ARITHMETIC[type(node.op)].rstrip('_')}"
    right = walk.value(node.value)
    if isinstance(target, ast.Name):
        old: ast.expr = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        new = INPLACE(node, OP=op, LEFT=walk.value(old), RIGHT=right)
        return [ast.copy_location(ast.Assign([target], new), node)]
    if isinstance(walk.scope, ClassScope):
        return [walk.parts(node)]
    base = walk.value(target.value)
    if isinstance(target, ast.Attribute):
        name = mangled(target.attr, walk.scope.private)
        old = GET_HELD_ATTRIBUTE(target, attribute=target, NAME=name)
        new = INPLACE(node, OP=op, LEFT=old, RIGHT=right)
        return UPDATE_ATTRIBUTE.lines(node, attribute=target, OBJECT=base, NAME=name, NEW=new)
    old = GET_HELD_ITEM(target)
    new = INPLACE(node, OP=op, LEFT=old, RIGHT=right)
    return UPDATE_ITEM.lines(node, OBJECT=base, INDEX=index(target.slice, walk), NEW=new)

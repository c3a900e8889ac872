"""`for`, `while`, `with` and comprehensions: Python runs them, hooks see what is looped over and each test.

A target that is not a plain name takes its value from a variable of ours, so that unpacking is seen.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from . import names
from .assign import flattened, is_flat, store, unpacked
from .template import Template, variable
from .walk import ClassScope, Scope, Walk

ITER = Template("HOOKS.iter_(VALUE)")
DROP_ITEM = Template("del item")


def for_(node: ast.For, walk: Walk) -> list[ast.stmt]:
    target, stores = _target(node.target, walk)
    iterated = ITER(node.iter, VALUE=walk.value(node.iter))
    body = stores + replace(walk, on_loop=None).block(node.body)
    return [ast.copy_location(ast.For(target, iterated, body, walk.block(node.orelse)), node)]


def while_(node: ast.While, walk: Walk) -> list[ast.stmt]:
    body = replace(walk, on_loop=None).block(node.body)
    return [ast.copy_location(ast.While(walk.truth(node.test), body, walk.block(node.orelse)), node)]


def with_(node: ast.With, walk: Walk) -> list[ast.stmt]:
    """Several managers are one inside the other, as Python has them."""
    item, *rest = node.items
    manager = walk.value(item.context_expr)
    target, stores = (None, []) if item.optional_vars is None else _target(item.optional_vars, walk)
    inner = with_(ast.copy_location(ast.With(rest, node.body), node), walk) if rest else walk.block(node.body)
    return [ast.copy_location(ast.With([ast.withitem(manager, target)], stores + inner), node)]


def _target(target: ast.expr, walk: Walk) -> tuple[ast.expr, list[ast.stmt]]:
    """What Python stores into, and the statements that hand it on to `target`."""
    if isinstance(target, ast.Name) or isinstance(walk.scope, ClassScope):
        return walk.parts(target), []
    return variable("item", target, ast.Store()), [*store(target, "item", walk), *DROP_ITEM.lines(target)]


def comprehension(node: names.Comprehension, walk: Walk) -> ast.expr:
    if any(generator.is_async for generator in node.generators):
        return node
    targets = names.Names(*(generator.target for generator in node.generators)).binds
    scope = Scope(targets, private=walk.scope.private)
    inner = Walk(walk.rules, scope, here=scope.locals)
    generators: list[ast.comprehension] = []
    for generator in node.generators:
        generators += _generator(generator, inner, inner if generators else walk)
    if isinstance(node, ast.DictComp):
        made: ast.expr = ast.DictComp(inner.value(node.key), inner.value(node.value), generators)
    else:
        made = type(node)(inner.value(node.elt), generators)
    return ast.copy_location(made, node)


def _generator(node: ast.comprehension, inner: Walk, outer: Walk) -> list[ast.comprehension]:
    """`for (a, b) in xs` is `for item in xs for a, b in [item]`, which Python runs as an assignment."""
    iterated = ITER(node.iter, VALUE=outer.value(node.iter))
    target = node.target
    if isinstance(target, ast.Tuple | ast.List) and not _evaluates(target):
        item = variable("item", target, ast.Store())
        made = [ast.comprehension(item, iterated, [], 0), *_unpack(target, "item")]
    else:
        made = [ast.comprehension(inner.parts(target), iterated, [], 0)]
    made[-1].ifs = [inner.truth(test) for test in node.ifs]
    return made


def _evaluates(target: ast.expr) -> bool:
    return any(isinstance(part, ast.Attribute | ast.Subscript) for part in ast.walk(target))


def _unpack(target: ast.Tuple | ast.List, held: str) -> list[ast.comprehension]:
    value = unpacked(target, variable(held, target))
    if is_flat(target):
        return [_once(target, value)]
    holders = [f"{held}.{place}" for place in range(len(target.elts))]
    made = [_once(flattened(target, holders), value)]
    for item, holder in zip(target.elts, holders, strict=True):
        inner = item.value if isinstance(item, ast.Starred) else item
        if isinstance(inner, ast.Tuple | ast.List):
            made += _unpack(inner, holder)
        else:
            made.append(_once(inner, variable(holder, inner)))
    return made


def _once(target: ast.expr, value: ast.expr) -> ast.comprehension:
    several = ast.copy_location(ast.List([value], ast.Load()), value)
    return ast.comprehension(target, several, [], 0)

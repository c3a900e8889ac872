"""Comprehensions: Python runs them, hooks see what is looped over and each test.

One that makes one item for each of one thing may be recorded as a loop: what it makes of some of them is a
function of ours.
"""

from __future__ import annotations

import ast
import sys

from . import names
from .assign import flattened, is_flat, unpacked
from .runtime import FRAME_READERS
from .template import Template, variable
from .walk import Scope, Walk

ITER = Template("HOOKS.iter_(VALUE)")
APART = Template("(lambda items: COMPREHENSION)(ITEMS)")
COLLECT = Template("HOOKS.collect(ITEMS, lambda items: COMPREHENSION, (*NAMES,))")
GENERATE = Template("HOOKS.generate(ITEMS, lambda items: COMPREHENSION, (*NAMES,))")


def comprehension(node: names.Comprehension, walk: Walk) -> ast.expr:
    if any(generator.is_async for generator in node.generators):
        return node
    targets = names.Names(*(generator.target for generator in node.generators)).binds
    scope = Scope(targets, private=walk.scope.private)
    scope.used = walk.scope.used | names.Names(*names.within(node)).used
    inner = Walk(walk.rules, scope, here=scope.locals)
    generators: list[ast.comprehension] = []
    for generator in node.generators:
        generators += _generator(generator, inner, inner if generators else walk)
    collects = _makes_one_of_each(node)
    items = generators[0].iter
    if collects and isinstance(items, ast.Call):
        (items,) = items.args  # the hook goes through them
    apart = collects or not walk.scope.used.isdisjoint(targets) and _may_stand_apart(node)
    if apart:
        generators[0].iter = variable("items", node)
    if isinstance(node, ast.DictComp):
        made: ast.expr = ast.DictComp(inner.value(node.key), inner.value(node.value), generators)
    else:
        made = type(node)(inner.value(node.elt), generators)
    ast.copy_location(made, node)
    if collects:
        called = [ast.copy_location(ast.Constant(name), node) for name in _called(node.generators[0].target)]
        template = GENERATE if isinstance(node, ast.GeneratorExp) else COLLECT
        return template(node, COMPREHENSION=made, ITEMS=items, NAMES=called)
    return APART(node, COMPREHENSION=made, ITEMS=items) if apart else made


def _makes_one_of_each(node: names.Comprehension) -> bool:
    """Whether a comprehension makes one item for each of one thing, in order, and binds nothing else."""
    first, *others = node.generators
    if not isinstance(node, ast.ListComp | ast.GeneratorExp) or others or first.ifs:
        return False
    waits = any(isinstance(part, ast.Await) for part in ast.walk(node))
    reads = names.Names(*names.within(node)).used  # what looks at its frame finds another one in a function
    if not FRAME_READERS.keys().isdisjoint(reads):
        return False
    return not waits and not names.assigns(node) and not _evaluates(first.target)


def _called(target: ast.expr) -> list[str]:
    """The names that a target binds, in order."""
    return [part.id for part in _flat(target)]


def _flat(target: ast.expr) -> list[ast.Name]:
    if isinstance(target, ast.Name):
        return [target]
    inner = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    return [part for each in inner for part in _flat(each)]


def _may_stand_apart(node: names.Comprehension) -> bool:
    """Whether a comprehension with a target that is a name of a variable too may have a function of its own.

    Since 3.12 it has the frame around it, and CPython (3.12.1, 3.13.0) takes such a target for the variable
    where that is handed through the frame, to a function inside it: there the variable is found empty.
    """
    return sys.version_info >= (3, 12) and not isinstance(node, ast.GeneratorExp) and not names.assigns(node)


def _generator(node: ast.comprehension, inner: Walk, outer: Walk) -> list[ast.comprehension]:
    """`for (a, b) in xs` is `for item in xs for a, b in [item]`, which Python runs as an assignment."""
    iterated = ITER(node.iter, VALUE=outer.value(node.iter))
    target = node.target
    if isinstance(target, ast.Tuple | ast.List) and not _evaluates(target):
        item = variable("item", target, ast.Store())
        made = [ast.comprehension(item, iterated, [], 0), *_unpack(target, "item")]
    else:
        made = [ast.comprehension(inner.parts(target), iterated, [], 0)]
    made[-1].ifs = [inner.truth(test, "how many items it keeps depends on the data") for test in node.ifs]
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

"""Region: code that would move into functions of ours, and what the flow says of its variables.

Law: code moves only where nobody can tell, and where who runs it can know all that it changes; `find` says
what stands in the way. A variable that others than the code itself may look at while it runs (a closure,
a handler around it) stays where it is, and the function that changes it declares it nonlocal.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from . import names
from .runtime import FRAME_READERS, VARIABLE_READERS
from .walk import Walk

Movable: TypeAlias = ast.If | ast.For | ast.While

#: Functions of ours one inside the other; a chain of many `elif` would cost the compiler, and Python's stack.
DEEPEST = 20


def parts(node: Movable) -> list[ast.AST]:
    """What moves: the branches of an `if`; of a loop all but what a `for` loops over."""
    match node:
        case ast.For():
            return [node.target, *node.body, *node.orelse]
        case ast.While():
            return [node.test, *node.body, *node.orelse]
        case _:
            return [*node.body, *node.orelse]


class Region:
    """What the flow says of the variables.

    Attributes:
        names: what the code does to variables.
        bound: the variables that the code may change, in the order of the text.
        state: those that it takes; of a loop these are the same as `wanted`.
        wanted: those that may be read after it, wherever it goes on, and of a loop in the next turn.
        shared: those that others may look at meanwhile.
        outer: those that it may change and that belong to a function around; nobody hands them on.
        before, after: variables that surely have a value there, and are wanted.
        at_start, at_end: the same where its functions start, and where a turn of a loop ends.
    """

    def __init__(self, node: Movable, walk: Walk) -> None:
        flow = walk.scope.flow
        assert flow is not None
        places = flow.regions[node]
        entry = flow.steps[places.start - 1]
        head = flow.steps[places.start]
        steps = flow.steps[places.start : places.stop]
        around = walk.way if walk.way is not None and walk.way.is_loops else None
        jumps = [step for step in steps if step.leaves and flow.regions[step.leaves].start < places.start]
        falling = [step for step in steps if around is None or step not in jumps]
        ways_out = [(step, to) for step in falling for to in step.next if to.place not in places]
        errors_out = _union(to.live for step in steps for to in step.raises if to.place not in places)
        handed = frozenset(around.names) if around is not None and jumps else frozenset()

        self.names = names.Names(*parts(node))
        self.outer = sorted(self.names.binds.keys() & walk.scope.names.nonlocal_)
        self.bound = {name: at for name, at in self.names.binds.items() if name not in self.outer}
        entered = _union(step.live for step in entry.next)
        left = errors_out.union(*(to.live for _, to in ways_out))
        if isinstance(node, ast.If):
            self.state = [name for name in self.bound if name in entered | handed]
            self.wanted = [name for name in self.bound if name in left]
        else:
            self.state = self.wanted = [name for name in self.bound if name in entered | handed | left]
        self.shared = self.bound.keys() & (walk.scope.names.captures | errors_out)
        self.is_reached = entry.bound is not None
        self.escaped = _union(step.escaped | step.escapes for step in (entry, *steps))
        # a variable that is dead on some way need not be at hand there, though the user's has a value
        self.before = entered & (entry.bound_after or frozenset())
        ends = [(step.bound_after, to.live) for step, to in ways_out]
        ends += [(step.bound_after, frozenset()) for step in jumps if step in falling and not step.next]
        self.after = _meet(known & live for known, live in ends if known is not None)
        self.at_start = head.live & (head.bound or frozenset())
        if isinstance(node, ast.If):
            self.at_start = self.before
        turns = (step.bound_after for step in steps if head in step.next)
        self.at_end = head.live & _meet(known for known in turns if known is not None)


def _union(several: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*several)


def _meet(several: Iterable[frozenset[str]]) -> frozenset[str]:
    found = list(several)
    return found[0].intersection(*found) if found else frozenset()


def find(node: Movable, walk: Walk) -> Region | str:
    """The region of an `if` or a loop, or why its code stays where it is, in a few words."""
    if walk.scope.flow is None:
        return "it stands in the body of a class"
    if walk.depth >= DEEPEST:
        return "it is nested too deeply"
    region = Region(node, walk)
    return next(_obstacles(node, walk, region), region)


def _obstacles(node: Movable, walk: Walk, region: Region) -> Iterator[str]:
    scope, inside = walk.scope, region.names
    if not region.is_reached:
        yield "it is never reached"
    for name in (*region.bound, *sorted(inside.declared)):
        if name not in scope.locals:
            yield f"`{name}` is {'global' if name in scope.names.global_ else 'nonlocal'}"
    if not isinstance(node, ast.If):  # between two turns nobody takes up what a function has changed
        for name in sorted(scope.names.writes & region.escaped & region.bound.keys()):
            yield f"`{name}` is changed by a function made here"
    if inside.pauses:
        yield f"the {'branch' if isinstance(node, ast.If) else 'loop'} yields"
    elif scope.names.pauses and _returns(node):  # which ends the generator, and not who runs it
        yield f"the {'branch' if isinstance(node, ast.If) else 'loop'} ends a generator"
    if isinstance(node, ast.While) and names.assigns(node.test):
        yield "its test assigns to a variable"
    readers = (inside.reads & FRAME_READERS.keys()) | (scope.names.reads & VARIABLE_READERS.keys())
    for name in sorted(readers - scope.locals):
        yield f"{name}() is called"
    if any(_jumps_past_finally(statement) for statement in (*node.body, *node.orelse)):
        yield "it is left through a `finally`, or an `except` with a name"


def _returns(node: ast.AST) -> bool:
    """Whether code may leave the function that it stands in by a `return`."""
    match node:
        case ast.Return():
            return True
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.expr():
            return False
    return any(map(_returns, ast.iter_child_nodes(node)))


def _jumps_past_finally(node: ast.AST, inside: bool = False) -> bool:
    """Whether a `break` or `continue` of a loop around `node` would hand over values too early."""
    match node:
        case ast.Break() | ast.Continue():
            return inside
        case ast.For() | ast.While():
            return any(_jumps_past_finally(inner, inside) for inner in node.orelse)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.expr():
            return False
        case ast.Try() | ast.TryStar():
            inside = inside or bool(node.finalbody)
        case ast.ExceptHandler():
            inside = inside or node.name is not None
    return any(_jumps_past_finally(inner, inside) for inner in ast.iter_child_nodes(node))

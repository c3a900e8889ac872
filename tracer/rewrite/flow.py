"""Flow: in which order the steps of a function may run, and what is known of its variables at each.

Law: a path too many is harmless, a path too few would change a program. So an exception may leave any step of
a `try` or `with`, before or after it has bound its names, and a `finally` may go on to wherever a way into it
was bound for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field

from .names import Function, Names, parameters

_NOTHING: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Step:
    """A simple statement, the head of a compound one, or a point between two.

    Attributes:
        reads, binds, unbinds, escapes: as in Names; `binds` only what it surely does.
        place: its index in Flow.steps.
        next, raises: where the program may go on from here, by itself or by an exception.
        live: the variables that may be read from here on.
        bound: those that surely have a value before it; None: it is never reached.
        escaped: those that a closure made before it may read at any later time.
        leaves: the loop that it breaks or continues with nothing in between.
    """

    reads: frozenset[str] = _NOTHING
    binds: frozenset[str] = _NOTHING
    unbinds: frozenset[str] = _NOTHING
    escapes: frozenset[str] = _NOTHING
    place: int = 0
    next: list[Step] = field(default_factory=list)
    raises: list[Step] = field(default_factory=list)
    live: frozenset[str] = _NOTHING
    bound: frozenset[str] | None = None
    escaped: frozenset[str] = _NOTHING
    leaves: ast.stmt | None = None

    @property
    def bound_after(self) -> frozenset[str] | None:
        return None if self.bound is None else (self.bound - self.unbinds) | self.binds


@dataclass(slots=True, eq=False)
class _Loop:
    node: ast.stmt
    head: Step
    breaks: list[Step] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Finally:
    entry: Step
    bound_for: set[type[ast.stmt]] = field(default_factory=set)


class Flow:
    """The steps of one function, solved.

    Attributes:
        heads: for each statement the step where the least is known, of all its own expressions.
        regions: the places of the steps inside the branches of an `if`, and of what a loop repeats, its head
            first, with its `else`; the step before is the test of the `if`, or the way into the loop.
    """

    def __init__(self, node: Function) -> None:
        self.steps: list[Step] = []
        self.heads: dict[ast.AST, Step] = {}
        self.regions: dict[ast.AST, range] = {}
        self._frames: list[_Loop | _Finally] = []
        self._handlers: list[Step] = []
        entry = self._step([], binds={arg.arg for arg in parameters(node.args)})
        if not isinstance(node, ast.Lambda):
            self._block(node.body, [entry])
        self._solve(entry)

    def _step(self, before: Iterable[Step], *nodes: ast.AST | None, binds: Set[str] | None = None) -> Step:
        names = Names(*nodes)
        if binds is None:
            binds = names.binds.keys() - names.maybes - names.unbinds
        step = Step(
            reads=frozenset(names.reads | names.captures),
            binds=frozenset(binds),
            unbinds=frozenset(names.unbinds),
            escapes=frozenset(names.escapes),
            place=len(self.steps),
            raises=list(self._handlers),
        )
        self.steps.append(step)
        for previous in before:
            previous.next.append(step)
        return step

    def _block(self, statements: Sequence[ast.stmt], before: list[Step]) -> list[Step]:
        """The steps that the end of `statements` is reached from."""
        for statement in statements:
            head = self.heads[statement] = self._step(before)
            before = self._statement(statement, [head])
        return before

    def _statement(self, node: ast.stmt, before: list[Step]) -> list[Step]:
        match node:
            case ast.If():
                return self._if(node, before)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, before)
            case ast.With() | ast.AsyncWith():
                return self._with(node, before)
            case ast.Try() | ast.TryStar():
                return self._try(node, before)
            case ast.Match():
                return self._match(node, before)
            case ast.Return() | ast.Break() | ast.Continue():
                step = self._step(before, node)
                if self._frames and not isinstance(node, ast.Return):
                    around = self._frames[-1]
                    step.leaves = around.node if isinstance(around, _Loop) else None
                self._jump(type(node), [step])
                return []
            case ast.Raise():
                self._step(before, node)
                return []
            case _:
                return [self._step(before, node)]

    def _if(self, node: ast.If, before: list[Step]) -> list[Step]:
        test = self._step(before, node.test)
        start = len(self.steps)
        ends = self._block(node.body, [self._step([test])])
        ends += self._block(node.orelse, [self._step([test])])
        self.regions[node] = range(start, len(self.steps))
        return ends

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, before: list[Step]) -> list[Step]:
        if isinstance(node, ast.While):
            head = first = self._step(before, node.test)
            endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        else:
            # what a walrus binds here may not count, as at the target the least is to be known, see `heads`
            head = self._step([self._step(before, node.iter, binds=_NOTHING)])
            first = self._step([head], node.target)
            endless = False
        self.heads[node] = first
        loop = _Loop(node, head)
        self._frames.append(loop)
        ends = self._block(node.body, [first])
        self._frames.pop()
        for end in ends:
            end.next.append(head)
        ends = self._block(node.orelse, [] if endless else [head])
        self.regions[node] = range(head.place, len(self.steps))
        return loop.breaks + ends

    def _with(self, node: ast.With | ast.AsyncWith, before: list[Step]) -> list[Step]:
        after = Step()  # a context manager may swallow what is raised in its body
        outer = self._handlers
        for item in node.items:
            before = [self._step(before, item.context_expr)]
            self._handlers = [*outer, after]
            before = [self._step(before, item.optional_vars)]
        ends = self._block(node.body, before)
        self._handlers = outer
        return [*ends, self._adopt(after)]

    def _adopt(self, step: Step) -> Step:
        """Give a point that others raise to already its own place in the order."""
        step.place = len(self.steps)
        step.raises = list(self._handlers)
        self.steps.append(step)
        return step

    def _try(self, node: ast.Try | ast.TryStar, before: list[Step]) -> list[Step]:
        outer = self._handlers
        final = _Finally(Step())
        if node.finalbody:
            self._handlers = [*outer, final.entry]
            self._frames.append(final)
        guarded = self._handlers
        catches = [Step() for _ in node.handlers]
        self._handlers = [*guarded, *catches]
        ends = self._block(node.body, [self._step(before)])
        self.heads[node] = catches[0] if catches else self.heads[node]
        self._handlers = guarded
        ends = self._block(node.orelse, ends)
        for handler, catch in zip(node.handlers, catches, strict=True):
            ends += self._handler(handler, self._adopt(catch))
        self._handlers = outer
        if not node.finalbody:
            return ends
        self._frames.pop()
        entry = self._adopt(final.entry)
        for end in ends:
            end.next.append(entry)
        ends = self._block(node.finalbody, [entry])
        for goal in final.bound_for:
            self._jump(goal, ends)
        return ends

    def _handler(self, node: ast.ExceptHandler, catch: Step) -> list[Step]:
        caught = self._step([catch], node.type)
        ends = self._block(node.body, [caught])
        if node.name is not None:
            # it is deleted on every way out: it counts as unbound from the start, whatever binds it anew
            caught.unbinds = frozenset([node.name])
            for step in self.steps[caught.place :]:
                step.binds -= caught.unbinds
        return ends

    def _match(self, node: ast.Match, before: list[Step]) -> list[Step]:
        ends: list[Step] = []
        missed = [self._step(before, node.subject)]
        for case in node.cases:
            tried = self._step(missed, case.pattern, case.guard, binds=_NOTHING)
            bound = self._step([tried], case.pattern)
            ends += self._block(case.body, [bound])
            missed = [tried]
        return ends + missed

    def _jump(self, goal: type[ast.stmt], before: list[Step]) -> None:
        for frame in reversed(self._frames):
            if isinstance(frame, _Finally):
                frame.bound_for.add(goal)
                for step in before:
                    step.next.append(frame.entry)
                return
            if goal is ast.Break:
                frame.breaks += before
                return
            if goal is ast.Continue:
                for step in before:
                    step.next.append(frame.head)
                return

    def _solve(self, entry: Step) -> None:
        entry.bound = _NOTHING
        _until_stable(self.steps, _spread_bound)
        _until_stable(self.steps, _spread_escaped)
        _until_stable(self.steps[::-1], _gather_live)


def _until_stable(steps: Sequence[Step], update: Callable[[Step], bool]) -> None:
    while sum([update(step) for step in steps]):
        pass


def _spread_bound(step: Step) -> bool:
    """Hand on what is surely bound: after the step by the way on, before or after it by an exception."""
    after = step.bound_after
    if step.bound is None or after is None:
        return False
    changed = False
    for targets, known in ((step.next, after), (step.raises, step.bound - step.unbinds)):
        for target in targets:
            meet = known if target.bound is None else target.bound & known
            changed |= meet != target.bound
            target.bound = meet
    return changed


def _spread_escaped(step: Step) -> bool:
    known = step.escaped | step.escapes
    changed = False
    for target in (*step.next, *step.raises):
        changed |= not known <= target.escaped
        target.escaped |= known
    return changed


def _gather_live(step: Step) -> bool:
    live = _NOTHING.union(*(target.live for target in step.next)) - step.binds
    live |= step.escaped.union(step.reads, *(target.live for target in step.raises))
    changed = live != step.live
    step.live = live
    return changed

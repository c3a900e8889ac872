"""`if`: a test that may be recorded takes its branches as functions, any other stays an `if`.

A branch takes the variables it may change, and returns how it was left and those of them still wanted after.
The code that follows runs by that: `return`, `break`, `continue` keep their meaning, which a flag would lose.

Law: a branch becomes a function only where nobody can tell, see `_Branches.are_separable`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace

from . import names
from .flow import Flow
from .runtime import VARIABLE_READERS, Exit
from .template import Template, variable
from .walk import Walk

IF = Template("""
    def then(STATE):
        FORGET_BEFORE
        THEN

    def orelse(STATE):
        FORGET_BEFORE
        ORELSE

    exit, values = HOOKS.if_(TEST, then, orelse, (*BEFORE,), (*NAMES,))
    ON_RETURN
    (*AFTER,) = values
    FORGET_AFTER
    del then, orelse, values
    ON_BREAK
    ON_CONTINUE
""")
RETURNED = Template("return RUNTIME.RETURNED, VALUE")
LEFT = {
    Exit.FELL: Template("return RUNTIME.FELL, (*VALUES,)"),
    Exit.BROKE: Template("return RUNTIME.BROKE, (*VALUES,)"),
    Exit.CONTINUED: Template("return RUNTIME.CONTINUED, (*VALUES,)"),
}
ON = {
    Exit.RETURNED: Template("if exit is RUNTIME.RETURNED: LEAVE"),
    Exit.BROKE: Template("if exit is RUNTIME.BROKE: LEAVE"),
    Exit.CONTINUED: Template("if exit is RUNTIME.CONTINUED: LEAVE"),
}
FORGET = Template("if VARIABLE is RUNTIME.UNDEFINED: del DELETED")
PEEK = Template("RUNTIME.peek(lambda *thunk: VARIABLE)")


def if_(node: ast.If, walk: Walk) -> list[ast.stmt]:
    optional = frozenset() if walk.scope.node is None else names.optional(walk.scope.node)
    if _is_static(node.test, optional) and walk.scope.flow is not None:
        branches = _Branches(node, walk.scope.flow)
        if branches.are_separable(walk):
            return _form(node, walk, branches)
    made = ast.If(walk.truth(node.test), walk.block(node.body), walk.block(node.orelse))
    return [ast.copy_location(made, node)]


def return_(node: ast.Return, walk: Walk) -> list[ast.stmt]:
    return walk.returning(node, None if node.value is None else walk.value(node.value))


def break_(node: ast.Break, walk: Walk) -> list[ast.stmt]:
    return walk.leaving_loop(node, Exit.BROKE)


def continue_(node: ast.Continue, walk: Walk) -> list[ast.stmt]:
    return walk.leaving_loop(node, Exit.CONTINUED)


def _is_static(test: ast.expr, optional: frozenset[str]) -> bool:
    """Whether a test only asks which of the `optional` parameters were given."""
    match test:
        case ast.BoolOp():
            return all(_is_static(value, optional) for value in test.values)
        case ast.UnaryOp(op=ast.Not()):
            return _is_static(test.operand, optional)
        case ast.Compare(ast.Name(name), [ast.Is() | ast.IsNot()], [ast.Constant(None)]):
            return name in optional
        case _:
            return False


def _union(several: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*several)


class _Branches:
    """What the flow says of the branches of an `if`.

    Attributes:
        bound: the variables they may change, in the order of the text.
        state: those that a branch may read first, or hand on as they were.
        wanted: those that may be read after the `if`, wherever it goes on.
        before, after: variables that surely have a value there, and are wanted.
    """

    def __init__(self, node: ast.If, flow: Flow) -> None:
        region = flow.regions[node]
        test = flow.steps[region.start - 1]
        steps = flow.steps[region.start : region.stop]
        ways_out = [(step, to) for step in steps for to in step.next if to.place not in region]
        errors_out = [to for step in steps for to in step.raises if to.place not in region]
        # a variable that is dead on some way out need not be at hand there, though the user's has a value
        sure = [step.bound_after & to.live for step, to in ways_out if step.bound_after is not None]

        self.node = node
        self.statements = [*node.body, *node.orelse]
        self.bound = names.Names(*self.statements).binds
        entered = _union(step.live for step in test.next)
        self.state = [name for name in self.bound if name in entered]
        live = _union(to.live for _, to in ways_out)
        self.wanted = [name for name in self.bound if name in live]
        self.is_reached = test.bound is not None
        self.before = test.bound_after or frozenset()
        self.after = sure[0].intersection(*sure) if sure else frozenset()
        self.wanted_by_errors = _union(to.live for to in errors_out)
        self.captured = test.captured | _union(step.captures for step in steps)

    def are_separable(self, walk: Walk) -> bool:
        """Whether nobody can tell that the branches are functions.

        A closure would see only one of two variables, an `except` outside the values from before, and who
        looks at the frame another frame. A `break` through a `finally` hands on values before that has run.
        """
        assert isinstance(walk.scope.node, ast.FunctionDef)
        changed, local = self.bound.keys(), walk.scope.locals
        return (
            self.is_reached
            and changed <= local
            and not changed & self.captured
            and not changed & self.wanted_by_errors
            and not names.Names(*self.statements).declared
            and names.is_movable(self.statements, local)
            and not any(_jumps_out_of_try(statement) for statement in self.statements)
            and not names.mentions(walk.scope.node.body, VARIABLE_READERS.keys() - local)
        )


def _jumps_out_of_try(node: ast.AST, in_try: bool = False) -> bool:
    """Whether a `break` or `continue` of a loop around `node` has a `try` between."""
    match node:
        case ast.Break() | ast.Continue():
            return in_try
        case ast.For() | ast.While():
            return any(_jumps_out_of_try(inner, in_try) for inner in node.orelse)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.expr():
            return False
        case _:
            in_try = in_try or isinstance(node, ast.Try | ast.TryStar)
            return any(_jumps_out_of_try(inner, in_try) for inner in ast.iter_child_nodes(node))


def _form(node: ast.If, walk: Walk, branches: _Branches) -> list[ast.stmt]:
    at = node.test
    exits: set[Exit] = set()

    def leave(at: ast.AST, exit: Exit) -> list[ast.stmt]:
        exits.add(exit)
        return LEFT[exit].lines(at, VALUES=[_value(name, branches.after, at) for name in branches.wanted])

    def leave_function(at: ast.AST, value: ast.expr | None) -> list[ast.stmt]:
        exits.add(Exit.RETURNED)
        return RETURNED.lines(at, VALUE=value)

    def body(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        here = frozenset(branches.state) | names.Names(*statements).binds.keys()
        inner = replace(walk, here=here, on_return=leave_function, on_loop=leave)
        return [*inner.block(statements), *leave(at, Exit.FELL)]

    def go_on(exit: Exit) -> list[ast.stmt]:
        if exit not in exits:
            return []
        is_return = exit is Exit.RETURNED
        way = walk.returning(at, variable("values", at)) if is_return else walk.leaving_loop(at, exit)
        return ON[exit].lines(at, LEAVE=way)

    then, orelse = body(node.body), body(node.orelse)
    walk.scope.dropped.update(branches.bound.keys() - branches.wanted)
    return IF.lines(
        at,
        TEST=walk.test(node.test),
        STATE=[ast.copy_location(ast.arg(name), at) for name in branches.state],
        BEFORE=[_value(name, branches.before, at) for name in branches.state],
        FORGET_BEFORE=_forget(branches.state, branches.before, at),
        THEN=then,
        ORELSE=orelse,
        NAMES=[ast.copy_location(ast.Constant(name), at) for name in branches.wanted],
        AFTER=[_name(name, at, ast.Store()) for name in branches.wanted],
        FORGET_AFTER=_forget(branches.wanted, branches.after, at),
        ON_RETURN=go_on(Exit.RETURNED),
        ON_BREAK=go_on(Exit.BROKE),
        ON_CONTINUE=go_on(Exit.CONTINUED),
    )


def _name(name: str, at: ast.AST, context: ast.expr_context) -> ast.expr:
    return ast.copy_location(ast.Name(name, context), at)


def _value(name: str, sure: frozenset[str], at: ast.AST) -> ast.expr:
    """The variable as a value: UNDEFINED where it may have none and has none."""
    value = _name(name, at, ast.Load())
    return value if name in sure else PEEK(at, VARIABLE=value)


def _forget(variables: Sequence[str], sure: frozenset[str], at: ast.AST) -> list[ast.stmt]:
    """Statements that leave the variables without a value that stand for none."""
    made: list[ast.stmt] = []
    for name in variables:
        if name not in sure:
            made += FORGET.lines(at, VARIABLE=_name(name, at, ast.Load()), DELETED=_name(name, at, ast.Del()))
    return made

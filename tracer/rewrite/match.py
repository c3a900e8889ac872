"""`match`: on plain values it is a chain of `if`; else Python matches the patterns, hooks see the guards."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .region import DEEPEST
from .template import Template, ours, variable
from .walk import Walk

SUBJECT = Template("HOOKS.subject(VALUE, KINDS)")

#: What takes any value.
CAPTURES = (ast.MatchAs, ast.MatchStar, ast.MatchValue)


def match(node: ast.Match, walk: Walk) -> list[ast.stmt]:
    kinds = any(_asks(case.pattern) for case in node.cases)
    subject = SUBJECT(node.subject, VALUE=walk.value(node.subject), KINDS=kinds)
    made = ast.Match(subject, [_case(case, walk) for case in node.cases])
    return [ast.copy_location(made, node)]


def _asks(pattern: ast.pattern) -> bool:
    """Whether a pattern asks for more than one container and its keys: for the kind of what is in it."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return False
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return _asks(inner)
        case ast.MatchOr(patterns=several):
            return any(map(_asks, several))
        case ast.MatchClass():
            return True
    within = [each for each in ast.walk(pattern) if isinstance(each, ast.pattern) and each is not pattern]
    return not all(isinstance(each, CAPTURES) for each in within)


def _case(case: ast.match_case, walk: Walk) -> ast.match_case:
    guard = None if case.guard is None else walk.truth(case.guard)
    return ast.match_case(case.pattern, guard, walk.block(case.body))


def chain(node: ast.Match) -> list[ast.stmt] | None:
    """The statement as a chain of `if`; None where Python has to match a pattern."""
    if len(node.cases) > DEEPEST or not all(map(_is_plain, node.cases)):
        return None
    return [_store(ours("subject"), node.subject, node.subject), *_chain(node.cases)]


def _is_plain(case: ast.match_case) -> bool:
    match case.pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):  # a guard would have to stand between name and body
            return _is_tested(inner) and case.guard is None
        case pattern:
            return _is_tested(pattern)


def _is_tested(pattern: ast.pattern) -> bool:
    """Whether a pattern asks one thing of its subject, and binds no name."""
    match pattern:
        case ast.MatchOr():
            return all(map(_is_tested, pattern.patterns))
        case _:
            return isinstance(pattern, ast.MatchValue | ast.MatchSingleton)


def _chain(cases: Sequence[ast.match_case]) -> list[ast.stmt]:
    if not cases:
        return []
    case, *rest = cases
    pattern, test = case.pattern, case.guard
    start: list[ast.stmt] = []
    if isinstance(pattern, ast.MatchAs):
        if pattern.name is not None:
            start.append(_store(pattern.name, variable("subject", pattern), pattern))
        if pattern.pattern is None:
            return [*start, *(case.body if test is None else [_if(test, case.body, rest)])]
        pattern = pattern.pattern
    asked = _test(pattern)
    if test is not None:
        asked = ast.copy_location(ast.BoolOp(ast.And(), [asked, test]), asked)
    return [_if(asked, [*start, *case.body], rest)]


def _if(test: ast.expr, body: list[ast.stmt], rest: Sequence[ast.match_case]) -> ast.stmt:
    return ast.copy_location(ast.If(test, body, _chain(rest)), test)


def _test(pattern: ast.pattern) -> ast.expr:
    subject = variable("subject", pattern)
    match pattern:
        case ast.MatchOr():
            made: ast.expr = ast.BoolOp(ast.Or(), [_test(inner) for inner in pattern.patterns])
        case ast.MatchValue():
            made = ast.Compare(subject, [ast.Eq()], [pattern.value])
        case _:
            assert isinstance(pattern, ast.MatchSingleton)
            value = ast.copy_location(ast.Constant(pattern.value), pattern)
            made = ast.Compare(subject, [ast.Is()], [value])
    return ast.copy_location(made, pattern)


def _store(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([ast.copy_location(ast.Name(name, ast.Store()), at)], value), at)

"""`match`: Python matches the patterns; what is matched and each guard are seen by hooks."""

from __future__ import annotations

import ast

from .walk import Walk


def match(node: ast.Match, walk: Walk) -> list[ast.stmt]:
    made = ast.Match(walk.value(node.subject), [_case(case, walk) for case in node.cases])
    return [ast.copy_location(made, node)]


def _case(node: ast.match_case, walk: Walk) -> ast.match_case:
    guard = None if node.guard is None else walk.truth(node.guard)
    return ast.match_case(node.pattern, guard, walk.block(node.body))

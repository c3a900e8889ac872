"""Reading a variable from inside a thunk or a branch, where it may have no value yet.

There Python would raise NameError for an unbound variable, the user's own function raises UnboundLocalError.
"""

from __future__ import annotations

import ast

from .template import Template
from .walk import Walk

LOCAL = Template("RUNTIME.local(NAME, lambda *thunk: VARIABLE)")


def name(node: ast.Name, walk: Walk) -> ast.expr:
    is_safe = node.id in walk.here or node.id not in walk.scope.locals
    if not is_safe and node.id not in walk.scope.bound(walk.statement):
        return LOCAL(node, NAME=node.id, VARIABLE=node)
    return node

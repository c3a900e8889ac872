"""Steps: the names that an op's body gives to its intermediate values, for the text that spells it out."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types
from collections.abc import Callable
from functools import cache
from typing import Any

from ..graphs.node import Node


class Steps:
    """Watches the nodes that one run of a body adds. The last one that a statement adds bears its name."""

    def __init__(self, body: Callable[..., Any]) -> None:
        self.code: types.CodeType = body.__code__
        self.names = assigned(body)
        self.made: dict[str, Node] = {}

    def note(self, node: Node) -> None:
        """Called where a node is made, somewhere below the body."""
        frame: types.FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code is not self.code:
            frame = frame.f_back
        name = self.names.get(frame.f_lineno) if frame is not None else None
        if name is not None:
            self.made[name] = node

    def name(self) -> None:
        for name, node in self.made.items():
            node.meta["step"] = name


@cache
def assigned(body: Callable[..., Any]) -> dict[int, str]:
    """The name that the statement on each line binds, where it binds one."""
    try:
        lines, first = inspect.getsourcelines(body)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):  # typed in, or part of a longer expression
        return {}
    found: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            last = node.end_lineno or node.lineno
            found |= dict.fromkeys(range(node.lineno + first - 1, last + first), node.targets[0].id)
    return found

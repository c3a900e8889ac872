"""Helpers: plain functions that a phrase may name.

They are copied into the emitted file, and linted and tested where they stand.
"""

from __future__ import annotations

import ast
import importlib.util
from functools import cache
from pathlib import Path


@cache
def parsed(framework: str) -> tuple[dict[str, ast.FunctionDef], dict[str, str]]:
    """A framework's helpers, and their imports by the name that these bind. The file is read, not run."""
    tree = ast.parse(Path(__file__).with_name(f"{framework}.py").read_text(encoding="utf-8"))
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    imports = {}
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "__future__":
            for alias in node.names:
                imports[alias.asname or alias.name.partition(".")[0]] = ast.unparse(node)
    return functions, imports


def source(framework: str, name: str, imports: set[str]) -> list[ast.FunctionDef]:
    """The helper, and the helpers that it calls; what they import is added to `imports`."""
    functions, lines = parsed(framework)
    found: dict[str, ast.FunctionDef] = {}
    queue = [name]
    while queue:
        current = queue.pop()
        if current in found:
            continue
        found[current] = functions[current]
        for node in ast.walk(functions[current]):
            if isinstance(node, ast.Name):
                if node.id in functions:
                    queue.append(node.id)
                elif node.id in lines:
                    imports.add(lines[node.id])
    return list(found.values())


def defaults(framework: str, name: str) -> dict[str, object]:
    """The defaults of a helper's parameters."""
    arguments = parsed(framework)[0][name].args
    with_default = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    return {a.arg: ast.literal_eval(d) for a, d in zip(with_default, arguments.defaults)}


_ = importlib.util

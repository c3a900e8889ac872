"""Imports: the lines at the top of a file, put together and in order."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...backends.backend import owner
from .walking import walked

#: How the lines of the standard library begin.
STANDARD = (
    "import builtins",
    "import functools",
    "import math",
    "from collections",
    "from dataclasses",
    "from typing",
)


def together(lines: Iterable[str]) -> Iterator[str]:
    """Import lines, with all that is taken out of one module in one."""
    taken: dict[str, list[str]] = {}
    for line in lines:
        start, _, name = line.partition(" import ")
        if start.startswith("from ") and " as " not in name:
            taken.setdefault(start, []).append(name)
        else:
            yield line
    yield from (f"{start} import {', '.join(sorted(names))}" for start, names in taken.items())


def bound_by(lines: Iterable[str]) -> Iterator[str]:
    """The names that import lines bind."""
    for line in lines:
        for node in ast.parse(line).body:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                yield from (each.asname or each.name.partition(".")[0] for each in node.names)


def used(lines: Iterable[str], body: Iterable[ast.AST]) -> Iterator[str]:
    """The import lines of which something is read in a file."""
    names = {node.id for each in body for node in walked(each) if isinstance(node, ast.Name)}
    return (line for line in lines if names.intersection(bound_by([line])))


def import_order(line: str) -> tuple[bool, bool, str]:
    """The standard library first, then the framework; modules first, then what is taken out of some."""
    standard = line.startswith(STANDARD)
    return not standard, line.startswith("from ") and (standard or owner(line.split()[1]) is not None), line

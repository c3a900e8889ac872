"""Helpers: plain functions that a phrase may name, which are copied into the emitted file.

Those that are built in are read as text, since they import frameworks, and are linted and tested where they
stand. A user's is a function object (`helpers=` of rows.say), of which the source is taken: what it uses of
its module must be an import or another function.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...ir.meaning.layers import Table
from ...ir.worklist import Worklist
from ..backend import NAMES, ground

#: The functions of a file of helpers, and their imports by the name that these bind.
Parsed = tuple[dict[str, ast.FunctionDef], dict[str, str]]


@dataclass(frozen=True)
class Helper:
    """A helper of the user's: its text, what it imports by the name that this binds, what it calls, and where
    it stands.
    """

    definition: ast.FunctionDef
    imports: dict[str, str]
    calls: dict[str, Callable[..., Any]]
    place: tuple[str, str]


#: What the names stand for that every file has for the frameworks.
STANDARD = {
    "np": "import numpy as np", "jnp": "import jax.numpy as jnp", "jax": "import jax",
    "torch": "import torch", "F": "import torch.nn.functional as F", "math": "import math",
    "functools": "import functools",
}  # fmt: skip
#: Helpers of the users', by name.
USERS: Table[str, Helper] = Table("helpers")


@cache
def parsed(framework: str) -> Parsed:
    """A framework's own helpers, and those of all. The files are read, not run."""
    files = (Path(__file__).with_name(f"{name}.py") for name in (ground(framework), "common"))
    body = [node for file in files for node in ast.parse(file.read_text(encoding="utf-8")).body]
    functions = {n.name: n for n in body if isinstance(n, ast.FunctionDef)}
    imports = {}
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "__future__":
            for alias in node.names:
                imports[alias.asname or alias.name.partition(".")[0]] = ast.unparse(node)
    return functions, imports


def known(framework: str) -> set[str]:
    """The names of all helpers that a phrase of a framework's may name."""
    return {*parsed(framework)[0], *USERS}


def declare(function: Callable[..., Any]) -> None:
    """Let phrases name a function of the user's, and those of his that it calls.

    Raises:
        ValueError: where it has no source, uses of its module what is neither function nor import, or where a
            name in an emitted file would mean two things.
    """
    found: dict[str, Helper] = {}
    ahead = Worklist([function])
    for each in ahead:
        helper = read(each)
        found.setdefault(helper.definition.name, helper)
        ahead.add(helper.calls.values())
    for name, made in found.items():
        refuse_taken(name, made)
        USERS[name] = made


def refuse_taken(name: str, helper: Helper) -> None:
    """Hold the names of a helper against all others that may stand in a file.

    Raises:
        ValueError: where one means two things.
    """
    if hasattr(builtins, name) or any(name in parsed(framework)[0] for framework in NAMES):
        raise ValueError(f"there is a function named {name} already: give the helper another name")
    other = USERS.get(name)
    if other is not None and other.place != helper.place:
        raise ValueError(f"{'.'.join(other.place)} is a helper named {name} already: give it another name")
    lines = [STANDARD, *(each.imports for each in USERS.values() if each is not other)]
    for bound, line in helper.imports.items():
        clash = next((known[bound] for known in lines if known.get(bound, line) != line), None)
        if clash is not None:
            raise ValueError(f"the helper {name} has {line!r}, and others {clash!r}")


def read(function: Callable[..., Any]) -> Helper:
    """A function of the user's as a helper."""
    name = getattr(function, "__name__", repr(function))
    if not isinstance(function, types.FunctionType) or function.__closure__:
        raise ValueError(f"the helper {name} is no function of a module's")
    try:
        (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        raise ValueError(f"of the helper {name} there is no source") from None
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        raise ValueError(f"the helper {name} is no plain `def`")
    try:
        for default in (*definition.args.defaults, *filter(None, definition.args.kw_defaults)):
            ast.literal_eval(default)
    except ValueError:
        raise ValueError(f"a default of the helper {name} is no literal") from None
    imports: dict[str, str] = {}
    calls: dict[str, Callable[..., Any]] = {}
    for used in sorted({n.id for n in ast.walk(definition) if isinstance(n, ast.Name)}):
        if used == name or used not in function.__globals__:
            continue
        value: Any = function.__globals__[used]
        if isinstance(value, types.ModuleType):
            imports[used] = imported(value.__name__, used)
        elif isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
            if used != value.__name__:
                raise ValueError(f"the helper {name} calls {value.__name__} by another name, {used}")
            calls[used] = value
        elif getattr(value, "__module__", None) and getattr(value, "__name__", None):
            plain = f"from {value.__module__} import {value.__name__}"
            imports[used] = plain if used == value.__name__ else f"{plain} as {used}"
        else:
            raise ValueError(f"the helper {name} uses {used} of its module: make it a parameter")
    return Helper(definition, imports, calls, (function.__module__, function.__qualname__))


def imported(module: str, name: str) -> str:
    """The line that imports a module by a name."""
    package, _, last = module.rpartition(".")
    if module == name:
        return f"import {module}"
    return f"from {package} import {last}" if package and last == name else f"import {module} as {name}"


def source(framework: str, name: str, imports: set[str]) -> list[ast.FunctionDef]:
    """The helper, and the helpers that it calls; what they import is added to `imports`."""
    functions, lines = parsed(framework)
    found: dict[str, ast.FunctionDef] = {}
    queue = [name]
    while queue:
        current = queue.pop()
        if current in found:
            continue
        if current in USERS:
            helper = USERS[current]
            found[current] = helper.definition
            imports.update(helper.imports.values())
            queue += helper.calls
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
    definition = USERS[name].definition if name in USERS else parsed(framework)[0][name]
    arguments = definition.args
    with_default = arguments.args[len(arguments.args) - len(arguments.defaults) :]
    return {a.arg: ast.literal_eval(d) for a, d in zip(with_default, arguments.defaults)}

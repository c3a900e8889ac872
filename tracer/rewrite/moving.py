"""Moving code of the user's into functions of ours, and taking up again where they were left."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from types import CellType
from typing import Any

from .exits import going_on, handing_on, leaving, values
from .region import Region
from .runtime import Exit
from .template import Template, ours, variable
from .walk import Walk, Way

TAKE = Template("VARIABLE = STATE")
FORGET = Template("if VARIABLE is RUNTIME.UNDEFINED: del DELETED")


class Moving:
    """An `if` or a loop, its code on the way into functions of ours, which all take the same state.

    Attributes:
        at: the expression of the user's that the call of the hook stands at.
        exits: how the functions may leave the whole, but for reaching its end.
    """

    def __init__(self, region: Region, walk: Walk, at: ast.expr) -> None:
        self.walk = walk
        self.region = region
        self.at = at
        self.exits: set[Exit] = set()

    def parameters(self) -> list[ast.arg]:
        return [ast.copy_location(ast.arg(self._parameter(name)), self.at) for name in self.region.state]

    def _parameter(self, name: str) -> str:
        return ours(_held(name)) if name in self.region.shared else name

    def taking(self) -> list[ast.stmt]:
        """Statements that start each function: its parameters become the user's variables."""
        region, made = self.region, list[ast.stmt]()
        if region.shared or region.outer:
            made.append(ast.copy_location(ast.Nonlocal(sorted(region.shared) + region.outer), self.at))
        for name in region.state:
            if name in region.shared:
                stored = _name(name, self.at, ast.Store())
                made += TAKE.lines(self.at, VARIABLE=stored, STATE=variable(_held(name), self.at))
        return made + self._forgetting(region.state, region.at_start)

    def inside(self, exits: set[Exit] | None = None, way: Way | None = None) -> Walk:
        """The walk through a function of ours. A variable that it reads it either takes or binds first."""
        here = frozenset(self.region.bound) - self.region.shared
        return replace(self.walk, here=here, exits=exits, way=way, depth=self.walk.depth + 1)

    def branch(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The body of a function for `statements`, after which the program goes on behind the whole."""
        region, way = self.region, self.walk.way
        if way is None or not way.is_loops:
            way = Way(region.wanted, region.after, is_loops=False)
        block = self.inside(self.exits, way).block(statements)
        return [*self.taking(), *block, *leaving(self.at, Exit.FELL, region.wanted, region.after)]

    def turn(self, write: Callable[[Walk], list[ast.stmt]]) -> list[ast.stmt]:
        """The body of a function for one turn of a loop, for what `write` makes."""
        region, exits = self.region, set[Exit]()
        made = write(self.inside(exits, Way(region.wanted, None, is_loops=True)))
        self.exits |= exits & {Exit.RETURNED}  # the others are of the loop itself
        return [*self.taking(), *made, *leaving(self.at, Exit.FELL, region.wanted, region.at_end)]

    def around(self) -> dict[str, Any]:
        """What stands around the functions once they are written."""
        region, at, walk = self.region, self.at, self.walk
        walk.scope.dropped.update(region.bound.keys() - region.wanted)
        return {
            "BEFORE": values(at, region.state, region.before),
            "NAMES": [ast.copy_location(ast.Constant(name), at) for name in region.wanted],
            "AFTER": [_name(name, at, ast.Store()) for name in region.wanted],
            "HANDING_ON": handing_on(at, walk, self.exits),
            "FORGETTING": self._forgetting(region.wanted, region.after),
            "GOING_ON": going_on(at, walk, self.exits),
        }

    def _forgetting(self, variables: Sequence[str], sure: frozenset[str]) -> list[ast.stmt]:
        """Statements that leave the variables without a value that stand for none."""
        made: list[ast.stmt] = []
        for name in variables:
            if name not in sure:
                read, deleted = _name(name, self.at, ast.Load()), _name(name, self.at, ast.Del())
                made += FORGET.lines(self.at, VARIABLE=read, DELETED=deleted)
        return made


def handed_on(functions: Iterable[Any], names: Sequence[str]) -> list[CellType]:
    """The cells of those variables which functions of ours share with others and yet take and hand on.

    Args:
        functions: those of one `if` or loop.
        names: what they hand on.
    """
    found = {}
    for function in functions:
        code = function.__code__
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            if name in names or ours(_held(name)) in code.co_varnames[: code.co_argcount]:
                found[id(cell)] = cell
    return list(found.values())


def _held(name: str) -> str:
    """Our variable that a function takes one in that it shares."""
    return f"state.{name}"


def _name(name: str, at: ast.AST, context: ast.expr_context) -> ast.expr:
    return ast.copy_location(ast.Name(name, context), at)

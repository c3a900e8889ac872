"""Capturing: variables of its caller's that a function reads become parameters of the graph of its own."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...ir.graphs.graph import Node
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ...ir.worklist import Worklist
from ..objects.containers import inside
from ..proxy import is_array_proxy, is_proxy
from ..state.scopes import Scope

if TYPE_CHECKING:
    from ..tracer import Tracer
    from .bodies import Parameters


class Captures:
    """What one call of a function has read of its caller's.

    Attributes:
        arrays: those of which a variable is known, as its caller has them, with the nodes that give them.
        operands: the same by parameter.
        unknown: whether there are others.
    """

    def __init__(
        self, tracer: Tracer, scope: Scope, fn: types.FunctionType, bound: inspect.BoundArguments,
        given: Parameters,
    ) -> None:  # fmt: skip
        self.outside = tracer.scopes[-2].graph
        self.scope = scope
        self.given = given
        self.defaults = {p.name for p in bound.signature.parameters.values() if p.default is not p.empty}
        functions = (fn, *leaves(bound.arguments))
        self.variables = {value.node: (name, value) for name, value in variables(functions)}
        self.arrays: list[tuple[Any, Node]] = []
        self.operands: dict[str, Any] = {}
        self.unknown = False

    def take(self) -> None:
        """Let what was read until now be parameters, called as the variables are; those that have defaults
        stand behind them.
        """
        known = {node: variable for node, variable in self.variables.items() if node in self.scope.captures}
        named = {self.scope.captures[node]: variable for node, variable in known.items()}
        for outer, inner in self.scope.captures.items():
            if outer.graph is not self.outside or "captured" not in inner.meta:
                continue
            inner.meta = {k: v for k, v in inner.meta.items() if k != "captured"}
            name, proxy = named.get(inner, (inner.target, None))
            inner.target = inner.name = self.unused(name)
            if is_array_proxy(proxy):
                self.arrays.append((proxy, inner))
                self.operands[inner.target] = proxy
            self.unknown |= isinstance(outer.spec, Spec) and not is_array_proxy(proxy)
            self.insert(inner.target, outer if proxy is None else proxy)

    def unused(self, name: str) -> str:
        """A name that no other parameter has."""
        taken, number = {p.name for p in self.given.parameters}, 2
        while (found := name if number == 2 else f"{name}_{number - 1}") in taken:
            number += 1
        return found

    def insert(self, name: str, operand: Any) -> None:
        parameters = self.given.parameters
        place = next((i for i, p in enumerate(parameters) if p.name in self.defaults), len(parameters))
        parameters.insert(place, inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD))
        self.given.operands.insert(place, operand)


def variables(functions: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """The variables of others that functions read, and those that these hold, with what stands for arrays and
    numbers in them.
    """
    ahead = Worklist((f for f in functions if isinstance(f, types.FunctionType)), key=id)
    for function in ahead:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            for value in leaves(inside(cell)):
                if is_proxy(value):
                    yield name, value
                elif isinstance(value, types.FunctionType):
                    ahead.add([value])

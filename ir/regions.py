"""What a call_function may call besides a framework: regions, which hold Graphs, and the user's own
functions.

    cond(predicate, then, orelse, operands)    one of two Graphs, both of which take all operands
    Function(name, graph)(*operands)           a function of the user's that keeps its name

A Graph captures nothing: whatever its body reads from outside is an operand.
"""

from __future__ import annotations

from dataclasses import dataclass

from .graph import Graph


@dataclass(frozen=True, slots=True)
class Region:
    """A kind of control flow. `effect` is false: a region is as pure as its bodies are."""

    name: str

    def __repr__(self) -> str:
        return self.name


cond = Region("cond")


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the user's with its own Graph; calls of it are call_function nodes with this as
    target.
    """

    name: str
    graph: Graph

    @property
    def __name__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Effect:
    """A target that matters although nothing uses it."""

    name: str
    effect: bool = True

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, value: object, expected: object, why: str = "") -> None:
        if value != expected:
            raise ValueError(f"this was traced with {expected!r}, not {value!r}: {why}")


#: guard(value, expected, what): a fact about the arguments that was looked at while tracing, and must hold at
#: every call.
guard = Effect("guard")

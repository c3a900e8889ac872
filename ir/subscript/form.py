"""The parts of a Subscript: args of terms on both sides of the arrow, and the clauses of its where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from .expr import Expr

BATCH = "~"


@dataclass(frozen=True, slots=True)
class Term:
    """One entry between the brackets. What it stands for says `kind`:

    symbol i: one axis, or as many as its tuple has; run ~ or *name: any number of axes; size 3; any _: one
    axis of any size; expr (c // g); each @k: every array's own entry of the tuple k. `broadcast` is the #
    before it.
    """

    kind: str
    name: str = ""
    size: int = 0
    expr: Expr | None = None
    broadcast: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The symbols it mentions."""
        return self.expr.names if self.expr else (self.name,) if self.name else ()

    def __str__(self) -> str:
        match self.kind:
            case "run":
                text = self.name if self.name == BATCH else f"*{self.name}"
            case "size":
                text = str(self.size)
            case "any":
                text = "_"
            case "expr":
                text = f"({self.expr})"
            case "each":
                text = f"@{self.name}"
            case _:
                text = self.name
        return f"#{text}" if self.broadcast else text


@dataclass(frozen=True, slots=True)
class Arg:
    """One array: its name, None where it has none, and the terms of its shape.

    `dtype` is a class, a dtype's name, a variable or a promotion of variables, as written, else "".
    """

    name: str | None
    terms: tuple[Term, ...]
    variadic: bool = False
    optional: bool = False
    dtype: str = ""

    @property
    def inside(self) -> str:
        """What stands between the brackets."""
        return " ".join(map(str, self.terms))

    def __str__(self) -> str:
        marks = ("..." if self.variadic else "") + ("?" if self.optional else "")
        return f"{self.name or ''}{marks}{f':{self.dtype}' if self.dtype else ''}[{self.inside}]"


@dataclass(frozen=True, slots=True)
class Let:
    """`name = expr`; where `length`, `len(name) = expr`."""

    name: str
    expr: Expr
    length: bool = False

    def __str__(self) -> str:
        return f"len({self.name}) = {self.expr}" if self.length else f"{self.name} = {self.expr}"


@dataclass(frozen=True)
class Form:
    """A parsed Subscript. `restrictions` are its dtype clauses, `T <= inexact` as ("T", "inexact")."""

    # No slots: what every match asks for is computed once.

    inputs: tuple[Arg, ...]
    outputs: tuple[Arg, ...]
    lets: tuple[Let, ...] = ()
    constraints: tuple[Expr, ...] = ()
    restrictions: tuple[tuple[str, str], ...] = ()

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """All symbols between brackets, in order."""
        return tuple(dict.fromkeys(name for _, term in self.terms() for name in term.names))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All names that a constructor argument may determine: the symbols, and what the where mentions."""
        clauses = [name for let in self.lets for name in (*let.expr.names, let.name)]
        checks = [name for expr in self.constraints for name in expr.names]
        return tuple(dict.fromkeys((*self.symbols, *clauses, *checks)))

    @cached_property
    def dims(self) -> frozenset[str]:
        """The symbols that stand for axes themselves, not only in an expression."""
        return frozenset(term.name for _, term in self.terms() if term.name)

    @cached_property
    def runs(self) -> frozenset[str]:
        """The symbols that stand for any number of axes."""
        return frozenset(term.name for _, term in self.terms() if term.kind == "run")

    @cached_property
    def scalars(self) -> frozenset[str]:
        """The symbols that stand for one axis, or for those of a tuple."""
        return frozenset(term.name for _, term in self.terms() if term.kind == "symbol")

    @cached_property
    def free_batch(self) -> bool:
        """Whether each input has a ~ of its own: where ~ is in no output, and nowhere under #."""
        inputs = [term for arg in self.inputs for term in arg.terms if term.name == BATCH]
        outputs = [term for arg in self.outputs for term in arg.terms if term.name == BATCH]
        return not outputs and not any(term.broadcast for term in inputs)

    def terms(self) -> Iterator[tuple[Arg, Term]]:
        for arg in (*self.inputs, *self.outputs):
            for term in arg.terms:
                yield arg, term

    def __str__(self) -> str:
        sides = [" ".join(map(str, self.inputs)), " ".join(map(str, self.outputs))]
        text = " -> ".join(sides).strip()
        restrictions = [f"{variable} <= {cls}" for variable, cls in self.restrictions]
        clauses = [*map(str, self.lets), *map(str, self.constraints), *restrictions]
        return f"{text} where {', '.join(clauses)}" if clauses else text

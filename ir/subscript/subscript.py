"""Subscript: how an op's shapes go over into each other, `A[~ i j] B[~ j k] -> C[~ i k]`, in one object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ..values.dtypes import DType
from .form import BATCH, Arg, Form, Term
from .kinds import Promote
from .match import Given, Match, match
from .parse import parse


class Subscript:
    """A parsed Subscript; the same text gives the same object.

    Attributes:
        text: as it was written; `form` is what was read.
        inputs, outputs: its arguments.
        lets, constraints: the clauses of its where.
        symbols: what stands between the brackets.
        names: all that `env` may give a value to: the symbols, and what the where mentions.
        aliases: for each output the input of the same name, None for a new array.
        flags: for each input which of its terms a # marks.
        broadcastable: for each input whether it begins with ~.

    Raises:
        SubscriptError: where the text is ill-formed.
    """

    _made: ClassVar[dict[str, Subscript]] = {}

    def __new__(cls, text: str) -> Subscript:
        if text not in cls._made:
            made = super().__new__(cls)
            made._read(text)
            cls._made[text] = made
        return cls._made[text]

    def __reduce__(self) -> tuple[type[Subscript], tuple[str]]:
        return Subscript, (self.text,)

    def _read(self, text: str) -> None:
        self.text = text
        self.form = form = parse(text)
        self.inputs, self.outputs = form.inputs, form.outputs
        self.lets, self.constraints = form.lets, form.constraints
        self.symbols, self.names = form.symbols, form.names
        known: dict[str | None, int] = {
            arg.name: number for number, arg in reversed(list(enumerate(form.inputs))) if arg.name
        }
        self.aliases = tuple(known.get(arg.name) for arg in form.outputs)
        self.flags = tuple(tuple(term.broadcast for term in arg.terms) for arg in form.inputs)
        self.broadcastable = tuple(bool(arg.terms) and arg.terms[0].name == BATCH for arg in form.inputs)

    def match(
        self,
        shapes: Sequence[Given | None],
        env: Mapping[str, Any] | None = None,
        dtypes: Sequence[DType | None] | None = None,
        *,
        promote: Promote | None = None,
        strict_symbols: bool = False,
        allow_symbol: bool = False,
    ) -> Match:
        """What comes out for inputs of these shapes. What does not fit is reported by the Match, not raised.

        Args:
            shapes: of ints and symbolic sizes; a str is the name of one. None for an optional input left out.
            env: the constructor's arguments; those whose names the Subscript mentions determine its symbols.
            dtypes: of the inputs, None where unknown.
            promote: the dtype that dtypes promote to, for `promote(T, U)`.
            strict_symbols: two symbolic sizes are equal only where their expressions are.
            allow_symbol: a symbol of an output that nothing determines stays a symbolic size.

        Raises:
            TypeError: where a shape has an entry that is no size.
        """
        return match(self, shapes, env or {}, dtypes, promote, strict_symbols, allow_symbol)

    def reverse(self) -> Subscript:
        """Outputs to inputs, with the same where.

        Raises:
            SubscriptError: where the outputs do not determine the inputs' ~, or have no such reverse.
        """
        return Subscript(str(replace(self.form, inputs=self.outputs, outputs=self.inputs)))

    def fixed(self) -> Subscript:
        """The same without ~."""

        def without(args: Sequence[Arg]) -> tuple[Arg, ...]:
            return tuple(replace(arg, terms=tuple(t for t in arg.terms if t.name != BATCH)) for arg in args)

        return Subscript(str(replace(self.form, inputs=without(self.inputs), outputs=without(self.outputs))))

    @classmethod
    def from_einsum(cls, equation: str) -> Subscript:
        """That of an einsum equation: "bij,bjk->bik" is `X0[b i j] X1[b j k] -> Y[b i k]`; an ellipsis is ~.

        Raises:
            ValueError: where it is no such equation.
        """
        before, arrow, after = equation.replace(" ", "").replace("...", BATCH).partition("->")
        operands = before.split(",")
        if not arrow:
            labels = before.replace(",", "")
            once = sorted(label for label in set(labels) - {BATCH} if labels.count(label) == 1)
            after = BATCH * (BATCH in labels) + "".join(once)
        if any(not (label.isalpha() or label == BATCH) for label in "".join((*operands, after))):
            raise ValueError(f"{equation!r} is no einsum equation: its labels are letters")
        if unknown := sorted(set(after) - set(before)):
            raise ValueError(f"{equation!r} is no einsum equation: {unknown[0]} is in no operand")
        if repeated := [label for label in after if after.count(label) > 1]:
            raise ValueError(f"{equation!r} is no einsum equation: {repeated[0]} is twice in the result")
        inputs = tuple(Arg(f"X{k}", tuple(map(_label, labels))) for k, labels in enumerate(operands))
        output = Arg("Y", tuple(replace(_label(label), broadcast=False) for label in after))
        return cls(str(Form(inputs, (output,))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Subscript) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __str__(self) -> str:
        return str(self.form)

    def __repr__(self) -> str:
        return f"Subscript({self.text!r})"


def _label(label: str) -> Term:
    return Term("run", BATCH, broadcast=True) if label == BATCH else Term("symbol", label)

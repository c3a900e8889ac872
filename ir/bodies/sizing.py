"""Sizing: sizes that a body computes with, `x.shape[1] // 4`, as what the program will compute.

A size is looked for among those of the arrays at hand; what is none of them is computed as it was here.
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..graphs.graph import Node
from ..graphs.static import Scalar
from ..sizes.dim import Atom, Dim, Sym, alone, maximum, minimum

if TYPE_CHECKING:
    from ..program import Program

#: What computes an atom from its parts.
COMPUTED: dict[str, Callable[..., Any]] = {
    "//": operator.floordiv, "%": operator.mod, "max": builtins.max, "min": builtins.min,
}  # fmt: skip


class NoSize(Exception):
    """A size that no array at hand has, and that is not computed of such."""


def as_parameter(program: Program, value: Any, arrays: Sequence[Node]) -> Any:
    """A parameter with nodes in the place of sizes that are not known.

    Raises:
        NoSize: where one of them cannot be computed of the sizes of `arrays`.
    """
    if type(value) is tuple and any(isinstance(size, Sym) for size in value):
        whole = next((array for array in arrays if array.spec.shape == value), None)
        if whole is not None:
            return program.static(getattr, whole, "shape", spec=Scalar(tuple, value))
    if type(value) in (tuple, list):
        return type(value)(as_parameter(program, item, arrays) for item in value)
    return Sizing(program, arrays).node(value) if isinstance(value, Sym) else value


class Sizing:
    """Makes nodes of sizes, of those of these arrays."""

    def __init__(self, program: Program, arrays: Sequence[Node]) -> None:
        self.program = program
        self.arrays = arrays

    def node(self, size: Dim) -> Any:
        if isinstance(size, int):
            return size
        for array in self.arrays:
            for axis, known in enumerate(array.spec.shape or ()):
                if isinstance(known, Sym) and known == size:
                    shape = self.program.static(getattr, array, "shape", spec=Scalar(tuple, array.spec.shape))
                    return self.program.static(operator.getitem, shape, axis, spec=Scalar(int, size))
        terms = map(self.term, size._terms.items())
        return functools.reduce(functools.partial(self.made, operator.add), terms)

    def term(self, term: tuple[Any, int]) -> Any:
        """A product: a coefficient, and powers of atoms."""
        monomial, coefficient = term
        factors = [self.atom(atom) for atom, power in monomial for _ in range(power)]
        if coefficient != 1 or not factors:
            factors.append(coefficient)
        return functools.reduce(functools.partial(self.made, operator.mul), factors)

    def atom(self, atom: Atom) -> Any:
        whole = alone(atom)
        if not atom.op or atom.op not in COMPUTED:
            found = self.node(whole) if any(whole in (a.spec.shape or ()) for a in self.arrays) else None
            if found is None:
                raise NoSize(f"the size {atom.text} is none of the arrays' that it is given")
            return found
        return self.made(COMPUTED[atom.op], *map(self.node, atom.parts))

    def made(self, function: Callable[..., Any], *parts: Any) -> Any:
        values = [part.spec.value if isinstance(part, Node) else part for part in parts]
        if not any(isinstance(part, Node) for part in parts):
            return function(*values)
        return self.program.static(function, *parts, spec=Scalar(int, computed(function, values)))


def computed(function: Callable[..., Any], values: Sequence[Dim]) -> Dim:
    """The size that is computed."""
    known: dict[Any, Callable[..., Any]] = {builtins.max: maximum, builtins.min: minimum}
    found: Dim = known.get(function, function)(*values)
    return found

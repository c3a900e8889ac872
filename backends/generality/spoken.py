"""Spoken: what is asked of an op and of the phrase that says it."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Region
from ...ir.graphs.static import is_asked
from ...ir.meaning.op import Op
from ...ir.meaning.operands import operand_specs
from ...ir.passes.fold import raw
from ...ir.values.dtypes import DTYPES
from ..backend import Backend
from ..lowering.storing import is_whole, unsigned
from ..phrase import Phrase
from ..signatures import signature
from ..speaking import asked
from ..typing import traits
from .held import Ever, Held, are_own
from .variants import Answer


def is_free(leaf: tuple[str, Node]) -> bool:
    """Whether the type of a number among the arguments is not checked."""
    return not is_asked(leaf)


def on_tape(number: Node) -> Node:
    """The number of the tape that one of a Program stands for."""
    origin = number.origin or number
    if number.target is operator.getitem and isinstance(origin.target, Region):
        parts = (u for u in origin.users if u.target is operator.getitem and u.args[1] == number.args[1])
        return next(parts, origin)
    return origin


def one_dtype(node: Node, source: Backend) -> bool:
    """Whether arrays that have no say in the dtype of an op must have it too."""
    return "beside" in traits(source.name, node.target)


def conditions(
    node: Node, mine: Sequence[Any], phrase: Phrase | None, side: int
) -> Iterator[tuple[int, int, str]]:
    """What a phrase says of the dtypes of operands: their places, and the kinds."""
    named = dict(zip(node.target.arrays, map(raw, node.args)))
    for test in phrase.conditions if phrase is not None else ():
        kinds = {*(test.kind or "").split("|")}
        if named.get(test.name) in mine and kinds <= DTYPES.keys() | {"uint", "int", "float", "complex"}:
            yield mine.index(named[test.name]), side, str(test.kind)
    if phrase is not None and phrase.when is not None:
        specs = operand_specs(node.target, node.args)
        for name in asked(phrase, node.args, specs, node.kwargs)[1]:
            spec = specs[node.target.arrays.index(name)]
            if named[name] in mine and spec is not None and spec.dtype is not None:
                yield mine.index(named[name]), side, spec.dtype.name


def rebinds(node: Node, source: Backend, target: Backend) -> bool:
    """Whether a write of all of an array is a new value in the text, of the dtype that this has: all but
    `x += y`. What may be a number of NumPy's is bound anew there by source and target alike.
    """
    base, value = node.args[:2]
    if not is_whole(node):
        return False
    number = not base.spec.rank and not (base.spec.rank is None and source.own_numbers)
    if not target.mutable or target.own_numbers and number and "path" not in base.meta:
        return True
    if not isinstance(value.target, Op) or value.args[:1] != (base,):
        return True
    return any(unsigned(other, base) for other in value.args[1:])


def sums(phrase: Phrase | None) -> bool | None:
    """Whether a function that makes sums takes `dtype=`; None where it is written in another way."""
    if phrase is None or phrase.form != "call":
        return None
    return any(p.name == "dtype" for p in signature(phrase.callee).parameters)


def all_alike(found: Answer, groups: Iterable[Iterable[Held]], ever: Ever) -> bool:
    """Whether source and target agree where all groups, which have the dtypes of arguments, have one dtype,
    and one of them raises where they have several.
    """
    alike = bool(found.given) and all(len({*keys}) == 1 for keys in (*found.given, *found.differing))
    return alike and all(are_own(arrays, ever) for arrays in groups)

"""What a call would give, without a value: the dictionary's own answer, asked while tracing.

The call is read into a Program that is thrown away. So inference and reading can never disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.errors import ShapeError
from ...ir.graphs.fitting import Pairs
from ...ir.graphs.graph import Node
from ...ir.graphs.static import Scalar
from ...ir.meaning.layers import remembered
from ...ir.meaning.op import Op
from ...ir.ops.joining import stacked
from ...ir.ops.reduction import along, reduced
from ...ir.ops.shape import turned
from ...ir.program import Program
from ...ir.sizes.dim import Dim
from ...ir.subscript import Constraint
from ...ir.values.spec import Spec
from ...ir.values.tree import ATOMS, leaves, made_of, tuple_fields
from ..backend import Backend, backend
from ..context import NO_WORD, Reading, Refusal
from ..rows import reading as phrases_of
from .call import by_rows

#: What is said of a call that torch takes, and the dictionary for other shapes only.
OTHER_SHAPES = "the dictionary reads it for arrays of other shapes only", "reshape what it is given"


@dataclass(frozen=True, slots=True)
class Seen:
    """An operand as inference sees it: its spec, and jax's weak form."""

    spec: Spec | Scalar
    form: str = "array"


def infer_call(
    source: Backend,
    names: Sequence[str],
    args: Any,
    kwargs: Any,
    program: Program | None = None,
    fitted: Pairs | None = None,
) -> Any:
    """What the first of `names` that the dictionary knows gives for these arguments, in which Seen stand for
    values.

    Args:
        program: the one that it is read into.
        fitted: takes up the sizes that broadcast with each other, see ir/graphs/fitting.py.

    Returns:
        Seen, or a tuple or list of them. A result that is one of the arguments is that argument's Seen.

    Raises:
        Refusal: where the dictionary cannot read the call.
        ShapeError: where the operands do not fit.
    """
    program = Program() if program is None else program
    if fitted is not None:
        program.meta["fitted"] = fitted
    reading = Reading(source, program)

    def stand_in(value: Any) -> Any:
        if type(value) in ATOMS:
            return value
        if isinstance(value, Seen):
            node = program.create_node("placeholder", "x")
            node.spec = value.spec
            node.form = value.form
            return node
        if isinstance(value, tuple):
            items = [stand_in(v) for v in value]
            return type(value)(*items) if tuple_fields(type(value)) is not None else tuple(items)
        if isinstance(value, list):
            return [stand_in(v) for v in value]
        if isinstance(value, dict):
            return {k: stand_in(v) for k, v in value.items()}
        if isinstance(value, slice):
            return slice(stand_in(value.start), stand_in(value.stop), stand_in(value.step))
        return value

    refusal: Refusal | None = None
    for name in names:
        try:
            return seen(by_rows(reading, name, stand_in(args), stand_in(kwargs)))
        except Refusal as why:
            if refusal is None or refusal.why.startswith("the dictionary"):
                refusal = why
    raise refusal or Refusal(*NO_WORD)


class Sizes(Program):
    """A Program that notes on which sizes it depends that no op of it refuses its operands.

    Attributes:
        assumed: what must hold of them.
        fixed: those of which the op alone knows what must hold.
    """

    def __init__(self) -> None:
        super().__init__()
        self.assumed: list[Constraint] = []
        self.fixed: list[Dim | None] = []

    def call(self, op: Op, *operands: Any, **params: Any) -> Any:
        specs = [value.spec for value in leaves((operands, params)) if isinstance(value, Node)]
        shapes = [spec.shape for spec in specs if isinstance(spec, Spec) and spec.shape != ()]
        if len(shapes) > 1 and any(shape is None or None in shape for shape in shapes):
            self.fixed.append(None)
        if op.raises == "none" or op.shape is not None and op.shape not in OF_ALL_SIZES:
            for shape in shapes:
                self.fixed += [None] if shape is None else shape
            if op.raises not in ("indices", "some"):  # which is asked of values
                self.fixed += [s.value for s in specs if isinstance(s, Scalar) and s.type is int]
        return super().call(op, *operands, **params)

    def hold(self, assumed: Sequence[Constraint]) -> None:
        self.assumed += assumed


#: What computes shapes from axes alone, whatever the sizes are.
BY_AXES = (along, reduced, stacked, turned)
#: Those of them that fit all sizes.
OF_ALL_SIZES = (along, reduced, turned)


@remembered()
def ops_of(framework: str, names: tuple[str, ...]) -> tuple[Op, ...]:
    """The ops one of which a call of these names is."""
    source = backend(framework)
    method = f"{source.array_type}."
    for name in names:
        functions = (f"{module}.{name.removeprefix(method)}" for module in source.functions)
        for spelled in (name, *(functions if name.startswith(method) else ())):
            phrases = phrases_of(framework, spelled)
            if phrases:
                return tuple(phrase.op for phrase in phrases)
    return ()


@remembered()
def regular(framework: str, names: tuple[str, ...]) -> bool:
    """Whether the shape of what a call of these names gives is told by Subscripts, or by axes alone, and so
    is of one form for all sizes, save 0 and 1.
    """
    ops = ops_of(framework, names)
    return bool(ops) and all(op.subscripts if op.shape is None else op.shape in BY_AXES for op in ops)


@remembered()
def keeps_shape(framework: str, names: tuple[str, ...]) -> bool:
    """Whether what a call of these names gives has the shape of its arrays, where these have one."""
    ops = ops_of(framework, names)
    single = all(op.shape is along and len(op.arrays) == 1 and op.variadic is None for op in ops)
    return single or all(op.elementwise and op.elementwise == {*op.arrays} for op in ops)


def resized(framework: str, names: tuple[str, ...], known: Seen, args: Any) -> Seen | None:
    """What a regular call gives for arrays of one shape, of which is known what it gives for those of
    another; None where that has not their shape.
    """
    specs = [each.spec for each in leaves(args) if isinstance(each, Seen) and isinstance(each.spec, Spec)]
    first = specs[0].shape if specs else None
    if first is None or len(specs) > 1 and (None in first or any(spec.shape != first for spec in specs)):
        return None
    if not isinstance(known.spec, Spec) or known.spec.rank != len(first) or not keeps_shape(framework, names):
        return None
    return Seen(Spec(first, known.spec.dtype), known.form)


def pattern(seen: Any) -> Any:
    """The arguments of a call as the form of a regular result depends on them: numbers as they are, of arrays
    the dtype, the rank, and which sizes are 0 or 1.
    """
    if isinstance(seen, Seen):
        if isinstance(seen.spec, Spec):
            sizes = seen.spec.hint_shape
            few = None if sizes is None else tuple(2 if n is None else min(n, 2) for n in sizes)
            return seen.spec.dtype, few, seen.form
        return seen
    if isinstance(seen, (tuple, list)):
        return type(seen), *map(pattern, seen)
    if isinstance(seen, dict):
        return dict, *((key, pattern(value)) for key, value in seen.items())
    return type(seen), seen


def seen(made: Any) -> Any:
    if isinstance(made, Node):
        return Seen(made.spec, made.form)
    if isinstance(made, (tuple, list)):
        return made_of(type(made), map(seen, made))
    return made


__all__ = ["Refusal", "Seen", "ShapeError", "infer_call"]

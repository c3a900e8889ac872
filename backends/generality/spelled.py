"""Spelled: the dtype that comes of an op where a target spells it out, for whatever dtypes it is given."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...ir.bodies.building import Unknown
from ...ir.errors import UNFIT, TraceError, UnsupportedError
from ...ir.graphs.graph import Node, map_arg
from ...ir.graphs.static import Scalar, values
from ...ir.meaning.op import REGISTER, Op
from ...ir.meaning.results import over
from ...ir.passes.fold import raw
from ...ir.program import Program
from ...ir.values.dtypes import PYTHON, DType
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves
from ..backend import Backend
from ..lowering.lower import spell_out
from ..typing import NoTyping, Operand, typing


class Step(NamedTuple):
    """One op of a body.

    Attributes:
        cls, op: as in typing; "" where the dtype is that of the operand, or `fixed`.
        operands: numbers of earlier values, the body's own arrays first, each with its rank; and scalars.
        fixed: the dtype that the body itself says.
        params: the op's parameters.
    """

    cls: str
    op: str
    operands: tuple[tuple[int, int | None] | Operand, ...]
    fixed: DType | None
    params: str = ""


#: Classes of ops whose results are of one dtype whatever they are given.
ANYHOW = frozenset({"compare", "bool", "index"})
#: What was found before, by the op and all that its body may look at.
FOUND: dict[Any, tuple[Step, ...] | None] = {}
MOST = 4096


def steps(
    node: Node, args: Sequence[Any], target: Backend, source: Backend, dtype: DType | None = None
) -> tuple[Step, ...] | None:
    """The ops in which the target spells out an op on operands, or with such of another dtype as are
    computed with, of several results the first; None where they are not known, or more than ops on arrays.
    """
    specs = [
        (v.spec, v.spec.hint_shape, raw(v).spec.dtype) if is_array(v) else (repr(v), number(v)) for v in args
    ]
    sides = (target.name, target.x64, source.name, source.x64)
    key = (node.target, *specs, node.spec, repr(values(node.kwargs)), dtype, sides)
    if key not in FOUND:
        if len(FOUND) >= MOST:
            FOUND.clear()
        known = all(rule.cls in ANYHOW for rule in node.target.rules[1:])
        FOUND[key] = spelled(node, args, target, source, dtype) if known else None
    return FOUND[key]


def is_array(value: Any) -> bool:
    return isinstance(value, Node) and isinstance(value.spec, Spec)


def number(value: Any) -> type | None:
    """The type of a recorded number."""
    return value.spec.type if isinstance(value, Node) and isinstance(value.spec, Scalar) else None


def used(found: Sequence[Step], arrays: Sequence[Node]) -> set[Node]:
    """The operands of an op on whose dtypes that of its result depends: not those that say positions."""
    needed = {len(arrays) + len(found) - 1}
    for number, made in reversed([*enumerate(found, len(arrays))]):
        if number in needed:
            needed |= {o[0] for o in made.operands if not isinstance(o, Operand)}
    return {array for number, array in enumerate(arrays) if number in needed}


def spelled(
    node: Node, args: Sequence[Any], target: Backend, source: Backend, dtype: DType | None
) -> tuple[Step, ...] | None:
    program = Program()
    operands = []
    arrays = [value for value in args if is_array(value)]
    first = arrays[0].spec.dtype
    computed = used(steps(node, args, target, source) or (), arrays) if dtype is not None else set()
    for value in args:
        if is_array(value):
            same = value in computed and value.spec.dtype == first
            operands.append(promoted(program, value, dtype if same else value.spec.dtype))
        else:
            operands.append(placeholder(program, value, value.spec) if isinstance(value, Node) else value)
    numbers = {n: placeholder(program, n, n.spec) for n in leaves(node.kwargs) if number(n) is not None}
    params = {name: map_arg(value, numbers.get) for name, value in node.kwargs.items()}
    try:
        made = program.call(node.target, *operands, **params)
        program.output(made[0] if isinstance(made, tuple) else made)
        refusals: list[UnsupportedError] = []
        spell_out(program, target, source, refusals)
    except (Unknown, TraceError, *UNFIT):  # a body may not reckon with sizes that are expressions
        return None
    program.eliminate_dead_code()
    first = node.spec[0] if isinstance(node.spec, tuple) else node.spec
    return None if refusals else listed(program, None if dtype is not None else first.dtype, target)


def promoted(program: Program, value: Node, dtype: DType | None) -> Node:
    """What stands for an operand: as it is given, and cast where promotion casts it."""
    given = raw(value)
    if given is value:
        return placeholder(program, value, Spec(value.spec.shape, dtype))
    made: Node = program.call(REGISTER["cast"], placeholder(program, given, given.spec), dtype=dtype)
    made.implicit = True
    return made


def placeholder(program: Program, value: Node, spec: Any) -> Node:
    made = program.create_node("placeholder", value.name, name=value.name)
    made.spec = spec
    return made


def listed(program: Program, promised: DType | None, target: Backend) -> tuple[Step, ...] | None:
    """The ops of a program as steps; `promised` is the dtype that its result is cast to."""
    numbers: dict[Node, int] = {}
    found = []
    for inner in program.nodes:
        if inner.op == "placeholder":
            if is_array(inner):
                numbers[inner] = len(numbers)
        elif inner.op == "call_function" and not isinstance(inner.spec, Scalar):  # and no size
            made = step(inner, numbers, target)
            if made is None:
                return None
            numbers[inner] = len(numbers)
            found.append(made)
    result = program.output_node.args[0]
    if not found or numbers.get(result) != len(numbers) - 1:
        return None
    if promised not in (None, result.spec.dtype):
        found.append(Step("", "", ((numbers[result], None),), promised))
    return tuple(found)


def step(node: Node, numbers: dict[Node, int], target: Backend) -> Step | None:
    op = node.target
    if not isinstance(op, Op) or op.static or not isinstance(node.spec, Spec):
        return None
    if op.rules[0].cls == "free":
        like = [a for a in node.args if isinstance(a, Node)]
        if op is REGISTER["cast"] or not like or node.kwargs.get("dtype") is not None:
            return Step("", "", (), node.spec.dtype, repr(node.kwargs))
        if like[0] not in numbers:
            return None
        return Step("", "", ((numbers[like[0]], node.spec.rank),), None, repr(node.kwargs))
    operands: list[Any] = []
    given = [value for value in over(op, op.rules[0], node.args) if value is not None]
    bare = list(map(raw, given))
    for value in bare:
        if isinstance(value, Node) and isinstance(value.spec, Spec):
            if value not in numbers or value.target is operator.getitem:
                return None
            operands.append((numbers[value], value.spec.rank))
        elif type(value) in PYTHON:
            operands.append(Operand(0, PYTHON[type(value)], "python", value))
        elif (kind := number(value)) is not None and kind in PYTHON:
            operands.append(Operand(0, PYTHON[kind], "python", None))
        else:
            return None
    said = node.spec.dtype if given != bare and not comes(node, bare, target) else None
    return Step(op.rules[0].cls, op.name, tuple(operands), said, repr(node.kwargs))


def comes(node: Node, operands: Sequence[Any], target: Backend) -> bool:
    """Whether the target computes an op in its dtype without the casts of promotion; else the text says it:
    `torch.sum(x > 0, dtype=torch.float64)`.
    """
    given = [
        Operand(v.spec.rank, v.spec.dtype)
        if is_array(v)
        else Operand(0, PYTHON[number(v) or type(v)], "python")
        for v in operands
    ]
    op = node.target
    try:
        found = typing(target.name, op.rules[0].cls, given, op=op.name, x64=target.x64)
    except NoTyping:
        return True
    return bool(found.result == node.spec.dtype)


def result(found: Sequence[Step], given: Sequence[Operand], name: str, x64: bool) -> tuple[DType, str]:
    """What comes of the steps on these operands: its dtype, and whether it is weak.

    Raises:
        NoTyping: where that is not known. Refused: where the framework raises.
    """
    values = list(given)
    for made in found:
        operands = [
            o if isinstance(o, Operand) else Operand(o[1], values[o[0]].dtype, values[o[0]].form)
            for o in made.operands
        ]
        if made.fixed is not None:
            values.append(Operand(None, made.fixed))
        elif not made.cls and not operands:
            raise NoTyping("a step of no arrays")
        elif not made.cls:
            values.append(operands[0])
        else:
            typed = typing(name, made.cls, operands, op=made.op, x64=x64)
            values.append(Operand(None, typed.result, typed.form))
    last = values[-1]
    if last.dtype is None:
        raise NoTyping("unknown")
    return last.dtype, "array" if last.form == "python" else last.form

"""Bodies: what the body of an op computes with, in terms of other ops: each op that is called in one is a
node more of a Program. Outside of any body, ops are called on arrays, or on the stand-ins of a trace.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from ..graphs.graph import Node
from ..graphs.leaves import pin_flags
from ..graphs.static import Scalar
from ..meaning.op import CALLED, REGISTER, Op
from ..meaning.operators import BINARY, COMPARING, OPS, UNARY
from ..meaning.steps import Steps
from ..noting import by_rank
from ..program import Program
from ..values.dtypes import DType, bool_
from ..values.spec import Spec
from .sizing import as_parameter
from .unknown import Number


def only_if(holds: bool) -> None:
    """Of other operands and parameters the body of an op does not say what it means.

    Raises:
        NotImplementedError: where this does not hold.
    """
    if not holds:
        raise NotImplementedError


class Value:
    """A node of a Program with operators on it: what the body of an op computes with."""

    __slots__ = ("node", "program")

    def __init__(self, program: Program, node: Node) -> None:
        self.program = program
        self.node = node

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape, which must be known. What only the running program knows of it is a Number in bodies of
        the users', a Sym in ours.

        Raises:
            Unknown: when it is not.
        """
        shape = self.known()
        if not (_building and _building[-1].users) or all(isinstance(size, int) for size in shape):
            return shape
        whole = self.program.static(getattr, self.node, "shape", spec=Scalar(tuple, shape))
        return tuple(
            size if isinstance(size, int) else
            Number(self.program, self.program.static(operator.getitem, whole, i, spec=Scalar(int, size)))
            for i, size in enumerate(shape)
        )  # fmt: skip

    def known(self) -> tuple[Any, ...]:
        by_rank(self.node)
        if self.node.spec.shape is None:
            raise Unknown(self.node)
        return tuple(self.node.spec.shape)

    def __bool__(self) -> NoReturn:
        raise TypeError("in the body of an op an array has no truth: where(condition, a, b) chooses")

    def __iter__(self) -> NoReturn:
        raise TypeError("in the body of an op an array has no items to go through: index it")

    __len__ = __iter__

    @property
    def rank(self) -> int:
        return len(self.known())

    @property
    def known_rank(self) -> int | None:
        """The rank, None where it is not known."""
        by_rank(self.node)
        rank: int | None = self.node.spec.rank
        return rank

    @property
    def sizes(self) -> Any:
        """The whole shape as a parameter: ints where they are known, else what the program will read."""
        shape = self.node.spec.shape
        if shape is not None and all(isinstance(size, int) for size in shape):
            by_rank(self.node)
            return tuple(shape)
        return self.program.static(getattr, self.node, "shape", spec=Scalar(tuple, shape))

    @property
    def dtype(self) -> DType:
        if self.node.spec.dtype is None:
            raise Unknown(self.node)
        found: DType = self.node.spec.dtype
        return found

    @property
    def is_bool(self) -> bool:
        """Whether it has bools. Where the body means another thing by them, they must be such."""
        found = self.dtype == bool_
        if found:
            pin_flags([self.node])
        return found

    def size(self, axis: int) -> Any:
        """The size of an axis: an int, or a Value for what Python knows only when the program runs.

        Raises:
            Unknown: when the shape is not known.
        """
        if self.node.spec.shape is None:
            raise Unknown(self.node)
        size = self.node.spec.shape[axis]
        if isinstance(size, int):
            return size
        read = self.program.static(operator.getitem, self.sizes, axis, spec=Scalar(int, size))
        return Value(self.program, read)

    def __getitem__(self, key: Any) -> Value:
        key = key if isinstance(key, tuple) else (key,)
        return REGISTER["getitem"](self, key=key)  # type: ignore[no-any-return]


class Unknown(Exception):
    """The body of an op asked for the shape or dtype of a value that has none yet."""

    def __init__(self, node: Node) -> None:
        super().__init__(f"the shape or dtype of {node.name} is not known")
        self.node = node


def _operator(name: str, swapped: bool = False) -> Any:
    def method(self: Value, other: Any) -> Any:
        a, b = (other, self) if swapped else (self, other)
        return REGISTER[name](a, b)

    return method


for _each in BINARY:
    setattr(Value, f"__{_each.method}__", _operator(_each.op))
    setattr(Value, f"__r{_each.method}__", _operator(_each.op, swapped=True))
for _each in COMPARING:
    setattr(Value, f"__{_each.method}__", _operator(_each.op))
for _dunder, _name in [*((each.method, each.op) for each in UNARY if each.op), ("abs", OPS[abs])]:
    setattr(Value, f"__{_dunder}__", lambda self, _name=_name: REGISTER[_name](self))


class Building(NamedTuple):
    """A Program to which a body adds, the arrays that it was given, and whether it is a user's."""

    program: Program
    arrays: Sequence[Node]
    users: bool


_building: list[Building] = []


@contextmanager
def building(program: Program, arrays: Sequence[Node] = (), users: bool = False) -> Iterator[None]:
    """Ops without array operands, called inside, add themselves to `program`. Sizes that are computed with
    are those of `arrays`.
    """
    _building.append(Building(program, arrays, users))
    try:
        yield
    finally:
        _building.pop()


def apply(op: Op, operands: Sequence[Any], params: dict[str, Any]) -> Any:
    """What calling an op inside a body means: a node in the Program of its operands. Elsewhere it is asked
    what its operands are: arrays of a framework, or stand-ins of a trace.
    """
    mine = next((v.program for v in operands if isinstance(v, Value)), None)
    if mine is None and not _building:
        return elsewhere(op, operands, params)
    outer, given = _building[-1][:2] if _building else (mine, ())
    program = mine or outer
    assert program is not None
    arrays = [*given, *(v for v in bare(list(operands)) if isinstance(v, Node))]
    params = {name: as_parameter(program, bare(value), arrays) for name, value in params.items()}
    made = program.call(op, *bare(operands), **params)
    return tuple(Value(program, n) for n in made) if isinstance(made, tuple) else Value(program, made)


CALLED.append(apply)


def elsewhere(op: Op, operands: Sequence[Any], params: dict[str, Any]) -> Any:
    """An op that is called outside of any body."""
    for operand in operands:
        if hasattr(type(operand), "__called_op__"):
            return operand.__called_op__(op, operands, params)
    eager = importlib.import_module(".eager", __package__.partition(".")[0])  # which stands above
    return eager.called(op, operands, params)


def bare(value: Any) -> Any:
    """Nodes in place of Values and Numbers, in tuples and lists too."""
    if type(value) is tuple and (whole := whole_shape(value)) is not None:
        return whole
    if type(value) in (tuple, list):
        return type(value)(map(bare, value))
    return value.node if type(value) in (Value, Number) else value


def whole_shape(sizes: tuple[Any, ...]) -> Node | None:
    """The shape of an array, where these are all its sizes."""
    read = next((size.node for size in sizes if type(size) is Number), None)
    if read is None or read.target is not operator.getitem:
        return None
    whole: Node = read.args[0]
    known = whole.spec.value
    if type(known) is not tuple or len(known) != len(sizes):
        return None
    mine = (
        size.node.args == (whole, i) if type(size) is Number else type(size) is int and size == known[i]
        for i, size in enumerate(sizes)
    )  # fmt: skip
    return whole if all(mine) else None


def inline(program: Program, op: Op, operands: Sequence[Any], params: dict[str, Any]) -> Any:
    """Add the op's body in place of the op. Returns a node, or a tuple of nodes.

    Raises:
        Unknown: when the body needs a shape or dtype that is not known.
    """
    assert op.body is not None
    wrapped = [wrap(program, value, op) for value in operands]
    params = {name: wrap(program, value, op) for name, value in params.items()}
    outer, program.steps = program.steps, Steps(op.body)
    try:
        with building(program, [v.node for v in wrapped if type(v) is Value], not op.is_ours):
            made = op.body(*wrapped, **params)
        program.steps.name()
    finally:
        program.steps = outer
    parts = made if isinstance(made, tuple) else (made,)
    if not all(type(part) is Value for part in parts):
        wrong = next(type(part).__name__ for part in parts if type(part) is not Value)
        raise TypeError(f"it gives a {wrong}, and no array that an op made")
    return tuple(v.node for v in made) if isinstance(made, tuple) else made.node


def wrap(program: Program, value: Any, op: Op) -> Any:
    """An operand or parameter as a body gets it. Ours ask nothing of numbers that they do not know."""
    if not isinstance(value, Node):
        return value
    if isinstance(value.spec, Spec):
        return Value(program, value)
    return Number(program, value) if value.spec.type in (bool, int, float) and not op.is_ours else value

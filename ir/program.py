"""Program: a Graph whose every call is an op with a Spec. Pure, in SSA, with one dtype among the operands of
an op.

A Program knows no framework: no weak types, no 0-d rules, no default dtypes. Python scalars stand in it as
they are and take the dtype of the arrays beside them. It prints as typed Python, and `verify` says whether it
is well-formed.
"""

from __future__ import annotations

import importlib
import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .dim import Sym, hint_of
from .dtypes import DType
from .errors import GraphError, ShapeError
from .fitting import note
from .graph import Graph, Node, map_arg, text
from .leaves import by_rank
from .local import is_local
from .op import CALLED, REGISTER, Op, infer
from .operands import operand_specs
from .operators import BINARY, COMPARING
from .regions import Function, graphs, guard
from .sizing import as_parameter
from .spec import Spec
from .static import Scalar, values
from .steps import Steps
from .subscript import Constraint
from .verification import verify
from .walk import inner_graphs

Operand = Node | int | float | complex | bool | None
#: The parameters of ops that are sizes of what comes out.
SIZES = frozenset({"shape", "sizes"})


class Program(Graph):
    """See the module. `call` adds an op; everything else is Graph's.

    `origin` is the tape node that nodes made from now on stand for.
    """

    origin: Node | None = None
    steps: Steps | None = None

    def create_node(
        self,
        op: str,
        target: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> Node:
        node = super().create_node(op, target, args, kwargs, name)
        node.origin = self.origin
        if self.steps is not None:
            self.steps.note(node)
        return node

    def call(
        self, op: Op, *operands: Any, result: Sequence[DType | None] | None = None, **params: Any
    ) -> Any:
        """Add `op` applied to nodes and Python scalars. Returns its node, or a tuple of nodes for an op with
        several results.

        Args:
            result: the dtypes of the results, where the reader knows them better than the op's class.

        Raises:
            ShapeError: when the operands do not fit.
        """
        params = {**{k: v for k, v in op.params.items() if v is not ...}, **params}
        missing = [name for name in op.params if name not in params]
        if missing or params.keys() - op.params.keys():
            wrong = missing or sorted(params.keys() - op.params.keys())
            raise GraphError(
                f"{op.name}: parameter {', '.join(wrong)} {'is missing' if missing else 'is unknown'}"
            )
        params |= {name: map_arg(params[name], self.left_over) for name in SIZES & params.keys()}
        operands = (*operands, *[None] * (len(op.arrays) - len(operands)))
        assumed: list[Constraint] = []
        specs = infer(op, operand_specs(op, operands), values(params), assumed)
        self.hold(assumed)
        if result is not None:
            specs = [Spec(s.shape, d or s.dtype) for s, d in zip(specs, result, strict=True)]
        node = self.create_node("call_function", op, tuple(operands), params, name=op.name)
        if not op.several:
            node.spec = specs[0]
            return node
        node.spec = tuple(specs)
        return tuple(self.project(node, i) for i in range(len(specs)))

    def left_over(self, size: Node) -> Any:
        """A size as it is said: one that is negative in the example stands for what is left over, and is
        guarded to.
        """
        value = size.spec.value if isinstance(size.spec, Scalar) else None
        if not isinstance(value, Sym) or is_local(value) or (value.hint or 0) >= 0:
            return size
        self.create_node("call_function", guard, (value, value.hint)).spec = Scalar(type(None))
        return value.hint

    def hold(self, assumed: Sequence[Constraint]) -> None:
        """Guard what inference assumed, where the text would mean something else without it.

        Sizes that are taken to be equal need no guard: were they not, source and target would both raise. But
        of a size that is taken to be 1 beside another 1, the result would be another size at run time, unless
        it is said by both. Sizes that broadcast are noted, see fitting.py.
        """
        for constraint in (c for c in assumed if c.broadcasts):
            note(self, constraint.lhs, constraint.rhs)
        for constraint in (c for c in assumed if not c.stretches):
            sides = (constraint.lhs, constraint.rhs)
            if constraint.op == "==" and all(hint_of(side) == 1 for side in sides):
                for side in sides:
                    if is_local(side):
                        name = str(side).rstrip("@")
                        raise ShapeError(
                            f"a size of {name}, which a loop or branch decides, is 1 here and need not be"
                        )
                    if isinstance(side, Sym):
                        self.create_node("call_function", guard, (side, 1)).spec = Scalar(type(None))

    def project(self, node: Node, index: int) -> Node:
        """The `index`-th result of a node with several."""
        part = self.create_node("call_function", operator.getitem, (node, index))
        part.spec = node.spec[index]
        return part

    def static(self, fn: Any, *args: Any, spec: Scalar, **kwargs: Any) -> Node:
        """Add a piece of plain Python on static values: `fn` is of operator, math or builtins, or a static
        Op.
        """
        node = self.create_node("call_function", fn, args, kwargs)
        node.spec = spec
        return node

    def verify(self) -> None:
        """Check that it is well-formed, see verification.py; the graphs inside it too.

        Raises:
            GraphError: on the first fault.
        """
        verify(self)

    def __str__(self) -> str:
        return listing(self)


class Value:
    """A node of a Program with operators on it: what the body of an op computes with."""

    __slots__ = ("node", "program")

    def __init__(self, program: Program, node: Node) -> None:
        self.program = program
        self.node = node

    @property
    def shape(self) -> tuple[Any, ...]:
        """The shape, which must be known.

        Raises:
            Unknown: when it is not.
        """
        by_rank(self.node)
        if self.node.spec.shape is None:
            raise Unknown(self.node)
        return tuple(self.node.spec.shape)

    @property
    def rank(self) -> int:
        return len(self.shape)

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
            return tuple(shape)
        return self.program.static(getattr, self.node, "shape", spec=Scalar(tuple, shape))

    @property
    def dtype(self) -> DType:
        if self.node.spec.dtype is None:
            raise Unknown(self.node)
        found: DType = self.node.spec.dtype
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
for _dunder, _name in {"neg": "negative", "invert": "bitwise_invert", "abs": "abs"}.items():
    setattr(Value, f"__{_dunder}__", lambda self, _name=_name: REGISTER[_name](self))

#: The Programs to which bodies add, and the arrays that they were given.
_building: list[tuple[Program, Sequence[Node]]] = []


@contextmanager
def building(program: Program, arrays: Sequence[Node] = ()) -> Iterator[None]:
    """Ops without array operands, called inside, add themselves to `program`. Sizes that are computed with
    are those of `arrays`.
    """
    _building.append((program, arrays))
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
    outer, given = _building[-1] if _building else (mine, ())
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
    """Nodes in place of Values, in tuples and lists too."""
    if type(value) in (tuple, list):
        return type(value)(map(bare, value))
    return value.node if isinstance(value, Value) else value


def inline(program: Program, op: Op, operands: Sequence[Any], params: dict[str, Any]) -> Any:
    """Add the op's body in place of the op. Returns a node, or a tuple of nodes.

    Raises:
        Unknown: when the body needs a shape or dtype that is not known.
    """
    assert op.body is not None
    wrapped = [Value(program, v) if isinstance(v, Node) and isinstance(v.spec, Spec) else v for v in operands]
    outer, program.steps = program.steps, Steps(op.body)
    try:
        with building(program, [v.node for v in wrapped if isinstance(v, Value)]):
            made = op.body(*wrapped, **params)
        program.steps.name()
    finally:
        program.steps = outer
    return tuple(v.node for v in made) if isinstance(made, tuple) else made.node


def listing(program: Graph, indent: str = "") -> str:
    """The graph as typed Python, one op a line, its spec as a comment."""
    parameters = ", ".join(f"{n.name}: {n.spec}" for n in program.nodes if n.op == "placeholder")
    rows: list[tuple[str, str]] = []
    for node in program.nodes:
        if node.op == "placeholder":
            continue
        if node.op == "output":
            rows.append((f"return {plain(node.args[0])}", ""))
            continue
        rows.append((f"{node.name} = {call_text(node)}", spec_text(node.spec)))
    width = min(max((len(left) for left, right in rows if right), default=0), 72)
    body = [
        f"{indent}    {left.ljust(width)}  # {right}" if right else f"{indent}    {left}"
        for left, right in rows
    ]
    inner = [listing(g, indent) for g in inner_graphs(program)]
    return "\n\n\n".join([f"{indent}def {program.name}({parameters}):\n" + "\n".join(body), *inner])


def deep(program: Program) -> Program:
    """A copy, the graphs inside copied too."""
    made: Program = program.copy()  # type: ignore[assignment]
    for node in made.nodes:
        inner = {id(g): deep(g) for g in graphs(node)}  # type: ignore[arg-type]
        if inner:
            node.args = tuple(inner.get(id(a), a) for a in node.args)
            if isinstance(node.target, Function):
                node.target = Function(node.target.name, inner[id(node.target.graph)])
    return made


def spec_text(spec: Any) -> str:
    return ", ".join(map(str, spec)) if isinstance(spec, tuple) else str(spec)


def call_text(node: Node) -> str:
    if node.op == "get_attr":
        return str(node.target)
    if node.target is operator.getitem and isinstance(node.args[0].spec, tuple):
        return f"{plain(node.args[0])}[{node.args[1]}]"
    given = [plain(a) for a in node.args if a is not None]
    defaults = node.target.params if isinstance(node.target, Op) else {}
    named = [f"{k}={plain(v)}" for k, v in node.kwargs.items() if not (k in defaults and defaults[k] is v)]
    name = (
        node.target
        if isinstance(node.target, str)
        else getattr(node.target, "name", None) or node.target.__name__
    )
    return f"{name}({', '.join(given + named)})"


def plain(value: Any) -> str:
    return text(value).replace("%", "")

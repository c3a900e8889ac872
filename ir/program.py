"""Program: a Graph whose every call is an op with a Spec. Pure, in SSA, with one dtype among the operands of
an op.

A Program knows no framework: no weak types, no 0-d rules, no default dtypes. Python scalars stand in it as
they are and take the dtype of the arrays beside them. It prints as typed Python, and `verify` says whether it
is well-formed.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from .errors import GraphError, ShapeError
from .graphs.fitting import note
from .graphs.graph import Graph, Node, map_arg, text
from .graphs.regions import Function, graphs, guard
from .graphs.static import Scalar, values
from .graphs.walk import inner_graphs
from .meaning.op import Op
from .meaning.operands import operand_specs
from .meaning.results import infer
from .meaning.steps import Steps
from .sizes.dim import Dim, Sym, hint_of
from .sizes.local import is_local
from .sizes.sliced import Facts, one_in_every_turn
from .subscript import Constraint
from .values.dtypes import DType
from .values.spec import Spec
from .verification import verify

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
        it is said by both. Sizes that broadcast are noted, see fitting.py, and how long slices are taken to
        be.
        """
        for constraint in assumed:
            if constraint.broadcasts:
                note(self, constraint.lhs, constraint.rhs)
            elif constraint.orders:
                note(self, constraint.excess, 0)
        for constraint in (c for c in assumed if not c.stretches):
            sides = (constraint.lhs, constraint.rhs)
            if constraint.op == "==" and all(hint_of(side) == 1 for side in sides):
                for size, expected in (fact for side in sides for fact in ones(side)):
                    if isinstance(size, Sym):
                        self.create_node("call_function", guard, (size, expected)).spec = Scalar(type(None))

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


def ones(size: Dim) -> Facts:
    """What makes a size 1 that is 1 in the example.

    Raises:
        ShapeError: where a loop or a branch decides that.
    """
    if not is_local(size):
        return [(size, 1)]
    found = one_in_every_turn(size)
    if found is None or any(hint_of(what) != expected for what, expected in found):
        name = str(size).rstrip("@")
        raise ShapeError(f"a size of {name}, which a loop or branch decides, is 1 here and need not be")
    return found


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


def deep(program: Program, copies: dict[int, Program] | None = None) -> Program:
    """A copy, the graphs inside copied too: calls that share one share its copy. `copies`: those that there
    are, by the ids of what they are copies of.
    """
    made: Program = program.copy()  # type: ignore[assignment]
    inner = {} if copies is None else copies
    for node in made.nodes:
        for graph in graphs(node):
            if id(graph) not in inner:
                inner[id(graph)] = deep(graph, inner)  # type: ignore[arg-type]
        if graphs(node):
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

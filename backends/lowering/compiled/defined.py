"""Defining: what a compiled region hands on must have a value on every way, of one shape and dtype."""

from __future__ import annotations

import operator
from typing import Any, Protocol

from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Node
from ....ir.graphs.regions import UNDEFINED, Region, graphs, is_loop, loop
from ....ir.graphs.static import Scalar, in_words
from ....ir.graphs.walk import own_nodes
from ....ir.meaning.op import REGISTER
from ....ir.program import Program
from ....ir.sizes.dim import hint_of
from ....ir.values.dtypes import DType
from ....ir.values.spec import Spec
from ...backend import Backend

#: What to do about values that differ in shape or dtype.
WAY_OUT = 'give them one shape and dtype, on every way and before a loop; or ask for control="python"'
#: Likewise of values that are made of what masks pick, and what these are.
PICKED = "made of what a mask picks on one way, which has no shape before the program runs"
MASKED = "choose with where(mask, x, 0), and divide a sum by mask.sum(), outside the branch or loop"


class Arrays(Protocol):
    """Who makes arrays of the numbers of a program, see values.Staging."""

    target: Backend
    #: The numbers that become arrays.
    arrays: set[Node]
    #: How many compiled regions there are around.
    depth: int

    def array(self, program: Program, value: Any, dtype: DType | None = None) -> Node:
        """A value as an array."""

    def cast(self, program: Program, value: Node, dtype: DType | None) -> Node:
        """An array of this dtype."""

    def column(self, spec: Any) -> Any:
        """What is known of a value once it is an array."""


def defined(staging: Arrays, graph: Program, node: Node, value: Any, spec: Any, index: int) -> Any:
    """A value as its column has it, the `index`-th of the region.

    Raises:
        UnsupportedError: where it has another shape or dtype.
    """
    if value is UNDEFINED:
        return zeros(staging, graph, node, spec)
    if not isinstance(spec, Spec):
        return value
    if spec.dtype is not None and (not isinstance(value, Node) or isinstance(value.spec, Scalar)):
        return staging.cast(graph, staging.array(graph, value, spec.dtype), spec.dtype)
    if spec.dtype is not None and value in staging.arrays and spec.shape == ():  # another way has a float
        return staging.cast(graph, value, spec.dtype)
    have = value.spec if isinstance(value, Node) else Scalar(type(value))
    same = isinstance(have, Spec) and have.dtype == spec.dtype and hints(have) == hints(spec)
    if not same or spec.dtype is None:
        what = everywhere(node, index)
        picked = len({one for one, _ in what}) == 1 and spec.shape is None  # alike, now that no mask picks
        said = " and ".join(f"{one} {where}" for one, where in what) or in_words(have)
        raise UnsupportedError(
            "a value that changes its shape or dtype",
            backend=staging.target.name, span=node.span or value.span,
            why=f"it is {PICKED if picked else said}, and what is compiled has one shape and dtype",
            hint=MASKED if picked else WAY_OUT,
        )  # fmt: skip
    return value


def everywhere(node: Node, index: int) -> list[tuple[str, str]]:
    """What a value of a region is on each way, in words."""
    if is_loop(node):
        parts = loop(node)
        ways = {"before the loop": parts.state, "after a turn of it": parts.yields}
    else:
        ways = dict(zip(("on one way", "on another"), (g.output_node.args[0] for g in graphs(node))))
    found = {where: values[index] for where, values in ways.items() if index < len(values)}
    known = {k: v.spec for k, v in found.items() if isinstance(v, Node)}
    return [(in_words(spec), where) for where, spec in known.items()]


def filled(staging: Arrays, program: Program, node: Node) -> None:
    """Let a region that Python runs give a value on every way, where compiled code takes what it gives; and
    begin a loop with arrays where its turns have arrays, which a number could not be taken for.
    """
    taken = {user.args[1] for user in node.users if wanted(staging, user)}
    if is_loop(node):
        first, body, state, operands = node.args
        taken |= {i for i, p in enumerate(loop(node).carried) if any(map(compiles, p.users))}
        with program.inserting_before(node):
            made = [plain(staging, program, node, v, i, taken) for i, v in enumerate(state)]
            made = [as_array(staging, program, *pair) for pair in zip(made, loop(node).carried)]
            node.args = (first, body, tuple(made), operands)
        return
    for graph in node.args[1:3]:
        output = graph.output_node
        if output.target == "yield":
            with graph.inserting_before(output):
                given = [plain(staging, graph, node, v, i, taken) for i, v in enumerate(output.args[0])]
                for part in (user for user in node.users if user.target is operator.getitem):
                    given[part.args[1]] = as_array(staging, graph, given[part.args[1]], part)
                output.args = (tuple(given),)


def as_array(staging: Arrays, graph: Program, value: Any, becomes: Node) -> Any:
    """A value that becomes another one of a Program, which may be a number that compiled code has made an
    array. Where there are weak arrays a number is as good as that.
    """
    if becomes not in staging.arrays or staging.target.weak or value is UNDEFINED:
        return value
    if isinstance(value, Node) and (value in staging.arrays or isinstance(value.spec, Spec)):
        return value
    made = staging.array(graph, value)
    made.meta["typed"] = True
    return made


def arrays_for_numbers(staging: Arrays, node: Node) -> None:
    """Let a region that Python runs be said to give arrays for numbers where its turns have such, or its
    readers.
    """
    carried = loop(node).carried if is_loop(node) else []
    arrays = {number for number, placeholder in enumerate(carried) if isinstance(placeholder.spec, Spec)}
    arrays |= {user.args[1] for user in node.users if user in staging.arrays and user.args[0] is node}
    node.spec = tuple(staging.column(s) if i in arrays else s for i, s in enumerate(node.spec))


def wanted(staging: Arrays, part: Node) -> bool:
    """Whether compiled code takes a result."""
    return any(compiles(user) or staging.depth and user.op == "output" for user in part.users)


def compiles(node: Node) -> bool:
    """Whether a node is a region that is compiled, or has one in it."""
    inside = (inner for graph in graphs(node) for inner in own_nodes(graph))
    return isinstance(node.target, Region) and any(n.meta.get("compiled") for n in (node, *inside))


def plain(staging: Arrays, graph: Program, node: Node, value: Any, index: int, taken: set[int]) -> Any:
    """A value of a region that Python runs, as compiled code takes it: a number of the kind that it has on
    any way.
    """
    spec = node.spec[index]
    if index not in taken or spec is None:
        return value
    if value is UNDEFINED:
        return zeros(staging, graph, node, spec) if isinstance(spec, Spec) else spec.type(0)
    kind = spec.type if isinstance(spec, Scalar) else None
    if kind not in (float, complex) or is_kind(value, kind):
        return value
    return graph.static(kind, value, spec=Scalar(kind)) if isinstance(value, Node) else kind(value)


def is_kind(value: Any, kind: type) -> bool:
    """Whether a number is of this kind, or an array."""
    if isinstance(value, Node):
        return not isinstance(value.spec, Scalar) or value.spec.type is kind
    return type(value) is kind


def zeros(staging: Arrays, graph: Program, node: Node, spec: Any) -> Any:
    if not isinstance(spec, Spec):
        return None if spec.type is type(None) else spec.type(0)
    kinds: dict[str, type] = {"bool": bool, "float": float, "complex": complex}
    kind = kinds.get(spec.dtype.kind if spec.dtype is not None else "", int)
    if not spec.shape:
        return staging.cast(graph, staging.array(graph, kind(0)), spec.dtype)
    alike = (p for p in graph.placeholders if p.spec == spec and p.form == "array")
    model = next(alike, None)
    if model is not None:
        return graph.call(REGISTER["zeros_like"], model, shape=None, dtype=spec.dtype)
    shape = tuple(size(staging, graph, node, d) for d in spec.shape)
    return graph.call(REGISTER["zeros"], shape=shape, dtype=spec.dtype)


def size(staging: Arrays, graph: Program, node: Node, dim: Any) -> Any:
    if isinstance(dim, int):
        return dim
    for other in graph.nodes:
        shape = other.spec.shape if isinstance(other.spec, Spec) else None
        if other is graph._before:
            break
        if shape is not None and dim in shape:
            whole = graph.static(getattr, other, "shape", spec=Scalar(tuple, shape))
            return graph.static(operator.getitem, whole, shape.index(dim), spec=Scalar(int, dim))
    raise UnsupportedError(
        "a variable that has a value on one way only",
        backend=staging.target.name, span=node.span,
        why="what is compiled needs a value on every way, and how large it would be is not known here",
        hint="give it a value before the `if` or loop",
    )  # fmt: skip


def hints(spec: Spec) -> Any:
    return None if spec.shape is None else tuple(hint_of(d) for d in spec.shape)


def uneven(node: Node) -> bool:
    """Whether an array that a loop carries changes its sizes, which nothing that is compiled does."""
    parts = loop(node)
    for spec, *values in zip(node.spec, parts.state, parts.yields or parts.state):
        if isinstance(spec, Spec) and all(map(is_array, values)):
            if any(hints(value.spec) != hints(spec) for value in values):
                return True
    return False


def is_array(value: Any) -> bool:
    """Whether a value was an array in the source, not a number."""
    return isinstance(value, Node) and isinstance(value.spec, Spec) and not value.meta.get("number")

"""The oracle: what the framework itself says of a trace.

torch is asked call by call, on fake tensors (tracer/intercept/torch.py), and runs only where a loop over a
list asks something of the items, of which the trace has seen one. NumPy and JAX are not asked: while tracing
the dictionary infers, and afterwards one audit runs the whole tape in the framework and holds every spec
against what it gives. NumPy has no abstract values, so it runs on the example; JAX runs abstractly, through
one `eval_shape`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..backends.backend import Backend
from ..backends.failing import tried
from ..backends.reading.tape import written_name
from ..backends.unions import is_mixed
from ..ir.analysis.outside import NEW, VIEW
from ..ir.errors import InternalError, TraceError, UnsupportedError
from ..ir.graphs.graph import Graph, Node, target_name
from ..ir.graphs.regions import for_loop, graphs, guarded
from ..ir.graphs.walk import every_node
from ..ir.sizes.dim import hint_of
from ..ir.sizes.local import is_local
from ..ir.source.printing import print_
from ..ir.values.dtypes import PYTHON, dtype
from ..ir.values.spec import Spec
from ..ir.values.tree import leaves, map_leaves
from .faults import versions
from .inputs import Placeholder
from .interpreter import Interpreter
from .objects.buffers import copied

if TYPE_CHECKING:
    from .intercept.base import Framework

#: What Python's own protocols take for an answer: that nothing is left, or not there.
PROTOCOLS = frozenset(
    {"StopIteration", "StopAsyncIteration", "GeneratorExit", "IndexError", "AttributeError"}
)


class Silent(Interpreter):
    """Runs a tape, and prints nothing."""

    def run_node(self, node: Node, args: Any, kwargs: Any) -> Any:
        return None if node.target is print_ else super().run_node(node, args, kwargs)


class Auditor(Silent):
    """Runs a tape and compares every array with its node's spec.

    Raises:
        InternalError: at the first call whose shape or dtype differs: a row of the dictionary is wrong.
    """

    def __init__(self, graph: Graph, source: Backend) -> None:
        super().__init__(graph)
        self.source = source

    def run_node(self, node: Node, args: Any, kwargs: Any) -> Any:
        try:
            value = super().run_node(node, args, kwargs)
        except Exception as error:
            if not node.meta.get("tried"):
                raise
            name = written_name(node.op, node.target, self.source, node.args)
            raise tried(node, name) from error
        if "operand" in node.meta and self.source.own_numbers:
            self.written(node, args[0])
        if "kind" in node.meta:
            self.kind(node, value)
        self.compare(node, node.spec, value)
        if self.source.mutable and node.meta.get("gives") in (NEW, VIEW):
            self.shares(node, [*leaves((list(args), kwargs))], value)
        return value

    def output(self, node: Node, values: Any) -> Any:
        """Raises UnsupportedError where the program as it was recorded ends by an error: of one that Python
        itself catches nobody can say what becomes, and any other the program ends by as well.
        """
        if node.target == "raise" and values[0] in PROTOCOLS:
            raise UnsupportedError(
                "raising an exception that Python itself catches",
                why="a test of the running program decides it, and whoever catches it is none of its code",
                span=node.span,
                hint="end by `return`, `break` or a `yield`, or loop over a range",
            )
        if node.target == "raise":
            raise UnsupportedError(
                f"an example with which the program raises {values[0]}",
                why="nothing could be said of what it gives else",
                span=node.span,
                hint="give example arguments that it takes",
            )
        return super().output(node, values)

    def together(self, values: list[Any], node: Node, number: int) -> Any:
        """What a loop has collected.

        Raises:
            UnsupportedError: where it would be of another dtype without the numbers among them.
        """
        found, spec = super().together(values, node, number), node.spec[number]
        if found is not values and any(type(value) in PYTHON for value in values):
            if isinstance(spec, Spec) and dtype(found.dtype) != spec.dtype:
                raise UnsupportedError(
                    "what a loop appends to a list",
                    why=f"it is {spec.dtype} on one way and a number of Python's on another, and all of them "
                    f"are {dtype(found.dtype)} together",
                    span=node.span,
                    hint="make it an array of one dtype on every way",
                )
        return found

    def shares(self, node: Node, operands: list[Any], value: Any) -> None:
        """Hold what a call was taken to share memory with against what it shares it with."""
        arrays = [a for a in operands if isinstance(a, np.ndarray) and a.size]
        for part in leaves(value):
            if not isinstance(part, np.ndarray) or not part.size:
                continue
            if any(np.may_share_memory(part, a) for a in arrays) is not (node.meta["gives"] == VIEW):
                name, fact = target_name(node.target), node.meta["gives"]
                message = f"{name} was taken to give {fact} memory, and does not"
                raise InternalError(message, span=node.span, versions=versions())

    def kind(self, node: Node, value: Any) -> None:
        """Hold the type that Python was told against what a call gives: a number, or an array."""
        if isinstance(value, np.ndarray) != (node.meta["kind"] == "array"):
            raise UnsupportedError(
                "asking for the type of an array of rank 0",
                why="whether NumPy has a number or an array there was not seen",
                span=node.span,
                hint="ask for its rank or its dtype",
            )

    def written(self, node: Node, operand: Any) -> None:
        """Hold what `x += y` of rank 0 was taken to do against what x is: a number, or an array."""
        if np.shape(operand) == () and isinstance(operand, np.ndarray) != (node.meta["operand"] == "array"):
            raise UnsupportedError(
                "x += y of an array of rank 0",
                why="NumPy writes into an array, but not into a number, and which of them x is was not seen",
                span=node.span,
                hint="write x = x + y",
            )

    def compare(self, node: Node, spec: Any, value: Any) -> None:
        if isinstance(spec, Spec) and hasattr(value, "shape") and hasattr(value, "dtype"):
            shape = tuple(map(int, value.shape))
            other = spec.dtype is not None and dtype(value.dtype) != spec.dtype
            if other and of_mixed_numbers(node):
                raise UnsupportedError(
                    f"{target_name(node.target)} of a number that is an int on one way, a float on another",
                    why="the dtype of the array hangs on which it is",
                    span=node.span,
                    hint="say the dtype, or make it float(...) on every way",
                )
            if other and np.iscomplexobj(value):
                raise UnsupportedError(
                    f"{target_name(node.target)} of a root of a negative number",
                    why="Python makes a complex number of it, and a float of others",
                    span=node.span,
                    hint="take it with np.sqrt, or of abs(x)",
                )
            if other or not self.fits(node, spec, shape):
                found = Spec(shape, dtype(value.dtype))
                message = f"{target_name(node.target)} gives {found}, but was taken to give {spec}"
                raise InternalError(message, span=node.span, versions=versions())
        elif isinstance(spec, tuple) and isinstance(value, (tuple, list)):
            for inner, part in zip(spec, value):
                self.compare(node, inner, part)

    def fits(self, node: Node, spec: Spec, shape: tuple[int, ...]) -> bool:
        """Whether a value may have this shape. What a loop decides is another thing in each turn; so are the
        sizes of a function that is called in it.
        """
        if spec.shape is None:
            return True
        size = hint_of if node.graph.meta.get("home", self.graph) is self.graph else self.size
        sizes = (None if is_local(dim) else size(dim) for dim in spec.shape)
        return len(spec.shape) == len(shape) and all(n is None or n == m for n, m in zip(sizes, shape))


def of_mixed_numbers(node: Node) -> bool:
    """Whether a call is given a number of which values say the type."""
    return any(is_mixed(n) or "type path" in n.meta for n in node.all_input_nodes)


def sizes(graph: Graph, shape: Sequence[int | str]) -> list[int]:
    """The sizes of what stands in for a spec: of a dim with a name, what it was traced with."""
    return [d if isinstance(d, int) else graph.meta["named dims"][d] for d in shape]


def audit(framework: Framework, graph: Graph, values: Mapping[str, Any]) -> None:
    """Run the tape in its framework, unless that was asked call by call already. Values that only stand for a
    spec are ones, on which some programs cannot run where calls raise for values.

    Raises:
        UnsupportedError: where a loop over a list was traced with one of its items, and what a function that
            it calls asked of that is not so of another.
    """
    source: Backend = framework.backend
    stand_in = any(isinstance(leaf, Placeholder) for v in values.values() for leaf in leaves(v))
    loop = asking(graph)
    if source.asked and (stand_in or loop is None):
        return

    def real(value: Any) -> Any:
        if isinstance(value, Placeholder):
            return framework.ones(sizes(graph, value.shape), value.dtype.name)
        return value.copy() if isinstance(value, np.ndarray) else copied(value)  # the tape may write into it

    given = supply(graph, values, real)
    interpreter = Silent(graph) if source.asked else Auditor(graph, source)
    try:
        framework.audited(interpreter.run, given)
    except TraceError:
        raise
    except Exception as error:
        if error is interpreter.unlike:
            raise UnsupportedError(
                "a loop over a list of which not all items go the same way",
                why="a function that it calls asks of one what is not so of another",
                span=loop.span if loop is not None else None,
                hint="let the function give its result on every way under one name, of one shape",
            ) from error
        if not source.asked and (not stand_in or not source.raises):
            raise


def asking(graph: Graph) -> Node | None:
    """A loop over a list in which something is asked of the items."""
    loops = (node for node in every_node(graph) if node.target is for_loop and node.meta.get("lists"))
    return next((loop for loop in loops if any(map(guarded, graphs(loop)))), None)


def supply(graph: Graph, values: Mapping[str, Any], real: Any) -> list[Any]:
    """One value for each placeholder of the entry graph."""
    return [map_leaves(values[n.target.lstrip("*")], real) for n in graph.placeholders]

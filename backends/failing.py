"""What fails for some values of its operands when the program runs, and does not where it is compiled."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from ..ir.errors import UnsupportedError
from ..ir.graphs.attempts import attempted, attempts, may_fail
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.regions import Function
from ..ir.graphs.static import Scalar, number_leaves, taken
from ..ir.graphs.walk import every_graph, every_node, own_nodes
from ..ir.meaning.op import REGISTER, Op
from ..ir.meaning.operators import DIVIDING, PARTIAL
from ..ir.ops.indexing import Slot
from ..ir.program import Program
from ..ir.sizes.local import is_local
from ..ir.values.spec import Spec
from .backend import Backend


def may_raise(program: Program, node: Node) -> list[Node]:
    """What a tape node was read as that refuses some values of its operands when it runs."""
    made = itertools.takewhile(lambda made: made.origin is node, reversed(program.nodes))
    return [each for each in made if refuses(each)]


def refuses(made: Node) -> bool:
    """Whether an op, or a function of Python's numbers, refuses some values of its operands."""
    if isinstance(made.spec, Scalar):
        return fails(made)
    if not isinstance(made.target, Op):
        return isinstance(made.target, Function) and may_fail(made.target.graph)
    arrays = [a.spec for a in made.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
    match made.target.raises:
        case "some":
            return True
        case "ints":
            return all(spec.dtype is not None and spec.dtype.is_integer for spec in arrays)
        case "none":
            return any(d is None or is_local(d) for s in arrays for d in s.shape or (None,))
        case "indices":
            return any(isinstance(k, Slot | Node) for k in made.kwargs["key"])
    return False


def fails(node: Node) -> bool:
    """Whether a function of Python's numbers refuses some that its operands may be, for a size aside: what
    hangs on sizes is checked.
    """
    if node.target not in PYTHONS and getattr(node.target, "__module__", "") != "math":
        return False
    if node.target in DIVIDING and not isinstance(node.args[1], Node) and node.args[1]:
        return False
    if node.target is int and getattr(getattr(node.args[0], "spec", None), "type", None) in (int, bool):
        return False
    return taken(node) or node.spec.local or is_local(node.spec.value) or any(number_leaves(node))


PYTHONS = (int, *PARTIAL)


WHY = {
    "try": "only the running program knows whether it raises, and frameworks differ in that",
    "with": "only the running program knows whether it raises, and `__exit__` may keep that to itself",
}


def tried(node: Node, name: str, backend: str | None = None, why: str = "") -> UnsupportedError:
    around = "with" if node.meta.get("managed") else "try"
    error = UnsupportedError(
        f"{name} inside a `{around}`",
        backend=backend,
        why=why or WHY[around],
        span=node.span,
        hint=f"test for that before, or take it out of the `{around}`",
    )
    error.tries = node.meta.get("tried") or ()
    return error


#: Why a call is refused of which no check can speak.
UNSURE = "only the running program knows the sizes that decide whether it raises"


def try_to(
    program: Program, node: Node, name: str, refusals: list[UnsupportedError], source: Backend
) -> None:
    """Keep what may raise where it stands, if its `try` is a region; else refuse it. JAX raises for no
    values of arrays.
    """
    found = [made for made in may_raise(program, node) if source.raises or isinstance(made.spec, Scalar)]
    if node.meta.get("unsure") and not found:
        refusals.append(tried(node, name, why=UNSURE))
    for made in found:
        if node.meta["tried"]:
            refusals.append(tried(node, name))
            return
        program.static(attempted, made, name, getattr(made.target, "name", ""), spec=Scalar(type(None)))


def try_numbers(program: Program, named: Callable[[Node], str]) -> None:
    """The same for what Python may refuse to compute where a value is a number on one way, and an array on
    another. What a function computes that is called in a `try` has no mark, and is refused.
    """
    risked = {user for number in every_node(program) for user in number.meta.get("risked", ())}
    tried = (node for attempt in [*attempts(program)] for node in own_nodes(attempt.args[2]))
    for made in [node for node in tried if node in risked]:
        call = made.origin
        if call is None or call.meta["tried"]:
            continue
        with made.graph.inserting_after(made):
            made.graph.static(attempted, made, named(call), made.target.name, spec=Scalar(type(None)))
        made.meta["tried"] = True


def reached(program: Graph, target: Backend, refusals: list[UnsupportedError]) -> None:
    """Refuse every `try` whose handler a target would not reach as it runs."""
    for node in attempts(program):
        if target.compiles or not target.raises:
            name = next((n.args[1] for n in node.args[2].nodes if n.target is attempted), "a call")
            why = f"what {target.name} compiles raises for no values, so that its handler is never reached"
            refusals.append(tried(node, name, target.name, why))


def settled(program: Graph, target: Backend, source: Backend, refusals: list[UnsupportedError]) -> None:
    """Hold what may raise against what the target raises, and leave marks only behind what nobody reads, in a
    program and in the graphs in it.
    """
    for graph in every_graph(program, inner_first=True):
        settled_in(graph, target, source, refusals)


def settled_in(program: Graph, target: Backend, source: Backend, refusals: list[UnsupportedError]) -> None:
    output = program.output_node
    several = output.target in ("yield", "break", "continue") and len(output.args[0]) > 1
    for node in program.nodes:
        if node.target is not attempted:
            continue
        value, name, op = node.args
        if not isinstance(value, Node):
            program.erase_node(node)
            continue
        if target.name != source.name and not raises_alike(value, op):
            why = f"{source.name} and {target.name} do not raise for the same values"
            refusals.append(tried(node, name, target.name, why))
        if several:  # of which none is bound before it
            value.meta["statement"] = True
        if any(user is not node for user in value.users):
            program.erase_node(node)


def raises_alike(value: Node, op: str) -> bool:
    """Whether every framework raises what Python does: for its own numbers, and IndexErrors. They disagree on
    which matrices are singular.
    """
    if isinstance(value.spec, Scalar) or "tried" in value.meta:
        return True
    return value.target is REGISTER["getitem"] and value.target.name == op


def caught(types: tuple[type[BaseException], ...], target: Backend) -> list[str]:
    """What an `except` of the target names: errors of the user's own are raised by none of our calls."""
    names = []
    for each in types:
        if each.__name__ in ("LinAlgError", "_LinAlgError"):
            names.append(target.linear_error)
        elif each.__module__ == "builtins":
            names.append("Exception" if each is BaseException else each.__name__)
    return list(dict.fromkeys(names))

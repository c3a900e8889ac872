"""read: tape -> Program. A recorded call becomes an op, or an UnsupportedError with the user's line."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from ...ir.analysis.anew import by_axes
from ...ir.analysis.outside import NEW, is_written
from ...ir.errors import ShapeError, TraceError, UnsupportedError, several
from ...ir.graphs.graph import Graph, Node, map_arg, target_name
from ...ir.graphs.likeness import key
from ...ir.graphs.presence import TAKING, ask_array
from ...ir.graphs.regions import Function, Region, after, store, through
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import every_node
from ...ir.meaning.op import Op
from ...ir.meaning.operators import BINARY, COMPARING
from ...ir.program import Program
from ...ir.source.printing import print_
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves, made_of, plain_constant, tuple_fields
from .. import unions
from ..arrays import to_numpy
from ..backend import Backend
from ..context import NO_WORD, Reading, Refusal
from ..failing import try_numbers, try_to
from ..literals import array_of
from ..memory import LINED, gives
from ..phrases import updates
from ..rows import takes_lists
from ..signatures import canonical, known, names_of
from . import regions, results
from .call import OPS, by_rows
from .inference import OTHER_SHAPES


def canonical_names(op: str, target: Any, args: Sequence[Any], source: Backend) -> tuple[str, ...]:
    """The names under which the dictionary may know what a tape node calls."""
    if op == "call_method":
        name = f"{source.array_type}.{target}"
        return (name, canonical(name)) if known(name) and canonical(name) != name else (name,)
    if target is getattr:
        return (f"attribute.{args[1]}",)
    if isinstance(target, Op):
        OPS[id(target)] = target
        return (f"op.{id(target)}",)
    if hasattr(target, "canonical"):
        return (target.canonical,)
    if getattr(target, "__module__", None) == "_operator":
        return (f"operator.{target.__name__}",)
    return tuple(names_of(target))


#: The binary operators as the user writes them.
SYMBOLS = {each.name: each.sign for each in (*BINARY, *COMPARING)}


def written_name(op: str, target: Any, source: Backend, args: Sequence[Any] = (None, "attribute")) -> str:
    """The operation as the user knows it: "torch.nonzero", "torch.Tensor.add_", ".T"."""
    if target is through:
        return "x[...] = value"
    if isinstance(target, Op):
        return target.name
    names = canonical_names(op, target, args, source)
    if not names:
        return target_name(target)
    if names[0] == "operator.getitem":
        return "x[...]"
    if names[0] == "operator.setitem":
        return "x[...] = value"
    symbol = SYMBOLS.get(names[0].removeprefix("operator."))
    return f"x {symbol} y" if symbol else names[0].removeprefix("attribute")


def read(graph: Graph, source: Backend) -> Program:
    """The Program of a tape.

    Raises:
        UnsupportedError: listing every call that cannot be read.
    """
    refusals: list[UnsupportedError] = []
    program = read_graph(graph, source, refusals)
    if refusals:
        raise several(refusals)
    results.note(graph, program)
    unions.mark(program)
    try_numbers(program, lambda call: written_name(call.op, call.target, source, call.args))
    if any(lines_up(node, source) for node in every_node(graph)):
        for node in every_node(graph):
            node.meta |= {"put in order": True} if "spelled" in node.meta else {}
    return program


def lines_up(node: Node, source: Backend) -> bool:
    """Whether a call puts elements in another order in memory, and does nothing else."""
    called = node.meta.get("spelled")
    return called is not None and (gives(source.name, (called,)) == LINED or "memory_format" in node.kwargs)


def read_graph(
    graph: Graph,
    source: Backend,
    refusals: list[UnsupportedError],
    leaving: regions.Leaving | None = None,
    caller: Reading | None = None,
) -> Program:
    """The Program of a graph.

    Args:
        leaving: of a graph that a region holds, what its output must be.
        caller: how the graph is read in which it stands, or is called.
    """
    program = Program(graph.name)
    program.meta = dict(graph.meta)
    program.guards = list(graph.guards)
    program.constants = dict(graph.constants)
    reading = Reading(source, program)
    reading.leaving = leaving
    if caller is not None:
        reading.functions = caller.functions
        reading.inside = caller.inside if leaving is None else program
    env: dict[Node, Any] = {}
    unread = unread_items(graph)
    for node in graph.nodes:
        if node in unread:
            continue
        program.origin = node
        if node.op == "placeholder":
            env[node] = made = program.create_node("placeholder", node.target, node.args, name=node.name)
            made.resemble(node)
        elif node.op == "get_attr":
            env[node] = constant(reading, node)
        elif node.op == "output":
            value = map_arg(node.args[0], env.__getitem__)
            program.output(
                value if leaving is None else leaving.converted(reading, value, node.target), node.target
            )
        else:
            args = map_arg(node.args, env.__getitem__, plain_constant)
            kwargs = map_arg(node.kwargs, env.__getitem__, plain_constant)
            env[node] = made = read_node(reading, node, args, kwargs, refusals)
            stands_for(node, made)
            if any(node.meta.get(said) for said in ("tried", "attempted", "unsure")):
                try_to(program, node, written_name(node.op, node.target, source, node.args), refusals, source)
    return program


def unread_items(graph: Graph) -> set[Node]:
    """The items of arguments that nobody reads: a tape has all that containers hold."""
    found: set[Node] = set()
    for node in reversed(graph.nodes):
        if node.target in TAKING and ("path" in node.meta or "within" in node.meta):
            if all(user in found for user in node.users):
                found.add(node)
    return found


def stands_for(node: Node, made: Any) -> None:
    """Note which tape node the ops made for it stand for, and which of its results: names come from there."""
    several = isinstance(made, (tuple, list))
    if node.target is operator.getitem and node.names and isinstance(made, Node):
        if made.stands_for is not None and "spelled" in made.stands_for.meta:
            node.meta["spelled"] = made.stands_for.meta["spelled"]
        made.stands_for = node  # a statement of its own takes it out, and names it
        made.meta.pop("part", None)
    for number, part in enumerate(made if several else (made,)):
        if not isinstance(part, Node) or part.origin is not node:
            continue
        part.stands_for = part.stands_for or node
        if part.target is operator.getitem and isinstance(part.args[0].spec, tuple):
            part.args[0].stands_for = part.args[0].stands_for or node
            if (names := tuple_fields(type(made))) is not None:
                part.args[0].meta["fields"] = names
        elif several:
            part.meta.setdefault("part", number)


def read_node(reading: Reading, node: Node, args: Any, kwargs: Any, refusals: list[UnsupportedError]) -> Any:
    try:
        return read_call(reading, node, args, kwargs, refusals)
    except Refusal as refused:
        refusal = refused
    except ShapeError as error:
        if not reading.source.asked:  # else it was asked first, and takes it
            raise ShapeError(error.message, reports=error.reports, span=error.span or node.span) from None
        refusal = Refusal(*OTHER_SHAPES)
    operation = written_name(node.op, node.target, reading.source, node.args)
    refusals.append(UnsupportedError(operation, why=refusal.why, span=node.span, hint=refusal.hint))
    # The program is refused in any case; a stand-in lets the other refusals be found too.
    return stand_in(reading, node)


def stand_in(reading: Reading, node: Node) -> Any:
    specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    made = []
    for spec in specs:
        part = reading.program.create_node("placeholder", "refused")
        part.spec = spec
        made.append(part)
    return tuple(made) if isinstance(node.spec, tuple) else made[0]


def read_call(reading: Reading, node: Node, args: Any, kwargs: Any, refusals: list[UnsupportedError]) -> Any:
    target = node.target
    if isinstance(target, (Region, Function)):
        return read_region(reading, node, args, refusals)
    if target is operator.getitem and isinstance(args[0], (tuple, list, dict)):
        return args[0][args[1]]
    if target is print_:
        return reading.program.static(print_, *args, spec=Scalar(type(None)), **kwargs)
    if isinstance(node.spec, Scalar) and target is not store:
        return reading.program.static(
            target if node.op == "call_function" else node.target, *args, spec=node.spec, **kwargs
        )
    if target in (operator.getitem, getattr) and isinstance(getattr(args[0], "spec", None), (tuple, dict)):
        item = reading.program.create_node("call_function", target, args)
        item.spec = node.spec
        return regions.with_form(node, item)
    if target is through:
        return updates.through(reading, *args)
    if target is after:
        of = args[0], reading.calls[node.args[1]], args[2]
        made = reading.program.create_node("call_function", after, of)
        made.spec = node.spec
        return made
    if target is store:
        return reading.program.static(store, *args, spec=node.spec)
    names = canonical_names(node.op, node.target, node.args, reading.source)
    if not names:
        raise Refusal(*NO_WORD)
    node.meta["spelled"] = names[0]
    refusal: Refusal | None = None
    for name in names:
        try:
            made = by_rows(reading, name, args, kwargs)
            break
        except Refusal as why:
            if refusal is None or refusal.why.startswith("the dictionary"):
                refusal = why
    else:
        assert refusal is not None
        raise refusal
    agree(node, made)
    if node.op == "call_function" and not names[0].startswith(("operator.", "attribute.")):
        for given, arg in zip(node.args, args):
            if isinstance(given, Node) and isinstance(arg, Node) and hides(made, arg):
                ask_array(given)
    return anew(reading, node, made, args)


def hides(made: Any, given: Node) -> bool:
    """Whether a text may take a list for an array of which the program makes one, as a function's operand."""
    if made is given or not isinstance(made, Node):
        return made is given
    return given in made.args and isinstance(made.target, Op) and takes_lists(made.target)


def anew(reading: Reading, node: Node, made: Any, args: Sequence[Any]) -> Any:
    """A copy, where the dictionary says that a call does nothing and the source gives another array, which
    does not see what is written into the first through an argument; or that is what the call is for.
    """
    handed = isinstance(made, Node) and isinstance(made.spec, Spec) and any(made is a for a in args)
    if not handed or node.meta.get("gives") != NEW:
        return made
    names = canonical_names(node.op, node.target, node.args, reading.source)
    lined = gives(reading.source.name, names) == LINED
    copies = lined or by_axes(made) or is_written(node.graph.meta.get("home", node.graph))
    return reading.op("copy", made) if copies else made


def agree(node: Node, made: Any) -> None:
    """Hold what the dictionary infers against what the framework itself said of this call.

    Raises:
        TraceError: where they differ: a row is wrong, and its numbers cannot be trusted.
    """
    for said, found in pairs(node.spec, made):
        if not isinstance(said, Spec) or not isinstance(found, Node) or not isinstance(found.spec, Spec):
            continue
        if said.dtype is not None and found.spec.dtype is not None and said.dtype != found.spec.dtype:
            raise TraceError(
                f"{target_name(node.target)} gives {said.dtype}, but the dictionary says {found.spec.dtype}",
                span=node.span,
            )
        if (
            said.shape is not None
            and found.spec.shape is not None
            and said.hint_shape != found.spec.hint_shape
        ):
            raise TraceError(
                f"{target_name(node.target)} gives {said}, but the dictionary says {found.spec}",
                span=node.span,
            )
        if said.shape is not None or found.spec.shape is None:
            found.spec = Spec(
                said.shape if said.shape is not None else found.spec.shape, found.spec.dtype or said.dtype
            )


def pairs(said: Any, made: Any) -> list[tuple[Any, Any]]:
    if isinstance(said, tuple) and isinstance(made, (tuple, list)):
        return [p for s, m in zip(said, made) for p in pairs(s, m)]
    return [(said, made)]


def read_region(reading: Reading, node: Node, args: Any, refusals: list[UnsupportedError]) -> Any:
    target = node.target
    if isinstance(target, Function):
        target = read_function(reading, target, args, refusals)
        made = reading.program.create_node("call_function", target, tuple(args), name=target.name)
        reading.calls[node] = made
    else:

        def inner(graph: Graph, leaving: regions.Leaving) -> Program:
            return read_graph(graph, reading.source, refusals, leaving, reading)

        made = reading.program.create_node(
            "call_function", target, regions.read(reading, node, args, inner), name=target.name
        )
        made.meta["kind"], made.stands_for = node.meta.get("kind"), node
    made.spec = node.spec
    if isinstance(node.spec, tuple):
        parts = tuple(reading.program.project(made, i) for i in range(len(node.spec)))
        kind: Any = type(target.graph.output_node.args[0]) if isinstance(target, Function) else tuple
        regions.formed(node, parts)
        return made_of(kind, parts)
    return regions.with_form(node, made)


def read_function(
    reading: Reading, function: Function, args: Any, refusals: list[UnsupportedError]
) -> Function:
    """A function of the user's with its Program: one for all calls of one graph that nothing downstream can
    tell apart.
    """
    called = function.graph, reading.inside, key(args, told_apart)
    if called not in reading.functions:
        program = read_graph(function.graph, reading.source, refusals, caller=reading)
        reading.functions[called] = Function(function.name, program)
    return reading.functions[called]


def told_apart(operand: Node) -> Any:
    """What counts of an operand beside its spec, which the graph that is called has: which number it is, or
    where a container came from that holds numbers. It says what Python knows of it, and what is compiled.
    """
    if all(isinstance(spec, Spec) for spec in leaves(operand.spec)) and not unions.is_number(operand):
        return None
    while operand.target in TAKING and not isinstance(operand.spec, Scalar):
        operand = operand.args[0]
    return id(operand)


def constant(reading: Reading, node: Node) -> Any:
    """An array that the function closes over: a literal where it is small, else a parameter of its own."""
    value = reading.program.constants[node.target]
    spec = node.spec
    if math.prod(spec.shape) <= 32 and spec.dtype.name != "bfloat16":
        return array_of(reading.program, to_numpy(value), spec.dtype)
    made = reading.program.create_node("get_attr", node.target, name=node.name)
    made.spec = spec
    return made

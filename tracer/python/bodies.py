"""Bodies: functions of the user's that are traced into a Graph of their own, which a node calls."""

from __future__ import annotations

import inspect
import operator
import re
import sys
import types
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ...ir.errors import TraceError
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.leaves import leaves as known_leaves
from ...ir.graphs.regions import NOTED, guard
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import own_nodes
from ...ir.sizes.dim import Sym
from ...ir.values.carried import carriers
from ...ir.values.tree import children, is_record, leaves
from ...ir.worklist import reached
from ..faults import ours
from ..inputs import Inputs
from ..objects import heap
from ..own import definition
from ..proxy import Shape, is_proxy, isinstance_scalar
from ..regions import items
from ..regions.outcomes import Inline
from ..regions.returning import because, deciding, is_answer, known_outside, seen_on_all_ways
from ..state.stack import Frame
from ..trying import catching, watching
from ..values import advancing, given_back
from ..values.list_rows import Rows
from ..weak import Weak, bare
from .capturing import Variables, root, speaks_of_others, take
from .handing import Handing

if TYPE_CHECKING:
    from ..tracer import Tracer
    from .hooks import Tracing

WORD = re.compile(r"\w+")
#: What a text can say of what is built into a function.
BAKED = (bool, int, float, str, type(None))


def body(
    hooks: Tracing,
    fn: types.FunctionType,
    bound: inspect.BoundArguments,
    variables: Variables,
    baked: set[str],
    compiled: bool,
    must: bool,
) -> Any:
    """Trace the function into a graph of its own. `looked` are the numbers among its parameters that it
    depends on. Where there can be none, the result is why.
    """
    tracer = hooks.tracer
    variables.wake(tracer)
    log, kept, before = len(tracer.memory.log), tracer.caches.mark(), dict(tracer.stack.assumed_none)
    frame = Frame(fn.__code__, inline=False, loops=len(tracer.stack.loops), compiled=compiled)
    tracer.stack.frames.append(frame)
    depth = len(tracer.stack.frames)
    graph, given = Graph(named(fn)), Parameters(tracer)
    try:
        with tracer.scope(graph):
            values = given.of({**bound.arguments, **variables.values}, baked)
            variables.stand_in(values)
            frame.heap = reach = heap.Later(
                tracer, sys._getframe(1), [(fn.__name__, fn), *bound.arguments.items()]
            )
            reach.stand_in(values.items())
            describe(tracer, fn, graph, given, compiled)
            tracer.stack.assumed_none.clear()
            with advancing.tried(tracer, reach) as frame.since:
                own = {name: values[name] for name in bound.arguments}
                arguments = inspect.BoundArguments(bound.signature, own)
                result = tracer.outgoing(hooks.rewritten(fn)(*arguments.args, **arguments.kwargs))
                operands = {**bound.arguments, **variables.values}
                handed = Handing(tracer, given.inputs.arrays, operands, result, log)
                found = ended(tracer, given, handed, values.values(), log, must, bound)
                looked = set() if isinstance(found, Inline) else given.looked_at(graph)
    except Exception as error:
        if frame.heap is None or not (why := why_inline(tracer, error, must)):
            raise
        reach.restore()
        found, looked = why, set()
    finally:
        if frame.heap is not None:
            reach.forget()
        variables.restore()
        tracer.undo(log)
        tracer.caches.leave(kept)
        del tracer.stack.frames[depth - 1 :]
        tracer.stack.assumed_none.update(before)
    if isinstance(found, Inline):
        return None, [], found, set()
    return graph, given.operands, (*found, handed), looked


def describe(
    tracer: Tracer, fn: types.FunctionType, graph: Graph, given: Parameters, compiled: bool
) -> None:
    """Note in a graph of which function it is."""
    graph.meta["parameters"], graph.meta["baked"] = given.parameters, given.baked
    graph.meta["doc"] = inspect.getdoc(fn)
    graph.meta["defined"], graph.meta["unroll"] = definition(fn), tracer.rolling.unroll
    graph.meta |= {"compiled": tracer.stack.static.get(fn, frozenset())} if compiled else {}


def ended(
    tracer: Tracer,
    given: Parameters,
    handed: Handing,
    values: Iterable[Any],
    log: int,
    must: bool,
    bound: inspect.BoundArguments,
) -> tuple[Any, Any] | Inline:
    """End the graph of a function: what it gives, as nodes and what is known of them; or why it has none."""
    scope, reach = tracer.scopes[-1], tracer.stack.frames[-1].heap
    assert reach is not None
    graph = scope.graph
    for way in (*tracer.stack.frames[-1].returned, handed.result):
        if (unsaid := given_back.unsaid(way)) is not None:
            return Inline(f"it gives {unsaid[0]}")
        if given_back.holds_twice(tracer, way):
            return Inline("it gives one container in two places")
    nodes, seen, _ = tracer.digest(handed.result)
    graph.meta |= {"watched": True} if watching.goes_on(tracer) else {}
    why = why_not_apart(tracer, handed, values, nodes, log, must)
    if why is None and not must and is_answer(graph, nodes, bool(handed.written)):
        return Inline("it gives nothing that is recorded")
    if why is None:
        seen = complete(tracer, graph, handed, handed.result, seen)
        handed.own = {id(mine): (mine, theirs) for mine, theirs in handed.callers(given.values)}
        known = known_outside(reach, handed.ways)
        handed.known = [handed.own.get(id(each), (each, each))[1] for each in known]
        given.arrange(graph, bound)
        if take(tracer, scope, given) and handed.shares or scope.captures and speaks_of_others(scope):
            why = Inline(because(True, False, []))
    if why is not None:
        reach.restore()
        return why
    in_order(graph, given.parameters)
    handed.note(graph)
    handed.called = scope.called
    return nodes, seen


def why_not_apart(
    tracer: Tracer, handed: Handing, values: Iterable[Any], nodes: Any, log: int, must: bool
) -> Inline | None:
    """Why what a function has done and gives leaves it no graph of its own; None where it may have one.

    Args:
        values: what it was given, which may have attributes now that the caller's has not.
    """
    # Attributes of a record stand where it was made, and what a caller sees changed would be changed twice.
    scope, reach, result = tracer.scopes[-1], tracer.stack.frames[-1].heap, handed.result
    graph = scope.graph
    outside = any(old.graph is not graph for _, old in tracer.memory.log[log:])
    outside = outside or bool(scope.captures) and (bool(handed.written) or not must)
    lists = any(isinstance(leaf, Rows) for leaf in leaves(nodes))
    changed = [] if reach is None else reach.changed()
    gives_shapes = shapes(result)
    unsaid = not all(map(items.is_key, items.keys(nodes)))
    unsaid = unsaid or any(carriers(value) is not None for value in (result, *values))
    if tracer.stack.frames[-1].copies:
        return Inline("it copies arrays deeply, of which its caller may give one twice")
    if outside or lists or records(nodes) or gives_shapes or changed or unsaid:
        return Inline(because(outside, lists, changed, gives_shapes))
    return None if handed.is_clear(graph) else Inline(because(True, False, []), always=False)


class Parameters:
    """What a function's graph takes, and the operands that its caller hands in for these."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.inputs = Inputs(tracer)
        self.values: dict[str, Any] = {}
        self.parameters: list[inspect.Parameter] = []
        self.operands: list[Any] = []
        #: What is built in that a text can say.
        self.baked: dict[str, Any] = {}

    def of(self, arguments: dict[str, Any], baked: set[str]) -> dict[str, Any]:
        """What the function is given for each argument: what stands for it, or what is built in."""
        for name, value in arguments.items():
            number = bare(value)
            if type(value) is Weak and type(number) is not bool:  # which it is for the function too
                self.values[name] = Weak(self.tracer, self.inputs.parameter(name, number))
                value = number
            elif name in baked or self.stays(value):
                self.values[name] = known = hint(value)
                self.baked |= {name: known} if type(known) in BAKED else {}
                continue
            else:
                self.values[name] = self.inputs.parameter(name, value)
            self.parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD))
            self.operands.append(value)
        return self.values

    def arrange(self, graph: Graph, bound: inspect.BoundArguments) -> None:
        """Let variables stand before parameters that have defaults, and leave out those of which nothing is
        asked.
        """
        if all(parameter.name in bound.arguments for parameter in self.parameters):
            return
        nodes = {node.target: node for node in graph.placeholders}
        asked = {word for key in NOTED for word in WORD.findall(str(graph.meta.get(key, "")))}
        often = Counter(map(id, self.operands))  # of one that is given twice both are spoken of
        own, read = [], []
        for parameter, operand in zip(self.parameters, self.operands):
            if parameter.name in bound.arguments:
                own.append((parameter, operand))
            elif is_read(nodes[parameter.name]) or parameter.name in asked or often[id(operand)] > 1:
                read.append((parameter, operand))
            else:
                forget(nodes[parameter.name])
        given = bound.signature.parameters
        place = next((i for i, (p, _) in enumerate(own) if given[p.name].default is not p.empty), len(own))
        pairs = [*own[:place], *read, *own[place:]]
        self.parameters[:], self.operands[:] = [p for p, _ in pairs], [value for _, value in pairs]

    def stays(self, value: Any) -> bool:
        """Whether the function gets a value as it is: functions too, and numbers of another framework's."""
        if is_proxy(value):
            return self.inputs.kept(value)
        own = type(value) in (bool, int, float, complex) or self.tracer.framework.is_array(value)
        foreign = isinstance(value, (int, float, complex)) and not own
        return foreign or self.inputs.kept(value) or callable(value)

    def numbers(self) -> set[str]:
        """The parameters that are Python's numbers."""
        is_array = self.tracer.framework.is_array
        numbers = {n for n, v in self.values.items() if isinstance(v, (int, float)) and not is_array(v)}
        return numbers & {p.name for p in self.parameters}

    def looked_at(self, graph: Graph) -> set[str]:
        """The numbers among the parameters that the function depends on, so that they are to be built in.

        One that is computed with besides stays a parameter where it only was tested, not asked for its value.
        """
        looked, tested = set[str](), set[str]()
        for node in guards(graph):
            names = atoms(node.args[0], self.parameters)
            (tested if is_test(*node.args) else looked).update(names)
        computing = (n for n in own_nodes(graph) if n.target is not guard and not isinstance(n.spec, Scalar))
        used = {n.target for n in reached(computing, lambda n: n.all_input_nodes) if n.op == "placeholder"}
        given = zip(self.parameters, self.operands)
        known = {p.name for p, v in given if not is_proxy(v) or isinstance_scalar(v) and not v.local}
        return (looked | tested - (used & known)) & self.numbers()


def is_read(node: Node) -> bool:
    """Whether something is made of a parameter, or of what is in it."""
    return any(user.target not in (operator.getitem, getattr) or is_read(user) for user in node.users)


def forget(node: Node) -> None:
    """Take a parameter out of its graph, with what is in it."""
    for user in list(node.users):
        forget(user)
    known_leaves(node.graph).pop(node.meta.get("path", ""), None)
    node.graph.erase_node(node)


def why_inline(tracer: Tracer, error: Exception, must: bool) -> Inline | None:
    """Why what a function raises leaves it no graph of its own; None where it ends the trace."""
    if error is tracer.tries.advanced:
        return Inline("it also changes an iterator, or what else has no copy, of its caller's")
    if error is tracer.stack.raised and not must:  # what it asked before belongs to its caller's way
        return Inline("it raises an exception")
    if not isinstance(error, TraceError) and not ours(error) and catching.may_catch(tracer, error):
        if must:
            raise catching.by_example(tracer, error) from error
        return Inline("it raises an exception that is caught")
    return None


def complete(tracer: Tracer, graph: Graph, handed: Handing, result: Any, seen: Any) -> Any:
    """The graph's output, with what it leaves in its operands. Returns what the result is on all ways."""
    handed.store(graph)
    graph.output(tracer.returned(result))
    handed.ways = [*tracer.stack.frames[-1].returned, result]
    return seen_on_all_ways(tracer, graph, seen)


def guards(graph: Graph) -> Iterator[Node]:
    """The guards of a graph, those in its branches too."""
    return (node for node in own_nodes(graph) if node.target is guard)


def is_test(what: Any, expected: Any) -> bool:
    """Whether a guard says less of a number than what it is."""
    if not isinstance(what, Node) or type(expected) is not bool:
        return False
    return (what.target, expected) not in ((operator.eq, True), (operator.ne, False))


def in_order(graph: Graph, parameters: list[inspect.Parameter]) -> None:
    """Let the placeholders stand at the top in the order of the parameters."""
    by_name = {n.target.lstrip("*"): n for n in graph.placeholders}
    for parameter in reversed(parameters):
        node, top = by_name[parameter.name], next(iter(graph.nodes))
        if top is not node:
            top.prepend(node)


def constants(graph: Graph, bound: inspect.BoundArguments) -> set[str]:
    """The numbers among the parameters of a function that decide whether it returns before its end."""
    given = bound.arguments.items()
    numbers = {name for name, v in given if isinstance_scalar(v) or isinstance(v, (int, float))}
    return numbers & {name for node in deciding(graph) for name in atoms(node, [])}


def named(fn: types.FunctionType) -> str:
    return fn.__name__ if fn.__name__.isidentifier() else "inner"


def hint(value: Any) -> Any:
    return value.spec.hint if is_proxy(value) and isinstance(value.spec, Scalar) else value


def atoms(what: Any, parameters: list[inspect.Parameter]) -> set[str]:
    """The parameters that a guarded value is computed from."""
    if isinstance(what, Sym):
        return {root(atom.removeprefix("len(")) for atom in what.atoms}
    behind = reached([what] if isinstance(what, Node) else [], lambda node: node.all_input_nodes)
    return {node.target for node in behind if node.op == "placeholder"}


def shapes(value: Any) -> bool:
    """Whether the shape of an array is among nested containers: the caller has that of his own array."""
    return type(value) is Shape or not is_proxy(value) and any(shapes(v) for _, v in children(value) or ())


def records(value: Any) -> bool:
    """Whether a dataclass is among nested containers."""
    return is_record(value) or any(records(item) for _, item in children(value) or ())

"""Calls of the user's own functions. A module-level one becomes a call with its own Graph; others end up
inline.

Ints and floats among its arguments are recorded as its parameters, so that its text stays general. Where the
function's course depends on one of them, it is traced again with that value built in.
"""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any

from ..ir.dim import Sym
from ..ir.errors import UnsupportedError
from ..ir.graph import Graph, Node
from ..ir.regions import Function, guard
from ..ir.spec import Spec
from ..ir.static import Scalar
from ..ir.tree import children, is_record, leaves
from . import advancing, memory, numbers, pure, watching
from .handing import Handing, go_on
from .inputs import Inputs
from .place import here, loose_gate
from .proxy import Shape, is_array_proxy, is_proxy, isinstance_scalar
from .returning import OneOfSeveral, because, deciding, is_answer, known_outside, seen_on_all_ways
from .rewrite.link import is_linked
from .sharing import Doubt
from .staging import heap, twins
from .staging.loops import Start
from .staging.rows import Rows
from .tracer import EarlyReturn, Frame
from .weak import Weak, bare


@loose_gate
def call(hooks: Any, fn: types.FunctionType, args: Any, kwargs: Any, compiled: bool = False) -> Any:
    """Call a function of the user's from traced code; `compiled`: which JAX compiles."""
    tracer = hooks.tracer
    given = list(leaves((args, kwargs)))
    if fn is tracer.decorated or not module_level(fn) or not any(map(is_proxy, given)):
        return inline(hooks, fn, args, kwargs, compiled)
    if any(isinstance(leaf, Rows) for leaf in given) or watching.takes_checks(tracer):
        return inline(hooks, fn, args, kwargs, compiled)
    signature = inspect.signature(fn)
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in signature.parameters.values()):
        return inline(hooks, fn, args, kwargs, compiled)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return fn(*args, **kwargs)
    bound.apply_defaults()
    found = apart(hooks, fn, bound, compiled)
    if isinstance(found, str):
        return inline(hooks, fn, args, kwargs, compiled)
    return tracer.framework.handed(tracer, found[0]) if compiled else found[0]


def jitted(hooks: Any, fn: types.FunctionType, args: Any, kwargs: Any) -> Any:
    """Call a function that JAX compiles."""
    return pure.run(hooks.tracer, "jax.jit", fn, lambda: call(hooks, fn, args, kwargs, compiled=True))


@loose_gate
def inline(hooks: Any, fn: types.FunctionType, args: Any, kwargs: Any, compiled: bool = False) -> Any:
    """Run a function of the user's, so that it ends up in the graph that is open.

    Where it returns on one side of an `if` that an array decides, and not on the other, it gets a Graph
    of its own after all.
    """
    tracer = hooks.tracer
    start = Start(tracer) if is_linked(fn.__code__, hooks) or may_leave_early(fn.__code__) else None
    frame = Frame(fn.__code__, inline=True, loops=len(tracer.loops))
    tracer.frames.append(frame)
    depth = len(tracer.frames)
    try:
        result = hooks.rewritten(fn)(*args, **kwargs)
        return tracer.framework.handed(tracer, result) if compiled else result
    except EarlyReturn as early:
        if early.frame is not frame or start is None:
            raise
        static = early.static
    finally:
        del tracer.frames[depth - 1 :]
    start.back()
    bound = inspect.signature(fn).bind(*args, **kwargs)
    bound.apply_defaults()
    found = apart(hooks, fn, bound, compiled, capturing=True)
    if isinstance(found, str) and static and not tracer.settles:
        start.back()
        return settled(hooks, fn, args, kwargs, compiled)
    if isinstance(found, str):
        raise UnsupportedError(
            f"returning from {fn.__name__} where an array decides",
            why=found,
            span=tracer.span(),
            hint="give the result a name in both branches and return it at the end",
        )
    return found[0]


def settled(hooks: Any, fn: types.FunctionType, args: Any, kwargs: Any, compiled: bool) -> Any:
    """Run it where no array decides, but a size or an argument: as for the example, guarded."""
    hooks.tracer.settles = True
    try:
        return inline(hooks, fn, args, kwargs, compiled)
    finally:
        hooks.tracer.settles = False


def apart(
    hooks: Any,
    fn: types.FunctionType,
    bound: inspect.BoundArguments,
    compiled: bool = False,
    *,
    capturing: bool = False,
) -> tuple[Any] | str:
    """The result of a call with a Graph of its own; where it cannot have one, why.

    Args:
        capturing: whether it may read values of its caller, which become operands.
    """
    tracer = hooks.tracer
    if watching.takes_checks(tracer):
        return "it stands in a `try` that would catch it where a check of the function's fails"
    baked: set[str] = set()
    while True:
        mark = tracer.mark()
        try:
            graph, operands, result, looked = body(hooks, fn, bound, baked, compiled, capturing)
        except OneOfSeveral as several:  # a number that its caller knows may say which
            looked = constants(several.graph, bound)
            if not looked - baked:
                raise
        if not looked - baked:
            break
        tracer.rollback(mark)
        for name in looked - baked:
            if is_proxy(bound.arguments[name]):  # built in there, so here it must stay what it is
                bound.arguments[name] = bound.arguments[name].typed(f"{fn.__name__} depends on it")
        baked |= looked
    if graph is None:
        tracer.rollback(mark)
        return result  # type: ignore[no-any-return]
    return (finish(tracer, fn, graph, operands, result),)


def body(
    hooks: Any,
    fn: types.FunctionType,
    bound: inspect.BoundArguments,
    baked: set[str],
    compiled: bool,
    capturing: bool,
) -> Any:
    """Trace the function into a graph of its own. `looked` are the numbers among its parameters that it
    depends on. Where there can be none, the result is why.
    """
    tracer = hooks.tracer
    graph = Graph(named(fn))
    operands: list[Any] = []
    values: dict[str, Any] = {}
    parameters = []
    reach = heap.in_reach(tracer)
    log, kept = len(tracer.log), tracer.caches.mark()
    tracer.frames.append(
        Frame(fn.__code__, inline=False, loops=len(tracer.loops), heap=reach, compiled=compiled)
    )
    depth = len(tracer.frames)
    before = dict(tracer.assumed_none)
    try:
        with tracer.scope(graph) as scope, advancing.tried(tracer, reach):
            inputs = Inputs(tracer)
            for name, value in bound.arguments.items():
                number = bare(value)
                if type(value) is Weak and type(number) is not bool:  # which it is for the function too
                    values[name], value = Weak(tracer, inputs.parameter(name, number)), number
                elif name in baked or inputs.kept(value) or callable(value) and not is_proxy(value):
                    values[name] = hint(value)
                    continue
                else:
                    values[name] = inputs.parameter(name, value)
                parameters.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD))
                operands.append(value)
            reach.held.update(heap.Heap(values.items()).held)
            graph.meta["parameters"] = parameters
            graph.meta["doc"] = inspect.getdoc(fn)
            tracer.assumed_none.clear()
            arguments = inspect.BoundArguments(bound.signature, values)
            result = tracer.outgoing(hooks.rewritten(fn)(*arguments.args, **arguments.kwargs))
            outside = any(old.graph is not graph for _, old in tracer.log[log:])
            handed = Handing(tracer, inputs.arrays, bound.arguments, result, log)
            nodes, seen, _ = tracer.digest(result)
            graph.meta |= {"watched": True} if watching.goes_on(tracer) else {}
            # Attributes of a record stand where it was made, and what a caller sees changed would be
            # changed twice.
            lists = any(isinstance(leaf, Rows) for leaf in leaves(nodes))
            outside = outside or bool(scope.captures) and (bool(handed.written) or not capturing)
            outside = outside or not handed.is_clear(graph)
            if outside or lists or records(nodes) or shapes(result) or reach.changed():
                why = because(outside, lists, reach.changed(), shapes(result))
                reach.restore()
                return None, [], why, set()
            if not capturing and is_answer(graph, nodes, bool(handed.written)):
                return None, [], "it gives nothing that is recorded", set()
            seen = complete(tracer, graph, handed, result, seen)
            handed.known = known_outside(reach, handed.ways)
            capture(tracer, scope, parameters, operands)
            in_order(graph, parameters)
            handed.note(graph)
            looked = {n for node in guards(graph) for n in atoms(node.args[0], parameters)}
    except UnsupportedError as error:
        if error is not tracer.advanced:
            raise
        reach.restore()
        return None, [], "it also changes an iterator, or what else has no copy, of its caller's", set()
    finally:
        tracer.undo(log)
        tracer.caches.leave(kept)
        del tracer.frames[depth - 1 :]
        tracer.assumed_none.update(before)
    is_array = tracer.framework.is_array
    numbers = {name for name, v in values.items() if isinstance(v, (int, float)) and not is_array(v)}
    return graph, operands, (nodes, seen, handed), looked & numbers & {p.name for p in parameters}


def complete(tracer: Any, graph: Graph, handed: Handing, result: Any, seen: Any) -> Any:
    """The graph's output, with what it leaves in its operands. Returns what the result is on all ways."""
    handed.store(graph)
    graph.output(tracer.returned(result))
    handed.ways = [*tracer.frames[-1].returned, result]
    return seen_on_all_ways(tracer, graph, seen)


def capture(tracer: Any, scope: Any, parameters: list[inspect.Parameter], operands: list[Any]) -> None:
    """Let what a function reads of its caller's be parameters of it."""
    for outer, inner in scope.captures.items():
        if outer.graph is tracer.scopes[-2].graph:
            inner.meta = {k: v for k, v in inner.meta.items() if k != "captured"}
            parameters.append(inspect.Parameter(inner.target, inspect.Parameter.POSITIONAL_OR_KEYWORD))
            operands.append(outer)


def guards(graph: Graph) -> Iterator[Node]:
    """The guards of a graph, those in its branches too."""
    for node in graph.nodes:
        if node.target is guard:
            yield node
        for value in node.args:
            if isinstance(value, Graph):
                yield from guards(value)


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
        return {atom.partition(".")[0].partition("[")[0] for atom in what.atoms}
    found: set[str] = set()
    stack = [what]
    while stack:
        node = stack.pop()
        if isinstance(node, Node):
            if node.op == "placeholder":
                found.add(node.target)
            stack += node.all_input_nodes
    return found


def finish(tracer: Any, fn: types.FunctionType, graph: Graph, operands: list[Any], result: Any) -> Any:
    nodes, seen, handed = result
    args = tuple(o if isinstance(o, Node) else tracer.held(o) or tracer.digest(o)[0] for o in operands)
    node = tracer.graph.create_node("call_function", Function(named(fn), graph), args, name=named(fn))
    node.place = here()
    if handed.shares:
        memory.alias(node)
    env = outer_dims(tracer, graph, operands)
    result = tracer.wrap(node, substituted(seen, env))
    for inner, outer in zip(leaves(nodes), leaves(result)):
        if isinstance(inner, Node) and is_proxy(outer) and not isinstance_scalar(outer):
            outer.node.meta["number"] = numbers.is_number(tracer, inner)
            pinned = inner.meta.get("doubtful")
            if pinned is not None:
                given = [o for o in operands if is_array_proxy(o)]
                memory.doubt(tracer, outer, [Doubt(o, o.node, pinned) for o in given])
    go_on(tracer, node, operands)
    if handed.known:
        twins.note_all(tracer, named(fn), result, handed.known)
    return handed.given_back(result)


def outer_dims(tracer: Any, graph: Graph, operands: list[Any]) -> dict[str, Any]:
    """The caller's expression for each dim and number that the function's graph names."""
    env: dict[str, Any] = {}

    def visit(inner: Any, outer: Any) -> None:
        if isinstance(inner, Spec) and isinstance(outer, Spec) and inner.shape and outer.shape:
            for a, b in zip(inner.shape, outer.shape):
                if isinstance(a, Sym):
                    env[str(a)] = b
        elif isinstance(inner, Scalar) and isinstance(inner.value, Sym):
            env[str(inner.value)] = outer.value if isinstance(outer, Scalar) else outer
        elif isinstance(inner, dict) and isinstance(outer, dict):
            for key, item in inner.items():
                visit(item, outer.get(key))

    from .inputs import spec_of

    for placeholder, operand in zip(graph.placeholders, operands):
        visit(
            placeholder.spec,
            operand.spec
            if isinstance(operand, Node)
            else spec_of(operand)
            if not tracer.framework.is_array(operand) or is_proxy(operand)
            else tracer.framework.spec(operand),
        )
    return env


def substituted(seen: Any, env: dict[str, Any]) -> Any:
    """The result's specs in terms of the caller's dims."""
    from ..backends.inference import Seen

    if isinstance(seen, Seen):
        spec = seen.spec
        if isinstance(spec, Spec) and spec.shape is not None:
            return Seen(
                Spec(tuple(d.evaluate(env) if isinstance(d, Sym) else d for d in spec.shape), spec.dtype),
                seen.form,
            )
        if isinstance(spec, Scalar) and isinstance(spec.value, Sym):
            return Seen(Scalar(spec.type, spec.value.evaluate(env)), seen.form)
        return seen
    if isinstance(seen, tuple):
        items = [substituted(s, env) for s in seen]
        return type(seen)(*items) if hasattr(seen, "_fields") else tuple(items)
    if isinstance(seen, list):
        return [substituted(s, env) for s in seen]
    if isinstance(seen, dict):
        return {k: substituted(v, env) for k, v in seen.items()}
    return seen


@functools.lru_cache(maxsize=4096)
def may_leave_early(code: types.CodeType) -> bool:
    """Whether a function may return elsewhere than at its very end."""
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    jumps = any("JUMP_BACKWARD" in name or name == "RAISE_VARARGS" for name in names)
    return jumps or sum(name.startswith("RETURN_") and name != "RETURN_GENERATOR" for name in names) != 1


def module_level(fn: types.FunctionType) -> bool:
    return (
        "<" not in fn.__qualname__
        and "." not in fn.__qualname__
        and fn.__closure__ is None
        and not inspect.isgeneratorfunction(fn)
    )


def shapes(value: Any) -> bool:
    """Whether the shape of an array is among nested containers: the caller has that of his own array."""
    return type(value) is Shape or not is_proxy(value) and any(shapes(v) for _, v in children(value) or ())


def records(value: Any) -> bool:
    """Whether a dataclass is among nested containers."""
    return is_record(value) or any(records(item) for _, item in children(value) or ())

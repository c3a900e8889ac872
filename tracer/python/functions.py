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
import weakref
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.graphs.fitting import take_over
from ...ir.graphs.graph import Graph, Node
from ...ir.graphs.regions import Function
from ...ir.graphs.static import Scalar
from ...ir.sizes.dim import Sym, sym
from ...ir.values.carried import base_of, carriers
from ...ir.values.spec import Spec
from ...ir.values.tree import children, leaves, rebuilt, tuple_fields
from ..memory import aliasing, giving, numpy_scalars
from ..memory.sharing import Doubt
from ..objects import pure, twins
from ..place import here, loose_gate
from ..proxy import is_array_proxy, is_proxy
from ..regions.outcomes import Inline
from ..regions.returning import OneOfSeveral
from ..regions.start import Start
from ..rewrite.link import is_linked
from ..state.stack import Frame
from ..tracer import EarlyReturn
from ..trying import watching
from ..values.list_rows import Rows
from ..values.reckoning import reworded
from .bodies import body, constants, named
from .capturing import Variables, root
from .handing import go_on
from .interning import Interning
from .unpacking import returned

if TYPE_CHECKING:
    from ..tracer import Tracer
    from .hooks import Tracing


@loose_gate
def call(hooks: Tracing, fn: types.FunctionType, args: Any, kwargs: Any, compiled: bool = False) -> Any:
    """Call a function of the user's from traced code; `compiled`: which JAX compiles."""
    tracer = hooks.tracer
    given = list(leaves((args, kwargs)))
    nested = tracer.entry.form and is_nested(fn) and fn.__name__ != "<lambda>"
    if fn is tracer.entry.decorated or not any(map(is_proxy, given)) or not (nested or module_level(fn)):
        return inline(hooks, fn, args, kwargs, compiled)
    if any(isinstance(leaf, Rows) for leaf in given) or watching.takes_checks(tracer):
        return inline(hooks, fn, args, kwargs, compiled)
    signature = signature_of(fn)
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in signature.parameters.values()):
        return inline(hooks, fn, args, kwargs, compiled)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return fn(*args, **kwargs)
    bound.apply_defaults()
    outcomes = tracer.outcomes
    expected = outcomes.next(fn)
    inside, always = expected.inside, expected.inline
    if not always:
        with outcomes.inside(inside) as inside:
            tracer.entry.formed |= nested
            found = apart(hooks, fn, bound, compiled)
        if not isinstance(found, Inline):
            outcomes.note(fn, False, inside)
            return tracer.framework.handed(tracer, found[0]) if compiled else found[0]
        always = found.always
    with outcomes.inside(inside) as inside:
        result = inline(hooks, fn, args, kwargs, compiled)
    outcomes.note(fn, always, inside)
    return result


def jitted(hooks: Tracing, fn: types.FunctionType, args: Any, kwargs: Any) -> Any:
    """Call a function that the framework compiles."""
    jit = hooks.tracer.backend.regions.jit
    return pure.run(hooks.tracer, jit, fn, lambda: call(hooks, fn, args, kwargs, compiled=True))


@loose_gate
def inline(hooks: Tracing, fn: types.FunctionType, args: Any, kwargs: Any, compiled: bool = False) -> Any:
    """Run a function of the user's, so that it ends up in the graph that is open.

    Where it returns on one side of an `if` that an array decides, and not on the other, it gets a Graph
    of its own after all.
    """
    tracer = hooks.tracer
    may_return = is_linked(fn.__code__, hooks) or may_leave_early(fn.__code__)
    frame = Frame(fn.__code__, inline=True, loops=len(tracer.stack.loops))
    with Start(tracer, fn, args, kwargs) if may_return else nullcontext() as start:
        tracer.stack.frames.append(frame)
        depth = len(tracer.stack.frames)
        try:
            result = hooks.rewritten(fn, inline=True)(*args, **kwargs)
            result = tracer.framework.handed(tracer, result) if compiled else result
        except EarlyReturn as early:
            if early.frame is not frame or start is None:
                raise
            static = early.static
        else:
            return returned(tracer, result)
        finally:
            del tracer.stack.frames[depth - 1 :]
        return returned_early(hooks, start, static, fn, args, kwargs, compiled)


def returned_early(
    hooks: Tracing, start: Start, static: bool, fn: types.FunctionType, args: Any, kwargs: Any, compiled: bool
) -> Any:
    """What a function gives that returns before its end on one way and not on the other.

    Raises:
        UnsupportedError: where it can have no graph of its own.
    """
    start.back()
    bound = inspect.signature(fn).bind(*args, **kwargs)
    bound.apply_defaults()
    found = apart(hooks, fn, bound, compiled, must=True)
    if isinstance(found, Inline) and static and not hooks.tracer.answers.on:
        start.back()
        return settled(hooks, fn, args, kwargs, compiled)
    if isinstance(found, Inline):
        error = UnsupportedError(
            f"returning from {fn.__name__} where an array decides",
            why=found.why,
            span=hooks.tracer.span(),
            hint="give the result a name in both branches and return it at the end",
        )
        raise hooks.tracer.returning(fn.__code__, error)
    return found[0]


def settled(
    hooks: Tracing, fn: types.FunctionType, args: Any, kwargs: Any, compiled: bool = False
) -> Any:
    """Run it where no array decides, but a size or an argument: as for the example, guarded."""
    answers = hooks.tracer.answers
    before, answers.on = answers.on, True
    try:
        return inline(hooks, fn, args, kwargs, compiled)
    finally:
        answers.on = before


def apart(
    hooks: Tracing,
    fn: types.FunctionType,
    bound: inspect.BoundArguments,
    compiled: bool = False,
    *,
    must: bool = False,
) -> tuple[Any] | Inline:
    """The result of a call with a Graph of its own; where it cannot have one, why.

    Args:
        must: whether it cannot be inline.
    """
    tracer = hooks.tracer
    given = list(bound.arguments.values())
    if any(carriers(v) is not None for v in given) or any(base_of(type(leaf)) for leaf in leaves(given)):
        return Inline("it is given a number or a container that has attributes of its own")
    if tracer.memory.giving.unfolds(fn.__code__) and not must:
        return Inline("it gives memory that it was given, which is written into")
    if watching.takes_checks(tracer):
        return Inline("it stands in a `try` that would catch it where a check of the function's fails", False)
    baked, variables = set[str](), Variables(fn, bound, must)
    if variables.values and not (must or tracer.entry.form):
        return Inline("it reads variables of its caller's")
    tracer.entry.formed |= bool(variables.values) and not must
    while True:
        mark = tracer.mark()
        try:
            graph, operands, result, looked = body(hooks, fn, bound, variables, baked, compiled, must)
        except OneOfSeveral as several:  # a number that its caller knows may say which
            looked = constants(several.graph, bound)
            if not looked - baked:
                raise
        if not looked - baked:
            break
        tracer.rollback(mark)
        for known in (bound.arguments, variables.values):
            for name in known:
                if name in looked - baked and is_proxy(known[name]):  # built in, so it must stay what it is
                    known[name] = known[name].typed(f"{fn.__name__} depends on it")
        baked |= looked
    if graph is None:
        tracer.rollback(mark)
        return result  # type: ignore[no-any-return]
    return (finish(tracer, fn, graph, operands, result),)


def finish(tracer: Tracer, fn: types.FunctionType, graph: Graph, operands: list[Any], result: Any) -> Any:
    nodes, seen, handed = result
    baked = graph.meta.pop("baked")  # by which calls of one graph may differ
    interning = Interning(tracer, graph, handed.called)
    graph = interning.graph
    args = tuple(as_given(tracer, operand) for operand in operands)
    node = tracer.graph.create_node("call_function", Function(named(fn), graph), args, name=named(fn))
    node.place, node.meta["baked"] = here(), baked
    node.meta["of items"] = tuple(i for i, value in enumerate(operands) if tracer.structure.is_item(value))
    interning.called(node)
    if handed.shares:
        lenders = {id(array) for array in handed.lenders()}
        lent = [arg for operand, arg in zip(operands, args) if id(operand) in lenders]
        aliasing.alias(node, lent)
        giving.note(tracer, node, fn.__code__, lent)
    env = outer_dims(tracer, graph, operands) | lengths(tracer, graph, operands)
    env |= computed(tracer, graph, operands, [name for name in atoms_of(seen) if name not in env])
    take_over(tracer.graph, graph, env, args)
    result = tracer.wrap(node, substituted(seen, env))
    if handed.shares and tracer.framework.aliasing:
        handed.note_shared(result)
    for inner, outer in zip(leaves(nodes), leaves(result)):
        if isinstance(inner, Node) and is_array_proxy(outer):
            outer.node.meta["number"] = numpy_scalars.is_number(tracer, inner)
    given = list(filter(is_array_proxy, leaves(operands)))
    for outer, pins in handed.doubts(result):
        aliasing.doubt(tracer, outer, [Doubt(o, o.node, pin) for pin in pins for o in given])
    go_on(tracer, node, operands)
    if handed.known:
        twins.note_all(tracer, named(fn), result, handed.known)
    return handed.given_back(result, "compiled" in graph.meta)


def outer_dims(tracer: Tracer, graph: Graph, operands: list[Any]) -> dict[str, Any]:
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

    from ..inputs import spec_of

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


def as_given(tracer: Tracer, operand: Any) -> Any:
    """An operand as the tape has it. Nothing is asked of a container that is handed on as it is."""
    if isinstance(operand, Node) or (known := tracer.held(operand)) is not None:
        return operand if isinstance(operand, Node) else known
    if tracer.structure.is_item(operand) and (items := children(operand)):
        return rebuilt(operand, {key: as_given(tracer, item) for key, item in items})
    return tracer.digest(operand)[0]


def lengths(tracer: Tracer, graph: Graph, operands: list[Any]) -> dict[str, Any]:
    """The caller's expression for the length of each list that the function's loops go through."""
    given = {str(placeholder.target): operand for placeholder, operand in zip(graph.placeholders, operands)}
    env: dict[str, Any] = {}
    for path, length in graph.meta.get("listed", {}).items():
        name = root(path)
        if isinstance(given[name], Node):  # a container of the caller's, as the tape has it
            outer = f"{given[name].meta['within'][:-1]}{path.removeprefix(name)}"
        else:
            container = eval(path, {}, given)
            found = tracer.structure.find(container)
            outer = "" if found is None else found.path
            if found is None:  # it is in an item of a list, any one of which it may be
                tracer.structure.whole(container)
            else:
                found.graph.meta.setdefault("listed", {})[outer] = length
        env[f"len({path})"] = sym(f"len({outer})", length, 0) if outer else length
    return env


def computed(tracer: Tracer, graph: Graph, operands: list[Any], sizes: list[str]) -> dict[str, Any]:
    """The caller's expressions for sizes that the function computes of numbers among its parameters."""
    given = {str(placeholder.target): operand for placeholder, operand in zip(graph.placeholders, operands)}
    found = {size: reworded(tracer, size, given) for size in sizes if "@" not in size}
    return {size: said for size, said in found.items() if said is not None}


def atoms_of(seen: Any) -> set[str]:
    """The names in the sizes of a result."""
    from ...backends.reading.inference import Seen

    if isinstance(seen, Seen):
        spec = seen.spec
        found = spec.shape if isinstance(spec, Spec) else (spec.value,) if isinstance(spec, Scalar) else ()
        return {name for size in found or () if isinstance(size, Sym) for name in size.atoms}
    items = seen.values() if isinstance(seen, dict) else seen if isinstance(seen, (tuple, list)) else ()
    return {name for item in items for name in atoms_of(item)}


def substituted(seen: Any, env: dict[str, Any]) -> Any:
    """The result's specs in terms of the caller's dims."""
    from ...backends.reading.inference import Seen

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
        return type(seen)(*items) if tuple_fields(type(seen)) is not None else tuple(items)
    if isinstance(seen, list):
        return [substituted(s, env) for s in seen]
    if isinstance(seen, dict):
        return {k: substituted(v, env) for k, v in seen.items()}
    return seen


#: The signatures of functions, each with the code and defaults that it was made of.
SIGNATURES: weakref.WeakKeyDictionary[types.FunctionType, tuple[Any, Any, inspect.Signature]] = (
    weakref.WeakKeyDictionary()
)


def signature_of(fn: types.FunctionType) -> inspect.Signature:
    """`inspect.signature`, which is remembered for functions of whose parameters nothing else can say
    anything.
    """
    if fn.__kwdefaults__ or fn.__dict__:
        return inspect.signature(fn)
    code, defaults, known = SIGNATURES.get(fn, (None, None, None))
    if known is None or code is not fn.__code__ or defaults is not fn.__defaults__:
        known = inspect.signature(fn)
        SIGNATURES[fn] = fn.__code__, fn.__defaults__, known
    return known


@functools.lru_cache(maxsize=4096)
def may_leave_early(code: types.CodeType) -> bool:
    """Whether a function may return elsewhere than at its very end."""
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    jumps = any("JUMP_BACKWARD" in name or name == "RAISE_VARARGS" for name in names)
    return jumps or sum(name.startswith("RETURN_") and name != "RETURN_GENERATOR" for name in names) != 1


def is_nested(value: Any) -> bool:
    """Whether a value is a function that another one defines, whose variables it may read."""
    is_plain = isinstance(value, types.FunctionType) and not inspect.isgeneratorfunction(value)
    return is_plain and "<locals>" in value.__qualname__


def module_level(fn: types.FunctionType) -> bool:
    return (
        "<" not in fn.__qualname__
        and "." not in fn.__qualname__
        and fn.__closure__ is None
        and not inspect.isgeneratorfunction(fn)
    )

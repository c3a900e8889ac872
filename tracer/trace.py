"""trace: a function and example arguments -> its tape."""

from __future__ import annotations

import contextvars
import functools
import inspect
import math
import sys
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..backends.arrays import map_arrays
from ..backends.backend import NAMES, framework_of
from ..ir.errors import GraphError, InternalError, TraceError, UnsupportedError, told
from ..ir.graphs.graph import Graph
from ..ir.graphs.presence import settle_presence
from ..ir.values.tree import circular, leaves
from . import flags, settling, untraceable
from .faults import ours
from .guessing import tell_missing, told_all
from .inputs import Inputs
from .intercept import framework
from .memory import giving, making
from .objects import opaque, twins, wrapped
from .objects.changes import refusal
from .objects.containers import fill
from .objects.outside import Outside
from .oracle import audit
from .own import attribute, definition, partial
from .place import edge
from .proxy import is_array_proxy, is_proxy
from .regions import items
from .regions.side import Raised, by_example, has_left, is_said
from .rewrite import words
from .rolling import SHORT, Rolling
from .state.entry import Entry
from .supposed import Supposed
from .tracer import Tracer
from .trying import attempts
from .values.predicate import Replaced
from .written_for import source_of


def trace(
    fn: Callable[..., Any],
    args: Sequence[Any] | None,
    kwargs: Mapping[str, Any] | None,
    source: str | None = None,
    supposed: Supposed | None = None,
    unroll: float | None = None,
    form: bool = True,
) -> tuple[Graph, str]:
    """The tape of `fn`, and the name of the framework that it is written for. See `traced`.

    Where the program has filled a cache, it is traced again with what is there then: that must not matter.

    Args:
        supposed: what is taken of arrays without an example.
        unroll: how many turns of a loop Python runs at most before it is recorded; None: none, but those of
            short loops where that fails.
        form: see Entry; where that fails it is not kept.
    """
    supposed, found = supposed or Supposed(), functools.partial(Found, form=form)
    given = (*(args or ()), *(kwargs or {}).values())
    if any(map(circular, given)):
        raise TraceError(
            "an argument that holds itself has no end", hint="give what is read of it as arguments"
        )
    rolling = Rolling(unroll or 0, SHORT if unroll is None else 0)
    while True:
        try:
            tracer, name = traced(fn, args, kwargs, source, supposed, rolling, found())
            break
        except TraceError as error:
            less = rolling.less()
            if isinstance(error, GraphError) or unroll is not None or less is None:
                raise
            rolling = less
    gained = tracer.outside.gained
    if not gained:
        return tracer.entry.tape, name
    for change in gained:
        fill(change.container, change.after)
    try:
        again, _ = traced(fn, args, kwargs, source, supposed, rolling, found())
    finally:
        for change in gained:
            fill(change.container, change.before)
    if again.outside.gained or not say_the_same(again.entry.tape, tracer.entry.tape):
        raise refusal(tracer.outside.described(gained[0]).found(tracer.outside.reach.codes))
    return tracer.entry.tape, name


def say_the_same(graph: Graph, other: Graph) -> bool:
    """Whether two tapes say the same, with the same constants."""
    if str(graph) != str(other) or graph.constants.keys() != other.constants.keys():
        return False
    return not any(opaque.differs(graph.constants[name], v) for name, v in other.constants.items())


@edge
def traced(
    fn: Callable[..., Any],
    args: Sequence[Any] | None,
    kwargs: Mapping[str, Any] | None,
    source: str | None,
    supposed: Supposed,
    rolling: Rolling,
    found: Found,
) -> tuple[Tracer, str]:
    """The tracer that holds the tape of `fn`, and the name of the framework that it is written for.

    Args:
        args, kwargs: example arguments: arrays of the framework, `spec(...)`, numbers, containers of these,
            or anything else, which is kept as it is. None: nothing is known of the arguments.
        supposed: what is taken of arrays without an example.
        rolling: which loops are recorded as loops.
        found: by whoever tried before.

    Raises:
        TraceError: where the function cannot be traced; it names the user's line.
    """
    while True:
        try:
            made = once(fn, args, kwargs, source, supposed, rolling, found)
            if not found.form or not (known := flags.checked(made[0].entry.tape)):
                return made
            found = Found(form=True, known=found.known | known)
        except Replaced as stop:
            found.left_out.add(stop.name)
        except attempts.Failing as stop:
            found.recorded.update(stop.places)
        except settling.Settle as stop:
            found.settled.update(stop.tests)
        except making.Own as stop:
            found.owned.update(stop.places)
        except giving.Unfold as stop:
            found.unfolded.update(stop.codes)
        except settling.Spell:
            pass  # `rolling` knows where
        except TraceError as error:
            if (code := found.entry.returning(error)) is not None:
                found.joined.add(code)
                continue
            if isinstance(error, InternalError) or not (found.form and found.entry.formed):
                raise
            found = Found()


@dataclass
class Found:
    """What tries have found out for the next one.

    Attributes:
        left_out: the parameters that are None, as by default.
        recorded: the `try` that are regions.
        settled: the tests that are answered as in the example.
        owned: where arrays are recorded that Python makes.
        unfolded: the user's functions that are put inline.
        joined: those that return at their end alone.
        form: see Entry; known: the flags that are not recorded.
        entry: of the last try.
    """

    left_out: set[str] = field(default_factory=set)
    recorded: set[attempts.Place] = field(default_factory=set)
    settled: set[settling.Test] = field(default_factory=set)
    owned: set[settling.Test] = field(default_factory=set)
    unfolded: set[giving.Code] = field(default_factory=set)
    joined: set[giving.Code] = field(default_factory=set)
    form: bool = False
    known: frozenset[str] = frozenset()
    entry: Entry = field(default_factory=Entry)


def once(
    fn: Callable[..., Any],
    args: Sequence[Any] | None,
    kwargs: Mapping[str, Any] | None,
    source: str | None,
    supposed: Supposed,
    rolling: Rolling,
    found: Found,
) -> tuple[Tracer, str]:
    """See `traced`; `found` by the tries before."""
    name = source or source_of(fn, args, kwargs)
    if name not in NAMES:
        raise TraceError(
            f"{name!r} is no framework that tracelate knows", hint=f"source= is one of {', '.join(NAMES)}"
        )
    tracer = Tracer(framework(name), supposed, rolling)
    untraceable.refuse(fn, tracer)
    found.entry = tracer.entry
    tracer.entry.decorated, tracer.entry.form = attribute(fn, "__wrapped__"), found.form
    tracer.tries.recorded, tracer.answers.tests = frozenset(found.recorded), frozenset(found.settled)
    tracer.memory.making.owned = frozenset(found.owned)
    tracer.memory.giving.unfolded = frozenset(found.unfolded)
    tracer.entry.joined = frozenset(found.joined)
    given = attribute(fn, "__name__", type(fn).__name__)
    graph = Graph(given if given.isidentifier() else "fn")
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError) as error:
        raise TraceError(
            f"{fn!r} has no signature to trace by", hint="wrap it in a function of your own"
        ) from error
    with told(args is not None or kwargs is not None), told_all(tracer), tracer.scope(graph):
        bound = bind(fn, signature, args, kwargs)
        tracer.entry.given = list(leaves(bound or {}))
        signature = without_constants(signature, bound or {}, tracer)
        inputs = Inputs(tracer, found.form, found.known, words(wrapped.unjitted(fn)))
        values = placeholders(inputs, signature, bound, found.left_out)
        graph.meta["parameters"] = [as_given(p, tracer) for p in signature.parameters.values()]
        graph.meta["static"] = inputs.static
        tracer.structure.frozen.enter(graph, inputs.static)
        graph.meta["x64"] = tracer.backend.x64
        graph.meta["readings"] = tracer.readings
        tracer.names.reserved = frozenset(signature.parameters)
        graph.meta["defined"], graph.meta["unroll"] = definition(fn), rolling.unroll
        graph.meta["doc"] = inspect.getdoc(fn) if attribute(fn, "__doc__") else None
        with tracer.active():
            result = contextvars.copy_context().run(run, tracer, fn, signature, values, bound or ())
            tracer.stores()
            graph.meta["unread"] = tracer.entry.unread
            give(tracer, graph, result)
        tell_missing(tracer, graph)
    if tracer.entry.is_without_gradients(graph):
        graph.meta["without gradients"] = True
    settle_presence(graph)
    graph.lint()
    attempts.find_failing(tracer, graph)
    if bound is not None:
        audit(tracer.framework, graph, {**defaults(signature), **bound})
    tracer.entry.tape, graph.meta["formed"] = graph, tracer.entry.formed
    return tracer, name


def give(tracer: Tracer, graph: Graph, result: Any) -> None:
    """End the graph with what the function gives, or raises at its end."""
    if isinstance(result, Raised):
        graph.output(result.said, "raise").place = result.place
        return
    tracer.structure.kinds(result)
    graph.output(tracer.returned(result))


def as_given(parameter: inspect.Parameter, tracer: Tracer) -> inspect.Parameter:
    """A parameter whose default is what the framework makes of an array of another: JAX narrows NumPy's."""
    if all(framework_of(leaf) is None for leaf in leaves(parameter.default)):
        return parameter
    return parameter.replace(default=map_arrays(parameter.default, tracer.framework.given))


def defaults(signature: inspect.Signature) -> dict[str, Any]:
    return {n: p.default for n, p in signature.parameters.items() if p.default is not p.empty}


def run(
    tracer: Tracer,
    fn: Callable[..., Any],
    signature: inspect.Signature,
    values: dict[str, Any],
    given: Collection[str],
) -> Any:
    """Call the function on these values; those that are `given` are the caller's."""
    from .python.structure import Watching

    bound = inspect.BoundArguments(signature, values)
    tracer.stack.outermost = sys._getframe()
    arguments = [(name, value) for name, value in values.items() if name in given]
    tracer.outside = Outside([*values.items(), *closed_over(fn)], arguments)
    changes = []
    try:
        result = Watching(tracer).enter(fn, bound.args, bound.kwargs)
        if tracer.tries.spoiled is not None:
            raise tracer.tries.spoiled
        twins.refuse_changed(tracer)
        items.record(tracer)
    except Exception as error:
        if (why := hidden(error)) is not None:
            raise why from None
        if not isinstance(error, TraceError) and not ours(error):
            if tracer.tries.sourceless is not None:  # no text, so that what it does is not seen
                raise tracer.tries.sourceless from error
            if tracer.answers.beyond:
                if not is_said(error) or has_left(error):
                    raise by_example(error) from error
                return Raised.by(tracer, error)
        if isinstance(error, UnsupportedError):
            making.again(tracer)
        if isinstance(error, TraceError) and (tests := tracer.answers.behind()):
            raise settling.Settle(tests) from error  # what cannot be followed there the example does not do
        raise
    finally:
        tracer.stack.outermost = None
        tracer.outside.standing.leave()
        settings = tracer.modes.restored(tracer.outside.reach.codes)
        changes = tracer.outside.restored(tracer.containers.changed) + settings
    if changes:
        raise refusal(changes[0])
    return result


def hidden(error: Exception) -> TraceError | None:
    """Why the program was left that has then raised this itself: by a `finally` that misses a variable, or a
    handler that takes the refusal for an error of its own.
    """
    behind = error.__context__
    while behind is not None and not isinstance(error, TraceError):
        if isinstance(behind, TraceError):
            return behind
        behind = behind.__context__
    return None


def closed_over(fn: Any) -> list[tuple[str, Any]]:
    """What a callable holds, with names: the object that it is or is a method of, and what it closes over."""
    if (bound := partial(fn)) is not None:
        held = (("argument", v) for v in (*bound.args, *bound.keywords.values()))
        return [*closed_over(bound.func), *held]
    return [("self" if not isinstance(fn, types.FunctionType) else fn.__name__, fn)]


def bind(
    fn: Callable[..., Any],
    signature: inspect.Signature,
    args: Sequence[Any] | None,
    kwargs: Mapping[str, Any] | None,
) -> dict[str, Any] | None:
    """Arguments by parameter; None where none were given at all.

    Raises:
        TraceError: where they do not fit the signature.
    """
    if args is None and kwargs is None:
        return None
    if args is not None and not isinstance(args, (tuple, list)):
        args = (args,)
    try:
        return dict(signature.bind(*(args or ()), **(kwargs or {})).arguments)
    except TypeError as error:
        raise TraceError(f"args= do not fit {attribute(fn, '__name__', fn)}{signature}: {error}") from None


#: An array of more elements is no default that a person would write.
LARGEST = 32


def without_constants(
    signature: inspect.Signature, bound: Mapping[str, Any], tracer: Tracer
) -> inspect.Signature:
    """The signature without parameters whose defaults are large arrays, unless they were given: in a
    translation these are arrays that it closes over. What comes after one is given by name, so that no
    argument is taken for another.
    """
    kept: list[inspect.Parameter] = []
    gone = False
    for p in signature.parameters.values():
        large = p.name not in bound and tracer.framework.is_array(p.default) and size(p.default) > LARGEST
        gone = gone or large and p.kind is not p.KEYWORD_ONLY
        if not large:
            named = gone and p.kind is p.POSITIONAL_OR_KEYWORD
            kept.append(p.replace(kind=p.KEYWORD_ONLY) if named else p)
    return signature.replace(parameters=kept)


def size(array: Any) -> int:
    return math.prod(array.shape)


def placeholders(
    inputs: Inputs, signature: inspect.Signature, bound: dict[str, Any] | None, left_out: Collection[str]
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, parameter in signature.parameters.items():
        if bound is None and name not in left_out:
            values[name] = inputs.unknown(parameter)
        elif bound is not None and name in bound:
            stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(parameter.kind.name, "")
            values[name] = inputs.parameter(stars + name, bound[name], parameter.default)
            if parameter.default is None and is_proxy(values[name]):
                values[name].node.meta["optional"] = name
        elif parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            inputs.static[name] = () if parameter.kind is parameter.VAR_POSITIONAL else {}
        else:
            values[name] = inputs.parameter(name, parameter.default, parameter.default)
            for leaf in filter(is_array_proxy, leaves(values[name])):
                leaf.node.meta["default"] = True
    return values

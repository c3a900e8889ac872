"""Guessing: what a call gives that the dictionary does not know, so that all of a program can be traced.

Such a program is refused, but only when all of it has been seen: who reads the error learns of every word
that is missing. NumPy is asked on arrays of ones in the sizes of the example, JAX abstractly; torch, on
tensors without numbers, is asked of every call anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..backends.backend import owner
from ..backends.reading.inference import Refusal, Seen
from ..backends.reading.tape import written_name
from ..ir.errors import TraceError, UnsupportedError, several
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.walk import every_node
from ..ir.values.dtypes import dtype
from ..ir.values.spec import Spec
from ..ir.values.tree import children, leaves, made_of, rebuilt
from .faults import is_fault
from .objects.buffers import copied
from .own import attribute
from .place import gate
from .proxy import Proxy, Shape, is_array_proxy, is_proxy, isinstance_scalar
from .trying import catching

if TYPE_CHECKING:
    from .tracer import Tracer

#: What is said where nobody can be asked.
UNKNOWN = object()
#: The largest operand that is made up.
LARGEST = 10**6


@dataclass(slots=True)
class Guesses:
    """Why calls cannot be translated: of the nodes, `refused`, and of the one that is being recorded."""

    refused: dict[Node, UnsupportedError] = field(default_factory=dict)
    unknown: UnsupportedError | None = None


def instead(tracer: Tracer, op: str, target: Any, args: Any, kwargs: Any, refusal: Refusal) -> Any:
    """What a call gives that was refused; the call that is being recorded is noted as such.

    Raises:
        UnsupportedError: where nobody says.
    """
    template = guess(tracer, op, target, args, kwargs)
    noted(tracer, op, target, args, refusal, template)
    if template is None:
        error, tracer.guesses.unknown = tracer.guesses.unknown, None
        assert error is not None
        raise error from None
    return template


def noted(tracer: Tracer, op: str, target: Any, args: Any, refusal: Refusal, template: Any) -> Any:
    """The result of a call that cannot be translated, of which that is noted."""
    name = written_name(op, target, tracer.backend, args)
    tracer.guesses.unknown = UnsupportedError(name, why=refusal.why, span=tracer.span(), hint=refusal.hint)
    return template


def guess(tracer: Tracer, op: str, target: Any, args: Any, kwargs: Any) -> Any:
    """What a call gives, with Seen for arrays; None where nobody says."""
    given = [v for v in leaves((args, kwargs)) if not is_proxy(v)]
    if any(map(is_file, given)) or not is_pure(op, target):
        return None
    try:
        found = answered(tracer, op, target, args, kwargs)
    except Exception as error:
        if is_fault(error):
            raise
        return None  # the framework may refuse ones, and that says nothing
    return template(found)


def is_file(value: Any) -> bool:
    """Whether a call that is given this may write somewhere: a string may be the name of a file."""
    return isinstance(value, (str, bytes)) or any(
        attribute(type(value), name) is not None for name in ("write", "__fspath__")
    )


def answered(tracer: Tracer, op: str, target: Any, args: Any, kwargs: Any) -> Any:
    """What the framework gives for a call on made-up arrays, or raises; UNKNOWN where none can be made."""
    made = replaced((args, kwargs))
    if made is None:
        return UNKNOWN
    given, named = made

    @gate
    def call(*given: Any) -> Any:
        if op == "call_method":
            return getattr(given[0], target)(*given[1:], **named)
        return target(*given, **named)

    return tracer.framework.tried(call, given)


def explained(tracer: Tracer, op: str, target: Any, args: Any, kwargs: Any, error: Exception) -> Exception:
    """What leaves where a rule of an op raised: what the framework says of the call where it refuses it, too,
    or makes no array of it; else the error, which is our fault.
    """
    if isinstance(error, TraceError):
        return error
    try:
        found = answered(tracer, op, target, args, kwargs)
    except Exception as own:
        if is_fault(own):
            raise
        return catching.refused(tracer, target, own)
    if found is UNKNOWN or template(found) is not None:
        return error
    name = written_name(op, target, tracer.backend, args)
    return UnsupportedError(name, why="what it gives here is no array of numbers", span=tracer.span())


def is_pure(op: str, target: Any) -> bool:
    """Whether a call only computes, as far as one can tell: it takes arrays by their framework's protocol."""
    if op == "call_method" or isinstance(target, np.ufunc) or hasattr(target, "_implementation"):
        return True
    found = owner(str(getattr(target, "__module__", "")))
    return found is not None and found.pure


def replaced(value: Any) -> Any:
    """Arguments of a call with ones for arrays; None where no array can be made up."""
    if is_array_proxy(value):
        spec = value.node.spec
        shape = spec.hint_shape
        known = shape is not None and spec.dtype is not None and None not in shape
        if not known or np.prod(shape) > LARGEST:
            return None
        made, tracer = np.ones(shape, spec.dtype.name), value.tracer
        return made if tracer.backend.accepts(made) else tracer.framework.make(made)
    if isinstance_scalar(value):
        return value.spec.hint if value.spec.hint is not None else value.spec.type(1)
    if isinstance(value, Shape):
        return tuple(map(replaced, value.dims))
    items = children(value)
    if not items:
        return copied(value)  # which it may write into
    parts = {k: replaced(v) for k, v in items}
    lost = any(parts[k] is None and v is not None for k, v in items)
    return None if lost else rebuilt(value, parts)


def template(value: Any) -> Any:
    """A result with Seen for its arrays; None where there is anything else in it."""
    if isinstance(value, tuple) and value or type(value) is list and value:
        items = [template(v) for v in value]
        if any(v is None for v in items):
            return None
        return made_of(type(value), items)
    if not hasattr(value, "shape") or not hasattr(value, "dtype") or isinstance(value, Proxy):
        return None
    try:
        return Seen(Spec(tuple(map(int, value.shape)), dtype(value.dtype)))
    except TypeError:
        return None


def refusals(tracer: Tracer, graph: Graph) -> Iterator[UnsupportedError]:
    """Why calls on a tape, and in the graphs inside, cannot be translated."""
    known = tracer.guesses.refused
    return (known[node] for node in every_node(graph) if node in known)


def tell_missing(tracer: Tracer, graph: Graph) -> None:
    """Raises UnsupportedError that lists all calls that cannot be translated. Those of a framework that is
    asked what they give can be traced all the same, and are listed where the tape is read.
    """
    found = list(refusals(tracer, graph))
    if found and not tracer.backend.asked:
        tracer.guesses.refused.clear()
        raise several(found)


@contextmanager
def told_all(tracer: Tracer) -> Iterator[None]:
    """Where a trace ends early, the calls before that cannot be translated are told of as well. What else is
    raised than a refusal may come of what was guessed, and is left out.
    """
    try:
        yield
    except Exception as error:
        found = [why for node, why in tracer.guesses.refused.items() if is_live(node) and why is not error]
        if not found:
            raise
        more = [error] if isinstance(error, UnsupportedError) else []
        raise several([*found, *more]) from (error if not isinstance(error, TraceError) else None)


def is_live(node: Node) -> bool:
    """Whether a node was not taken back."""
    return node.next is not node

"""Digest: the arguments of a call, in the three forms that recording it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..backends.reading.inference import Seen
from ..ir.graphs.graph import Node
from ..ir.values.tree import holdings, is_record, plain_constant, rebuilt
from .memory.aliasing import current
from .proxy import Proxy, Shape, isinstance_scalar
from .values.predicate import Question
from .values.ranges import Ranged, is_range
from .weak import Weak

if TYPE_CHECKING:
    from .tracer import Tracer

#: Types whose values are recorded as they are.
PLAIN = frozenset({int, float, bool, str, complex, type(None), type(Ellipsis)})


@dataclass(frozen=True, slots=True)
class Whole:
    """A container among the arguments, to be handed on as it is."""

    node: Node


def digest(tracer: Tracer, value: Any, beside: bool = False) -> tuple[Any, Any, Any]:
    """A value of a call as the tape holds it (nodes), as inference sees it (Seen), and as a key for the
    memo.

    Args:
        beside: whether weak arrays are the numbers that they count as beside others.

    Raises:
        Ranged: where there is a range in it.
    """
    kind = type(value)
    if kind in PLAIN:
        return value, value, (kind, value)
    if beside and kind is Weak:
        return digest(tracer, value.number)
    if issubclass(kind, Proxy):
        node = tracer.use(current(tracer, value))
        return (node, *tracer.seen(node))
    if kind is Whole:
        return tracer.use(value.node), None, None
    if kind is Shape:
        return shape(tracer, value)
    tracer.structure.whole(value)
    if kind is list or isinstance(value, (tuple, dict)) or kind is slice:
        return container(tracer, value, beside)
    if is_record(value) and not tracer.framework.is_array(value):
        items = {k: digest(tracer, item, beside) for k, item in holdings(value).items()}
        nodes, seen = (rebuilt(value, {k: p[i] for k, p in items.items()}) for i in range(2))
        return nodes, seen, (kind, *[(k, p[2]) for k, p in items.items()])
    if isinstance(value, np.generic) and not tracer.backend.accepts(value):  # to torch it is Python's
        return digest(tracer, float(value) if isinstance(value, np.bool_) else value.item())
    if tracer.framework.is_array(value):
        node = tracer.constant(value)
        return (node, *tracer.seen(node))
    if is_range(value):
        raise Ranged
    if kind is memoryview:
        raise tracer.error("a call that is given a memoryview", "give it the array itself")
    if kind is Question:
        return digest(tracer, value.settle())
    if (own := plain_constant(value)) is not value:
        return value, own, (kind, own)
    return value, value, (kind, value if getattr(kind, "__hash__", None) else id(value))


def shape(tracer: Tracer, value: Shape) -> tuple[Any, Any, Any]:
    """The shape of an array, whole where only the running program knows some of it."""
    parts = [digest(tracer, v) for v in value.dims]
    if not any(isinstance_scalar(v) for v in value.dims):
        return tuple(value), value.dims, value.dims
    node = tracer.use(value.node)
    nodes, seen, keys = (tuple(p[i] for p in parts) for i in range(3))
    # A function of the user's is handed it item by item.
    return nodes if isinstance(node.spec, dict) else node, seen, keys


def container(tracer: Tracer, value: Any, beside: bool) -> tuple[Any, Any, Any]:
    """A list, a tuple, a dict or a slice, item by item."""
    kind = type(value)
    if isinstance(value, dict):
        # A number was looked at when it became a key.
        items = {k.look() if isinstance_scalar(k) else k: digest(tracer, v, beside) for k, v in value.items()}
        nodes, seen = ({k: p[i] for k, p in items.items()} for i in range(2))
        return nodes, seen, (dict, *[(k, p[2]) for k, p in items.items()])
    if kind is slice:
        parts = [digest(tracer, v, beside) for v in (value.start, value.stop, value.step)]
        return slice(*(p[0] for p in parts)), slice(*(p[1] for p in parts)), (slice, *[p[2] for p in parts])
    parts = [digest(tracer, v, beside) for v in value]
    made: Any = list if kind is list else getattr(kind, "_make", tuple)
    if not parts:
        return made(()), made(()), (kind,)
    held, known, keys = zip(*parts)
    return (held, known, (kind, *keys)) if kind is tuple else (made(held), made(known), (kind, *keys))


def specs(template: Any) -> Any:
    if isinstance(template, Seen):
        return template.spec
    if isinstance(template, (tuple, list)):
        return tuple(specs(t) for t in template)
    return template


def specs_of_dict(template: Any) -> Any:
    return {k: specs_of_dict(v) if isinstance(v, dict) else specs(v) for k, v in template.items()}

"""Streaming: what `enumerate`, `zip` and `reversed` give of Sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .sources import Sources, counter, of, together
from .streams import Stream

if TYPE_CHECKING:
    from ..tracer import Tracer


def enumerated(tracer: Tracer, value: Any, start: Any = 0) -> Any:
    inner = of(tracer, value)
    if inner is None:
        return enumerate(value, start)
    stop = inner.length
    if not isinstance(stop, int):
        stop = counter(tracer, inner)
    each = (start, stop if type(start) is int and start == 0 else stop + start, 1), *inner.each
    return Stream(Sources(tracer, each, lambda i, *rest: (i, inner.form(*rest))), "enumerate")


def zipped(tracer: Tracer, *values: Any, strict: bool = False) -> Any:
    inner = [of(tracer, v) for v in values]
    if any(i is None for i in inner):
        given = [v if i is None else i for v, i in zip(values, inner)]
        return zip(*given, strict=strict)
    return Stream(together(tracer, [i for i in inner if i is not None], strict), "zip")


def reversed_(tracer: Tracer, value: Any) -> Any:
    if isinstance(value, Stream):
        raise TypeError(f"{value.kind!r} object is not reversible")
    inner = of(tracer, value)
    if inner is None:
        return reversed(value)
    return Stream(reversed(inner), "reversed")

"""Asking: the functions of np and jnp that only ask for sizes."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.values.tree import children, leaves, rebuilt
from ..plain import plainly
from ..proxy import is_array_proxy, is_proxy, isinstance_scalar
from ..values import kinds

if TYPE_CHECKING:
    from ..tracer import Tracer


def asks(fn: Callable[..., Any], of_array: Callable[..., Any]) -> Callable[..., Any]:
    """A function of np or jnp that only asks for sizes: of numbers and lists these follow from what they are
    and hold.
    """

    def answer(tracer: Tracer, value: Any, *rest: Any, **named: Any) -> Any:
        if is_array_proxy(value):
            return of_array(tracer, value, *rest, **named)
        tracer.structure.deep(value)
        for part in (value, *leaves(value)):
            kinds.told(tracer, part)
        tracer.structure.kinds_themselves(value)
        return plainly(fn, sized(tracer, value), *rest, **named)

    return answer


def sized(tracer: Tracer, value: Any) -> Any:
    """A value of the sizes that a recorded one has, of any numbers."""
    if isinstance_scalar(value):
        return value.spec.type(0)
    if is_proxy(value):
        shape = tracer.framework.shape_of(value)
        return np.zeros([tracer.known(size, "its shape was asked for") for size in shape])
    parts = children(value) if any(map(is_proxy, leaves(value))) else None
    return value if parts is None else rebuilt(value, {key: sized(tracer, part) for key, part in parts})


def size(tracer: Tracer, x: Any, axis: int | None = None) -> Any:
    shape = tracer.shape(x, named=False)
    return shape.numel() if axis is None else shape[axis]


def asking(module: types.ModuleType) -> Mapping[Any, Callable[..., Any]]:
    """The functions of np and jnp that only ask for sizes."""
    return {
        module.shape: asks(module.shape, lambda tracer, x: tracer.shape(x)),
        module.size: asks(module.size, size),
        module.ndim: asks(module.ndim, lambda tracer, x: len(tracer.shape(x))),
    }

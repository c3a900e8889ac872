"""Trees: what JAX hands to a function that it compiles or that its control flow calls, and what it gives
back. On both sides all is arrays, in containers that are made anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.values.tree import children
from ..place import gate
from ..proxy import Shape, is_proxy, isinstance_scalar
from ..values import list_rows
from ..weak import Weak

if TYPE_CHECKING:
    from ..tracer import Tracer

NUMBERS = (bool, int, float, complex)


@gate
def handed(tracer: Tracer, mapped: Callable[..., Any], value: Any) -> Any:
    """Nested values as JAX hands them on.

    Args:
        mapped: `jax.tree.map`, which knows what a container is, and puts the keys of a dict in order.
    """

    def leaf(item: Any) -> Any:
        if is_proxy(item):
            return Weak(tracer, item) if isinstance_scalar(item) else item
        if type(item) is Shape:
            return tuple(map(leaf, item))
        if type(item) in NUMBERS:
            return Weak(tracer, item)
        given = tracer.framework.given(item)
        if not tracer.framework.is_array(given):
            return item
        name = tracer.framework.constant_name(item)
        return tracer.framework.wrap(tracer, tracer.constant(given, name))

    made = mapped(leaf, value, is_leaf=list_rows.holds)
    holds_same(tracer, made, value)
    return made


def of_each(function: Callable[..., Any], mapped: Callable[..., Any]) -> Callable[..., Any]:
    """A function of JAX's that does to each array in nested values what it does to one."""

    def answer(tracer: Tracer, x: Any) -> Any:
        if children(x) is None or is_proxy(x):
            return tracer.record(function, (x,), {})
        return mapped(lambda leaf: tracer.record(function, (leaf,), {}), x, is_leaf=list_rows.holds)

    return answer


def holds_same(tracer: Tracer, made: Any, value: Any) -> bool:
    """Whether a container that was made anew holds the same. What is asked of it is asked of the old one."""
    items = children(value)
    if items is None or type(made) is not type(value):
        return made is value
    found = tracer.structure.find(value)
    if found is not None:
        tracer.structure.again(made, found)
    else:
        tracer.structure.join(made, [value])
    inner = dict(children(made) or ())
    kept = all([holds_same(tracer, inner[key], item) for key, item in items])
    kept = kept and list(inner) == [key for key, _ in items]
    node = tracer.containers.node_of(value)
    if kept and node is not None:
        tracer.containers.note(made, node)
    return kept

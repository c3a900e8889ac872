"""Overlap: writes of torch that read what they write.

`x[:, 0] -= x[0, 0]` changes `x[0, 0]` on its way, and what comes out depends on the order in which torch
goes. Where it sees that, torch refuses; where it does not, there is no number to be true to. NumPy copies
first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ..proxy import is_proxy, isinstance_scalar
from . import aliasing, numpy_scalars
from .keys import is_part

if TYPE_CHECKING:
    from ..tracer import Tracer

#: How a part is taken: the call, and what it is given beside the array.
Step = tuple[str, Any]


def refuse_common(tracer: Tracer, target: Any, value: Any, what: str, *key: Any) -> None:
    """Raises UnsupportedError where `value` is a part of the array that `target`, or `target[key]`, is a part
    of, another one, and they may have elements in common.
    """
    if tracer.backend.overlaps or not is_proxy(value) or isinstance_scalar(value):
        return
    (base, written), (other, read) = path(tracer, target), path(tracer, value)
    written += [("getitem", tracer.digest(k)[0]) for k in key]
    if base is not other:
        if not (target if not key else value).node.spec.shape:  # at one place, or one element
            return
        if not value.node.meta.get("aliased") or not any(a is base for a in aliasing.linked(tracer, other)):
            return
    elif same_steps(written, read) or apart(base.node.spec.hint_shape, written, read):
        return
    raise UnsupportedError(
        what,
        why="maybe it reads elements that it writes: what comes out depends on the order in which it goes",
        span=tracer.span(),
        hint="clone() what is read",
    )


def path(tracer: Tracer, proxy: Any) -> tuple[Any, list[Step]]:
    """The array that a proxy is a part of, and how it is taken from there."""
    steps: list[Step] = []
    view = tracer.memory.views.get(id(proxy))
    while view is not None and view.proxy is proxy:
        name, key = numpy_scalars.name(view.node), view.node.args[1:]
        if view.key is not None:
            steps.insert(0, ("getitem", view.key))
        elif is_part(view.node):
            steps.insert(0, ("part", (view.node.args[0].args[1:], key)))
        else:
            plain = name == "getitem" and not view.node.kwargs
            steps.insert(0, (name, key[0] if plain else (key, view.node.kwargs)))
        proxy = view.parent
        view = tracer.memory.views.get(id(proxy))
    return proxy, steps


def same_steps(one: list[Step], other: list[Step]) -> bool:
    """Whether two parts are the same, or of the same form, at another place or not: x[i] and x[j]."""
    return [step(*s) for s in one] == [step(*s) for s in other]


def step(name: str, key: Any) -> Step:
    return name, form(key) if name == "getitem" else repr(key)


def form(key: Any) -> Any:
    """A key of x[...] but for the numbers in it."""
    if isinstance(key, tuple):
        return tuple(map(form, key))
    return "number" if isinstance(key, (int, Node)) and not isinstance(key, bool) else repr(key)


def apart(shape: tuple[int, ...] | None, one: list[Step], other: list[Step]) -> bool:
    """Whether two parts have no element in common, as far as the example tells."""
    if shape is None:
        return False
    count = math.prod(shape)
    whole = (np.arange(count) + 1j * np.arange(count, 2 * count)).reshape(shape)
    found = [part(whole, steps) for steps in (one, other)]
    return all(f is not None for f in found) and not np.intersect1d(*map(numbered, found)).size


def numbered(found: Any) -> Any:
    """The numbers of elements, the real and imaginary parts of which count each for itself."""
    return np.stack([found.real, found.imag]) if np.iscomplexobj(found) else found


def part(array: Any, steps: list[Step]) -> Any:
    """What indexing by constants picks, and what is a real or imaginary part; None for anything else."""
    for name, key in steps:
        if name in ("real", "imag"):
            array = getattr(array, name) if np.iscomplexobj(array) else array
        elif name != "getitem" or not constant(key):
            return None
        else:
            array = array[key]
    return array


def constant(key: Any) -> bool:
    if isinstance(key, tuple):
        return all(map(constant, key))
    if isinstance(key, slice):
        return all(map(constant, (key.start, key.stop, key.step)))
    return key is None or key is ... or isinstance(key, int)

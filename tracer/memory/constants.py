"""Arrays that no argument is behind, with which Python computes while tracing. Those from outside outlive
the trace and are not written into; those that it has made may be, where every run would do so.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends.backend import COMMON, speaker
from ...backends.signatures.live import names_of
from ...ir.errors import UnsupportedError
from ...ir.values.tree import children, leaves, rebuilt
from ..objects import buffers
from ..own import attribute
from ..plain import looked, plainly
from ..proxy import Shape, is_array_proxy, is_proxy
from . import aliasing, writes
from .making import made, root, want

if TYPE_CHECKING:
    from ..tracer import Tracer


def let_write(tracer: Tracer, array: Any, what: str) -> None:
    """Let Python write into a value, where it is such an array, or goes through one.

    Raises:
        UnsupportedError: where it is from outside, or only some runs of the program would write.
    """
    if is_proxy(array):
        return
    framework, base = tracer.framework, root(array) if buffers.is_way_in(array) else array
    written = framework.aliasing and framework.is_array(base) and hasattr(base, "__setitem__")
    if written or isinstance(base, np.ndarray):
        if id(base) not in tracer.memory.making.known:
            writes.refuse_unclear(tracer, base, what)
        if tracer.graph.meta.get("branch"):
            want(tracer, base)
            raise UnsupportedError(
                what,
                why="the array is a constant, and is written into on one way, or turn by turn",
                span=tracer.span(),
                hint="make it of an argument, or write into it before",
            )
        tracer.memory.making.written.append(base)
    parted(tracer, array, what)


def attributed(tracer: Tracer, value: Any, name: str) -> None:
    """Let Python set an attribute of a value, which of an array is its form or its numbers.

    Raises:
        UnsupportedError: as `let_write` does.
    """
    let_write(tracer, value, f"setting .{name} of an array")
    tracer.outside.touch(value)


def parted(tracer: Tracer, array: Any, what: str) -> None:
    """What was recorded of an array that Python writes into goes on with what it held.

    Raises:
        UnsupportedError: where what was recorded lies in its memory, and would see what is written.
    """
    place = buffers.address(array) if buffers.is_way_in(array) else None
    if place is None or place not in tracer.memory.lying:
        return
    if place in tracer.memory.constants:
        want(tracer, array)
        raise aliasing.unsure(what, tracer.span())
    for path, value in tracer.memory.lying.pop(place):
        if tracer.names.constants[path] is value:
            tracer.names.constants[path] = buffers.copied(value)


def watched_call(tracer: Tracer, f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call what is not recorded. An array that it gives and nobody else holds is new; a method of an array of
    NumPy's may write into it, and any call into those that it is given.

    Raises:
        UnsupportedError: where it does, and may not, see `let_write`.
    """
    array = attribute(f, "__self__")
    watched = [array] if type(array) is np.ndarray else []
    others = not tracer.backend.is_common  # whose functions are recorded where they write
    given = [v for v in (*args, *kwargs.values()) if type(v) is np.ndarray]
    watched += given if others else [v for v in given if tracer.memory.lying and is_recorded(tracer, v)]
    before = [buffers.held(each) for each in watched]
    result = made(tracer, plainly(f, *args, **kwargs))
    for each, was in zip(watched, before):
        now = buffers.held(each)
        if was is not None and now is not None and buffers.differs(now, was):
            buffers.restore(each, was)
            let_write(tracer, each, f"{attribute(f, '__name__', f)} of an array")
            buffers.restore(each, now)
    return result


def recorded(tracer: Tracer, f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a function that the dictionary knows. One of NumPy's is Python's own to other frameworks where it
    is given no array of theirs: `np.sqrt(2 / np.pi)`. That recorded numbers stay what they are is guarded.
    """
    plain = not tracer.backend.is_common and is_numpys(f)
    if plain and not any(map(is_array_proxy, leaves((args, kwargs)))):
        found = watched_call(tracer, f, all_looked(args), all_looked(kwargs))
        tracer.modes.called(f)
        if not isinstance(found, np.ndarray) or tracer.framework.aliasing:  # where writes into it are seen
            return found
    return tracer.framework.called(tracer, f, args, kwargs)


@functools.lru_cache(maxsize=4096)
def is_numpys(f: Callable[..., Any]) -> bool:
    """Whether a function that the dictionary knows is one of NumPy's or SciPy's."""
    return speaker(names_of(f)[0]) == COMMON


def all_looked(value: Any) -> Any:
    """A value with Python's numbers in it in the place of recorded ones."""
    if isinstance(value, Shape):
        value = tuple(value)
    items = children(value)
    return looked(value) if items is None else rebuilt(value, {key: all_looked(item) for key, item in items})


def is_recorded(tracer: Tracer, value: Any) -> bool:
    """Whether a value is an array that Python has made, and that was recorded as a constant."""
    if type(value) is not np.ndarray or buffers.address(value) not in tracer.memory.lying:
        return False
    return not tracer.outside.memories.at(value)  # which are looked at in the end

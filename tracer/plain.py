"""Plain calls: what records nothing, and runs as Python runs it.

A C function may not take what stands in for a number: `deque(maxlen=n)`, `divmod(n, 2)`, `n.hex`. It is
given the number then, and that it stays so is guarded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .place import gate, loose_gate
from .proxy import isinstance_scalar


@loose_gate
def plainly(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`

    Raises:
        Exception: what Python raises for it.
    """
    try:
        return f(*args, **kwargs)
    except (TypeError, AttributeError) as error:
        trace = error.__traceback__
        deeper = trace is not None and trace.tb_next is not None
        if deeper or not any(map(isinstance_scalar, (*args, *kwargs.values()))):
            raise
    return exactly(f, *map(looked, args), **{name: looked(value) for name, value in kwargs.items()})


@gate
def exactly(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, of values that Python knows."""
    return f(*args, **kwargs)


def looked(value: Any) -> Any:
    """A recorded number as Python's own."""
    return value.look("Python itself is given it") if isinstance_scalar(value) else value


def settled(index: Any) -> Any:
    """What stands between brackets, with Python's own numbers in it."""
    if isinstance(index, tuple):
        return tuple(map(settled, index))
    if isinstance(index, slice):
        return slice(looked(index.start), looked(index.stop), looked(index.step))
    return looked(index)

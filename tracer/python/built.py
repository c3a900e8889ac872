"""Built: what classes of Python's own do with functions of the user's that they hold, where code of a class
made of them calls that, `super().__get__(obj, kind)` in one made of property.

Of such a class only what it has of Python's is done as for Python's: where it says itself how it answers, its
objects are like any others.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..objects import heap
from ..objects.special_methods import functions_of
from ..own import PARTIAL_CALL
from . import protocols

if TYPE_CHECKING:
    from .hooks import Tracing


def way(f: Any) -> Callable[..., Any] | None:
    """What is done for such a method, bound or not, with the hooks and its arguments; None: it is none."""
    kind, function = type(f), f
    if kind is types.MethodWrapperType:
        function = vars(f.__objclass__).get(f.__name__)
    elif kind is types.MethodType:
        function = f.__func__
    if type(function) not in (types.WrapperDescriptorType, types.FunctionType):
        return None
    found = WAYS.get(function)
    if found is None or function is f:
        return found
    return lambda hooks, *args, **kwargs: found(hooks, f.__self__, *args, **kwargs)


def got(hooks: Tracing, held: Any, obj: Any, kind: Any = None) -> Any:
    fget, _, _ = functions_of(held)
    if obj is None or fget is None:
        return hooks.plain_call(vars(property)["__get__"], (held, obj, kind), {})
    return hooks.call(fget, obj)


def put(hooks: Tracing, held: Any, obj: Any, value: Any) -> None:
    _, fset, _ = functions_of(held)
    if fset is None:
        hooks.plain_call(vars(property)["__set__"], (held, obj, value), {})
    else:
        hooks.call(fset, obj, value)


def left_out(hooks: Tracing, held: Any, obj: Any) -> None:
    _, _, fdel = functions_of(held)
    if fdel is None:
        hooks.plain_call(vars(property)["__delete__"], (held, obj), {})
    else:
        hooks.call(fdel, obj)


def kept(hooks: Tracing, held: Any, obj: Any, kind: Any = None) -> Any:
    if obj is None or held.attrname is None or held.attrname in vars(obj):
        return hooks.plain_call(vars(functools.cached_property)["__get__"], (held, obj, kind), {})
    return keep(hooks, obj, held.attrname, hooks.call(held.func, obj))


def keep(hooks: Tracing, obj: Any, name: str, value: Any) -> Any:
    """An object remembers a property that was asked for."""
    hooks.tracer.outside.touch(obj)
    heap.wake(hooks.tracer)
    vars(obj)[name] = value
    return value


#: What is done for each of them.
WAYS: dict[Any, Callable[..., Any]] = {
    vars(property)["__get__"]: got,
    vars(property)["__set__"]: put,
    vars(property)["__delete__"]: left_out,
    vars(functools.cached_property)["__get__"]: kept,
    vars(functools.singledispatchmethod)["__get__"]: protocols.dispatched,
    PARTIAL_CALL: lambda hooks, held, *args, **kwargs: hooks.call(
        PARTIAL_CALL.__get__(held), *args, **kwargs
    ),
}

"""Functions of the user's behind what wraps them: jax.jit, a cache, what was loaded of a text."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.tree import leaves
from . import gathering, hashing
from .faults import EMITTED
from .own import attribute
from .place import users_own
from .proxy import current, is_array_proxy, is_proxy


def unjitted(f: Any) -> Any:
    """The user's function behind jax.jit and its kin; `f` itself where there is none."""
    inner = attribute(f, "__wrapped__")
    if isinstance(inner, types.FunctionType) and not isinstance(f, types.FunctionType):
        if type(f).__module__.partition(".")[0] in ("jaxlib", "jax") and users_own(inner):
            if type(f).__name__ in ("custom_vjp", "custom_jvp"):
                raise UnsupportedError(
                    f"jax.{type(f).__name__} of {inner.__name__}",
                    why="the derivative that it declares would be lost",
                    span=current().span(),
                    hint=f"call {inner.__name__}.__wrapped__ where no derivative is wanted",
                )
            return inner
    return f


def untried(f: Any) -> Any:
    """The emitted function in what was loaded of a text, see codegen/misfits.py; else the callable itself."""
    inner = attribute(f, "__wrapped__")
    loaded = isinstance(f, types.FunctionType) and f.__code__.co_filename.startswith(EMITTED)
    return untried(inner) if loaded and inner is not None else f


def is_cached(f: Any) -> bool:
    """Whether a callable is a function or method of the user's under functools.cache or lru_cache."""
    cache = f.__func__ if isinstance(f, types.MethodType) else f
    inner: Any = attribute(cache, "__wrapped__")
    kept = isinstance(cache, functools._lru_cache_wrapper) and isinstance(inner, types.FunctionType)
    return kept and users_own(inner)


def uncached(hooks: Any, f: Any, args: Any, kwargs: Any) -> Any:
    """Call a cached function past its cache, in which nothing of a trace may stay. What it gives for
    constants is remembered as long as the trace runs.

    Raises:
        UnsupportedError: for a number of NumPy's, which would find what another call of an equal one gave, of
        whatever dtype; where it does something, and only the running program knows how often.
    """
    if isinstance(f, types.MethodType):
        f, args = f.__func__, (f.__self__, *args)
    key, before = None, None
    given = [v for v in leaves((args, kwargs)) if is_proxy(v)]
    for value in given:
        if is_array_proxy(value):
            hashing.keyed(hooks.tracer, value, f"call {f.__name__}.__wrapped__, which keeps nothing")
    if given:
        before = gathering.moment(hooks.tracer)
    else:
        key = (f, args, tuple(sorted(kwargs.items())))
        try:
            if key in hooks.cached:
                return hooks.cached[key]
        except TypeError:
            return f(*args, **kwargs)  # which says that it cannot be hashed
    result = hooks.call(f.__wrapped__, *args, **kwargs)
    if before is not None and gathering.acted(hooks.tracer, before):
        raise UnsupportedError(
            f"{f.__name__}(), which prints or changes something, under a cache",
            why="calls of equal arguments are left out, and which are equal only the running program knows",
            span=hooks.tracer.span(),
            hint=f"call {f.__name__}.__wrapped__ where each call counts",
        )
    if key is not None and not any(map(is_proxy, leaves(result))):
        hooks.cached[key] = result
        hooks.tracer.outside.look([(f.__name__, result)])  # the next call finds it in the cache
    return result

"""Functions of the user's behind what wraps them: jax.jit, a cache, what was loaded of a text."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from ...backends.backend import owner
from ...ir.errors import UnsupportedError
from ..faults import EMITTED
from ..own import attribute, inherited
from ..place import users_own
from ..proxy import current

if TYPE_CHECKING:
    from ..python.hooks import Tracing


def unjitted(f: Any) -> Any:
    """The user's function behind jax.jit and its kin; `f` itself where there is none.

    Raises:
        UnsupportedError: for one that declares its derivative.
    """
    inner = attribute(f, "__wrapped__")
    if isinstance(inner, types.FunctionType) and not isinstance(f, types.FunctionType):
        framework = owner(type(f).__module__)
        if framework is not None and framework.jits and users_own(inner):
            if type(f).__name__ in framework.differentiated:
                way = f"{inner.__name__}.__wrapped__"
                raise derivative_lost(f"{framework.module}.{type(f).__name__} of {inner.__name__}", way)
            return inner
    kind = attribute(f, "__self__")
    if isinstance(kind, type) and isinstance(f, types.MethodType) and f.__name__ == "apply":
        if any(map(is_differentiated, kind.__mro__[1:])):
            raise derivative_lost(f"{kind.__name__}.apply", "a function that does what its forward does")
    return f


def is_differentiated(kind: type) -> bool:
    """Whether a class is a framework's, of functions that declare their derivative."""
    framework = owner(kind.__module__)
    return framework is not None and kind.__name__ in framework.differentiated


def derivative_lost(what: str, way: str) -> UnsupportedError:
    return UnsupportedError(
        what,
        why="the derivative that it declares would be lost",
        span=current().span(),
        hint=f"call {way} where no derivative is wanted",
    )


def untried(f: Any) -> Any:
    """The emitted function in what was loaded of a text, see codegen/misfits.py; else the callable itself."""
    inner = attribute(f, "__wrapped__")
    loaded = isinstance(f, types.FunctionType) and f.__code__.co_filename.startswith(EMITTED)
    return untried(inner) if loaded and inner is not None else f


def unbound(fn: Any) -> Any:
    """The callable in partials, whose parameters they have as well.

    Raises:
        UnsupportedError: where a class made of functools.partial says otherwise, which Python does not see.
    """
    while isinstance(fn, functools.partial):
        names = ("__call__", "func", "args", "keywords")
        if any(inherited(type(fn), name) is not vars(functools.partial)[name] for name in names):
            raise UnsupportedError(
                f"an object of {type(fn).__name__}, a functools.partial that says how it is called",
                why="Python takes its parameters for those of the function in it",
                hint="wrap it in a function of your own",
            )
        fn = fn.func
    return fn


def is_cached(f: Any) -> bool:
    """Whether a callable is a function or method of the user's under functools.cache or lru_cache."""
    cache = f.__func__ if isinstance(f, types.MethodType) else f
    inner: Any = attribute(cache, "__wrapped__")
    kept = isinstance(cache, functools._lru_cache_wrapper) and isinstance(inner, types.FunctionType)
    return kept and users_own(inner)


def is_asked(f: Any) -> bool:
    """Whether a callable is `cache_info` or `cache_clear` of a cached function."""
    is_method = isinstance(f, types.BuiltinMethodType) and f.__name__ in ("cache_info", "cache_clear")
    return is_method and is_cached(f.__self__)


def cached(hooks: Tracing, f: Any, args: Any, kwargs: Any) -> Any:
    """Call a cached function, see values/caches.py."""
    if isinstance(f, types.MethodType):
        f, args = f.__func__, (f.__self__, *args)
    if isinstance(f, types.BuiltinMethodType):
        cache = hooks.tracer.caches.of(f.__self__)
        return (cache.info if f.__name__ == "cache_info" else cache.clear)(*args, **kwargs)
    return hooks.tracer.caches.of(f).call(hooks, args, kwargs)

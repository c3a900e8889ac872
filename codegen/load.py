"""Text -> callable: emitted source is loaded so that tracebacks and `inspect.getsource` show it.

The law: what is called is the emitted function itself; a wrapper's one microsecond doubles a small call. What
is said where a call fails costs none that goes well, see misfits.py.
"""

from __future__ import annotations

import inspect
import itertools
import linecache
import types
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Loaded:
    """Source that has become a module's namespace, and the function in it that was asked for."""

    function: Callable[..., Any]
    namespace: dict[str, Any]
    filename: str
    source: str


def load(source: str, entry: str, target: str = "") -> Loaded:
    """Run `source` as a module of its own and take `entry` out of it.

    It gets a file name of its own that no disk has, `<tracelate entry → target #1>`, and its lines stay known
    for as long as the function lives.

    Raises:
        NameError: where `source` defines no `entry`.
        Exception: whatever the text raises when it is run, such as ImportError without its framework.
    """
    filename = f"<tracelate {entry}{f' → {target}' if target else ''} #{next(_numbers)}>"
    # No time of change: linecache then takes the lines for good and never looks for a file.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    # Without a __name__, by which torch.compile and torch.export would look for a module to import.
    namespace: dict[str, Any] = {}
    exec(compile(source, filename, "exec", dont_inherit=True), namespace)
    if entry not in namespace:
        raise NameError(f"the emitted source defines no {entry}")
    function = namespace[entry]
    # All functions of the file hold the namespace, which holds this one: it is the last to go.
    weakref.finalize(function, linecache.cache.pop, filename, None).atexit = False
    return Loaded(function, namespace, filename, source)


def bind(function: Callable[..., Any], constants: Mapping[str, object]) -> None:
    """Make `constants` the defaults of keyword-only parameters, in place.

    A jitted function forgets what it has compiled, since that has the former constants in it.

    Raises:
        TypeError: for a name that is no keyword-only parameter.
    """
    plain = inspect.unwrap(function)
    names = [
        parameter.name
        for parameter in inspect.signature(plain).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    for name in constants:
        if name not in names:
            raise TypeError(f"{plain.__name__} has no keyword-only parameter {name}")
    inner: Any = function
    while inner is not None:  # the emitted function, and those around it that have its parameters
        if isinstance(inner, types.FunctionType):
            inner.__kwdefaults__ = {**(inner.__kwdefaults__ or {}), **constants}
        inner = getattr(inner, "__wrapped__", None)
    forget = getattr(function, "clear_cache", None)
    if forget is not None:
        forget()

"""Protocols: what Python makes of the methods that it calls by itself, and how code that is not rewritten
gets to the user's functions.
"""

from __future__ import annotations

import functools
import itertools
import operator
import types
import weakref
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.values.tree import tuple_fields
from ..objects import wrapped
from ..objects.special_methods import answers_as
from ..objects.standing import member, original
from ..own import attribute, partial, tabled
from ..place import is_ours, is_own, package_of, users_own
from ..plain import looked
from ..proxy import is_array_proxy, is_proxy
from ..values import kinds

if TYPE_CHECKING:
    from .hooks import Tracing

#: The methods of which Python takes nothing but a number of its own, and what it calls that.
NUMBERS = {
    "__len__": "a length",
    "__length_hint__": "a length",
    "__index__": "an index",
    "__hash__": "a hash",
    "__int__": "int",
    "__float__": "float",
    "__complex__": "complex",
}


def given(hooks: Tracing, name: str, found: Any) -> Any:
    """What Python gets of a method that it has called, which wants its own numbers.

    Raises:
        TraceError: where only the running program knows them.
    """
    if name == "__bool__":
        return hooks.truth(found, "Python asks `__bool__`") if type(found) is not bool else found
    if name in NUMBERS:
        if is_array_proxy(found):
            raise hooks.tracer.wants_number(found, NUMBERS[name])
        return looked(found)
    return found


def seen(hooks: Tracing, f: Any) -> Any:
    """`f` as it is called, so that the user's functions in it are rewritten: those behind methods, and those
    that a decorator of a library's calls, such as contextlib.contextmanager.
    """
    f = original(f)
    if isinstance(f, type):
        hooks.tracer.outside.enter(f)
        if is_own(f.__module__) and member(f, "__del__") is not None:
            raise UnsupportedError(
                f"making a {f.__name__}, which has a `__del__`",
                why="Python calls that when nobody holds the object any more, which is at another time here",
                span=hooks.tracer.span(),
                hint="give what it does a method of another name, and call that",
            )
        return f
    if type(f) is types.MethodType and is_decorated(f.__func__):
        return types.MethodType(within(hooks, f.__func__), f.__self__)
    return within(hooks, f) if is_decorated(f) else f


def keeps_numbers(f: Any) -> bool:
    """Whether what is called may keep the numbers that it is given beyond the trace: a cache around what is
    not traced, and a function of an installed library.
    """
    plain = attribute(f, "__func__", f)
    code = getattr(plain, "__code__", None)
    return isinstance(plain, functools._lru_cache_wrapper) or bool(code and package_of(code.co_filename))


def is_decorated(f: Any) -> bool:
    """Whether a function is a library's, and calls one of the user's that it closes over."""
    if type(f) is not types.FunctionType or f.__closure__ is None:
        return False
    inner = attribute(f, "__wrapped__")
    library = not users_own(f) and not is_ours(f.__code__.co_filename)
    return library and type(inner) is types.FunctionType and users_own(inner)


def within(hooks: Tracing, f: Any) -> types.FunctionType:
    """The same function, which has a function that records in the place of the user's."""
    inner = getattr(f, "__wrapped__")
    cells = f.__closure__ or ()
    recording = twin(hooks, inner)
    closure = tuple(types.CellType(recording) if holds(cell, inner) else cell for cell in cells)
    made = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, closure)
    made.__kwdefaults__ = f.__kwdefaults__
    made.__dict__.update({**vars(f), "__wrapped__": recording})
    return made


#: What is written in C and calls functions that it is given: all else holds on to them, or asks about them.
CALLING: tuple[Any, ...] = (
    map, filter, sorted, min, max, iter, functools.reduce, functools.cmp_to_key, itertools.accumulate,
    itertools.dropwhile, itertools.filterfalse, itertools.groupby, itertools.starmap, itertools.takewhile,
    defaultdict,
)  # fmt: skip
#: Of methods, by the class that has them.
CALLING_METHODS = {("list", "sort"), ("Pattern", "sub"), ("Pattern", "subn"), ("Context", "run")}
#: The modules in C of which nothing else is known than that some of it calls.
LOOSE = frozenset("_thread _asyncio _ctypes signal sys threading atexit gc builtins".split())
#: Of the builtins, what only asks.
ASKING = (hash, repr, ascii, id, next, format, len)


#: What containers do with values without a look at them.
STORING = frozenset("append appendleft insert extend add get setdefault update".split())


def stores(f: Any) -> bool:
    """Whether a function is a method by which a container takes what it is given."""
    owner = attribute(f, "__self__") if isinstance(f, types.BuiltinFunctionType) else None
    return isinstance(owner, (list, dict, set, deque)) and f.__name__ in STORING


def only_holds(f: Any) -> bool:
    """Whether a function that is written in C calls none of the functions that it is given: it is to have
    those themselves, and may be asked for them again. So does a weak reference, also one to a method.
    """
    if isinstance(f, type) and issubclass(f, weakref.ref):
        return True
    if isinstance(f, type):
        in_c = tuple_fields(f) is not None or not any(
            type(value) is types.FunctionType for base in f.__mro__ for value in vars(base).values()
        )
        return in_c and f not in CALLING
    if not isinstance(f, types.BuiltinFunctionType):
        return False
    owner = attribute(f, "__self__")
    if owner is None or isinstance(owner, types.ModuleType):
        module = str(f.__module__)
        return f in ASKING or f not in CALLING and module not in LOOSE and f.__name__ != "call"
    return (type(owner).__name__, f.__name__) not in CALLING_METHODS


def twin(hooks: Tracing, value: Any, maps: bool = False) -> Any:
    """A function among the arguments of code that is not rewritten, made to record; `maps`: that of map()."""
    value = original(value)
    if not callable(value) or is_proxy(value):
        return value
    if value is print or tabled(value) and value in kinds.ANSWERS and (maps or value is not type):
        return lambda *args: hooks.call(value, *args)
    if isinstance(value, type):
        return value
    plain = value.__func__ if type(value) is types.MethodType else value
    own = type(plain) is types.FunctionType and (users_own(plain) or is_decorated(plain))
    own = own or type(value) in GETTERS or partial(value) is not None
    if own or wrapped.is_cached(value) or hooks.tracer.framework.recorded(value):
        return functools.wraps(value)(lambda *args, **kwargs: hooks.call_back(value, *args, **kwargs))
    return value


def got(hooks: Tracing, getter: Any, args: tuple[Any, ...]) -> Any:
    """What `operator.attrgetter(...)` and its kin give, which say themselves how they are made."""
    kind, given = getter.__reduce__()[:2]
    kwargs = {}
    if isinstance(kind, functools.partial):  # methodcaller("f", a=1)
        given, kwargs = (*kind.args, *given), kind.keywords
    (value,) = args
    if type(getter) is operator.methodcaller:
        name, *rest = given
        return hooks.call(hooks.getattr_(value, name), *rest, **kwargs)
    found = tuple(GETTERS[type(getter)](hooks, value, item) for item in given)
    return found if len(given) > 1 else found[0]


def dispatching(hooks: Tracing, obj: Any, name: str) -> Any:
    """A functools.singledispatchmethod of an object or a class, bound; None: there is none of this name."""
    kind = obj if isinstance(obj, type) else type(obj)
    found = member(kind, name)
    if not answers_as(found, functools.singledispatchmethod):
        return None
    return dispatched(hooks, found, None if obj is kind else obj, kind)


def dispatched(hooks: Tracing, found: Any, bound: Any, kind: Any = None) -> Any:
    """What `functools.singledispatchmethod.__get__` gives."""

    @functools.wraps(found.func)
    def method(*args: Any, **kwargs: Any) -> Any:
        chosen = found.dispatcher.dispatch(kinds.class_of(hooks, args[0]))
        return hooks.call(chosen.__get__(bound, kind), *args, **kwargs)

    return method


def attribute_of(hooks: Tracing, value: Any, path: str) -> Any:
    return functools.reduce(hooks.getattr_, path.split("."), value)


#: What gets something of an object, each with how it gets one of its items.
GETTERS: dict[Any, Any] = {
    operator.attrgetter: attribute_of,
    operator.itemgetter: lambda hooks, value, item: hooks.getitem(value, item),
    operator.methodcaller: None,
}


def holds(cell: types.CellType, value: Any) -> bool:
    try:
        return cell.cell_contents is value
    except ValueError:  # nothing is in it
        return False

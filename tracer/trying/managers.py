"""Managers: what a `with` may enter, wherever it stands: in a statement, as a decorator, on an ExitStack.

The user's own run as any function of his does. Those of libraries stand here, each with the reason why the
calls within mean what they mean elsewhere, or among those whose settings decide (objects/modes.py). Any other
is refused: nobody knows what it changes.
"""

from __future__ import annotations

import contextlib
import functools
import io
import sys
import types
from typing import TYPE_CHECKING, Any

from ...backends.backend import NAMES
from ...ir.errors import UnsupportedError
from ..objects import heap
from ..objects.modes import own_span
from ..own import attribute
from ..place import FRAMEWORKS, is_own, own_file, users
from ..settings.setting import every
from . import finishing
from .catching import managed

if TYPE_CHECKING:
    from ..tracer import Tracer

PYTHON = "Python obeys it while the program is traced"

#: What may be entered, and why that is right.
HARMLESS = {
    "contextlib.nullcontext": PYTHON,
    "contextlib.suppress": PYTHON,
    "contextlib.closing": PYTHON,
    "contextlib.ExitStack": "what is entered on it is asked one by one",
    "warnings.catch_warnings": "warnings are no part of a translation",
    "decimal.localcontext": PYTHON,
    "decimal.ContextManager": PYTHON,
    "_thread.lock": PYTHON,
    "_thread.RLock": PYTHON,
    **{name: why for own in every().values() for name, why in own.harmless.items()},
}

#: Those that set a mode: that decides, once they are entered.
SETTING = frozenset().union(*(own.setting for own in every().values()))


def names(thing: Any) -> set[str]:
    """The names in the tables of a manager, or of what makes one."""
    own = identity(thing)
    found = set()
    for name in (*HARMLESS, *SETTING):
        made: Any = sys.modules.get(name.partition(".")[0])
        for part in name.split(".")[1:]:
            made = getattr(made, part, None)
        public = {name}
        if made is not None:
            public |= {identity(made), identity(getattr(made, "__wrapped__", made))}
        if own in public:
            found.add(name)
    return found


def identity(thing: Any) -> str:
    """What tells one manager, or what makes it, from another: where it was defined, or what a framework sets
    by it.
    """
    for own in every().values():
        name: str | None = own.called(thing)
        if name is not None:
            return name
    if isinstance(thing, contextlib._GeneratorContextManager):
        thing = getattr(thing, "func")
    elif not isinstance(thing, (type, types.FunctionType, types.BuiltinFunctionType)):
        thing = type(thing)
    return f"{thing.__module__}.{thing.__qualname__}"


def makes(function: Any) -> bool:
    """Whether a callable makes a manager that is known, so that it is called and not recorded."""
    root = (attribute(function, "__module__") or type(function).__module__).partition(".")[0]
    return root in NAMES and names(function) != set()


def is_users(manager: Any) -> bool:
    """Whether the class of a manager, or its generator, is the user's."""
    if isinstance(manager, contextlib._GeneratorContextManager):
        code = getattr(manager.gen, "gi_code", None)
        return code is not None and users(code) and own_file(code.co_filename)
    return is_own(type(manager).__module__)


def is_known(manager: Any) -> bool:
    """Whether a manager of a library may be entered, and its settings asked thereafter."""
    if isinstance(manager, io.IOBase):
        return not manager.writable()  # what is read is a constant
    state = attribute(manager, "state")
    if state is not None and attribute(manager, "new_val", state) == getattr(state, "value", None):
        return True  # JAX's, which sets what is set
    return bool(names(manager))


class Entered:
    """A manager, as a `with` enters it that somebody watches."""

    def __init__(self, tracer: Tracer, manager: Any) -> None:
        self.tracer = tracer
        self.manager = manager
        self.is_library = not is_users(manager)

    def __enter__(self) -> Any:
        self.tracer.hooks.hands(attribute(self.manager, "gen", self.manager))
        with self.aside():
            found = type(self.inner).__enter__(self.inner)
        self.tracer.entry.switched(self.tracer)
        finishing.begun(self.tracer, self, "a `with`")
        try:
            self.tracer.modes.check()
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            raise
        return found

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> bool:
        heap.wake(self.tracer)
        with finishing.ended(self.tracer, self), self.aside():
            found = bool(type(self.inner).__exit__(self.inner, kind, error, trace))
        self.tracer.entry.switched(self.tracer)
        return found

    @property
    def inner(self) -> Any:
        """The manager, where exceptions that it keeps to itself are looked after."""
        if "_inner" not in vars(self):
            self._inner = managed(self.tracer, self.manager)
        return self._inner

    def aside(self) -> Any:
        """What a library does to enter or leave is no part of the program."""
        return self.tracer.framework.aside() if self.is_library else contextlib.nullcontext()


def entered(tracer: Tracer, manager: Any) -> Any:
    """What a `with` statement enters for a manager.

    Raises:
        UnsupportedError: where nobody knows what a library's manager changes.
    """
    if not hasattr(type(manager), "__enter__") or isinstance(manager, Entered):
        return manager
    if not is_users(manager) and not is_known(manager):
        raise UnsupportedError(
            f"with {called(manager)}",
            why="whether calls mean the same within it is not known",
            span=own_span(tracer),
            hint="leave it out of the traced function, or enter it where the function is called",
        )
    return Entered(tracer, manager)


def called(manager: Any) -> str:
    """What a user calls a manager."""
    name = identity(manager)
    module, _, last = name.rpartition(".")
    root = module.partition(".")[0]
    return f"{root}.{last}" if root in FRAMEWORKS else name


def enters(tracer: Tracer, function: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """A call as it is made, where it may enter a manager: `stack.enter_context(m)`, `m.__enter__()`."""
    owner, name = attribute(function, "__self__"), attribute(function, "__name__", "")
    if name == "enter_context" and isinstance(owner, contextlib.ExitStack) and args:
        return function, (entered(tracer, args[0]), *args[1:])
    if name == "__enter__" and owner is not None and not isinstance(owner, type):
        return entered(tracer, owner).__enter__, args
    if name == "__exit__" and hasattr(type(owner), "__enter__") and not is_users(owner):
        return functools.partial(left, tracer, function), args
    return function, args


def left(tracer: Tracer, leave: Any, *error: Any) -> Any:
    """`manager.__exit__(...)` of a library's manager."""
    with tracer.framework.aside():
        return leave(*error)

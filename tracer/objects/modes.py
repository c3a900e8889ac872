"""Modes: what a framework and Python obey without being told at the call, and what outlasts a call: default
dtypes, autocast, precision, how errors of floats are met, generators of random numbers.

A translation knows calls only. So a mode that may change what a call gives has one row here, which says what
becomes of a program that changes it for some of its calls, and of one that is traced while it is on. What a
program leaves changed is put back, and the program is refused: see outside.py.
"""

from __future__ import annotations

import linecache
import random
import sys
import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ...ir.source.span import Span
from ..own import attribute
from ..place import FRAMEWORKS, own_place
from ..settings.setting import Mode, every, settings
from . import opaque
from .changes import Changed

if TYPE_CHECKING:
    from ..tracer import Tracer


TEXTS = "it changes the texts that are printed, and what is emitted prints by its own framework's rules"

#: Whose next number depends on how often they were asked, by module.
GENERATORS = {
    "random": Mode("random", lambda _: random.getstate(), lambda _, v: random.setstate(v)),
    **{name: own.generator for name, own in every().items() if own.generator is not None},
}

#: What Python itself obeys, by module: of decimals, all but the flags, which say what has happened.
PYTHONS = {
    "decimal": (
        Mode("decimal.getcontext()", lambda decimal: opaque.state(decimal.getcontext()),
             lambda decimal, v: opaque.put(decimal.getcontext(), v)),
    ),
    "sys": (
        Mode("sys.setrecursionlimit", lambda sys: sys.getrecursionlimit(),
             lambda sys, v: sys.setrecursionlimit(v)),
        Mode("sys.setswitchinterval", lambda sys: sys.getswitchinterval(),
             lambda sys, v: sys.setswitchinterval(v)),
    ),
    "gc": (
        Mode("gc.disable", lambda gc: gc.isenabled(), lambda gc, v: gc.enable() if v else gc.disable(),
             words=("enable",)),
        Mode("gc.set_threshold", lambda gc: gc.get_threshold(), lambda gc, v: gc.set_threshold(*v)),
    ),
    "os": (Mode("os.chdir", lambda os: folder(os), lambda os, v: os.chdir(v)),),
    "warnings": (
        Mode("warnings.filterwarnings", lambda warnings: (*warnings.filters,),
             lambda warnings, v: filter_warnings(warnings, v), words=("simplefilter", "resetwarnings")),
    ),
    "logging": (
        Mode("logging.disable", lambda logging: logging.root.manager.disable,
             lambda logging, v: setattr(logging.root.manager, "disable", v)),
        Mode("logging.getLogger()", lambda logging: loggers(logging), lambda _, v: put_loggers(v),
             words=("setLevel", "propagate", "disabled", "addHandler", "removeHandler", "addFilter",
                    "removeFilter")),
    ),
}  # fmt: skip
def filter_warnings(warnings: Any, before: tuple[Any, ...]) -> None:
    warnings.filters[:] = before
    warnings._filters_mutated()


def folder(os: Any) -> str:
    """Where the process is; "" where that folder is gone."""
    try:
        return str(os.getcwd())
    except OSError:
        return ""


def loggers(logging: Any) -> dict[Any, Any]:
    """What each logger has been told. A level that a branch has set is no number, and another one."""
    found = [logging.root, *logging.root.manager.loggerDict.values()]
    return {
        log: (number(log.level), log.propagate, log.disabled, (*log.handlers,), (*log.filters,))
        for log in found
        if isinstance(log, logging.Logger) and log.name.partition(".")[0] not in FRAMEWORKS
    }


def number(value: Any) -> int | None:
    return value if type(value) is int else None


def put_loggers(before: dict[Any, Any]) -> None:
    for log, (level, propagate, disabled, handlers, filters) in before.items():
        log.propagate, log.disabled = propagate, disabled
        log.handlers[:], log.filters[:] = handlers, filters
        if log.level is not level and level is not None:
            log.setLevel(level)


class Modes:
    """The modes of one trace, as they were when it began.

    Raises:
        UnsupportedError: where one is on that is not recorded.
    """

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.framework = framework = tracer.framework
        self.module = sys.modules.get(framework.name)
        self.rows = settings(framework.name).modes
        with framework.aside():
            self.before = [mode.read(self.module) for mode in self.rows]
            there = {name: sys.modules[name] for name in GENERATORS if sys.modules.get(name)}
            self.generators = {name: GENERATORS[name].read(module) for name, module in there.items()}
            there = {name: sys.modules[name] for name in PYTHONS if sys.modules.get(name)}
            rows = [(mode, module) for name, module in there.items() for mode in PYTHONS[name]]
            others = {name: own for name, own in every().items() if sys.modules.get(name)}
            others.pop(framework.name, None)
            known = [(mode, sys.modules[name]) for name, own in others.items() for mode in own.modes]
            rows += [(mode, module) for mode, module in known if mode.write is not None]
            #: The settings of Python, and of the other frameworks.
            self.pythons = [(mode, module, mode.read(module)) for mode, module in rows]
        #: Where the user last set one of these.
        self.places: dict[str, Span | None] = {}
        self.often = [(mode, value) for mode, value in zip(self.rows, self.before) if mode.often]
        for mode, value in zip(self.rows, self.before):
            if not mode.around(value):
                raise refusal(mode, None, " around the traced function")

    def watch(self) -> None:
        """Look at what code that is not rewritten may have set."""
        for mode, before in self.often:
            if mode.read(self.module) != before:
                self.check()

    def called(self, function: Any) -> None:
        """A function that nobody recorded or rewrote was called: those of a framework may set a mode."""
        owner = attribute(function, "__module__") or type(attribute(function, "__self__")).__module__
        if owner.partition(".")[0] == self.framework.name:
            self.check()
        elif owner == "decimal":
            self.places["decimal.getcontext()"] = own_span(self.tracer)

    def attributed(self, value: Any) -> None:
        """An attribute of an object was set, which may be a setting of the framework's, or of Python's."""
        owner = type(value).__module__
        if owner == "decimal":
            self.places["decimal.getcontext()"] = own_span(self.tracer)
        elif owner.partition(".")[0] == self.framework.name:
            self.check()

    def check(self, *, prints: bool = False) -> None:
        """Hold the modes against what they were.

        Args:
            prints: whether something is printed now.

        Raises:
            UnsupportedError: where one was set that changes what calls mean.
        """
        with self.framework.aside():
            now = [mode.read(self.module) for mode in self.rows]
        for mode, value, before in zip(self.rows, now, self.before):
            if not differs(value, before):
                continue
            if prints and mode.name.endswith("printoptions"):
                raise refusal(mode, own_span(self.tracer), why=TEXTS)
            if not mode.inside(value):
                raise refusal(mode, own_span(self.tracer))

    def restored(self, codes: Iterable[types.CodeType]) -> list[Changed]:
        """Undo all changes. What Python obeys counts where the user's code, among `codes`, says so: libraries
        set it when they are imported.

        Returns:
            What an emitted function would have to change as well, as `Outside.restored` has it.
        """
        rows = [("setting", mode, self.module, before) for mode, before in zip(self.rows, self.before)]
        for name, before in self.generators.items():
            rows.append(("generator", GENERATORS[name], sys.modules[name], before))
        rows += [("setting", mode, module, before) for mode, module, before in self.pythons]
        pythons = {id(mode) for mode, *_ in self.pythons}
        found: list[Changed] = []
        with self.framework.aside():
            for kind, mode, module, before in rows:
                if mode.write is not None and differs(mode.read(module), before):
                    words = [mode.name.rpartition(".")[2], *mode.words]
                    change = Changed(kind, mode.name, None, self.places.get(mode.name), words).found(codes)
                    if change.span is not None or id(mode) not in pythons:
                        mode.write(module, before)
                        found.append(change)
        return found


def differs(now: Any, before: Any) -> bool:
    """Whether a setting was changed. Of options those count that there were before."""
    if isinstance(before, dict):
        return any(now.get(name) != value for name, value in before.items())
    return bool(now != before)


def own_span(tracer: Tracer) -> Span | None:
    """Where the user's own code stands, or its decorators."""
    place = own_place(tracer.stack.outermost)
    code = getattr(tracer.entry.decorated, "__code__", None)
    if place is None and code is not None:
        line = code.co_firstlineno
        text = linecache.getline(code.co_filename, line).rstrip()
        return Span(code.co_filename, line, len(text) - len(text.lstrip()), line, len(text), code.co_name)
    return place.span if place is not None else tracer.span()


def refusal(mode: Mode, span: Span | None, where: str = "", why: str | None = None) -> UnsupportedError:
    hint = mode.hint or "leave it out of the traced function, or set it where the function is called"
    return UnsupportedError(f"{mode.name}{where}", why=why or mode.why, span=span, hint=hint)

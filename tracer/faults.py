"""Faults: whose an exception is that is no TraceError, and what one of ours leaves as.

The innermost frames say it. What a framework or the standard library raises is its caller's. Where the user's
code called, or a library of theirs, it is the program's own and comes through as it is. Where we called, it
is our fault, unless we stood in for the program: a gate (place.gate) and the hooks run an operation of the
user's as it is, and a `raise` in this room says what Python would say.
"""

from __future__ import annotations

import contextlib
import dis
import inspect
import platform
import re
import sys
import types
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ..backends.backend import NAMES
from ..ir.errors import InternalError, TraceError, Undecided, UnsupportedError
from ..ir.graphs.graph import Node
from ..ir.source.span import Span
from ..ir.values.tree import form, leaves
from .place import FRAMEWORKS, GATES, ROOMS, Place, is_ours, is_own, is_standard, package_of
from .proxy import Shape, is_proxy
from .rewrite.hooks import Plain

#: Packages whose exceptions are their caller's.
CALLED = frozenset({*FRAMEWORKS, "astor"})
#: What Python says of arguments that no parameter takes.
UNFIT = re.compile(r"\(\) (missing|takes|got) ")
TRACER = next(room for room in ROOMS if room.rstrip("/\\").endswith("tracer"))
#: How the names of emitted texts begin, see codegen/load.py.
EMITTED = "<tracelate "
#: A function that waits for itself so often has no end.
ENDLESS = 20
#: The classes of what stands in for values, and how JAX asks them. No program has heard of them.
STAND_INS = re.compile(r"\b(Scalar_|Duck_|__jax_array__|tracelate\.\w+)\b")
#: What is raised where something of another kind was expected: a number or an array, and no stand-in for it.
WRONG_KIND = (TypeError, AttributeError)


@contextlib.contextmanager
def answerable(fn: Any, emitted: bool = False) -> Iterator[None]:
    """A door out of tracelate: what is our fault leaves as InternalError.

    Args:
        fn: the user's function, whose text a report needs.
        emitted: whether a translation runs, on what the function itself has taken.
    """
    try:
        yield
    except (TraceError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        if not ours(error, emitted):
            raise
        if isinstance(error, Undecided):
            raise undecided(error) from error
        raise internal(error, fn) from error


def ours(error: BaseException, emitted: bool = False) -> bool:
    """Whether an exception is our fault, and not what the program itself would raise. An emitted text is the
    program, if it is traced, and ours where it is checked.
    """
    if isinstance(error, (TraceError, MemoryError)):
        return False
    frames = [(entry.tb_frame, entry.tb_lasti) for entry in passed(error)]
    if isinstance(error, RecursionError):
        calls = Counter(frame.f_code.co_filename for frame, _ in frames if is_programs(frame.f_code))
        return max(calls.values(), default=0) < ENDLESS
    library = False
    for frame, offset in reversed(frames):
        code = frame.f_code
        if is_ours(code.co_filename) or emitted and code.co_filename.startswith(EMITTED):
            return not (is_raised(code, offset) or stood_in(frame, error, library))
        if is_programs(code):
            if not package_of(code.co_filename):
                break
            library = True
    return STAND_INS.search(str(error)) is not None


def is_fault(error: BaseException) -> bool:
    """Whether an exception must leave whatever it was raised in: our fault, or told as one already."""
    return isinstance(error, InternalError) or ours(error)


def passed(error: BaseException) -> Iterator[types.TracebackType]:
    """What an exception has passed through, the innermost last."""
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


def is_programs(code: types.CodeType) -> bool:
    """Whether code is the user's, or that of a library of theirs."""
    file = code.co_filename
    return not (is_ours(file) or is_standard(file) or package_of(file) in CALLED)


def is_raised(code: types.CodeType, offset: int) -> bool:
    """Whether a `raise` of this room, or of an emitted text, stands at an instruction."""
    here = code.co_filename.startswith((TRACER, EMITTED))
    return here and dis.opname[code.co_code[offset]] == "RAISE_VARARGS"


def stood_in(frame: types.FrameType, error: BaseException, library: bool) -> bool:
    """Whether a frame of ours ran an operation of the program's, with what the program would have given it.

    Args:
        library: whether a library of the user's was called, and raised it.
    """
    code = frame.f_code
    if code not in GATES and not isinstance(frame.f_locals.get("self"), Plain):
        return False
    if STAND_INS.search(str(error)):
        return False
    if library or lacks(error) or not isinstance(error, WRONG_KIND) or UNFIT.search(str(error)):
        return True
    if not GATES.get(code, True):
        return True
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    operands = [frame.f_locals.get(name) for name in code.co_varnames[: count + 1]]
    return not any(is_proxy(leaf) for operand in operands for leaf in leaves(operand))


def lacks(error: BaseException) -> bool:
    """Whether a container or an object of the user's has no such attribute, whatever it holds."""
    lacking = error.obj if isinstance(error, AttributeError) else None
    if is_proxy(lacking) or type(lacking) is Shape:
        return False
    return form(type(lacking)) is not None or lacking is not None and is_own(type(lacking).__module__)


def undecided(error: Undecided) -> UnsupportedError:
    """What leaves where a rule of an op needs a number, and the program gives it a size."""
    hint = "write the number itself, or give it as an argument of its own"
    return UnsupportedError("a size as a parameter", why=str(error), span=span_of(error), hint=hint)


def internal(error: BaseException, fn: Any) -> InternalError:
    """What leaves for an exception that is our fault."""
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return InternalError(text.splitlines()[0], span=span_of(error), versions=versions(), source=source_of(fn))


def span_of(error: BaseException) -> Span | None:
    """The user's line: the innermost one that was running, or that of the call that was being written."""
    frames = [(entry.tb_frame, entry.tb_lasti) for entry in passed(error)][::-1]
    for frame, offset in frames:
        if is_programs(frame.f_code) and not frame.f_code.co_filename.startswith(EMITTED):
            return Place(frame.f_code, offset, id(frame)).span
    for frame, _ in frames:
        for value in frame.f_locals.values():
            if isinstance(value, Node) and value.span is not None:
                return value.span
    return None


def versions() -> dict[str, str]:
    """The versions of what takes part."""
    from importlib import metadata  # which takes longer to import than any file of ours

    found = {"python": platform.python_version()}
    with contextlib.suppress(metadata.PackageNotFoundError):
        found["tracelate"] = metadata.version("tracelate")
    return found | {name: sys.modules[name].__version__ for name in NAMES if name in sys.modules}


def source_of(fn: Any) -> str:
    """The text of a function; "" where it is not to be had."""
    try:
        return inspect.getsource(inspect.unwrap(fn))
    except (OSError, TypeError, ValueError):
        return ""

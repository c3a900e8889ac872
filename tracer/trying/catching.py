"""`try` in the user's code: what it catches is known only when the program runs, or hangs on shapes.

While tracing, no array has values, so that no value is refused, and no handler runs. And what does raise,
raises for the shapes of the example. Where a handler could tell, the program is refused.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import TYPE_CHECKING, Any

from ...backends.rows import REFUSED
from ...backends.signatures import names_of
from ...ir.errors import ShapeError, TraceError, UnsupportedError
from ..faults import internal, is_programs, is_raised, ours, passed
from ..objects import heap
from ..objects.standing import original
from ..place import is_ours, users, users_own
from ..proxy import Shape

if TYPE_CHECKING:
    from ..python.hooks import Tracing
    from ..tracer import Tracer

PACKAGE = __name__.partition(".")[0]
#: What the frameworks raise for values that they refuse: LinAlgError is one of the first two.
RAISED = (ValueError, RuntimeError, IndexError, ArithmeticError)


class Trying:
    """The body of a `try`.

    Args:
        types: gives what its handlers name; None: they catch everything.
        raises: whether each of them raises an exception in its turn.
        place: the file and the place in it where it stands; None: it is no statement.
    """

    def __init__(
        self,
        tracer: Tracer,
        types: Callable[[], Any] | None,
        raises: bool = False,
        place: tuple[str, str] | None = None,
    ) -> None:
        self.tracer = tracer
        self.types = types
        self.raises = raises
        self.place = place
        #: What was there when the body began.
        self.before: heap.Heap | None = None
        self.mark = 0

    def __enter__(self) -> Any:
        self.tracer.tries.open.append(self)
        if self.is_recorded:
            self.before, self.mark = heap.in_reach(self.tracer), len(self.tracer.memory.log)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self.tracer.tries.open.remove(self)  # a generator may leave it after another one was entered
        if isinstance(error, ShapeError) and not error.hint and self.refused:
            error.hint = "give an example for which the body of this `try` does not raise"
            error.args = (error.text(), *error.args[1:])
        return None

    @cached_property
    def named(self) -> tuple[type[BaseException], ...]:
        try:
            return (BaseException,) if self.types is None else tuple(flat(self.types()))
        except Exception:
            return (BaseException,)  # Python itself will say what is wrong with them, if it comes to that

    @property
    def catches(self) -> bool:
        """Whether it may catch that values are refused, and the program go on."""
        return self.refused and self.goes_on

    @property
    def goes_on(self) -> bool:
        """Whether the program goes on where it catches something. Where its handlers only raise something
        else, another one around it would have to catch that.
        """
        if self.raises and self.tracer.tries.open[0] is self:
            return guarded_by_try(self.tracer.stack.outermost, self.tracer.hooks)
        return True

    @property
    def is_recorded(self) -> bool:
        """Whether the program takes one way or the other as it runs, see attempts.py."""
        return self.place in self.tracer.tries.recorded

    @property
    def is_late(self) -> bool:
        """Whether the body has written something already, which its handler would see."""
        written = len(self.tracer.memory.log) > self.mark
        return written or self.before is not None and bool(self.before.changed())

    @cached_property
    def refused(self) -> bool:
        return any(issubclass(n, r) or issubclass(r, n) for n in self.named for r in RAISED)


class Managed(Trying):
    """`with manager: ...`, where the manager may keep exceptions to itself."""

    def __init__(self, tracer: Tracer, manager: Any) -> None:
        types: Any = BaseException
        if isinstance(manager, contextlib.suppress):
            types = vars(manager)["_exceptions"]
        super().__init__(tracer, lambda: types)
        self.manager = manager

    def __enter__(self) -> Any:
        found = type(self.manager).__enter__(self.manager)
        super().__enter__()
        return found

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        super().__exit__(kind, error, trace)
        kept = bool(type(self.manager).__exit__(self.manager, kind, error, trace))
        if kept and error is not None:
            caught(self.tracer, error)
        return kept


def managed(tracer: Tracer, manager: Any) -> Any:
    """What a `with` statement enters for a manager. Those of libraries raise what is raised in them."""
    if isinstance(manager, contextlib.suppress):
        return Managed(tracer, manager)
    if isinstance(manager, contextlib._GeneratorContextManager):
        return Managed(tracer, manager) if handles(getattr(manager.gen, "gi_code")) else manager
    leave = original(getattr(type(manager), "__exit__", None))
    if isinstance(leave, FunctionType) and users_own(leave) and keeps(leave.__code__):
        return Managed(tracer, manager)
    return manager


@functools.cache
def keeps(code: CodeType) -> bool:
    """Whether an `__exit__` may keep an exception to itself, as it returns more than None and False."""
    instructions = [*dis.get_instructions(code)]
    for before, last in pairwise(instructions):
        given = before if last.opname == "RETURN_VALUE" and before.opname == "LOAD_CONST" else last
        if last.opname.startswith("RETURN_") and last.opname != "RETURN_GENERATOR":
            is_constant = given.opname in ("LOAD_CONST", "RETURN_CONST") and not last.is_jump_target
            if not is_constant or given.argval:
                return True
    return code.co_flags & GENERATES != 0


GENERATES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@functools.cache
def handles(code: CodeType) -> bool:
    """Whether there is an `except` in code, not only a `finally` or `with`."""
    names = [instruction.opname for instruction in dis.get_instructions(code)]
    return "CHECK_EXC_MATCH" in names or ("PUSH_EXC_INFO", "POP_TOP") in pairwise(names)


def may_catch(tracer: Tracer, error: BaseException | None = None) -> bool:
    """Whether something of the user's may catch an exception; None: any at all."""
    if any(error is None or isinstance(error, trying.named) for trying in tracer.tries.open):
        return True
    return guarded_by_try(tracer.stack.outermost, tracer.hooks)


def handlers(tracer: Tracer) -> dict[str, Any]:
    """Whose handlers may catch what a call raises here for its values, for the meta of its node: where the
    `try` stand that are no regions, and whether any are.
    """
    catching = [trying for trying in tracer.tries.open if trying.catches]
    places = tuple(trying.place for trying in catching if not trying.is_recorded)
    late = tuple(None for trying in catching if trying.is_recorded and trying.is_late)
    found: dict[str, Any] = {"tried": places + late}
    if catching and all(isinstance(trying, Managed) for trying in catching):
        found["managed"] = True
    return {**found, "attempted": any(trying.is_recorded for trying in catching)}


def flat(types: Any) -> Iterator[type[BaseException]]:
    if isinstance(types, tuple):
        for each in types:
            yield from flat(each)
    else:
        yield types


def caught(tracer: Tracer, error: BaseException | None) -> None:
    """Let no handler of the user's have what tracelate raises, which its program does not.

    Raises:
        UnsupportedError: for shapes that do not fit: those of another call may.
        BaseException: what was caught.
    """
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            caught(tracer, each)
    if error is not None and ours(error):
        raise internal(error, None) from error
    by_form = isinstance(error, ShapeError) or error is tracer.memo.failed or of_form(tracer, error)
    if error is not None and by_form:
        raise by_example(tracer, error) from error
    if error is not None and type(error).__module__.partition(".")[0] == PACKAGE:
        raise error


def by_example(tracer: Tracer, error: BaseException) -> UnsupportedError:
    """What is said of a handler that catches what the example raises, and others need not."""
    return UnsupportedError(
        "an exception that is caught",
        why="the form of the example raises it, its shapes, dtypes or keys, and others may not",
        span=getattr(error, "span", None) or tracer.span(),
        hint="ask for them with an `if` before",
    )


def refused(tracer: Tracer, target: Any, error: Exception) -> TraceError:
    """What is said of a call that the framework itself refuses, in its words; or why it has no row."""
    if may_catch(tracer, error):
        return by_example(tracer, error)
    array, framework = tracer.backend.array_type, tracer.framework.name
    full = f"{getattr(target, '__module__', '')}.{getattr(target, '__name__', '')}"
    for called in [f"{array}.{target}"] if isinstance(target, str) else [*names_of(target), full]:
        if (known := REFUSED.get((framework, called))) is not None:
            return UnsupportedError(called, why=known[0], span=tracer.span(), hint=known[1])
    said = next(iter(str(error).splitlines()), type(error).__name__)
    name = getattr(target, "__name__", target)
    return TraceError(f"{tracer.framework.name} itself refuses {name}: {said}", span=tracer.span())


def of_form(tracer: Tracer, error: BaseException | None) -> bool:
    """Whether an exception comes of how many axes, items or keys an argument has."""
    if error is None or isinstance(error, AttributeError):  # all arrays have the same attributes
        return False
    if type(error).__module__.partition(".")[0] == PACKAGE:
        return False
    if isinstance(error, ValueError) and "values to unpack" in str(error):
        return True
    frames = [(trace.tb_frame, trace.tb_lasti) for trace in passed(error)]
    frame, offset = next(((f, at) for f, at in reversed(frames) if is_ours(f.f_code.co_filename)), (None, 0))
    if frame is None or is_programs(frames[-1][0].f_code):
        return False
    if is_raised(frame.f_code, offset):
        return True
    operands = (*frame.f_locals.values(), *frame.f_locals.get("args", ()))
    return any(id(value) in tracer.containers.nodes or type(value) is Shape for value in operands)


def guarded_by_try(outermost: FrameType | None, hooks: Tracing) -> bool:
    """Whether a frame of code that is traced through, from `outermost` on, stands inside a `try` or `with`.
    What is rewritten tells its hooks.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame is not outermost:
        code = frame.f_code
        if users(code) and not any(constant is hooks for constant in code.co_consts):
            if any(start <= frame.f_lasti < end for start, end in handled(code)):
                return True
        frame = frame.f_back
    return False


@functools.lru_cache(maxsize=1024)
def handled(code: CodeType) -> list[tuple[int, int]]:
    """The instructions of which exceptions are handled, from and to."""
    entries = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]
    return [(entry.start, entry.end) for entry in entries]

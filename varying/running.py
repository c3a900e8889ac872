"""A function and its translation on the same arguments: what came of it."""

from __future__ import annotations

import contextlib
import linecache
import signal
import threading
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from inspect import BoundArguments
from typing import Any

import numpy as np

from ..backends.afterwards import afterwards
from ..backends.arrays import Difference, compare, to_numpy
from ..backends.backend import Backend, framework_of
from ..backends.copies import arrays_of, sharing
from ..checking import as_compiled, narrowest, of_source, of_target, runnable, unsigned
from ..ir.graphs.graph import Graph
from ..ir.graphs.regions import while_loop
from ..ir.graphs.walk import every_node
from ..ir.values.tree import children
from .promise import Watch
from .rounding import audible, explained
from .variations import Arguments

#: How long a call may compute that is stopped then, in seconds; other arguments may well make a loop endless.
LONGEST = 5.0
#: How much longer where JAX compiles first, and where it runs turn by turn, compiling each of its functions.
COMPILING = 20
TURN_BY_TURN = 3


@dataclass(frozen=True)
class Outcome:
    """What came of one variation.

    Attributes:
        kind: "held", both gave the same; "refused", the translation raises and the source does not; "raised",
            both do; "outside", nothing is promised of such arguments; "differs".
        why: the translation's error, what is outside of the promise, or the source's error.
        guard: of a refusal, whether it is a check of the text's, not an error that came from further inside.
        differences: those of the result and of the arguments after the call.
    """

    kind: str
    why: str = ""
    guard: bool = False
    differences: list[Difference] = field(default_factory=list)


class TooLong(BaseException):
    """A call was stopped. No handler of the user's catches it."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stops what computes for longer. Only the main thread can be stopped, and no compiled loop."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Runner:
    """Runs both sides of one translation.

    Args:
        traced: an traced.Traced. `out` is its translation, for `target`.
        bound: arguments that bind to the source's parameters.
    """

    def __init__(self, traced: Any, out: Any, bound: BoundArguments, target: Backend) -> None:
        self.traced = traced
        self.out = out
        self.signature = bound.signature
        self.target = target
        self.run = traced.fn if runnable(traced) else traced
        self.apart = not sharing(bound.arguments)
        self.patience = COMPILING if traced.origin.jits else 1
        program = traced.read(())
        self.program, self.form = program, program.output_node.args[0]
        self.open_ended = turns_open_endedly(program)
        self.of_numpy = of_numpy(bound.arguments)

    def outcome(self, arguments: Arguments) -> Outcome:
        """Give both these arguments."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return self.judged(BoundArguments(self.signature, arguments))

    def judged(self, given: BoundArguments) -> Outcome:
        source, translation = of_source(given), of_target(self.out, given, self.target.name)
        if self.traced.origin.jits and not self.ends(self.run, source, self.traced.origin):
            failure: BaseException | None = TooLong()
        else:
            result, failure = attempt(self.run, source, self.patience)
        if isinstance(failure, TooLong):  # nor is the translation called, which JAX may have compiled
            return Outcome("outside", f"the source takes longer than {LONGEST:g} s")
        theirs = Called(source, result)
        if self.target.jits and not self.ends(
            self.out, of_target(self.out, given, self.target.name), self.target
        ):
            error: BaseException | None = TooLong()
        else:
            result, error = attempt(self.out, translation, COMPILING if self.target.compiles else 1)
        mine = Called(translation, result)
        if failure is not None:
            return Outcome("outside" if error is None else "raised", f"the source raises {told(failure)}")
        if isinstance(error, TooLong):
            return Outcome("refused", "the translation takes too long")
        if error is not None:
            return Outcome("refused", told(error), guard=is_check(error))
        found = self.differences(given, theirs, mine)
        if not found:
            return Outcome("held")
        why = self.outside(given, theirs, mine, found)
        return Outcome("outside", why) if why else Outcome("differs", differences=found)

    def ends(self, fn: Callable[..., Any], bound: BoundArguments, own: Backend) -> bool:
        """Whether a call ends, of this framework: turn by turn, as nothing stops a loop that is compiled."""
        if not self.open_ended:
            return True
        with own.handling.turn_by_turn():
            _, error = attempt(fn, bound, TURN_BY_TURN)
        return not isinstance(error, TooLong)

    def differences(self, given: BoundArguments, theirs: Called, mine: Called) -> list[Difference]:
        expected = as_compiled(theirs.result, mine.result) if self.target.compiles else theirs.result
        one, other = unsigned(expected, self.form), unsigned(mine.result, self.form)
        # Other arguments may be worse conditioned than the example: the widest column.
        narrowed = not self.target.x64
        floats = narrowest(self.program, given.arguments, narrowed=narrowed)
        found = list(compare(one, other, kind="linalg", narrowed=narrowed, floats=floats))
        found += afterwards(given, theirs.arguments, mine.arguments, theirs.result, self.target, floats)
        found = audible(found, (given.arguments, expected))
        if of_numpy(given.arguments) and not self.of_numpy:
            return found  # of NumPy's numbers some of Python's operators make NumPy's, and others Python's
        return found or list(kinds(expected, mine.result, "", self.traced.framework, self.target))

    def outside(self, given: BoundArguments, theirs: Called, mine: Called, found: list[Difference]) -> str:
        """Why nothing is promised of a result that differs; "" where it is."""
        if not self.target.mutable and self.apart and sharing(given.arguments):
            return f"in {self.target.words} no arguments share memory, unless the example's do"
        if of_numpy(given.arguments) and not self.of_numpy:
            return "numbers of NumPy's are given where the example has Python's"
        again, failure = attempt(self.run, of_source(given), self.patience)
        if failure is not None or any(True for _ in compare(theirs.result, again)):
            return "the source does not give the same twice"
        if all(d.what.startswith("values differ") for d in found):
            names = () if self.target.pure else tuple(mine.arguments.arguments)

            def run(arguments: Arguments) -> Any:
                source = of_source(BoundArguments(self.signature, arguments))
                result, failure = attempt(self.run, source, self.patience)
                return None if failure is not None else Called(source, result).left(names)

            if explained(theirs.left(names), mine.left(names), dict(given.arguments), run):
                return "the last bits of the arguments decide over the result"
        watch = Watch(self.traced)
        with contextlib.suppress(Exception, TooLong), limited(LONGEST):
            last = of_source(given)
            self.traced.run(watch, *last.args, **last.kwargs)
        return watch.found


@dataclass(frozen=True)
class Called:
    """A call that is over: what it gave, and its arguments after it."""

    arguments: BoundArguments
    result: Any

    def left(self, names: tuple[str, ...]) -> Any:
        """All that there is to see, the arguments as far as they have these names."""
        return self.result, [self.arguments.arguments[name] for name in names]


def attempt(
    fn: Callable[..., Any], bound: BoundArguments, patience: float = 1
) -> tuple[Any, BaseException | None]:
    """What a call gives, and the error that it raises."""
    try:
        with limited(LONGEST * patience):
            found = fn(*bound.args, **bound.kwargs)
            for array in arrays_of(found):
                to_numpy(array)  # JAX raises some errors only when it is waited for
            return found, None
    except (Exception, TooLong) as error:
        return None, error


def turns_open_endedly(graph: Graph) -> bool:
    """Whether a program has a loop that turns for as long as a condition holds."""
    return any(node.target is while_loop for node in every_node(graph))


def told(error: BaseException) -> str:
    """An error in one line."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__


def is_check(error: BaseException) -> bool:
    """Whether a line of the emitted text's raised it that is there to raise."""
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    file, number = frames[-1] if frames else ("", 0)  # JAX, which leaves frames out, keeps their lines alone
    if not file.startswith("<tracelate "):
        return False
    return linecache.getline(file, number).strip().startswith(("assert", "raise"))


def of_numpy(value: Any) -> bool:
    """Whether there is a number of NumPy's in nested values."""
    if framework_of(value) is not None or isinstance(value, np.generic):
        return isinstance(value, np.generic)
    return any(of_numpy(item) for _, item in children(value) or ())


def kinds(theirs: Any, mine: Any, path: str, source: str, target: Backend) -> Iterator[Difference]:
    """Where one gives a number of Python's, and the other an array, or a number of NumPy's, which is one."""
    items = children(theirs) if framework_of(theirs) is None else None
    if items is not None:
        others = dict(children(mine) or ())
        for key, item in items:
            if key in others:
                yield from kinds(item, others[key], f"{path}[{key!r}]", source, target)
        return
    one, other = kind(theirs), kind(mine)
    if framework_of(theirs) is not None and framework_of(theirs) == framework_of(mine):
        return
    tells = source == target.name and target.own_numbers
    if one != other and (tells or "array" not in one or "array" not in other):
        yield Difference(path, f"{one} became {other}")


def kind(value: Any) -> str:
    own = framework_of(value)
    if own is None:
        return type(value).__name__
    return "a NumPy number, no array" if isinstance(value, np.generic) else f"an array of {own}"

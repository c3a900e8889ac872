"""Traced: a function that was traced, and what can be made of it."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from .backends.arrays import narrowed
from .backends.backend import Backend, backend, target_of
from .backends.lowering.passes import LOWERED, Way
from .backends.reading.tape import read
from .codegen.checks.assertions import known_form
from .codegen.function import callable_of
from .codegen.module import emit
from .codegen.pipeline import pipeline, run
from .codegen.warning import warn_of_narrowed
from .ir.collector import uncollected
from .ir.errors import InternalError, TraceError, told
from .ir.graphs.graph import Graph
from .ir.meaning.layers import LOCK
from .ir.noting import Noted, noting
from .ir.passes import optimise
from .ir.program import Program
from .tracer.faults import answerable
from .tracer.interpreter import Interpreter
from .tracer.unexampled import lacking

Function = Callable[..., Any]
Made = TypeVar("Made")


@contextmanager
def at_work(fn: Function) -> Iterator[None]:
    """While a function is traced, translated or compared, no other thread does so."""
    with LOCK, answerable(fn):
        yield


class Traced:
    """A function that was traced.

    Attributes:
        graph: the tape, with torch.fx's names; it may be edited.
        program: what the tape means, in ops.
        framework: the framework that the function is written for.
    """

    def __init__(self, fn: Function, graph: Graph, framework: str, args: Any, kwargs: Any) -> None:
        self.fn = fn
        self.graph = graph
        self.framework = framework
        self.args, self.kwargs = narrowed((args, kwargs), self.origin)
        #: Without examples, what traces the function again, as if there were some where shapes are `known`.
        self.again: Callable[..., Traced] | None = None
        #: Where the program's form was kept (see Entry), what traces the function again, with or without it.
        self.retraced: Callable[..., Traced] | None = None
        functools.update_wrapper(self, fn, updated=())

    @property
    def program(self) -> Program:
        """The tape as ops, tidied by the passes. Read anew each time, since the tape may be edited.

        Raises:
            UnsupportedError: listing every call that the dictionary cannot read.
        """
        return self.read()

    def read(self, passes: Sequence[str] | None = None) -> Program:
        """The Program after these passes (ir/passes); None means the usual ones, () none at all."""
        try:
            with at_work(self.fn):
                return optimise(read(self.graph, self.origin), passes)
        except InternalError:
            raise
        except Exception:
            if not self.unexampled:
                raise
            return self.shaped.read(passes)

    @property
    def unexampled(self) -> bool:
        """Whether it was traced without examples and without supposing any, and the tape was not edited."""
        return self.again is not None and str(self.graph) == str(self.again().graph)

    @functools.cached_property
    def shaped(self) -> Traced:
        """As the function is traced without examples where more must be known of shapes than nothing."""
        assert self.again is not None
        return self.again(known=True)

    @property
    def origin(self) -> Backend:
        """The record of the framework that the function is written for, as it was configured while
        tracing.
        """
        return backend(self.framework).with_x64(bool(self.graph.meta.get("x64", True)))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the tape in its own framework."""
        return self.run(Interpreter(self.graph), *args, **kwargs)

    def run(self, interpreter: Interpreter, *args: Any, **kwargs: Any) -> Any:
        """Run the tape by an Interpreter of your own."""
        bound = inspect.signature(self.fn).bind(*args, **kwargs)
        bound.apply_defaults()
        with at_work(self.fn):
            return interpreter.run(*(bound.arguments[n.target.lstrip("*")] for n in self.graph.placeholders))

    def lowered(
        self,
        to: str,
        *,
        x64: bool | None = None,
        control: str | None = None,
        passes: Sequence[str] | None = None,
        after: str | None = LOWERED,
    ) -> Program:
        """The Program in ops that the target has words for; or as it is after another pass of those that
        `tracelate passes` lists, None for the last.
        """
        return self.lowered_to(target_of(to, x64, control), passes, after)

    def told(self) -> AbstractContextManager[None]:
        return told(self.args is not None or self.kwargs is not None)

    def either(self, made: Callable[[Traced], Made]) -> Made:
        """What is made of the function in its own form; where that cannot be made, as a way that the example
        does not go cannot be said in the target, without it.
        """
        try:
            return made(self)
        except InternalError:
            raise
        except TraceError:
            if self.retraced is None or str(self.graph) != str(self.retraced(form=True).graph):
                raise
            with contextlib.suppress(TraceError):
                return made(self.retraced(form=False))
            raise

    def lowered_to(
        self, target: Backend, passes: Sequence[str] | None, after: str | None = None
    ) -> Program:
        return self.either(lambda traced: traced.lowered_in_form(target, passes, after))

    def lowered_in_form(self, target: Backend, passes: Sequence[str] | None, after: str | None) -> Program:
        try:
            return self.lowered_as_traced(target, passes, after)
        except InternalError:
            raise
        except Exception as error:
            if not self.unexampled:
                raise
            try:
                read(self.graph, self.origin)
            except Exception:
                return self.shaped.lowered_as_traced(target, passes, after)
            if lacking(error):
                with contextlib.suppress(TraceError):
                    return self.shaped.lowered_as_traced(target, passes, after)
            raise

    def lowered_as_traced(self, target: Backend, passes: Sequence[str] | None, after: str | None) -> Program:
        noted = Noted(translates=target.name != self.framework)
        with self.told(), noting(noted), at_work(self.fn), uncollected():
            way = Way(target, self.origin)
            program = run(read(self.graph, self.origin), way, pipeline(way, passes), after)
        program.meta["noted"] = noted  # emission goes on with it
        return program

    def source(
        self,
        to: str,
        *,
        x64: bool | None = None,
        control: str | None = None,
        device: str | None = None,
        passes: Sequence[str] | None = None,
        guards: str = "assert",
        jit: bool = False,
    ) -> str:
        """Standalone source for "numpy", "jax" or "torch". The target need not be installed.

        Args:
            x64: for JAX, whether 64-bit dtypes exist; by default as `jax.config` says now, and not where JAX
                is not imported. Where they do not, 64-bit numbers become 32-bit ones, as in JAX itself; a
                PrecisionWarning says so of floats unless False is said. What would mean another program, such
                as a loop that ends by an error below 2**-23, is refused.
            control: the form of control flow. "python" is Python's own `if`, `while` and `for`: the usual one
                for NumPy and torch; for JAX a text to read and debug, which runs call by call. "lax" is the
                usual one for JAX: lax.cond, while_loop, fori_loop and scan, under jax.jit. "export" is
                torch.cond and torch.while_loop, which torch.export can take.
            device: what kind of device it will run on, "cpu", "cuda", "tpu": phrases that are meant for one
                device only (`if device='cuda'`) are written for that one. The usual ones run on all.
            passes: names of the passes to run, see ir/passes.
            guards: the form of the checks that arguments are like the example where the text depends on it.
                "assert": a line each, which `python -O` leaves out. "raise": a ValueError each, with what was
                expected and what was given. "none": no checks.
            jit: for JAX, whether `@jax.jit` stands on the function in any case. It does where the user has it
                compiled, on his other functions too, and where it holds lax control flow.

        Raises:
            UnsupportedError: listing everything that the target cannot say.
            ValueError: where the target has no such form of control flow, or checks no such form, or compiles
                nothing.
        """
        return self.emitted(target_of(to, x64, control, device), x64, passes, guards, jit)[0]

    def to(
        self,
        to: str,
        *,
        x64: bool | None = None,
        control: str | None = None,
        device: str | None = None,
        passes: Sequence[str] | None = None,
        guards: str = "assert",
        jit: bool = False,
    ) -> Any:
        """The function in another framework, callable on its arrays. The options are those of `source`.

        The result is the emitted function itself (for JAX: jitted, unless control="python" asks for Python's
        own statements, or codegen/jitting says that it cannot be), which names arrays of another framework
        where it fails of them (codegen/misfits.py). It has the attributes `source`, `params` (the arrays that
        it closes over), `apply(params, *args)`, `x64`, `narrowed` (whether 64-bit numbers became 32-bit
        ones), `framework` and `save(folder)`.
        """
        target = target_of(to, x64, control, device)
        text, program = self.emitted(target, x64, passes, guards, jit)
        with self.told(), at_work(self.fn):
            return callable_of(text, program, target, (self.args, self.kwargs))

    def emitted(
        self, target: Backend, x64: bool | None, passes: Sequence[str] | None, guards: str, jit: bool = False
    ) -> tuple[str, Program]:
        """The source for a target, and the Program that it says; `x64` as it was asked for."""
        checks = known_form(guards)
        if jit and not target.traces:
            form = f"with control={target.control!r}"
            raise ValueError(f"jit=True compiles no function of {target.name} {form}")

        def made(traced: Traced) -> tuple[str, Program]:
            program = traced.lowered_in_form(target, passes, None)
            if x64 is None:
                warn_of_narrowed(program, target)
            with traced.told(), at_work(traced.fn), uncollected():
                return emit(program, target, traced.origin, checks, jit), program

        return self.either(made)

    def __str__(self) -> str:
        return str(self.graph)

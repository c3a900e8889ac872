"""The public functions: symbolic_trace, transpile, check, spec; and what they give: Traced, and functions
with attributes.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .backends.arrays import convert, kind_of, map_arrays, to_numpy
from .backends.backend import Backend, backend, target_of
from .backends.generality import checks
from .backends.lower import lower
from .backends.reader import read
from .checking import Report, compared
from .codegen.compile import bind, load
from .codegen.jitting import static_argnames
from .codegen.module import emit
from .ir.dtypes import dtype as dtype_of
from .ir.errors import MismatchError, TraceError
from .ir.graph import Graph
from .ir.passes import optimise
from .ir.passes.common import shared_steps
from .ir.program import Program
from .tracer.faults import answerable
from .tracer.inputs import Placeholder
from .tracer.interpreter import Interpreter
from .tracer.trace import trace
from .tracer.tracer import ROLLED

Function = Callable[..., Any]


def spec(shape: Sequence[int | str], dtype: Any = "float32") -> Placeholder:
    """An example argument without numbers.

    Args:
        shape: ints, or names for dims that may be of any size; dims of one name are equal.
        dtype: a name such as "float32", or a framework's dtype.

    Raises:
        TypeError: for an unknown dtype, or a shape that is no sequence of sizes and names.
    """
    dims = tuple(shape) if isinstance(shape, (tuple, list)) else None
    if dims is None or not all(is_dim(d) for d in dims):
        raise TypeError(f"{shape!r} is no shape: a tuple of sizes, or of names for what may be of any size")
    return Placeholder(dims, dtype_of(dtype))


def is_dim(value: Any) -> bool:
    if isinstance(value, str):
        return value.isidentifier()
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


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
        self.args = args
        self.kwargs = kwargs
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
        with answerable(self.fn):
            return optimise(read(self.graph, self.origin), passes)

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
        with answerable(self.fn):
            return interpreter.run(*(bound.arguments[n.target.lstrip("*")] for n in self.graph.placeholders))

    def lowered(
        self,
        to: str,
        *,
        x64: bool | None = None,
        control: str | None = None,
        passes: Sequence[str] | None = None,
    ) -> Program:
        """The Program in ops that the target has words for."""
        target = target_of(to, x64, control)
        program = self.read(passes)
        with answerable(self.fn):
            # Asked before the passes, which may leave out what only other dtypes make a difference to.
            program.meta |= checks(self.read(()), target, self.origin)
            made = lower(program, target, self.origin)
            if passes is None or "common" in passes:
                shared_steps(made)
            return made

    def source(
        self,
        to: str,
        *,
        x64: bool | None = None,
        control: str | None = None,
        passes: Sequence[str] | None = None,
    ) -> str:
        """Standalone source for "numpy", "jax" or "torch". The target need not be installed.

        Args:
            x64: for JAX, whether 64-bit dtypes exist; by default not.
            control: the form of control flow. "python" is Python's own `if`, `while` and `for`: the usual one
                for NumPy and torch; for JAX a text to read and debug, which runs call by call. "lax" is the
                usual one for JAX: lax.cond, while_loop, fori_loop and scan, under jax.jit. "export" is
                torch.cond and torch.while_loop, which torch.export can take.
            passes: names of the passes to run, see ir/passes.

        Raises:
            UnsupportedError: listing everything that the target cannot say.
            ValueError: where the target has no such form of control flow.
        """
        target = target_of(to, x64, control)
        program = self.lowered(to, x64=x64, control=control, passes=passes)
        with answerable(self.fn):
            return emit(program, target, self.origin)

    def to(
        self,
        to: str,
        *,
        x64: bool | None = None,
        control: str | None = None,
        passes: Sequence[str] | None = None,
    ) -> Any:
        """The function in another framework, callable on its arrays. The options are those of `source`.

        The result is the emitted function itself (for JAX: jitted, unless control="python" asks for Python's
        own statements, or codegen/jitting says that it cannot be) with the attributes `source`, `params` (the
        arrays that it closes over), `apply(params, *args)`, `narrowed`, `framework` and `save(folder)`.
        """
        target = target_of(to, x64, control)
        program = self.lowered(to, x64=x64, control=control, passes=passes)
        with answerable(self.fn):
            text = emit(program, target, self.origin)
            return callable_of(text, program, target, (self.args, self.kwargs))

    def __str__(self) -> str:
        return str(self.graph)


def callable_of(text: str, program: Program, target: Backend, examples: Any = ()) -> Any:
    """The emitted function, loaded, with its constants bound and its attributes set."""
    target.imported
    function: Any = load(text, program.name, target.name).function
    params = {name: convert(program.constants[name], target.name) for name in program.meta.get("bound", ())}
    bind(function, params)
    static = static_argnames(program, examples) if target.control == "lax" else None
    if static is not None and not hasattr(function, "clear_cache"):
        import jax

        known = inspect.signature(function).parameters
        function = jax.jit(function, static_argnames=[name for name in static if name in known])
    function.source = text
    function.params = params
    function.apply = lambda params, *args, **kwargs: function(*args, **kwargs, **params)
    function.narrowed = bool(program.meta.get("narrowed"))
    function.framework = target.name
    function.save = functools.partial(save, text, params)
    return function


def save(text: str, params: Mapping[str, Any], folder: Any) -> None:
    """Write `model.py`, and `params.safetensors` where the function closes over arrays. Both work without
    tracelate.
    """
    from pathlib import Path

    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    (path / "model.py").write_text(text, encoding="utf-8")
    if params:
        try:
            from safetensors.numpy import save_file
        except ImportError as error:
            raise TraceError(
                "saving arrays needs safetensors", hint="pip install tracelate[safetensors]"
            ) from error
        # Whole and in order: safetensors writes the memory as it lies, whatever the strides say.
        arrays = {name: np.array(to_numpy(value), order="C") for name, value in params.items()}
        save_file(arrays, path / "params.safetensors")


def symbolic_trace(
    fn: Function,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    source: str | None = None,
    assume: Any = None,
    unroll: bool | int | None = None,
) -> Traced:
    """Trace a function.

    Args:
        fn: a Python function of NumPy, JAX or torch arrays.
        args, kwargs: example arguments: arrays, `spec(...)`, numbers, or containers of these. Without them
            shapes are unknown and dtypes are the framework's default float. One array alone may stand
            without its tuple.
        source: "numpy", "jax" or "torch", where the arguments and the function's globals do not say.
        assume: the dtype of arrays of which no example is given, instead of the framework's default float.
            The emitted function checks it.
        unroll: which loops of known length, such as `for i in range(10)`, are written out turn by turn:
            those of up to so many turns, by default 8; True for all, False for none. A loop whose turns
            differ in more than numbers and arrays is always written out.

    Raises:
        TraceError: naming the user's line. TypeError: for an argument of this function that is no such thing.
        ValueError: for an `unroll` below 0.
    """
    if isinstance(fn, Traced):
        if args is None and kwargs is None and assume is None and unroll is None:
            return fn
        return symbolic_trace(fn.fn, args, kwargs, source=source, assume=assume, unroll=unroll)
    if not callable(fn):
        raise TypeError(f"{fn!r} is no function")
    if args is not None and not isinstance(args, (tuple, list)):
        args = (args,)
    if kwargs is not None and not isinstance(kwargs, Mapping):
        raise TypeError(f"kwargs= is a dict of arguments by name, not {kwargs!r}")
    dtype = None if assume is None else dtype_of(assume)
    turns = most_turns(unroll)
    with answerable(fn):
        graph, name = trace(fn, args, kwargs, source, dtype, turns)
    return Traced(fn, graph, name, args, kwargs)


def most_turns(unroll: bool | int | None) -> float:
    """How many turns a loop that is written out has at most."""
    if unroll is None:
        return ROLLED
    if isinstance(unroll, bool):
        return math.inf if unroll else 0
    if not isinstance(unroll, int):
        raise TypeError(f"unroll= is True, False or a number of turns, not {unroll!r}")
    if unroll < 0:
        raise ValueError(f"unroll= is a number of turns, not {unroll}")
    return unroll


def transpile(
    fn: Function | None = None,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    to: str,
    source: str | None = None,
    assume: Any = None,
    unroll: bool | int | None = None,
    verify: bool = False,
    x64: bool | None = None,
    control: str | None = None,
    passes: Sequence[str] | None = None,
) -> Any:
    """`symbolic_trace(fn, args, kwargs).to(to)`; without `fn` a decorator that traces at the first call.

    Args:
        verify: run both on the example, op by op and as a whole.
        assume, unroll: see symbolic_trace. x64, control, passes: see Traced.source.

    Raises:
        TraceError: where it cannot be traced or translated.
        MismatchError: where `verify` finds a difference.
    """
    if fn is None:
        options = {"unroll": unroll, "verify": verify, "x64": x64, "control": control, "passes": passes}
        return lambda function: Lazy(function, to=to, source=source, **options)
    traced = symbolic_trace(fn, args, kwargs, source=source, assume=assume, unroll=unroll)
    out = traced.to(to, x64=x64, control=control, passes=passes)
    if verify:
        target = target_of(to, x64, control)
        with answerable(fn):
            report = compared(traced, out, traced.args or (), traced.kwargs or {}, target)
        if not report.ok:
            raise MismatchError(str(report))
    return out


def check(
    fn: Function,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    to: str,
    source: str | None = None,
    unroll: bool | int | None = None,
    x64: bool | None = None,
    control: str | None = None,
) -> Report:
    """Run a function and its translation on the same arguments, op by op and as a whole.

    Returns:
        a Report: true if all agree; it prints the largest errors and the first node that differs.

    Raises:
        TraceError: where it cannot be traced or translated.
    """
    traced = symbolic_trace(fn, args, kwargs, source=source, unroll=unroll)
    target = target_of(to, x64, control)
    out = traced.to(to, x64=x64, control=control)
    with answerable(fn):
        return compared(traced, out, traced.args or (), traced.kwargs or {}, target)


class Lazy:
    """What the decorator makes: a function that is traced when it is called, once for each kind of
    arguments.
    """

    def __init__(self, fn: Function, **options: Any) -> None:
        self.fn = fn
        self.options = options
        self.made: dict[Any, Any] = {}
        functools.update_wrapper(self, fn)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.traced(args, kwargs)(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Lazy:
        """What a method gets.

        Raises:
            TraceError: since what the object holds may change from call to call.
        """
        if instance is None:
            return self
        name = self.fn.__name__
        raise TraceError(
            f"{name} is a method, and what its object holds is part of a translation",
            hint=f"leave the decorator out and translate it bound: transpile(object.{name}, to=...)",
        )

    def traced(self, args: Any, kwargs: Any) -> Any:
        """The translation for arguments like these."""
        key = kind_of((args, tuple(sorted(kwargs.items()))))
        if key not in self.made:
            from .tracer.trace import source_of

            own = self.options["source"] or source_of(self.fn, None, None)
            with answerable(self.fn):
                examples = map_arrays((args, kwargs), lambda a: convert(a, own))
            self.made[key] = transpile(self.fn, *examples, **{**self.options, "source": own})
        return self.made[key]

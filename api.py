"""The public functions: symbolic_trace, transpile, check, spec."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from .backends.arrays import convert, kind_of, map_arrays
from .backends.backend import target_of
from .checking import Report, compared
from .ir.errors import MismatchError, TraceError
from .ir.meaning.layers import stamp
from .ir.values.dtypes import DType
from .ir.values.dtypes import dtype as dtype_of
from .traced import Function, Traced, at_work
from .tracer.inputs import Placeholder
from .tracer.supposed import Supposed
from .tracer.trace import trace
from .tracer.unexampled import trace_unexampled
from .varying.vary import USUAL, varied


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
            those of up to so many turns; True for all, False or 0 for none. By default none, but for short
            ones where that fails. A loop whose turns differ in more than numbers and arrays is always
            written out.

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
    if args is None and kwargs is None:
        return unexampled(fn, source, dtype, turns)
    return exampled(fn, args, kwargs, source, dtype, turns)


def exampled(
    fn: Function,
    args: Sequence[Any] | None,
    kwargs: Mapping[str, Any] | None,
    source: str | None,
    dtype: DType | None,
    unroll: float | None,
    *,
    form: bool = True,
) -> Traced:
    """A function traced with examples; `form`: see Entry."""
    with at_work(fn):
        graph, name = trace(fn, args, kwargs, source, Supposed(dtype), unroll, form)
    made = Traced(fn, graph, name, args, kwargs)
    if graph.meta["formed"]:
        made.retraced = functools.partial(exampled, fn, args, kwargs, source, dtype, unroll)
    return made


def unexampled(
    fn: Function,
    source: str | None,
    dtype: DType | None,
    unroll: float | None,
    *,
    known: bool = False,
    form: bool = True,
) -> Traced:
    """A function traced without examples; with shapes that are `known` where a Program or text must know
    them; `form`: see Entry.
    """
    with at_work(fn):
        graph, name = trace_unexampled(fn, source, dtype, unroll, known=known, form=form)
    made = Traced(fn, graph, name, None, None)
    if not known:
        made.again = functools.partial(unexampled, fn, source, dtype, unroll, form=form)
    if graph.meta["formed"]:
        made.retraced = functools.partial(unexampled, fn, source, dtype, unroll, known=known)
    return made


def most_turns(unroll: bool | int | None) -> float | None:
    """How many turns a loop that is written out has at most; None where nothing is said of that."""
    if unroll is None:
        return None
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
    device: str | None = None,
    passes: Sequence[str] | None = None,
    guards: str = "assert",
    jit: bool = False,
) -> Any:
    """`symbolic_trace(fn, args, kwargs).to(to)`; without `fn` a decorator that traces at the first call.

    Args:
        verify: run both on the example, op by op and as a whole.
        assume, unroll: see symbolic_trace. x64, control, device, passes, guards, jit: see
            Traced.source.

    Raises:
        TraceError: where it cannot be traced or translated.
        MismatchError: where `verify` finds a difference.
    """
    said: dict[str, Any] = {
        "x64": x64, "control": control, "device": device, "passes": passes, "guards": guards,
        "jit": jit,
    }  # fmt: skip
    if fn is None:
        options = {"unroll": unroll, "verify": verify, **said}
        return lambda function: Lazy(function, to=to, source=source, **options)
    traced = symbolic_trace(fn, args, kwargs, source=source, assume=assume, unroll=unroll)
    out = traced.to(to, **said)
    if verify:
        target = target_of(to, x64, control, device)
        with at_work(fn):
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
    guards: str = "assert",
    vary: bool | int = False,
) -> Report:
    """Run a function and its translation on the same arguments, op by op and as a whole: results and the
    arguments after the call are compared.

    Args:
        vary: True, or how many: besides the example try other numbers, sizes, ranks, dtypes, lists, dicts,
            None, Python numbers of other types and arguments that share memory, made up from the example, the
            same ones each time.
        unroll: see symbolic_trace. x64, control, guards: see Traced.source.

    Returns:
        a Report: true if all agree; it prints the largest errors and the first node that differs. With `vary`
        a varying.report.Varied, which has the `cases` too; it prints how many held, which check refused what,
        and the first case that differs, made as small as it goes.

    Raises:
        TraceError: where it cannot be traced or translated.
        ValueError: for a `vary` below 0.
    """
    count = USUAL if vary is True else int(vary)
    if count < 0:
        raise ValueError(f"vary= is True, False or a number of variations, not {vary}")
    traced = symbolic_trace(fn, args, kwargs, source=source, unroll=unroll)
    target = target_of(to, x64, control)
    out = traced.to(to, x64=x64, control=control, guards=guards)
    with at_work(fn):
        report = compared(traced, out, traced.args or (), traced.kwargs or {}, target)
        return varied(report, traced, out, target, count) if count else report


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
        key = kind_of((args, tuple(sorted(kwargs.items())))), stamp()
        if key not in self.made:
            from .tracer.written_for import source_of

            own = self.options["source"] or source_of(self.fn, None, None)
            with at_work(self.fn):
                examples = map_arrays((args, kwargs), lambda a: convert(a, own))
            self.made[key] = transpile(self.fn, *examples, **{**self.options, "source": own})
        return self.made[key]

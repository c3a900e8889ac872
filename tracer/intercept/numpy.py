"""NumPy: ducks whose `__class__` is ndarray. Ufuncs and array functions arrive through NumPy's own protocols.

A subclass of ndarray would leak numbers: np.asarray and its kin read its buffer and nothing is dispatched. A
duck has no buffer.
"""

from __future__ import annotations

import functools
import operator
from collections import UserList, deque
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends.backend import backend
from ...ir.errors import TraceError, UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.static import pin
from ...ir.values.dtypes import DTYPES, DType
from ...ir.values.tree import plain_constant
from ..memory import apart, numpy_scalars, writes
from ..place import gate
from ..plain import plainly
from ..proxy import current, is_array_proxy, is_proxy, isinstance_scalar
from ..values.kinds import of_type
from .asking import asking
from .base import Framework
from .lists import Lists

if TYPE_CHECKING:
    from ..tracer import Tracer

#: Array functions that only ask about specs. They are answered, not recorded.
QUERIES: dict[Any, Any] = {
    np.shape: lambda t, x: tuple(t.known(d, "np.shape was asked for") for d in t.shape(x)),
    np.ndim: lambda t, x: len(t.shape(x)),
    np.size: lambda t, x, axis=None: t.framework.count(x, axis),
    np.may_share_memory: lambda t, a, b, max_work=None: apart.may_share(t, a, b),
    np.shares_memory: lambda t, a, b, max_work=None: apart.may_share(t, a, b),
    np.real: lambda t, x: part(t, np.real, x),
    np.imag: lambda t, x: part(t, np.imag, x),
}


def part(tracer: Tracer, function: Any, value: Any) -> Any:
    """`np.real(value)`, an attribute where there is one: of a number of Python's a number of Python's."""
    if isinstance_scalar(value):
        return tracer.hooks.getattr_(value, function.__name__)
    return tracer.record(function, (value,))


class Writing:
    """A function that writes into its first argument, as one that gives it."""

    def __init__(self, function: Any, name: str) -> None:
        self.function = function
        self.canonical = f"np.{name}"
        self.__name__ = self.canonical

    @gate
    def __call__(self, target: Any, *args: Any, **kwargs: Any) -> Any:
        self.function(target, *args, **kwargs)
        return target


#: The array functions that write into their first argument.
WRITING = {
    getattr(np, name): Writing(getattr(np, name), name)
    for name in ("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask")
}


@functools.cache
def scattering(ufunc: Any) -> Writing:
    """`np.add.at` and its kin."""
    return Writing(ufunc.at, f"{ufunc.__name__}.at")


def own_dtype(name: str) -> Any:
    """NumPy's dtype of this name."""
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


class NumPyLists(Lists):
    functions = (np.array, np.asarray)

    def array(self, hooks: Any, column: Any, dtype: Any) -> Any:
        return hooks.call(np.array, column, **({} if dtype is None else {"dtype": dtype}))

    def single(self, hooks: Any, number: Any) -> Any:
        return hooks.call(np.array, number)


class NumPy(Framework):
    name = "numpy"
    backend = backend("numpy")
    array_class = np.ndarray
    asked = {
        **asking(np),
        np.isscalar: of_type(np.isscalar),
        np.iterable: of_type(np.iterable, ranked=True),
    }
    lists = NumPyLists()
    joins, moves, copies = staticmethod(np.concatenate), staticmethod(np.moveaxis), staticmethod(np.copy)
    counter, stacks = staticmethod(np.arange), staticmethod(np.stack)
    typed = frozenset(
        {np.issubdtype, np.isdtype, np.result_type, np.promote_types, np.can_cast, np.common_type}
        | {np.iscomplexobj, np.isrealobj}
    )
    casts = frozenset(getattr(np, name) for name in DTYPES if hasattr(np, name))

    def is_array(self, value: Any) -> bool:
        return isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, (np.str_, np.bytes_))

    def in_order(self, value: Any) -> bool:
        return bool(value.flags.c_contiguous)

    def share(self, one: Any, other: Any) -> bool:
        return bool(np.may_share_memory(one, other))

    def dtype_object(self, proxy: Any) -> Any:
        return own_dtype(proxy.tracer.dtype(proxy.node).name)

    def class_of(self, proxy: Any) -> Any:
        spec = proxy.node.spec
        if spec.shape == () and spec.dtype is not None and numpy_scalars.is_number(proxy.tracer, proxy.node):
            return own_dtype(spec.dtype.name).type
        return np.ndarray

    def witness(self, kind: Any, rank: int, dtype: DType, number: bool) -> Any:
        made = np.zeros([1] * rank, own_dtype(dtype.name))
        return made[()] if number else made

    def make(self, value: Any) -> Any:
        return np.array(value)

    def count(self, proxy: Any, axis: int | None) -> int:
        shape = self.shape_of(proxy)
        proxy.tracer.rank(proxy.node)
        dims = shape if axis is None else (shape[axis],)
        return int(np.prod([proxy.tracer.known(d, "np.size was asked for") for d in dims], dtype=np.int64))

    def ufunc(self, ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
        tracer = current()
        if kwargs.get("out") is not None:
            (out,) = kwargs["out"] if isinstance(kwargs["out"], tuple) else (kwargs["out"],)
            rest = {k: v for k, v in kwargs.items() if k != "out"}
            return self.into(tracer, out, self.ufunc(ufunc, method, inputs, rest))
        if method == "at":
            return self.written(tracer, scattering(ufunc), inputs, kwargs)
        if method != "__call__":
            return tracer.record(getattr(ufunc, method), inputs, kwargs)
        return tracer.record(
            ufunc, [self.listed(v) if isinstance(v, (list, tuple)) else v for v in inputs], kwargs
        )

    def evaluate(
        self, tracer: Tracer, op: str, target: Any, args: Any, kwargs: Any, seen: Any, named: Any
    ) -> Any:
        computes = isinstance(target, np.ufunc) or getattr(target, "__module__", "") == "_operator"
        if computes and target not in (operator.getitem, operator.setitem):
            for own in (v for v in args if not is_proxy(v) and plain_constant(v) is not v):
                plain = type(plain_constant(own)).__name__
                if self.alike(own, [v.node for v in args if is_array_proxy(v)]):
                    continue
                raise tracer.error(
                    f"an array beside a {type(own).__name__}, which is no plain number to NumPy",
                    f"{plain}(...) of it is one, np.asarray(...) what it is taken for",
                )
        return super().evaluate(tracer, op, target, args, kwargs, seen, named)

    def alike(self, number: Any, arrays: list[Node]) -> bool:
        """Whether a number of a class of its own, an array to NumPy, counts beside these as a plain one."""
        plain = plain_constant(number)
        for node in arrays:
            dtype = node.spec.dtype
            if dtype is None or np.result_type(dtype.name, plain) != np.result_type(dtype.name, type(plain)):
                return False
        pin(arrays)
        return bool(arrays)

    def into(self, tracer: Tracer, out: Any, result: Any) -> Any:
        """`f(..., out=x)` is x[...] = f(...)."""
        writes.into(tracer, out, result)
        return out

    def wants_array(self, tracer: Tracer, proxy: Any) -> TraceError:
        return UnsupportedError(
            "np.asarray() of an array",
            why="code that is not recorded, of NumPy's own or of a library, asks for its numbers",
            span=tracer.span(),
            hint="call functions of NumPy's on whole arrays: np.concatenate instead of np.r_, operators and "
            "np.where instead of np.vectorize",
        )

    def method(self, tracer: Tracer, proxy: Any, name: str, args: Any, kwargs: Any) -> Any:
        function = WRITING.get(getattr(np, name, None))
        if function is not None:
            return self.written(tracer, function, (proxy, *args), kwargs)
        return super().method(tracer, proxy, name, args, kwargs)

    def written(self, tracer: Tracer, function: Writing, args: Any, kwargs: Any) -> None:
        """A call that writes into its first argument."""
        target = args[0]
        write = lambda: tracer.record(function, args, kwargs)  # noqa: E731
        if not is_proxy(target):
            writes.refuse_unclear(tracer, target, function.canonical)
        tracer.inplace_call(target, function.canonical, write)

    def foreign(self, tracer: Tracer, func: Any, args: Any, kwargs: Any) -> Any:
        args, kwargs = tuple(map(listed, args)), {name: listed(value) for name, value in kwargs.items()}
        if func in self.typed:
            return self.answered(tracer, func, args, kwargs)
        if func in QUERIES and not any(map(is_proxy, args)):
            return plainly(func, *args, **kwargs)
        if func in QUERIES:
            return QUERIES[func](tracer, *args, **kwargs)
        if func in WRITING:
            return self.written(tracer, WRITING[func], args, kwargs)
        if func is np.nan_to_num and args and not (args[1] if args[1:] else kwargs.get("copy", True)):
            rest = dict(zip(("nan", "posinf", "neginf"), args[2:])) | kwargs
            made = self.foreign(tracer, func, args[:1], {**rest, "copy": True})
            if not has_memory(tracer, args[0]):
                return made
            if not is_proxy(args[0]):
                return self.into(tracer, args[0], made)
            if args[0].node.spec.shape == ():
                tracer.rank(args[0].node)
                self.into(tracer, args[0], made)
                return made  # a number, though it has written into an array
            numpy_scalars.pin_axes(tracer, args[0].node)
            return self.into(tracer, args[0], made)
        if isinstance(func, np.ufunc) and func.nout == 1 and len(args) == func.nin + 1:  # np.add(x, y, x)
            args, kwargs = args[:-1], {**kwargs, "out": args[-1]}
        if kwargs.get("out") is not None:
            return self.into(tracer, kwargs["out"], self.foreign(tracer, func, args, {**kwargs, "out": None}))
        return tracer.record(func, args, {k: v for k, v in kwargs.items() if k != "out" or v is not None})


def listed(value: Any) -> Any:
    """What NumPy goes through as through a list, as a list."""
    return [*value] if isinstance(value, (deque, UserList)) else value


def has_memory(tracer: Tracer, value: Any) -> bool:
    """Whether a value is an array, and no number."""
    if is_proxy(value):
        return not isinstance_scalar(value) and not numpy_scalars.is_number(tracer, value.node)
    return isinstance(value, np.ndarray)


FRAMEWORK = NumPy()

"""Arrays across frameworks: converting, and saying how two results differ."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..ir.errors import TraceError
from ..ir.values.dtypes import COMPLEX, PYTHON, DType, dtype, float64
from ..ir.values.tree import children, holdings, is_record, rebuilt, tuple_fields
from .backend import COMMON, NAMES, Backend, backend, framework_of, is_common
from .handling import Handling
from .tolerance import tolerance
from .typing.jax import NARROW


def to_numpy(value: Any) -> np.ndarray[Any, Any]:
    """Any framework's array as NumPy's, bfloat16 as ml_dtypes' bfloat16."""
    return handling(value).to_numpy(value)


def handling(value: Any) -> Handling:
    """What knows how arrays like this one are handled; what is no array becomes NumPy's."""
    return backend(framework_of(value) or COMMON).handling


def convert(value: Any, framework: str) -> Any:
    """An array as the array of `framework`. A writable copy, so that neither side sees the other's writes."""
    goal = backend(framework).handling
    if framework_of(value) == framework and goal.is_constant(value):
        return value
    return goal.from_numpy(np.array(to_numpy(value)))


def dtype_object(name: DType, framework: str) -> Any:
    """A dtype as the object that `framework` has for it."""
    return backend(framework).handling.dtype(name)


def map_arrays(value: Any, fn: Callable[[Any], Any]) -> Any:
    """The same containers with `fn` applied to every array in them."""
    if framework_of(value) is not None:
        return fn(value)
    items = children(value)
    return value if items is None else rebuilt(value, {key: map_arrays(item, fn) for key, item in items})


def narrowed(value: Any, backend: Backend) -> Any:
    """The same containers with arrays of NumPy's in dtypes that the framework has: JAX without x64 takes them
    so.
    """

    def narrow(array: Any) -> Any:
        wide = is_common(array) and array.dtype.name in NARROW
        return array.astype(NARROW[array.dtype.name]) if wide else array

    return value if backend.x64 else map_arrays(value, narrow)


def kind_of(value: Any) -> Any:
    """What a translation is made for: shapes and dtypes of arrays, types of numbers, all else as it is.

    Raises:
        TraceError: for what cannot be told from others.
    """
    if framework_of(value) is not None:
        return (tuple(value.shape), str(value.dtype))
    items = children(value)
    if items is not None:
        return (type(value), *((key, kind_of(item)) for key, item in items))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return (type(value), value)
    if getattr(type(value), "__hash__", None) is None:
        raise TraceError(
            f"an argument is a {type(value).__name__}, which cannot be told from others",
            hint="translate the function itself, with transpile(fn, args, to=...)",
        )
    return value


@dataclass(frozen=True, slots=True)
class Difference:
    """How one output differs: `path` says which, `what` in words; `error` is the largest absolute
    difference.
    """

    path: str
    what: str
    error: float = float("inf")

    def __str__(self) -> str:
        return f"{self.path or 'the result'}: {self.what}"


@dataclass(frozen=True, slots=True)
class Measure:
    """How closely results are compared; see compare."""

    kind: str
    narrowed: bool
    floats: DType


def compare(
    expected: Any,
    got: Any,
    *,
    kind: str = "reduction",
    narrowed: bool = False,
    floats: DType = float64,
    path: str = "",
) -> Iterator[Difference]:
    """Every difference between two results: structure, shape, dtype, values beyond the tolerance.

    Args:
        kind: the column of the table of tolerances.
        narrowed: whether 64-bit numbers may have come out as 32-bit ones, as in JAX without x64.
        floats: what Python's floats and wider arrays may have been computed from, the narrowest there is.
        path: what the two are, where they are not the result.
    """
    yield from _compare(expected, got, path, Measure(kind, narrowed, floats))


def _compare(expected: Any, got: Any, path: str, measure: Measure) -> Iterator[Difference]:
    if framework_of(expected) is not None or framework_of(got) is not None:
        yield from compare_arrays(expected, got, path, measure)
    elif isinstance(expected, Mapping) and isinstance(got, Mapping):
        if expected.keys() != got.keys():  # in any order: jax.jit sorts them
            yield Difference(path, f"keys {list(expected)} became {list(got)}")
            return
        for key in expected:
            yield from _compare(expected[key], got[key], f"{path}[{key!r}]", measure)
    elif isinstance(expected, (tuple, list)) and isinstance(got, (tuple, list)):
        if form(expected) != form(got):
            yield Difference(path, f"{form(expected)} became {form(got)}")
            return
        for i, (a, b) in enumerate(zip(expected, got)):
            yield from _compare(a, b, f"{path}[{i}]", measure)
    elif isinstance(expected, deque) and isinstance(got, deque):
        yield from _compare(list(expected), list(got), path, measure)
    elif is_record(expected):
        for name, item in holdings(expected).items():
            yield from _compare(item, getattr(got, name, None), f"{path}.{name}", measure)
    elif type(expected) in PYTHON and type(got) in PYTHON:
        yield from compare_numbers(expected, got, path, measure)
    elif expected != got:
        yield Difference(path, f"{expected!r} became {got!r}")


def form(value: Any) -> str:
    """A tuple or list in words. A framework's own results are tuples, whatever they call their items."""
    own = type(value).__module__.partition(".")[0] not in NAMES
    fields = tuple_fields(type(value)) if own else None
    kind = f"{type(value).__name__}{fields}" if fields else "list" if isinstance(value, list) else "tuple"
    return f"{kind} of {len(value)}"


def compare_numbers(expected: Any, got: Any, path: str, measure: Measure) -> Iterator[Difference]:
    """Python's own, of which floats and complex ones are as exact as the arrays that they come from."""
    of = PYTHON[type(expected)]
    if type(expected) is not type(got) or (not of.is_inexact and expected != got):
        yield Difference(path, f"{expected!r} became {got!r}")
    elif of.is_inexact:
        of = COMPLEX[measure.floats.name] if of.kind == "complex" else measure.floats
        a, b = np.array(expected), np.array(got)
        if not close(a, b, of, measure.kind):
            yield Difference(path, f"values differ: {expected!r} became {got!r}", largest(a, b))


def compare_arrays(expected: Any, got: Any, path: str, measure: Measure) -> Iterator[Difference]:
    a, b = to_numpy(expected), to_numpy(got)
    one, other = dtype(a.dtype), dtype(b.dtype)
    if a.shape != b.shape:
        yield Difference(path, f"shape {a.shape} became {b.shape}")
        return
    if one != other and not (measure.narrowed and NARROW.get(one.name) == other.name):
        yield Difference(path, f"dtype {one} became {other}", largest(a, b))
        return
    if not close(a, b, coarser(other, measure.floats), measure.kind):
        error = largest(a, b)
        yield Difference(path, f"values differ by up to {error:.3g}", error)


def coarser(of: DType, floats: DType) -> DType:
    """How exact an array of some dtype is that may have been computed from these floats."""
    if not of.is_inexact or tolerance(of) >= tolerance(floats):
        return of
    return COMPLEX.get(floats.name, of) if of.kind == "complex" else floats


def close(a: Any, b: Any, of: DType, kind: str) -> bool:
    relative, absolute = tolerance(of, kind)
    if relative == 0 and absolute == 0:
        return bool(np.array_equal(a, b, equal_nan=True))
    if of.kind != "complex":
        a, b = a.astype(np.float64), b.astype(np.float64)
    scale = np.max(np.abs(a), initial=0.0, where=np.isfinite(a)) if kind in ("reduction", "linalg") else 1.0
    return bool(
        np.allclose(
            a, b, rtol=relative, atol=absolute * max(float(scale), 1e-30 if scale else 1.0), equal_nan=True
        )
    )


def largest(a: Any, b: Any) -> float:
    """The largest absolute difference; inf where one is finite and the other is not."""
    if a.size == 0:
        return 0.0
    if a.dtype.kind in "biu" and b.dtype.kind in "biu":  # float64 holds no int beyond 2**53
        return float(max(abs(p - q) for p, q in zip(a.ravel().tolist(), b.ravel().tolist())))
    wide = np.complex128 if "complex" in (a.dtype.kind, b.dtype.kind) or a.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        gap = np.abs(a.astype(wide) - b.astype(wide))
    same = (a == b) | ((a != a) & (b != b))
    gap = np.where(same, 0.0, np.where(np.isnan(gap), np.inf, gap))
    return float(np.max(gap))


def stacked(values: Sequence[Any]) -> Any:
    """Arrays of one framework along a new first axis."""
    return handling(values[0]).stack(values)


def of_numbers(values: Sequence[Any], of: DType, framework: str) -> Any:
    """An array of numbers of Python's."""
    return convert(np.array(values, of.name), framework)


def empty(shape: tuple[int, ...], of: DType, framework: str) -> Any:
    """An array of a framework, one of whose sizes is 0."""
    return backend(framework).handling.empty(shape, of)

"""Calls derived from the rows, run in their own framework and, translated, in the others.

Many calls make one function, a line each, which is traced, translated and compiled once; only where that
fails is it taken apart. What comes back is a Finding for each line and target that went wrong or was refused.
"""

from __future__ import annotations

import hashlib
import inspect
import itertools
import linecache
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, jaxpr_as_fun
from jax.interpreters import partial_eval

import tracelate.api as api
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy
from tracelate.backends.backend import NAMES
from tracelate.ir.errors import UnsupportedError

PRELUDE = """
import math, operator, jax, jax.numpy as jnp, ml_dtypes, numpy as np, scipy, scipy.special, torch
import torch.nn.functional as F
"""
# JAX spends more time on filtering a traceback than on refusing.
jax.config.update("jax_traceback_filtering", "off")
NAMESPACE: dict[str, Any] = {"__name__": "rows"}
exec(PRELUDE, NAMESPACE)


@dataclass(frozen=True, eq=False)
class Line:
    """An expression of a framework's source, the NumPy arrays that it mentions, and the column of the
    tolerances.
    """

    text: str
    arrays: dict[str, np.ndarray[Any, Any]]
    column: str
    dtype: str = ""
    #: JAX wants x64 for it.
    wide: bool = False
    #: Nothing is computed: zeros keep their signs.
    moved: bool = False
    #: Into what it is translated.
    targets: Sequence[str] = NAMES


@dataclass(frozen=True, eq=False)
class Finding:
    """What became of a line in one target: "wrong", "refused" or "broken" (any other error)."""

    kind: str
    line: Line
    source: str
    target: str
    why: str
    emitted: str = ""

    def __str__(self) -> str:
        shapes = ", ".join(f"{n}: {a.dtype}{list(a.shape)}" for n, a in self.line.arrays.items())
        told = f"{self.kind}, {self.source} -> {self.target}: {self.line.text}   [{shapes}]"
        return f"{told}\n    {self.why}{textwrap(self.emitted)}"


def textwrap(text: str) -> str:
    return "".join(f"\n    | {line}" for line in text.splitlines() if line.strip())


@contextmanager
def quiet(x64: bool) -> Iterator[None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"), jax.enable_x64(x64):
        warnings.simplefilter("ignore")
        yield


@dataclass
class Batch:
    """Lines of one source as one function. `results` are what the source itself gives, line by line."""

    source: str
    x64: bool
    lines: Sequence[Line]
    results: Sequence[Any]
    traced: dict[tuple[int, ...], Any] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        with quiet(self.x64):
            for target in NAMES:
                wanted = [i for i, line in enumerate(self.lines) if target in line.targets]
                yield from self.among(wanted, target)

    def among(self, chosen: Sequence[int], target: str) -> Iterator[Finding]:
        """The findings about some of the lines."""
        if not chosen:
            return
        try:
            got, text, _ = self.translated(chosen, target)
        except UnsupportedError as error:
            whys = {chosen[i]: why for i, why in refusals(error).items()} or (
                {chosen[0]: error.why} if len(chosen) == 1 else {}
            )
            for i, why in whys.items():
                yield Finding(
                    "refused", self.lines[i], self.source, target if error.backend == target else "any", why
                )
            yield from self.parts([i for i in chosen if i not in whys], target, split=not whys)
        except Exception as error:
            if len(chosen) > 1:
                yield from self.parts(chosen, target, split=True)
            else:
                yield Finding(
                    "broken",
                    self.lines[chosen[0]],
                    self.source,
                    target,
                    f"{type(error).__name__}: {error}",
                    self.text(chosen, target),
                )
        else:
            for i, value in zip(chosen, got):
                line = self.lines[i]
                if found := differences(self.results[i], value, line, target == "jax" and not self.x64):
                    yield Finding("wrong", line, self.source, target, found, self.text([i], target) or text)

    def parts(self, chosen: Sequence[int], target: str, split: bool) -> Iterator[Finding]:
        middle = len(chosen) // 2 if split else 0
        for part in (chosen[:middle], chosen[middle:]):
            yield from self.among(part, target)

    def translated(self, chosen: Sequence[int], target: str) -> tuple[Sequence[Any], str, Any]:
        """What the translation gives, its text, and the function.

        Raises:
            TraceError: where it is refused.
        """
        key = tuple(chosen)
        lines = [self.lines[i] for i in chosen]
        arrays = gathered(lines)
        if key not in self.traced:
            self.traced[key] = api.symbolic_trace(
                function(lines), own(arrays, self.source), source=self.source
            )
        out = self.traced[key].to(target, x64=self.x64)
        return run(inspect.unwrap(out), own(arrays, target), target), out.source, out

    def text(self, chosen: Sequence[int], target: str) -> str:
        try:
            return str(self.translated(chosen, target)[2].source)
        except Exception:
            return ""


def batches(source: str, lines: Sequence[Line]) -> Iterator[Batch]:
    """The lines that the source itself runs; apart those for which JAX wants x64, as a target too, since
    their results have 64 bits.
    """
    for wide in (False, True):
        mine = [line for line in lines if line.wide == wide]
        with quiet(wide):
            found = [(line, value) for line, value in zip(mine, executed(source, mine)) if value is not None]
        for x64 in (wide,) if wide or source == "jax" else (False, True):
            some = [
                (line, value) for line, value in found if wide or source == "jax" or is_wide(value) == x64
            ]
            if some:
                yield Batch(source, x64, *zip(*some))  # type: ignore[arg-type]


def executed(source: str, lines: Sequence[Line]) -> list[Any]:
    """What the source framework gives for each line; None where it refuses."""
    if source != "jax":
        return [attempted(function([line]), own(line.arrays, source)) for line in lines]
    shapes = [attempted(abstract(function([line])), own(line.arrays, "jax")) for line in lines]
    legal = [line for line, shape in zip(lines, shapes) if shape is not None]
    try:
        values = iter(run(function(legal), own(gathered(legal), "jax"), "jax") if legal else ())
    except Exception:  # what XLA itself refuses
        values = iter([attempted(function([line]), own(line.arrays, "jax")) for line in legal])
    return [None if shape is None else next(values) for shape in shapes]


def runs(source: str, line: Line) -> bool:
    """Whether the source framework takes a line."""
    fn = function([line])
    with quiet(line.wide):
        return attempted(abstract(fn) if source == "jax" else fn, own(line.arrays, source)) is not None


def abstract(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The shapes of a function's results; the results themselves where shapes depend on values."""
    def shapes(*arrays: Any) -> Any:
        try:
            return jax.eval_shape(fn, *arrays)
        except jax.errors.JAXTypeError:
            return fn(*arrays)

    return shapes


def attempted(fn: Callable[..., Any], arrays: Sequence[Any]) -> Any:
    try:
        return fn(*arrays)[0]
    except Exception:
        return None


def is_wide(value: Any) -> bool:
    """Whether there are floats of 64 bits, or ints that need as many."""
    found: list[bool] = []

    def look(array: Any) -> None:
        a = to_numpy(array)
        ints = a.dtype.kind in "iu" and a.dtype.itemsize == 8 and a.size > 0
        found.append(
            a.dtype.name in ("float64", "complex128")
            or ints
            and bool(np.any(a.astype(float) >= 2**31) or np.any(a.astype(float) < -(2**31)))
        )

    map_arrays(value, look)
    return any(found)


def gathered(lines: Sequence[Line]) -> dict[str, np.ndarray[Any, Any]]:
    return {name: array for line in lines for name, array in line.arrays.items()}


def own(arrays: dict[str, np.ndarray[Any, Any]], framework: str) -> list[Any]:
    return [convert(array, framework) for array in arrays.values()]


def function(lines: Sequence[Line]) -> Callable[..., Any]:
    """A function of the lines' arrays that returns a tuple of their values; its source is at hand, as that of
    any file.
    """
    body = [f"    y{i} = {line.text}" for i, line in enumerate(lines)]
    outputs = ", ".join(f"y{i}" for i in range(len(lines)))
    text = "\n".join([f"def f({', '.join(gathered(lines))}):", *body, f"    return ({outputs},)", ""])
    return loaded(text)


def loaded(text: str, name: str = "f") -> Callable[..., Any]:
    file = f"<rows {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace = dict(NAMESPACE)
    exec(compile(text, file, "exec", dont_inherit=True), namespace)
    made: Callable[..., Any] = namespace[name]
    return made


def refusals(error: UnsupportedError) -> dict[int, str]:
    """Line by line, why a function was refused."""
    found: dict[int, str] = {}
    for text in str(error).splitlines():
        if place := re.search(r"<rows \w+>:(\d+)", text):
            reason = text.rpartition("    ")[2].partition(": ")[2]
            found.setdefault(
                int(place[1]) - 2, error.why if reason in ("", "the same reason") or not found else reason
            )
    return found


def run(fn: Callable[..., Any], arrays: Sequence[Any], framework: str) -> Any:
    """The function's results. JAX compiles it, but each of its outputs only where nothing like it was run
    before.
    """
    if framework != "jax":
        return fn(*arrays)
    try:
        closed, shape = jax.make_jaxpr(fn, return_shape=True)(*arrays)
    except jax.errors.JAXTypeError:  # shapes that depend on values
        return fn(*arrays)
    program, inputs = closed.jaxpr, [*closed.consts, *arrays]
    program = program.replace(constvars=(), invars=[*program.constvars, *program.invars], debug_info=None)
    count = len(program.outvars)
    keys = [
        digest(*partial_eval.dce_jaxpr(program, [i == j for j in range(count)]), inputs) for i in range(count)
    ]
    missing = [key not in RAN for key in keys]
    if any(missing):
        rest, used = partial_eval.dce_jaxpr(program, missing)
        made = jax.jit(jaxpr_as_fun(ClosedJaxpr(rest, ())), compiler_options=QUICK)(
            *itertools.compress(inputs, used)
        )
        RAN.update(zip(itertools.compress(keys, missing), map(np.asarray, made)))
    return jax.tree.unflatten(jax.tree.structure(shape), [RAN[key] for key in keys])


#: What JAX gave for a program and its inputs: the same calls come from several sources, and compiling is
#: nearly all that they cost.
RAN: dict[str, Any] = {}
QUICK = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


def digest(program: Any, used: Sequence[bool], inputs: Sequence[Any]) -> str:
    made = hashlib.sha256(f"{program}{jax.config.jax_enable_x64}".encode())
    for array in itertools.compress(inputs, used):
        made.update(f"{array.dtype}{array.shape}".encode() + np.asarray(array).tobytes())
    return made.hexdigest()


def differences(expected: Any, got: Any, line: Line, narrowed: bool) -> str:
    """How a result differs, in words; "" where it does not."""
    with np.errstate(all="ignore"):
        found = "; ".join(
            map(
                str,
                compare(
                    expected,
                    got,
                    kind="elementwise" if line.column == "exact" else line.column,
                    narrowed=narrowed,
                ),
            )
        )
        if not found and line.column == "exact":
            pairs = list(zip(leaves(expected), leaves(got)))
            if not all(np.array_equal(a, b, equal_nan=True) for a, b in pairs):
                return "values differ, and should not at all"
            if line.moved and not all(
                np.array_equal(np.signbit(a), np.signbit(b)) for a, b in pairs if a.dtype.kind == "f"
            ):
                return "zeros differ in sign"
    return found


def leaves(value: Any) -> list[np.ndarray[Any, Any]]:
    found: list[np.ndarray[Any, Any]] = []
    map_arrays(value, lambda a: found.append(to_numpy(a)))
    return found


def given(fn: Any, values: Sequence[Any]) -> Any:
    """The first result of a call, or what it raises."""
    try:
        return fn(*values)[0]
    except Exception as error:
        return error


def agree(one: Any, other: Any) -> bool:
    """Whether two nested results hold the same numbers, whatever their dtypes."""
    if isinstance(one, dict):
        return list(one) == list(other) and all(agree(one[key], other[key]) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(agree, one, other))
    mine, theirs = (np.asarray(to_numpy(v)).astype(complex) for v in (one, other))
    return mine.shape == theirs.shape and bool(
        np.allclose(mine, theirs, rtol=1e-3, atol=1e-3, equal_nan=True)
    )

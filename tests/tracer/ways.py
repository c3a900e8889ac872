"""Running a program and its translations on every way, for the tests of control flow."""

from __future__ import annotations

import copy
import linecache
import textwrap
from typing import Any

import jax
import numpy as np
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves


def source_of(args: tuple[Any, ...]) -> str:
    return "torch" if any(isinstance(a, torch.Tensor) for a in args) else "numpy"


def attempt(fn: Any, args: tuple[Any, ...], framework: str, *, arguments: bool) -> Any:
    """The leaves of what a call gives, and of its arguments after it, as NumPy's arrays; the kind of
    error that it raises.
    """
    given = map_arrays(args, lambda a: convert(a, framework))
    try:
        found = fn(*given)
    except Exception as error:
        return type(error)
    return [np.asarray(to_numpy(v)) for v in leaves((found, given if arguments else ()))]


def agree(one: Any, other: Any) -> bool:
    if isinstance(one, type) or isinstance(other, type):
        return one is other
    return len(one) == len(other) and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-4, equal_nan=True) for a, b in zip(one, other)
    )


#: A check, or what the target itself says.
MAY_RAISE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError,
)  # fmt: skip


def agrees_or_raises(fn: Any, source: str, example: Any, others: Any, to: str, **options: Any) -> None:
    """A translation gives what the program gives for its example, and for other arguments too, or raises."""
    out = tl.transpile(fn, map_arrays(example, lambda a: convert(a, source)), to=to, source=source, **options)
    for other in (example, *others):
        mine, theirs = (map_arrays(other, lambda a, to=to: convert(a, to)) for to in (source, to))
        expected = fn(*mine)
        try:
            found = out(*theirs)
        except MAY_RAISE:
            assert other is not example
            continue
        narrowed = "jax" in (source, to)
        wrong = list(compare(expected, found, kind="reduction", narrowed=narrowed))
        assert not wrong, f"{other}: {expected} became {found}, {wrong[0]}\n{out.source}"


def program(*parts: str, before: str = "") -> Any:
    """A function of x and y of these lines, with others before it in the module."""
    lines = "\n".join(parts)
    text = f"{before}\ndef f(x, y):\n" + textwrap.indent(lines, "    ")
    file = f"<lines {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(text, file, "exec"), module)
    return module["f"], text


def agrees_or_is_refused(source: str, to: str, *parts: str, before: str = "") -> None:
    """The same of a program of these lines, given three pairs of vectors: or it is not translated at all."""
    f, text = program(*parts, before=before)
    rng = np.random.default_rng(0)
    example, other = ([rng.random(6), rng.random(6)] for _ in range(2))
    try:
        out = tl.transpile(f, tuple(convert(a, source) for a in example), to=to, source=source)
    except tl.UnsupportedError:
        return
    for given in (example, other, other[::-1]):
        mine, theirs = ([convert(a.copy(), framework) for a in given] for framework in (source, to))
        expected, found = f(*mine), out(*theirs)
        wrong = [*compare(expected, found), *compare(mine, theirs)]
        assert not wrong, f"{text}\n{wrong[0]}\n{out.source}"


def agree_in_all(program: Any, *args: Any, source: str = "numpy") -> tl.Traced:
    """A program gives what its translations give."""

    def given(framework: str) -> Any:
        return map_arrays(copy.deepcopy(args), lambda a: convert(a, framework))

    with jax.enable_x64(True):
        expected = map_arrays(program(*given(source)), to_numpy)
        traced = tl.symbolic_trace(program, given(source))
        for to in ("numpy", "torch", "jax"):
            text = traced.source(to, x64=True if to == "jax" else None)
            got = traced.to(to, x64=True if to == "jax" else None)(*given(to))
            np.testing.assert_equal(map_arrays(got, to_numpy), expected, text)
    return traced

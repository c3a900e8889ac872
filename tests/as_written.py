"""What texts are held against that should be the user's own, and mean what he wrote."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import ast
import copy
import inspect
import linecache
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import numpy as np

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.backend import target_of
from tracelate.checking import real
from tracelate.varying.running import Runner


def is_the_users(program: Any, example: np.ndarray[Any, Any], to: str) -> None:
    """Holds the text of a program, but for checks and the framework's word for `abs`, against the program."""
    text = tl.transpile(program, (example.copy(),), to=to).source
    for word in ("np.abs(", "torch.abs("):
        text = text.replace(word, "abs(")
    mine, theirs = (function_in(each) for each in (inspect.getsource(program), text))
    assert statements(theirs) == statements(mine)


def defined(text: str, name: str) -> Any:
    """The function `f` of a program that is made by a test; `name` stands for its file."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"__name__": "made"}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def function_in(text: str) -> ast.FunctionDef:
    body = ast.parse(textwrap.dedent(text)).body
    return next(node for node in body if isinstance(node, ast.FunctionDef))


def statements(function: ast.FunctionDef) -> list[str]:
    return [ast.unparse(node) for node in function.body if not isinstance(node, ast.Assert)]


def means_the_same(
    program: Any, arrays: Sequence[np.ndarray[Any, Any]], source: str, to: str
) -> None:
    """Runs a program of one array and its translation on these, the first of which is the example, and
    compares what they give and leave.
    """
    example, wide = (convert(arrays[0].copy(), source),), True if to == "jax" else None
    traced = tl.symbolic_trace(program, example, source=source)
    runner = Runner(traced, traced.to(to, x64=wide), real(program, example, {}), target_of(to, wide))
    for given in arrays:
        outcome = runner.outcome({name_of(program): convert(given.copy(), source)})
        assert outcome.kind != "differs", outcome.differences


def gives_the_same(program: Any, calls: Sequence[Sequence[Any]], to: str) -> None:
    """Runs a program and its translation, made for the first of these calls, on all of them, with 64 bits in
    JAX, and compares what they give.
    """
    with jax.enable_x64(True):
        example = tuple(map(copy.copy, calls[0]))
        out = tl.transpile(program, example, to=to, x64=True if to == "jax" else None)
        for given in calls:
            found = out(*(convert(copy.copy(v), to) if isinstance(v, np.ndarray) else v for v in given))
            wrong = [*compare(program(*map(copy.copy, given)), found, kind="reduction")]
            assert not wrong, f"{wrong[0]}\n{out.source}"


def name_of(program: Any) -> str:
    names: Iterable[str] = inspect.signature(program).parameters
    return next(iter(names))

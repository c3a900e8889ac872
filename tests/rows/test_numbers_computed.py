"""Numbers among arrays, given where rows have arrays: those that a loop computes, of which JAX makes arrays
since it compiles the loop, and those that are arguments.
"""

from __future__ import annotations

import ast
import hashlib
import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from domains import domain
from lines import lines_of
from running import NAMESPACE, Line, quiet

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.backend import NAMES
from tracelate.ir.meaning.op import Op

#: What a loop adds to it, by the kind of the first number.
STEPS = {int: 2, float: 0.5}
KINDS = ([int], [float])


def counted(line: Line) -> Iterator[tuple[str, set[str], Any]]:
    """An expression with the number k in the place of an array, and with such numbers for all but one; the
    names of these, and what k is at first.
    """
    names = [node for node in ast.walk(ast.parse(line.text, mode="eval")) if isinstance(node, ast.Name)]
    places = {name: [node for node in names if node.id == name] for name in line.arrays}
    numbers = {name: np.asarray(array).ravel()[:1].tolist() for name, array in line.arrays.items()}
    fit = [name for name in places if len(places[name]) == 1 and [*map(type, numbers[name])][:1] in KINDS]
    others = [set(fit) - {name} for name in line.arrays] if len(fit) > 1 else []
    for chosen in [*({name} for name in fit), *(some for some in others if len(some) > 1)]:
        kinds = {type(numbers[name][0]) for name in chosen}
        if len(kinds) > 1 or "\n" in line.text:
            continue
        text = line.text
        for name in sorted(chosen, key=lambda name: places[name][0].col_offset, reverse=True):
            (node,), times = places[name], sorted(chosen).index(name) + 1
            number = "k" if times == 1 else f"(k * {times})"
            text = f"{text[: node.col_offset]}{number}{text[node.end_col_offset :]}"
        yield text, chosen, 1 if kinds == {int} else 0.25


def made(source: str) -> Any:
    file = f"<numbers computed {hashlib.sha1(source.encode()).hexdigest()}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    module = dict(NAMESPACE)
    exec(compile(source, file, "exec"), module)
    return module["f"]


def computing(text: str, arrays: list[str], first: Any) -> Any:
    return made(
        f"def f({', '.join([*arrays, 'n'])}):\n"
        f"    k = {first!r}\n"
        f"    y = {text}\n"
        f"    for _ in range(n):\n"
        f"        k = k + {STEPS[type(first)]!r}\n"
        f"        y = {text}\n"
        f"    return y\n"
    )


def cases(op: Op, source: str) -> Iterator[tuple[Line, str, set[str], Any]]:
    met = set()
    for phrase, _, line in lines_of(op, source):
        if (phrase, line.dtype) in met or line.dtype not in ("", "float32", "int32", "int64", "bool"):
            continue
        met.add((phrase, line.dtype))
        for text, names, first in counted(line):
            if any("position" in domain(op, array) for array in op.arrays):
                continue  # a number has no place but the first
            with quiet(line.wide):
                yield line, text, names, first


@pytest.mark.ops(lambda op: len(op.arrays) > 1)
def test_a_number_that_a_loop_computes_is_what_a_number_is(op: Op, source: str) -> None:
    for line, text, names, first in cases(op, source):
        f = computing(text, [name for name in line.arrays if name not in names], first)
        judged(line, f, names, 2, source, "jax")


@pytest.mark.ops(lambda op: len(op.arrays) > 1)
def test_a_number_that_is_an_argument_is_one_in_all_targets(op: Op, source: str) -> None:
    for line, text, names, first in cases(op, source):
        arrays = [name for name in line.arrays if name not in names]
        for to in NAMES:
            f = made(f"def f({', '.join([*arrays, 'k'])}):\n    return {text}\n")
            judged(line, f, names, first, source, to)


def judged(line: Line, f: Any, names: set[str], number: Any, source: str, to: str) -> None:
    arrays = [array for known, array in line.arrays.items() if known not in names]
    args = [*(convert(array, source) for array in arrays), number]
    try:
        expected = f(*args)
    except Exception:
        return  # no number is taken there
    try:
        out = tl.transpile(f, args, to=to, source=source, x64=line.wide)
    except tl.TraceError as error:
        assert not isinstance(error, tl.InternalError), f"{line.text} -> {to}\n{error}"
        return
    try:
        found = out(*(convert(array, to) for array in arrays), number)
    except (AssertionError, IndexError):
        return  # of a check that JAX's narrower dtypes do not pass; of places out of bounds, which JAX clips
    wrong = [*compare(expected, found, kind=line.column, narrowed=to == "jax" and not line.wide)]
    assert not wrong, f"{line.text} -> {to}: {wrong[0]}\n{out.source}"

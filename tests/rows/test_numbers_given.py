"""Parameters that are arguments: where a row has a number, the program has one that it is given."""

from __future__ import annotations

import ast
import hashlib
import linecache
from collections.abc import Iterator
from typing import Any

from lines import lines_of
from running import NAMESPACE, Line, quiet

import tracelate as tl
from tracelate.backends.arrays import compare, convert
from tracelate.backends.backend import NAMES
from tracelate.ir.meaning.op import Op


def given(text: str) -> Iterator[tuple[str, Any]]:
    """An expression with the name k in the place of one of the numbers that its calls are given, and that."""
    numbers = [
        node
        for node in ast.walk(ast.parse(text, mode="eval"))
        if isinstance(node, ast.Constant) and type(node.value) in (int, float)
    ]
    lines = text.splitlines()
    for node in numbers if len(lines) == 1 else ():
        yield f"{text[: node.col_offset]}k{text[node.end_col_offset :]}", node.value


def program(line: Line, text: str) -> Any:
    source = f"def f({', '.join([*line.arrays, 'k'])}):\n    return {text}\n"
    file = f"<numbers given {hashlib.sha1(source.encode()).hexdigest()}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    module = dict(NAMESPACE)
    exec(compile(source, file, "exec"), module)
    return module["f"]


def test_a_number_that_is_an_argument_is_kept_or_refused(op: Op, source: str) -> None:
    met = set()
    for phrase, _, line in lines_of(op, source):
        found = list(given(line.text)) if line.arrays else []
        if not found or (phrase, line.dtype) in met:
            continue
        met.add((phrase, line.dtype))
        for text, number in found:
            with quiet(line.wide):
                judged(line, text, number, source)


def judged(line: Line, text: str, number: Any, source: str) -> None:
    f = program(line, text)
    args = [*(convert(array, source) for array in line.arrays.values()), number]
    try:
        expected = f(*args)
    except Exception:
        return  # no such number is taken
    try:
        traced = tl.symbolic_trace(f, args, source=source)
    except tl.TraceError as error:
        assert not isinstance(error, tl.InternalError), f"{text}\n{error}"
        return
    for to in NAMES:
        try:
            out = traced.to(to, x64=line.wide)
        except tl.TraceError as error:
            assert not isinstance(error, tl.InternalError), f"{text} -> {to}\n{error}"
            continue
        theirs = [*(convert(array, to) for array in line.arrays.values()), number]
        found = [*compare(expected, out(*theirs), kind=line.column, narrowed=to == "jax" and not line.wide)]
        assert not found, f"{text} -> {to}: {found[0]}\n{out.source}"

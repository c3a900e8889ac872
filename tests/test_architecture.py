"""ARCHITECTURE.md: the line that it follows is what each stage makes of it."""

from __future__ import annotations

import ast
import pathlib
import re

import numpy as np

import tracelate as tl
from tracelate.tracer.rewrite import source
from tracelate.tracer.rewrite.rewriter import _new

TEXT = (pathlib.Path(__file__).parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
SECTION = TEXT[TEXT.index("## One line, followed") : TEXT.index("## Rooms")]
SHOWN = dict(re.findall(r"^```(\w+)\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL))
HOOKS = re.compile("'<hooks [^>]*>'")


def positive(x, scale=1):  # type: ignore[no-untyped-def]
    y = x * scale
    y[y < 0] = 0
    return y


TRACED = tl.symbolic_trace(positive, (np.ones((2, 3), np.float32), 3))


def body(text: str) -> list[str]:
    """The statements of a function but the last, which returns."""
    return [line.strip() for line in text.strip().splitlines()[1:-1]]


def test_the_program_is_the_one_that_is_shown() -> None:
    assert body(SHOWN["python"])[:2] == ["y = x * scale", "y[y < 0] = 0"]


def test_the_rewritten_lines() -> None:
    made, _ = _new(source.find(positive.__code__, globals()))
    lines = body(HOOKS.sub("hooks", ast.unparse(ast.fix_missing_locations(made))))
    assert lines == [*SHOWN["rewritten"].splitlines(), "del <value>"]


def test_the_tape() -> None:
    calls = [node for node in TRACED.graph.nodes if node.op == "call_function"]
    found = []
    for node in calls:
        args = ", ".join(f"%{arg}" if hasattr(arg, "spec") else repr(arg) for arg in node.args)
        found.append(f"%{node} : {node.spec} = operator.{node.target.__name__}({args})")
    assert found == SHOWN["tape"].splitlines()


def test_the_programs() -> None:
    assert body(str(TRACED.program)) == SHOWN["program"].splitlines()
    assert body(str(TRACED.lowered("jax"))) == SHOWN["lowered"].splitlines()


def test_the_texts() -> None:
    assert TRACED.source("jax") == SHOWN["jax"]
    assert TRACED.source("torch") == SHOWN["torch"]

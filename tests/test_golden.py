"""The emitted text of the programs in examples/, to the letter: `pytest --bless` writes tests/golden anew.

The files end in .txt so that no tool takes them for code of ours. They are read by eye; what is checked here
besides is what an eye tires of: every text parses, is as black would have it, and its own framework is all
that it knows of.
"""

from __future__ import annotations

import ast
import importlib.util
import pathlib
import types
from collections.abc import Callable
from typing import Any

import black
import jax
import pytest

import tracelate as tl

pytestmark = pytest.mark.complete

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
TARGETS = ("numpy", "jax", "torch")
STANDARD = {"math", "collections", "typing"}
OWN = {"numpy": {"numpy", "scipy"}, "jax": {"jax"}, "torch": {"torch"}}

Golden = Callable[[str, str], None]


def program(name: str) -> types.ModuleType:
    """A file of examples/ as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def translated(name: str, to: str) -> str:
    """The text that a file of examples/ becomes; of metrics.py one for each metric."""
    module = program(name)
    if name == "metrics":
        made = [(f, module.inputs(), options) for f, options in module.METRICS]
    else:
        entry = {"foo": "foo", "gpt_block": "block", "calibration": "calibrate", "mixture": "fit"}[name]
        made = [(getattr(module, entry), module.inputs(), {})]
    x64 = name == "calibration" if to == "jax" else None
    with jax.enable_x64(name == "calibration"):
        texts = [tl.symbolic_trace(f, args, kwargs).source(to, x64=x64) for f, args, kwargs in made]
    return "\n\n# ----\n\n".join(texts)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("name", ["foo", "gpt_block", "calibration", "mixture", "metrics"])
def test_the_text_of_an_example(name: str, to: str, golden: Golden) -> None:
    text = translated(name, to)
    for part in text.split("\n\n# ----\n\n"):
        assert black.format_str(part, mode=black.Mode()) == part
        assert imported(part) <= STANDARD | OWN[to]
    golden(f"{name}_{to}.py.txt", text)


def imported(text: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("to", TARGETS)
def test_the_text_of_foo_without_arguments(to: str, golden: Golden) -> None:
    golden(f"foo_unknown_{to}.py.txt", tl.symbolic_trace(program("foo").foo).source(to))


def test_the_stages_of_foo(golden: Golden) -> None:
    module = program("foo")
    traced = tl.symbolic_trace(module.foo, module.inputs())
    golden("foo_graph.txt", f"{traced.graph}\n")
    golden("foo_program.txt", f"{traced.program}\n")


def test_a_text_comes_out_the_same_every_time() -> None:
    """Names, order and line breaks hang on nothing but the program."""

    def text() -> str:
        return translated("gpt_block", "numpy")

    first: Any = text()
    assert first == text()

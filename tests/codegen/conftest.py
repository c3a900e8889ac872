"""What the tests of emitted text share: text is sound if it parses to its tree and black leaves it."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import itertools
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import black
import pytest

from tracelate.codegen.text.layout import render

HERE = Path(__file__).parent
sys.path[:0] = [str(folder) for folder in (HERE, *HERE.iterdir()) if folder.is_dir()]

IMPORTS = "import numpy as np\nimport jax\nimport jax.numpy as jnp\nimport torch\n"
MODES = (black.Mode(), black.Mode(target_versions={black.TargetVersion.PY311}))


def tree_shape(tree: ast.AST) -> str:
    """The tree without what text does not tell: load or store, and the indentation of docstrings."""
    owners = (ast.FunctionDef, ast.ClassDef, ast.Module)
    for node in ast.walk(tree):
        if isinstance(node, owners) and ast.get_docstring(node, clean=False):
            constant = node.body[0].value  # type: ignore[attr-defined]
            lines = inspect.cleandoc(constant.value).strip().split("\n")
            constant.value = "\n".join(line.rstrip() for line in lines)
        if isinstance(node, ast.Constant):
            node.kind = None
    return re.sub(r"(, )?ctx=\w+\(\)", "", ast.dump(tree))


def assert_left_by_black(text: str) -> None:
    for mode in MODES:
        assert black.format_str(text, mode=mode) == text


def assert_sound(tree: ast.Module) -> str:
    text = render(tree)
    assert tree_shape(ast.parse(text)) == tree_shape(tree)
    assert_left_by_black(text)
    return text


def count_calls(action: Callable[[], object]) -> int:
    """How many Python functions are called: a measure of work that no other process disturbs."""
    count = 0

    def note(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


COUNT = itertools.count()


@pytest.fixture
def module(tmp_path: Path) -> Iterator[Callable[..., ModuleType]]:
    """Makes a module of a text, which others may import by its name."""
    made = []

    def make(text: str, name: str = "") -> ModuleType:
        name = name or f"module_of_users_{next(COUNT)}"
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        made.append(name)
        spec.loader.exec_module(sys.modules[name])
        return sys.modules[name]

    yield make
    for name in made:
        del sys.modules[name]


@pytest.fixture
def traced(module: Callable[..., ModuleType]) -> Callable[[str], Any]:
    """Makes the function `f` of a text that says `np`, `jnp`, `jax` and `torch`."""
    return lambda text: module(IMPORTS + textwrap.dedent(text)).f


@pytest.fixture(scope="session")
def shape() -> Callable[[ast.AST], str]:
    return tree_shape


@pytest.fixture(scope="session")
def left_by_black() -> Callable[[str], None]:
    """Asserts that black would change nothing."""
    return assert_left_by_black


@pytest.fixture(scope="session")
def sound() -> Callable[[ast.Module], str]:
    """Renders a tree, asserts that the text is sound, and gives it."""
    return assert_sound


@pytest.fixture(scope="session")
def calls() -> Callable[[Callable[[], object]], int]:
    """Counts the calls that an action makes."""
    return count_calls

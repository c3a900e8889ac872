"""Comments and blank lines of the user's stand beside what is printed of his statements."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import ast
import importlib.util
import inspect
import io
import linecache
import textwrap
import tokenize
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import black
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.ir.source.remarks import remarks

X = np.ones((4, 3))
FANCY = False


# Brings the rows to mean 0
# and length 1.
def normed(x, eps=1e-5):
    # centre first
    m = x.mean(-1, keepdims=True)
    x = x - m  # centred

    # then scale
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps)  # noqa: E501


def walked(x, n: int = 3):
    """All that a function may hold."""

    # start
    y = normed(x)

    # loop over things
    for i in range(20):  # twenty
        # half it
        y = y * 0.5
        y = y + 1  # shift
        # end of the loop

    # decide
    if y.sum() > 3:
        # big
        y = y - 1
        # else it is small
    else:
        y = y + 1  # small
    k = 2  # a number
    if FANCY:
        # never here
        y = y * 0
    z = y * k  # what is returned
    # result
    return (
        z.sum(),  # first
        y,
    )


NUMPY = '''\
def walked(x, n: int = 3):
    """All that a function may hold."""

    # start
    y = normed(x)

    # loop over things
    for _ in range(20):  # twenty
        # half it
        y = y * 0.5
        y = y + 1  # shift
        # end of the loop

    # decide
    if y.sum() > 3:
        # big
        y = y - 1
        # else it is small
    else:
        y = y + 1  # small
    k = 2  # a number
    z = y * k  # what is returned
    # result
    # first
    return z.sum(), y


# Brings the rows to mean 0
# and length 1.
def normed(x, eps=1e-5):
    # centre first
    m = x.mean(-1, keepdims=True)
    x = x - m  # centred

    # then scale
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps)
'''
JAX = '''\
def walked(x, n: int = 3):
    """All that a function may hold."""

    # start
    y = normed(x)

    # loop over things
    def step(_, y):  # twenty
        # half it
        y = y * 0.5
        return y + 1  # shift
        # end of the loop

    y = jax.lax.fori_loop(0, 20, step, y)

    # decide
    # big
    # else it is small
    # small
    y = jax.lax.cond(y.sum() > 3, lambda: y - 1, lambda: y + 1)
    k = 2  # a number
    z = y * k  # what is returned
    # result
    # first
    return z.sum(), y
'''


@pytest.mark.parametrize(("to", "text"), [("numpy", NUMPY), ("jax", JAX)])
def test_comments_and_blank_lines_are_kept(to: str, text: str) -> None:
    source = tl.transpile(walked, to=to, args=(X.astype(np.float32),)).source
    assert text in source
    assert black.format_str(source, mode=black.Mode()) == source


def inlined(x):
    def twice(v):
        # what it does
        return v * 2

    # both of them
    return [twice(v) for v in (x, x + 1)]


def test_comments_of_helpers_that_are_put_inline_go_along() -> None:
    source = tl.transpile(inlined, to="torch", args=(X,)).source
    assert comments(source) == ["# both of them", "# what it does"]


def above_functions(x):
    return first(x) + second(x)


# stands apart

# the first
@np.vectorize
def nobody(x):
    return x


# the one
def first(x):
    x = x + 1
    return x * 2


# stands apart


def second(x):
    x = x - 1
    return x * 3


def test_a_comment_above_a_function_stands_right_above_it() -> None:
    assert comments(tl.transpile(above_functions, to="torch", args=(X,)).source) == ["# the one"]


CASES = {
    "behind the last of several lines": ("x = f(\n    1,\n)  # so\ny = 2", {"x": "|so|"}),
    "in several lines": ("x = f(\n    # a\n    1,  # b\n    2,\n)  # c", {"x": "a b|c|"}),
    "above": ("# a\n\n# b\nx = 1", {"x": "a b||"}),
    "before else": ("if x:\n    y = 1\n# a\nelse:\n    z = 2", {"y": "||a"}),
    "before elif": ("if x:\n    y = 1\n    # a\n# b\nelif z:\n    w = 2", {"y": "||a b"}),
    "behind else": ("if x:\n    y = 1\nelse:  # a\n    z = 2", {"z": "a||"}),
    "at the end of a loop": ("for i in x:\n    y = 1\n    # a\nz = 2", {"y": "||a"}),
    "behind a loop": ("for i in x:\n    y = 1\n# a\nz = 2", {"z": "a||"}),
    "at the end of two": ("for i in x:\n    if i:\n        y = 1\n    # a\nz = 2", {"if i:": "||a"}),
    "of a handler": ("try:\n    x = 1\n# a\nexcept E:  # b\n    # c\n    y = 2", {"x": "||a", "y": "b c||"}),
    "of tools behind others": (
        "x = 1  # one axis  # pytype: disable=attribute-error  # noqa: E501\ny = 2  # pylint: disable=C",
        {"x": "|one axis|"},
    ),
    "of tools": ("# fmt: off\nx = 1  # type: ignore[x]\ny = 2  # noqa\n# type of y", {"y": "||type of y"}),
    "after a line of two": ("x = 1; y = 2  # a", {"y": "|a|"}),
    "of a header": ("while x:  # a\n    y = 1", {"while x:": "|a|"}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_whose_a_comment_is(case: str) -> None:
    text, expected = CASES[case]
    body = textwrap.indent(text, "    ")
    file = f"<remarks {case}>"
    linecache.cache[file] = len(body), None, f"def g():\n{body}\n".splitlines(True), file
    found = {}
    for each in remarks(file).statements[1:]:
        said = f"{' '.join(each.above)}|{each.trailing}|{' '.join(each.below)}"
        if said != "||":
            found[ast.unparse(each.node).splitlines()[0].split(" = ")[0]] = said
    assert found == expected


def comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


PROGRAMS = Path(__file__).parents[2] / "hunting" / "programs"


def annotated(file: Path, folder: Path) -> ModuleType:
    """The module with a comment above every statement in its functions, and behind each that has one line."""
    lines = file.read_text(encoding="utf-8").splitlines()
    tree = ast.parse("\n".join(lines))
    inner = {s for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for s in ast.walk(f)}
    docs = {f.body[0] for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and ast.get_docstring(f)}
    chosen = [s for s in inner - docs if isinstance(s, ast.stmt) and not isinstance(s, ast.FunctionDef)]
    starts = Counter(s.lineno for s in chosen)
    for node in sorted(chosen, key=lambda s: -s.lineno):
        line = lines[node.lineno - 1]
        if starts[node.lineno] > 1 or line[: node.col_offset].strip() or line.lstrip().startswith("elif"):
            continue
        if node.lineno == node.end_lineno and "#" not in line:
            lines[node.lineno - 1] += f"  # behind {node.lineno}"
        lines.insert(node.lineno - 1, f"{' ' * node.col_offset}# above {node.lineno}")
    path = folder / f"annotated_{file.name}"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = ("recipes_learning", "views_and_writes", "helpers_that_write", "numbers_in_loops")


@pytest.mark.parametrize("name", NAMES)
def test_no_comment_is_lost_or_said_twice(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROGRAMS.parent))
    monkeypatch.syspath_prepend(str(PROGRAMS))
    hunt = importlib.import_module("hunt")
    plain = {p.fn.__name__: p for p in hunt.of_module(importlib.import_module(name))}
    seen = 0
    for program in hunt.of_module(annotated(PROGRAMS / f"{name}.py", tmp_path)):
        for to in ("numpy", "torch", "jax"):
            try:
                text = tl.symbolic_trace(program.fn, program.args, source=program.source).source(to=to)
                before = plain[program.fn.__name__]
                bare = tl.symbolic_trace(before.fn, before.args, source=before.source).source(to=to)
            except tl.TraceError:
                continue
            assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(bare))
            assert black.format_str(text, mode=black.Mode()) == text
            entry = next(d for d in ast.parse(text).body if is_entry(d, program))
            said = Counter(comments("\n".join(text.splitlines()[entry.lineno - 1 : entry.end_lineno])))
            assert max(said.values(), default=1) == 1, text
            lost = [c for c in own_comments(program.fn) if c not in said]
            assert not lost, (lost, text)
            seen += len(said)
    assert seen > 300


def is_entry(definition: ast.stmt, program) -> bool:
    return isinstance(definition, ast.FunctionDef) and definition.name == program.fn.__name__


def own_comments(fn) -> list[str]:
    """Those of the statements that are certainly taken: which stand in the function and in no block of it."""
    lines = textwrap.dedent(inspect.getsource(fn)).splitlines()
    wanted = []
    for node in ast.parse("\n".join(lines)).body[0].body:  # type: ignore[attr-defined]
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Return)):
            wanted += [c for c in (lines[node.lineno - 2], lines[node.lineno - 1]) if "#" in c]
            if isinstance(node, ast.Return):
                break
    return ["#" + text.split("#")[1] for text in wanted]


def test_the_callers_comments_are_none_of_the_text() -> None:
    for to in ("numpy", "torch"):
        # Not this one, which stands above the call that traces.
        text = tl.transpile(read_before_a_write, (torch.ones(3, 2), torch.tensor(1)), to=to).source
        assert "# Not this one" not in text and text.endswith("    return x[i]\n")


def read_before_a_write(x: Any, i: Any) -> Any:
    row = x[i]
    x[0] = 0
    return row

"""What of the forty functions stands in their texts: comments, numbers, and statements with their names.

Only code that the example's call runs is asked for: what a trace does not take goes.
"""

from __future__ import annotations

import ast
import io
import pathlib
import re
import sys
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from test_corpus import ENTRIES, HERE, TARGETS, Entry, entry, functions, refusal

import tracelate as tl

#: Comments of what Python computes by itself, which leaves numbers, and of turns that do nothing.
GONE = {
    "geometric sequence for powers of two; otherwise fill up from the next power",
    "above Nyquist, nothing to do",
}
#: How many of a hundred numbers, and of a hundred statements whose names are read, stand there at least.
NUMBERS, STATEMENTS = 100.0, 95.0
MODULES = {"np", "jnp", "jax", "torch", "F", "lax", "math"}


def path_of(made: Entry, folder: str) -> pathlib.Path:
    return HERE / folder / f"{made.name.split('.')[0]}.py"


def lines_run(made: Entry, file: str) -> set[int]:
    """The lines of a file that the example's call runs."""
    found: set[int] = set()

    def watch(frame: Any, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        found.add(frame.f_lineno)
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        made.fn(*made.args)
    finally:
        sys.settrace(before)
    return found


def comments(text: str, run: set[int]) -> Iterator[str]:
    """Those behind a line that is run, and above one."""
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT or re.match(r"#\s*(noqa|type:|fmt:|pragma)", token.string):
            continue
        at = token.start[0]
        while at < len(lines) and (not lines[at - 1].strip() or lines[at - 1].strip().startswith("#")):
            at += 1
        if at in run:
            yield token.string.lstrip("# ").strip()


def inside(path: pathlib.Path, run: set[int]) -> list[ast.FunctionDef]:
    """The functions of a file that are run."""
    return [f for f in functions(path).values() if run & {*range(f.body[0].lineno, (f.end_lineno or 0) + 1)}]


def numbers(nodes: Iterable[ast.AST], run: set[int] | None = None) -> Counter[Any]:
    found = (node for each in nodes for node in ast.walk(each) if isinstance(node, ast.Constant))
    said = (node for node in found if type(node.value) in (int, float))
    return Counter(node.value for node in said if run is None or node.lineno in run)


def written(statement: ast.AST) -> Iterator[str]:
    """The names that a statement binds, and those of what it writes into: `x` of `x[0] = 1`, of `x.add_(1)`
    and of `np.add.at(x, i, 1)`.
    """
    match statement:
        case ast.Assign(targets=targets):
            written_to = targets
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            written_to = [target]
        case ast.Expr(ast.Call(ast.Attribute(value) as called, [first, *_])) if root(called) in MODULES:
            written_to = [first]
        case ast.Expr(ast.Call(ast.Attribute(value))):
            written_to = [value]
        case _:
            return
    for each in written_to:
        yield from (root(item) for item in getattr(each, "elts", [each]))


def root(node: ast.expr) -> str:
    """The variable of a part or a method of it."""
    while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def names(nodes: Iterable[ast.AST], run: set[int] | None = None) -> Counter[str]:
    """The names that statements bind or write into, as often as they do."""
    found = Counter[str]()
    for node in (node for each in nodes for node in ast.walk(each) if isinstance(node, ast.stmt)):
        if run is None or node.lineno in run:
            found.update(re.sub(r"_\d+$", "", name) for name in written(node) if name)
    return found


def read_in(nodes: Iterable[ast.AST]) -> set[str]:
    found = (node for each in nodes for node in ast.walk(each) if isinstance(node, ast.Name))
    return {node.id for node in found if isinstance(node.ctx, ast.Load)}


def share(wanted: Counter[Any], there: Counter[Any]) -> tuple[int, int]:
    return sum((wanted & there).values()), sum(wanted.values())


@pytest.mark.slow
@pytest.mark.parametrize("to", TARGETS)
def test_what_the_user_wrote_stands_in_the_texts(to: str) -> None:
    kept = {"numbers": [0, 0], "statements": [0, 0]}
    for name in ENTRIES:
        made = entry(name)
        if refusal(made.name, to) is not None:
            continue
        path = path_of(made, name.partition("/")[0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = tl.symbolic_trace(made.fn, made.args).source(to)
            run = lines_run(made, str(path))
        source, tree = path.read_text(), ast.parse(text)
        own = inside(path, run)
        within = {line for f in own for line in range(f.body[0].lineno, (f.end_lineno or 0) + 1)}
        lost = [said for said in comments(source, run & within) if said not in text]
        assert {*lost} <= GONE, f"{made.name}: {lost}\n{text}"
        bound = {each: n for each, n in names(own, run).items() if each in read_in(own) - {"_"}}
        for what, wanted, there in (
            ("numbers", numbers(own, run), numbers([tree])),
            ("statements", Counter(bound), names([tree])),
        ):
            kept[what] = [a + b for a, b in zip(kept[what], share(wanted, there))]
    shares = {what: 100 * found / all_ for what, (found, all_) in kept.items()}
    assert shares["numbers"] >= NUMBERS and shares["statements"] >= STATEMENTS, shares

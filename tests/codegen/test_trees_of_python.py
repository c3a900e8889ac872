"""Trees of Python are walked, changed, told apart and said as `ast` does it, only faster: on the code that is
here.
"""

from __future__ import annotations

import ast
import copy
import pickle
from pathlib import Path
from typing import Any

import pytest

from tracelate.codegen.text.unparsing import unparsed
from tracelate.codegen.text.walking import Transformer, blocks, dumped, parts_of, walked
from tracelate.ir.values.dtypes import DTYPES

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "examples").rglob("*.py"), *(ROOT / "codegen").rglob("*.py")])


class Doubling(Transformer):
    """What `ast.NodeTransformer` does as well, see below."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(node.value * 2) if type(node.value) is int else node

    def visit_Pass(self, node: ast.Pass) -> None:
        return None

    def visit_Assert(self, node: ast.Assert) -> list[ast.AST]:
        return [self.generic_visit(node), node]


class TheirDoubling(ast.NodeTransformer):
    visit_Constant = Doubling.visit_Constant  # type: ignore[assignment]
    visit_Pass = Doubling.visit_Pass  # type: ignore[assignment]
    visit_Assert = Doubling.visit_Assert  # type: ignore[assignment]


class Asking(Transformer):
    """One that is asked of every node."""

    def __init__(self) -> None:
        self.met: list[type] = []

    def visit(self, node: ast.AST) -> Any:
        self.met.append(type(node))
        return super().visit(node)


def told(nodes: Any) -> list[str]:
    return sorted(ast.dump(node) for node in nodes if not isinstance(node, ast.expr_context))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_as_ast_has_it(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert told(walked(tree)) == told(ast.walk(tree))
    nodes = walked(tree)
    for node in nodes:
        assert told(parts_of(node)) == told(ast.iter_child_nodes(node))
    for node in nodes:
        if isinstance(node, (ast.expr, ast.Assert)) and not isinstance(node, (ast.Slice, ast.Starred)):
            assert unparsed(node) == ast.unparse(node)
    theirs: dict[str, Any] = {}
    mine: dict[Any, Any] = {}
    for node in nodes:
        one = theirs.setdefault(ast.dump(node), node)
        assert mine.setdefault(dumped(node), node) is one
    asking = Asking()
    asking.visit(copy.deepcopy(tree))
    assert len(asking.met) == len(nodes)
    changed = Doubling().visit(copy.deepcopy(tree))
    assert ast.dump(changed) == ast.dump(TheirDoubling().visit(copy.deepcopy(tree)))


def test_a_dtype_is_one() -> None:
    for dtype in DTYPES.values():
        assert copy.deepcopy([dtype])[0] is copy.copy(dtype) is pickle.loads(pickle.dumps(dtype)) is dtype


def test_blocks() -> None:
    code = "def f():\n  try:\n    for x in y:\n      a\n    else:\n      b\n  except E:\n    c\n"
    code += "  finally:\n    d\n"
    code += "  match z:\n    case 1:\n      e\n  g = lambda: h if i else j\n"
    found = [[ast.unparse(each)[:5] for each in block] for block in blocks(ast.parse(code))]
    assert found == [["def f"], ["try:\n", "match", "g = l"], ["for x"], ["d"], ["a"], ["b"], ["c"], ["e"]]

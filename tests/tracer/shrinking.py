"""A failing program made small: what does not matter is left out, for as long as it fails."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator


def smaller(text: str, fails: Callable[[str], bool]) -> str:
    """A program of which nothing can be left out, and no part be put in the place of what is around it."""
    at, found = 0, False
    while True:
        candidates = list(reductions(text))
        if at >= len(candidates):
            if not found:
                return text
            at, found = 0, False
            continue
        candidate = candidates[at]
        if len(candidate) < len(text) and fails(candidate):
            text, found = candidate, True
        else:
            at += 1


def reductions(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    count = sum(1 for _ in blocks(tree))
    for which in range(count):
        length = len(list(blocks(tree))[which])
        for at in range(length):
            for change in (dropped, opened, halved):
                new = copy.deepcopy(tree)
                block = list(blocks(new))[which]
                if change(block, at):
                    try:
                        yield ast.unparse(ast.fix_missing_locations(new)) + "\n"
                    except ValueError:
                        continue
    for at in range(8):
        new = copy.deepcopy(tree)
        tuples = [
            n.value for n in ast.walk(new) if isinstance(n, ast.Return) and isinstance(n.value, ast.Tuple)
        ]
        if tuples and all(at < len(t.elts) for t in tuples):
            for t in tuples:
                del t.elts[at]
            yield ast.unparse(new) + "\n"
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.expr)]
    for which in range(len(nodes)):
        for child in range(4):
            new = copy.deepcopy(tree)
            node = [n for n in ast.walk(new) if isinstance(n, ast.expr)][which]
            if isinstance(node, ast.Call) and child == 0:
                inner: list[ast.expr] = [node.func.value] if isinstance(node.func, ast.Attribute) else []
                inner += node.args
            else:
                inner = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
            if child < len(inner) and not isinstance(node, (ast.Tuple, ast.Attribute)):
                yield ast.unparse(swapped(new, node, inner[child])) + "\n"


def swapped(tree: ast.AST, old: ast.expr, new: ast.expr) -> ast.AST:
    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else super().generic_visit(node)

    return ast.fix_missing_locations(Swap().visit(tree))


def blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module):
            continue
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def dropped(block: list[ast.stmt], at: int) -> bool:
    del block[at]
    return True


def opened(block: list[ast.stmt], at: int) -> bool:
    inner = getattr(block[at], "body", None)
    if not inner:
        return False
    block[at : at + 1] = inner
    return True


def halved(block: list[ast.stmt], at: int) -> bool:
    if not getattr(block[at], "orelse", None):
        return False
    block[at].orelse = []  # type: ignore[attr-defined]
    return True

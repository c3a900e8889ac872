"""What `meta` holds is declared, written by somebody and read by somebody."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import tracelate as tl
from tracelate.ir.facts import GRAPH, NODE
from tracelate.ir.graphs.graph import Graph

ROOT = Path(__file__).parents[2]
ROOMS = ("ir", "backends", "codegen", "tracer", "varying")
FILES = [*ROOT.glob("*.py"), *(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))]
WORD = re.compile(r"\bmeta\b")


def strings(file: Path) -> Counter[str]:
    """The strings in the statements of a file that speak of `meta`, those of its tables included."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found[node.value] += 1
    return found


def used() -> Counter[str]:
    files = [file for file in FILES if file.name != "facts.py"]
    return sum((strings(file) for file in files if WORD.search(file.read_text(encoding="utf-8"))), Counter())


def test_every_fact_is_written_and_read() -> None:
    found = used()
    assert not [key for key in NODE | GRAPH if key != "user" and found[key] < 2]


def test_every_fact_is_declared() -> None:
    item = r"""\bmeta(?:\.get|\.setdefault|\.pop)?[\[(]["']([^"']+)["']"""
    held = r"""["']([^"']+)["'] (?:not )?in [\w.]*meta\b"""
    texts = {file: file.read_text(encoding="utf-8") for file in FILES}
    found = {key: file.name for file, text in texts.items() for key in re.findall(item, text)}
    found |= {key: file.name for file, text in texts.items() for key in re.findall(held, text)}
    assert len(found) > 90
    assert not {key: file for key, file in found.items() if key not in NODE | GRAPH}


def test_what_is_not_declared_is_refused() -> None:
    graph = Graph()
    node = graph.placeholder("x")
    graph.output(node)
    node.meta["user"] = 1
    graph.lint()
    node.meta["colour"] = 1
    with pytest.raises(tl.GraphError, match="x has facts of unknown names: colour"):
        graph.lint()
    del node.meta["colour"]
    graph.meta["colour"] = 1
    with pytest.raises(tl.GraphError, match="graph graph has facts of unknown names: colour"):
        graph.lint()

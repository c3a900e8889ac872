"""What two kinds of checks both say of an argument stands once in a text."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import ast

import numpy as np
import pytest

import tracelate as tl
from tracelate.codegen.checks.repeated import checked_once

X = np.ones((2, 3))


def of_a_list(ws, x):
    if len(ws) == 2:
        x = x @ ws[0].T
    return x @ ws[1]


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_length_is_asked_once(to: str) -> None:
    source = tl.transpile(of_a_list, ([X, X], X), to=to).source
    lines = [line.strip() for line in source.splitlines() if "assert" in line]
    assert len(lines) == len(set(lines)) and "assert len(ws) == 2, len(ws)" in lines


@pytest.mark.parametrize(
    ("checks", "statements", "expected"),
    [
        ("assert len(a) == 2", "assert len(a) == 2\nb = a[0]", "assert len(a) == 2\nb = a[0]"),
        (
            "assert len(a) == 2",
            "a = a[0]\nassert len(a) == 2",
            "assert len(a) == 2\na = a[0]\nassert len(a) == 2",
        ),
        (
            "assert q is None or q.ndim == 2, q.shape",
            "assert q is not None, q",
            "assert q.ndim == 2, q.shape",
        ),
        ("assert q is None or q.ndim == 2", "return q", "assert q is None or q.ndim == 2\nreturn q"),
        (
            "assert q is None or r is None or q.ndim == 2",
            "assert q is not None, q",
            "assert r is None or q.ndim == 2\nassert q is not None, q",
        ),
    ],
)
def test_what_is_said_twice_is_said_once(checks: str, statements: str, expected: str) -> None:
    made = checked_once(ast.parse(checks).body, ast.parse(statements).body)
    assert "\n".join(map(ast.unparse, made)) == expected

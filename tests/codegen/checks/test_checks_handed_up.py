"""What a function that is called for sure checks of what it is given, the entry checks."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl

pytestmark = pytest.mark.filterwarnings("ignore::tracelate.PrecisionWarning")
X = np.arange(6.0).reshape(2, 3)


def scaled(x, n):
    y = x + n
    return np.full(x.shape, n) * y


def made(shape, n):
    y = np.full(shape, n)
    return y + y[0]


def given(x, w=None):
    if w is not None:
        x = x * w
    return x + 1


def surely(x, n):
    return scaled(x, n) * 2


def of_two(x, n, m):
    return scaled(x, n) + scaled(x, m)


def of_items(x, sizes):
    return scaled(x, sizes[0]) + sizes[1]


def of_shape(x, n):
    return made(x.shape, n) + x.sum()


def through_another(x, n):
    return surely(x, n) + 1


def on_one_way(x, n):
    if x.sum() > 100:
        x = scaled(x, n)
    return x


def in_an_expression(x, n):
    return scaled(x, n) if x.shape[0] > 2 and n > 0 else x


def in_turns(x, n):
    for _ in range(x.shape[0]):
        x = scaled(x, n)
    return x


def behind_a_return(x, n):
    if n > 5:
        return x
    return scaled(x, n)


def rebound(x, n):
    n = n + 1
    return scaled(x, n)


def of_what_it_computes(x, n):
    return scaled(x, n * 2) + scaled(x, 3)


def not_none(x, w=None):
    return given(x, w) * 2


@dataclass
class Config:
    shape: Any
    fill: float = 2.0


def of_an_object(x, config):
    return made(config.shape, 3.0) + x.sum()


SURE = {
    "surely": (surely, (X, 2), ["assert type(n) is int, n"]),
    "of_two": (of_two, (X, 2, 3), ["assert type(n) is int, n", "assert type(m) is int, m"]),
    "of_items": (of_items, (X, [2, 3]), ["assert type(sizes[0]) is int, sizes[0]"]),
    "through_another": (through_another, (X, 2), ["assert type(n) is int, n"]),
    "not_none": (not_none, (X, X), ["assert w.is_floating_point(), w.dtype"]),
}
UNSURE = {
    "on_one_way": (on_one_way, (X, 2)),
    "in_an_expression": (in_an_expression, (X, 2)),
    "in_turns": (in_turns, (X, 2)),
    "behind_a_return": (behind_a_return, (X, 2)),
    "rebound": (rebound, (X, 2)),
    "of_what_it_computes": (of_what_it_computes, (X, 2)),
}
OTHERS = {"of_shape": (of_shape, (X, 2)), "of_an_object": (of_an_object, (X, Config((2, 3))))}


def functions(text: str) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def checks(function: ast.FunctionDef) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(function) if isinstance(node, ast.Assert)]


@pytest.mark.parametrize("name", SURE)
def test_the_entry_checks_what_is_called_for_sure(name: str) -> None:
    fn, args, wanted = SURE[name]
    entry, *helpers = functions(tl.symbolic_trace(fn, args).source("torch")).values()
    assert {*wanted} <= {*checks(entry)}
    assert not [check for helper in helpers for check in checks(helper)]


def test_they_raise_where_checks_do() -> None:
    text = tl.symbolic_trace(through_another, (X, 2)).source("torch", guards="raise")
    entry, *helpers = functions(text).values()
    assert "type(n) is not int" in ast.unparse(entry)
    assert not any("raise" in ast.unparse(helper) for helper in helpers)
    with pytest.raises(ValueError, match="scaled was traced for n of type int"):
        tl.transpile(through_another, to="torch", args=(X, 2), guards="raise")(torch.tensor(X), 2.5)


@pytest.mark.parametrize("name", UNSURE)
def test_what_is_called_on_some_ways_is_checked_there(name: str) -> None:
    fn, args = UNSURE[name]
    entry, *_ = functions(tl.symbolic_trace(fn, args).source("torch")).values()
    assert "assert type(n) is int, n" not in checks(entry) or name == "rebound"


def test_what_holds_of_every_shape_is_not_asked() -> None:
    text = tl.symbolic_trace(of_shape, (X, 2)).source("torch")
    assert "type(x.shape" not in text and "len(x.shape)" not in text and "type(shape" not in text


@pytest.mark.covering
@pytest.mark.parametrize("guards", ("assert", "raise"))
@pytest.mark.parametrize("to", ("numpy", "jax", "torch"))
@pytest.mark.parametrize("name", [*SURE, *UNSURE, *OTHERS])
def test_what_comes_out_is_the_same_or_refused(name: str, to: str, guards: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    fn, args = {**SURE, **UNSURE, **OTHERS}[name][:2]
    report = tl.check(fn, args, to=to, vary=True, guards=guards)
    assert report, str(report)

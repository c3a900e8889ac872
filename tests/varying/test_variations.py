"""Variations: what is made up from an example, of every family."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
import torch

from tracelate.varying.shrinking import smallest
from tracelate.varying.variations import Example, Variation, variations


def made(fn: Any, *args: Any, count: int = 400) -> list[Variation]:
    bound = inspect.signature(fn).bind(*args)
    example = Example(dict(bound.arguments), bound.signature.parameters, ("float32", "int64"))
    return variations(example, count)


def words(fn: Any, *args: Any) -> set[str]:
    return {variation.what for variation in made(fn, *args)}


X = np.array([1.0, 2.0, 3.0])


def test_numbers_sizes_ranks_and_dtypes() -> None:
    found = words(lambda x, y: 0, X, np.ones((3, 2)))
    assert {
        "x with a nan",
        "arrays all zero",
        "4 where the example has 3",
        "x.shape[0] == 0",
        "y of one axis fewer",
        "arrays of dtype float32",
    } <= found


def test_dims_that_are_equal_change_together() -> None:
    by_words = {v.what: v.arguments for v in made(lambda x, y, n: 0, X, np.ones((3, 2)), 3)}
    both = by_words["4 where the example has 3"]
    assert both["x"].shape == (4,) and both["y"].shape == (4, 2) and both["n"] == 3
    assert by_words["4 for 3, sizes and numbers"]["n"] == 4
    assert by_words["x.shape[0] == 4"]["y"].shape == (3, 2)


def test_structure() -> None:
    def f(ws: Any, p: Any, n: Any, scale: Any = None, *, mode: Any = True) -> None: ...

    found = words(f, [X, X + 1], {"w": X, "b": 1.5}, 2)
    assert {
        "ws longer by one",
        "ws empty",
        "ws as a tuple",
        "p without 'w'",
        "p with another key",
        "n == 2.0",
        "n == True",
        "p['b'] == 0.0",
        "scale an array",
    } <= found


@pytest.mark.parametrize("x", [X, torch.tensor(X)], ids=["numpy", "torch"])
def test_memory(x: Any) -> None:
    by_words = {v.what: v.arguments for v in made(lambda a, b: 0, x, x + 1)}
    twice = by_words["sharing: a and b are one array"]
    assert twice["a"] is twice["b"]
    views = by_words["sharing: a and b overlap"]
    views["a"][0] = -5.0
    assert float(views["b"][1]) == -5.0
    assert by_words["sharing: a with gaps"]["a"].tolist() == x.tolist()


def test_arguments_become_small() -> None:
    def differs(arguments: Any) -> bool:
        return bool(np.any(arguments["x"] < 0)) and len(arguments["l"]) > 0

    given = {"x": np.array([[1.0, -2.5], [3.0, 4.0]]), "l": [1, 2, 3], "n": 7}
    found = smallest(given, {**given, "x": np.ones((2, 2)), "n": 1}, differs, 200)
    assert found["n"] == 1 or found["n"] == 0
    assert len(found["l"]) == 1 and found["x"].size <= 2 and np.any(found["x"] < 0)

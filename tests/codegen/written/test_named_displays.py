"""Containers that a function gives back stand under the user's names."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl

X = np.arange(6.0, dtype=np.float32).reshape(2, 3)


def stats(x):
    return {"sum": x.sum()}


def beside(x):
    y = x * 2
    # what is logged
    metrics = {"mean": y.mean(), "max": y.max()}
    return y, metrics


def whole(x):
    out = {"double": x * 2}
    for k in ("a", "b"):
        out[k] = x + len(k)
    return out


def listed(x):
    rows = [x[0] * 2, x[1] * 3]
    return rows, x


def annotated(x):
    out: dict[str, Any] = {"y": x * 2}
    return out


def of_an_argument(x):
    x = {"x": x * 2}
    return x


def called_as_a_helper(x):
    stats_ = stats(x)
    stats_["twice"] = x * 2
    return stats_


def twice(x):
    a = [x * 2]
    b = a
    return a, b


def empty(x):
    nothing = {}
    return x * 2, nothing


#: What stands in the text for NumPy, for each function.
STANDS = {
    beside: [
        '    # what is logged\n    metrics = {"mean": y.mean(), "max": y.max()}\n    return y, metrics\n'
    ],
    whole: ['    out = {"double": x * 2, "a": x + 1, "b": x + 1}\n', "    return out\n"],
    listed: ["    rows = [x[0] * 2, x[1] * 3]\n    return rows, x\n"],
    annotated: ['    out: dict[str, Any] = {"y": x * 2}\n    return out\n'],
    of_an_argument: ['    return {"x": x * 2}\n'],
    called_as_a_helper: [],
    twice: [],
    empty: ["    return x * 2, {}\n"],
}


@pytest.mark.complete
@pytest.mark.parametrize("fn", STANDS, ids=lambda fn: fn.__name__)
def test_a_container_stands_under_its_name(fn: Any) -> None:
    text = tl.symbolic_trace(fn, (X,)).source("numpy")
    for said in STANDS[fn]:
        assert said in text, text


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", STANDS, ids=lambda fn: fn.__name__)
def test_what_is_given_back_is_the_same(fn: Any, to: str) -> None:
    assert tl.check(fn, (X,), to=to, vary=True)

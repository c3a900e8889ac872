"""Arrays of lists of numbers: one call in the text, as in the program."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from agreeing import agrees, given

import tracelate as tl

MEAN = (0.5, 0.25, 0.125)
X = np.arange(3.0, dtype=np.float32)


def made(values, x):
    module = {torch.Tensor: torch, np.ndarray: np}.get(type(x), jnp)
    return module.tensor(values) if module is torch else module.array(values)


def normalised(x, mean=MEAN, std=MEAN):
    return (x - made(mean, x)) / made(list(std), x)


def of_three(x, a, b):
    return x * made([a, b, 1.0], x)


def of_ints(x, a, b):
    return made([a, b], x), made((a, 2 * b), x) + 1


def nested(x, a, b):
    return made([[a, b], [b, 1.5]], x), made([[a], [b]], x)


def mixed(x, a, b):
    return made([x.sum(), a, 2.0], x), made([[x.sum(), x.max()], [a, b]], x)


def of_sizes(x, a, b):
    return made([x.shape[0], a, 4], x)


def made_ints(x, a, b):
    return made([int(a), 2], x), made([float(b), 1], x), made([x.shape[0], int(a)], x)


def collected(x, a, b):
    losses = []
    for i in range(3):
        losses.append(float(x.sum()) * i + a)
    return made(losses, x)


PROGRAMS: list[tuple[Any, Any]] = [
    (normalised, (X,)), (normalised, (X, (1.0, 2.0, 3.0), [1.0, 2.0, 4.0])), (of_three, (X, 2.0, 0.1)),
    (of_ints, (X, 2, 3)), (nested, (X, 2.0, 3.0)), (mixed, (X, 0.5, 2.0)), (of_sizes, (X, 5, 1)),
    (collected, (X, 1.0, 0)), (made_ints, (X, 1.5, 2)),
]  # fmt: skip
OTHERS: list[Any] = [(2.0, 0.1), (2, 3), (1, 0.5), (True, 2), (-1.5, False), (2**20, 1e10)]


@pytest.mark.covering(("program", "args"), "to", "source")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_an_array_of_a_list_is_what_it_is(program, args, to, source) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    try:
        out = tl.transpile(program, given(args, source), to=to, source=source)
    except tl.UnsupportedError:
        assert program is mixed or program is collected  # torch takes no arrays of several elements
        return
    agrees(program, out, to, args, is_example=True, source=source)
    if program is normalised:
        others: list[Any] = [(X, MEAN[::-1], MEAN), (X, (1, 2, 3), MEAN), (X, [*MEAN], (1.0, 2.0, 4.0))]
    else:
        dtypes = ("float32", "int32") if source == "jax" else ("float32", "float64", "int32")
        others = [(X.astype(dtype), *pair) for pair in OTHERS for dtype in dtypes]
    for each in others:
        agrees(program, out, to, each, is_example=False, source=source)


@pytest.mark.parametrize(("to", "text"), [
    ("numpy", "mean = np.array(mean, dtype=np.float32)\n    std = np.array([a, b, 1], dtype=np.float32)"),
    ("jax", "mean = jnp.array(mean, dtype=jnp.float32)\n    std = jnp.array([a, b, 1], dtype=jnp.float32)"),
    ("torch", "mean = torch.tensor(mean, dtype=torch.float32)\n"
              "    std = torch.tensor([a, b, 1], dtype=torch.float32)"),
])  # fmt: skip
def test_what_is_printed(to, text) -> None:
    def program(x, a, b, mean=MEAN):
        mean = np.array(mean, dtype=np.float32)
        std = np.array([a, b, 1], dtype=np.float32)
        return (x - mean) / std

    out = tl.transpile(program, (X, 2.0, 3.0, MEAN), to=to)
    assert text in out.source, out.source

"""What arrays are behind a loop that changes their sizes: in the example as large as its last turn leaves
them, so that what is computed with them fits, and the loop stays one.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl


def weights(*sizes):
    numbers = np.random.default_rng(len(sizes))
    return [numbers.normal(size=pair).astype(np.float32) for pair in zip(sizes, sizes[1:])]


def layers(*sizes):
    return [{"w": w, "b": w[0] * 2} for w in weights(*sizes)]


def array(*sizes):
    return np.random.default_rng(sum(sizes)).normal(size=sizes).astype(np.float32)


def mean_squares(ws, x, y):
    for w in ws:
        x = np.tanh(x @ w)
    return np.mean((x - y) ** 2)


def cross_entropy(ws, x, labels):
    for layer in ws:
        x = np.maximum(x @ layer["w"] + layer["b"], 0)
    logits = x - x.max(axis=-1, keepdims=True)
    return -np.mean(np.take_along_axis(logits, labels[:, None], axis=-1))


def forward(ws, x):
    for w in ws:
        x = np.tanh(x @ w)
    return x


def by_a_helper(ws, x, y):
    return np.mean((forward(ws, x) - y) ** 2)


def twice(ws, vs, x, y):
    for w in ws:
        x = x @ w
    for v in vs:
        x = np.tanh(x @ v)
    return x - y


def joined(ws, x, y):
    for w in ws:
        x = x @ w
    return np.concatenate([x, y], axis=0)


def shortened(n, x, y):
    for _ in range(n):
        x = x[1:] + x[:-1]
    return x * y


def two_sizes(ws, vs, x, z):
    for w, v in zip(ws, vs):
        x, z = x @ w, z @ v
    return x @ z.T


EXAMPLES = [
    (mean_squares, (weights(3, 5, 4, 2), array(6, 3), array(6, 2)),
     (weights(3, 2), array(4, 3), array(4, 2))),
    (mean_squares, (weights(3, 5, 2), array(6, 3), array(6, 2)),
     (weights(4, 2, 7, 4, 3), array(2, 4), array(3))),
    (mean_squares, (weights(3, 2), array(6, 3), array(6, 2)), ([], array(2, 4), array(4))),
    (cross_entropy, (layers(3, 5, 4), array(2, 3), np.array([1, 3])),
     (layers(3, 5, 4, 2), array(1, 3), np.array([1]))),
    (by_a_helper, (weights(3, 5, 4, 2), array(6, 3), array(6, 2)), (weights(3, 2), array(4, 3), array(4, 2))),
    (twice, (weights(2, 3, 4), weights(4, 6, 5), array(1, 2), array(1, 5)),
     (weights(2, 3), [], array(7, 2), array(3))),
    (joined, (weights(3, 5, 2), array(6, 3), array(1, 2)), (weights(3, 2), array(4, 3), array(4, 2))),
    (two_sizes, (weights(3, 5, 2), weights(4, 6, 2), array(6, 3), array(1, 4)),
     (weights(3, 2), weights(4, 2), array(6, 3), array(3, 4))),
]  # fmt: skip
KINDS = {"numpy": np.asarray, "jax": jnp.asarray, "torch": torch.tensor}


def given(value: Any, kind: Any) -> Any:
    if isinstance(value, list):
        return [given(item, kind) for item in value]
    return {k: kind(v) for k, v in value.items()} if isinstance(value, dict) else kind(value)


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize(("program", "example", "other"), EXAMPLES)
def test_what_is_computed_behind_fits(program: Any, example: Any, other: Any, to: str) -> None:
    out = tl.transpile(program, example, to=to)
    assert "for " in out.source and "@ ws[0]" not in out.source, out.source
    for args in (example, other):
        found = out(*(given(a, KINDS[to]) for a in args))
        np.testing.assert_allclose(np.asarray(found), program(*args), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("to", KINDS)
def test_sizes_that_every_turn_makes_smaller(to: str) -> None:
    out = tl.transpile(shortened, (3, array(8), array(5)), to=to)
    for n, size in ((3, 8), (0, 5), (1, 6), (4, 2)):
        try:
            found = out(n, KINDS[to](array(size)), KINDS[to](array(5) if size > 4 else array(1)))
        except AssertionError:
            continue
        expected = shortened(n, array(size), array(5) if size > 4 else array(1))
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4, atol=1e-5)


def of_two_lists(ws, vs, x):
    for w, v in zip(ws, vs):
        x = np.tanh(x @ w) * v
    return x.sum(axis=-1)


def of_collected(ws, x):
    halves = []
    for w in ws:
        halves.append(w * 0.5)
    for w in halves:
        x = x @ w
    return x - x[:, :1]


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize(
    ("program", "args"),
    [
        (of_two_lists, (weights(3, 5, 4, 2), [array(5), array(4)], array(6, 3))),
        (of_two_lists, (weights(3, 5), [array(5), array(4)], array(6, 3))),
        (of_collected, (weights(3, 5, 4, 2), array(6, 3))),
    ],
)
def test_lists_of_other_lengths_and_what_a_loop_collected(program: Any, args: Any, to: str) -> None:
    out = tl.transpile(program, args, to=to)
    found = out(*(given(a, KINDS[to]) for a in args))
    np.testing.assert_allclose(np.asarray(found), program(*args), rtol=1e-4, atol=1e-5)

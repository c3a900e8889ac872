"""Loops over lists whose items differ in size, where a function that is called in the loop decides by that:
the loop is written out, and no item is taken for another. And ways behind a return that the example takes,
which cannot be followed with its sizes.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl


def longer(x):
    if x.shape[0] < 4:
        x = torch.cat([x, x[:1]])
    return x.sum()


def sums(xs):
    return [longer(x) for x in xs]


def filled(x):
    if x.shape[0] < 4:
        x = np.concatenate([x, np.ones(4 - x.shape[0], x.dtype)])
    return x[:4]


def filled_with_jax(x):
    if x.shape[0] < 4:
        x = jnp.concatenate([x, jnp.ones(4 - x.shape[0], x.dtype)])
    return x[:4]


def stacked(xs):
    return np.stack([filled(x) for x in xs])


def stacked_with_jax(xs):
    return jnp.stack([filled_with_jax(x) for x in xs])


def added(xs):
    total = np.zeros(4)
    for x in xs:
        total = total + filled(x)
    return total


def padded(x, n):
    if len(x) >= n:
        x = x[:n]
    else:
        x = torch.cat([x, torch.zeros(n - len(x))])
    return x


def collated(xs, n):
    return torch.stack([padded(x, n) for x in xs])


def padded_at_once(x, n):
    if len(x) >= n:
        return x[:n]
    return torch.cat([x, torch.zeros(n - len(x))])


def collated_at_once(xs, n):
    return torch.stack([padded_at_once(x, n) for x in xs])


def collected(xs, n):
    out = []
    for x in xs:
        print(len(xs))
        out.append(padded_at_once(x, n))
    return torch.stack(out)


def tensors(*sizes: int) -> list[Any]:
    return [torch.arange(1.0, n + 1) for n in sizes]


def arrays(*sizes: int) -> list[Any]:
    return [np.arange(1.0, n + 1) for n in sizes]


CASES: list[tuple[Any, Any]] = [
    (sums, (tensors(3, 5),)),
    (sums, (tensors(5, 3),)),
    (sums, (tensors(3, 4),)),
    (stacked, (arrays(3, 5),)),
    (stacked, (arrays(5, 3),)),
    (added, (arrays(3, 5, 2),)),
    (stacked_with_jax, ([jnp.arange(3.0), jnp.arange(5.0)],)),
    (collated, (tensors(3, 5, 2), 4)),
    (collated_at_once, (tensors(3, 5, 2), 4)),
    (collected, (tensors(5, 3), 4)),
    (padded_at_once, (*tensors(5), 4)),
    (padded_at_once, (*tensors(2), 4)),
]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_items_go_ways_of_their_own(number: int, to: str, capsys: pytest.CaptureFixture[str]) -> None:
    fn, args = CASES[number]
    with jax.enable_x64(fn is not stacked_with_jax):
        wide = to == "jax" and fn is not stacked_with_jax
        traced = tl.symbolic_trace(fn, args)
        assert not capsys.readouterr().out
        report = tl.check(traced, to=to, x64=wide or None, vary=16)
        assert report.ok, str(report)

"""`out=` of torch gives the tensor the shape of the result: a translation has that shape too, or refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

ONES = torch.ones


def product(a: Any, b: Any, o: Any) -> Any:
    torch.matmul(a, b, out=o)
    return o


def doubled(a: Any, o: Any) -> Any:
    torch.mul(a, 2, out=o)
    return o


def outer(a: Any, b: Any) -> Any:
    p = torch.zeros(3, 3)
    torch.outer(a, b, out=p)
    return p


def stacked(a: Any, b: Any, o: Any) -> Any:
    torch.stack([a, b], out=o)
    return o


def twice(a: Any, o: Any) -> Any:
    torch.clamp(a, 0, 1, out=o)
    torch.where(a > 0, o, a, out=o)
    return o


def summed(a: Any, o: Any) -> Any:
    torch.cumsum(a, 0, out=o)
    return o


def again(a: Any, o: Any) -> Any:
    for i in range(12):
        torch.add(a, i, out=o)
    return o


def like(a: Any, b: Any) -> Any:
    o = torch.empty_like(a)
    torch.add(a, b, out=o)
    return o


def in_place(a: Any) -> Any:
    torch.nn.functional.relu(a, inplace=True)
    return a


CASES: list[tuple[Callable[..., Any], tuple[Any, ...], list[tuple[Any, ...]]]] = [
    (product, (ONES(2, 2),) * 3, [(ONES(1, 2), ONES(2, 2), ONES(2, 2)), (ONES(3, 3),) * 3]),
    (doubled, (ONES(3), ONES(3)), [(ONES(3), ONES(2, 3)), (ONES(5), ONES(5)), (ONES(1), ONES(3))]),
    (outer, (ONES(3), ONES(3)), [(ONES(1), ONES(3))]),
    (
        stacked,
        (ONES(3), ONES(3), ONES(2, 3)),
        [(ONES(1), ONES(1), ONES(2, 3)), (ONES(4), ONES(4), ONES(2, 4))],
    ),
    (twice, (ONES(3), ONES(3)), [(ONES(1), ONES(3)), (ONES(4), ONES(4))]),
    (summed, (ONES(3), ONES(3)), [(ONES(1), ONES(3)), (ONES(4), ONES(4)), (ONES(3), ONES(0))]),
    (again, (ONES(3), ONES(3)), [(ONES(1), ONES(3)), (ONES(4), ONES(4))]),
    (like, (ONES(3), ONES(3)), [(ONES(1), ONES(3)), (ONES(4), ONES(4))]),
    (in_place, (ONES(3),), [(ONES(4),)]),
]


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("fn", "example", "calls"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_what_torch_resizes_has_that_shape_or_is_refused(
    fn: Callable[..., Any], example: Any, calls: list[tuple[Any, ...]], to: str
) -> None:
    out = tl.transpile(fn, tuple(a.clone() for a in example), to=to)
    make: Any = {"numpy": lambda a: a.numpy(), "jax": lambda a: jnp.array(a.numpy()), "torch": lambda a: a}[
        to
    ]
    for number, call in enumerate([example, *calls]):
        wanted = fn(*(a.clone() for a in call))
        try:
            found = out(*(make(a.clone()) for a in call))
        except AssertionError:
            assert number, out.source
            continue
        assert tuple(found.shape) == tuple(wanted.shape), (call, out.source)
        assert np.allclose(np.asarray(found), wanted.numpy())


def test_an_example_that_torch_resizes_is_refused() -> None:
    def added(a: Any, b: Any) -> Any:
        o = torch.empty(0)
        torch.add(a, b, out=o)
        return o

    with pytest.raises(tl.UnsupportedError, match="torch would resize what torch.add"):
        tl.symbolic_trace(added, (ONES(3), ONES(3)))


def test_without_examples_shapes_are_supposed_and_checked() -> None:
    out = tl.transpile(doubled, to="numpy", source="torch")
    a, o = np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
    assert out(a, o) is o and (o == 2).all()
    with pytest.raises(AssertionError):
        out(a, np.zeros((3, 2), np.float32))

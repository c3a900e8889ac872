"""Flags that the program computes: what an operation does depends on them, so that they are held to the
example's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl

Q = torch.linspace(-1, 1, 12).reshape(4, 3)
SQUARE = torch.eye(4) * 3 + 1
#: Programs with an array of four rows, in which the flag is another one for two.
PROGRAMS: list[tuple[Callable[[Any], Any], Any]] = [
    (lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=q.shape[0] > 2), Q),
    (lambda q: torch.sort(q, dim=0, descending=q.shape[0] > 2).values, Q),
    (lambda q: torch.argsort(q, dim=0, descending=q.shape[0] > 2), Q),
    (lambda q: torch.topk(q, 2, dim=0, largest=q.shape[0] > 2).values, Q),
    (lambda q: torch.bucketize(q, q[:, 0], right=q.shape[0] > 2), Q),
    (lambda q: torch.linalg.cholesky(q, upper=q.shape[0] > 2), SQUARE),
    (lambda q: F.kl_div(q, q, reduction="sum", log_target=q.shape[0] > 2), Q),
    (lambda q: torch.sum(q, 0, keepdim=q.shape[0] > 2), Q),
    (lambda x: np.linspace(0, 1, 5, endpoint=x.shape[0] > 2) + x[0, 0], Q.numpy()),
    (lambda x: np.var(x, axis=0, keepdims=x.shape[0] > 2), Q.numpy()),
    (lambda x: np.linalg.svd(x, full_matrices=x.shape[0] > 2)[1], Q.numpy()),
]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_flag_that_sizes_decide_is_checked(number: int, to: str) -> None:
    fn, x = PROGRAMS[number]
    with jax.enable_x64(to == "jax"):
        held_to_the_example(fn, x, to)


def held_to_the_example(fn: Callable[[Any], Any], x: Any, to: str) -> None:
    x64 = True if to == "jax" else None
    out = tl.transpile(fn, (x,), to=to, x64=x64)
    fewer = x[:2, :2] if x is SQUARE else x[:2]
    assert "assert " in out.source and "shape[0] > 2" in out.source
    assert tl.check(fn, (x,), to=to, x64=x64)
    given = torch.tensor(np.asarray(fewer)) if to == "torch" else np.asarray(fewer)
    with pytest.raises(AssertionError):
        out(given)


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_a_flag_among_the_arguments_is_checked(to: str) -> None:
    def attended(q: Any, k: int) -> Any:
        return F.scaled_dot_product_attention(q, q, q, is_causal=k > 2)

    out = tl.transpile(attended, (Q, 4), to=to)
    q = Q if to == "torch" else Q.numpy()
    np.testing.assert_allclose(np.asarray(out(q, 3)), attended(Q, 3).numpy(), rtol=1e-5)
    with pytest.raises(AssertionError):
        out(q, 1)


def test_a_flag_that_a_turn_decides_is_refused() -> None:
    def sorted_to_and_fro(q: Any) -> Any:
        for i in range(20):
            q = torch.sort(q, dim=0, descending=i % 2 == 0).values + q
        return q

    with pytest.raises(tl.UnsupportedError, match="what it does depends on its descending"):
        tl.transpile(sorted_to_and_fro, (Q,), to="numpy")


@pytest.mark.usefixtures("dictionary")
@pytest.mark.parametrize("size", [3, 4])
def test_the_body_of_an_op_is_not_asked_in_vain(size: int) -> None:
    """Of what only the running program knows, Python has no answer."""
    from tracelate.ir.meaning.op import same
    from tracelate.ir.ops.reduction import max as largest

    def by_mode(x, *, mode):  # type: ignore[no-untyped-def]
        return x * 2 if mode == 2 else x

    def by_membership(x, *, mode):  # type: ignore[no-untyped-def]
        return x * 2 if mode in (1, 2) else x

    def by_truth(x, *, mode):  # type: ignore[no-untyped-def]
        return x * 2 if mode else x

    def by_text(x, *, mode):  # type: ignore[no-untyped-def]
        return x * 2 if f"{mode}" == "2" else x

    def by_size(x, *, mode):  # type: ignore[no-untyped-def]
        return x * 2 if x.shape[0] == x.shape[1] else x

    def by_hash(x, *, mode):  # type: ignore[no-untyped-def]
        return x * len(set(x.shape))

    def by_remainder(x, *, mode):  # type: ignore[no-untyped-def]
        return x * 2 if x.shape[0] % 2 == 0 else x

    def by_array(x, *, mode):  # type: ignore[no-untyped-def]
        return x * 2 if largest(x, axis=(0, 1)) > 1 else x

    x = np.ones((size, 4), np.float32)
    for body in (by_mode, by_membership, by_truth, by_text, by_size, by_hash, by_remainder, by_array):
        body.__doc__ = "What it gives depends on a question."
        with tl.dictionary():
            asking = tl.op("X[m n] -> Y[m n]", dtype=same)(body)
            with pytest.raises(tl.UnsupportedError, match="its meaning (depends|raises Type)"):
                tl.transpile(lambda x, n, asking=asking: asking(x, mode=n), (x, 2), to="torch")

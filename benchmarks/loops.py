"""Loops that are translated: JAX compiles a long one as fast as a short one; what comes out runs like
what one writes by hand.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import torch
from common import figure, side_by_side

import tracelate as tl


def smooth(u: Any, rate: float, steps: int) -> Any:
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += rate * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def root(a: Any) -> Any:
    x = a
    while torch.max(torch.abs(x * x - a)) > 1e-5:
        x = 0.5 * (x + a / x)
    return x


@jax.jit
def root_by_hand(a: Any) -> Any:
    def unfinished(x: Any) -> Any:
        return jnp.max(jnp.abs(x * x - a)) > 1e-5

    def step(x: Any) -> Any:
        return 0.5 * (x + a / x)

    return jax.lax.while_loop(unfinished, step, a)


def compiling(out: Any, steps: int) -> None:
    jax.clear_caches()
    out.lower(jnp.ones(64), 0.1, steps).compile()


def main() -> None:
    out = tl.transpile(smooth, (np.ones(64, np.float32), 0.1, 9), to="jax")
    ratio = side_by_side(lambda: compiling(out, 10_000), lambda: compiling(out, 10), repeat=5)
    figure("compiling a loop of 10,000 turns for JAX, beside one of 10", ratio, 1.1)
    a = torch.rand(1000) + 1
    x = jnp.asarray(a.numpy())
    mine = tl.transpile(root, (a,), to="jax")
    ratio = side_by_side(lambda: mine(x), lambda: root_by_hand(x), repeat=40, number=100)
    figure("an emitted lax loop, beside the one written by hand", ratio, 1.05)
    same = tl.transpile(root, (a,), to="torch")
    ratio = side_by_side(lambda: same(a), lambda: root(a), repeat=40, number=20)
    figure("an emitted torch loop, beside the original", ratio, 1.05)
    u = np.ones(1000)
    in_place = tl.transpile(smooth, (u, 0.1, 9), to="numpy")
    ratio = side_by_side(lambda: in_place(u, 0.1, 100), lambda: smooth(u, 0.1, 100), repeat=40)
    figure("an emitted NumPy loop that writes in place, beside the original", ratio, 1.05)


if __name__ == "__main__":
    main()

"""Programs for JAX whose loops, branches and compiled functions take and give trees, and Python's numbers."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SOURCE = "jax"

STEPS = jnp.asarray(np.array([0.5, -1, 2], np.float32))
TABLE = np.arange(6, dtype=np.float32).reshape(3, 2) / 4


def _a(*values, shape=(-1,), dtype=np.float32):
    return jnp.asarray(np.array(values, dtype=dtype).reshape(shape))


EXAMPLES = {
    "x": _a(1, 2, -3, 0.5),
    "y": _a(0.5, -1, 2, 4),
    "z": _a(0.25, 4, -1),
    "m": _a(*range(12), shape=(3, 4)) / 4,
    "i": _a(3, 0, 1, 1, dtype=np.int32),
    "k": 3,
    "f": 0.5,
    "p": {"w": _a(*range(8), shape=(4, 2)) / 8, "b": _a(0.5, -0.5)},
}


def scan_over_a_global(x):
    return lax.scan(lambda c, s: (c * s, c.sum()), x, STEPS)


def scan_over_an_argument_and_a_global(x, z):
    return lax.scan(lambda c, v: (c + v[0] * v[1], c - v[1]), x, (z, STEPS))


def scan_over_a_table_of_numpys(x):
    def step(carry, row):
        return {"sum": carry["sum"] + row @ x[:2], "count": carry["count"] + 1}, {"z": row * 2, "a": 1}

    return lax.scan(step, {"sum": 0.0, "count": 0}, TABLE)


@jax.jit
def _scaled(v, k, flag):
    return {"z": v * k, "kept": jnp.where(~flag, v, -v), "k": k}


def numbers_into_a_compiled_function(x):
    out = _scaled(x, 3, False)
    return [out[name] for name in out], out["k"] / 2


@jax.jit
def compiled_entry(x, k, f):
    total = lax.fori_loop(0, k, lambda i, s: s + x[i] * f, 0.0)
    return {"total": total, "doubled": k * 2, "f": f, "last": x[k]}


@functools.partial(jax.jit, static_argnames=("k",))
def compiled_with_a_size(x, k):
    head = jnp.zeros(k).at[: k - 1].set(x[: k - 1])
    return head * k, k, (head.sum(), [1, 2.5])


def operands_that_are_numbers(x):
    return lax.cond(x.sum() > 0, lambda v, k, f: (v * k, ~f), lambda v, k, f: (v - k, f), x, 2, True)


def branch_known_beforehand(x):
    k = lax.cond(x.ndim > 1, lambda: 1, lambda: 2)
    return x * k, k / 4, k.astype(jnp.float32)


def counter_as_an_array(x):
    def body(i, s):
        return s + i.astype(x.dtype) * 0.5 + jnp.where(~(i > 1), 1, i * i)

    return lax.fori_loop(0, 5, body, x)


def counter_beyond_32_bits(x):
    return lax.fori_loop(0, 6, lambda i, s: s + i * 1000000007 % 7, x)


def counter_as_an_index(x, y):
    def body(i, s):
        return s.at[i].add(lax.dynamic_slice(y, (i,), (1,))[0] * i).at[x.shape[0] - 1 - i].multiply(0.5)

    return lax.fori_loop(0, x.shape[0], body, x)


def counters_of_two_loops(m):
    def row(i, s):
        return lax.fori_loop(0, m.shape[1], lambda j, t: t.at[j].add(m[i, j] * (i + 2 * j)), s)

    return lax.fori_loop(0, m.shape[0], row, jnp.zeros(m.shape[1]))


def descent_on_a_tree(p, x):
    def loss(q):
        return ((x @ q["w"] + q["b"]) ** 2).mean()

    def step(q, rate):
        small = jax.tree.map(lambda a: a * (1 - rate), q)
        return small, loss(small)

    return lax.scan(step, p, jnp.array([0.1, 0.2, 0.4]))


def tree_in_a_while(x):
    def body(s):
        return {"x": s["x"] * 0.5, "turns": s["turns"] + 1, "limit": s["limit"]}

    state = {"x": x, "turns": 0, "limit": 0.25}
    return lax.while_loop(lambda s: jnp.abs(s["x"]).max() > s["limit"], body, state)


def keys_of_a_branch(x):
    out = lax.cond(x[0] > 0, lambda: {"z": x, "a": 1}, lambda: {"z": -x, "a": 2})
    return list(out.values())


def along_places(x, i):
    return jnp.take_along_axis(x, i, axis=0), jnp.take_along_axis(x, jnp.argsort(x), axis=0)


def changed_inside(x):
    @jax.jit
    def inner(state):
        state["x"] = state["x"] * 2
        return state

    state = {"x": x, "k": 1}
    return inner(state), state["x"]

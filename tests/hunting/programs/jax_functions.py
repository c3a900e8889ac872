"""Programs for JAX: functional updates, control flow as functions, trees of parameters."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SOURCE = "jax"


def _a(*values, shape=(-1,), dtype=np.float32):
    return jnp.asarray(np.array(values, dtype=dtype).reshape(shape))


EXAMPLES = {
    "x": _a(1, 2, -3, 0.5),
    "y": _a(0.5, -1, 2, 4),
    "m": _a(*range(12), shape=(3, 4)) / 4,
    "s": _a(4, 1, 0, 1, 3, 1, 0, 1, 2, shape=(3, 3)),
    "t": _a(*range(24), shape=(2, 3, 4)) / 8,
    "i": _a(2, 0, 1, dtype=np.int32),
    "n": 3,
    "f": 0.5,
    "p": {"w": _a(*range(8), shape=(4, 2)) / 8, "b": _a(0.5, -0.5)},
    "layers": [
        (_a(*range(16), shape=(4, 4)) / 16, _a(1, 0, 0, -1)),
        (_a(*range(16), shape=(4, 4)) / 8, _a(0, 1, 0, 0)),
    ],
    "key_sizes": (2, 2),
}


def set_items(x):
    return x.at[0].set(9.0).at[-1].add(1.0)


def added_twice(x, i):
    return x.at[jnp.array([0, 0, 1])].add(_y_of(i))


def _y_of(i):
    return i * 1.0


def multiplied_rows(m):
    return m.at[1].multiply(2).at[:, 0].set(-1)


def largest_at(x, i):
    return x.at[i].max(1.5)


def got_with_fill(x):
    return x.at[jnp.array([1, 3])].get()


def where_chain(x):
    return jnp.where(x > 1, x, jnp.where(x < 0, -x, 0.25))


def cond_of_sum(x):
    return lax.cond(x.sum() > 0, lambda v: v * 2, lambda v: v - 1, x)


def cond_with_operands(x, y):
    return lax.cond(x[0] > y[0], lambda a, b: a + b, lambda a, b: a * b, x, y)


def switched(x, n):
    return lax.switch(n % 3, [lambda v: v, lambda v: v * 2, lambda v: -v], x)


def selected(x, y):
    return lax.select(x > y, x, y)


def counted_loop(x, n):
    return lax.fori_loop(0, n, lambda k, v: v * 0.5 + k, x)


def while_large(x):
    return lax.while_loop(lambda v: jnp.abs(v).max() > 1, lambda v: v / 2, x)


def while_with_count(x):
    def body(state):
        k, v = state
        return k + 1, v * 0.5

    return lax.while_loop(lambda s: (s[0] < 10) & (s[1].sum() > 0.1), body, (0, x))


def scanned_sum(m):
    def step(carry, row):
        carry = carry + row
        return carry, carry.sum()

    return lax.scan(step, jnp.zeros(4), m)


def scanned_pair(x, y):
    def step(carry, both):
        a, b = both
        return carry * a + b, carry

    return lax.scan(step, 1.0, (x, y))


def scan_with_count(x):
    def step(carry, v):
        total, k = carry
        return (total + v * k, k + 1), total

    return lax.scan(step, (0.0, 0), x)


def scan_reversed(x):
    def step(carry, v):
        return carry * 0.5 + v, carry

    return lax.scan(step, jnp.zeros(()), x, reverse=True)


def associative(x):
    return lax.associative_scan(jnp.add, x)


def mapped_rows(m):
    return jax.vmap(lambda row: row / (1 + row.sum()))(m)


def mapped_two(m, x):
    return jax.vmap(jnp.dot, in_axes=(0, None))(m, x)


def pairwise(m):
    return jax.vmap(lambda a: jax.vmap(lambda b: jnp.sum((a - b) ** 2))(m))(m)


def gradient(x):
    return jax.grad(lambda v: jnp.sum(v**3))(x)


def value_and_gradient(x, y):
    return jax.value_and_grad(lambda w: jnp.mean((w * x - y) ** 2))(x)


def jitted_inside(x):
    @jax.jit
    def inner(v):
        return jnp.tanh(v) * 2

    return inner(x) + inner(x * 2)


def partial_function(x):
    scaled = functools.partial(jnp.multiply, 3.0)
    return scaled(x)


def dense(x, p):
    return jax.nn.relu(x @ p["w"] + p["b"])


def stack_of_layers(x, layers):
    for w, b in layers:
        x = jnp.tanh(x @ w + b)
    return x


def last_layer_is_linear(x, layers):
    for w, b in layers[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = layers[-1]
    return x @ w + b


def tree_of_parameters(p):
    return jax.tree_util.tree_map(lambda a: a * 0.5, p)


def tree_of_two(p):
    grads = jax.tree_util.tree_map(jnp.sign, p)
    return jax.tree_util.tree_map(lambda a, g: a - 0.1 * g, p, grads)


def leaves_summed(p):
    return sum(jnp.sum(a**2) for a in jax.tree_util.tree_leaves(p))


def softmax_temperature(x, f):
    return jax.nn.softmax(x / f)


def log_sum_exp(x):
    return jax.scipy.special.logsumexp(x) - jnp.log(x.shape[0])


def one_hot_rows(i):
    return jax.nn.one_hot(i, 4) @ jnp.arange(4.0)


def taken(m, i):
    return jnp.take(m, i, axis=0)


def taken_along(m, i):
    return jnp.take_along_axis(m, i[:, None], axis=1)


def sliced_dynamically(x, n):
    return lax.dynamic_slice(x, (n - 2,), (2,))


def updated_dynamically(x, y, n):
    return lax.dynamic_update_slice(x, y[:2], (n - 1,))


def segment_sums(x):
    ids = jnp.array([0, 1, 0, 1])
    return jnp.zeros(2).at[ids].add(x)


def einsum_of_three(t):
    return jnp.einsum("bij,bkj->ik", t, t)


def batched_matmul(t):
    return t @ jnp.swapaxes(t, -1, -2)


def solved(s, x):
    return jnp.linalg.solve(s, x[:3])


def cholesky(s):
    return jnp.linalg.cholesky(s)


def power_iteration(s, n):
    v = jnp.ones(s.shape[0])
    for _ in range(n):
        v = s @ v
        v = v / jnp.linalg.norm(v)
    return v @ s @ v


def polynomial(x):
    return jnp.polyval(jnp.array([1.0, -2.0, 3.0]), x)


def sorted_and_ranked(x):
    order = jnp.argsort(x)
    return x[order], jnp.argsort(order)


def cumulative(m):
    return jnp.cumsum(m, axis=1) / jnp.arange(1, m.shape[1] + 1)


def rolled_difference(x):
    return x - jnp.roll(x, 1)


def outer_and_trace(x):
    o = jnp.outer(x, x)
    return jnp.trace(o), jnp.diag(o), jnp.tril(o)


def meshed(x, y):
    a, b = jnp.meshgrid(x, y[:2], indexing="ij")
    return a * b


def convolved_by_hand(x):
    k = jnp.array([0.25, 0.5, 0.25])
    padded = jnp.pad(x, 1)
    return sum(k[j] * padded[j : j + x.shape[0]] for j in range(3))


def python_branch_on_size(x):
    if x.shape[0] > 2:
        return x[:2]
    return x


def python_branch_on_rank(m):
    return m.mean(0) if m.ndim == 2 else m


def python_loop_over_rows(m):
    total = jnp.zeros(4)
    for row in m:
        total = total + row * row
    return total


def numpy_constant(x):
    table = np.array([1.0, 10.0, 100.0, 1000.0], dtype=np.float32)
    return x * table


def math_of_sizes(x):
    return x / math.sqrt(x.shape[-1])


def float_step(x, n):
    rate = 0.1
    for _ in range(n):
        x = x - rate * 2 * x
        rate *= 0.5
    return x


def finite_or_zero(x):
    return jnp.nan_to_num(x / (x - 2), posinf=0.0, neginf=0.0)


def isclose_count(x, y):
    return jnp.isclose(x, y, atol=2).sum()


def clipped_gradient(x):
    g = jax.grad(lambda v: (v**2).sum())(x)
    norm = jnp.sqrt((g**2).sum())
    return jnp.where(norm > 1, g / norm, g)


def stop_the_gradient(x):
    return x + lax.stop_gradient(jnp.round(x) - x)

"""Models and solvers in JAX's own style, of twenty lines and more."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

SOURCE = "jax"


def _a(values, shape=(-1,), dtype=np.float32):
    return jnp.asarray(np.array(values, dtype=dtype).reshape(shape))


EXAMPLES = {
    "x": _a(range(12), (3, 4)) / 8 - 0.5,
    "y": _a([1.0, -0.5, 0.25]),
    "u": _a(range(16), (4, 4)) / 16 - 0.5,
    "w": _a([0.5, -0.25, 0.0, 1.0]),
    "layers": [
        (_a(range(16), (4, 4)) / 16, _a([1, 0, 0, -1])),
        (_a(range(16), (4, 4)) / 8, _a([0, 1, 0, 0])),
    ],
    "board": _a([0, 1, 0, 0, 1, 1, 0, 1, 0], (3, 3), np.int32),
    "steps": 3,
    "rate": 0.25,
}


def network_and_descent(x, y, layers, rate):
    """One step of gradient descent on all layers."""

    def predict(params, inputs):
        h = inputs
        for w, b in params[:-1]:
            h = jnp.tanh(h @ w + b)
        w, b = params[-1]
        return (h @ w + b).sum(-1)

    def loss(params):
        error = predict(params, x) - y
        decay = sum(jnp.sum(w**2) for w, _ in params)
        return jnp.mean(error**2) + 0.01 * decay

    before, grads = jax.value_and_grad(loss)(layers)
    after = [(w - rate * gw, b - rate * gb) for (w, b), (gw, gb) in zip(layers, grads)]
    norm = jnp.sqrt(sum(jnp.sum(g**2) for pair in grads for g in pair))
    return after, before, loss(after), norm


def scanned_training(x, y, w, rate):
    """Adam as a scan over steps."""

    def step(state, t):
        weights, m, v = state
        error = x @ weights - y
        g = 2 * x.T @ error / y.shape[0]
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g**2
        mhat = m / (1 - 0.9**t)
        vhat = v / (1 - 0.99**t)
        weights = weights - rate * mhat / (jnp.sqrt(vhat) + 1e-8)
        return (weights, m, v), jnp.mean(error**2)

    zeros = jnp.zeros_like(w)
    times = jnp.arange(1, 6, dtype=x.dtype)
    (final, m, v), losses = lax.scan(step, (w, zeros, zeros), times)
    best = jnp.min(losses)
    when = jnp.argmin(losses)
    return final, losses, best, when


def attention_block(x, u):
    """One head, norms and a net."""
    n, d = x.shape

    def norm(v):
        mean = v.mean(-1, keepdims=True)
        var = jnp.var(v, axis=-1, keepdims=True)
        return (v - mean) * lax.rsqrt(var + 1e-5)

    h = norm(x)
    q = h @ u
    k = h @ u.T
    scores = q @ k.T / jnp.sqrt(d).astype(x.dtype)
    causal = jnp.tril(jnp.ones((n, n), dtype=bool))
    scores = jnp.where(causal, scores, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=-1)
    x = x + weights @ h
    h = norm(x)
    inner = jax.nn.gelu(h @ u, approximate=True)
    x = x + inner @ u.T
    entropy = -jnp.sum(weights * jnp.log(weights + 1e-9), axis=-1)
    return x, entropy


def recurrent_scan(x, u, w):
    """A GRU over time, forth and back."""

    def cell(h, row):
        z = jax.nn.sigmoid(row @ u + h)
        r = jax.nn.sigmoid(row - h @ u)
        n = jnp.tanh(row + r * h)
        h = (1 - z) * n + z * h
        return h, h

    last, forth = lax.scan(cell, w, x)
    first, back = lax.scan(cell, w, x[::-1])
    back = back[::-1]
    both = jnp.concatenate([forth, back], axis=-1)
    pooled = both.max(axis=0)
    gate = jax.nn.softmax(both.sum(-1))
    context = gate @ both
    close = jnp.abs(last - first).max()
    return pooled, context, close


def conjugate_gradient_loop(u, w):
    """lax.while_loop over a tuple of state."""
    a = u @ u.T + jnp.eye(u.shape[0])
    b = w

    def going(state):
        _, r, _, k = state
        return (r @ r > 1e-10) & (k < 10)

    def body(state):
        x, r, p, k = state
        ap = a @ p
        old = r @ r
        alpha = old / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        p = r + (r @ r / old) * p
        return x, r, p, k + 1

    start = (jnp.zeros_like(b), b, b, 0)
    x, r, _, count = lax.while_loop(going, body, start)
    gap = jnp.abs(a @ x - b).max()
    return x, gap < 1e-3, count > 0


def life_and_counts(board, steps):
    """fori_loop over a board, with counts set into a row."""

    def around(b):
        total = jnp.zeros_like(b)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i or j:
                    total = total + jnp.roll(b, (i, j), (0, 1))
        return total

    def turn(k, state):
        b, counts = state
        n = around(b)
        b = jnp.where((n == 3) | ((b == 1) & (n == 2)), 1, 0)
        return b, counts.at[k].set(b.sum())

    counts = jnp.zeros(4, dtype=board.dtype)
    final, counts = lax.fori_loop(0, steps, turn, (board, counts))
    alive = final.sum()
    return final, counts, alive


def kalman_scan(y):
    """Filter and smoother as two scans."""
    q, r = 0.0625, 0.25

    def forward(state, z):
        mean, var = state
        predicted = var + q
        gain = predicted / (predicted + r)
        mean = mean + gain * (z - mean)
        var = (1 - gain) * predicted
        return (mean, var), (mean, var, predicted)

    first = (y[0], jnp.ones_like(y[0]))
    _, (means, variances, predicted) = lax.scan(forward, first, y)

    def backward(later, item):
        mean, var, ahead, last = item
        c = var / ahead
        smooth = jnp.where(last, mean, mean + c * (later - mean))
        return smooth, smooth

    last = jnp.arange(y.shape[0]) == y.shape[0] - 1
    ahead = jnp.concatenate([predicted[1:], predicted[-1:]])
    items = (means, variances, ahead, last)
    _, smooth = lax.scan(backward, means[-1], items, reverse=True)
    return means, smooth


def runge_kutta_orbit(w, steps, rate):
    """A planet around the sun, by a function of functions."""

    def rates(s):
        place, speed = s[:2], s[2:]
        r2 = jnp.sum(place**2) + 0.125
        return jnp.concatenate([speed, -place / r2**1.5])

    def step(s, h):
        k1 = rates(s)
        k2 = rates(s + h / 2 * k1)
        k3 = rates(s + h / 2 * k2)
        k4 = rates(s + h * k3)
        return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    path = [w]
    for _ in range(steps):
        path.append(step(path[-1], rate))
    path = jnp.stack(path)
    energy = 0.5 * jnp.sum(path[:, 2:] ** 2, 1) - 1 / jnp.sqrt(jnp.sum(path[:, :2] ** 2, 1) + 0.125)
    drift = energy.max() - energy.min()
    return path, drift


def mixture_step(x, w):
    """Expectation and maximisation of two spherical Gaussians."""
    means = x[:2]
    weights = jnp.full(2, 0.5, dtype=x.dtype)

    def density(mean):
        return -0.5 * jnp.sum((x - mean) ** 2, axis=-1)

    logs = jax.vmap(density)(means).T + jnp.log(weights)
    top = jax.scipy.special.logsumexp(logs, axis=1, keepdims=True)
    shares = jnp.exp(logs - top)
    mass = shares.sum(0)
    new_means = shares.T @ x / mass[:, None]
    new_weights = mass / x.shape[0]
    moved = jnp.sqrt(jnp.sum((new_means - means) ** 2, axis=1))
    hard = shares.argmax(1)
    counts = jnp.zeros(2, dtype=hard.dtype).at[hard].add(1)
    score = top.sum()
    order = jnp.argsort(new_means @ w)
    return new_means[order], new_weights[order], counts, score, moved


def metropolis_with_given_numbers(x, y, rate):
    """Proposals and thresholds are given, so that nothing is random."""

    def energy(s):
        return 0.5 * jnp.sum(s**2) + jnp.sum(jnp.cos(s))

    def step(state, given):
        place, now, accepted = state
        move, threshold = given
        proposal = place + rate * move
        other = energy(proposal)
        accept = jnp.log(jnp.abs(threshold) + 1e-3) < now - other
        place = jnp.where(accept, proposal, place)
        now = jnp.where(accept, other, now)
        return (place, now, accepted + accept), place

    start = jnp.zeros(4, dtype=x.dtype)
    state = (start, energy(start), jnp.zeros((), dtype=jnp.int32))
    (place, now, accepted), chain = lax.scan(step, state, (x, y))
    mean = chain.mean(0)
    return place, now, accepted, mean

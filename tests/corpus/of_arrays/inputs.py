"""Example positional arguments for every entry function of the corpus."""

from typing import Callable

import jax.numpy as jnp
import numpy as np


def _f32(rng, *shape, scale=1.0):
    return (scale * rng.normal(size=shape)).astype(np.float32)


def _jax(rng, *shape, scale=1.0):
    return jnp.asarray(_f32(rng, *shape, scale=scale))


def _decode_step(rng):
    d, kv, hidden, max_len, start = 16, 8, 32, 12, 5
    shapes = {
        "wq": (d, d),
        "wk": (d, kv),
        "wv": (d, kv),
        "wo": (d, d),
        "w1": (d, hidden),
        "w2": (hidden, d),
    }
    layers, cache = [], []
    for _ in range(2):
        layer = {k: _f32(rng, *s, scale=s[0] ** -0.5) for k, s in shapes.items()}
        layer["norm1"] = np.ones(d, dtype=np.float32)
        layer["norm2"] = np.ones(d, dtype=np.float32)
        layers.append(layer)
        pair = []
        for _ in range(2):
            buf = np.zeros((2, max_len, 4), dtype=np.float32)
            buf[:, :start] = _f32(rng, 2, start, 4)
            pair.append(buf)
        cache.append(tuple(pair))
    return (_f32(rng, 3, d), layers, cache, start, 4, 2, 6)


def _ddim_step(rng):
    shape = (2, 3, 8, 8)
    arrays = [_f32(rng, *shape) for _ in range(4)]
    return (*arrays, 60, 50, 100, "cosine", 2.0, 0.5)


PARAM_SHAPES = {
    "dense1.weight": (6, 8),
    "dense1.bias": (8,),
    "norm.scale": (8,),
    "dense2.weight": (8, 3),
}


def _adamw_update(rng):
    params = {k: _f32(rng, *s) for k, s in PARAM_SHAPES.items()}
    grads = {k: _f32(rng, *s) for k, s in PARAM_SHAPES.items()}
    m = {k: _f32(rng, *s, scale=0.1) for k, s in PARAM_SHAPES.items()}
    v = {k: np.square(_f32(rng, *s, scale=0.1)) for k, s in PARAM_SHAPES.items()}
    return (params, grads, m, v, 20)


def _momentum_step(rng):
    shapes = [(5, 7), (7,), (7, 2), (2,)]
    params = [rng.normal(size=s) for s in shapes]
    grads = [rng.normal(size=s) for s in shapes]
    velocity = [0.1 * rng.normal(size=s) for s in shapes]
    return (params, grads, velocity, 0.05, 0.9, 1e-3, True, 0.5)


def _equalize(rng):
    t = np.arange(160) / 16_000
    tone = np.sin(2 * np.pi * 440 * t) + 0.3
    signal = tone + 0.2 * rng.normal(size=(2, t.size))
    bands = [
        ("highpass", 80.0, 0.0, 0.707),
        ("peak", 1000.0, 6.0, 1.2),
        ("lowpass", 5000.0, 0.0, 0.707),
        ("peak", 9000.0, 3.0, 1.0),
    ]
    return (signal, bands)


def _edge_map(rng):
    image = rng.uniform(0.0, 0.1, size=(16, 20, 3))
    image[4:12, 6:14] += 0.8
    return (image.astype(np.float32), (12, 14), 0.8)


def _heat_rod(rng):
    x = np.linspace(0.0, 1.0, 21)
    u0 = np.sin(0.5 * np.pi * x)
    kappa = 1.0 + 0.2 * rng.uniform(size=x.size)
    return (u0, kappa, 0.5 * np.exp(-((x - 0.5) ** 2) / 0.02), 0.0, 1.0, 2e-3, 30)


def _relax_poisson(rng):
    n = 17
    rho = rng.normal(size=(n, n))
    boundary = np.zeros((n, n))
    boundary[0] = np.sin(np.pi * np.linspace(0, 1, n))
    return (rho, boundary)


def _leapfrog(rng):
    n = 5
    pos = rng.normal(size=(n, 3))
    vel = 0.3 * rng.normal(size=(n, 3))
    return (pos, vel, rng.uniform(0.1, 0.4, size=n), 0.01, 40, 0.1)


def _ols_summary(rng):
    X = rng.normal(size=(40, 3))
    y = 1.5 + X @ np.array([2.0, -1.0, 0.5]) + 0.1 * rng.normal(size=40)
    return (X, y, rng.uniform(0.5, 1.5, size=40), True, True)


def _kmeans(rng):
    centers = np.array([[0.0, 0.0], [5.0, 5.0], [-5.0, 4.0]])
    points = np.concatenate([c + 0.6 * rng.normal(size=(15, 2)) for c in centers])
    return (rng.permutation(points).astype(np.float32), 3)


def _loss_and_grads(rng):
    sizes = [6, 10, 8, 4]
    params = [
        (_f32(rng, a, b, scale=a**-0.5), _f32(rng, b, scale=0.1))
        for a, b in zip(sizes[:-1], sizes[1:])
    ]
    x = _f32(rng, 12, 6, scale=2.0) + np.float32(1.0)
    labels = rng.integers(0, 4, size=12)
    return (params, x, labels, 1e-3, x.mean(axis=0), x.std(axis=0))


def _classification_report(rng):
    y = rng.integers(0, 3, size=60)
    logits = rng.normal(size=(60, 3)) + 1.5 * np.eye(3)[y]
    probs = np.exp(logits)
    probs /= probs.sum(axis=1, keepdims=True)
    return (y, probs, 8)


def _lm_loss(rng):
    vocab, t, d, hidden = 20, 9, 16, 32
    layers = []
    for _ in range(2):
        layers.append(
            {
                "ln1_scale": jnp.ones(d),
                "ln1_bias": jnp.zeros(d),
                "ln2_scale": jnp.ones(d),
                "ln2_bias": jnp.zeros(d),
                "wqkv": _jax(rng, d, 3 * d, scale=0.25),
                "bqkv": _jax(rng, 3 * d, scale=0.02),
                "wo": _jax(rng, d, d, scale=0.25),
                "w_up": _jax(rng, d, hidden, scale=0.25),
                "b_up": _jax(rng, hidden, scale=0.02),
                "w_down": _jax(rng, hidden, d, scale=0.18),
                "b_down": _jax(rng, d, scale=0.02),
            }
        )
    params = {
        "embed": _jax(rng, vocab, d, scale=0.3),
        "pos": _jax(rng, t, d, scale=0.1),
        "layers": layers,
        "lnf_scale": jnp.ones(d),
        "lnf_bias": jnp.zeros(d),
    }
    tokens = rng.integers(1, vocab, size=(3, t))
    tokens[1, 6:] = 0  # padding
    return (params, jnp.asarray(tokens, dtype=jnp.int32))


def _rotary_attention(rng):
    q, k, v = (_jax(rng, 2, 12, 8) for _ in range(3))
    return (q, k, v, jnp.arange(3, 15), 4)


def _encode(rng):
    def cell(n_in, h):
        return {
            "wx": _jax(rng, n_in, 4 * h, scale=n_in**-0.5),
            "wh": _jax(rng, h, 4 * h, scale=h**-0.5),
            "b": _jax(rng, 4 * h, scale=0.1),
        }

    params = [(cell(5, 6), cell(5, 6)), (cell(12, 6), cell(12, 6))]
    return (params, _jax(rng, 3, 7, 5), jnp.array([7, 4, 2]))


def _train_update(rng):
    def tree(scale=1.0):
        return {
            "embed": _jax(rng, 6, 4, scale=scale),
            "layers": [
                {"w": _jax(rng, 4, 4, scale=scale), "b": _jax(rng, 4, scale=scale)}
                for _ in range(2)
            ],
        }

    params, grads, mu = tree(), tree(), tree(scale=0.1)
    nu = {
        "embed": _jax(rng, 6, 4, scale=0.1) ** 2,
        "layers": [
            {"w": _jax(rng, 4, 4, scale=0.1) ** 2, "b": _jax(rng, 4, scale=0.1) ** 2}
            for _ in range(2)
        ],
    }
    state = {"step": jnp.array(4), "mu": mu, "nu": nu, "ema": tree()}
    return (params, grads, state)


def _kernel_ridge(rng):
    x = rng.uniform(-3.0, 3.0, size=(30, 1)).astype(np.float32)
    y = np.sin(x[:, 0]) + _f32(rng, 30, scale=0.05)
    grid = np.linspace(-2.5, 2.5, 11, dtype=np.float32)[:, None]
    noise, tol = 1.0, 1e-3  # rounding counts for little then, and all need as many turns
    return (jnp.asarray(x), jnp.asarray(y), jnp.asarray(grid), noise, 1.0, tol)


def _propagate(rng):
    index = np.ones((24, 28), dtype=np.float32)
    index[:, 16:20] = 1.5
    index += rng.uniform(0.0, 0.02, size=index.shape).astype(np.float32)
    return (jnp.asarray(index), (12, 8), 40)


def _shade(rng):
    side = np.linspace(-1.0, 1.0, 8, dtype=np.float32)
    px, py = np.meshgrid(side, side)
    directions = np.stack([px, py, np.full_like(px, 1.5)], axis=-1).reshape(-1, 3)
    scene = {
        "centers": jnp.array([[0.0, 0.0, 4.0], [1.2, 0.8, 3.0], [-1.0, 0.5, 5.0]]),
        "radii": jnp.array([1.0, 0.5, 1.2]),
        "colors": jnp.asarray(rng.uniform(0.2, 1.0, size=(3, 3)).astype(np.float32)),
    }
    origins = jnp.zeros_like(jnp.asarray(directions))
    return (
        origins,
        jnp.asarray(directions),
        scene,
        jnp.array([0.5, 1.0, -0.8]),
        32.0,
        0.05,
    )


ENTRIES: dict[str, Callable[[np.random.Generator], tuple]] = {
    # NumPy
    "kv_attention.decode_step": _decode_step,
    "diffusion_schedule.ddim_step": _ddim_step,
    "param_updates.adamw_update": _adamw_update,
    "param_updates.momentum_step": _momentum_step,
    "signal_tools.equalize": _equalize,
    "signal_tools.edge_map": _edge_map,
    "physics_solvers.heat_rod": _heat_rod,
    "physics_solvers.relax_poisson": _relax_poisson,
    "physics_solvers.leapfrog": _leapfrog,
    "stats_tools.ols_summary": _ols_summary,
    "stats_tools.kmeans": _kmeans,
    "mlp.loss_and_grads": _loss_and_grads,
    "scores.classification_report": _classification_report,
    # JAX
    "transformer.lm_loss": _lm_loss,
    "rotary.rotary_attention": _rotary_attention,
    "recurrent.encode": _encode,
    "tree_updates.train_update": _train_update,
    "krylov.kernel_ridge": _kernel_ridge,
    "optics.propagate": _propagate,
    "optics.shade": _shade,
}

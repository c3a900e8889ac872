"""Noise schedules and a DDIM step with classifier-free guidance."""

import numpy as np

BETA_START = 1e-4
BETA_END = 0.02
MAX_BETA = 0.999  # the cosine schedule blows up at the last step otherwise
COSINE_OFFSET = 0.008


def make_betas(n_steps: int, kind: str = "cosine") -> np.ndarray:
    if kind == "linear":
        # rescaled so that any number of steps ends at about the same noise
        scale = 1000 / n_steps
        return np.linspace(scale * BETA_START, scale * BETA_END, n_steps)

    if kind != "cosine":
        raise ValueError(f"unknown schedule {kind!r}")
    s = COSINE_OFFSET
    t = np.arange(n_steps + 1) / n_steps
    f = np.cos((t + s) / (1 + s) * np.pi / 2) ** 2
    betas = 1 - f[1:] / f[:-1]
    return np.clip(betas, 0.0, MAX_BETA)


def threshold(x0: np.ndarray, quantile: float = 0.995) -> np.ndarray:
    """Dynamic thresholding: clip each sample at its own quantile, then rescale."""
    flat = np.abs(x0).reshape(x0.shape[0], -1)
    limit = np.quantile(flat, quantile, axis=1).astype(x0.dtype)
    limit = np.maximum(limit, 1.0).reshape((-1,) + (1,) * (x0.ndim - 1))
    return np.clip(x0, -limit, limit) / limit


def ddim_step(
    x: np.ndarray,
    eps_cond: np.ndarray,
    eps_uncond: np.ndarray | None,
    noise: np.ndarray,
    t: int,
    t_prev: int,
    n_steps: int = 100,
    kind: str = "cosine",
    guidance: float = 3.0,
    eta: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Go from ``x`` at step ``t`` to step ``t_prev`` (-1 is the clean image).

    Returns the new sample and the current guess of the clean one.
    """
    betas = make_betas(n_steps, kind=kind)
    alpha_bar = np.cumprod(1.0 - betas)

    # guided noise estimate
    if eps_uncond is None:
        eps = eps_cond
    else:
        eps = eps_uncond + guidance * (eps_cond - eps_uncond)

    a_t = float(alpha_bar[t])
    a_prev = float(alpha_bar[t_prev]) if t_prev >= 0 else 1.0

    # predicted x0, and eps made consistent with the thresholded x0
    x0 = (x - (1 - a_t) ** 0.5 * eps) / a_t**0.5
    x0 = threshold(x0)
    eps = (x - a_t**0.5 * x0) / (1 - a_t) ** 0.5

    if t_prev < 0:
        return x0, x0

    sigma = eta * ((1 - a_prev) / (1 - a_t) * (1 - a_t / a_prev)) ** 0.5
    direction = (1 - a_prev - sigma**2) ** 0.5 * eps
    x_prev = a_prev**0.5 * x0 + direction
    if sigma > 0:
        x_prev += sigma * noise
    return x_prev, x0

# Preconditioned conjugate gradients for kernel ridge regression.

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

TINY = 1e-30  # guards the divisions once the residual has vanished


def rbf_kernel(a, b, lengthscale):
    d2 = jnp.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
    return jnp.exp(-0.5 * d2 / lengthscale**2)


def pcg(A, b, M_inv, tol, max_iter):
    """Solve A x = b; M_inv is the inverse diagonal preconditioner.

    Stops at |r| <= tol * |b|, or after max_iter steps.
    """
    limit = tol * jnp.linalg.norm(b)

    def cond(state):
        k, _, r, _, _ = state
        return (jnp.linalg.norm(r) > limit) & (k < max_iter)

    def body(state):
        k, x, r, p, rz = state
        Ap = A @ p
        alpha = rz / (p @ Ap + TINY)
        x = x + alpha * p
        r = r - alpha * Ap
        z = M_inv * r
        rz_new = r @ z
        p = z + (rz_new / (rz + TINY)) * p
        return k + 1, x, r, p, rz_new

    z0 = M_inv * b
    init = (0, jnp.zeros_like(b), b, z0, b @ z0)
    k, x, r, _, _ = lax.while_loop(cond, body, init)
    return x, jnp.linalg.norm(r), k


@partial(jax.jit, static_argnames=("max_iter",))
def kernel_ridge(
    x_train, y_train, x_test, noise=0.1, lengthscale=1.0, tol=1e-5, max_iter=200
):
    """Fit and predict. `noise` is a scalar or one variance a training point."""
    n = x_train.shape[0]
    shift = y_train.mean()

    K = rbf_kernel(x_train, x_train, lengthscale)
    K = K.at[jnp.arange(n), jnp.arange(n)].add(noise)
    alpha, res, iters = pcg(K, y_train - shift, 1.0 / jnp.diag(K), tol, max_iter)

    pred = rbf_kernel(x_test, x_train, lengthscale) @ alpha + shift
    return {"pred": pred, "alpha": alpha, "residual": res, "iters": iters}

"""Three rounds of expectation and maximisation for a mixture of normal distributions, in jax.numpy."""

import jax
import jax.numpy as jnp
import numpy as np

ROUNDS = 3
RIDGE = 1e-4  # keeps a component that has hold of few points from collapsing


def fit(points, mixture):
    """Improve `mixture` on points (n x d). Returns it, and the mean log-likelihood before each round."""
    likelihoods = []
    for _ in range(ROUNDS):
        joint = log_joint(points, mixture)
        likelihoods.append(jnp.mean(log_sum_exp(joint)))
        mixture = maximise(points, jax.nn.softmax(joint, axis=1))
    return mixture, jnp.stack(likelihoods)


def log_joint(points, mixture):
    """log p(point, component), points x components."""
    offset = points[None, :, :] - mixture["mean"][:, None, :]
    values, axes = jnp.linalg.eigh(mixture["covariance"])
    whitened = (offset @ axes) / jnp.sqrt(values)[:, None, :]
    d = points.shape[1]
    log_density = -0.5 * (
        jnp.sum(whitened**2, axis=-1) + jnp.sum(jnp.log(values), axis=-1)[:, None] + d * jnp.log(2 * jnp.pi)
    )
    return (log_density + jnp.log(mixture["weight"])[:, None]).T


def log_sum_exp(x):
    """log(sum(exp(x))) over the last axis, shifted by the largest so that nothing overflows."""
    top = jnp.max(x, axis=-1, keepdims=True)
    return jnp.log(jnp.sum(jnp.exp(x - top), axis=-1)) + top[:, 0]


def maximise(points, share):
    """The mixture that fits best when `share` (points x components) says to whom each point belongs."""
    count = jnp.sum(share, axis=0)
    mean = share.T @ points / count[:, None]
    offset = points[None, :, :] - mean[:, None, :]
    scatter = jnp.einsum("nk,kni,knj->kij", share, offset, offset)
    covariance = scatter / count[:, None, None] + RIDGE * jnp.eye(points.shape[1])
    return {"weight": count / points.shape[0], "mean": mean, "covariance": covariance}


def inputs(samples=90):
    """Points around three centres, and a first guess at the mixture."""
    random = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])
    points = np.concatenate([centre + random.standard_normal((samples // 3, 2)) for centre in centres])
    guess = {
        "weight": jnp.full(3, 1 / 3, dtype="float32"),
        "mean": jnp.asarray(points[:: samples // 3], dtype="float32"),
        "covariance": jnp.stack([jnp.array([[1.0, 0.0], [0.0, 1.5]], dtype="float32")] * 3),
    }
    return jnp.asarray(points, dtype="float32"), guess


if __name__ == "__main__":
    mixture, likelihoods = fit(*inputs())
    for name, value in {**mixture, "log-likelihood": likelihoods}.items():
        print(f"{name}:\n{value}")

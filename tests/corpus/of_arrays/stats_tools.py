"""Least squares with the usual table of statistics, and k-means."""

from typing import Dict, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

JITTER = 1e-10  # relative to the mean diagonal, for near-collinear columns


def cholesky_(a: NDArray) -> None:
    """Overwrite ``a`` with its lower Cholesky factor."""
    n = a.shape[0]
    for j in range(n):
        a[j, j] -= np.dot(a[j, :j], a[j, :j])
        if a[j, j] <= 0:
            raise np.linalg.LinAlgError("matrix is not positive definite")
        a[j, j] = np.sqrt(a[j, j])
        a[j + 1 :, j] -= a[j + 1 :, :j] @ a[j, :j]
        a[j + 1 :, j] /= a[j, j]
        a[j, j + 1 :] = 0.0  # clean upper triangle


def solve_(L: NDArray, b: NDArray) -> NDArray:
    """Solve ``L @ L.T @ x = b`` and write x over b (vector or matrix)."""
    n = L.shape[0]
    for i in range(n):
        b[i] = (b[i] - L[i, :i] @ b[:i]) / L[i, i]
    for i in reversed(range(n)):
        b[i] = (b[i] - L[i + 1 :, i] @ b[i + 1 :]) / L[i, i]
    return b


def ols_summary(
    X: NDArray,
    y: NDArray,
    weights: Optional[NDArray] = None,
    intercept: bool = True,
    robust: bool = False,
) -> Dict[str, NDArray]:
    """(Weighted) least squares by the normal equations.

    Args:
        X: design matrix of shape (n, p).
        y: response of shape (n,).
        weights: observation weights, one if not given.
        intercept: prepend a column of ones.
        robust: HC1 standard errors instead of the classical ones.

    Returns:
        Coefficients, standard errors, t values, r2 and leverages.
    """
    if intercept:
        X = np.column_stack([np.ones(len(X), dtype=X.dtype), X])
    n, p = X.shape
    if weights is None:
        weights = np.ones(n, dtype=X.dtype)

    # normal equations
    Xw = X * weights[:, None]
    gram = X.T @ Xw
    gram[np.diag_indices(p)] += JITTER * np.trace(gram) / p
    cholesky_(gram)
    coef = solve_(gram, Xw.T @ y)
    inv = solve_(gram, np.eye(p, dtype=X.dtype))

    # residuals and fit
    resid = y - X @ coef
    rss = np.sum(weights * resid**2)
    tss = np.sum(weights * (y - np.average(y, weights=weights)) ** 2)
    leverage = np.einsum("ij,jk,ik->i", Xw, inv, X)

    if robust:
        meat = Xw * resid[:, None]
        cov = inv @ (meat.T @ meat) @ inv * (n / (n - p))
    else:
        cov = inv * rss / (n - p)
    stderr = np.sqrt(np.diag(cov))

    return {
        "coef": coef,
        "stderr": stderr,
        "t": coef / stderr,
        "r2": 1.0 - rss / tss,
        "leverage": leverage,
    }


def sq_distances(x, c):
    # |x - c|^2 expanded; may come out slightly negative, hence the maximum
    d = (x * x).sum(1)[:, None] - 2 * x @ c.T + (c * c).sum(1)[None, :]
    return np.maximum(d, 0)


def farthest_first(x, k):
    """Deterministic seeding: start at the mean's nearest point, then maximin."""
    first = np.argmin(((x - x.mean(axis=0)) ** 2).sum(axis=1))
    chosen = [int(first)]
    best = sq_distances(x, x[chosen]).ravel()
    while len(chosen) < k:
        nxt = int(best.argmax())
        chosen.append(nxt)
        best = np.minimum(best, sq_distances(x, x[nxt : nxt + 1]).ravel())
    return x[chosen].copy()


def kmeans(x, k=3, centers=None, max_iter=100, tol=1e-5) -> Tuple:
    """Lloyd's algorithm. Returns labels, centers, and the inertia."""
    if centers is None:
        centers = farthest_first(x, k)
    else:
        centers = centers.copy()
        k = len(centers)

    for _ in range(max_iter):
        d = sq_distances(x, centers)
        labels = d.argmin(axis=1)

        new = np.empty_like(centers)
        for j in range(k):
            members = x[labels == j]
            if len(members) == 0:
                # empty cluster: move it to the worst-served point
                new[j] = x[d.min(axis=1).argmax()]
            else:
                new[j] = members.mean(axis=0)

        shift = np.linalg.norm(new - centers)
        centers = new
        if shift < tol:
            break

    d = sq_distances(x, centers)
    return d.argmin(axis=1), centers, d.min(axis=1).sum()

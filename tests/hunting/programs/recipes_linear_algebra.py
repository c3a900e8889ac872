"""Linear algebra by hand, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "a": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]]),
    "b": np.array([1.0, 2.0, -0.5]),
    "m": np.array([[1.0, 2.0], [0.5, -1.0], [2.0, 0.25], [-1.0, 1.0]]),
    "steps": 4,
}


def lu_without_pivots(a):
    """Doolittle."""
    n = a.shape[0]
    low = np.eye(n)
    up = a.copy()
    for k in range(n):
        for i in range(k + 1, n):
            factor = up[i, k] / up[k, k]
            low[i, k] = factor
            for j in range(k, n):
                up[i, j] = up[i, j] - factor * up[k, j]
    residual = 0.0
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += low[i, k] * up[k, j]
            residual = max(residual, abs(total - a[i, j]))
    determinant = 1.0
    for k in range(n):
        determinant *= up[k, k]
    return low, up, determinant, residual


def lu_with_pivots(a):
    """Rows change places for the largest pivot."""
    up = a.copy()
    n = up.shape[0]
    order = np.arange(n)
    swaps = 0
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(up[k:, k]))
        if pivot != k:
            saved = up[k].copy()
            up[k] = up[pivot]
            up[pivot] = saved
            place = order[k].copy()
            order[k] = order[pivot]
            order[pivot] = place
            swaps += 1
        for i in range(k + 1, n):
            up[i, k] /= up[k, k]
            up[i, k + 1 :] -= up[i, k] * up[k, k + 1 :]
    sign = 1 - 2 * (swaps % 2)
    return up, order, sign * np.prod(np.diag(up))


def gauss_jordan(a, b):
    """The inverse times b, in one table."""
    n = len(b)
    table = np.concatenate([a, b[:, None]], axis=1)
    for k in range(n):
        row = table[k] / table[k, k]
        table[k] = row
        for i in range(n):
            if i != k:
                table[i] = table[i] - table[i, k] * row
    x = table[:, -1]
    check = a @ x - b
    worst = 0.0
    where = -1
    for i in range(n):
        if abs(check[i]) > worst:
            worst = abs(check[i])
            where = i
    if worst > 1e-3:
        x = x * 0
    size = np.sqrt((x**2).sum())
    return x, size, where >= -1


def cholesky_by_hand(a):
    """Row by row."""
    n = a.shape[0]
    low = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total = total - low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(np.maximum(total, 0.0))
            else:
                low[i, j] = total / low[j, j]
    logdet = 0.0
    for i in range(n):
        logdet += 2 * np.log(low[i, i])
    product = low @ low.T
    gap = np.abs(product - a).max()
    return low, logdet, gap < 1e-6


def qr_by_householder(m):
    """Reflections applied to copies."""
    rows, columns = m.shape
    r = m.copy()
    q = np.eye(rows)
    for k in range(columns):
        v = r[k:, k].copy()
        length = np.sqrt((v * v).sum())
        if v[0] < 0:
            length = -length
        v[0] += length
        norm = (v * v).sum()
        if norm > 0:
            scale = 2.0 / norm
            block = r[k:]
            r[k:] = block - scale * np.outer(v, v @ block)
            side = q[:, k:]
            q[:, k:] = side - scale * np.outer(side @ v, v)
    size = np.abs(np.diag(r))
    rebuilt = q @ r
    return size, rebuilt - m


def gram_schmidt(m):
    """Modified, column by column."""
    a = m.astype(float)
    rows, columns = a.shape
    q = np.zeros((rows, columns))
    r = np.zeros((columns, columns))
    for j in range(columns):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = (q[:, i] * v).sum()
            v -= r[i, j] * q[:, i]
        r[j, j] = np.sqrt((v * v).sum())
        if r[j, j] > 1e-12:
            q[:, j] = v / r[j, j]
        else:
            q[:, j] = 0
    orthogonal = q.T @ q
    error = np.abs(orthogonal - np.eye(columns)).max()
    return q, r, error


def jacobi_eigenvalues(a, steps):
    """Rotations that make the matrix diagonal."""
    s = a.copy()
    n = s.shape[0]
    for _ in range(steps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(s[p, q]) < 1e-12:
                    continue
                theta = (s[q, q] - s[p, p]) / (2 * s[p, q])
                sign = 1.0 if theta >= 0 else -1.0
                t = sign / (abs(theta) + np.sqrt(theta * theta + 1))
                c = 1 / np.sqrt(t * t + 1)
                z = t * c
                rotation = np.eye(n)
                rotation[p, p] = c
                rotation[q, q] = c
                rotation[p, q] = z
                rotation[q, p] = -z
                s = rotation.T @ s @ rotation
    return np.sort(np.diag(s)), np.trace(s)


def power_iteration_with_deflation(a, steps):
    """The two largest eigenvalues."""
    work = a.copy()
    n = work.shape[0]
    values = []
    vectors = []
    for _ in range(2):
        v = np.ones(n)
        v[0] = 2.0
        for _ in range(steps):
            w = work @ v
            norm = np.sqrt(w @ w)
            v = w / norm
        value = v @ work @ v
        work = work - value * np.outer(v, v)
        values.append(value)
        vectors.append(v)
    first, second = values
    basis = np.stack(vectors)
    gram = basis @ basis.T
    return first, second, gram[0, 1], np.abs(work).sum()

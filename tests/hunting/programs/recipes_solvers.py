"""Systems of equations and what is made of them, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "a": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]]),
    "b": np.array([1.0, 2.0, -0.5]),
    "m": np.array([[1.0, 2.0], [0.5, -1.0], [2.0, 0.25], [-1.0, 1.0]]),
    "y": np.array([1.0, 0.5, 2.0, -1.0]),
    "d": np.array([4.0, 5.0, 6.0]),
    "lower": np.array([1.0, -1.0]),
    "upper": np.array([0.5, 2.0]),
    "steps": 4,
    "tol": 1e-6,
}


def conjugate_gradient(a, b, tol):
    """Until the residual is small, or as many steps as unknowns."""
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    old = r @ r
    count = 0
    for _ in range(len(b)):
        if old < tol:
            break
        ap = a @ p
        alpha = old / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        p = r + (new / old) * p
        old = new
        count += 1
    energy = 0.5 * x @ a @ x - b @ x
    return x, count, energy, old


def gauss_seidel(a, b, steps):
    """In place, so that new values are used at once."""
    n = len(b)
    x = np.zeros(n)
    history = np.zeros(steps)
    for step in range(steps):
        change = 0.0
        for i in range(n):
            total = b[i]
            for j in range(n):
                if j != i:
                    total -= a[i, j] * x[j]
            new = total / a[i, i]
            change = max(change, abs(new - x[i]))
            x[i] = new
        history[step] = change
    r = b - a @ x
    return x, history, np.abs(r).max()


def jacobi_iteration(a, b, steps):
    """All at once, with two buffers."""
    diagonal = np.diag(a).copy()
    rest = a - np.diag(diagonal)
    old = np.zeros(len(b))
    new = np.empty_like(old)
    errors = []
    for step in range(steps):
        new[:] = (b - rest @ old) / diagonal
        errors.append(np.abs(new - old).max())
        old, new = new, old
        if step == 0:
            first = old.copy()
    best = errors[0]
    for e in errors[1:]:
        if e < best:
            best = e
    return old, first, best


def thomas(lower, d, upper, b):
    """A tridiagonal system."""
    n = d.shape[0]
    c = np.zeros(n)
    g = np.zeros(n)
    c[0] = upper[0] / d[0]
    g[0] = b[0] / d[0]
    for i in range(1, n):
        denominator = d[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / denominator
        g[i] = (b[i] - lower[i - 1] * g[i - 1]) / denominator
    x = np.zeros(n)
    x[-1] = g[-1]
    for i in range(n - 2, -1, -1):
        x[i] = g[i] - c[i] * x[i + 1]
    full = np.diag(d) + np.diag(lower, -1) + np.diag(upper, 1)
    return x, full @ x - b


def least_squares_by_givens(m, y):
    """Rotations that make zeros below the diagonal."""
    r = m.copy()
    z = y.copy()
    rows, columns = r.shape
    for j in range(columns):
        for i in range(rows - 1, j, -1):
            top, bottom = r[i - 1, j], r[i, j]
            length = np.hypot(top, bottom)
            if length > 0:
                c, s = top / length, bottom / length
                upper = c * r[i - 1] + s * r[i]
                under = c * r[i] - s * r[i - 1]
                r[i - 1] = upper
                r[i] = under
                first = c * z[i - 1] + s * z[i]
                second = c * z[i] - s * z[i - 1]
                z[i - 1] = first
                z[i] = second
    x = np.zeros(columns)
    for j in range(columns - 1, -1, -1):
        x[j] = (z[j] - r[j, j + 1 :] @ x[j + 1 :]) / r[j, j]
    return x, (z[columns:] ** 2).sum()


def matrix_exponential(a, steps):
    """A series, after halving, and squaring after it."""
    halvings = 0
    size = np.abs(a).sum(axis=1).max()
    while size > 0.5:
        size = size / 2
        halvings += 1
    b = a / 2**halvings
    n = a.shape[0]
    term = np.eye(n)
    total = np.eye(n)
    for k in range(1, steps + 6):
        term = term @ b / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    inverse = np.linalg.inv(total)
    check = total @ inverse
    return total, halvings, np.trace(check)


def inverse_by_newton_schulz(a, steps):
    """Multiplications only."""
    n = a.shape[0]
    one = np.abs(a).sum(axis=0).max()
    other = np.abs(a).sum(axis=1).max()
    x = a.T / (one * other)
    identity = np.eye(n)
    errors = np.zeros(steps)
    for k in range(steps):
        product = a @ x
        x = x @ (2 * identity - product)
        errors[k] = np.abs(identity - product).max()
    decreasing = True
    for k in range(1, steps):
        if errors[k] > errors[k - 1] + 1e-9:
            decreasing = False
    return x, errors, decreasing


def characteristic_polynomial(a):
    """Faddeev and LeVerrier."""
    n = a.shape[0]
    coefficients = np.zeros(n + 1)
    coefficients[n] = 1.0
    m = np.zeros((n, n))
    identity = np.eye(n)
    for k in range(1, n + 1):
        m = a @ m + coefficients[n - k + 1] * identity
        product = a @ m
        coefficients[n - k] = -np.trace(product) / k
    value = 0.0
    point = 1.5
    for c in coefficients[::-1]:
        value = value * point + c
    direct = np.linalg.det(point * identity - a)
    return coefficients, value, np.abs(value - direct) < 1e-6


def banded_product(lower, d, upper, b):
    """A tridiagonal matrix that is never made."""
    n = len(d)
    out = d * b
    out[:-1] += upper * b[1:]
    out[1:] += lower * b[:-1]
    norm = 0.0
    for i in range(n):
        row = abs(d[i])
        if i > 0:
            row += abs(lower[i - 1])
        if i < n - 1:
            row += abs(upper[i])
        if row > norm:
            norm = row
    scaled = out.copy()
    if norm > 0:
        scaled /= norm
    twice = d * scaled
    twice[:-1] += upper * scaled[1:]
    twice[1:] += lower * scaled[:-1]
    return out, scaled, twice, norm


def principal_components(m, steps):
    """By subspace iteration."""
    centred = m - m.mean(axis=0)
    covariance = centred.T @ centred / (len(m) - 1)
    n = covariance.shape[0]
    basis = np.eye(n)
    for _ in range(steps):
        basis = covariance @ basis
        for j in range(n):
            for i in range(j):
                overlap = basis[:, i] @ basis[:, j]
                basis[:, j] = basis[:, j] - overlap * basis[:, i]
            length = np.sqrt(basis[:, j] @ basis[:, j])
            if length > 0:
                basis[:, j] = basis[:, j] / length
    variances = np.diag(basis.T @ covariance @ basis)
    share = variances / variances.sum()
    return share, np.abs(centred @ basis).sum(axis=0)


def ridge_path(m, y):
    """One solution for each strength, warm from the last."""
    strengths = (4.0, 1.0, 0.25)
    gram = m.T @ m
    right = m.T @ y
    n = gram.shape[0]
    w = np.zeros(n)
    path = []
    losses = []
    for strength in strengths:
        system = gram + strength * np.eye(n)
        for _ in range(20):
            gradient = system @ w - right
            step = (gradient @ gradient) / (gradient @ system @ gradient + 1e-30)
            w = w - step * gradient
        residual = m @ w - y
        path.append(w)
        losses.append((residual**2).sum() + strength * (w**2).sum())
    return np.stack(path), np.array(losses)


def rank_by_elimination(m, tol):
    """How many pivots there are."""
    work = m.copy()
    rows, columns = work.shape
    rank = 0
    used = np.zeros(rows, dtype=bool)
    for j in range(columns):
        best, place = tol, -1
        for i in range(rows):
            if not used[i] and abs(work[i, j]) > best:
                best, place = abs(work[i, j]), i
        if place < 0:
            continue
        used[place] = True
        rank += 1
        pivot = work[place] / work[place, j]
        for i in range(rows):
            if i != place:
                work[i] = work[i] - work[i, j] * pivot
    return rank, used

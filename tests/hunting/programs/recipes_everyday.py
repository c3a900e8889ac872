"""Longer programs as they are written every day, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "X": np.array([[1.0, 2.0, 0.5], [3.0, 2.0, -1.0], [0.0, 2.0, 4.0], [2.0, 2.0, 1.0]]),
    "x": np.array([0.5, -1.0, 2.0, 0.25, 3.0, -2.0]),
    "y": np.array([1.0, 0.0, 1.5, -0.5, 2.0, 1.0]),
    "k": 2,
    "rate": 0.1,
    "sales": {"north": np.array([3.0, 1.0, 2.0]), "south": np.array([0.0, 5.0, 1.0])},
    "stock": {"north": np.array([9.0, 9.0, 2.0]), "south": np.array([4.0, 4.0, 4.0])},
    "layers": [
        {"w": np.arange(9.0).reshape(3, 3) / 8, "b": np.array([0.1, 0.2, -0.1])},
        {"w": np.eye(3) - 0.5, "b": np.zeros(3)},
    ],
}


def standardised_where_it_varies(X):
    mean = X.mean(axis=0)
    std = X.std(axis=0)
    X_std = X
    changed = np.zeros(X.shape[1])
    for c in range(X.shape[1]):
        if std[c]:
            X_std[:, c] = (X[:, c] - mean[c]) / std[c]
            changed[c] = 1
    total = X.sum()
    outliers = np.abs(X_std) > 1.2
    counts = outliers.sum(axis=0)
    worst = counts.max()
    flagged = []
    for c in range(X_std.shape[1]):
        column = X_std[:, c]
        flagged.append(np.where(outliers[:, c], np.sign(column) * 1.2, column))
    clipped = np.stack(flagged, axis=1)
    return clipped, changed, total, worst


def sold_and_restocked(sales, stock):
    missing = {}
    total = 0.0
    for region in list(sales):
        left = stock[region] - sales[region]
        short = np.maximum(-left, 0)
        stock[region] = np.maximum(left, 0)
        missing[region] = short
        total = total + short.sum()
    order = {region: m * 2 for region, m in missing.items()}
    for region in stock:
        stock[region] = stock[region] + order[region]
    names = sorted(stock)
    table = np.stack([stock[name] for name in names])
    shares = table / (table.sum(axis=1, keepdims=True) + 1e-9)
    best = table.sum(axis=1).argmax()
    return stock, shares, total, best


def _centred(v):
    return v - v.mean()


def _tamed(v):
    return np.tanh(v) * 0.5


def halves_by_helpers(x, y):
    z = x * y
    high = z > 0
    low = ~high
    z[high] = _tamed(z[high])
    z[low] = _tamed(z[low]) - 1
    scores = np.where(high, x - y, y - x)
    ordered = np.sort(scores)
    middle = len(ordered) // 2
    first, second = ordered[:middle], ordered[middle:]
    gap = second.mean() - first.mean()
    spread = _centred(scores)
    for i in range(len(spread)):
        if spread[i] < 0:
            spread[i] = -spread[i]
    weights = spread / spread.sum()
    picked = weights > weights.mean()
    z[picked] += gap
    return z, weights, gap


def fixed_point_with_history(x, rate):
    guess = x * 0 + 1.0
    error = 1.0
    turns = 0
    path = np.zeros(8)
    while error > 1e-3 and turns < 8:
        better = guess - rate * (guess**2 - np.abs(x))
        error = np.abs(better - guess).max()
        guess = better
        path[turns] = error
        turns += 1
    settled = path[:turns]
    if turns == 8:
        note = 1.0
    else:
        note = 0.0
    slope = 0.0
    for i in range(1, 8):
        slope += (path[i] - path[i - 1]) * 0.5**i
    return guess, settled.sum(), slope, note


def windows_and_peaks(x, k):
    n = len(x)
    padded = np.concatenate([x[:1]] * k + [x] + [x[-1:]] * k)
    means = np.zeros(n)
    peaks = np.zeros(n, bool)
    for i in range(n):
        window = padded[i : i + 2 * k + 1]
        means[i] = window.mean()
        peaks[i] = x[i] >= window.max()
    smooth = means.copy()
    smooth[1:-1] = (means[:-2] + means[1:-1] + means[2:]) / 3
    heights = np.where(peaks, x, -np.inf)
    top = heights.argmax()
    trough = np.where(peaks, np.inf, x).argmin()
    between = abs(top - trough)
    rising = smooth[1:] > smooth[:-1]
    runs = 0
    for flag in rising:
        runs = runs + 1 if flag else 0
    return smooth, peaks, top, between, runs


def forward_then_shrunk(layers, X, rate):
    h = X
    kept = []
    for i, layer in enumerate(layers):
        z = h @ layer["w"] + layer["b"]
        h = np.maximum(z, 0) if i < len(layers) - 1 else z
        kept.append(h)
    loss = (h**2).mean()
    norms = []
    for layer in layers:
        norm = np.sqrt((layer["w"] ** 2).sum())
        norms.append(norm)
        if norm > 1:
            layer["w"] = layer["w"] * (1 - rate)
        layer["b"] = layer["b"] - rate * loss
    widest = max(norms)
    active = [(k > 0).mean() for k in kept]
    penalty = 0.0
    for norm, share in zip(norms, active):
        penalty += norm * share
    return layers, loss + rate * penalty, widest


def ledger_with_interest(x, rate, k):
    balance = 0.0
    lowest = 0.0
    fees = 0
    book = np.zeros(len(x) + 1)
    for day, change in enumerate(x):
        if day % (k + 1) == k:
            balance = balance * (1 + rate)
        balance = balance + change
        if balance < 0:
            balance = balance - 0.25
            fees += 1
        lowest = min(lowest, balance)
        book[day + 1] = balance
    drawdown = np.maximum.reduce(book) - book[-1]
    gains = book[1:] - book[:-1]
    up, down = gains[gains > 0].sum(), gains[gains < 0].sum()
    ratio = up / -down if down < 0 else up
    return book, lowest, fees, drawdown, ratio


def relaxed_grid(X, k):
    grid = X.copy()
    before = grid
    rows, columns = grid.shape
    for sweep in range(k):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                around = grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]
                grid[i, j] = around / 4
        edges = grid[0], grid[-1]
        for edge in edges:
            edge *= 0.5**sweep
    same = before is grid
    inner = grid[1:-1, 1:-1]
    flux = grid[:, 0].sum() - grid[:, -1].sum()
    if same:
        inner = inner + 1
    level = inner.mean() if inner.size else 0.0
    return before, inner, flux, level


def votes_and_ties(X, y):
    ranks = np.argsort(np.argsort(X, axis=1), axis=1)
    points = ranks.sum(axis=0)
    order = np.argsort(-points, kind="stable")
    winner, runner_up = order[0], order[1]
    margin = points[winner] - points[runner_up]
    tally = np.zeros(X.shape[1], int)
    for row in X:
        best = 0
        for j in range(1, X.shape[1]):
            if row[j] > row[best]:
                best = j
        tally[best] += 1
    agree = tally.argmax() == winner
    weights = y[: X.shape[0]] ** 2
    weighted = (weights[:, None] * ranks).sum(axis=0)
    result = {"points": points, "tally": tally, "weighted": weighted}
    if margin == 0:
        result["points"] = points + 1
    return result, winner, agree


def queue_of_jobs(x, k):
    free = np.zeros(k)
    waits = []
    loads = np.zeros(k)
    for job in np.abs(x):
        server = free.argmin()
        start = free[server]
        waits.append(start)
        free[server] = start + job
        loads[server] += job
    waits = np.array(waits)
    makespan = free.max()
    idle = makespan - free
    balance = loads.std()
    late = waits > waits.mean()
    share = late.sum() / len(late)
    order = np.argsort(loads)[::-1]
    ranked = loads[order]
    total = 0.0
    for rank, load in enumerate(ranked):
        total += load / (rank + 1)
    return waits, makespan, idle, balance, share, total

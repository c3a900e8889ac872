"""Statistics, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "x": np.array([[0.0, 0.5], [0.25, 0.0], [4.0, 4.5], [4.25, 4.0], [0.5, 0.25], [5.0, 4.0]]),
    "y": np.array([0.0, 0.0, 1.0, 1.0, 0.0, 1.0]),
    "v": np.array([2.0, 4.0, 4.0, 5.0, 7.0, 9.0]),
    "w": np.array([1.0, 3.0, 2.0, 5.0, 8.0, 9.0]),
    "labels": np.array([0, 0, 1, 1, 0, 1]),
    "picks": np.array([[0, 1, 2, 3, 4, 5], [5, 5, 1, 0, 2, 2], [3, 1, 4, 1, 5, 0]]),
    "steps": 3,
    "counts": np.array([[8.0, 2.0], [3.0, 7.0]]),
}


def ordinary_least_squares(x, v):
    """With standard errors."""
    n, d = x.shape
    design = np.hstack([np.ones((n, 1)), x])
    gram = design.T @ design + 1e-9 * np.eye(d + 1)
    inverse = np.linalg.inv(gram)
    beta = inverse @ design.T @ v
    fitted = design @ beta
    residual = v - fitted
    freedom = n - d - 1
    sigma = (residual @ residual) / freedom
    errors = np.sqrt(np.diag(inverse) * sigma)
    total = ((v - v.mean()) ** 2).sum()
    r2 = 1 - (residual @ residual) / total
    adjusted = 1 - (1 - r2) * (n - 1) / freedom
    durbin = 0.0
    for i in range(1, n):
        durbin += (residual[i] - residual[i - 1]) ** 2
    durbin = durbin / (residual @ residual)
    return beta, errors, r2, adjusted, durbin


def bootstrap_of_the_mean(v, picks):
    """With indices that are given."""
    means = []
    medians = []
    for pick in picks:
        sample = v[pick]
        total = 0.0
        for s in sample:
            total = total + s
        means.append(total / len(sample))
        ordered = np.sort(sample)
        middle = len(sample) // 2
        if len(sample) % 2:
            medians.append(ordered[middle])
        else:
            medians.append((ordered[middle - 1] + ordered[middle]) / 2)
    means = np.array(means)
    medians = np.array(medians)
    bias = means.mean() - v.mean()
    spread = np.sqrt(((means - means.mean()) ** 2).sum() / (len(means) - 1))
    low, high = np.sort(means)[0], np.sort(means)[-1]
    return means, medians, bias, spread, (low, high)


def ranks_with_ties(v, w):
    """Spearman's correlation."""
    n = v.shape[0]

    def ranks(a):
        out = np.zeros(n)
        for i in range(n):
            below = (a < a[i]).sum()
            same = (a == a[i]).sum()
            out[i] = below + (same + 1) / 2
        return out

    rv = ranks(v)
    rw = ranks(w)
    dv = rv - rv.mean()
    dw = rw - rw.mean()
    top = (dv * dw).sum()
    bottom = np.sqrt((dv**2).sum() * (dw**2).sum())
    rho = top / bottom
    concordant = 0
    for i in range(n):
        for j in range(i + 1, n):
            concordant += int(np.sign(v[i] - v[j]) * np.sign(w[i] - w[j]) > 0)
    return rho, concordant, rv, rw


def welford(v):
    """Mean and variance in one pass, and higher moments."""
    n = 0
    mean = 0.0
    m2 = 0.0
    m3 = 0.0
    for value in v:
        n += 1
        delta = value - mean
        step = delta / n
        term = delta * step * (n - 1)
        mean += step
        m3 += term * step * (n - 2) - 3 * step * m2
        m2 += term
    variance = m2 / (n - 1)
    skew = np.sqrt(n) * m3 / m2**1.5
    z = (v - mean) / np.sqrt(variance)
    outliers = 0
    for value in z:
        if abs(value) > 1.5:
            outliers += 1
    return mean, variance, skew, outliers


def histogram_and_entropy(v):
    """Equal bins between the extremes."""
    bins = 4
    low, high = v.min(), v.max()
    width = (high - low) / bins
    counts = np.zeros(bins)
    for value in v:
        place = ((value - low) / width).astype(int)
        if place == bins:
            place = place - 1
        counts[place] += 1
    p = counts / counts.sum()
    entropy = 0.0
    for share in p:
        if share > 0:
            entropy -= share * np.log(share)
    edges = low + width * np.arange(bins + 1)
    middle = (edges[1:] + edges[:-1]) / 2
    mean = (p * middle).sum()
    mode = middle[np.argmax(counts)]
    return counts, entropy, mean, mode


def chi_squared(counts):
    """Of a table."""
    rows = counts.sum(axis=1)
    columns = counts.sum(axis=0)
    total = counts.sum()
    statistic = 0.0
    expected = np.zeros_like(counts)
    for i in range(counts.shape[0]):
        for j in range(counts.shape[1]):
            expected[i, j] = rows[i] * columns[j] / total
            gap = counts[i, j] - expected[i, j]
            statistic += gap * gap / expected[i, j]
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    cramer = np.sqrt(statistic / (total * min(counts.shape[0] - 1, counts.shape[1] - 1)))
    odds = None
    if counts.shape == (2, 2):
        odds = counts[0, 0] * counts[1, 1] / (counts[0, 1] * counts[1, 0])
    residuals = (counts - expected) / np.sqrt(expected)
    return statistic, freedom, cramer, odds, residuals


def exponential_smoothing(v):
    """Holt's, with trend and a forecast."""
    alpha, beta = 0.5, 0.25
    level = v[0]
    trend = v[1] - v[0]
    fitted = np.zeros(len(v))
    fitted[0] = level
    for t in range(1, len(v)):
        last = level
        level = alpha * v[t] + (1 - alpha) * (level + trend)
        trend = beta * (level - last) + (1 - beta) * trend
        fitted[t] = level
    forecast = []
    for h in range(1, 4):
        forecast.append(level + h * trend)
    errors = v - fitted
    mae = np.abs(errors).mean()
    mape = 0.0
    for actual, error in zip(v, errors):
        if actual != 0:
            mape += abs(error / actual)
    return fitted, np.array(forecast), mae, mape / len(v)


def roc_curve(v, y):
    """Area under it, by the trapezoids."""
    order = np.argsort(-v, kind="stable")
    sorted_y = y[order]
    positives = y.sum()
    negatives = len(y) - positives
    tpr = np.zeros(len(y) + 1)
    fpr = np.zeros(len(y) + 1)
    hits = 0.0
    alarms = 0.0
    for i in range(len(y)):
        if sorted_y[i] > 0.5:
            hits += 1
        else:
            alarms += 1
        tpr[i + 1] = hits / positives
        fpr[i + 1] = alarms / negatives
    area = 0.0
    for i in range(len(y)):
        area += (fpr[i + 1] - fpr[i]) * (tpr[i + 1] + tpr[i]) / 2
    best = np.argmax(tpr - fpr)
    return tpr, fpr, area, best


def markov_chain(counts, steps):
    """Its stationary distribution, and the way there."""
    transition = counts / counts.sum(axis=1, keepdims=True)
    n = transition.shape[0]
    state = np.zeros(n)
    state[0] = 1.0
    path = [state]
    for _ in range(steps):
        state = state @ transition
        path.append(state)
    stationary = state
    change = 1.0
    turns = 0
    while change > 1e-9 and turns < 100:
        new = stationary @ transition
        change = np.abs(new - stationary).sum()
        stationary = new
        turns += 1
    entropy = 0.0
    for i in range(n):
        for j in range(n):
            p = transition[i, j]
            if p > 0:
                entropy -= stationary[i] * p * np.log(p)
    return np.stack(path), stationary, entropy


def viterbi(counts, labels):
    """The likeliest states behind what was seen."""
    transition = np.log(counts / counts.sum(1, keepdims=True))
    emission = np.log(np.array([[0.75, 0.25], [0.25, 0.75]]))
    n = len(labels)
    score = emission[:, labels[0]] - np.log(2.0)
    back = np.zeros((n, 2), dtype=int)
    for t in range(1, n):
        new = np.zeros(2)
        for s in range(2):
            ways = score + transition[:, s]
            best = ways.argmax()
            back[t, s] = best
            new[s] = ways[best] + emission[s, labels[t]]
        score = new
    path = np.zeros(n, dtype=int)
    path[-1] = score.argmax()
    for t in range(n - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path, score.max()


def forward_backward(counts, labels):
    """The probability of each state at each time."""
    transition = counts / counts.sum(1, keepdims=True)
    emission = np.array([[0.75, 0.25], [0.25, 0.75]])
    n = labels.shape[0]
    forward = np.zeros((n, 2))
    scale = np.zeros(n)
    now = np.array([0.5, 0.5]) * emission[:, labels[0]]
    for t in range(n):
        if t > 0:
            now = (forward[t - 1] @ transition) * emission[:, labels[t]]
        scale[t] = now.sum()
        forward[t] = now / scale[t]
    backward = np.ones((n, 2))
    for t in range(n - 2, -1, -1):
        later = backward[t + 1] * emission[:, labels[t + 1]]
        backward[t] = transition @ later / scale[t + 1]
    posterior = forward * backward
    posterior /= posterior.sum(1, keepdims=True)
    return posterior, np.log(scale).sum()

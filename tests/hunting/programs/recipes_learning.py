"""Learning from scratch, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "x": np.array([[0.0, 0.5], [0.25, 0.0], [4.0, 4.5], [4.25, 4.0], [0.5, 0.25], [5.0, 4.0]]),
    "y": np.array([0.0, 0.0, 1.0, 1.0, 0.0, 1.0]),
    "v": np.array([2.0, 4.0, 4.0, 5.0, 7.0, 9.0]),
    "labels": np.array([0, 0, 1, 1, 0, 1]),
    "k": 2,
    "steps": 3,
    "rate": 0.5,
}


def k_means(x, k, steps):
    """Lloyd's, from the first points."""
    centres = x[:k].copy()
    n = x.shape[0]
    labels = np.zeros(n, dtype=np.int64)
    for _ in range(steps):
        for i in range(n):
            best = np.inf
            for c in range(k):
                distance = ((x[i] - centres[c]) ** 2).sum()
                if distance < best:
                    best = distance
                    labels[i] = c
        for c in range(k):
            members = labels == c
            count = members.sum()
            if count > 0:
                centres[c] = (x * members[:, None]).sum(axis=0) / count
    inertia = 0.0
    for i in range(n):
        inertia += ((x[i] - centres[labels[i]]) ** 2).sum()
    return centres, labels, inertia


def k_means_at_once(x, k, steps):
    """The same with whole arrays."""
    centres = x[-k:] * 1.0
    history = []
    for _ in range(steps):
        distances = ((x[:, None, :] - centres[None, :, :]) ** 2).sum(-1)
        labels = distances.argmin(1)
        one_hot = (labels[:, None] == np.arange(k)).astype(x.dtype)
        counts = one_hot.sum(0)
        sums = one_hot.T @ x
        centres = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres)
        history.append(distances.min(1).sum())
    order = np.argsort(centres[:, 0])
    centres = centres[order]
    back = np.argsort(order)
    labels = back[labels]
    spread = np.zeros(k)
    for c in range(k):
        spread[c] = ((labels == c) * distances[:, order[c]]).sum()
    return centres, labels, np.array(history), spread


def gaussian_mixture_step(x, k):
    """One step of expectation and maximisation."""
    n, d = x.shape
    means = x[:k] + 0.0
    variances = np.ones((k, d))
    weights = np.full(k, 1.0 / k)
    logs = np.zeros((n, k))
    for c in range(k):
        gap = x - means[c]
        logs[:, c] = np.log(weights[c]) - 0.5 * (gap**2 / variances[c] + np.log(variances[c])).sum(1)
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - top)
    total = shares.sum(axis=1, keepdims=True)
    shares = shares / total
    likelihood = (np.log(total) + top).sum()
    mass = shares.sum(axis=0)
    for c in range(k):
        r = shares[:, c : c + 1]
        means[c] = (r * x).sum(0) / mass[c]
        variances[c] = (r * (x - means[c]) ** 2).sum(0) / mass[c] + 1e-6
    weights = mass / n
    return weights, means, variances, likelihood


def logistic_regression(x, y, steps, rate):
    """Gradient descent with an intercept."""
    n, d = x.shape
    design = np.concatenate([np.ones((n, 1)), x], axis=1)
    w = np.zeros(d + 1)
    losses = np.zeros(steps)
    for step in range(steps):
        z = design @ w
        p = 1 / (1 + np.exp(-z))
        gradient = design.T @ (p - y) / n
        gradient[1:] += 0.125 * w[1:]
        w -= rate * gradient
        eps = 1e-12
        losses[step] = -(y * np.log(p + eps) + (1 - y) * np.log(1 - p + eps)).mean()
    guess = (design @ w > 0).astype(int)
    right = 0
    for i in range(n):
        if guess[i] == y[i]:
            right += 1
    return w, losses, right / n


def naive_bayes(x, labels, k):
    """Gaussian, by class."""
    n, d = x.shape
    means = np.zeros((k, d))
    variances = np.zeros((k, d))
    priors = np.zeros(k)
    for c in range(k):
        chosen = labels == c
        count = chosen.sum()
        priors[c] = count / n
        means[c] = np.where(chosen[:, None], x, 0).sum(0) / count
        gap = np.where(chosen[:, None], x - means[c], 0)
        variances[c] = (gap**2).sum(0) / count + 0.25
    scores = np.empty((n, k))
    for i in range(n):
        for c in range(k):
            z = (x[i] - means[c]) ** 2 / variances[c]
            scores[i, c] = np.log(priors[c]) - 0.5 * (z + np.log(variances[c])).sum()
    guess = scores.argmax(1)
    table = np.zeros((k, k), dtype=int)
    for truth, said in zip(labels, guess):
        table[truth, said] += 1
    return guess, table, (guess == labels).mean()


def nearest_neighbours(x, y, k):
    """Leave one out, by vote."""
    n = x.shape[0]
    wrong = 0
    votes = np.zeros(n)
    for i in range(n):
        distances = np.zeros(n)
        for j in range(n):
            gap = x[i] - x[j]
            distances[j] = (gap * gap).sum()
        distances[i] = np.inf
        order = np.argsort(distances, kind="stable")
        near = order[:k]
        total = 0.0
        for j in near:
            total = total + y[j]
        votes[i] = total / k
        guess = 1.0 if votes[i] > 0.5 else 0.0
        if guess != y[i]:
            wrong += 1
    return votes, wrong, 1 - wrong / n


def decision_stump(x, y):
    """The best single threshold."""
    n, d = x.shape
    best = np.inf
    chosen = 0
    threshold = 0.0
    for j in range(d):
        values = np.sort(x[:, j])
        for i in range(n - 1):
            cut = (values[i] + values[i + 1]) / 2
            left = x[:, j] <= cut
            nl = left.sum()
            nr = n - nl
            if nl == 0 or nr == 0:
                continue
            pl = np.where(left, y, 0).sum() / nl
            pr = np.where(left, 0, y).sum() / nr
            gini = nl * pl * (1 - pl) + nr * pr * (1 - pr)
            if gini < best:
                best = gini
                chosen = j
                threshold = cut
    return chosen, threshold, best


def adaboost(v, y, steps):
    """Stumps on one feature."""
    n = v.shape[0]
    signs = 2 * y - 1
    weights = np.ones(n) / n
    score = np.zeros(n)
    alphas = []
    for step in range(steps):
        cut = v[step] + 0.5
        guess = np.where(v > cut, 1.0, -1.0)
        error = (weights * (guess != signs)).sum()
        if error > 0.5:
            guess = -guess
            error = 1 - error
        error = np.clip(error, 0.01, 0.99)
        alpha = 0.5 * np.log((1 - error) / error)
        weights = weights * np.exp(-alpha * signs * guess)
        weights = weights / weights.sum()
        score += alpha * guess
        alphas.append(alpha)
    final = np.sign(score)
    return np.array(alphas), weights, (final == signs).sum()


def perceptron(x, y, steps):
    """Mistakes move the plane."""
    signs = np.where(y > 0, 1.0, -1.0)
    w = np.zeros(x.shape[1])
    b = 0.0
    mistakes = []
    for _ in range(steps):
        count = 0
        for row, sign in zip(x, signs):
            margin = sign * (row @ w + b)
            if margin <= 0:
                w = w + sign * row
                b = b + sign
                count += 1
        mistakes.append(count)
    scores = x @ w + b
    size = np.sqrt((w * w).sum())
    closest = np.inf
    for s in scores:
        closest = min(closest, abs(s))
    return w, b, np.array(mistakes), closest / (size + 1)


def stochastic_descent(x, v, steps, rate):
    """Minibatches of two, in order."""
    n, d = x.shape
    w = np.zeros(d)
    bias = 0.0
    losses = []
    for epoch in range(steps):
        total = 0.0
        for start in range(0, n, 2):
            batch = x[start : start + 2]
            target = v[start : start + 2]
            error = batch @ w + bias - target
            total += (error**2).sum()
            gradient = batch.T @ error / len(error)
            w = w - rate * 0.0625 * gradient
            bias = bias - rate * 0.0625 * error.mean()
        losses.append(total / n)
        rate = rate * 0.75
    return w, bias, np.array(losses), rate

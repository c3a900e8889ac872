"""Tables of dynamic programming, text and sorting, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "weights": np.array([1, 3, 4, 2]),
    "values": np.array([1.5, 4.0, 5.0, 3.0]),
    "capacity": 6,
    "coins": [1, 3, 4],
    "text": np.array([1, 2, 3, 2, 1, 2]),
    "other": np.array([2, 3, 1, 2, 2]),
    "prices": np.array([10.0, 12.0, 11.0, 15.0, 9.0, 14.0]),
    "costs": np.array([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]]),
    "steps": 3,
    "grid": np.array([[1.0, 3.0, 1.0], [1.0, 5.0, 1.0], [4.0, 2.0, 1.0]]),
    "scores": np.array([[0.1, 0.6, 0.3], [0.5, 0.25, 0.25], [0.2, 0.2, 0.6]]),
}


def knapsack(weights, values, capacity):
    """A table of the best values, and what was taken."""
    n = len(weights)
    best = np.zeros((n + 1, capacity + 1))
    for i in range(1, n + 1):
        for c in range(capacity + 1):
            best[i, c] = best[i - 1, c]
            w = weights[i - 1]
            if w <= c:
                other = best[i - 1, c - w] + values[i - 1]
                if other > best[i, c]:
                    best[i, c] = other
    taken = np.zeros(n, dtype=bool)
    c = capacity
    for i in range(n, 0, -1):
        if best[i, c] != best[i - 1, c]:
            taken[i - 1] = True
            c = c - weights[i - 1]
    weight = (weights * taken).sum()
    return best[n, capacity], taken, weight


def coin_change(coins, capacity):
    """The fewest coins, and how many ways."""
    large = capacity + 1
    fewest = [0] + [large] * capacity
    last = [0] * (capacity + 1)
    for amount in range(1, capacity + 1):
        for coin in coins:
            if coin <= amount and fewest[amount - coin] + 1 < fewest[amount]:
                fewest[amount] = fewest[amount - coin] + 1
                last[amount] = coin
    ways = [1] + [0] * capacity
    for coin in coins:
        for amount in range(coin, capacity + 1):
            ways[amount] += ways[amount - coin]
    used = []
    amount = capacity
    while amount > 0 and last[amount]:
        used.append(last[amount])
        amount -= last[amount]
    return fewest[capacity], ways[capacity], sum(used), len(used)


def edit_distance(text, other):
    """Levenshtein's table."""
    n, m = len(text), len(other)
    table = np.zeros((n + 1, m + 1), dtype=int)
    for i in range(n + 1):
        table[i, 0] = i
    for j in range(m + 1):
        table[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if text[i - 1] == other[j - 1] else 1
            change = table[i - 1, j - 1] + cost
            drop = table[i - 1, j] + 1
            add = table[i, j - 1] + 1
            table[i, j] = min(change, drop, add)
    distance = table[n, m]
    ratio = 1 - distance / max(n, m)
    diagonal = 0
    for k in range(min(n, m)):
        diagonal += table[k, k]
    return distance, ratio, diagonal


def longest_common_subsequence(text, other):
    """Its length, and the thing itself."""
    n, m = text.shape[0], other.shape[0]
    table = np.zeros((n + 1, m + 1), dtype=int)
    for i in range(n):
        for j in range(m):
            if text[i] == other[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = np.maximum(table[i, j + 1], table[i + 1, j])
    length = table[n, m]
    found = np.zeros(n, dtype=int)
    i, j, k = n, m, 0
    while i > 0 and j > 0:
        if text[i - 1] == other[j - 1]:
            found[k] = text[i - 1]
            k += 1
            i -= 1
            j -= 1
        elif table[i - 1, j] >= table[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return length, found, k


def dynamic_time_warping(prices, values):
    """The cheapest alignment."""
    n, m = len(prices), len(values)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            gap = abs(prices[i - 1] / 4 - values[j - 1])
            before = np.minimum(np.minimum(cost[i - 1, j], cost[i, j - 1]), cost[i - 1, j - 1])
            cost[i, j] = gap + before
    steps = 0
    i, j = n, m
    while i > 1 or j > 1:
        choices = np.array([cost[i - 1, j - 1], cost[i - 1, j], cost[i, j - 1]])
        way = choices.argmin()
        if way == 0:
            i, j = i - 1, j - 1
        elif way == 1:
            i = i - 1
        else:
            j = j - 1
        steps += 1
    return cost[n, m], steps


def longest_increasing(prices):
    """By the table of lengths."""
    n = prices.shape[0]
    length = np.ones(n, dtype=int)
    before = np.full(n, -1)
    for i in range(n):
        for j in range(i):
            if prices[j] < prices[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
                before[i] = j
    last = length.argmax()
    total = 0.0
    count = 0
    while last >= 0:
        total += prices[last]
        last = before[last]
        count += 1
    mean = total / count
    return length, count, mean


def largest_sum(prices):
    """Kadane's, with the place."""
    changes = np.diff(prices)
    best = changes[0]
    now = changes[0]
    start = 0
    from_, to = 0, 0
    for i in range(1, len(changes)):
        if now < 0:
            now = changes[i]
            start = i
        else:
            now = now + changes[i]
        if now > best:
            best = now
            from_, to = start, i
    worst = 0.0
    top = prices[0]
    for p in prices:
        if p > top:
            top = p
        drop = (top - p) / top
        if drop > worst:
            worst = drop
    return best, from_, to, worst


def cheapest_way_through(grid):
    """Right and down only."""
    rows, columns = grid.shape
    cost = grid.copy()
    for j in range(1, columns):
        cost[0, j] += cost[0, j - 1]
    for i in range(1, rows):
        cost[i, 0] += cost[i - 1, 0]
        for j in range(1, columns):
            up = cost[i - 1, j]
            left = cost[i, j - 1]
            if up < left:
                cost[i, j] += up
            else:
                cost[i, j] += left
    way = np.zeros((rows, columns), dtype=bool)
    i, j = rows - 1, columns - 1
    way[i, j] = True
    while i > 0 or j > 0:
        if i == 0:
            j -= 1
        elif j == 0 or cost[i - 1, j] < cost[i, j - 1]:
            i -= 1
        else:
            j -= 1
        way[i, j] = True
    return cost[-1, -1], way


def assignment_by_auction(costs, steps):
    """Bidders raise prices until each has a task."""
    n = costs.shape[0]
    gain = costs.max() - costs
    price = np.zeros(n)
    owner = np.full(n, -1)
    has = np.full(n, -1)
    eps = 0.25
    for _ in range(steps * 8):
        bidder = -1
        for i in range(n):
            if has[i] < 0:
                bidder = i
                break
        if bidder < 0:
            break
        worth = gain[bidder] - price
        task = worth.argmax()
        best = worth[task]
        worth[task] = -np.inf
        second = worth.max()
        price[task] += best - second + eps
        if owner[task] >= 0:
            has[owner[task]] = -1
        owner[task] = bidder
        has[bidder] = task
    total = 0.0
    for i in range(n):
        if has[i] >= 0:
            total += costs[i, has[i]]
    return has, total


def beam_search(scores, steps):
    """The two best paths, as plain numbers and arrays."""
    logs = np.log(scores)
    width = 2
    totals = np.zeros(1)
    paths = np.zeros((1, 0), dtype=int)
    for t in range(steps):
        spread = totals[:, None] + logs[t]
        flat = spread.reshape(-1)
        order = np.argsort(-flat, kind="stable")[:width]
        rows = order // logs.shape[1]
        tokens = order % logs.shape[1]
        paths = np.concatenate([paths[rows], tokens[:, None]], axis=1)
        totals = flat[order]
    best = paths[0]
    margin = totals[0] - totals[1]
    same = 0
    for a, b in zip(paths[0], paths[1]):
        if a == b:
            same += 1
    return best, margin, same


def pair_merging(text):
    """The most frequent pair becomes one token, twice."""
    tokens = text.copy()
    n = len(tokens)
    length = n
    for turn in range(2):
        counts = np.zeros((8, 8), dtype=int)
        for i in range(n - 1):
            if i + 1 < length:
                counts[tokens[i], tokens[i + 1]] += 1
        place = counts.argmax()
        a, b = place // 8, place % 8
        merged = np.zeros_like(tokens)
        k = 0
        i = 0
        while i < length:
            if i + 1 < length and tokens[i] == a and tokens[i + 1] == b:
                merged[k] = 4 + turn
                i += 2
            else:
                merged[k] = tokens[i]
                i += 1
            k += 1
        tokens = merged
        length = k
    return tokens, length

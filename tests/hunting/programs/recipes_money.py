"""Money, pivots and sorting, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

import numpy as np

EXAMPLES = {
    "prices": np.array([10.0, 12.0, 11.0, 15.0, 9.0, 14.0]),
    "spot": np.array([90.0, 100.0, 110.0]),
    "strike": 100.0,
    "rate": 0.05,
    "years": 2,
    "costs": np.array([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0], [3.0, 2.0, 2.0]]),
    "steps": 3,
}


def black_scholes(spot, strike, rate, years):
    """Calls, puts and how they change."""
    sigma = 0.25
    root = math.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * sigma**2) * years) / (sigma * root)
    d2 = d1 - sigma * root

    def normal(z):
        t = 1 / (1 + 0.2316419 * np.abs(z))
        poly = t * (
            0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))
        )
        tail = np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi) * poly
        return np.where(z >= 0, 1 - tail, tail)

    discount = math.exp(-rate * years)
    call = spot * normal(d1) - strike * discount * normal(d2)
    put = strike * discount * normal(-d2) - spot * normal(-d1)
    parity = call - put - (spot - strike * discount)
    delta = normal(d1)
    gamma = np.exp(-0.5 * d1**2) / math.sqrt(2 * math.pi) / (spot * sigma * root)
    return call, put, delta, gamma, np.abs(parity).max() < 1e-6


def binomial_option(strike, rate, years, steps):
    """An American put, backwards through the tree."""
    n = steps + 2
    dt = years / n
    up = math.exp(0.25 * math.sqrt(dt))
    down = 1 / up
    p = (math.exp(rate * dt) - down) / (up - down)
    discount = math.exp(-rate * dt)
    prices = np.zeros(n + 1)
    for i in range(n + 1):
        prices[i] = 100.0 * up ** (n - i) * down**i
    value = np.maximum(strike - prices, 0)
    early = 0
    for step in range(n - 1, -1, -1):
        for i in range(step + 1):
            hold = discount * (p * value[i] + (1 - p) * value[i + 1])
            now = strike - 100.0 * up ** (step - i) * down**i
            if now > hold:
                early += 1
                hold = now
            value[i] = hold
    return value[0], early


def bond_yield(prices, rate, years):
    """Newton's method for the yield, then duration."""
    coupon = 5.0
    price = prices.mean() + 80
    y = rate
    turns = 0
    for _ in range(20):
        value = 0.0
        slope = 0.0
        for t in range(1, years + 1):
            factor = (1 + y) ** -t
            value += coupon * factor
            slope -= t * coupon * factor / (1 + y)
        value += 100 * (1 + y) ** -years
        slope -= years * 100 * (1 + y) ** (-years - 1)
        gap = value - price
        if abs(gap) < 1e-9:
            break
        y = y - gap / slope
        turns += 1
    duration = -slope / price
    return y, duration


def amortisation(strike, rate, years):
    """A loan paid back in equal parts."""
    months = years * 3
    monthly = rate / 3
    payment = strike * monthly / (1 - (1 + monthly) ** -months)
    rest = strike
    interest = np.zeros(months)
    capital = np.zeros(months)
    for m in range(months):
        due = rest * monthly
        interest[m] = due
        capital[m] = payment - due
        rest = rest - capital[m]
    half = 0
    paid = 0.0
    for m in range(months):
        paid += capital[m]
        if paid >= strike / 2:
            half = m
            break
    return payment, interest, capital.sum(), half, abs(rest) < 1e-9


def moving_average_crossing(prices):
    """Bought and sold where a fast mean crosses a slow one."""
    n = len(prices)
    cash, shares = 100.0, 0.0
    trades = 0
    wealth = np.zeros(n)
    for t in range(n):
        fast = prices[max(0, t - 1) : t + 1].mean()
        slow = prices[max(0, t - 3) : t + 1].mean()
        if fast > slow and shares == 0:
            shares = cash / prices[t]
            cash = 0.0
            trades += 1
        elif fast < slow and shares > 0:
            cash = shares * prices[t]
            shares = 0.0
            trades += 1
        wealth[t] = cash + shares * prices[t]
    returns = wealth[1:] / wealth[:-1] - 1
    sharpe = returns.mean() / (returns.std() + 1e-9)
    return wealth, trades, sharpe


def simplex_step(costs, steps):
    """A few pivots of a small table."""
    n = costs.shape[0]
    table = np.zeros((n + 1, 2 * n + 1))
    table[:n, :n] = costs + 1
    table[:n, n : 2 * n] = np.eye(n)
    table[:n, -1] = np.arange(n) + 4.0
    table[n, :n] = -np.arange(1, n + 1)
    pivots = 0
    for _ in range(steps):
        column = table[n, :-1].argmin()
        if table[n, column] >= 0:
            break
        best = np.inf
        row = -1
        for i in range(n):
            if table[i, column] > 1e-9:
                ratio = table[i, -1] / table[i, column]
                if ratio < best:
                    best = ratio
                    row = i
        if row < 0:
            break
        table[row] /= table[row, column]
        for i in range(n + 1):
            if i != row:
                table[i] -= table[i, column] * table[row]
        pivots += 1
    return table[n, -1], pivots, table[:n, -1]


def merge_sort_bottom_up(prices):
    """Runs of growing length, between two buffers."""
    n = len(prices)
    a = prices.copy()
    b = np.zeros(n)
    width = 1
    passes = 0
    while width < n:
        for low in range(0, n, 2 * width):
            mid = min(low + width, n)
            high = min(low + 2 * width, n)
            i, j = low, mid
            for k in range(low, high):
                if i < mid and (j >= high or a[i] <= a[j]):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
        a, b = b, a
        width *= 2
        passes += 1
    return a, passes


def quick_select(prices, steps):
    """The kth smallest, by partitions in place."""
    a = prices.copy()
    low, high = 0, len(a) - 1
    k = steps
    rounds = 0
    while low < high:
        pivot = a[high].copy()
        store = low
        for i in range(low, high):
            if a[i] < pivot:
                saved = a[i].copy()
                a[i] = a[store]
                a[store] = saved
                store += 1
        a[high] = a[store]
        a[store] = pivot
        rounds += 1
        if store == k:
            break
        if store < k:
            low = store + 1
        else:
            high = store - 1
    return a[k], rounds


def heap_sort(prices):
    """Down a heap, in place."""
    a = prices.copy()
    n = len(a)

    def sift(start, end):
        root = start
        while 2 * root + 1 <= end:
            child = 2 * root + 1
            if child + 1 <= end and a[child] < a[child + 1]:
                child += 1
            if a[root] < a[child]:
                a[root], a[child] = a[child].copy(), a[root].copy()
                root = child
            else:
                return

    for start in range((n - 2) // 2, -1, -1):
        sift(start, n - 1)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end].copy(), a[0].copy()
        sift(0, end - 1)
    return a, a[0], a[-1]

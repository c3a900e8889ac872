"""Loops that compute Python's and NumPy's numbers: recurrences, searches, sums; for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

import numpy as np

EXAMPLES = {
    "x": np.array([4.0, 1.0, 3.0, 2.0]),
    "y": np.array([1.0, 2.0, 0.5, 4.0]),
    "i": np.array([2, 0, 3, 1]),
    "n": 5,
    "k": 3,
    "f": 2.0,
    "tol": 1e-3,
}


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


def collatz(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def greatest_divisor(n, k):
    while k:
        n, k = k, n % k
    return n


def newton_root(f, tol):
    guess = f
    while abs(guess * guess - f) > tol:
        guess = 0.5 * (guess + f / guess)
    return guess


def newton_on_array(y, n):
    guess = np.ones_like(y)
    for _ in range(n):
        guess = 0.5 * (guess + y / guess)
    return guess


def until_small(x, tol):
    err = np.inf
    v = x
    while err > tol * 1000:
        new = v / 2
        err = np.abs(new - v).max()
        v = new
    return v


def bisection(f, n):
    low, high = 0.0, 4.0
    for _ in range(n):
        mid = (low + high) / 2
        if mid * mid > f:
            high = mid
        else:
            low = mid
    return low, high


def geometric(f, n):
    total, term = 0.0, 1.0
    for _ in range(n):
        total += term
        term /= f
    return total


def pi_by_series(n):
    total = 0.0
    for k in range(n):
        total += (-1) ** k / (2 * k + 1)
    return 4 * total


def index_of_smallest(x):
    best, place = x[0], 0
    for j in range(1, len(x)):
        if x[j] < best:
            best, place = x[j], j
    return place


def second_largest(x):
    first = second = -math.inf
    for v in x:
        if v > first:
            first, second = v, first
        elif v > second:
            second = v
    return second


def count_inversions(x):
    count = 0
    for a in range(len(x)):
        for b in range(a + 1, len(x)):
            if x[a] > x[b]:
                count += 1
    return count


def running_maximum(x):
    out = []
    top = x[0]
    for v in x:
        top = max(top, v)
        out.append(top)
    return np.array(out)


def weighted_by_index(x):
    total = 0.0
    for j, v in enumerate(x):
        total += (j + 1) * v
    return total


def every_other(x):
    total = 0.0
    for j in range(0, len(x), 2):
        total += x[j]
    return total


def backwards(x):
    total = 0.0
    for j in range(len(x) - 1, -1, -1):
        total = total * 0.5 + x[j]
    return total


def alternating(x):
    sign, total = 1, 0.0
    for v in x:
        total += sign * v
        sign = -sign
    return total


def stops_at_the_first(x, f):
    total = 0.0
    for v in x:
        if v < f:
            break
        total += v
    else:
        total = -1.0
    return total


def skips(x, f):
    total = 0.0
    for v in x:
        if v == f:
            continue
        total += v
    return total


def permutation_cycles(i):
    seen = np.zeros(len(i), dtype=bool)
    cycles = 0
    for start in range(len(i)):
        if not seen[start]:
            cycles += 1
            j = start
            while not seen[j]:
                seen[j] = True
                j = i[j]
    return cycles


def follow_pointers(i, n):
    j = 0
    for _ in range(n):
        j = i[j]
    return j


def harmonic_mean(y):
    total = 0.0
    for v in y:
        total += 1.0 / v
    return len(y) / total


def horner(x, y):
    total = 0.0
    for c in y:
        total = total * x[0] + c
    return total


def digits(n):
    total = 0
    while n:
        total += n % 10
        n //= 10
    return total


def is_prime(n):
    if n < 2:
        return False
    for d in range(2, int(n**0.5) + 1):
        if n % d == 0:
            return False
    return True


def power_by_squaring(f, n):
    result = 1.0
    base = f
    while n > 0:
        if n & 1:
            result *= base
        base *= base
        n >>= 1
    return result


def nested_breaks(x, y):
    found = -1
    for a in range(len(x)):
        for b in range(len(y)):
            if x[a] == y[b]:
                found = a * 10 + b
                break
        if found >= 0:
            break
    return found


def numbers_and_arrays(x, n):
    scale = 1.0
    for k in range(n):
        x = x * scale
        scale = scale / 2 if k % 2 else scale * 3
    return x, scale


def float_that_becomes_an_array(x):
    total = 0.0
    for v in x:
        total = total + v * x
    return total


def int_that_becomes_a_float(x):
    total = 0
    for v in x:
        total = total + v / 2
    return total


def none_at_first(x):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best


def counter_in_a_dict(i):
    counts = {0: 0, 1: 0}
    for j in range(len(i)):
        counts[j % 2] += int(i[j])
    return counts


def while_with_two_ends(x, n):
    low, high = 0, len(x) - 1
    swaps = 0
    a = x.copy()
    while low < high and swaps < n:
        a[low], a[high] = a[high], a[low]
        low += 1
        high -= 1
        swaps += 1
    return a, swaps


def binary_search(y, f):
    a = np.sort(y)
    low, high = 0, len(a)
    while low < high:
        mid = (low + high) // 2
        if a[mid] < f:
            low = mid + 1
        else:
            high = mid
    return low


def moving_window(x, k):
    out = np.zeros(len(x) - k + 1)
    for j in range(len(out)):
        out[j] = x[j : j + k].mean()
    return out


def exponential_average(x, f):
    alpha = 1 / f
    out = np.empty_like(x)
    state = x[0]
    for j in range(len(x)):
        state = alpha * x[j] + (1 - alpha) * state
        out[j] = state
    return out


def sum_until_positive(x, f):
    j, total = 0, 0.0
    while j < len(x) and total < f * 2:
        total += x[j]
        j += 1
    return j, total


def converted_in_every_turn(x, n):
    level = 0
    for _ in range(n):
        level = int(x[level % len(x)]) % 3
    return level


def gcd_of_array(i):
    g = 0
    for v in i + 4:
        a, b = int(v), g
        while b:
            a, b = b, a % b
        g = a
    return g


def triangle(n):
    rows = []
    for r in range(n):
        rows.append(r * (r + 1) // 2)
    return rows


def matrix_of_distances(x):
    n = len(x)
    d = np.zeros((n, n))
    for a in range(n):
        for b in range(n):
            d[a, b] = abs(x[a] - x[b])
    return d

"""Signals, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "x": np.array([1.0, 2.0, 0.0, -1.0, 3.0, 1.5, -2.0, 0.5]),
    "taps": np.array([0.25, 0.5, 0.25]),
    "seen": np.array([1.0, 1.5, 1.25, 2.0, 2.5]),
    "dt": 0.125,
    "steps": 3,
    "levels": 4,
}


def discrete_fourier(x):
    """The sums, written out."""
    n = len(x)
    real = np.zeros(n)
    imag = np.zeros(n)
    for k in range(n):
        for t in range(n):
            angle = 2 * np.pi * k * t / n
            real[k] += x[t] * np.cos(angle)
            imag[k] -= x[t] * np.sin(angle)
    power = (real**2 + imag**2) / n
    loudest = 1
    for k in range(1, n // 2 + 1):
        if power[k] > power[loudest]:
            loudest = k
    back = np.zeros(n)
    for t in range(n):
        for k in range(n):
            angle = 2 * np.pi * k * t / n
            back[t] += real[k] * np.cos(angle) - imag[k] * np.sin(angle)
    return power, loudest, back / n


def lowpass_by_fft(x, levels):
    """Frequencies above a limit are dropped."""
    n = x.shape[0]
    mean = x.mean()
    centred = x - mean
    spectrum = np.fft.rfft(centred)
    frequencies = np.arange(n // 2 + 1)
    keep = frequencies < levels
    filtered = np.where(keep, spectrum, 0)
    smooth = np.fft.irfft(filtered, n=n) + mean
    rest = x - smooth
    energy = (np.abs(spectrum) ** 2).sum()
    kept = (np.abs(filtered) ** 2).sum()
    share = kept / np.maximum(energy, 1e-12)
    crossings = 0
    for i in range(1, n):
        if rest[i] * rest[i - 1] < 0:
            crossings += 1
    peak = np.abs(rest).max()
    return smooth, share, crossings, peak


def fir_and_decimate(x, taps):
    """Convolution at the same length, every second value."""
    n, k = len(x), len(taps)
    half = k // 2
    padded = np.zeros(n + 2 * half)
    padded[half : half + n] = x
    padded[:half] = x[0]
    padded[half + n :] = x[-1]
    out = np.zeros(n)
    for j in range(k):
        out += taps[j] * padded[j : j + n]
    small = out[::2]
    up = np.zeros(n)
    up[::2] = small
    up[1:-1:2] = (small[:-1] + small[1:]) / 2 if n % 2 == 0 else up[1:-1:2]
    error = np.sqrt(((up - x) ** 2).mean())
    gain = taps.sum()
    return out, small, error, gain


def iir_filter(x, taps):
    """A recursive filter with state, forth and back."""
    b0, b1, b2 = taps
    a1, a2 = -0.5, 0.25

    def once(signal):
        out = np.zeros_like(signal)
        z1 = 0.0
        z2 = 0.0
        for t in range(len(signal)):
            v = signal[t]
            y = b0 * v + z1
            z1 = b1 * v - a1 * y + z2
            z2 = b2 * v - a2 * y
            out[t] = y
        return out

    forth = once(x)
    back = once(forth[::-1])[::-1]
    gain = (b0 + b1 + b2) / (1 + a1 + a2)
    return forth, back, gain, np.abs(back).max()


def median_filter(x, steps):
    """A window of three, until nothing changes."""
    current = x.copy()
    n = len(x)
    rounds = 0
    for _ in range(steps):
        old = current.copy()
        for i in range(1, n - 1):
            a, b, c = old[i - 1], old[i], old[i + 1]
            low = np.minimum(a, b)
            high = np.maximum(a, b)
            current[i] = np.maximum(low, np.minimum(high, c))
        changed = np.abs(current - old).sum()
        rounds += 1
        if changed == 0:
            break
    removed = x - current
    spikes = (np.abs(removed) > 1).sum()
    return current, rounds, spikes


def haar_wavelet(x):
    """Down to one value and up again, small details dropped."""
    details = []
    level = x.copy()
    for _ in range(3):
        even = level[0::2]
        odd = level[1::2]
        details.append((even - odd) / 2)
        level = (even + odd) / 2
    kept = 0
    thresholded = []
    for d in details:
        big = np.abs(d) > 0.5
        kept += big.sum()
        thresholded.append(np.where(big, d, 0.0))
    for d in reversed(thresholded):
        up = np.zeros(2 * len(d))
        up[0::2] = level + d
        up[1::2] = level - d
        level = up
    return level, kept, np.abs(level - x).max()


def autocorrelation(x):
    """Normalised, with the period."""
    n = len(x)
    centred = x - x.mean()
    variance = (centred**2).sum()
    out = np.zeros(n)
    for lag in range(n):
        total = 0.0
        for t in range(n - lag):
            total += centred[t] * centred[t + lag]
        out[lag] = total
    out = out / variance
    period = 0
    best = 0.0
    for lag in range(1, n - 1):
        peak = out[lag] > out[lag - 1] and out[lag] > out[lag + 1]
        if peak and out[lag] > best:
            best = out[lag]
            period = lag
    return out, period, best


def levinson_durbin(x, steps):
    """Linear prediction from autocorrelations."""
    n = len(x)
    r = np.zeros(steps + 1)
    for lag in range(steps + 1):
        r[lag] = (x[: n - lag] * x[lag:]).sum()
    a = np.zeros(steps + 1)
    a[0] = 1.0
    error = r[0]
    reflections = np.zeros(steps)
    for i in range(1, steps + 1):
        total = r[i]
        for j in range(1, i):
            total = total + a[j] * r[i - j]
        k = -total / error
        reflections[i - 1] = k
        old = a.copy()
        for j in range(1, i):
            a[j] = old[j] + k * old[i - j]
        a[i] = k
        error = error * (1 - k * k)
    return a, reflections, error


def kalman_one_dimension(seen):
    """A constant level with noise, then the smoother."""
    q, r = 0.0625, 0.25
    n = seen.shape[0]
    estimate, variance = seen[0], 1.0
    means = np.zeros(n)
    variances = np.zeros(n)
    predicted = np.zeros(n)
    likelihood = 0.0
    for t in range(n):
        variance = variance + q
        predicted[t] = variance
        gap = seen[t] - estimate
        gain = variance / (variance + r)
        estimate = estimate + gain * gap
        variance = (1 - gain) * variance
        likelihood -= 0.5 * (np.log(predicted[t] + r) + gap * gap / (predicted[t] + r))
        means[t] = estimate
        variances[t] = variance
    smooth = means.copy()
    for t in range(n - 2, -1, -1):
        c = variances[t] / predicted[t + 1]
        smooth[t] = means[t] + c * (smooth[t + 1] - means[t])
    return means, smooth, likelihood


def kalman_with_speed(seen, dt):
    """Two states, of which one is seen."""
    f = np.array([[1.0, dt], [0.0, 1.0]])
    h = np.array([1.0, 0.0])
    q = 0.0625 * np.eye(2)
    state = np.array([seen[0], 0.0])
    p = np.eye(2)
    track = []
    gaps = []
    for z in seen:
        state = f @ state
        p = f @ p @ f.T + q
        gap = z - h @ state
        s = h @ p @ h + 0.25
        gain = p @ h / s
        state = state + gain * gap
        p = p - np.outer(gain, h @ p)
        p = (p + p.T) / 2
        track.append(state)
        gaps.append(gap * gap / s)
    track = np.stack(track)
    return track[:, 0], track[:, 1], sum(gaps) / len(gaps), p


def particle_filter(seen, steps):
    """With particles on a grid, resampled by their weights."""
    count = 8
    particles = np.linspace(0.0, 3.0, count)
    weights = np.ones(count) / count
    estimates = np.zeros(len(seen))
    resampled = 0
    for t, z in enumerate(seen):
        particles = particles + 0.125
        weights = weights * np.exp(-2 * (z - particles) ** 2)
        weights = weights / weights.sum()
        estimates[t] = (weights * particles).sum()
        effective = 1 / (weights**2).sum()
        if effective < count / 2:
            edges = np.cumsum(weights)
            places = (np.arange(count) + 0.5) / count
            chosen = np.searchsorted(edges, places)
            particles = particles[np.minimum(chosen, count - 1)]
            weights = np.ones(count) / count
            resampled += 1
    return estimates, resampled, weights.max()

"""A parametric equaliser and a small edge detector."""

import math

import numpy as np

SAMPLE_RATE = 16_000.0
HEADROOM = 0.99  # peak level after normalisation
LUMA = (0.299, 0.587, 0.114)
SOBEL_X = np.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]])


# ---------------------------------------------------------------- audio


def biquad(kind, f0, gain_db, q, fs):
    """Normalised coefficients (b0, b1, b2, a1, a2) of one second-order section."""
    w0 = 2 * math.pi * f0 / fs
    alpha = math.sin(w0) / (2 * q)
    c = math.cos(w0)
    A = 10 ** (gain_db / 40)

    if kind == "peak":
        b = [1 + alpha * A, -2 * c, 1 - alpha * A]
        a = [1 + alpha / A, -2 * c, 1 - alpha / A]
    elif kind == "lowpass":
        b = [(1 - c) / 2, 1 - c, (1 - c) / 2]
        a = [1 + alpha, -2 * c, 1 - alpha]
    elif kind == "highpass":
        b = [(1 + c) / 2, -(1 + c), (1 + c) / 2]
        a = [1 + alpha, -2 * c, 1 - alpha]
    else:
        raise ValueError(kind)
    return [x / a[0] for x in b] + [x / a[0] for x in a[1:]]


def filter_inplace(x, coeffs):
    # direct form II transposed, all channels at once
    b0, b1, b2, a1, a2 = coeffs
    z1 = np.zeros(x.shape[0], dtype=x.dtype)
    z2 = np.zeros_like(z1)
    for n in range(x.shape[1]):
        xn = x[:, n].copy()
        yn = b0 * xn + z1
        z1 = b1 * xn - a1 * yn + z2
        z2 = b2 * xn - a2 * yn
        x[:, n] = yn


def equalize(signal, bands, fs=SAMPLE_RATE, normalize=True):
    """Apply a list of bands ``(kind, freq, gain_db, q)`` to (channels, samples).

    The input is left untouched.
    """
    mono = signal.ndim == 1
    y = np.atleast_2d(signal).copy()
    y -= y.mean(axis=1, keepdims=True)

    for kind, f0, gain_db, q in bands:
        if f0 >= fs / 2:
            continue  # above Nyquist, nothing to do
        filter_inplace(y, biquad(kind, f0, gain_db, q, fs))

    if normalize:
        peak = np.abs(y).max()
        if peak > HEADROOM:
            y *= HEADROOM / peak
    return y[0] if mono else y


# ---------------------------------------------------------------- images


def convolve2d(img: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Same-size correlation with edge padding."""
    kh, kw = kernel.shape
    ph, pw = kh // 2, kw // 2
    padded = np.pad(img, ((ph, ph), (pw, pw)), mode="edge")
    h, w = img.shape

    out = np.zeros_like(img)
    for i in range(kh):
        for j in range(kw):
            if kernel[i, j] != 0:
                out += kernel[i, j] * padded[i : i + h, j : j + w]
    return out


def gaussian_kernel(sigma: float, truncate: float = 3.0) -> np.ndarray:
    r = int(math.ceil(truncate * sigma))
    x = np.arange(-r, r + 1)
    g = np.exp(-0.5 * (x / sigma) ** 2)
    return g / g.sum()


def resize_bilinear(img: np.ndarray, height: int, width: int) -> np.ndarray:
    """Half-pixel centres, edges clamped."""
    h, w = img.shape
    ys = np.clip((np.arange(height) + 0.5) * h / height - 0.5, 0, h - 1)
    xs = np.clip((np.arange(width) + 0.5) * w / width - 0.5, 0, w - 1)
    y0, x0 = np.floor(ys).astype(int), np.floor(xs).astype(int)
    y1, x1 = np.minimum(y0 + 1, h - 1), np.minimum(x0 + 1, w - 1)

    # fractions, shaped for broadcasting
    fy = (ys - y0)[:, None].astype(img.dtype)
    fx = (xs - x0)[None, :].astype(img.dtype)
    top = img[y0][:, x0] * (1 - fx) + img[y0][:, x1] * fx
    bottom = img[y1][:, x0] * (1 - fx) + img[y1][:, x1] * fx
    return top * (1 - fy) + bottom * fy


def edge_map(
    image: np.ndarray,
    size: tuple[int, int] | None = None,
    sigma: float = 1.0,
    threshold: float = 0.2,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sobel magnitude in [0, 1], gradient direction and a binary mask."""
    if image.ndim == 3:
        image = image @ np.array(LUMA, dtype=image.dtype)
    if size is not None:
        image = resize_bilinear(image, *size)

    # separable blur first, derivatives amplify noise
    if sigma > 0:
        g = gaussian_kernel(sigma)
        image = convolve2d(image, g[:, None])
        image = convolve2d(image, g[None, :])

    gx = convolve2d(image, SOBEL_X)
    gy = convolve2d(image, SOBEL_X.T)
    magnitude = np.hypot(gx, gy)
    peak = magnitude.max()
    if peak > 0:
        magnitude /= peak
    return magnitude, np.arctan2(gy, gx), magnitude > threshold

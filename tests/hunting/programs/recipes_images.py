"""Images, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "image": np.arange(30.0).reshape(5, 6) % 7,
    "steps": 3,
    "levels": 4,
}


def sobel_edges(image):
    """With a border that repeats, and a threshold."""
    rows, columns = image.shape
    padded = np.zeros((rows + 2, columns + 2))
    padded[1:-1, 1:-1] = image
    padded[0, 1:-1] = image[0]
    padded[-1, 1:-1] = image[-1]
    padded[:, 0] = padded[:, 1]
    padded[:, -1] = padded[:, -2]
    across = np.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]])
    gx = np.zeros_like(image)
    gy = np.zeros_like(image)
    for i in range(3):
        for j in range(3):
            part = padded[i : i + rows, j : j + columns]
            gx += across[i, j] * part
            gy += across[j, i] * part
    size = np.sqrt(gx**2 + gy**2)
    edges = size > size.mean()
    direction = np.where(np.abs(gx) > np.abs(gy), 0, 1)
    return size, edges.sum(), direction


def box_blur_by_integral(image):
    """With a table of sums."""
    rows, columns = image.shape
    table = np.zeros((rows + 1, columns + 1))
    for i in range(rows):
        for j in range(columns):
            table[i + 1, j + 1] = image[i, j] + table[i, j + 1] + table[i + 1, j] - table[i, j]
    out = np.zeros_like(image)
    for i in range(rows):
        for j in range(columns):
            top = max(i - 1, 0)
            left = max(j - 1, 0)
            bottom = min(i + 2, rows)
            right = min(j + 2, columns)
            area = (bottom - top) * (right - left)
            total = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
            out[i, j] = total / area
    sharp = image + (image - out)
    return out, np.clip(sharp, 0, 6), table[-1, -1]


def histogram_equalised(image, levels):
    """By the cumulative histogram."""
    flat = image.reshape(-1)
    top = flat.max()
    bins = np.minimum((flat / (top + 1) * levels).astype(int), levels - 1)
    counts = np.zeros(levels)
    for b in bins:
        counts[b] += 1
    cumulative = np.zeros(levels)
    running = 0.0
    for k in range(levels):
        running += counts[k]
        cumulative[k] = running
    first = 0.0
    for k in range(levels):
        if cumulative[k] > 0:
            first = cumulative[k]
            break
    mapping = (cumulative - first) / np.maximum(len(flat) - first, 1)
    out = mapping[bins].reshape(image.shape)
    return out, counts, mapping


def otsu_threshold(image):
    """The split with the greatest variance between."""
    values = image.ravel()
    total = values.size
    best = -1.0
    threshold = 0
    for t in range(1, 7):
        low = values < t
        n0 = low.sum()
        n1 = total - n0
        if n0 == 0 or n1 == 0:
            continue
        m0 = np.where(low, values, 0).sum() / n0
        m1 = np.where(low, 0, values).sum() / n1
        between = n0 * n1 * (m0 - m1) ** 2 / total**2
        if between > best:
            best = between
            threshold = t
    mask = image >= threshold
    filled = mask.copy()
    filled[1:-1, 1:-1] = mask[1:-1, 1:-1] | (mask[:-2, 1:-1] & mask[2:, 1:-1])
    return threshold, best, filled.sum()


def morphology(image):
    """Erosion and dilation of a mask."""
    mask = image > 2
    rows, columns = mask.shape
    eroded = np.zeros((rows, columns), dtype=bool)
    dilated = np.zeros((rows, columns), dtype=bool)
    for i in range(rows):
        for j in range(columns):
            everything = True
            anything = False
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    r, c = i + di, j + dj
                    if 0 <= r < rows and 0 <= c < columns:
                        everything = everything & mask[r, c]
                        anything = anything | mask[r, c]
            eroded[i, j] = everything
            dilated[i, j] = anything
    border = dilated & ~eroded
    return eroded, dilated, border.sum()


def bilinear_resize(image, steps):
    """To another size."""
    rows, columns = image.shape
    height, width = rows + steps, columns - 1
    out = np.zeros((height, width))
    for i in range(height):
        y = i * (rows - 1) / (height - 1)
        y0 = min(int(y), rows - 2)
        fy = y - y0
        for j in range(width):
            x = j * (columns - 1) / (width - 1)
            x0 = min(int(x), columns - 2)
            fx = x - x0
            top = image[y0, x0] * (1 - fx) + image[y0, x0 + 1] * fx
            bottom = image[y0 + 1, x0] * (1 - fx) + image[y0 + 1, x0 + 1] * fx
            out[i, j] = top * (1 - fy) + bottom * fy
    corners = out[0, 0], out[-1, -1]
    return out, corners

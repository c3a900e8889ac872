"""Views of fresh arrays and of arguments, and writes through them, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "x": np.array([1.0, 2.0, 3.0, 4.0]),
    "y": np.array([0.5, -1.0, 2.0, 0.25]),
    "m": np.arange(12.0).reshape(3, 4),
    "s": np.arange(9.0).reshape(3, 3) - 4.0,
    "t": np.arange(24.0).reshape(2, 3, 4),
    "i": np.array([2, 0, 1]),
    "n": 2,
}


def flipped_before_a_write(x):
    a = x * 1
    b = np.flipud(a)
    b[0] = 100
    return a


def mirrored_rows(m):
    a = m + 0
    mirror = np.fliplr(a)
    mirror[:, 0] = -1
    return a, mirror


def halves_of_a_split(x):
    a = x + 1
    left, right = np.split(a, 2)
    left[0] = 50.0
    right *= 2
    return a


def parts_after_the_whole_is_written(m):
    a = m * 2
    top, bottom = np.vsplit(a, [1])
    a[0] = 7.0
    return top, bottom


def columns_by_hsplit(m):
    a = m.copy()
    for column in np.hsplit(a, 2):
        column += 1
    return a


def uneven_parts(x):
    a = x - 1
    parts = np.array_split(a, 3)
    parts[0][0] = 9
    return a, parts[-1]


def transposed_write(m):
    a = m.copy()
    turned = a.T
    turned[1] = 0.5
    return a


def swapped_axes_write(t):
    a = t * 1
    b = np.swapaxes(a, 0, 2)
    b[0, 0] = -3
    return a.sum(0)


def moved_axis_write(t):
    a = t * 1
    np.moveaxis(a, -1, 0)[2] = 8.0
    return a


def rolled_is_new(x):
    a = x * 1
    b = np.roll(a, 1)
    b[0] = 77
    return a, b


def diagonal_view_is_read(s):
    a = s * 1
    d = np.diagonal(a)
    a[1, 1] = 30.0
    return d + 0, a


def raveled_then_written(m):
    a = m + 1
    flat = a.ravel()
    flat[5] = -9
    return a


def reshaped_then_written(x):
    a = x * 3
    square = a.reshape(2, -1)
    square[1, 0] = 0
    return a


def flatten_is_a_copy(m):
    a = m * 1
    flat = a.flatten()
    flat[:] = 0
    return a, flat


def squeezed_write(x):
    a = np.expand_dims(x * 1, 0)
    b = np.squeeze(a)
    b[1] = 5
    return a


def broadcast_is_read_later(x):
    a = x * 1
    wide = np.broadcast_to(a, (3, a.shape[0]))
    a[0] = -8
    return wide + 0


def at_least_two(x):
    a = x + 0
    row = np.atleast_2d(a)
    row[0, 2] = 6
    return a


def slice_of_slice(x):
    a = x * 1
    inner = a[1:][1:]
    inner[0] = 11
    return a


def negative_step(x):
    a = x * 1
    a[::-2] = 0
    return a


def reversed_view_added(x):
    a = x * 1
    back = a[::-1]
    a[0] = 99
    return back * 1


def fancy_is_a_copy(m, i):
    a = m * 1
    rows = a[i]
    rows[0] = 0
    return a, rows


def mask_is_a_copy(x):
    a = x * 1
    large = a[a > 1.5]
    large[:] = 0
    return a


def ellipsis_view(t):
    a = t * 1
    last = a[..., -1]
    last[0] += 10
    return a


def newaxis_view(x):
    a = x * 1
    column = a[:, None]
    column[2, 0] = 12
    return a


def row_swapped_by_tuple(m):
    a = m * 1
    a[0], a[1] = a[1].copy(), a[0].copy()
    return a


def rows_swapped_without_copies(m):
    a = m * 1
    a[[0, 1]] = a[[1, 0]]
    return a


def shifted_within_itself(x):
    a = x * 1
    a[1:] = a[:-1]
    return a


def sums_of_neighbours(x):
    a = x * 1
    a[1:] += a[:-1]
    return a


def written_argument_and_view(x):
    v = x[1:]
    x[1] = 40
    return v * 1


def view_of_argument_written(x):
    v = x[::2]
    v += 100
    return x.sum()


def argument_row_is_zeroed(m):
    m[0][:] = 0
    return m


def where_does_not_share(x, y):
    a = x * 1
    c = np.where(a > 0, a, y)
    a[0] = -7
    return c, a


def asarray_shares(x):
    a = x * 1
    b = np.asarray(a)
    b[1] = 21
    return a


def array_copies(x):
    a = x * 1
    b = np.array(a)
    b[1] = 21
    return a, b


def ascontiguous_of_turned(m):
    a = m * 1
    b = np.ascontiguousarray(a.T)
    b[0] = 1
    return a


def ascontiguous_of_plain(m):
    a = m * 1
    b = np.ascontiguousarray(a)
    b[0] = 1
    return a


def positive_is_new(x):
    a = x * 1
    b = +a
    b[0] = 13
    return a, b


def real_part_shares(x):
    a = x * (1 + 1j)
    a.real[0] = 5
    return a


def column_after_in_place_product(m):
    a = m * 1
    first = a[:, 0]
    a *= 3
    return first + 0, a[:, 1]


def nested_views_in_a_loop(m):
    a = m * 1
    for row in a:
        row[1:] -= row[0]
    return a


def views_kept_in_a_list(m):
    a = m * 1
    rows = [a[k] for k in range(3)]
    rows[1][:] = 0
    a[2] = 5
    return rows[0] + rows[2], a


def view_chosen_by_a_test(m):
    a = m * 1
    v = a[0] if a.sum() > 0 else a[1]
    v[:] = -2
    return a


def written_in_a_branch(x):
    a = x * 1
    b = a[:2]
    if x[0] > 0:
        a[0] = 55
    return b + 0


def buffers_change_places(x, n):
    old, new = x * 1, np.zeros_like(x)
    for _ in range(n + 1):
        new[1:-1] = (old[2:] + old[:-2]) / 2
        old, new = new, old
    return old, new


def one_buffer_two_names(x):
    a = b = x * 1
    a += 1
    b *= 2
    return a, b


def augmented_row(m):
    a = m * 1
    row = a[1]
    row += a[0]
    row[0] = 0
    return a


def column_from_column(m):
    a = m * 1
    a[:, 1] = a[:, 0] * 2
    a[:, 2] += a[:, 1]
    return a


def filled(x):
    a = np.empty_like(x)
    a.fill(3)
    b = a[:2]
    a.fill(4)
    return b + 0


def sorted_in_place(y):
    a = y * 1
    v = a[:2]
    a.sort()
    return v + 0, a


def out_argument_is_a_view(m):
    a = m * 1
    np.add(a[0], a[1], out=a[2])
    return a


def clipped_into_itself(x):
    a = x * 1
    v = a[1:3]
    np.clip(v, 0, 2.5, out=v)
    return a


def copyto_a_view(x, y):
    a = x * 1
    np.copyto(a[2:], y[:2])
    return a


def negative_index_write(t):
    a = t * 1
    a[-1, -1][-1] = 1000
    a[:, -2] = 0
    return a


def diagonal_by_flat_step(s):
    a = s * 1
    a.ravel()[:: s.shape[1] + 1] = 1
    return a


def fill_diagonal(s):
    a = s * 1
    np.fill_diagonal(a, 0)
    return a.sum(1)

"""Views and writes in place, for torch."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import torch

EXAMPLES = {
    "x": torch.tensor([1.0, 2.0, 3.0, 4.0]),
    "y": torch.tensor([0.5, -1.0, 2.0, 0.25]),
    "m": torch.arange(12.0).reshape(3, 4),
    "s": torch.arange(9.0).reshape(3, 3) - 4,
    "t": torch.arange(24.0).reshape(2, 3, 4) / 4,
}


def flip_is_new(x):
    a = x * 1
    b = a.flip(0)
    b[0] = 100
    return a


def chunks_share(x):
    a = x + 1
    low, high = a.chunk(2)
    low += 10
    high[0] = -1
    return a


def split_shares(m):
    a = m * 1
    first, rest = torch.split(a, [1, 2])
    rest.mul_(0)
    return a


def tensor_split_shares(x):
    a = x * 1
    parts = torch.tensor_split(a, 3)
    parts[1].fill_(8)
    return a


def unbound_rows(m):
    a = m * 1
    rows = a.unbind(0)
    rows[1].zero_()
    return a


def unbound_then_whole(m):
    a = m * 1
    top, middle, bottom = torch.unbind(a)
    a[0, 0] = 99
    return top + bottom


def hsplit_shares(m):
    a = m * 1
    left, right = torch.hsplit(a, 2)
    left.copy_(right)
    return a


def as_tensor_shares(x):
    a = x * 1
    b = torch.as_tensor(a)
    b[0] = 6
    return a


def positive_shares(x):
    a = x * 1
    b = +a
    b[0] = 6
    return a


def broadcast_tensors_share(x):
    a = x * 1
    wide, _ = torch.broadcast_tensors(a, torch.zeros(2, 4))
    a[0] = 9
    return wide + 0


def expanded_view_of_a_row(m):
    a = m * 1
    wide = a[0].expand(2, 4)
    a[0, 0] = 5
    return wide * 1


def dropout_that_does_nothing(m):
    a = m * 1
    b = torch.nn.functional.dropout(a, 0.5, training=False)
    b[0] = 0
    return a


def values_of_max_later(m):
    a = m * 1
    v = a.max(0).values
    a[:] = -7
    return v, a


def indices_of_max_later(m):
    a = m * 1
    v, k = a.max(dim=1)
    a.neg_()
    return k, a


def argument_overwritten_after_max(m):
    v = m.max(0)[0]
    m[:] = -7
    return v


def topk_later(x):
    a = x * 1
    top = torch.topk(a, 2)
    a.zero_()
    return top.values, top.indices


def sort_later(y):
    a = y * 1
    values, order = a.sort()
    a.fill_(1)
    return values - a, order


def median_later(y):
    a = y * 1
    mid = torch.median(a)
    a += 100
    return mid


def viewed(x):
    a = x * 1
    a.view(2, 2)[1] = 0
    return a


def reshaped(x):
    a = x * 1
    b = a.reshape(2, 2)
    b[0, 0] = 44
    return a


def transposed_write(m):
    a = m.clone()
    a.t()[0] = 1.5
    return a


def permuted_write(t):
    a = t * 1
    a.permute(2, 0, 1)[0] = -1
    return a


def narrow_write(x):
    a = x * 1
    a.narrow(0, 1, 2).fill_(9)
    return a


def select_write(t):
    a = t * 1
    a.select(1, 2).add_(100)
    return a


def diagonal_write(s):
    a = s * 1
    a.diagonal().fill_(0)
    return a


def squeeze_write(x):
    a = x * 1
    a.unsqueeze(0).squeeze(0)[2] = 70
    return a


def detach_shares(x):
    a = x * 1
    a.detach()[0] = 3.5
    return a


def clone_is_apart(x):
    a = x * 1
    b = a.clone()
    b.add_(1)
    return a, b


def contiguous_of_turned(m):
    a = m * 1
    b = a.t().contiguous()
    b[0] = 1
    return a


def contiguous_of_plain(m):
    a = m * 1
    b = a.contiguous()
    b[0] = 1
    return a


def float_of_float(x):
    b = x.float()
    b[0] = 17
    return x * 1


def written_through_two_views(m):
    a = m * 1
    row, column = a[0], a[:, 0]
    row += 1
    column *= 2
    return a, row, column


def rows_in_a_loop(m):
    a = m.clone()
    for r in a:
        r -= r.mean()
    return a


def prefix_sums(x):
    a = x.clone()
    for k in range(1, len(a)):
        a[k] += a[k - 1]
    return a


def read_of_an_alias(x, y):
    x.mul_(2)
    return y + 1


def chained_in_place(x):
    return x.clone().add_(1).mul_(3).sub_(0.5)


def out_argument(x, y):
    a = torch.empty_like(x)
    torch.mul(x, y, out=a)
    return a


def swapped(x, y):
    a, b = x.clone(), y.clone()
    t = a.clone()
    a.copy_(b)
    b.copy_(t)
    return a, b


def triangle_in_place(s):
    a = s.clone()
    a.tril_()
    a.diagonal().add_(1)
    return a

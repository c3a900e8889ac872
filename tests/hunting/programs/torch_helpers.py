"""Helpers that write, steps of optimisers and questions of type, for torch."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import torch

EXAMPLES = {
    "x": torch.tensor([1.0, 2.0, 3.0, 4.0]),
    "y": torch.tensor([0.5, -1.0, 2.0, 0.25]),
    "m": torch.arange(12.0).reshape(3, 4),
    "t": torch.arange(24.0).reshape(2, 3, 4) / 4,
    "i": torch.tensor([2, 0, 1]),
    "n": 3,
    "p": {"w": torch.tensor([1.0, 2.0]), "b": torch.tensor([0.5, 0.5])},
    "ws": [torch.tensor([1.0, 2.0]), torch.tensor([3.0, -4.0])],
}


def _bump(a):
    a[0] = 5.0


def _add_(a, k):
    a.add_(k)


def _clamped(a):
    return a.clamp_(min=0)


def _sgd(p, g, lr=0.25):
    p -= lr * g


def bumped_between(x):
    a = x * 1
    before = a + 1
    _bump(a)
    return a * before


def bumped_argument(x):
    _bump(x)
    return x.sum()


def added_in_place_by_helper(x, n):
    a = x * 1
    for k in range(n):
        _add_(a, k)
    return a


def helper_returns_its_argument(y):
    a = y - 1
    b = _clamped(a).add(1)
    return a, b


def sgd_steps(x, y, n):
    w = torch.zeros(4)
    for _ in range(n):
        g = (w * x - y) * x
        _sgd(w, g)
    return w


def steps_of_a_dict(p):
    q = {k: v.clone() for k, v in p.items()}
    for v in q.values():
        _sgd(v, v * v)
    return q


def list_bumped(ws):
    a = [w.clone() for w in ws]
    for w in a:
        _bump(w)
    return torch.stack(a)


def momentum(x, y, n):
    w, v = torch.zeros_like(x), torch.zeros_like(x)
    for _ in range(n):
        g = w - y
        v.mul_(0.5).add_(g)
        w.sub_(v, alpha=0.25)
    return w, v


def adam(x, n):
    w = x.clone()
    m, v = torch.zeros_like(w), torch.zeros_like(w)
    for step in range(1, n + 1):
        g = 2 * w
        m.mul_(0.9).add_(g, alpha=0.1)
        v.mul_(0.99).addcmul_(g, g, value=0.01)
        mhat = m / (1 - 0.9**step)
        vhat = v / (1 - 0.99**step)
        w.addcdiv_(mhat, vhat.sqrt() + 1e-8, value=-0.1)
    return w


def moving_average_of_weights(x, y):
    ema = x.clone()
    for _ in range(2):
        ema.lerp_(y, 0.25)
    return ema


def index_added(x, i):
    a = torch.zeros(4)
    a.index_add_(0, i, x[:3])
    return a


def scattered(m, i):
    a = torch.zeros(3, 4)
    a.scatter_(0, i[None, :].expand(1, 3), 1.0)
    return a + m


def masked_filled(y):
    a = y.clone()
    a.masked_fill_(a < 0, 0.0)
    a[a > 1] *= 2
    return a


def item_is_a_number(x):
    k = x[1].item()
    x = x * k
    return x, k


def tolist(y):
    return sum(y.tolist())


def type_asked(x):
    if type(x) is torch.Tensor:
        return x + 1
    return x - 1


def contiguous_is_itself(x):
    return x * 2 if x.contiguous() is x else x * 3


def float_is_itself(x):
    y = x.float()
    if y is x:
        return y + 1
    return y - 1


def dim_asked(m):
    return m.sum() if m.dim() == 1 else m.sum(-1)


def where_of_a_selection(x):
    s = x[x > 1]
    return s.sum() * 2


def size_unpacked(t):
    b, n, d = t.size()
    return t.view(b, n * d).mean(1)


def numel_scaled(m):
    return m / m.numel()


def is_floating(x, i):
    return x if torch.is_floating_point(i) else x * 2

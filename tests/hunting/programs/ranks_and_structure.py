"""Programs that look at ranks, lengths and keys; for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import collections
import dataclasses

import numpy as np

_Pair = collections.namedtuple("_Pair", "left right")


@dataclasses.dataclass
class _Layer:
    w: np.ndarray
    b: np.ndarray
    scale: float = 1.0


EXAMPLES = {
    "x": np.array([1.0, 2.0, 4.0]),
    "m": np.arange(6.0).reshape(2, 3),
    "t": np.arange(24.0).reshape(2, 3, 4) / 4,
    "ws": [np.array([1.0, 2.0]), np.array([0.5, -1.0])],
    "p": {"w": np.array([1.0, 2.0]), "b": np.array([0.5, 0.25])},
    "nested": {"a": [np.ones(2), np.zeros(2)], "b": {"c": np.array([3.0, 1.0])}},
    "layer": _Layer(np.arange(6.0).reshape(3, 2), np.array([0.5, 1.0])),
    "pair": _Pair(np.array([1.0, -1.0]), np.array([2.0, 2.0])),
    "idx": [2, 0],
    "ks": [1, 2, 3],
    "args": (np.array([1.0, 2.0]), np.array([3.0, 4.0])),
}


def by_rank(x):
    if x.ndim == 1:
        return x.sum()
    return x.sum(axis=0)


def by_length_of_shape(m):
    if len(m.shape) == 2:
        return m[0]
    return m


def wrong_rank_raises(m):
    if m.ndim != 2:
        raise ValueError("a matrix, please")
    return m.T


def rank_returned(m):
    return m.ndim


def np_ndim(m):
    return m * np.ndim(m)


def every_axis(t):
    for axis in range(t.ndim):
        t = t - t.mean(axis=axis, keepdims=True)
    return t


def last_axis_by_rank(t):
    return t.sum(axis=t.ndim - 1)


def to_two_axes(x):
    if x.ndim < 2:
        x = x[None, :]
    return x @ x.T


def flattened_tail(t):
    return t.reshape(t.shape[0], -1)


def leading_axes_kept(t):
    return t.reshape(t.shape[:-1] + (2, 2)).sum(-1)


def shape_unpacked(m):
    rows, columns = m.shape
    return m.sum() / (rows * columns)


def shape_starred(t):
    first, *rest = t.shape
    return t.reshape(first, rest[0] * rest[1])


def swapped_last_two(t):
    return np.swapaxes(t, -1, -2)


def transposed_by_all(t):
    return t.transpose(*range(t.ndim - 1, -1, -1))


def normalised_rows(m):
    return m / np.linalg.norm(m + 1, axis=-1, keepdims=True)


def sum_of_all(ws):
    total = 0
    for w in ws:
        total = total + w
    return total


def mean_of_all(ws):
    return sum(ws) / len(ws)


def last_of_all(ws):
    return ws[-1] * 2


def all_but_the_first(ws):
    head, *tail = ws
    return head - sum(tail)


def empty_or_not(ws):
    if not ws:
        return np.zeros(2)
    return np.stack(ws)


def joined(ws):
    return np.concatenate(ws)


def zipped_with_itself(ws):
    return [a * b for a, b in zip(ws, ws[1:])]


def enumerated(ws):
    out = np.zeros(2)
    for i, w in enumerate(ws):
        out = out + (i + 1) * w
    return out


def reversed_list(ws):
    return list(reversed(ws))


def doubled_list(ws):
    return [w * 2 for w in ws]


def list_returned_as_it_is(ws):
    return ws


def list_extended(ws):
    more = ws + [ws[0] * 3]
    return more


def sliced_list(ws):
    return ws[:1]


def folded(ws):
    y = np.eye(2)
    for w in ws:
        y = y * w + 1
    return y


def sorted_by_sum(ws):
    first, second = sorted((float(w.sum()) for w in ws[:2]), reverse=True)
    return first - second


def unpacked_two(ws):
    a, b = ws
    return a @ b


def several_arguments(*args):
    out = args[0]
    for a in args[1:]:
        out = out * a
    return out


def count_of_arguments(*args):
    return len(args), args[0]


def first_and_rest(x, *args):
    return x.sum() + sum(a.sum() for a in args)


def linear(p):
    return p["w"] * 3 + p["b"]


def with_default_key(p):
    return p["w"] * p.get("scale", 2.0)


def key_or_not(p):
    if "bias" in p:
        return p["w"] + p["bias"]
    return p["w"]


def all_values(p):
    return sum(v.sum() for v in p.values())


def all_items(p):
    return {k: v * 2 for k, v in p.items()}


def keys_sorted(p):
    return [p[k] for k in sorted(p)]


def merged(p):
    return {**p, "extra": p["w"] + 1}


def spread(p):
    def inner(w, b):
        return w * b

    return inner(**p)


def count_of_keys(p):
    return len(p) * p["b"]


def without_a_key(p):
    q = dict(p)
    w = q.pop("w")
    return w, q


def into_the_depth(nested):
    return nested["a"][0] + nested["b"]["c"]


def every_leaf_of_a_list(nested):
    return [v + 1 for v in nested["a"]]


def tree_map(nested):
    def walk(v):
        if isinstance(v, dict):
            return {k: walk(u) for k, u in v.items()}
        if isinstance(v, list):
            return [walk(u) for u in v]
        return v * 2

    return walk(nested)


def fields_of_a_dataclass(layer, x):
    return (x @ layer.w + layer.b) * layer.scale


def replaced_dataclass(layer):
    return dataclasses.replace(layer, b=layer.b * 0)


def named_fields(pair):
    return pair.left - pair.right


def named_replaced(pair):
    return pair._replace(left=pair.right * 2)


def indices_in_a_list(x, idx):
    return x[idx]


def indices_one_by_one(x, idx):
    return sum(x[i] for i in idx)


def numbers_in_a_list(x, ks):
    return [x * k for k in ks]


def numbers_to_an_array(x, ks):
    return x * np.array(ks)


def product_of_numbers(x, ks):
    total = 1
    for k in ks:
        total *= k
    return x + total


def largest_of_numbers(x, ks):
    return x * max(ks) + min(ks) - len(ks)


def polynomial(x, ks):
    y = np.zeros_like(x)
    for c in reversed(ks):
        y = y * x + c
    return y


def sizes_as_numbers(t):
    n = 1
    for d in t.shape:
        n *= d
    return t.sum() / n


def size_one_or_more(m):
    return m / (m.shape[0] - 1) if m.shape[0] > 1 else m


def empty_is_special(x):
    if x.size == 0:
        return 0.0
    return x.max()


def length_even(x):
    n = len(x)
    middle = np.sort(x)
    if n % 2 == 0:
        return (middle[n // 2 - 1] + middle[n // 2]) / 2
    return middle[n // 2]


def padded_to_even(x):
    if x.shape[0] % 2:
        x = np.concatenate([x, np.zeros(1)])
    return x.reshape(-1, 2).sum(1)

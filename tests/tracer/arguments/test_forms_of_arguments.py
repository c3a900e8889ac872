"""What the program sees of the form of its arguments in other ways than by asking: patterns, parts of lists,
values that are no arrays. Each holds for other arguments, or is checked.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays

V, M = np.arange(1, 6, dtype=np.float32), np.ones((2, 3), np.float32)


def by_length(xs, w):
    match xs:
        case [a]:
            return a * w
        case [a, b]:
            return a * w + b
        case [a, *rest]:
            return a * w + len(rest)


def ends(xs):
    match xs:
        case [a, *_, z]:
            return a - z


def others_of(d):
    match d:
        case {"a": a, **rest}:
            return a * len(rest)


def tail(xs):
    return xs[1:]


def all_and_first(xs):
    return xs, xs[0]


def twice(xs):
    return xs * 2


def rotated(xs, k):
    return xs[k:] + xs[:k]


def cast(x, t):
    return x.astype(t)


def part(x, s):
    return x[s]


def part_at(x, c):
    return x[c[0]]


def inside(x, c):
    return x if 1 in c[0] else -x


def added(x, places):
    s = 0.0
    for i in places:
        s = s + x[i]
    return s


def applied(x, f=None):
    return x if f is None else f(x)


def scaled(x, o):
    return x if o is None else x * o.k


def number_or_sum(x):
    try:
        return float(x)
    except TypeError:
        return x.sum()


def item_or_sum(x):
    try:
        return x.item()
    except ValueError:
        return x.sum()


CASES: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = [
    (by_length, ([V, V], 2.0), ([V, V, V], 2.0)),
    (by_length, ([V, V, V], 2.0), ([V, V, V, V], 2.0)),
    (ends, ([V, V, V],), ([V, V, V, V],)),
    (others_of, ({"a": V, "b": V},), ({"a": V},)),
    (others_of, ({"a": V, "b": V},), ({"a": V, "b": V, "c": V},)),
    (tail, ([V, V, V],), ((V, V, V),)),
    (tail, ((V, V, V),), ([V, V, V],)),
    (all_and_first, ([V, V],), ((V, V),)),
    (twice, ([V, V],), ((V, V),)),
    (rotated, ([V, V, V], 1), ((V, V, V), 1)),
    (cast, (V, float), (V, int)),
    (cast, (V, int), (V, bool)),
    (part, (V, slice(1, 3)), (V, slice(0, 2))),
    (part, (V, slice(1, 3)), (V, 2)),
    (part, (M, (slice(None), 1)), (M, (1, slice(None)))),
    (part, (M, ...), (M, 0)),
    (part, (M, (..., None)), (M, (None,))),
    (part_at, (V, (slice(1, 3),)), (V, (slice(0, 2),))),
    (part_at, (V, [slice(1, 3)]), (V, [slice(0, 2)])),
    (part_at, (V, {0: slice(1, 3)}), (V, {0: ...})),
    (inside, (V, ({1},)), (V, ({2},))),
    (added, (V, range(3)), (V, range(4))),
    (added, (V, {0, 1}), (V, {0, 2})),
    (added, (V, frozenset([0, 1])), (V, frozenset([2]))),
    (applied, (V, np.tanh), (V, None)),
    (applied, (V, np.tanh), (V,)),
    (scaled, (V, SimpleNamespace(k=2)), (V, None)),
    (number_or_sum, (V[:1].reshape(()),), (V,)),
    (item_or_sum, (V[:1],), (V,)),
]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "example", "other"), CASES)
def test_it_is_checked(fn: Any, example: Any, other: Any, to: str) -> None:
    out = tl.transpile(fn, example, to=to)
    given, others = (map_arrays(args, lambda a: convert(a, to)) for args in (example, other))
    out(*given)
    with pytest.raises((AssertionError, TypeError)):
        out(*others)


def test_a_slice_that_says_nothing() -> None:
    for to in ("numpy", "torch", "jax"):
        out = tl.transpile(part, (V, slice(None)), to=to)
        assert np.array_equal(np.asarray(out(convert(V, to), slice(None))), V)


@pytest.mark.parametrize(
    ("default", "other"), [(slice(1, 3), slice(0, 2)), (float, int), (range(2), range(3)), (..., None)]
)
@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_defaults_that_are_no_numbers(default: Any, other: Any, to: str) -> None:
    """They stand in the signature, and what is given in their place is checked."""

    def chosen(x, s=default):
        return added(x, s) if isinstance(s, range) else x.astype(s) if isinstance(s, type) else x[s]

    out, x = tl.transpile(chosen, (V,), to=to), convert(V, to)
    assert "=None" not in out.source
    assert np.array_equal(np.asarray(out(x)), chosen(V))
    with pytest.raises(AssertionError):
        out(x, other)


def test_trees_of_jax_keep_their_lists() -> None:
    def doubled(tree):
        return jax.tree_util.tree_map(lambda a: a * 2, tree)

    x = jnp.array(V)
    out = tl.transpile(doubled, ({"a": x, "b": [x, {"c": x}]},), to="torch")
    tensor = convert(x, "torch")
    assert type(out({"a": tensor, "b": [tensor, {"c": tensor}]})["b"]) is list
    with pytest.raises(AssertionError):
        out({"a": tensor, "b": (tensor, {"c": tensor})})


@pytest.mark.parametrize("kind", [lambda **d: defaultdict(int, d), Counter, OrderedDict])
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_kinds_of_dicts(kind: Any, to: str) -> None:
    def times(x, d):
        return x * d["q"]

    out = tl.transpile(times, (V, kind(q=2)), to=to)
    assert np.array_equal(np.asarray(out(convert(V, to), kind(q=3))), V * 3)


def test_the_largest_of_what_a_mask_picks_inside_a_try() -> None:
    def largest(x, c):
        try:
            return x[x > c].max()
        except ValueError:
            return c

    made = tl.transpile(largest, (V, 0.1), to="numpy")
    assert made(V, 0.1) == largest(V, 0.1) and made(V, 1e9) == largest(V, 1e9) == 1e9
    for to in ("torch", "jax"):
        with pytest.raises(tl.UnsupportedError, match="inside a `try`"):
            tl.transpile(largest, (V, 0.1), to=to)


def test_where_the_largest_picked_element_is_refused_for_jax() -> None:
    with pytest.raises(tl.UnsupportedError, match="depends on the values"):
        tl.transpile(lambda x, c: x[x > c].argmax(), (V, 0.1), to="jax")


def weighed(n, x):
    i = 0
    while True:
        if i >= n:
            break
        yield x[i] * i
        i += 1


def test_a_generator_that_breaks() -> None:
    def listed(x):
        return list(weighed(len(x), x))

    out = tl.transpile(listed, (V,), to="numpy")
    assert np.array_equal(out(V), listed(V))

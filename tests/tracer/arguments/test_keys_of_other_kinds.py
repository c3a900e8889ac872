"""An int among the arguments that stands in a key: given a slice, None, a list or an array for it, `x[k]` has
other axes and other memory, and the text gives what the program gives, or raises.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def augmented(x, k):
    t = x[k]
    t += 1
    return t, x


def under_two_names(x, k):
    t = x[k]
    old = t
    t -= 1
    return old + 0, x


def in_a_dict(x, k):
    d = {"v": x[k]}
    d["v"] += 1
    return d["v"], x


def in_a_loop(x, k):
    best = x[k]
    for _ in range(2):
        best += 1
    return best, x


def on_one_way(x, k):
    best = x[k]
    if x.sum() > 0:
        best += 1
    return best, x


def by_a_helper(x, k):
    return raised(x[k]), x


def raised(t):
    t += 1
    return t


def centred(x, k):
    v = x[k]
    v -= v.mean()
    return v, x


def copied(x, k):
    t = x[k] * 1
    t += 1
    return t, x


def read_before(x, k):
    t = x[k]
    x[0] = 7.0
    return t + 0, x


def by_rank(x, k):
    return x[k] + 1 if x[k].ndim == 0 else x[k] + 2


def by_rank_of_numpy(x, k):
    return -1 if np.ndim(x[k]) == 0 else 1


def by_shape(x, k):
    return x * 2 if x[k].shape == () else x * 3


def plainly(x, k):
    return x[k] * 2 + x.sum()


PROGRAMS = (
    augmented, under_two_names, in_a_dict, in_a_loop, on_one_way, by_a_helper, centred, copied, read_before,
    by_rank, by_rank_of_numpy, by_shape, plainly,
)  # fmt: skip
KEYS: tuple[Any, ...] = (
    0, 2, -1, slice(0, 2), None, ..., (), [0, 1], np.array([0, 1]), np.array([True, False, True, False]),
    True, (0,), np.int64(1), np.array(1),
)  # fmt: skip
X = np.arange(4.0) + 1


def run(fn: Any, framework: str, key: Any) -> tuple[Any, Any]:
    """What a function gives, and what it leaves in its argument."""
    x = convert(X.copy(), framework)
    return fn(x, copy.deepcopy(key)), x


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", PROGRAMS)
@pytest.mark.usefixtures("wide")
def test_keys_of_other_kinds(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (X.copy(), 1), to=to)
    for key in KEYS:
        expected, left = run(fn, "numpy", key)
        try:
            found, mine = run(out, to, key)
        except (AssertionError, ValueError):  # a check, or jax.jit takes no such key
            assert type(key) is not int
            continue
        assert not list(compare(expected, found)), (key, out.source)
        if to != "jax":
            assert not list(compare(left, mine)), (key, out.source)


def multiplied(x, index):
    r = x[index] * 1
    x[0] = 9.0
    return r


def divided_in_a_list(x, index):
    r = [x[index] / 1, x[index] - 0]
    x[0] = 9.0
    return r


def read(x, index):
    t = x[index]
    x[0] = 9.0
    return t


def written(x, index):
    t = x[index]
    t += 1
    return t, x


def reshaped_and_written(x, index):
    t = x[index].reshape(-1)
    t += 1
    return t * 1, x


def reshaped_and_read(x, index):
    t = x[index].reshape(-1)
    x[0] = 9.0
    return t


INDICES: tuple[Any, ...] = (
    np.array([0, 1]), np.array([0]), np.array(0), 0, -1, slice(0, 1), slice(0, 2), None, ..., [0, 1],
    np.array([[0, 1]]), np.array([True, False, True]), np.int64(0),
)  # fmt: skip


def own(value: Any, framework: str) -> Any:
    return convert(value.copy(), framework) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("example", [np.array([0, 1]), np.array([True, False, True])])
@pytest.mark.parametrize(
    "fn", [multiplied, divided_in_a_list, read, written, reshaped_and_written, reshaped_and_read]
)
def test_keys_that_are_no_arrays(fn: Any, example: Any, source: str, to: str) -> None:
    out = tl.transpile(fn, (own(np.ones((3, 2)), source), own(example, source)), source=source, to=to)
    for index in INDICES:
        x, y = (own(np.arange(6.0).reshape(3, 2), framework) for framework in (source, to))
        expected = fn(x, own(index, source))
        try:
            found = out(y, own(index, to))
        except AssertionError:
            assert not isinstance(index, np.ndarray) or (index.shape, index.dtype) != (
                example.shape,
                example.dtype,
            )
            continue
        assert not list(compare((expected, x), (found, y))), (index, out.source)

"""`* 1.0`, `/ 1`, `- 0` and `** 1` are casts of what is of an earlier kind, and stay where they are."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("wide")]

NAMES = ("float64", "float32", "float16", "int64", "int8", "uint8", "bool")
D, N, B = "float64", "int64", "bool"


def counted(ws):
    n = 0.0
    for w in ws:
        n = n + (w > 1).sum() * 1.0
    return n


def counted_from_an_int(ws):
    n = 0
    for w in ws:
        n = n + (w > 1).sum() * 1.0
    return n


def summed(ws):
    n = 0
    for w in ws:
        n = n + w.sum() / 1
    return n


def highest(ws):
    n = 0.0
    for w in ws:
        n = n + 1.0 * w.max()
    return n


def thresholds(a):
    s = 0.0
    for t in range(4):
        s = s + (a > t).sum() * 1.0
    return s


def thresholds_from_an_int(a):
    s = 0
    for t in range(4):
        s = s + (a > t).sum() / 1.0
    return s


def mask(a, i):
    return a * ((i == 2) * 1.0)


def one_hot(y, p):
    return (p - (y[:, None] == p[None].astype(int)) * 1.0) / 2


def alone(m):
    return m * 1.0, m / 1, m * 1


def beside(i, a):
    return i * 1.0 + a, i / 1 - a


def to_ints(m, a):
    return m * 1 + a


def at_places(a, n):
    return a * ((np.arange(3) < n) * 1.0)


def listed(ws, a):
    return [w * 1.0 + a for w in ws]


def in_place(a, c):
    b = (c > 0) * 1.0
    b += a
    return b


def kept(c):
    k = c * 1.0
    k += 1
    return k, c


def by_an_array(x):
    return x * np.asarray(1.0), x / np.asarray(1), x - np.float64(0)


def helped(a):
    return a * 1.0 + 1


def through_a_helper(a, b):
    return helped(a > 1) * b + helped(b)


def in_a_branch(a, b):
    t = (a > 2) * 1.0 if a.ndim else (a > 1) * 1
    return t * b


#: Programs that say themselves which framework they are written for, and others.
NUMPYS = [(one_hot, (N, D)), (at_places, (D, N)), (by_an_array, (D,)), (by_an_array, ("float32",))]
CASES = [
    (counted, ([N, N],)), (counted_from_an_int, ([N, N],)), (summed, ([N, N],)), (highest, ([N, N],)),
    (thresholds, (N,)), (thresholds_from_an_int, (N,)), (mask, (D, N)), (alone, (B,)), (alone, (D,)),
    (alone, ("int32",)), (beside, (N, D)), (beside, (N, N)), (to_ints, (B, D)), (to_ints, (B, "int8")),
    (listed, ([N, N], D)), (in_place, (D, D)), (kept, (N,)), (through_a_helper, (N, D)),
    (in_a_branch, (D, D)),
]  # fmt: skip
WAYS = [(a, b) for a in ("numpy", "torch") for b in ("numpy", "torch")]
FURTHER = [("numpy", "jax"), ("jax", "torch"), ("jax", "jax")]
RUNS = [
    *((*way, *case) for case in CASES for way in WAYS),
    *((*way, *case) for case in CASES[:7] for way in FURTHER),
    *(("numpy", to, *case) for case in NUMPYS for to in ("numpy", "torch")),
]


def of(names: Any, framework: str) -> Any:
    """Arrays of these dtypes."""
    if isinstance(names, list):
        return [of(name, framework) for name in names]
    return convert(np.array([1.5, 2.5, 0.25]).astype(names), framework)


def others(names: tuple[Any, ...]) -> Any:
    """All dtypes for what is given, the items of a list alike."""
    for given in itertools.product(NAMES, repeat=len(names)):
        yield tuple([g] * len(n) if isinstance(n, list) else g for g, n in zip(given, names))


@pytest.mark.covering
@pytest.mark.parametrize(("source", "to", "fn", "names"), RUNS)
def test_dtypes_are_those_of_the_program(source: str, to: str, fn: Any, names: Any) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    example = tuple(of(name, source) for name in names)
    try:
        out = tl.transpile(fn, example, to=to, source=source, x64=True if to == "jax" else None)
    except tl.UnsupportedError:
        return
    for given in (names, *others(names)):
        mine, theirs = (tuple(of(name, framework) for name in given) for framework in (source, to))
        try:
            wanted = fn(*mine)
        except Exception:  # nothing is promised
            continue
        try:
            found = out(*theirs)
        except (AssertionError, RuntimeError):  # a check, or torch has no such operation
            assert given != names
            continue
        wrong = list(compare(wanted, found, kind="reduction"))
        assert not wrong, f"{given}: {wrong[0]}\n{out.source}"


@pytest.mark.parametrize(
    ("fn", "names", "to", "line"),
    [
        (mask, (D, N), "numpy", "return a * ((i == 2) * 1.0)"),
        (mask, (D, N), "torch", "return a * (i == 2).to(torch.float64)"),
        (alone, (B,), "numpy", "return m * 1.0, m / 1, m * 1"),
        (kept, (N,), "numpy", "k = c * 1.0"),
        (beside, (N, N), "jax", "return i * 1.0 + a, i / 1 - a"),
    ],
)
def test_the_cast_is_said_as_the_user_says_it(fn: Any, names: Any, to: str, line: str) -> None:
    """Where the target gives another dtype it says the cast, and nothing beside it."""
    out = tl.transpile(fn, tuple(of(name, "numpy") for name in names), to=to)
    assert line in [each.strip() for each in out.source.splitlines()]


def minus(x):
    return 1 / x, 0 - x, x - 0.0


def test_what_is_no_law_asks_for_no_check() -> None:
    out = tl.transpile(minus, (np.ones(3),), to="numpy")
    assert "assert" not in out.source

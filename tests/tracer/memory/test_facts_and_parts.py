"""Facts of memory that are wrong are noticed, and writes show in views of views and in results of several."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert


def reversed_twice(x):
    return np.flip(x) * 1 + np.flip(x)


def waves(x):
    return np.sin(x)


def turned(x):
    a = x * 1
    p = torch.flip(a, (0,))
    p[0] = 5.0
    return a


@pytest.mark.parametrize(
    ("fn", "callee", "fact", "array", "error"),
    [
        (reversed_twice, "np.flip", "new", np.arange(4.0), "was taken to give new memory, and does not"),
        (waves, "np.sin", "view", np.arange(4.0), "was taken to give"),
        (turned, "torch.flip", "view", torch.arange(4.0), "may share memory"),
    ],
)
def test_a_fact_that_is_wrong_is_noticed(
    fn: Any, callee: str, fact: str, array: Any, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tracelate.backends import memory

    true = memory.found

    def found(source: str, names: tuple[str, ...]) -> str:
        return fact if callee in names else true(source, names)

    monkeypatch.setattr(memory, "found", found)
    with pytest.raises(tl.TraceError, match=error):
        tl.transpile(fn, (array,), to="numpy")


def peaks_in_a_loop(a):
    s = a[0] * 0
    for _ in range(12):
        v = a.max(0).values if isinstance(a, torch.Tensor) else a.max(0)
        q = torch.linalg.qr(a)[1] if isinstance(a, torch.Tensor) else np.linalg.qr(a)[1]
        a *= 0.5
        s = s + v + q[0]
    return s, a


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
def test_a_result_of_several_is_read_before_a_write_in_a_loop(source: str, to: str) -> None:
    example = convert(np.arange(16.0).reshape(4, 4) + np.eye(4), source)
    report = tl.check(peaks_in_a_loop, (example,), to=to, source=source, vary=8)
    assert report.ok, str(report)


def held_wide(m):
    a = m * 1
    p = a[1:2]
    q = p.expand(3, 4)
    w = a[:1].expand(4, 4)
    t = a.t()[1:2].expand(3, 4)
    a[1, 0] = 9
    a[0] = -1
    return q, w, t


def parts_of_parts(m):
    a = m * 1
    np.split(np.flipud(a), 2)[1][0] = 7
    np.fliplr(np.hsplit(a, 2)[0])[0, 0] = -5
    return a


def chunks_of_chunks(m):
    a = m * 1
    last = a.split([1, 3])[1].chunk(2)[1]
    last += 9
    return a


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(
    ("fn", "source"), [(held_wide, "torch"), (parts_of_parts, "numpy"), (chunks_of_chunks, "torch")]
)
def test_views_of_views(fn: Any, source: str, to: str) -> None:
    example = convert(np.arange(16.0, dtype=np.float32).reshape(4, 4), source)
    report = tl.check(fn, (example,), to=to, vary=8)
    assert report.ok, str(report)

"""Arguments that share memory where one is written into in a loop, a branch or a function, which reads what
was taken of another before: the text gives what the program gives, or refuses them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl


def normalise(x, ref):
    first = ref[0]
    for i in range(len(x)):
        x[i] = x[i] / first
    return x


def np_loop(x, y):
    k = y[0]
    s = 0.0
    for i in range(len(x)):
        x[i] = i
        s = s + k
    return s, x


def normalise2(x, ref):
    first = ref[0]
    if first > 0:
        x /= first
        x -= first
    return x


def dct(d):
    first = d["b"][0]
    if first > 0:
        d["a"] /= first
        d["a"] -= first
    return d["a"] + 0


def np_iter(x, y):
    out = []
    for r in y:
        x += 1
        out.append(r)
    return np.array(out), x


def put(a, b):
    a[0] = 3
    return b.sum()


def np_help(x, y):
    return put(x, y[::-1]), x


def putt(a, b):
    a[0] = 3
    return b.sum()


def t_help(x, y):
    return putt(x, y.flip(0)), x


def t_loop(x, y):
    v = y.flip(0)
    s = 0.0
    for i in range(len(x)):
        x[i] = i
        s = s + v[i]
    return s, x


def asl(x, y):
    v = np.asarray(y, dtype=np.float64)
    s = 0.0
    for i in range(len(x)):
        x[i] = i
        s = s + v[i]
    return s, x


def ast(x, y):
    v = torch.as_tensor(y)
    s = 0.0
    for i in range(len(x)):
        x[i] = i
        s = s + v[i]
    return s, x


def carry(x, y):
    prev = y[1]
    s = 0.0
    for i in range(len(x)):
        x[i] = i
        s = s + prev
        prev = y[i]
    return s, x


def carry2(x, y):
    prev = y[1]
    s = 0.0
    for i in range(len(x)):
        if s < 100:
            x[i] = i
        s = s + prev
        prev = y[::-1][i]
    return s, x


def scan2(x, y):
    out = []
    for r in y:
        x += 1
        out.append(r)
    return torch.stack(out), x


def it(x, y):
    s = 0.0
    for r in y:
        x += 1
        s = s + r
    return s, x


def part(x, y):
    v = y[1]
    s = 0.0
    if x.sum() > 0:
        x[0] = 9
        s = v + 1
    return s, x


def mesh(x, y):
    X, Y = torch.meshgrid(x, y, indexing="ij")
    x += 1
    return Y, x


def mesh2(x, y):
    v = torch.meshgrid(y, y, indexing="ij")[1]
    x += 1
    return v + 0, x


def nmesh(x, y):
    v = np.meshgrid(y, y)[0]
    s = 0.0
    for j in range(len(x)):
        x[j % 2] += 1
        s = s + v.sum()
    return s, x


def nmesh2(x, y):
    v = np.meshgrid(y, y)[0]
    x += 1
    return x, v + 0


def bub1(x, y):
    lo = y[0]
    for i in range(len(x)):
        x[i] = i + 5
        if i == 2:
            break
    return x, lo * 1


def wb_it(x, y):
    p, q, *_ = y
    for i in range(len(x)):
        x[i] = i + 5
        if i == 2:
            break
    return x, p * 1, q * 2


def b5(x, y):
    y[0] = 2
    v = y[1:]
    if y[0] > 0:
        acc = v[1] * 0.5
        x += 1
    else:
        acc = v[0] * 1
    return x, y, acc


def sw6(x, n=12):
    a = x * 2
    b = x * 3
    v = a[::2]
    for k in range(n):
        a, b = b, a
        v[:] = v * 0.5
    return a, b, v


def q5(x, y):
    x -= 0.5
    y[0] = 1
    for j in range(len(x)):
        x, y = y, x
    y[:] = x * 0.5
    return x, y


NUMPY = (
    normalise, np_loop, normalise2, dct, np_iter, np_help, asl, carry, carry2, it, part, nmesh, nmesh2, bub1,
    wb_it, b5,
)  # fmt: skip
TORCH = (t_help, t_loop, ast, scan2, mesh, mesh2, bub1, wb_it, b5)
PROGRAMS = [("numpy", fn) for fn in NUMPY] + [("torch", fn) for fn in TORCH]
EXAMPLE = np.random.default_rng(0).standard_normal(4) + 0.5


def sharing(kind: str, framework: str) -> tuple[Any, Any]:
    """Two arrays in one memory, or that overlap, or apart."""
    base: Any = np.arange(1.0, 6.0) / 4
    base = torch.from_numpy(base) if framework == "torch" else base
    if kind == "apart":
        return base[:4], base[1:] * 1
    return (base[:4], base[:4]) if kind == "same" else (base[1:], base[:-1])


def given(fn: Callable[..., Any], pair: tuple[Any, Any]) -> tuple[Any, ...]:
    return ({"a": pair[0], "b": pair[1]},) if fn is dct else pair


def arrays(result: Any) -> list[Any]:
    return [np.array(part) for part in (result if isinstance(result, tuple) else (result,))]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("source", "fn"), PROGRAMS, ids=lambda v: getattr(v, "__name__", v))
def test_what_is_read_after_a_write_inside(source: str, fn: Callable[..., Any], to: str) -> None:
    make = torch.from_numpy if source == "torch" else np.array
    traced = tl.symbolic_trace(fn, given(fn, (make(EXAMPLE.copy()), make(EXAMPLE + 1))), source=source)
    out = traced.to(to)
    for kind in ("apart", "same", "part"):
        wanted = arrays(fn(*given(fn, sharing(kind, source))))
        try:
            found = arrays(out(*given(fn, sharing(kind, to))))
        except AssertionError:
            assert kind != "apart", out.source
            continue
        assert all(map(np.allclose, wanted, found)), (kind, wanted, found, out.source)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("source", "fn"), PROGRAMS, ids=lambda v: getattr(v, "__name__", v))
def test_an_example_that_shares_memory(source: str, fn: Callable[..., Any], to: str) -> None:
    traced = tl.symbolic_trace(fn, given(fn, sharing("same", source)), source=source)
    try:
        out = traced.to(to)
    except tl.UnsupportedError as error:
        assert "share memory in the example" in str(error)
        return
    wanted = arrays(fn(*given(fn, sharing("same", source))))
    found = arrays(out(*given(fn, sharing("same", to))))
    assert all(map(np.allclose, wanted, found)), (wanted, found, out.source)


def test_a_view_of_what_a_loop_binds_to_other_names() -> None:
    for to in ("numpy", "torch"):
        report = tl.check(sw6, (EXAMPLE,), to=to)
        assert report.ok, report


@pytest.mark.parametrize("make", [np.array, torch.tensor], ids=["numpy", "torch"])
def test_arguments_that_a_loop_swaps_are_not_written_after_it(make: Callable[..., Any]) -> None:
    with pytest.raises(tl.UnsupportedError, match="may share memory"):
        tl.symbolic_trace(q5, (make(EXAMPLE), make(EXAMPLE)))

"""An array that is copied into another as a whole: what is written into the copy afterwards stays out of the
array. And the methods that write into theirs.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import linecache
import textwrap
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

BEFORE = {
    "nothing": "",
    "written": "u += 1",
    "an element": "u[0] = 5",
    "a part": "u[1:] *= 3",
    "in a loop": "for i in range(len(u)):\n    u[i] += i",
    "in many turns": "for i in range(12):\n    u *= 0.5",
}
COPIES = {
    "numpy": ["w = np.empty_like(u); w[...] = u", "w = np.zeros(4); np.copyto(w, u)", "w = u * 0; w[:] = u"],
    "torch": ["w = torch.empty_like(u); w.copy_(u)", "w = u * 0; w[...] = u"],
}
AFTER = ("w *= 2", "w[0] = 7", "w += u", "for i in range(12):\n    w += 1", "w[1:] = w[:-1] * 1", "u += w")
RESULTS = ("u, w", "w", "w.sum()", "u")
#: What the methods of NumPy's arrays are given that change them.
GIVEN: dict[str, tuple[Any, ...]] = {
    "put": ([0], 9.0), "fill": (3.0,), "setfield": (1.0, np.float64), "byteswap": (True,), "partition": (2,),
    "resize": ((3,),), "setflags": (False,),
}  # fmt: skip


def program(text: str) -> Any:
    text = "def f(u):\n" + textwrap.indent(text, "    ")
    file = f"<copies {abs(hash(text))}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    module: dict[str, Any] = {"np": np, "torch": torch, "__name__": __name__}
    exec(compile(text, file, "exec"), module)
    return module["f"]


def agrees(source: str, to: str, text: str) -> None:
    f = program(text)
    given = np.array([1.5, -2.0, 0.25, 3.0])
    try:
        out = tl.transpile(f, (convert(given, source),), to=to, source=source)
    except tl.UnsupportedError:
        return
    for array in (given, given[::-1].copy()):
        mine, theirs = (convert(array.copy(), framework) for framework in (source, to))
        expected, found = f(mine), out(theirs)
        wrong = [*compare(expected, found), *compare(mine, theirs)]
        assert not wrong, f"{text}\n{wrong[0]}\n{out.source}"


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize(("source", "copy"), [(s, c) for s, several in COPIES.items() for c in several])
def test_what_is_written_into_a_copy(source, copy, before) -> None:
    for after, result in product(AFTER, RESULTS):
        text = "\n".join(filter(None, (BEFORE[before], copy, after, f"return {result}")))
        for to in dict.fromkeys((source, "numpy", "torch")):
            agrees(source, to, text)


def test_best_parameters_so_far() -> None:
    def fn(p, steps):
        best = torch.empty_like(p)
        for _ in range(steps):
            p.mul_(0.5)
        best.copy_(p)
        best.clamp_(min=0)
        return p, best

    for to in ("numpy", "torch"):
        p = torch.tensor([1.0, -2.0, 3.0])
        out = tl.transpile(fn, (p.clone(), 3), to=to)
        given = convert(p, to)
        wrong = [*compare(fn(q := p.clone(), 3), out(given, 3)), *compare(q, given)]
        assert not wrong, out.source


@pytest.mark.parametrize("name", [name for name in dir(np.ndarray) if not name.startswith("_")])
def test_methods_that_write(name: str) -> None:
    """Whatever a method does to its array is done, or refused."""

    def fn(x):
        made = x * 1
        method = getattr(made, name)
        if callable(method):
            method(*GIVEN.get(name, ()))
        return made

    x = np.array([3.0, 1.0, 2.0])
    try:
        expected = fn(x)
    except Exception:
        return  # it wants something else
    try:
        out = tl.transpile(fn, (x,), to="numpy")
    except (tl.TraceError, AttributeError):
        return
    assert np.array_equal(expected, out(x)), out.source


@pytest.mark.parametrize(
    "name", [name for name in dir(torch.Tensor) if name.endswith("_") and name[0] != "_"]
)
def test_methods_of_torch_that_write(name: str) -> None:
    for given in ((), (2,), (0.5, 2.0), (torch.tensor([1.0, 2.0, 3.0]),)):

        def fn(x, given=given):
            made = x * 1
            getattr(made, name)(*given)
            return made

        x = torch.tensor([0.25, 0.5, 0.75])
        try:
            expected = fn(x)
            random = not torch.equal(expected, fn(x))
        except Exception:
            continue  # it wants something else
        try:
            out = tl.transpile(fn, (x,), to="torch")
        except tl.TraceError:
            continue
        assert random or torch.allclose(expected, out(x), equal_nan=True), out.source


def fixed(x):
    x[[0, 2]] = x[1]
    return x


def put(x):
    np.put(x, [0, 2], x[1])
    return x


def chosen(x):
    x[np.array([True, False, True])] = x[1]
    return x


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [fixed, put, chosen])
def test_an_element_of_what_is_written_into(fn, to) -> None:
    """torch reads it again for each place."""
    x = np.array([1.0, 2.0, 3.0])
    out = tl.transpile(fn, (x.copy(),), to=to)
    assert not list(compare(fn(x.copy()), out(convert(x.copy(), to)))), out.source

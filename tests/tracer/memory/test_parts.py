"""Writes through `.real`, `.imag` and the conjugate: an array of complex numbers is seen to change in that
part, one of real numbers is that part itself, and one text stands for one of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

#: By framework, views of the parts.
PARTS = {
    "numpy": ("x.real", "x.imag", "np.real(x)", "np.imag(x)", "x.real.T"),
    "torch": ("x.real", "x.imag", "torch.real(x)", "torch.imag(x)", "x.conj()", "torch.conj(x)"),
}
WRITES = (
    "y = VIEW; y += 1", "y = VIEW; y[0] = 9", "y = VIEW; x[1] = 5; y *= 2", "y = VIEW; add(y)",
    "if x.shape[0] > 1:\n        y = VIEW; y -= 1", "for i in range(12):\n        VIEW[0] += i",
)  # fmt: skip
SETS = ("x.real += 1", "x.imag *= 2", "x.real = 3", "x.imag = x.real", "x.imag[0] = x.real[1]", "change(x)")
CASES = [(s, w.replace("VIEW", view)) for s, views in PARTS.items() for view in views for w in WRITES]
CASES += [(s, line) for s in PARTS for line in SETS]
Z = np.array([[1 + 2j, complex(np.inf, -0.0), complex(-0.0, np.nan)], [3j, 5 - 1j, complex(2, -np.inf)]])
GIVEN = [Z.astype("complex64"), Z, np.float32([[1, 2, -0.0], [4, 5, 6]]), np.arange(6.0).reshape(2, 3)]
GIVEN += [np.arange(6).reshape(2, 3), np.eye(2, 3) > 0]
HELPERS = "def add(a):\n    a += 1\n\ndef change(z):\n    z.real[1] = 7\n\n"


def program(lines: str) -> Any:
    import linecache

    source = f"{HELPERS}def f(x):\n    {lines}\n    return x, x.real\n"
    file = f"<parts {lines}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    module: dict[str, Any] = {"np": np, "torch": torch}
    exec(compile(source, file, "exec"), module)
    return module["f"]


def outcome(f: Any, x: Any, framework: str, refuses: Any = Exception) -> Any:
    """What a call gives, and leaves of its argument; None where it raises what it may."""
    x = convert(x.copy(), framework)
    try:
        return f(x), x
    except refuses:
        return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("example", [GIVEN[0], GIVEN[2]], ids=["complex", "real"])
@pytest.mark.parametrize(("source", "lines"), CASES)
def test_what_is_written_into_a_part_is_seen_or_raises(source: str, lines: str, example: Any) -> None:
    f = program(lines)
    mine = outcome(f, example, source)
    if mine is None:
        with pytest.raises(Exception, match=r"imag|read-only"):
            tl.transpile(f, (convert(example, source),), to="numpy", source=source)
        return
    for to in ("numpy", "torch", "jax"):
        out = tl.transpile(f, (convert(example.copy(), source),), to=to, source=source)
        for x in GIVEN:
            if to == "jax" and x.dtype.itemsize * (1 + (x.dtype.kind != "c")) > 8:
                continue
            mine, theirs = outcome(f, x, source), outcome(out, x, to, AssertionError)
            if x is example:
                assert theirs is not None, out.source
            if theirs is None:
                continue
            assert mine is not None, f"{lines} of {x.dtype} raises\n{out.source}"
            if to == "jax":  # which gives back what it has written
                mine, theirs = mine[0], theirs[0]
            found = list(compare(mine, theirs))
            assert not found, f"{x.dtype}: {found[0]}\n{out.source}"


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_a_part_that_is_read_after_a_write_is_what_it_is_then(to: str) -> None:
    def f(z: Any) -> Any:
        a, b = z.real, z.imag
        z[0] = 7 + 8j
        a[1] = 5
        return z, a, b

    report = tl.check(f, (GIVEN[0],), to=to)
    assert report.ok, str(report)


@pytest.mark.parametrize("example", [GIVEN[0], GIVEN[2]], ids=["complex", "real"])
def test_what_no_imaginary_part_has_is_no_view(example: Any) -> None:
    """In NumPy the imaginary part of real numbers is a new array; of complex ones it is not."""

    def f(x: Any) -> Any:
        y = x.imag
        x[0] = 3
        return y

    out = tl.transpile(f, (example.copy(),), to="numpy")
    for x in GIVEN:
        mine, theirs = outcome(f, x, "numpy"), outcome(out, x, "numpy", AssertionError)
        assert theirs is None or not list(compare(mine, theirs)), out.source


def test_the_parts_of_a_helper_say_what_is_checked_of_the_caller() -> None:
    def change(a: Any) -> None:
        y = a.real
        y += 1

    def f(x: Any, n: Any) -> Any:
        change(x)
        return x * n

    out = tl.transpile(f, (GIVEN[2], GIVEN[4].astype("float32")), to="numpy")
    with pytest.raises(AssertionError):
        out(GIVEN[0].copy(), GIVEN[2])


def test_the_imaginary_part_of_an_array_of_real_numbers_is_not_set() -> None:
    def f(x: Any) -> Any:
        x.imag = 1
        return x

    with pytest.raises(TypeError, match="does not have imaginary part"):
        tl.symbolic_trace(f, (GIVEN[2].copy(),))


def test_the_parts_of_a_number_are_not_set() -> None:
    def f(x: Any) -> Any:
        s = x.sum()
        s.real = 1
        return s

    with pytest.raises(tl.TraceError, match=r"setting \.real of a number"):
        tl.symbolic_trace(f, (GIVEN[0].copy(),))

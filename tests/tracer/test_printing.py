"""`print` and f-strings: what a program prints, its translations print too, on every way."""

from __future__ import annotations

import re
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

pytestmark = pytest.mark.usefixtures("wide")

ON = np.array([1.0, 2.0, 0.5])
NUMBER = re.compile(r"-?\d+\.?\d*")


def tells(x: Any, n: int) -> Any:
    if x.sum() > 1:
        print("big", n)
    for i in range(n):
        x = x * 0.5
        print(f"{i}: {x.sum():.3f}", x.max(), sep=" | ")
    print("done", n, end=".\n")
    return x


def helper(x: Any) -> None:
    print("in the helper", f"{x.max():.1f}")


def calls(x: Any) -> Any:
    helper(x)
    print("{braces}")
    print()
    return x + 1


def told(capfd: Any, fn: Any, *args: Any) -> tuple[list[float], str]:
    """The numbers that a call prints, and the text around them, line by line in any order: JAX keeps none."""
    capfd.readouterr()
    fn(*args)
    jax.effects_barrier()
    text = capfd.readouterr().out.replace("tensor(", "").replace(", dtype=torch.float64)", "")
    text = "\n".join(sorted(text.splitlines()))
    return [float(n) for n in NUMBER.findall(text)], NUMBER.sub("#", text)


@pytest.mark.parametrize("to", ["tape", "numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "rest"), [(tells, (3,)), (calls, ())], ids=["tells", "calls"])
def test_every_line_is_printed(fn: Any, rest: tuple[Any, ...], to: str, capfd: Any) -> None:
    traced = tl.symbolic_trace(fn, (ON, *rest))
    assert capfd.readouterr().out == ""
    out = traced if to == "tape" else traced.to(to, x64=True)
    for x in (ON, -ON):
        numbers, text = told(capfd, fn, x, *rest)
        found, again = told(capfd, out, convert(x, "numpy" if to == "tape" else to), *rest)
        assert again == text
        assert np.allclose(found, numbers, atol=1e-3)


def test_the_text() -> None:
    text = tl.transpile(tells, args=(ON, 3), to="numpy").source
    assert 'print(f"{i}: {np.sum(x):.3f}", np.max(x), sep=" | ")' in text
    assert 'print("done", n, end=".\\n")' in text
    jax_text = tl.transpile(tells, args=(ON, 3), to="jax", x64=True).source
    assert 'jax.debug.print("{}: {:.3f} | {}", i, ' in jax_text


def test_a_string_with_values_is_only_printed() -> None:
    with pytest.raises(tl.UnsupportedError, match="returning a string"):
        tl.symbolic_trace(lambda x: (x, f"{x.sum()}"), (ON,))

    def into_a_file(x: Any) -> Any:
        import sys

        print(x, file=sys.stderr)
        return x

    with pytest.raises(tl.UnsupportedError, match="print to a file"):
        tl.symbolic_trace(into_a_file, (ON,))


def test_a_check_prints_no_more_than_the_programs_do(capfd: Any) -> None:
    tl.check(calls, (torch.ones(2),), to="numpy")
    assert capfd.readouterr().out.count("{braces}") == 2

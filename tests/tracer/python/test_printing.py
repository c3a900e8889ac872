"""`print` and f-strings: what a program prints, its translations print too, on every way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert
from tracelate.ir.errors import UnsupportedError

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


def prints_once(x: Any) -> Any:
    if x.sum() > 1:
        print("big {}", x.max())
    return x


def helper(x: Any) -> None:
    print("in the helper", f"{x.max():.1f}")


def calls(x: Any) -> Any:
    helper(x)
    print("{braces}", "{}", x.min(), "}{")
    print("{braces}")
    print()
    return x + 1


def told(capfd: Any, fn: Any, *args: Any) -> tuple[list[float], str]:
    """The numbers that a call prints, and the text around them, line by line in order."""
    capfd.readouterr()
    fn(*args)
    jax.effects_barrier()
    text = capfd.readouterr().out.replace("tensor(", "").replace(", dtype=torch.float64)", "")
    return [float(n) for n in NUMBER.findall(text)], NUMBER.sub("#", text)


@pytest.mark.parametrize("to", ["tape", "numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "rest"), [(tells, (3,)), (tells, (30,)), (calls, ()), (prints_once, ())])
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
    assert 'print(f"{i}: {x.sum():.3f}", x.max(), sep=" | ")' in text
    assert 'print("done", n, end=".\\n")' in text
    jax_text = tl.transpile(tells, args=(ON, 3), to="jax", x64=True).source
    assert 'jax.debug.print("{}: {:.3f} | {}", i, ' in jax_text
    assert jax_text.count("ordered=True") == 3
    assert "ordered" not in tl.transpile(prints_once, args=(ON,), to="jax", x64=True).source


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
    assert capfd.readouterr().out.count("{braces}\n") == 2


def by_percent(x: Any) -> Any:
    print("%.2f" % float(x.sum()))
    print("%8.3f|%-8.3f|%08.3f|%+d%%|%5s|%r" % (x[0], float(x[1]), x[2], int(x[2]), "a", 3))
    print("%(a)s %(b).1e" % {"a": 1, "b": x.max()})
    for i in range(3):
        if x[i] > 0:
            print("%d: %.1f" % (i, x[i]))
    return x


def by_format(x: Any) -> Any:
    print("{:.2f} {}".format(float(x.sum()), 3), "{0:.1f} {0:8.2f} {a!r:>4}".format(x.max(), a="b"))
    return x


@pytest.mark.parametrize("to", ["tape", "numpy", "torch", "jax"])
@pytest.mark.parametrize("fn", [by_percent, by_format])
def test_strings_are_formatted_in_the_old_ways_too(fn: Any, to: str, capfd: Any) -> None:
    traced = tl.symbolic_trace(fn, (ON,))
    out = traced if to == "tape" else traced.to(to, x64=True)
    for x in (ON, -ON):
        expected = told(capfd, fn, x)
        assert told(capfd, out, x if to == "tape" else convert(x, to)) == expected


def cut(x: Any) -> Any:
    print("%d" % x.sum())
    return x


def looked_into(x: Any) -> Any:
    print("{0.shape}".format(x))
    return x


def returned(x: Any) -> Any:
    return "%.2f" % x.sum()


@pytest.mark.parametrize(
    ("fn", "hint"), [(cut, r"int\(...\)"), (looked_into, "f-string"), (returned, "the values themselves")]
)
def test_what_no_text_says_is_refused(fn: Any, hint: str) -> None:
    with pytest.raises(tl.UnsupportedError, match=hint):
        tl.transpile(fn, (ON,), to="numpy")


def too_few(x: Any) -> Any:
    print("%.2f %s" % (x.sum(),))  # noqa: F507
    return x


def test_what_the_program_raises_is_raised() -> None:
    with pytest.raises(TypeError, match="not enough arguments"):
        tl.transpile(too_few, (ON,), to="numpy")


def of_positive(x: Any) -> Any:
    return [y for r in x if (y := float(r)) > 0]


def of_a_number(x: Any) -> Any:
    return "abc"[int(x.sum())]


@pytest.mark.parametrize(
    ("fn", "why"),
    [(of_positive, "how many items it keeps"), (of_a_number, "a number that is taken out of an array")],
)
def test_a_number_out_of_an_array_is_no_loops(fn: Any, why: str) -> None:
    with pytest.raises(tl.UnsupportedError, match=why):
        tl.transpile(fn, (ON,), to="numpy")


@dataclass
class Held:
    w: Any


class Named(NamedTuple):
    w: Any


CONTAINERS = {
    "list": lambda x: [x], "tuple": lambda x: (x,), "dict": lambda x: {"a": x}, "dataclass": Held,
    "named tuple": Named, "nested": lambda x: [Held(x), {"a": (x, 1)}],
}  # fmt: skip
SAID = {
    "f-string": lambda v: f"{v}", "r": lambda v: f"{v!r}", "str": str, "repr": repr, "format": format,
    "%": lambda v: "%s" % (v,), "str.format": lambda v: "{} {!r}".format(v, v),
    "join": lambda v: " ".join([str(v)]),
}  # fmt: skip


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("kind", CONTAINERS)
def test_arrays_in_containers_stand_in_texts_as_they_would_alone(kind: str, said: str, capfd: Any) -> None:
    make, say = CONTAINERS[kind], SAID[said]

    def shown(x: Any) -> Any:
        print(say(make(x * 2)))
        return x

    expected = told(capfd, shown, ON)
    assert told(capfd, tl.transpile(shown, (ON,), to="numpy"), ON) == expected and expected[0]
    with pytest.raises(UnsupportedError, match="has values of arrays in it"):
        tl.transpile(lambda x: (x, say(make(x))), (ON,), to="numpy")


@pytest.mark.parametrize("kind", CONTAINERS)
def test_containers_that_are_printed_are_told(kind: str, capfd: Any) -> None:
    make = CONTAINERS[kind]

    def shown(x: Any) -> Any:
        print(make(x), x)
        return x

    out = tl.transpile(shown, (ON,), to="torch")
    assert "proxy" not in out.source
    assert told(capfd, shown, ON)[0][:3] == told(capfd, out, torch.tensor(ON))[0][:3]


def test_a_width_that_a_loop_carries_is_refused() -> None:
    def fn(x: Any) -> Any:
        width = 3
        while x.sum() > 0.5:
            print(f"{1:{width}}")
            width = width + 1
            x = x / 2
        return x

    with pytest.raises(UnsupportedError, match="a format that the program computes"):
        tl.symbolic_trace(fn, (ON,))

"""Numbers and sizes in what is printed: a text says those of its own call, and asks nothing of them."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest
from as_written import is_the_users

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.ones((2, 3))
OTHERS = [X, np.ones((4, 3)), np.ones((2, 5))]


def of_a_loop(x, lr=0.1, epochs=3):
    for epoch in range(epochs):
        loss = (x**2).mean()
        print(f"epoch {epoch}/{epochs}: loss={loss:.4f} lr={lr:g}")
        x = x - lr * x
    return x


def of_sizes(x):
    n, d = x.shape
    print("n =", n, f"d = {d:3d}|{n * d:>5}|{n!r:<4}|{d!s:5}|{n!r:^6}|", f"{n / d:.2f}")
    return x * 2


def of_numbers(x, k=2, s=0.5):
    a = k / 4
    print(f"{a} {a:.3f} {k + 1} {s * 2} {k > 1} {s!r}")
    return x * a


def on_ways(x, k=2):
    if k > 1:
        print(f"big {k}")
    else:
        print(f"small {k:+d}")
    return x


def of_two_sizes(x):
    return said(x) + said(x[:1])


def said(x):
    print(f"[a] {x.shape[0]} x {x.shape[1]}")
    return x.sum()


def by_percent(x, k=2):
    print("k is %d of %d" % (k, x.shape[0]), "%5.1f" % (k / 2))
    return x


def by_format(x, k=2):
    print("{:>5}|{}".format(len(x), k))
    return x


# What is more than a number is looked at.


def of_a_list(xs, k=2):
    print(f"{len(xs)} arrays, {[k, k + 1]}")
    return sum(xs)


def kept(x):
    line = f"{len(x)} rows"
    print(line)
    return x, line


PROGRAMS = [of_a_loop, of_sizes, of_numbers, on_ways, of_two_sizes, by_percent, by_format, kept]
CALLS: dict[Any, list[tuple[Any, ...]]] = {
    of_a_loop: [(), (0.5, 2), (1, 1), (0.25, 0)],
    of_numbers: [(), (3, 2), (1, 0.25), (2.5, 1)],
    on_ways: [(), (1,), (-3,)],
    by_percent: [(), (7,), (True,)],
    by_format: [(), (7,), (2.5,)],
}


def out_of(capfd: Any, fn: Any, *args: Any) -> str:
    capfd.readouterr()
    fn(*args)
    jax.effects_barrier()
    text: str = capfd.readouterr().out
    return text


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_text_prints_what_the_program_prints(program: Any, to: str, capfd: Any) -> None:
    with jax.enable_x64(True):
        out = tl.transpile(program, (X,), to=to, x64=True if to == "jax" else None)
        for x in OTHERS:
            for numbers in CALLS.get(program, [()]):
                wanted = out_of(capfd, program, x, *numbers)
                try:
                    found = out_of(capfd, out, convert(x, to), *numbers)
                except AssertionError:
                    assert program is kept and x is not X, out.source
                    continue
                assert found == wanted, out.source


@pytest.mark.parametrize("program", [of_a_loop, of_sizes, of_numbers, on_ways, of_two_sizes])
def test_the_text_is_the_users(program: Any) -> None:
    is_the_users(program, X, "numpy")


def mapped(x):
    list(map(print, ["rows:", f"{len(x)}"]))
    return x


def by_another_name(x, print=len):
    return x * print(f"{len(x)}")


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_what_python_calls_is_printed_too(to: str, capfd: Any) -> None:
    out = tl.transpile(mapped, (X,), to=to)
    assert out_of(capfd, out, convert(X, to)) == out_of(capfd, mapped, X) == "rows:\n2\n"


def test_what_is_called_print_and_is_another_function() -> None:
    out = tl.transpile(by_another_name, (X,), to="numpy")
    assert np.array_equal(out(X), by_another_name(X))
    with pytest.raises(AssertionError):
        out(np.ones((12, 3)))


def of_words(x, k=2):
    print(f"|{k > 1!r:6}|", "|%6s|" % (k > 1))
    return x


def test_a_bool_is_a_word_where_it_is_wide(capfd: Any) -> None:
    out = tl.transpile(of_words, (X,), to="numpy")
    assert out_of(capfd, out, X, 1) == out_of(capfd, of_words, X, 1) == "|False | | False|\n"
    with pytest.raises(tl.UnsupportedError, match="makes no words of what it formats"):
        tl.transpile(of_words, (X,), to="jax", x64=True)


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_list_is_looked_at(to: str, capfd: Any) -> None:
    out = tl.transpile(of_a_list, ([X, X],), to=to)
    given = [convert(X, to)] * 2
    assert out_of(capfd, out, given) == out_of(capfd, of_a_list, [X, X]) == "2 arrays, [2, 3]\n"
    with pytest.raises(AssertionError):
        out(given, 5)

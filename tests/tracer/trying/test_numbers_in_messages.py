"""Numbers and values in the messages of the errors that a program raises."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert

FRAMEWORKS = ("numpy", "torch", "jax")
LINE = np.linspace(0.5, 2.0, 4, dtype=np.float32)


def by_percent(x, k):
    assert k <= 3, "too large: %s" % k
    return x * k


def by_several(x, k):
    if k > 3:
        raise ValueError("k is %d, %5.2f of 100%%, %r" % (k, x.shape[0], x.shape), 7)
    return x * k


def by_format(x, k):
    if k > 3:
        raise ValueError("{:>4} of {} {!r}".format(k, x.shape[0], x.shape))
    return x * k


def by_number(x, k):
    if k > 3:
        raise KeyError("{0:+d} {1}".format(k, x.shape[0]))
    return x * k


def with_flags(x, k):
    if k > 3:
        raise ValueError("%-6d|%+i|%05d|%#x|%8s|%-4s|%.2e" % (k, k, k, k, k, k, k))
    return x * k


def of_a_shape(x, k):
    if x.shape[0] * k > 9:
        raise ValueError(f"{x.shape} {k}")
    return x * k


@pytest.mark.parametrize("to", FRAMEWORKS)
@pytest.mark.parametrize("fn", [by_percent, by_several, by_format, by_number, with_flags, of_a_shape])
def test_numbers_in_messages_do_not_pin_them(fn: Any, to: str) -> None:
    out = tl.transpile(fn, (LINE, 2), to=to, source="numpy")
    for size, k in [(4, 2), (3, 3), (2, 1), (4, 5), (2, 11)]:
        x = np.ones(size, np.float32)
        try:
            expected = fn(x, k)
        except Exception as error:
            with pytest.raises(type(error)) as caught:
                out(convert(x, to), k)
            if to != "torch":  # whose shapes are written in another way
                said, asked = (str(e).splitlines()[0] for e in (caught.value, error))  # pytest says more
                assert said == asked
        else:
            assert np.allclose(convert(out(convert(x, to), k), "numpy"), expected)


def of_an_array(x):
    total = x.sum()
    if total > 100:
        raise ValueError("%e %.3f %s" % (total, total, total))
    return x * 2


def of_floats_as_ints(x):
    total = x.sum()
    if total > 100:
        raise ValueError("%d" % total)
    return x * 2


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
def test_values_of_arrays_in_messages(source: str, to: str) -> None:
    x = convert(LINE * 200, to)
    with pytest.raises(ValueError, match=r"1\.000000e\+03 1000\.000 .*1000"):
        tl.transpile(of_an_array, (convert(LINE, source),), to=to)(x)
    with pytest.raises(tl.UnsupportedError, match="%d of an array") as caught:
        tl.transpile(of_floats_as_ints, (convert(LINE, source),), to=to)
    assert "f-string" in str(caught.value)

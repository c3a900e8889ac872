"""What is asked of the sizes of slices and chunks, for all small sizes: what slices take for granted of the
example, that they are not longer than the array, is checked once Python has looked at their sizes.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import inspect
import itertools
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl


def truncated(x):
    return x[:8] * 2 if len(x[:8]) == len(x) else x[:8]


def cut(x):
    if len(x[:8]) < len(x):
        return x[:8] * 0
    return x


def lagged(x, n):
    return x[:-n] + 1 if len(x[:-n]) == len(x) - n else x


def shorter(x):
    if x[2:].shape[0] < x[1:].shape[0]:
        return x + 1
    return x


def nothing_cut(x):
    return x.sum() + 10 if x[1:].shape[0] == x.shape[0] else x.sum()


def differences(x):
    d = x[1:] - x[:-1]
    return d if d.shape[0] == x.shape[0] - 1 else d + 5


def left_and_right(x, n):
    return x.sum() * (x[:n].shape == x[-n:].shape)


def from_before(x, n):
    return x.sum() * (len(x[n - 1 :]) > len(x[n:]))


def the_last(x, n):
    return x.sum() * (len(x[len(x) - n :]) == n)


def of_a_list(x, n):
    return x.sum() * (len(list(x)[:-n]) == len(x) - n)


def first_of_a_list(x):
    return x.sum() * (len(list(x)[:8]) == len(x))


def of_a_slice(x):
    return x.sum() * (len(x[1:][1:]) < len(x[1:]))


def subtracted(x):
    return x.sum() * (len(x) - len(x[1:]) == 1)


def of_that_many(x):
    return x.sum() * len(x[: len(x) - len(x[2:])])


def of_another(x, y):
    return x.sum() * (len(x[len(y) :]) == len(x) - len(y))


def as_a_number(x):
    return x.sum() / (len(x[2:]) + 1)


def first(x):
    return x[:8] + 1


def by_a_helper(x):
    y = first(x)
    return y * 2 if len(y) == len(x) else y


def is_short(x):
    return len(x[:8]) == len(x)


def asked_by_a_helper(x):
    return x * 2 if is_short(x) else x


def in_a_loop(x, n):
    total = x.sum()
    for _ in range(n):
        if len(x[1:]) < len(x):
            total = total * 2
    return total


def strided(x):
    return x.sum() * (len(x[1::2]) == len(x) // 2)


def backward(x, n):
    return x.sum() * (len(x[n::-1]) == n + 1)


def last_four(x):
    return x.sum() * len(x[len(x) - 4 :])


def last_four_asked(x):
    return x.sum() + 1 if len(x[len(x) - 4 :]) == 4 else x.sum()


def four_from_behind(x, n):
    return x.sum() * len(x[n - 4 : n - 1])


def up_to_what_is_left(x, n):
    return x.sum() * len(x[: 3 - n])


def from_what_is_left(x, n):
    return x.sum() * len(x[n : n + 2])


def of_two_ends(x):
    return x.sum() * x[len(x) - 3 : len(x) - 1].shape[0]


def every_other_of_the_last(x):
    return x.sum() / len(x[len(x) - 4 :: 2])


def downwards(x, n):
    return x.sum() * len(x[n - 1 : n - 4 : -1])


def downwards_from_the_last(x):
    return x.sum() * (len(x[: len(x) - 3 : -1]) + 1)


def last_four_as_rows(x):
    return x[len(x) - 4 :].reshape(-1, 2) * x[len(x) - 4 :].shape[0]


def last_four_by_a_helper(x):
    y = tail(x)
    return y * len(y)


def tail(x):
    return x[len(x) - 4 :]


def each_of_the_last(x):
    total = x.sum()
    for v in x[len(x) - 4 :]:
        total = total * 2 + v
    return total


def unpacked_of_the_last(x):
    a, b = x[len(x) - 2 :]
    return a * 2 + b


def cut_before_the_last(x):
    return x.sum() * len(np.split(x, [len(x) - 3, len(x) - 1])[1])


def stretched_of_the_last(x):
    return x[len(x) - 3 :].expand(2, -1)


def cut_from_a_number(x, n):
    return x.tensor_split([n - 4])[0].shape[0] * x


def narrowed(x, n):
    return x.narrow(0, n, 2) + 1


def narrowed_from_behind(x, n):
    return x.narrow(-1, -n, n) + 1


def narrowed_to_the_last(x):
    return x.narrow(0, len(x) - 4, 2) + 1


def chunks_counted(x):
    return x.sum() / len(x.chunk(3))


def halves(x):
    a, b = x.chunk(2, -1)
    return a if a.shape == b.shape else b


def halves_compared(x):
    return x * (x.chunk(2)[1].shape == x.chunk(2)[0].shape)


def chunks_added(x):
    total = x.sum()
    for part in x.chunk(3):
        total = total + part.sum() * part.shape[0]
    return total


def trailing(x, n):
    out = x * 0
    for i in range(len(x)):
        out[i] = x[i - n : i].sum()
    return out


def trailing_as_rows(x, n):
    return x.sum() + sum(x[i - n : i].sum() * i for i in range(len(x)))


def counted_from_behind(x, n):
    if n < 0:
        n = len(x) + n
    return x[: len(x) - n + 1][-1] * 2


OF_BOTH = (
    truncated, cut, lagged, shorter, nothing_cut, differences, left_and_right, from_before, the_last,
    of_a_list, first_of_a_list, of_a_slice, subtracted, of_that_many, of_another, as_a_number, strided,
    by_a_helper, asked_by_a_helper, in_a_loop, last_four, last_four_asked, four_from_behind,
    up_to_what_is_left, from_what_is_left, of_two_ends, every_other_of_the_last, last_four_as_rows,
    last_four_by_a_helper, each_of_the_last, unpacked_of_the_last, trailing, trailing_as_rows,
    counted_from_behind,
)  # fmt: skip
OF_NUMPY = (backward, downwards, downwards_from_the_last, cut_before_the_last)
OF_TORCH = (
    chunks_counted, halves, halves_compared, chunks_added, stretched_of_the_last, cut_from_a_number,
    narrowed, narrowed_from_behind, narrowed_to_the_last,
)  # fmt: skip


def arguments(program: Any, size: int, other: int) -> tuple[Any, ...]:
    made = {"x": np.arange(1.0, size + 1), "y": np.arange(float(max(other, 0))), "n": other}
    return tuple(made[name] for name in inspect.signature(program).parameters)


def others(program: Any) -> range:
    parameters = inspect.signature(program).parameters
    return range(-3, 8) if "n" in parameters else range(8) if "y" in parameters else range(1)


def given(value: Any, framework: str) -> Any:
    return torch.tensor(value) if framework == "torch" and isinstance(value, np.ndarray) else value


CASES = [(p, "numpy") for p in (*OF_BOTH, *OF_NUMPY)] + [(p, "torch") for p in (*OF_BOTH, *OF_TORCH)]


@pytest.mark.covering
@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("program", "source"), CASES)
def test_sizes_that_python_has_looked_at_are_what_they_are(program: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    example = [given(a, source) for a in arguments(program, 6 if program in OF_TORCH else 5, 2)]
    out = tl.transpile(program, example, to=to)
    right = 0
    for size, other in itertools.product(range(12), others(program)):
        args = arguments(program, size, other)
        try:
            expected = program(*(given(a, source) for a in args))
        except Exception:
            continue
        try:
            found = out(*(given(a, to) for a in args))
        except (AssertionError, ValueError, IndexError):
            continue  # checked; or torch has fewer chunks, NumPy no equal parts
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), err_msg=f"{size}, {other}")
        right += 1
    assert right > 2, out.source


def test_what_is_checked_of_slices_reads_well() -> None:
    text = tl.transpile(truncated, (np.ones(5),), to="numpy").source
    assert "assert x.shape[0] <= 8, x.shape[0]" in text
    text = tl.transpile(shorter, (np.ones(5),), to="numpy").source
    assert "assert x.shape[0] >= 2, x.shape[0]" in text and ">= 1" not in text


def test_sizes_that_nobody_looks_at_are_not_checked() -> None:
    def smoothed(x):
        return (x[2:] + x[1:-1] + x[:-2]) / 3

    assert "shape" not in tl.transpile(smoothed, (np.ones(5),), to="numpy").source

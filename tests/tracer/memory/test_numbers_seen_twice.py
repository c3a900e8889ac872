"""A number of Python's or NumPy's is given for the example's array: whatever else has a copy or a view of it,
a write changes an array for all who see it, and makes another number.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl


def copied(x):
    y = x.copy()
    z = y
    y += 1
    return z


def copied_by_python(x):
    y = copy.copy(x)
    z = y
    y += 1
    return z * 1


def copied_deeply(x):
    e = copy.deepcopy({"p": x, "q": x})
    e["p"] += 1
    return e["q"] * 1


def of_its_own_dtype(x):
    y = x.astype(x.dtype)
    z = [y]
    y += 1
    return z


def put_twice(x):
    y = x.copy()
    state = {"a": y, "b": y}
    state["a"] += 1
    return state


def copied_turn_by_turn(x):
    y = x.copy()
    for _ in range(2):
        z = y
        y += 1
    return z, y


def expanded(x):
    y = np.expand_dims(x, 0)
    x *= 2
    return y - 1


def all_of_it(x):
    y = x[...]
    x *= 2
    return y - 1


def turned(x):
    y = [x.T]
    x *= 2
    return y[0] - 1


def flattened(x):
    y = x.reshape(-1)
    x *= 2
    return y - 1


def as_array(x):
    y = np.asarray(x)
    x *= 2
    return y - 1


def as_floats(x):
    y = x.astype(np.float64, copy=False)
    x *= 2
    return y - 1


def real_part(x):
    y = x.real
    x *= 2
    return y - 1


def split_in_one(x):
    y = np.split(x, 1)[0]
    x *= 2
    return y - 1


def view_of_a_view(x):
    y = x.T.real
    x *= 2
    return y - 1


def written_as_array(x):
    y = np.asarray(x)
    y += 1
    return y * 1, x


def written_flat(x):
    y = np.ravel(x)
    y += 1
    return y * 1, x


def written_by_its_real_part(x):
    y = x.real
    y += 1
    return y * 1, x


def real_part_of_torch(x):
    y = x.real
    x *= 2
    return y - 1


def line_of_torch(x):
    y = x.view(-1)
    x.mul_(2)
    return y - 1


def all_of_torch(x):
    y = x[...]
    x *= 2
    return y - 1


OF = {
    "numpy": (
        copied, copied_by_python, copied_deeply, of_its_own_dtype, put_twice, copied_turn_by_turn, expanded,
        all_of_it, turned, flattened, as_array, as_floats, real_part, split_in_one, view_of_a_view,
        written_as_array, written_flat, written_by_its_real_part,
    ),
    "torch": (real_part_of_torch, line_of_torch, all_of_torch),
}  # fmt: skip
GIVEN: tuple[Any, ...] = (2.0, 3, np.float64(1), np.array(1.0), np.ones(3), np.ones((1, 3)))


def own(value: Any, framework: str) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    return torch.from_numpy(value.copy()) if framework == "torch" else value.copy()


def flat(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from flat(item)
    else:
        yield np.asarray(value)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("source", "fn"), [(source, fn) for source, fns in OF.items() for fn in fns])
def test_numbers_given_for_arrays(source: str, fn: Any, to: str) -> None:
    out = tl.transpile(fn, (own(np.ones(3), source),), source=source, to=to)
    for value in GIVEN:
        # What has no axes is a number in NumPy's texts: it stands for torch's array without axes.
        meant = np.asarray(value) if source == "torch" and isinstance(value, np.generic) else value
        try:
            expected = [*flat(fn(own(meant, source)))]
        except Exception:
            continue
        try:
            found = [*flat(out(own(value, to)))]
        except (AssertionError, AttributeError, TypeError, IndexError, RuntimeError):
            assert np.shape(value) != (3,)
            continue
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(other, one, f"{value!r}: {out.source}")

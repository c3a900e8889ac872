"""What no variable holds: a list that is made in a call, a closure that is called at once. Where a call is
traced again, since it returns before its end, it is what it was.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import convert, to_numpy

X = np.array([1.0, 2.0, 3.0], np.float32)


class Layer:
    def pushed(self, log, x):
        log.append(1.0)
        if x.shape[0] > 2:
            return x * len(log)
        return x * 5


def pushed(log, x):
    log.append(1.0)
    if x.shape[0] > 2:
        return x * len(log)
    return x * 5


def a_list_given_to_a_closure(x):
    def go(log, x):
        log.append(2.0)
        if x.shape[0] > 2:
            return x * len(log)
        return x

    return go([], x) + go([1.0], x)


def a_list_given_to_a_method(x):
    return Layer().pushed([], x) + Layer().pushed([0.0, 1.0], x)


def a_list_given_to_a_function(x):
    return pushed([], x) + pushed(list((1.0, 2.0)), x)


def a_dict_given(x):
    def go(held, x):
        held["k"] = held["k"] + 1
        if x.shape[0] > 2:
            return x * held["k"]
        return x

    return go({"k": 1}, x) + go(dict(k=2), x)


def a_closure_with_a_list(x):
    def make():
        log = []

        def go(x):
            log.append(1.0)
            if x.shape[0] > 2:
                return x * len(log)
            return x

        return go

    return make()(x)


def a_closure_with_a_number(x):
    def make():
        n = 0.0

        def go(x):
            nonlocal n
            n += 1
            if x.shape[0] > 2:
                return x * n
            return x

        return go

    again = make()
    return make()(x) + again(x) + again(x)


def a_number_of_a_loop(x):
    n = 0

    def go(y):
        nonlocal n
        for _ in range(3):
            n += 1
            if y.shape[0] > 5:
                return y
        return y * n

    return go(x) + go(x)


def an_object_given(x):
    class Held:
        def __init__(self):
            self.n = 0

    def go(held, x):
        held.n += 1
        if x.shape[0] > 2:
            return x * held.n
        return x

    return go(Held(), x)


def in_a_list_given(x):
    def go(several, x):
        several[0].append(1.0)
        if x.shape[0] > 2:
            return x * len(several[0])
        return x

    return go([[], []], x) + go(([1.0],), x)


def by_an_array(x):
    def go(log, x):
        y = x * len(log)
        if x.sum() > 3:
            return y + 1
        return y

    return go([1.0], x)


PROGRAMS = (
    a_list_given_to_a_closure, a_list_given_to_a_method, a_list_given_to_a_function, a_dict_given,
    a_closure_with_a_list, a_closure_with_a_number, a_number_of_a_loop, an_object_given, in_a_list_given,
    by_an_array,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_what_no_variable_holds_is_what_it_was(program: Any, to: str) -> None:
    traced = tl.symbolic_trace(program, (X,))
    for x in (X, -X):
        np.testing.assert_array_equal(to_numpy(traced.to(to)(convert(x, to))), program(x))


def taken(items, x):
    k = next(items)
    if x.shape[0] > 2:
        return x * k
    return x


def test_an_iterator_that_no_variable_holds_is_refused() -> None:
    def program(x):
        def go(items, x):
            return taken(items, x)

        return go(iter([2.0, 3.0, 4.0]), x)

    with pytest.raises(tl.UnsupportedError, match="taking items from an iterator"):
        tl.symbolic_trace(program, (X[:2],))
    long = np.ones(3)  # behind the return it is not followed
    report = tl.check(program, (long,), to="numpy", vary=8)
    assert report.ok and report.of("refused"), str(report)


def older_than_a_branch(x):
    items = (v for v in [1, 2, 3, 4])
    y = x
    if x.sum() > 0:
        any(items)
    else:
        y = y + 1
    return y * len(list(items))


def older_than_a_call(x):
    items = iter([1.0, 5.0, 3.0, 9.0])

    def go(x):
        k = max([next(items), *items][:2])
        if x.shape[0] > 2:
            return x * k
        return x

    return go(x)


def older_than_a_loop(x):
    numbers = enumerate([1.0, 2.0, 3.0])
    for _ in range(4):
        x = x + any(numbers)
        if x.sum() > 30:
            break
    return x


@pytest.mark.parametrize("program", [older_than_a_branch, older_than_a_call, older_than_a_loop])
def test_items_of_an_older_iterator_are_taken_once(program: Any) -> None:
    try:
        out = tl.transpile(program, (X,), to="numpy")
    except tl.UnsupportedError:
        return
    for x in (X, -X):
        np.testing.assert_array_equal(out(x), program(x))


def nest(depth: int) -> str:
    """A function of so many levels, of which the innermost changes a list of its caller's."""
    lines = ["def level_0(x, log):", "    log.append(1)", "    return x + 1"]
    for i in range(1, depth + 1):
        lines += [f"def level_{i}(x, log):", f"    return level_{i - 1}(x, log) * 2"]
    lines += ["def program(x):", "    log = []", f"    y = level_{depth}(x, log)", "    return y, len(log)"]
    return "\n".join(lines) + "\n"


def test_a_nest_of_functions_is_traced_once_a_level(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was 2 ** depth times; 40 levels would have taken years."""
    (tmp_path / "nest_of_functions.py").write_text(nest(40))
    monkeypatch.syspath_prepend(tmp_path)
    import nest_of_functions  # type: ignore[import-not-found]

    out = tl.transpile(nest_of_functions.program, (X,), to="numpy")
    got, count = out(X)
    np.testing.assert_array_equal(got, (X + 1) * 2.0**40)
    assert count == 1

"""What a program was told of what an argument is not: given that, a text gives what the program gives, or
raises.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from given_kinds import EXAMPLES, FORMS, GIVEN, INSIDE, A, B, by_get, by_is, on_one_way

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays
from tracelate.ir.errors import TraceError

WAYS = [("numpy", "numpy"), ("numpy", "jax"), ("torch", "numpy"), ("torch", "torch"), ("jax", "jax")]


def wrong(fn: Any, example: Any, others: Any, source: str, to: str) -> list[str]:
    """For which other arguments a translation gives another thing than the program."""

    def of(args: Any, framework: str) -> Any:
        return map_arrays(args, lambda a: convert(a, framework))

    try:
        out = tl.transpile(fn, args=of(example, source), to=to, source=source)
    except TraceError:
        return []
    except Exception as error:  # which the program raises
        with pytest.raises(type(error)):
            fn(*of(example, source))
        return []
    found = []
    for number, other in enumerate((example, *others)):
        if to == "jax" and hands_on_as_an_array(example, other):
            continue
        try:
            expected = fn(*of(other, source))
        except Exception:
            continue
        try:
            given = out(*of(other, to))
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            if not number:
                found.append(f"{example} raises {error}")
            continue
        if list(compare(expected, given, kind="reduction", narrowed=True)):
            found.append(f"{example} became {other}: {given}, not {expected}\n{out.source}")
    return found


def hands_on_as_an_array(example: Any, other: Any) -> bool:
    """Whether jax.jit makes an array of a number that is given for an array, see README."""
    return isinstance(example[-1], np.ndarray) and isinstance(other[-1], (bool, int, float))


@pytest.mark.covering
@pytest.mark.parametrize(("source", "to"), WAYS)
@pytest.mark.parametrize("fn", FORMS, ids=lambda fn: str(fn.__name__))
def test_an_argument_of_another_kind_is_told(fn, source, to):
    """Of the cases those that have all pairs of values, see covering.py."""
    others = [(A, other) for other in GIVEN]
    assert not [text for example in EXAMPLES for text in wrong(fn, (A, example), others, source, to)]


@pytest.mark.parametrize(("source", "to"), WAYS)
@pytest.mark.parametrize(("fn", "example", "others"), INSIDE)
def test_what_is_not_none_inside_a_container_is_told(fn, example, others, source, to):
    assert not wrong(fn, example, others, source, to)


def test_the_text_says_it_once():
    def text(fn: Any, *args: Any) -> list[str]:
        return [line.strip() for line in tl.symbolic_trace(fn, args=args).source(to="numpy").splitlines()]

    assert "assert m is not None" in text(by_is, A, B)
    assert "assert m is not None" in text(by_is, A, [B])
    assert "assert m is not None" in text(on_one_way, A, B)
    assert "assert p['k'] is not None" in [s.replace('"', "'") for s in text(by_get, A, {"k": B})]


def test_what_another_check_asks_anyway_is_not_checked():
    def f(x, m):
        return x if m is None else x * m.shape[0] + int(m.ndim == 1)

    assert "is not None" not in tl.symbolic_trace(f, args=(A, B)).source(to="numpy")


def test_what_is_computed_is_never_none():
    def f(x, m):
        y = x + m
        return x if y is None else y

    assert "None" not in tl.symbolic_trace(f, args=(A, B)).source(to="numpy")


def test_an_idle_look_costs_nothing():
    def f(x, m):
        asked = m is None  # noqa: F841
        return x + m

    assert "None" not in tl.symbolic_trace(f, args=(A, B)).source(to="numpy")


def test_a_default_of_none_stays_a_choice():
    def f(x, m=None):
        return x if m is None else x * m

    source = tl.symbolic_trace(f, args=(A, B)).source(to="numpy")
    assert "is not None" not in source and "if m is None else" in source


def layers(x, ps):
    for p in ps:
        x = x @ p["w"]
        if p is not ps[-1]:
            x = np.maximum(x, 0)
    return x


def test_two_containers_are_two():
    w = np.ones((3, 3), np.float32)
    out = tl.transpile(layers, to="numpy", args=(A, [{"w": w}, {"w": w}]))
    np.testing.assert_allclose(out(A, [{"w": -w}, {"w": w}]), layers(A, [{"w": -w}, {"w": w}]))
    shared = {"w": -w}
    with pytest.raises(AssertionError):
        out(A, [shared, shared])
    with pytest.raises(tl.TraceError, match="one object"):
        tl.symbolic_trace(layers, args=(A, [shared, shared]))

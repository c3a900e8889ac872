"""Comprehensions over lists of arrays stay comprehensions, and sums of generators sums; their texts take
lists of other lengths, with arrays of other sizes.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import comprehension_programs as programs
import jax
import numpy as np
import pytest
from other_lists import TARGETS, a, entered, other_lists, outcome, translations

import tracelate as tl
from tracelate.backends.arrays import compare, convert

V = [a(3, seed=1), a(3, seed=2), a(3, seed=3)]
U = [a(2, 3), a(3, 4), a(4, 1)]
PAIRS = [(a(3), a(2)), (a(2), a(4))]
DICTS = [{"w": a(3), "b": a(2)}, {"w": a(2), "b": a(4)}]
X = a(3, seed=5)

#: Functions with an example, and what the text of all targets has for it.
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (programs.doubled, (U,), "[w * 2 for w in ws]"),
    (programs.doubled, (tuple(V),), "[w * 2 for w in ws]"),
    (programs.named, (V, X), "new = [w * 2 + x for w in ws]"),
    (programs.stepped, (U, U, 0.5), "[w - lr * g for w, g in zip(ws, gs)]"),
    (programs.bound_anew, (U, U, 0.5), "ws = [w - lr * g for w, g in zip(ws, gs)]"),
    (programs.momentum, (V, V, V), "ms = [m * 0.9 + g for m, g in zip(ms, gs)]"),
    (programs.pairs, ([(a(3), a(3))] * 2, X), "[(w * x, b + x) for w, b in ps]"),
    (programs.nested_pairs, (PAIRS, PAIRS), "new = [(w - g, b - h) for (w, b), (g, h) in zip(ps, gs)]"),
    (programs.dicts, (DICTS,), 'p["b"]]} for p in ls]'),
    (programs.dicts_again, (DICTS,), 'for p in new]'),
    (programs.counted, (V,), "for i, w in enumerate(ws, 1)]"),
    (programs.through_two, (U, U), "[a + b for a, b in zip(new, vs)]"),
    (programs.carried, (U, X), ".sum() for w in ws]:"),
    (programs.chosen, (U,), "[-w for w in ws]"),
    (programs.by_value, (U,), "for w in ws"),
    (programs.helped, (V, X), "[layer(w, x) for w in ws]"),
    (programs.made_by_helper, (V, X), " * 2 for w in ws]"),
    (programs.summed, (U,), "for w in ws)"),
    (programs.summed_whole, (V,), "total = sum(ws)"),
    (programs.summed_list, (U,), "for w in ws]) / len(ws)"),
    (programs.norms, (V, V), "(w * g).sum() for w, g in zip(ws, gs)) ** 0.5"),
    (programs.clipped, (U,), "[w / (n + 1) for w in ws]"),
    (programs.sized, (U, X), "x * sum(w.shape[0] for w in ws)"),
    (programs.listed, (U,), "[w + 1 for w in ws]"),
    (programs.items_themselves, (V, X), "[w for w in ws]"),
    (programs.views, (U,), "[w[0] for w in ws]"),
    (programs.in_a_dict, ({"w": U, "b": X},), 'for w in model["w"]'),
    (programs.in_a_loop, (V, X), "for v in ws)"),
    (programs.in_a_while, (V, np.abs(X)), "for w in ws) + 1"),
    (programs.in_a_branch, (V, X), ".sum() for w in ws)"),
    (programs.collected_by_hand, (V, X), "out.append((w * x, "),
    (programs.uneven_by_hand, (U,), "for v in out)"),
]  # fmt: skip


def of(names: str) -> list[Callable[..., Any]]:
    """Programs, by name."""
    return [getattr(programs, name) for name in names.split()]


#: Those of which it is only asked that they give the same, or raise.
ODD: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *((fn, (V,)) for fn in of("kept_written new_written views_written all_written part_of unpacked")),
    *((fn, (V,)) for fn in of("spread stacked as_a_tuple as_a_dict twice written_in")),
    *((fn, (V,)) for fn in of("noted_outside same_ones")),
    *((fn, (U,)) for fn in of("new_written part_of twice out_of_one ints_and_floats sums_of_truths")),
    *((fn, (V, X)) for fn in of("items_replaced appended appended_between put_together asked truth_of")),
    *((fn, (V, X)) for fn in of("changed_by_helper begun used_twice older_than_a_loop late running")),
    *((fn, (V, X)) for fn in of("list_changed_meanwhile begun_with of_constants")),
    (programs.nested, ([V, V],)),
    (programs.nested, ([U, U],)),
    (programs.shadowing, (V, X, X + 1)),
    (programs.ints_and_floats, ([np.arange(3), np.arange(4) - 2],)),
    (programs.summed, ([np.arange(3), np.arange(4) - 2],)),
    (programs.summed_whole, ([V[0] > 0, V[1] > 0],)),
]
IDS = [f"{fn.__name__}_{number}" for number, (fn, _, _) in enumerate(PROGRAMS)]


def traced(number: int, source: str) -> tl.Traced:
    fn, args, _ = PROGRAMS[number]
    return tl.symbolic_trace(fn, entered(args, source))


@pytest.mark.parametrize("to", TARGETS)
def test_the_text_of_a_training_step(to: str, golden: Callable[[str, str], None]) -> None:
    layers = [{"w": a(2, 3), "b": a(3)}, {"w": a(3, 1), "b": a(1)}]
    args = entered((layers, layers, layers, a(4, 2)), "torch")
    with jax.enable_x64(True):
        found = tl.symbolic_trace(programs.training_step, args)
        golden(f"training_step_{to}.py.txt", found.source(to, x64=True if to == "jax" else None))
        out = found.to(to, x64=True if to == "jax" else None)
        for length in (1, 2, 2):
            args = (layers[:length], layers[:length], layers[:length], a(4, 2))
            expected = outcome(programs.training_step, entered(args, "torch"))
            got = outcome(out, entered(args, to))
            assert not list(compare(expected, got))


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=IDS)
def test_the_text_has_it(number: int, to: str) -> None:
    with jax.enable_x64(True):
        text = traced(number, "numpy").source(to, x64=True if to == "jax" else None)
    fn, _, wanted = PROGRAMS[number]
    if (fn, to) != (programs.by_value, "jax"):  # an `if` is a function there
        assert wanted in text and "assert len(ws) == 3" not in text, text


@pytest.mark.parametrize("source", TARGETS)
@pytest.mark.parametrize("number", range(len(ODD)), ids=[f"{f.__name__}_{n}" for n, (f, _) in enumerate(ODD)])
def test_odd_ones_agree_or_raise(number: int, source: str) -> None:
    fn, args = ODD[number]
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for to, out in translations(fn, args, source):
            for given, kind in [] if out is None else [(args, "same"), *other_lists(args)]:
                expected, got = outcome(fn, entered(given, source)), outcome(out, entered(given, to))
                if isinstance(expected, type) or isinstance(got, type):
                    assert isinstance(got, type) and kind != "same", (to, kind, expected, out.source)
                else:
                    kept = slice(1 if to == "jax" else 2)  # there an argument may be returned instead
                    problems = list(compare(expected[kept], got[kept]))
                    assert not problems, (to, kind, problems, given, out.source)


@pytest.mark.parametrize("source", TARGETS)
@pytest.mark.parametrize("number", range(len(PROGRAMS)), ids=IDS)
def test_other_lists_give_the_same(number: int, source: str) -> None:
    fn, args, _ = PROGRAMS[number]
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = traced(number, source)
        outs = {to: found.to(to, x64=True if to == "jax" else None) for to in TARGETS}
        for given, kind in [(args, "length"), *other_lists(args)]:
            expected = outcome(fn, entered(given, source))
            for to, out in outs.items():
                got = outcome(out, entered(given, to))
                if isinstance(expected, type):
                    assert isinstance(got, type), (to, kind, got)
                elif isinstance(got, type):
                    empty = "[]" in repr(given)
                    assert kind != "length" or empty, (to, kind, got, given)
                else:
                    problems = list(compare(expected, got))
                    assert not problems, (to, kind, problems, given, outs[to].source)


def looped(ws, x):
    for w in ws:
        x = x + w
    return x


@pytest.mark.parametrize("fn", [looped, programs.named])
def test_the_tape_itself_has_the_items_of_the_example(fn: Callable[..., Any]) -> None:
    found = tl.symbolic_trace(fn, (V, X))
    assert not list(compare(fn(V, X), found(V, X)))
    for ws in (V[:2], V * 2):
        with pytest.raises(ValueError, match=r"len\(ws\)"):
            found(ws, X)


def test_sizes_of_several_shapes_on_the_tape() -> None:
    found = tl.symbolic_trace(programs.uneven_by_hand, (U,))
    assert not list(compare(programs.uneven_by_hand(U[::-1]), found(U[::-1])))


def grown_in_place(x, ws):
    total = sum(w.sum() for w in ws)
    total *= 2
    return total


def added_to_in_place(x, ws):
    total = sum(ws)
    total += x
    return total


def looped_and_added_to(x, ws):
    total = 0
    for w in ws:
        total = total + w
    total += x
    return total


def added_in_place(x, ws):
    p = x * 2
    p += sum(ws)
    return p


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [added_to_in_place, looped_and_added_to, added_in_place])
def test_what_a_loop_sums_is_added_in_the_arrays_dtype(fn: Any, source: str, to: str) -> None:
    def given(first: str, second: str, name: str) -> Any:
        return convert(np.arange(3.0, dtype=first), name), [convert(np.ones(3, second), name)] * 2

    out = tl.transpile(fn, given("float32", "float32", source), to=to, source=source)
    for dtypes in itertools.product(("float32", "float64", "float16", "int32"), repeat=2):
        try:
            expected = np.asarray(fn(*given(*dtypes, source)))
            found = np.asarray(out(*given(*dtypes, to)))
        except (AssertionError, TypeError, RuntimeError):
            assert dtypes != ("float32", "float32")
            continue
        wanted = jax.dtypes.canonicalize_dtype(expected.dtype) if to == "jax" else expected.dtype
        assert found.dtype == wanted, (dtypes, out.source)


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("fn", [grown_in_place, added_to_in_place, looped_and_added_to, added_in_place])
def test_what_is_summed_may_be_written_into(fn: Callable[..., Any], source: str, to: str) -> None:
    x, ws = convert(np.arange(3.0), source), [convert(np.ones(3) * k, source) for k in range(3)]
    out = tl.transpile(fn, (x, ws), to=to)
    assert "_2" not in out.source
    for length in (1, 2, 3, 5):
        given = [np.ones(3) * k for k in range(length)]
        expected = fn(convert(np.arange(3.0), source), [convert(w, source) for w in given])
        found = out(convert(np.arange(3.0), to), [convert(w, to) for w in given])
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))

"""Loops over the places in lists, `for i in range(len(ws))`, stay loops, and their texts take other lists."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import placed_programs as programs
import pytest
from other_lists import TARGETS, a, entered, other_lists, outcome, translations

import tracelate as tl
from tracelate.backends.arrays import compare

V = [a(3, seed=1), a(3, seed=2), a(3, seed=3)]
B = [a(3, seed=4), a(3, seed=5), a(3, seed=6)]
X = a(3, seed=7)
PAIRS = [(a(3), a(3, seed=1)), (a(3, seed=2), a(3, seed=3))]
DICTS = [{"w": a(3), "b": a(3, seed=1)}, {"w": a(3, seed=2), "b": a(3, seed=3)}]


def name_of_the_loop_around(ws, x):
    for _ in range(2):
        w = x * 2
        z = w
        for i in range(len(ws)):
            w = ws[i]
            x = x + w * w
        x = x + z
    return x


def name_of_a_loop_within(ws, x):
    for i in range(len(ws)):
        w = ws[i]
        for t in range(2):
            x = x + w * t
            w = x * 0.5
        x = x + w
    return x


#: Functions with an example, and what the text of all targets has for it.
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (programs.layered, (V, X), "x = x + ws[i]"),
    (programs.layered, (tuple(V), X), "x = x + ws[i]"),
    (programs.two_lists, (V, B, X), "x = x * ws[i] + bs[i]\n        if i < n - 1:"),
    (programs.named, (V, B, X), "w, b = ws[i], bs[i]\n        x = x * w + b"),
    (programs.pairs, (PAIRS, X), "w, b = ps[i]\n        x = x * w + b"),
    (programs.records, (DICTS, X), 'p = ls[i]\n        h = x * p["w"] + p["b"]'),
    (programs.helped, (DICTS, X), "helper(ls[i], x)"),
    (programs.of_an_argument, ({"w": V}, X), 'model["w"][i]'),
    (programs.part_of_an_argument, ({"w": V}, X), "w = layers[i]\n        x = x * w + w"),
    (programs.beside_the_items, (V, B, X), "for i, w in enumerate(ws):\n        x = x * w + bs[i]"),
    (programs.beside_pairs, (V, B, V, X), "for i, (w, v) in enumerate(zip(ws, vs)):"),
    (programs.collected, (V, X), "out.append(x * ws[i] + i)"),
    (programs.made_before, (V, X), "doubled[i] * ws[i]"),
    (programs.comprehended, (V, B), "[ws[i] - 0.1 * gs[i] for i in range(len(ws))]"),
    (programs.number_is_read, (V, X), "ws[i] * (i + 1) ** 2"),
    (programs.twice, (V, X), "x = x * ws[i]"),
    (programs.in_a_branch, (V, X), "ws[i]"),
    (programs.chosen, (V, X), "x = x + ws[i] if i % 2 == 0 else x - ws[i]"),
    (programs.in_a_loop, (V, X), "ws[i] * 0.5"),
    (programs.triangle, (V, X), "for i in range(t):"),
    (programs.skips, (V, X), "ws[i]"),
]  # fmt: skip
#: Those whose loops are as long as something else says.
COUNTED: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (programs.as_many_as, (V, X, 3), "for i in range(n):"),
    (programs.as_many_as, (V, X, 2), "for i in range(n):"),
    (programs.config_says, (V, X, {"n": 3}), 'for i in range(config["n"]):'),
    (programs.three, (V, X), "for i in range(3):"),
    (programs.rows, (V, X), "for i in range(x.shape[0]):"),
    (programs.summed, (V, X), "sum(ws[i] * i for i in range(len(ws)))"),
]  # fmt: skip
ODD = [
    getattr(programs, name)
    for name in """
        changed_behind changed_meanwhile changed_by_a_helper replaced replaced_and_kept
        appended popped written written_first written_through_another other_number backwards
        from_one stops gives_back counts_itself too_many number_after last_after is_the_first
        closures kept_for_later data_says name_is_another best ranks_decide three rows
    """.split()
]
MORE = [
    (name_of_the_loop_around, (V, X)),
    (name_of_a_loop_within, (V, X)),
    (programs.exchanged, (V, B, X)),
    (programs.named_in_two, (V, B, X)),
    (programs.nested, ([V, B], X)),
    (programs.nested_places, ([V, B, V], X)),
    (programs.written, ([V[0]] * 3, X)),
    (programs.replaced_and_kept, ([V[0]] * 3, X)),
    (programs.layered, ([V[0], V[1][:1]], X)),
    (programs.layered, ([V[0], V[1].astype(np.float32)], X)),
    (programs.layered, ([V[0], 2.0], X)),
    (programs.two_lists, (V, B[:2], X)),
    (programs.two_lists, (V[:2], B, X)),
]
ASKED = [
    *((fn, (V, X), False) for fn in ODD),
    *((*each, False) for each in MORE),
    *((fn, args, False) for fn, args, _ in COUNTED),
    *((fn, args, True) for fn, args, _ in PROGRAMS),
]


def ids(each: list[Any]) -> list[str]:
    return [f"{fn.__name__}_{number}" for number, (fn, *_) in enumerate(each)]


def loops(text: str) -> list[str]:
    """What the loops of a text go through."""
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.For, ast.comprehension)))
    return [ast.unparse(node.iter) for node in found]


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(("fn", "args", "wanted"), [*PROGRAMS, *COUNTED], ids=ids([*PROGRAMS, *COUNTED]))
def test_the_text_has_it(fn: Callable[..., Any], args: tuple[Any, ...], wanted: str, to: str) -> None:
    with jax.enable_x64(True):
        text = tl.symbolic_trace(fn, args).source(to, x64=True if to == "jax" else None)
    assert wanted in text or (fn is programs.in_a_branch and to == "jax"), text
    assert "== 3" not in text and "== 2" not in text, text


@pytest.mark.parametrize("source", TARGETS)
@pytest.mark.parametrize(("fn", "args", "general"), ASKED, ids=ids(ASKED))
def test_other_lists(fn: Callable[..., Any], args: tuple[Any, ...], general: bool, source: str) -> None:
    """They give what the program gives, or raise. `general`: whether texts take lists of other lengths."""
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for to, out in translations(fn, args, source):
            assert out is not None or not general
            for given, kind in [] if out is None else [(args, "same"), *other_lists(args)]:
                expected, got = outcome(fn, entered(given, source)), outcome(out, entered(given, to))
                if isinstance(expected, type):  # what torch refuses of dtypes is not checked
                    assert isinstance(got, type) or kind == "dtype", (to, kind, expected, given, out.source)
                elif isinstance(got, type):
                    assert kind != "same", (to, got, out.source)
                    taken = general and not source == to == "jax"  # there one check is of an item alone
                    assert kind != "length" or not taken, (to, got, given, out.source)
                else:
                    kept = slice(1 if to == "jax" else 2)  # there an argument may be returned instead
                    problems = list(compare(expected[kept], got[kept]))
                    assert not problems, (to, kind, problems, given, out.source)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("n", [-1, 0, 1, 2, 3, 4])
def test_as_many_turns_as_a_number_says(n: int, to: str) -> None:
    """More than there are items raise where they do in the program."""
    with jax.enable_x64(True):
        out = tl.symbolic_trace(programs.as_many_as, (V, X, 2)).to(to, x64=True if to == "jax" else None)
        expected = outcome(programs.as_many_as, (V, X, n))
        got = outcome(out, (entered(V, to), entered(X, to), n))
        if isinstance(expected, type):
            assert got is expected
        else:
            assert not list(compare(expected[0], got[0]))


def test_a_list_in_a_loop_that_only_jax_knows_the_length_of() -> None:
    with pytest.raises(tl.UnsupportedError):
        tl.symbolic_trace(programs.data_says, (V, X)).source("jax")

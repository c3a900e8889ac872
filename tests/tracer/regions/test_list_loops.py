"""Loops over lists of arrays stay loops, and their texts take lists of other lengths."""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
import torch
from list_loop_examples import examples

import tracelate as tl
from tracelate.backends.arrays import convert

TARGETS = ("numpy", "jax", "torch")
PROGRAMS = examples()

#: Those whose texts have a loop over the list, in every target.
LOOPS = """
    layered last_is_linear layers_of_one_size one_layer dicts dicts_without helped helped_with_all
    summed counted decayed first_is_other collected collected_and_stacked skipped otherwise zipped
    zipped_with_rows zipped_with_a_count counted_from_one backwards all_but_the_last nested_lists
    pairs_of twice_through made_here made_of_slices length_decides unused_items name_after_the_loop
    ranks_decide dtypes_decide grows in_a_dict many attend attend_masked norm_of residual scanned_inside
    tied of_a_tuple
""".split()
#: Those of them that take lists of the length of the example alone, each with why.
PINNED = {
    "all_but_the_last": "a slice of a list is as long as it was",
    "many": "so many arguments are given",
    "made_here": "the list is no argument",
    "made_of_slices": "the list is no argument",
    "zipped_with_rows": "the array must have as many rows as the list has items",
    "scanned_inside": "a scan carries arrays of the size that they had",
}
GENERAL = [name for name in LOOPS if name not in PINNED]


def traced(name: str) -> tl.Traced:
    fn, args = PROGRAMS[name]
    return tl.symbolic_trace(fn, copy.deepcopy(args))


def source(name: str, to: str) -> str:
    """The text of a program."""
    with jax.enable_x64(True):
        return traced(name).source(to, x64=True if to == "jax" else None)


def loops(text: str) -> list[str]:
    """What the loops of a text go through, those of its checks left out."""
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For))
    return [ast.unparse(node.iter) for node in found if not isinstance(node.body[0], ast.Assert)]


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_stays_one(name: str, to: str) -> None:
    assert loops(source(name, to))


def resized(value: Any, length: int) -> Any:
    """The same arguments with lists of arrays of another length."""
    if isinstance(value, dict):
        return {key: resized(item, length) for key, item in value.items()}
    if isinstance(value, (list, tuple)) and value:
        return type(value)(copy.deepcopy(value[i % len(value)]) for i in range(length))
    return copy.deepcopy(value)


def outcome(fn: Callable[..., Any], args: Any) -> Any:
    """What a function gives, as NumPy's, and what is left of its arguments; or the class of its error."""
    try:
        found = fn(*args)
    except Exception as error:
        return type(error)
    return as_numpy((found, args))


def as_numpy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_numpy(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_numpy(item) for item in value]
    return None if value is None else np.asarray(value)


def entered(value: Any, to: str) -> Any:
    """Arguments as arrays of a framework."""
    if isinstance(value, dict):
        return {key: entered(item, to) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(entered(item, to) for item in value)
    if not isinstance(value, (np.ndarray, torch.Tensor, jax.Array)):
        return value
    make = {"numpy": np.array, "jax": jax.numpy.array, "torch": lambda v: torch.tensor(np.array(v))}[to]
    return make(np.asarray(value))


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("name", GENERAL)
def test_a_list_may_have_another_length(name: str, to: str) -> None:
    fn, args = PROGRAMS[name]
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = traced(name).to(to, x64=True if to == "jax" else None)
        for length in (0, 1, 2, 6):
            given = tuple(resized(value, length) for value in args)
            expected = outcome(fn, copy.deepcopy(given))
            got = outcome(out, entered(given, to))
            if isinstance(expected, type):
                assert isinstance(got, type)
            elif isinstance(got, type):
                assert got is AssertionError and length == 0, (length, got)
            else:
                compare(got[0], expected[0])


def compare(got: Any, expected: Any) -> None:
    if isinstance(expected, (dict, list)):
        assert type(got) is type(expected) and len(got) == len(expected)
        for key in expected if isinstance(expected, dict) else range(len(expected)):
            compare(got[key], expected[key])
    elif expected is not None:
        assert got.shape == expected.shape and got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


#: Which cannot be said in a framework, each with why.
REFUSED = {
    ("items_written", "jax"): "returns one of the arrays that it writes into",
    ("item_gains", "jax"): "changes a dict that it does not return",
    ("momentum", "jax"): "writes into arrays that it does not return",
    ("left_by_data", "*"): "the turns of a loop over a list that an array may end are not alike",
}


@pytest.mark.slow
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_other_arguments_agree_or_are_refused(name: str, to: str) -> None:
    fn, args = PROGRAMS[name]
    with jax.enable_x64(True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if (name, to) in REFUSED or (name, "*") in REFUSED:
            with pytest.raises(tl.UnsupportedError):
                traced(name).to(to, x64=True if to == "jax" else None)
            return
        report = tl.check(fn, copy.deepcopy(args), to=to, vary=True, x64=True if to == "jax" else None)
    assert report, str(report)


def identical(layers, x):
    for p in layers:
        if p is layers[-1]:
            x = x * p["w"]
        x = x + 1
    return x


def asked_for_its_id(layers, x):
    seen = set()
    for p in layers:
        seen.add(id(p))
    return x * len(seen)


def test_which_item_it_is_decides() -> None:
    """No item of a recorded loop is any one of the list, so that such a loop is written out."""
    w = [np.arange(3.0) + i for i in range(2)]
    args = ([{"w": w[0]}, {"w": w[1]}], np.ones(3))
    out = tl.transpile(identical, args, to="numpy")
    assert np.array_equal(out(*args), identical(*args)) and not loops(out.source)
    with pytest.raises(tl.UnsupportedError, match=r"id\(\)"):
        tl.symbolic_trace(asked_for_its_id, args)


def present(layers, x):
    for p in layers:
        if p["b"] is not None:
            x = x + 1
    return x


def keyed(layers, x):
    for p in layers:
        if "b" in p:
            x = x + 1
        x = x * p["w"]
    return x


def asked_for(layers, x):
    for p in layers:
        b = p.get("b")
        if b is not None:
            x = x + b
        x = x * p["w"]
    return x


def of_a_kind(ws, x):
    for w in ws:
        if isinstance(w, np.ndarray):
            x = x + w
        else:
            x = x - w
    return x


def long(groups, x):
    for group in groups:
        if len(group) == 2:
            x = x + group[0]
        else:
            x = x * 100
    return x


def of_a_dtype(ws, x):
    for w in ws:
        if w.dtype == np.float64:
            x = x + 1
        else:
            x = x - 1
    return x


def of_a_rank(ws, x):
    for w in ws:
        if w.ndim == 1:
            x = x + 1
        else:
            x = x - 1
    return x


def named(layers, x):
    for p in layers:
        x = x * p["w"]
        if p["act"] == "relu":
            x = np.maximum(x, 0)
    return x


A = np.arange(3.0) - 1
F = A.astype(np.float32)
W, WB = {"w": A}, {"w": A, "b": A}
#: What a program asks of items, with the lists that it was traced with and others, of which it holds or not.
ASKED: list[tuple[Callable[..., Any], list[Any], list[list[Any]]]] = [
    (present, [WB] * 2, [[WB, {"w": A, "b": None}], [WB] * 3, []]),
    (keyed, [WB] * 2, [[WB, W], [W], [{**WB, "c": A}] * 3]),
    (keyed, [W] * 2, [[WB, W], [W], [{**WB, "c": A}] * 3]),
    (asked_for, [WB] * 2, [[WB, W], [W], [{"w": A, "b": None}], [{**WB, "c": A}] * 3]),
    (asked_for, [W] * 2, [[WB, W], [W] * 4, [{"w": A, "b": None}]]),
    (of_a_kind, [A] * 2, [[A, 2.0], [A, A, 3], [1.0]]),
    (long, [[A, A]] * 2, [[[A, A], [A]], [[A]], [[A, A]] * 3]),
    (of_a_dtype, [A] * 2, [[A, F], [F], [A] * 4]),
    (of_a_rank, [A] * 2, [[A, np.ones((2, 2))], [A] * 4]),
    (named, [{"w": A, "act": "relu"}] * 2, [[{"w": A, "act": "relu"}, {"w": A, "act": "no"}]]),
]


@pytest.mark.parametrize("to", ["numpy", "torch"])
@pytest.mark.parametrize(("fn", "example", "others"), ASKED, ids=lambda v: getattr(v, "__name__", ""))
def test_what_is_asked_of_an_item_is_checked_of_all(fn: Any, example: Any, others: Any, to: str) -> None:
    out = tl.transpile(fn, (copy.deepcopy(example), A), to=to)
    for given in (example, *others):
        expected = outcome(fn, (copy.deepcopy(given), A))
        got = outcome(out, entered((given, A), to))
        if isinstance(got, type):
            assert got is AssertionError and given is not example, got
        else:
            compare(got[0], expected[0])


def within_an_item(params, x):
    for layer in params["layers"]:
        for w in layer["ws"]:
            x = x * w
    for w in params["layers"][0]["ws"]:
        x = x + w
    return x


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_list_in_an_item_of_another_is_as_long_as_it_was(to: str) -> None:
    """What is checked of all items of the one says nothing of more items of the other."""
    out = tl.transpile(within_an_item, ({"layers": [{"ws": [A, A]}] * 2}, A), to=to)
    for inner, outer in ((2, 2), (2, 3), (3, 2), (1, 1)):
        given = {"layers": [{"ws": [A] * inner}] * outer}
        if inner != 2:
            with pytest.raises(AssertionError):
                out(*entered((given, A), to))
        else:
            compare(outcome(out, entered((given, A), to))[0], outcome(within_an_item, (given, A))[0])


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("n", [-2, -1, 0, 2])
def test_a_range_that_ends_before_it_begins_collects_nothing(n: int, to: str) -> None:
    def program(x: Any, n: int) -> Any:
        out = []
        for i in range(n):
            out.append(x * i)
        return x, len(out)

    x = np.arange(3.0, dtype=np.float32)
    out = tl.transpile(program, (x, n), to=to)
    for other in (-3, -1, 0, 1, 4):
        assert int(out(convert(x, to), other)[1]) == max(other, 0)

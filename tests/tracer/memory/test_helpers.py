"""Helpers that write into what they are given: nothing that they write is lost, in any target."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import helper_flow_programs as flow
import helper_programs as programs
import jax
import numpy as np
import pytest
import torch
from tracing import calls, text

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays, to_numpy

PROGRAMS = [*programs.PROGRAMS, *flow.PROGRAMS]


def agree(program: Any, rows: Sequence[tuple[Any, ...]], source: str, to: str) -> None:
    """A program gives what its translation gives, and leaves its arguments as the translation leaves its."""

    def given(row: tuple[Any, ...], framework: str) -> Any:
        return map_arrays(copy.deepcopy(row), lambda a: convert(a, framework))

    with jax.enable_x64(True):
        out = tl.transpile(program, args=given(rows[0], source), to=to, x64=True if to == "jax" else None)
        for row in rows:
            theirs, mine = given(row, source), given(row, to)
            expected, got = program(*theirs), out(*mine)
            if to != "jax":
                expected, got = (expected, theirs), (got, mine)
            np.testing.assert_equal(map_arrays(got, to_numpy), map_arrays(expected, to_numpy), out.source)


@pytest.mark.parametrize("program, rows", PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_what_a_helper_writes_is_written(program: Any, rows: Any) -> None:
    for source, to in (("numpy", "numpy"), ("numpy", "torch"), ("numpy", "jax"), ("torch", "numpy")):
        agree(program, rows, source, to)


@pytest.mark.slow
@pytest.mark.parametrize("program, rows", PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_what_a_helper_of_torchs_writes_is_written(program: Any, rows: Any) -> None:
    for to in ("torch", "jax"):
        agree(program, rows, "torch", to)


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_a_check_looks_into_helpers_that_write(to: str) -> None:
    for program in (programs.given, programs.part_of_part, programs.nested, flow.in_a_branch, flow.gathered):
        rows = dict(PROGRAMS)[program]
        with jax.enable_x64(True):
            report = tl.check(program, rows[0], to=to, x64=True)
        assert report.ok, str(report)


BUFFER = np.zeros(3)


def into_a_constant(x: Any) -> Any:
    programs.bump(BUFFER)
    return x + BUFFER


def into_a_default(x: Any, buffer: Any = BUFFER) -> Any:
    programs.bump(buffer)
    return x + buffer


def test_arrays_from_outside_are_not_written_into() -> None:
    for program in (into_a_constant, into_a_default):
        with pytest.raises(tl.UnsupportedError, match="made outside the traced function"):
            tl.symbolic_trace(program, (np.ones(3),))
    assert (BUFFER == 0).all()


def unreturned(x: Any) -> Any:
    programs.bump(x[1:])
    return x.sum()


def returned_early(x: Any) -> Any:
    if x.sum() > 3:
        return x * 2
    x[0] = 8.0
    return x * 3


def returning_early(x: Any) -> Any:
    y = x * 1
    return returned_early(y), y


def test_an_argument_that_a_helper_writes_must_be_returned_in_jax() -> None:
    with pytest.raises(tl.UnsupportedError, match="writing into the argument x .* is not returned") as error:
        tl.transpile(unreturned, args=(np.ones(3, np.float32),), to="jax")
    assert "programs.bump(x[1:])" in str(error.value)


@pytest.mark.parametrize("source", ["numpy", "torch"])
def test_what_is_made_of_an_argument_is_not_the_argument(source: str) -> None:
    """`x * 1` is `x` wherever nobody writes into either."""

    def once(x: Any) -> Any:
        x[0] = 17
        return x * 1

    x = np.ones(3, np.float32) if source == "numpy" else torch.ones(3)
    with pytest.raises(tl.UnsupportedError, match="writing into the argument x .* is not returned"):
        tl.transpile(once, (x,), to="jax")


def test_a_helper_that_writes_and_returns_early_goes_inline() -> None:
    out = tl.transpile(returning_early, (np.ones(3),), to="numpy")
    for x in (np.ones(3), -np.ones(3)):
        assert not [*compare(returning_early(x.copy()), out(x.copy()))]


def added(s: Any) -> None:
    s += 1


def numbers(x: Any) -> Any:
    s = x.sum()
    added(s)
    return s


def test_a_number_of_numpys_is_bound_anew_in_a_helper() -> None:
    agree(numbers, [(np.ones(3),)], "numpy", "torch")
    agree(numbers, [(np.ones(3),)], "torch", "numpy")


def test_a_call_that_writes_is_no_dead_code() -> None:
    assert calls(programs.dead, torch.ones(3)) == ["mul", "bump"]
    assert calls(programs.local, torch.ones(3)) == ["mul", "bump", "after", "mul_1"]


def many(x: Any) -> Any:
    y, z = x * 1, x + 1
    programs.bump(y)
    programs.bump(z[1:])
    for i in range(20):
        programs.bump(z[i:])
    return y + z


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
def test_equal_helpers_are_one_function(to: str) -> None:
    assert text(many, torch.ones(30), to=to).count("def bump") == 1


GOLDEN = (
    programs.argument, programs.part, programs.turned, programs.given, programs.nested_in_an_expression,
    programs.a_pair, programs.itself, programs.itself_in_a_dict, programs.two_arguments, programs.nested,
    programs.by_keyword, flow.with_a_branch, flow.in_a_branch, flow.at_parts_in_a_loop, flow.on_an_argument,
    flow.elements, flow.in_a_while,
)  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_the_text_of_calls_that_write(to: str, golden: Any) -> None:
    texts = []
    for program in GOLDEN:
        row = map_arrays(dict(PROGRAMS)[program][0], lambda a: a.astype(np.float32))
        texts.append(tl.symbolic_trace(program, row).source(to))
    golden(f"helpers_{to}.py.txt", "\n\n# ----\n\n".join(texts))

"""Helpers that write into what they are given: nothing that they write is lost, in any target."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import helper_programs as programs
import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy


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


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize("program, rows", programs.PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_what_a_helper_writes_is_written(program: Any, rows: Any, source: str, to: str) -> None:
    agree(program, rows, source, to)


def written_part(x: Any) -> Any:
    y = x * 1
    end = programs.tail(y)
    end[0] = 100.0
    return y


def part_of_written(x: Any) -> Any:
    y = x * 1
    end = programs.tail(y)
    y[1] = 100.0
    return end


@pytest.mark.parametrize("program", [written_part, part_of_written])
def test_what_a_helper_gives_may_be_a_part_of_what_it_was_given(program: Any) -> None:
    with pytest.raises(tl.UnsupportedError, match="may share memory"):
        tl.symbolic_trace(program, (torch.ones(3),))

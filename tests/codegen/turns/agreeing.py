"""Whether translations do what programs do, or raise; for programs that are written at random."""

from __future__ import annotations

import copy
from typing import Any

from tracelate.backends.arrays import compare, convert, map_arrays
from tracelate.ir.values.dtypes import float32

RAISED = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def given(args: Any, framework: str) -> Any:
    """Arrays of their own; one that is given twice is one."""
    return map_arrays(copy.deepcopy(args), lambda array: convert(array, framework))


def agrees(
    fn: Any, out: Any, to: str, args: Any, *, is_example: bool, source: str = "numpy", least: float = 0.0
) -> None:
    """The translation gives what the program gives, and leaves the same in its arguments, or raises.

    Args:
        least: what numbers may differ by whatever they are, where sums cancel.
    """
    mine, theirs = given(args, source), given(args, to)
    try:
        expected = fn(*mine)
    except Exception:
        return  # nothing is promised
    try:
        found = out(*theirs)
    except RAISED as error:
        assert not is_example, f"{error!r}\n{out.source}"
        return
    narrowed = to == "jax"
    problems = [p for p in compare(expected, found, narrowed=narrowed, floats=float32) if p.error > least]
    problems += [] if narrowed else compare(mine, theirs)
    assert not problems, f"{args}\n{problems[0]}\n{out.source}"

"""Faults put back into the code: the random programs of memory would find each of them."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import pytest
from random_memory import programs, updates
from test_random_memory import many

import tracelate as tl
from tracelate.codegen.plan.in_place import Raising
from tracelate.tracer.memory import aliasing
from tracelate.tracer.memory.relations import NEW, VIEW, relation
from tracelate.tracer.python import functions

pytestmark = [pytest.mark.usefixtures("wide"), pytest.mark.slow]


def views_taken_for_new(patch: pytest.MonkeyPatch) -> None:
    def mistaken(*args: Any) -> str:
        found = relation(*args)
        return NEW if found == VIEW else found

    patch.setattr(aliasing, "relation", mistaken)


def writes_of_a_call_not_handed_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(functions, "go_on", lambda tracer, call, operands: None)


def old_values_not_held(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Raising, "hold", lambda self, value, writer: None)


def stale_views(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(aliasing, "taken", lambda tracer, view, parent: view.node)


def late_reads_not_seen(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Raising, "read_later", lambda self, value, writer, but=(): False)


@pytest.mark.parametrize(
    ("fault", "made", "framework"),
    [
        (views_taken_for_new, programs, "numpy"),
        (writes_of_a_call_not_handed_on, programs, "numpy"),
        (old_values_not_held, programs, "numpy"),
        (stale_views, programs, "numpy"),
        (late_reads_not_seen, updates, "jax"),  # whose programs go on with the old value
    ],
)
def test_a_fault_is_found_within_a_thousand_programs(
    fault: Callable[[pytest.MonkeyPatch], None],
    made: Any,
    framework: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: pathlib.Path,
) -> None:
    fault(monkeypatch)
    found = "^to (numpy|torch) of |was taken to give new memory"  # by comparing, or by the audit of the trace
    with pytest.raises((AssertionError, tl.InternalError), match=found):
        many(framework, ("numpy", "torch"), 1000, tmp_path, made, shrink=False)

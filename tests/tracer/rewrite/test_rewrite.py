"""The rewriter: what is rewritten cannot be told from the original."""

from __future__ import annotations

import types
from typing import Any

import pytest
from rewrite_corpus import (
    base,
    branches,
    calls,
    choices,
    expressions,
    functions,
    loops,
    statements,
    turns,
    ways_out,
)
from rewrite_tools import Slow, outcome, plain_text

from tracelate.tracer.rewrite import Plain, rewrite

pytestmark = pytest.mark.complete

#: They register their functions as they are imported.
FILES = (branches, calls, choices, expressions, functions, loops, statements, turns, ways_out)
CALLS = [
    pytest.param(fn, call, id=f"{fn.__name__}-{place}")
    for fn, given in base.CASES
    for place, call in enumerate(given or ((),))
]


LOOKS_FOR_FRAMES = ("frame_readers_under_other_names", "warns_at_the_users_line")


@pytest.mark.parametrize("hooks", (Plain(), Slow()), ids=("plain", "slow"))
@pytest.mark.parametrize("fn, call", CALLS)
def test_a_function_does_what_it_did(fn: types.FunctionType, call: tuple[Any, ...], hooks: Plain) -> None:
    if isinstance(hooks, Slow) and fn.__name__ in LOOKS_FOR_FRAMES:
        pytest.skip("a hook with a frame of its own stands between the user's frame and who looks for it")
    results = []
    for each in (fn, rewrite(fn, hooks)):
        base.LOG.clear()
        results.append((outcome(each, *call), plain_text(base.LOG)))
    assert results[0] == results[1]


def test_methods_of_the_corpus_do_what_they_did() -> None:
    hooks = Plain()
    owners = (calls.Private, branches.WithNone, branches.Deeper, turns.Looping)
    methods = [fn for owner in owners for fn in vars(owner).values() if isinstance(fn, types.FunctionType)]
    kept = [(fn, fn.__code__) for fn in methods]
    private = (calls.private_names, calls.private_name_missing)
    users = (*private, branches.branches_in_methods, turns.loops_in_classes)
    before = [outcome(fn) for fn in users]
    try:
        for fn, _ in kept:
            fn.__code__ = rewrite(fn, hooks).__code__
        assert [outcome(fn) for fn in users] == before
    finally:
        for fn, code in kept:
            fn.__code__ = code

"""Items that a program puts into dicts and lists that it was given: they are there after the call, and what
is returned is the container itself; in JAX a new one.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays

X = np.arange(3, dtype=np.float32)


def added(d, x):
    d["y"] = x * 2
    return d


def stepped(p, g):
    for k in p:
        p[k] = p[k] - 0.1 * g[k]
    return p


def nested(s, x):
    s["m"]["w"] = s["m"]["w"] + x
    s["step"] = s["step"] + 1
    return s


def appended(found, x):
    found.append(x * 2)
    found[0] = found[0] + 1
    return found, len(found)


def counted(s, x):
    before = s["step"]
    s["step"] += 1
    return s, x * s["step"], before


def swapped(d, x):
    d["w"], d["b"] = d["b"], d["w"]
    return d, d["w"] * x


def put_twice(s, x):
    s["step"] = s["step"] + 1
    y = x * s["step"]
    s["step"] = s["step"] * 2
    return s, y


def mean_so_far(s, x):
    s["best"] = max(s["best"], 2.5 * len(x))
    s["step"] += 1
    return s, s["best"] / s["step"]


def in_turns(s, x):
    before = s["step"]
    for _ in range(3):
        s["step"] += 1
        x = x * s["step"]
    return s, x, before


def best_so_far(s, x):
    s["best"] = max(s["best"], x.max())
    return s


def turned(found, x):
    found.reverse()
    return found, found[0] * x


def crossed(found, x):
    found[0], found[1] = found[1] + 1, found[0] - x
    return found, found[0] * 2


def the_old_one(found, x):
    old = found[0]
    found[0] = found[0] + x
    old += 1
    return found, old


def the_same_array(d, x):
    y = x * 1
    d["y"] = y
    return d, y


def on_one_way(d, x):
    if x.sum() > 0:
        d["w"] = x
    return d


def turn_by_turn(d, x):
    for row in x:
        d["w"] = d["w"] + row
    return d


def updated(d, x):
    d.update(w=d["w"] * 2, z=x)
    return d


def by_a_helper(d, x):
    put(d, x + 1)
    return d


def put(d, value):
    d["h"] = value


def in_place_and_put(d, x):
    d["w"] += x
    d["n"] = d["w"] * 2
    return d["w"].sum(), d


PROGRAMS = [
    (added, ({"w": X}, X)), (stepped, ({"w": X, "b": X + 1}, {"w": X + 2, "b": X})),
    (nested, ({"m": {"w": X, "b": X}, "step": 3}, X)), (appended, ([X, X], X)),
    (the_same_array, ({"w": X}, X)), (on_one_way, ({"w": X}, X - 0.5)),
    (turn_by_turn, ({"w": X}, np.ones((12, 3), np.float32))), (updated, ({"w": X}, X)),
    (by_a_helper, ({"w": X}, X)), (in_place_and_put, ({"w": X}, X)),
    (counted, ({"step": 3}, X)), (swapped, ({"w": X, "b": X + 1}, X)), (put_twice, ({"step": 3}, X)),
    (swapped, ({"w": 2, "b": 5}, X)), (mean_so_far, ({"step": 1, "best": 0.5}, X)),
    (in_turns, ({"step": 1}, X)), (turned, ([X, X + 1], X)), (crossed, ([X, X + 1], X)),
    (the_old_one, ([X, X + 1], X)),
]  # fmt: skip


def given(args: Any, framework: str) -> Any:
    return map_arrays(copy.deepcopy(args), lambda a: convert(a, framework))


@pytest.mark.covering(("fn", "args"), "source", "to")
@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("source", ["numpy", "torch"])
@pytest.mark.parametrize(("fn", "args"), PROGRAMS, ids=[fn.__name__ for fn, _ in PROGRAMS])
def test_what_is_put_into_an_argument_is_there(fn: Any, args: Any, source: str, to: str) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    mine, theirs = given(args, source), given(args, to)
    before = given(args, source)
    out = tl.transpile(fn, given(args, source), to=to)
    wanted, found = fn(*mine), out(*theirs)
    assert not list(compare(wanted, found, narrowed=to == "jax")), out.source
    if to == "jax":
        assert not list(compare(before, theirs, narrowed=True)), "an argument was changed"
        return
    assert not list(compare(mine, theirs, narrowed=False)), out.source
    first = wanted[0] if isinstance(wanted, tuple) else wanted
    if first is mine[0]:
        assert (found[0] if isinstance(found, tuple) else found) is theirs[0]
    if fn is the_same_array:
        assert found[0]["y"] is found[1] and found[1] is not theirs[1]


def test_the_example_is_as_it_was() -> None:
    args = given(PROGRAMS[0][1], "numpy")
    traced = tl.symbolic_trace(added, args)
    assert [*args[0]] == ["w"]
    assert traced(*args) is args[0] and np.array_equal(args[0]["y"], X * 2)


def test_the_text_says_what_is_put_where() -> None:
    lines = tl.symbolic_trace(appended, ([X, X], X)).source("torch").splitlines()
    assert lines[-3:] == ["    found[0] = found[0] + 1", "    found.append(x * 2)", "    return found, 3"]
    lines = tl.symbolic_trace(added, ({"w": X}, X)).source("jax").splitlines()
    assert lines[-1] == '    return {"w": d["w"], "y": x * 2}'


def test_in_jax_what_was_changed_must_be_returned() -> None:
    def kept(d, x):
        d["y"] = x * 2
        return x

    with pytest.raises(tl.UnsupportedError, match="changing the dict `d` cannot be written for jax") as error:
        tl.transpile(kept, ({"w": X}, X), to="jax")
    assert 'd["y"] = x * 2' in str(error.value) and "return d as well" in str(error.value)


def test_what_cannot_be_put_back_is_refused() -> None:
    def popped(d, x):
        return d.pop("w") + x

    with pytest.raises(tl.UnsupportedError, match="changing"):
        tl.transpile(popped, ({"w": X}, X), to="numpy")


def test_what_is_put_back_before_an_early_end() -> None:
    def left_early(d, x):
        if x.sum() > 0:
            d["w"] = x
            return d
        return d

    out: Any = tl.transpile(left_early, ({"w": X}, X), to="numpy")
    for x in (X, -X):
        mine, theirs = {"w": X * 3}, {"w": X * 3}
        assert np.array_equal(left_early(mine, x)["w"], out(theirs, x)["w"])
        assert np.array_equal(mine["w"], theirs["w"])


def lengths(p, q):
    p["n"] = q["w"] + 1
    return len(q), q["w"] * 2


def last(p, q):
    p.append(q[0] + 1)
    return q[-1]


@pytest.mark.parametrize(("fn", "kind"), [(lengths, dict), (last, list)], ids=["dict", "list"])
def test_a_container_that_is_changed_is_no_other_argument(fn: Any, kind: Any) -> None:
    one, other = ([X], [X + 1]) if kind is list else ({"w": X}, {"w": X + 1})
    out = tl.transpile(fn, copy.deepcopy((one, other)), to="numpy")
    assert "assert p is not q" in out.source
    wanted = fn(*copy.deepcopy((one, other)))
    assert not list(compare(wanted, out(*copy.deepcopy((one, other)))))
    with pytest.raises(AssertionError):
        out(one, one)
    with pytest.raises(tl.UnsupportedError, match="it is q as well"):
        tl.transpile(fn, (one, one), to="numpy")


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_a_number_that_is_put_back_stays_one(to: str) -> None:
    out = tl.transpile(best_so_far, ({"best": 1.0}, X), to=to)
    for best in (1.0, 7.0):
        wanted, found = best_so_far({"best": best}, X), out({"best": best}, convert(X, to))
        assert (type(wanted["best"]) is float) == (type(found["best"]) is float)

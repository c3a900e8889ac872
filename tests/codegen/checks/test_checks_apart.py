"""Many checks stand in a function of their own, and no function checks again what whoever calls it has."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import importlib.util
import pathlib
from typing import Any

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert

X = np.arange(6.0).reshape(3, 2)
P = {"w": np.ones((2, 2)), "b": [np.ones(2), np.zeros(2)]}
FORMS = pytest.mark.parametrize("guards", ["assert", "raise"])


def ends(p):
    return p["w"][0].sum() + sum(b.sum() for b in p["b"])


def layer(p, x, mode="sum", scale=None, axis=None):
    """A layer."""
    y = x @ p["w"] + p["b"][0] if mode.lower() == "sum" else x
    return (y * ends(p) if scale is None else y * scale) if axis is None else y.sum(axis)


def parts(source: str) -> dict[str, str]:
    """The functions of a text by their names."""
    found = ("def " + text for text in ("\n" + source).split("\ndef ")[1:])
    return {text[4:].partition("(")[0]: text for text in found}


@FORMS
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_many_checks_are_a_function_below_those_of_the_user(to: str, guards: str) -> None:
    with jax.enable_x64(True):
        out = tl.transpile(layer, (P, X), to=to, guards=guards)
        found = parts(out.source)
        assert [*found] == ["layer", "ends", "check_inputs"]
        assert '"""A layer."""\n    check_inputs(p, ' in found["layer"]
        assert "What the arguments must be" in found["check_inputs"]
        assert "dtype" not in found["ends"]
        p = {"w": convert(P["w"], to), "b": [convert(b, to) for b in P["b"]]}
        given: dict[str, Any] = {"p": p, "x": convert(X, to)}
        assert np.allclose(out(**given), layer(P, X))
        for name, wrong in WRONG.items():
            with pytest.raises((AssertionError, ValueError)):
                out(**{**given, name: wrong})


WRONG = {"axis": 0, "mode": "mean", "scale": 2.0}


def test_few_stand_where_the_function_begins() -> None:
    found = parts(tl.transpile(ends, (P,), to="numpy").source)
    assert [*found] == ["ends"] and 1 <= found["ends"].count("assert ") <= 3


def checked_first(x, y):
    """Whoever calls has checked it, of what it is given."""
    return matrix(x) + matrix(y)


def checked_of_one(x, y):
    return matrix(x) + x.ndim + matrix(y * 1)


def rebound(x, y):
    y = y[0]
    return line(y) + y.ndim + x.ndim


def of_each(x, y):
    """A name in a comprehension, or a function, is no argument of the function around."""
    return x.ndim + sum(matrix(x) for x in (y, y * 1)) + (lambda x: matrix(x))(y)


def in_turns(x, y):
    def turn(x):
        return matrix(x) * 0.5

    for _ in range(3):
        y = turn(y) + y
    return y.sum() + x.ndim


def matrix(x):
    return x.sum() * x.ndim


def line(x):
    return x.sum() * x.ndim


@FORMS
def test_what_callers_have_checked_is_not_checked_again(guards: str) -> None:
    found = parts(tl.transpile(checked_first, (X, X), to="numpy", guards=guards).source)
    assert ".ndim" in found["checked_first"] and ".ndim" not in found["matrix"]


@pytest.mark.parametrize("fn", [checked_first, checked_of_one, rebound, of_each, in_turns])
def test_nothing_goes_unchecked(fn: Any) -> None:
    out = tl.transpile(fn, (X, X), to="numpy")
    wrong = (np.ones(3), np.ones((2, 3, 4)), np.array(2.0))
    for given in [(X + 1, X), *((one, X) for one in wrong), *((X, one) for one in wrong)]:
        try:
            found = out(*given)
        except AssertionError:
            continue
        assert np.array_equal(found, fn(*given))


def grown(ws, x):
    first = shorter(ws)
    ws.append(x)
    return first * len(ws) + shorter(ws)


def shorter(ws):
    return ws[0] * 2 if len(ws) < 3 else ws[0]


def test_a_container_that_is_changed_is_looked_at_again() -> None:
    def two(xs, x):
        return grown([*xs], x)

    try:
        out = tl.transpile(two, ([X, X], X), to="numpy")
    except tl.UnsupportedError:
        return
    for count in range(1, 4):
        given = [X] * count
        try:
            found = out(given, X)
        except AssertionError:
            continue
        assert np.array_equal(found, two(given, X))


def check_inputs(x):
    return x * 2


def named_so(p, x, mode="sum", scale=None, axis=None):
    return check_inputs(layer(p, x, mode, scale, axis))


def test_a_function_of_the_users_may_have_the_name() -> None:
    found = parts(tl.transpile(named_so, (P, X), to="numpy").source)
    assert "return x * 2" in found["check_inputs"] and "check_inputs_2(p, " in found["named_so"]


@pytest.mark.parametrize("to", ["numpy", "torch"])
def test_the_text_is_traced_again(to: str, tmp_path: pathlib.Path) -> None:
    """What it is for is what it was for."""
    out = tl.transpile(layer, (P, X), to=to)
    path = tmp_path / f"again_to_{to}.py"
    path.write_text(out.source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    p = {"w": convert(P["w"], to), "b": [convert(b, to) for b in P["b"]]}
    again = tl.transpile(module.layer, (p, convert(X, to)), to="numpy")
    assert np.allclose(again(P, X), layer(P, X))
    for name, wrong in WRONG.items():
        with pytest.raises(AssertionError):
            again(**{"p": P, "x": X, name: wrong})


def test_it_is_compiled_by_torch_too() -> None:
    out = tl.transpile(layer, (P, X), to="torch")
    p = {"w": torch.tensor(P["w"]), "b": [*map(torch.tensor, P["b"])]}
    compiled = torch.compile(out, backend="eager", fullgraph=True)
    assert np.allclose(compiled(p, torch.tensor(X)), layer(P, X))


def steps(count, start=0, width=2):
    return np.arange(start, start + count) * width


def of_sizes(x):
    rows, columns = x.shape[0], x.shape[1]
    return steps(rows), steps(columns // 2 + 1, width=columns), steps(x.shape[0], 1)


def of_an_argument(x, n):
    rows, _ = x.shape
    return steps(rows), steps(rows // n)


def of_what_is_rebound(x, n):
    rows = x.shape[0]
    if n > 2:
        rows = n
    return steps(rows)


@FORMS
@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
def test_sizes_are_ints_and_not_checked_to_be(to: str, guards: str) -> None:
    with jax.enable_x64(True):
        out: Any = tl.transpile(of_sizes, (X,), to=to, guards=guards)
        assert "type(" not in parts(out.source)["steps"], out.source
        found = out(convert(np.ones((5, 4)), to))
    assert all(np.array_equal(np.asarray(a), b) for a, b in zip(found, of_sizes(np.ones((5, 4)))))


@FORMS
@pytest.mark.parametrize("fn", [of_an_argument, of_what_is_rebound])
def test_what_an_argument_decides_may_be_none(fn: Any, guards: str) -> None:
    out: Any = tl.transpile(fn, (X, 2), to="numpy", guards=guards)
    for n in (2.0, 3, 3.5, True):
        try:
            found = out(X, n)
        except (AssertionError, ValueError):
            continue
        for mine, theirs in zip(found, fn(X, n)):
            assert mine.dtype == theirs.dtype and np.array_equal(mine, theirs), (n, out.source)


def keyed(p, x):
    y = x * p["w"] if "w" in p else x
    return y + p["b"] if "b" in p else y


def of_keys(ps, x):
    return keyed(ps[0], x) + keyed(ps[1], x) + sum(len(list(p)) for p in ps)


@FORMS
def test_what_keys_there_are_says_whether_one_is_there(guards: str) -> None:
    ps = [{"w": np.ones(2)}, {"b": np.ones(2)}]
    out: Any = tl.transpile(of_keys, (ps, X), to="numpy", guards=guards)
    assert " in p" not in out.source.split("def keyed")[1], out.source
    for other in ([{"b": np.ones(2)}, {"w": np.ones(2)}], [{"w": np.ones(2), "b": np.ones(2)}, {}]):
        with pytest.raises((AssertionError, ValueError)):
            out(other, X)

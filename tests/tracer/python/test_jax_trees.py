"""What goes through JAX's transforms and control flow is arrays on both sides, in trees with sorted keys."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jax import lax

import tracelate as tl
from tracelate.backends.backend import framework_of
from tracelate.ir.values.tree import children

X = jnp.array([1.0, 2.0])
XS = jnp.array([1.0, 2.0, 3.0])
WIDE = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
TARGETS = ("numpy", "torch", "jax")


def given(value: Any, to: str) -> Any:
    """An argument as the target has it."""
    if isinstance(value, dict):
        return {k: given(v, to) for k, v in value.items()}
    if not isinstance(value, jax.Array) or to == "jax":
        return value
    return np.array(value) if to == "numpy" else torch.from_numpy(np.array(value))


def same(found: Any, want: Any) -> None:
    """That two results are alike: their containers and keys, the dtypes, and what is Python's own."""
    items = children(want)
    if items is not None:
        mine = children(found)
        assert mine is not None and type(found) is type(want)
        assert [k for k, _ in mine] == [k for k, _ in items]
        for (_, one), (_, other) in zip(mine, items):
            same(one, other)
        return
    if framework_of(want) is None and not isinstance(found, jax.Array):
        assert type(found) is type(want) and found == want
        return
    assert framework_of(found) is not None, f"{found!r} is no array"
    found, want = np.asarray(found), np.asarray(want)
    assert found.dtype == want.dtype or not want.shape and want.dtype.kind == found.dtype.kind
    np.testing.assert_allclose(found.astype(np.float64), want.astype(np.float64), rtol=1e-5)


def hold(fn: Callable[..., Any], args: tuple[Any, ...], *others: tuple[Any, ...]) -> None:
    traced = tl.symbolic_trace(fn, args, source="jax")
    for to in TARGETS:
        out = traced.to(to)
        for call in (args, *others):
            same(out(*(given(a, to) for a in call)), fn(*call))


# Arrays that are no arguments.


def scans_a_global(x):
    return lax.scan(lambda c, v: (c * v, c + v), x, XS)


def scans_a_global_beside(x, ys):
    return lax.scan(lambda c, v: (c * v[0] + jnp.sum(v[1]), c), x, (ys, XS))


def scans_rows_of_numpys(x):
    return lax.scan(lambda c, v: (c + v, v @ c), x, {"rows": WIDE}["rows"])


def scans_what_is_closed_over(x):
    steps = {"b": jnp.arange(3), "a": XS}
    return lax.scan(lambda c, v: (c + v["a"] * v["b"], None), x, steps)


@pytest.mark.parametrize("args", ((X,), (XS,)))
def test_a_scan_over_an_array_that_is_no_argument_takes_its_rows(args: Any) -> None:
    hold(scans_a_global, args)
    hold(scans_what_is_closed_over, args)


def test_such_an_array_beside_others() -> None:
    hold(scans_a_global_beside, (X, jnp.array([3.0, 2.0, 1.0])))
    hold(scans_rows_of_numpys, (X,))


# Numbers that go in.


@jax.jit
def chosen(x, flag):
    return jnp.where(~flag, x, 0 * x), flag


@jax.jit
def squared(v, k):
    return v * (k * k), k * k, k // 2, k / 2


@jax.jit
def cast(v, k):
    return v + k.astype(jnp.float32), k.dtype == v.dtype, -k, [k, {"k": k * 2.5}]


@jax.jit
def scaled(x, a):
    return x * (a * 1e30) * 1e30, a + 1


def flags(x):
    return lax.cond(x.sum() > 0, lambda a, f: (a, ~f), lambda a, f: (a * 2, f), x, True)


def large(x):
    return lax.cond(x.sum() > 0, lambda k: k * k, lambda k: k, 100000)


def methods(x):
    return lax.cond(x.sum() > 0, lambda k: x * k.astype(jnp.float32), lambda k: x / k, 3)


def switched(x):
    return lax.cond(x.sum() > 0, lambda o: o["k"] + x, lambda o: o["j"] * x, operand={"k": 3, "j": 2.5})


NUMBERS = {
    "a flag": lambda x: chosen(x, True),
    "an int that wraps": lambda x: squared(x, 100000),
    "a small int": lambda x: squared(x, 3),
    "methods": lambda x: cast(x, 3),
    "a float beyond": lambda x: scaled(x, 1e-8),
    "keywords": lambda x: squared(v=x, k=7),
    "a branch's flag": flags,
    "a branch's int": large,
    "a branch's methods": methods,
    "a branch's operand": switched,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_that_is_handed_on_is_an_array(name: str) -> None:
    hold(NUMBERS[name], (X,), (-X,))


def test_numbers_of_an_entry_that_is_compiled_are_arrays() -> None:
    hold(chosen, (X, True))
    hold(squared, (X, 100000), (X, 3), (X, -7))
    hold(cast, (X, 3), (X, 5))
    hold(scaled, (X, 1e-8), (X, 0.5))


def test_what_stays_a_size_an_index_and_a_count() -> None:
    @jax.jit
    def f(x, k):
        return x[k], lax.fori_loop(0, k, lambda i, s: s + x[i], 0.0), lax.dynamic_slice(x, (k,), (1,)), x * k

    hold(f, (X, 1), (X, 0))
    text = tl.symbolic_trace(f, (X, 1)).source(to="numpy")
    assert "x[k]" in text and "x * k" in text and "range(k)" in text


# Static ones.


@partial(jax.jit, static_argnums=(1,))
def powers(x, n):
    for _ in range(n):
        x = x * n
    return x, n, n / 2


@partial(jax.jit, static_argnames=("mode", "n"))
def reduced(x, mode="sum", n=2):
    return (x.sum(), n) if mode == "sum" else (x.mean(), -n)


def test_static_arguments_stay_pythons_inside() -> None:
    hold(powers, (X, 2), (X, 3))
    hold(lambda x: powers(x, 3), (X,))
    hold(lambda x: reduced(x, n=3), (X,))
    hold(reduced, (X, "mean"))
    hold(reduced, (X,))


# What comes out.


@jax.jit
def constants(x, k):
    return x * 2, 1, k * k, [2.5, True], None


@jax.jit
def early(x):
    if x.ndim > 1:
        return {"b": 1, "a": x}
    return {"b": 2, "a": x + 1}


def known(x):
    k = lax.cond(x.ndim > 1, lambda: 1, lambda: 2)
    return k, k / 2, x + k, isinstance(k, int), k.astype(jnp.float32)


def known_pair(x):
    return lax.cond(True, lambda a, b: (a + b, 1), lambda a, b: (a - b, 2), x, x * 2)


def of_a_call(x):
    r = constants(x, 2)
    return r[1] + jnp.int8(1), r[1] / 2, r


@pytest.mark.parametrize("fn", (known, known_pair, of_a_call, early))
def test_what_comes_back_is_arrays(fn: Any) -> None:
    hold(fn, (X,))


def test_what_an_entry_gives_is_arrays() -> None:
    hold(constants, (X, 100000), (X, 3))
    hold(lambda x, ys: lax.scan(lambda c, v: (c + v, (v, 1)), x[0], ys), (X, XS))


def whiled(x):
    one = lax.while_loop(lambda s: s["x"].sum() < 9, lambda s: {**s, "x": s["x"] * 2}, {"x": x, "k": 2.5})
    asked = lax.while_loop(lambda s: s[1].sum() < s[0], lambda s: (s[0], s[1] * 2, s[2]), (9, x, 1))
    return one, asked


def test_a_number_that_a_loop_carries_and_leaves_alone_is_given_back() -> None:
    hold(lambda x: lax.fori_loop(0, 2, lambda i, s: (s[0], s[1] * 2, s[2] + 1), (1, x, 1)), (X,))
    hold(whiled, (X,))
    hold(lambda x: lax.scan(lambda s, v: ((s[0], s[1] + v), s[0]), (1, 0.0), x), (X,))


# Dicts.


@jax.jit
def renamed(p):
    return {"z": p["z"], "a": p["z"] + 1}, [p[k] for k in p], p


def scanned_dicts(xs):
    _, ys = lax.scan(lambda c, x: (c + x, {"z": c, "a": x}), 0.0, xs)
    return [ys[k] for k in ys], list(ys), ys


def carried_dicts(x):
    r = lax.fori_loop(0, 3, lambda i, s: {"z": s["z"] + 1, "a": s["a"] * 2}, {"z": x, "a": x})
    s = lax.while_loop(lambda s: s["n"] < 3, lambda s: {"n": s["n"] + 1, "b": s["b"] * 2}, {"n": 0, "b": x})
    return r, list(r.values()), s, list(s)


def chosen_dicts(x):
    r = lax.cond(x.sum() > 0, lambda p: {"z": x, **p}, lambda p: {"z": x - 1, **p}, {"c": x, "b": 1})
    return r, [v for v in r.values()]


def trees_that_are_carried(p, x):
    q, _ = lax.scan(lambda p, v: (jax.tree.map(lambda a: a + v, p), None), p, x)
    return q, list(q.values()), lax.fori_loop(0, 10, lambda i, p: jax.tree.map(lambda a: a * 0.9, p), p)


def test_keys_are_in_order() -> None:
    params = {"z": X, "b": XS}
    hold(renamed, (params,))
    hold(lambda p: renamed(p), (params,))
    hold(scanned_dicts, (XS,))
    hold(carried_dicts, (X,))
    hold(chosen_dicts, (X,), (-X,))
    hold(trees_that_are_carried, (params, jnp.ones(())[None]))


def test_a_dict_that_a_compiled_function_changes_is_its_own() -> None:
    @jax.jit
    def f(p):
        p["a"] = p["a"] * 2
        return p["a"]

    def g(x):
        p = {"a": x}
        return f(p), p["a"]

    hold(g, (X,))


def test_what_is_asked_of_a_dict_inside_is_checked() -> None:
    inner = jax.jit(lambda p: sum(p[k] for k in p))
    out = tl.transpile(lambda p: inner(p), ({"a": X, "b": X},), to="numpy", source="jax")
    with pytest.raises(AssertionError):
        out({name: np.ones(2, np.float32) for name in "abc"})


# Counters.

inverted = jax.jit(lambda k: ~k)
COUNTERS: dict[str, Callable[[Any], Any]] = {
    "wraps": lambda x: lax.fori_loop(0, 4, lambda i, s: s + i * 1000000007 % 5, x),
    "squares": lambda x: lax.fori_loop(46338, 46343, lambda i, s: s + i * i, x),
    "powers": lambda x: lax.fori_loop(0, 12, lambda i, s: s + 2 ** (i * 3), x),
    "method": lambda x: lax.fori_loop(0, 3, lambda i, s: s + i.astype(x.dtype) * 0.5, x),
    "flags": lambda x: lax.fori_loop(0, 4, lambda i, s: jnp.where(~(i > 2), s + (i > 1).astype(int), s), x),
    "flags added": lambda x: lax.fori_loop(0, 4, lambda i, s: s + ((i > 0) + (i > 1)), x),
    "zero": lambda x: lax.fori_loop(0, 3, lambda i, s: s + 1.0 / (i + 1) + i / 4, x),
    "returned": lambda x: lax.fori_loop(0, 3, lambda i, s: (s[0] + i, i, -i), (x, 0, 0)),
    "numbers only": lambda x: lax.fori_loop(0, 3, lambda i, s: s + jnp.sin(i) + jnp.maximum(i, 1), x),
    "branch": lambda x: lax.fori_loop(
        0, 4, lambda i, s: lax.cond(i % 2 == 0, lambda: s + i, lambda: s * 2), x
    ),
    "nested": lambda x: lax.fori_loop(
        0, 3, lambda i, s: lax.fori_loop(0, i, lambda j, t: t.at[j % 2].add(i * 65536 * j * 65536), s), x
    ),
    "sizes": lambda x: lax.fori_loop(0, x.shape[0], lambda i, s: s.at[x.shape[0] - 1 - i].set(x[i]), x),
    "window": lambda x: lax.fori_loop(0, 2, lambda i, s: s + lax.dynamic_slice(x, (i,), (1,)), x),
    "jitted": lambda x: lax.fori_loop(0, 3, lambda i, s: s + inverted(i), x),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTERS)
def test_what_a_loop_counts_is_an_array_of_32_bits(name: str) -> None:
    hold(COUNTERS[name], (X,), (XS[:2],))


def helper(x, i):
    return x[i] * 2, ~(i > 1), i + 1


def helped(x):
    def body(i, s):
        row, flag, k = helper(x, i)
        return s + jnp.where(flag, row, 0) + k.astype(s.dtype)

    return lax.fori_loop(0, 2, body, x)


def test_a_counter_is_one_in_a_helper_too() -> None:
    hold(helped, (X,))


def test_a_counter_that_only_indexes_is_pythons_in_the_text() -> None:
    def f(x, y):
        def body(i, s):
            return s.at[i].set(x[2 * i] * i + lax.dynamic_slice(y, (i + 1,), (1,))[0])

        return lax.fori_loop(0, x.shape[0] // 2, body, y)

    traced = tl.symbolic_trace(f, (jnp.arange(6.0), jnp.arange(3.0)))
    for to in ("numpy", "torch"):
        text = traced.source(to=to)
        assert "x[2 * i] * i" in text and "[i] =" in text and "int32" not in text, text


def test_a_scan_gives_numbers_for_each_turn() -> None:
    hold(lambda x: lax.scan(lambda c, v: (c, {"k": 1, "a": [v, 2.5]}), 0, x), (X,))


def stopped(tree):
    return jax.lax.stop_gradient(tree)


TREES = [
    {"a": jnp.ones(3), "b": [jnp.zeros(2), jnp.ones(2)]},
    (jnp.ones(3), jnp.zeros(3)),
    [jnp.ones(3)],
    jnp.ones(2),
]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_no_gradient_goes_through_any_array_of_a_tree(tree: Any, to: str) -> None:
    """Arrays in a list stay in one."""
    mine = jax.tree.map(lambda array: given(array, to), tree)
    same(tl.transpile(stopped, (tree,), to=to)(mine), stopped(tree))

"""What `jax.tree.map` makes leaf by leaf is printed as that; in NumPy and torch by a function of the text."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import textwrap
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.tree_util import tree_leaves, tree_map

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)


def named(params, grads, lr):
    scaled = tree_map(lambda g: g * lr, grads)
    moved = tree_map(jnp.subtract, params, scaled)
    return moved, scaled


def momentum(params, grads, state, lr):
    # what is kept
    state = jax.tree.map(lambda m, g: 0.9 * m + g, state, grads)

    def step(p, m):
        if p.ndim > 1:  # matrices alone
            m = m + 0.01 * p
        return p - lr * m

    params = jax.tree.map(step, params, state)
    return params, state


def norm(tree):
    return jnp.sqrt(sum(jnp.sum(x**2) for x in tree_leaves(tree)))


def clipped(grads, limit):
    scale = jnp.minimum(1.0, limit / norm(grads))
    return jax.tree.map(lambda g: g * scale, grads)


def halved(x):
    return x / 2


def halves(tree):
    return {"half": jax.tree.map(halved, tree), "whole": tree}


def of_many(tree):
    shifted = jax.tree.map(lambda x: x - x.max(), tree)
    return jax.tree.map(lambda x, s: x / (s * s + 1), tree, shifted)


def adam(params, grads, m, v, step, lr=1e-3, b1=0.9, b2=0.999, eps=1e-8):
    m = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, m, grads)
    v = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g**2, v, grads)
    mh = jax.tree.map(lambda m: m / (1 - b1**step), m)
    vh = jax.tree.map(lambda v: v / (1 - b2**step), v)
    params = jax.tree.map(lambda p, m, v: p - lr * m / (jnp.sqrt(abs(v)) + eps), params, mh, vh)
    return params, m, v


def chained(params, grads):
    scaled = jax.tree.map(lambda g: g * 0.5, grads)
    decayed = jax.tree.map(lambda u, p: u - 0.01 * p, scaled, params)
    new = jax.tree.map(lambda p, u: p + u, params, decayed)
    return new


def crossed(params, grads):
    scaled = jax.tree.map(lambda g: g * 0.5, grads)
    shifted = jax.tree.map(lambda p: p + 1, params)
    return jax.tree.map(lambda a, b: a * b, shifted, scaled), params["b"] * 0.5


def unpacked(params, grads, state, lr):
    mu, count = state
    count = count + 1
    mu = jax.tree.map(lambda m, g: 0.9 * m + g, mu, grads)
    params = jax.tree.map(lambda p, m: p - lr * m, params, mu)
    return params, (mu, count)


def taken_by_name(params, grads, opt):
    m = opt["m"]
    m = jax.tree.map(lambda a, g: 0.5 * a + g, m, grads)
    return jax.tree.map(lambda p, a: p - a, params, m), {"m": m}


def floats(*shape):
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


TREE = {"w": floats(3, 2), "inner": [{"b": floats(2), "a": floats(2, 2)}, floats(4)]}
FLAT = {"b": floats(2), "w": floats(3, 2)}
PROGRAMS = [
    (sgd, (TREE, TREE, 0.5), "return tree_map(lambda p, g: p - lr * g, params, grads)"),
    (named, (FLAT, FLAT, 0.5), """
        scaled = tree_map(lambda g: g * lr, grads)
        moved = tree_map(np.subtract, params, scaled)
        return moved, scaled
    """),
    (momentum, (TREE, TREE, TREE, 0.5), """
        def step(p, m):
            if p.ndim > 1:  # matrices alone
                m = m + 0.01 * p
            return p - lr * m
    """),
    (norm, (TREE,), "return np.sqrt(sum(np.sum(x**2) for x in tree_leaves(tree)))"),
    (clipped, (FLAT, 0.1), "return tree_map(lambda g: g * scale, grads)"),
    (halves, (FLAT,), 'return {"half": tree_map(halved, tree), "whole": tree}'),
    (adam, (TREE, TREE, TREE, TREE, 3), """
        m = tree_map(lambda m, g: b1 * m + (1 - b1) * g, m, grads)
        v = tree_map(lambda v, g: b2 * v + (1 - b2) * g**2, v, grads)
        mh = tree_map(lambda m: m / (1 - b1**step), m)
        vh = tree_map(lambda v: v / (1 - b2**step), v)
        params = tree_map(
            lambda p, m, v: p - lr * m / (np.sqrt(abs(v)) + eps), params, mh, vh
        )
        return params, m, v
    """),
    (chained, (FLAT, FLAT), """
        scaled = tree_map(lambda g: g * 0.5, grads)
        decayed = tree_map(lambda u, p: u - 0.01 * p, scaled, params)
        new = tree_map(lambda p, u: p + u, params, decayed)
        return new
    """),
    (crossed, (FLAT, FLAT), """
        scaled = tree_map(lambda g: g * 0.5, grads)
        shifted = tree_map(lambda p: p + 1, params)
        return tree_map(lambda a, b: a * b, shifted, scaled), params["b"] * 0.5
    """),
    (unpacked, (FLAT, FLAT, (FLAT, floats(2)), 0.5), """
        mu, count = state
        count = count + 1
        mu = tree_map(lambda m, g: 0.9 * m + g, mu, grads)
        params = tree_map(lambda p, m: p - lr * m, params, mu)
        return params, (mu, count)
    """),
    (taken_by_name, (FLAT, FLAT, {"m": FLAT}), """
        m = opt["m"]
        m = tree_map(lambda a, g: 0.5 * a + g, m, grads)
        return tree_map(lambda p, a: p - a, params, m), {"m": m}
    """),
    (of_many, (TREE,), "return tree_map(lambda x, s: x / (s * s + 1), tree, shifted)"),
]  # fmt: skip


def given(args: Any, framework: str) -> Any:
    return map_arrays(args, lambda array: convert(array, framework))


@pytest.mark.parametrize(("fn", "args", "text"), PROGRAMS, ids=[fn.__name__ for fn, *_ in PROGRAMS])
def test_what_is_printed(fn: Any, args: Any, text: str) -> None:
    source = tl.transpile(fn, given(args, "jax"), to="numpy").source
    assert textwrap.indent(textwrap.dedent(text).strip(), "    ") in source, source
    assert "def tree_" in source
    of_jax = tl.transpile(fn, given(args, "jax"), to="jax").source
    assert "jax.tree." in of_jax and "def tree_" not in of_jax, of_jax


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "args", "text"), PROGRAMS, ids=[fn.__name__ for fn, *_ in PROGRAMS])
def test_what_it_gives(fn: Any, args: Any, text: str, to: str) -> None:
    out = tl.transpile(fn, given(args, "jax"), to=to)
    assert not [*compare(fn(*given(args, "jax")), out(*given(args, to)))], out.source
    others = map_arrays(args, lambda array: array[:2] * 2 + 1)
    assert not [*compare(fn(*given(others, "jax")), out(*given(others, to)))], out.source
    longer = tuple({**a, "z": floats(2)} if isinstance(a, dict) else a for a in args)
    with pytest.raises((AssertionError, TypeError, ValueError)):
        out(*given(longer, to))


def test_trees_of_several_forms_are_not_one() -> None:
    def mixed(a, b):
        return jax.tree.map(lambda x: x * 2, a), jax.tree.map(lambda x, y: x + y, b, b)

    out = tl.transpile(mixed, given((TREE, FLAT), "jax"), to="numpy")
    assert not [*compare(mixed(*given((TREE, FLAT), "jax")), out(TREE, FLAT))], out.source


def as_tuple(xs):
    return tuple(jax.tree.map(jnp.tanh, xs))


def rows_as_lists(layers):
    new = jax.tree.map(lambda x: x * 2, layers)
    return [list(layer) for layer in new]


def taken_apart(params):
    w, b = jax.tree.map(lambda p: p * 2 + 1, params)
    return [w, b]


def half_as_list(state, grads):
    m = jax.tree.map(lambda m, g: 0.9 * m + g, state["m"], grads)
    return {"m": list(m), "n": state["m"]}


PAIR = (floats(2), floats(3))
KINDS = [
    (as_tuple, ([*PAIR],)), (as_tuple, (PAIR,)), (rows_as_lists, ([PAIR, PAIR],)),
    (taken_apart, (PAIR,)), (half_as_list, ({"m": PAIR}, PAIR)),
]  # fmt: skip


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("fn", "args"), KINDS, ids=lambda v: getattr(v, "__name__", ""))
def test_lists_are_lists_and_tuples_tuples(fn: Any, args: Any, to: str) -> None:
    out = tl.transpile(fn, given(args, "jax"), to=to)
    assert not [*compare(fn(*given(args, "jax")), out(*given(args, to)))], out.source

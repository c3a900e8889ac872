"""Items of containers under the names that the user gives them: `w, b = params` stays a statement."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import inspect
import textwrap
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl

R = np.random.default_rng(0)


def floats(*shape):
    return R.normal(size=shape).astype(np.float32)


def network(params, x):
    w1, b1, w2, b2 = params
    h = np.tanh(x @ w1 + b1)
    return h @ w2 + b2


def nested(params, x):
    (w1, b1), (w2, b2) = params
    return np.tanh(x @ w1 + b1) @ w2 + b2


def of_dicts(params, x):
    layer = params["layers"][0]  # the only one
    w, b = layer["w"], layer["b"]

    # the head
    head = params["head"]
    return (x @ w + b) @ head


def state(state, g):
    m, v, t = state
    t = t + 1
    m = 0.9 * m + 0.1 * g
    v = 0.99 * v + 0.01 * g**2
    return m, v, t


def one_after_another(params, x):
    w, b = params[0]
    x = np.tanh(x @ w + b)
    w, b = params[1]
    return x @ w + b


def carried(pair):
    a, b = pair
    for _ in range(3):
        a = a + b
    return a, b


def last_apart(params, x):
    for w, b in params[:-1]:
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def stepped(params, grads, lr):
    return [(w - lr * dw, b - lr * db) for (w, b), (dw, db) in zip(params, grads)]


LAYER = {"w": floats(3, 3), "b": floats(3)}
TEXTS = [
    (network, ([floats(3, 4), floats(4), floats(4, 2), floats(2)], floats(5, 3)), """
        def network(params, x):
            w1, b1, w2, b2 = params
            h = np.tanh(x @ w1 + b1)
            return h @ w2 + b2
     """),
    (nested, ([(floats(3, 4), floats(4)), (floats(4, 2), floats(2))], floats(5, 3)), """
        def nested(params, x):
            (w1, b1), (w2, b2) = params
            return np.tanh(x @ w1 + b1) @ w2 + b2
     """),
    (of_dicts, ({"layers": [LAYER], "head": floats(3, 2)}, floats(5, 3)), """
        def of_dicts(params, x):
            layer = params["layers"][0]  # the only one
            w, b = layer["w"], layer["b"]

            # the head
            head = params["head"]
            return (x @ w + b) @ head
     """),
    (state, ((floats(3), floats(3), 2), floats(3)), """
        def state(state, g):
            m, v, t = state
            t = t + 1
            m = 0.9 * m + 0.1 * g
            v = 0.99 * v + 0.01 * g**2
            return m, v, t
     """),
    (one_after_another, ([(floats(3, 4), floats(4)), (floats(4, 2), floats(2))], floats(5, 3)), """
        def one_after_another(params, x):
            w, b = params[0]
            x = np.tanh(x @ w + b)
            w, b = params[1]
            return x @ w + b
     """),
    (stepped, ([(floats(3), floats(2))] * 2, [(floats(3), floats(2))] * 2, 0.1), """
        def stepped(params, grads, lr):
            assert len(params) == len(grads), (len(params), len(grads))
            return [(w - lr * dw, b - lr * db) for (w, b), (dw, db) in zip(params, grads)]
     """),
    (last_apart, ([(floats(3, 4), floats(4)), (floats(4, 4), floats(4)), (floats(4, 2), floats(2))],
                  floats(5, 3)), """
        def last_apart(params, x):
            check_inputs(params)
            for w, b in params[:-1]:
                x = np.tanh(x @ w + b)
            w, b = params[-1]
            return x @ w + b
     """),
    (carried, ((floats(3), floats(3)),), """
        def carried(pair):
            a, b = pair
            for _ in range(3):
                a = a + b
            return a, b
     """),
]  # fmt: skip


@pytest.mark.parametrize(("program", "args", "expected"), TEXTS)
def test_items_are_called_as_the_user_calls_them(program: Any, args: Any, expected: str) -> None:
    made = tl.transpile(program, args, to="numpy")
    text = made.source.removeprefix("import numpy as np").split("def check_inputs")[0]
    assert text.strip() == textwrap.dedent(expected).strip()
    found = made(*args)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(program(*args)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_how_many_items_there_are_is_said_by_the_statement() -> None:
    made = tl.transpile(network, TEXTS[0][1], to="numpy")
    (params, x) = TEXTS[0][1]
    with pytest.raises(ValueError, match="unpack"):
        made([*params, params[0]], x)


def taken_before(params, x):
    y = x @ params[0]
    w = params[1]
    z = y @ w
    w = params[0]
    return z @ w + params[1]


def set_afterwards(params, x):
    w = params["w"]
    params["w"] = w * 2
    return x @ w + params["w"]


def seen_by_a_function(params, x):
    a, b = params

    def step(h, _):
        return h * a + b, None

    a = a + 1
    return jax.lax.scan(step, x, None, length=3)[0] + a


def exchanged(params, x):
    a, b = params
    a, b = b, a
    return a - 2 * b + x


def in_an_if(params, x):
    if x.sum() > 0:
        a, b = params
        return a * b
    a = params[0]
    return a + x


def the_names_of_a_loop(params, x):
    for w in params[:-1]:
        x = x * w
    y = [x * w for w in params]
    w = params[-2]
    return x + w, y[0]


def a_name_that_a_function_has(params, x):
    w = params[0]

    def double(w):
        return w * 2

    return double(x) + w * params[1]


def counted(params, x):
    a, b = params
    while b.sum() < 10:
        a, b = a + 1, b + a * a
    return a + x, b


def a_helper(params):
    w, b = params
    return w * 2 + b


def under_other_names(params, x):
    w, b = params
    y = a_helper((b, w))
    return y + w - x * b


HARD = [
    (taken_before, ([floats(3, 3), floats(3, 3)], floats(3, 3))),
    (set_afterwards, ({"w": floats(3, 3)}, floats(3, 3))),
    (seen_by_a_function, ((floats(3), floats(3)), floats(3))),
    (exchanged, ((floats(3), floats(3)), floats(3))),
    (in_an_if, ((floats(3), floats(3)), floats(3))),
    (in_an_if, ((floats(3), floats(3)), abs(floats(3)))),
    (the_names_of_a_loop, ([floats(3), floats(3), floats(3)], floats(3))),
    (a_name_that_a_function_has, ([floats(3), floats(3), floats(3)], floats(3))),
    (counted, ((abs(floats(3)), floats(3)), floats(3))),
    (under_other_names, ((floats(3), floats(3)), floats(3))),
]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("program", "args"), HARD)
def test_names_never_say_another_item(program: Any, args: Any, to: str) -> None:
    kinds = {"numpy": np.array, "jax": jnp.asarray, "torch": torch.tensor}
    own = jnp.asarray if program is seen_by_a_function else np.array
    try:
        made = tl.transpile(program, jax.tree.map(own, args), to=to)
    except tl.UnsupportedError as refusal:
        assert program is set_afterwards and to == "jax", refusal
        return
    found = made(*jax.tree.map(kinds[to], args))
    expected = program(*jax.tree.map(own, args))
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5, atol=1e-5)


def of_a_config(p, cfg):
    o = cfg["opt"]
    lr = o["lr"]
    q = p * o["b"]
    return q * lr, lr


def of_tuples(p, cfg):
    o = cfg[0]
    lr = o[0]
    d = p * o[1] * o[1]
    return p - lr * d, lr


def linear(x, p):
    w = p["lin"]
    b = w["b"]
    y = x @ w["w"] + w["w"].sum()
    return y + b + b


def of_a_layer(x, p):
    return linear(linear(x, p), p)


def one_in_another(p, cfg):
    a = cfg["a"]
    b = a["b"]
    c = b["c"]
    lr = c["lr"]
    q = p * c["m"]
    r = q * b["k"] + a["z"]
    return q * lr + lr, r


FOLLOWED = [
    (of_a_config, (floats(3), {"opt": {"lr": 0.1, "b": 0.5}})),
    (of_tuples, (floats(3), ((0.1, 0.5), 2))),
    (of_a_layer, (floats(3, 3), {"lin": {"w": floats(3, 3), "b": floats(3)}})),
    (one_in_another, (floats(3), {"a": {"z": 1.0, "b": {"k": 2.0, "c": {"lr": 0.1, "m": 3.0}}}})),
]


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize(("program", "args"), FOLLOWED)
def test_items_stand_before_what_is_taken_out_of_them(program: Any, args: Any, to: str) -> None:
    made = tl.transpile(program, args, to=to)
    named = [line.strip() for line in inspect.getsource(program).splitlines() if line.endswith('"]')]
    kept = [line for line in named if line in made.source]
    assert sorted(kept, key=made.source.index) == kept, made.source
    arrays = {"numpy": np.array, "jax": jnp.asarray, "torch": torch.tensor}
    found = made(*jax.tree.map(lambda v: arrays[to](v) if isinstance(v, np.ndarray) else v, args))
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(program(*args)), strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5, atol=1e-5)

"""Loops whose turns are traced one by one are printed as the loops of the user, and do what his do."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import copy
import random
import textwrap
from typing import Any

import numpy as np
import pytest
import torch
from agreeing import agrees, given
from rolled_at_random import arguments, program, written

import tracelate as tl
from tracelate.backends.arrays import compare

NO_DECAY = ("bias", "scale")


def floats(*shape):
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def adam(params, grads, m, v, lr=1e-3, decay=0.01):
    for name, p in params.items():
        g = grads[name]

        # moments
        m[name] *= 0.9
        m[name] += (1 - 0.9) * g
        v[name] *= 0.99
        v[name] += (1 - 0.99) * np.square(g)
        if decay and not name.endswith(NO_DECAY):
            p -= lr * decay * p  # decoupled
        p -= lr * m[name] / (np.sqrt(v[name]) + 1e-8)
    return params


def momentum(params, grads, velocity, lr=0.1):
    grads = [g.copy() for g in grads]  # the caller logs them
    for i, (p, g) in enumerate(zip(params, grads)):
        if p.ndim > 1:
            g += 0.01 * p
        velocity[i] = 0.9 * velocity[i] + g
        p -= lr * velocity[i]
    return tuple(params)


def decayed(params, grads, lr, decay):
    for p, g in zip(params, grads):
        if decay != 0:
            g = g + p * decay
        p -= lr * g
    return params


def norm(grads):
    total = 0.0
    for g in grads.values():
        total = total + float(np.sum(g**2))
    return total


def clipped(grads, scale):
    size = norm(grads)
    return {name: g * (scale / size) for name, g in grads.items()}


def averaged(params, others):
    out = []
    for i, (p, o) in enumerate(zip(params, others)):
        if i == 0:
            o = o * 2
        mean = (p + o) / 2
        out.append(mean - mean.max())
    return out


def of_some(params, grads, lr):
    for p, g in zip(params, grads):
        if g is None:
            continue  # frozen
        p.sub_(g * lr)
    return torch.stack([g.norm() for g in grads if g is not None])


DICTS = {"dense.weight": floats(3, 2), "dense.bias": floats(2), "norm.scale": floats(2)}
LISTS = [floats(3, 2), floats(2), floats(2, 2)]
TENSORS = [torch.tensor(each) for each in LISTS]
TEXTS = [
    (adam, (DICTS, DICTS, DICTS, {k: abs(v) for k, v in DICTS.items()}), """
        for name, p in params.items():
            g = grads[name]

            # moments
            m[name] *= 0.9
            m[name] += (1 - 0.9) * g
            v[name] *= 0.99
            v[name] += (1 - 0.99) * np.square(g)
            if decay and not name.endswith(NO_DECAY):
                p -= lr * decay * p  # decoupled
            p -= lr * m[name] / (np.sqrt(v[name]) + 1e-8)
        return params
    """),
    (momentum, (LISTS, LISTS, LISTS), """
        grads = [g.copy() for g in grads]  # the caller logs them
        for i, (p, g) in enumerate(zip(params, grads)):
            if p.ndim > 1:
                g += 0.01 * p
            total = 0.9 * velocity[i] + g
            velocity[i] = total
            p -= lr * total
        return tuple(params)
    """),
    (decayed, (LISTS, LISTS, 0.1, 0.01), """
        for p, g in zip(params, grads):
            if decay != 0:
                g = g + p * decay
            p -= lr * g
        return params
    """),
    (clipped, (DICTS, 2.0), """
        return {name: g * (scale / size) for name, g in grads.items()}
    """),
    (norm, (DICTS,), """
        total = 0.0
        for g in grads.values():
            total = total + float(np.sum(g**2))
        return total
    """),
    (averaged, (LISTS, LISTS), """
        out = []
        for i, (p, o) in enumerate(zip(params, others)):
            if i == 0:
                o = o * 2
            mean = (p + o) / 2
            out.append(mean - mean.max())
        return out
    """),
    (of_some, (TENSORS, [TENSORS[0], None, TENSORS[2]], 0.5), """
        for p, g in zip(params, grads):
            if g is None:
                continue  # frozen
            p -= g * lr
        return np.stack([np.linalg.norm(g) for g in grads if g is not None])
    """),
]  # fmt: skip


@pytest.mark.parametrize(("fn", "args", "text"), TEXTS, ids=lambda v: getattr(v, "__name__", ""))
def test_what_is_printed(fn: Any, args: Any, text: str) -> None:
    source = "torch" if fn is of_some else "numpy"
    out = tl.transpile(fn, given(args, source), to="numpy")
    assert textwrap.indent(textwrap.dedent(text).strip(), "    ") in out.source, out.source
    mine, theirs = given(args, source), given(args, "numpy")
    assert not [*compare(fn(*mine), out(*theirs))]
    assert not [*compare(mine, theirs)]


@pytest.mark.parametrize(("fn", "args", "text"), TEXTS, ids=lambda v: getattr(v, "__name__", ""))
def test_the_text_is_its_own_source(fn: Any, args: Any, text: str) -> None:
    """What is printed is traced to what it was printed of."""
    source = "torch" if fn is of_some else "numpy"
    out = tl.transpile(fn, given(args, source), to="numpy")
    again = tl.transpile(out, given(args, "numpy"), to="numpy")
    assert again.source.split("def check")[0] == out.source.split("def check")[0]


def test_other_containers_are_not_taken_for_the_argument() -> None:
    def listed(params):
        return [params["a"], params["b"]], params

    def spelled(params):
        return params, {"a": params["a"], "b": params["b"]}

    args = ({"a": floats(2), "b": floats(3)},)
    assert "return [params['a'], params['b']], params".replace("'", '"') in source_of(listed, args)
    assert '{"a": params["a"], "b": params["b"]}' in source_of(spelled, args)


def source_of(fn: Any, args: Any) -> str:
    return str(tl.transpile(fn, args, to="numpy").source)


RANKS = [(2, 1), (1, 1), (2, 2, 1), (1, 2, 1), (2,), (1, 1, 1), (2, 2)]


@pytest.mark.parametrize("seed", range(360))
def test_random_loops(seed: int) -> None:
    rng = random.Random(seed)
    text, dicts = written(rng)
    fn, ranks = program(text), rng.choice(RANKS)
    example = [*arguments(ranks, dicts), 0.5]
    try:
        fn(*copy.deepcopy(example))
    except Exception as error:
        pytest.skip(f"the program itself raises {error!r}")
    for to in ("numpy", ("torch", "jax")[seed % 2]):
        try:
            out = tl.transpile(fn, given(example, "numpy"), to=to)
        except tl.UnsupportedError:
            continue
        agrees(fn, out, to, example, is_example=True)
        for others in (*RANKS, (1, 1, 1, 1)):
            for lr in (0.5, 0.0):
                agrees(fn, out, to, [*arguments(others, dicts, 1), lr], is_example=False)


def test_loops_are_written_out_for_who_asks_for_it() -> None:
    text = tl.symbolic_trace(averaged, (LISTS, LISTS), unroll=True).source("numpy")
    assert "for " not in text.split("def check")[0]
    assert "for i, (p, o)" in tl.symbolic_trace(averaged, (LISTS, LISTS), unroll=2).source("numpy")

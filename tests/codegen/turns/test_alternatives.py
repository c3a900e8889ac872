"""What a function binds on one way alone has its name on both, where calls differ by what they know."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import ast

import jax
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays
from tracelate.codegen.statements.turns.alternatives import named

W = torch.tensor([0.5, 1.0, -2.0])


def either(x, p, k):
    h = torch.tanh(x * p["w"]) * k
    if "s" in p:
        skip = x * p["s"]
    else:
        skip = x
    return skip + h


def first(x, p, k):
    h = torch.tanh(x * p["w"]) * k
    skip = x
    if "s" in p:
        skip = skip * p["s"]
    return skip + h


def twice(x, p, k):
    h = torch.tanh(x * p["w"]) * k
    skip = x
    if "s" in p:
        skip = x * p["s"]
    return skip + h, skip * 2


def computed(x, p, k):
    h = torch.tanh(x * p["w"]) * k
    skip = x * p["s"] if "s" in p else x * 3
    return skip + h


def changed(x, p, k):
    skip = x
    if "s" in p:
        skip = x * p["s"]
    x = torch.tanh(x * p["w"]) * k
    return skip + x


def put_between(x, p, k):
    if "s" in p:
        skip = x * p["s"]
    else:
        skip = p["w"]
    p["w"] = x * 3 * k
    return skip + p["w"], p


PARTS = [either, first, twice, computed, changed, put_between]


def program(part):
    def both(x, ps):
        found = part(x, ps[0], 1), part(x * 2, ps[1], 2)
        return found

    return both


CHANGED = ['p["k"] = x * 3', "p.update(k=x * 3)", "write(p)", "q = p", 'del p["s"]', 'p = {"k": x}']


@pytest.mark.parametrize("between", [*CHANGED, "x = x"])
def test_it_is_not_taken_out_of_what_is_changed_between(between):
    """`q = p` may be followed by a write into `q`."""
    use = '(skip if "s" in p else p["k"]) + 1'
    body = ast.parse(f'if "s" in p:\n    skip = x * p["s"]\n{between}\nz = {use}').body
    assert (ast.unparse(named(body)[-1]) == "z = skip + 1") == (between == "x = x")


@pytest.mark.parametrize("part", [either, first, twice])
def test_the_name_stands_on_both_ways(part):
    text = tl.symbolic_trace(program(part), (W, [{"w": W}, {"w": W, "s": W}])).source("torch")
    assert 'skip = x * p["s"]\n    else:\n        skip = x\n' in text and "skip if" not in text, text


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("part", PARTS)
def test_every_call_gives_what_it_gave(part, to):
    args = (W, [{"w": W}, {"w": W, "s": W * 2}])
    out = tl.transpile(program(part), args, to=to)
    found, wanted = out(*map_arrays(args, lambda a: convert(a, to))), program(part)(*args)
    for mine, theirs in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_allclose(np.asarray(mine), theirs.numpy(), rtol=1e-6)

"""What a function binds on one way alone has its name on both, where calls differ by what they know."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays

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


PARTS = [either, first, twice, computed, changed]


def program(part):
    def both(x, ps):
        found = part(x, ps[0], 1), part(x * 2, ps[1], 2)
        return found

    return both


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
    flat = lambda value: [leaf for v in value for leaf in (v if isinstance(v, tuple) else (v,))]  # noqa: E731
    for mine, theirs in zip(flat(found), flat(wanted), strict=True):
        np.testing.assert_allclose(np.asarray(mine), theirs.numpy(), rtol=1e-6)

"""A program that switches gradients off for all that it computes is one that does in torch."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import torch

import tracelate as tl

SAID = "@torch.no_grad()\ndef "
P, G = [torch.ones(3), torch.ones(2)], [torch.ones(3) * 2, torch.ones(2)]


@torch.no_grad()
def decorated(params, grads, lr=0.1):
    """A step."""
    for p, g in zip(params, grads):
        p -= lr * g
    return params


def in_a_with(params, grads, lr=0.1):
    """A step."""
    step = -lr
    with torch.no_grad():
        for p, g in zip(params, grads):
            p += step * g
    return params


def in_part(p, x):
    y = p * x
    with torch.no_grad():
        z = y * 2
    return y + z


def in_a_loop(p, x):
    for _ in range(3):
        with torch.no_grad():
            p = p * x
    return p


@torch.no_grad()
def on_again(p, x):
    with torch.enable_grad():
        y = p * x
    return y * 2


def test_optimisers_stay_what_they_are() -> None:
    for program in (decorated, in_a_with):
        out = tl.transpile(program, (P, G), to="torch")
        assert SAID + program.__name__ in out.source
        mine = [p.clone().requires_grad_() for p in P]
        theirs = [p.clone().requires_grad_() for p in P]
        program(mine, G)
        out(theirs, G)
        assert all(torch.equal(a, b) for a, b in zip(mine, theirs))
        assert SAID in tl.symbolic_trace(out, (P, G)).source("torch")


def test_others_know_no_gradients() -> None:
    assert "no_grad" not in tl.transpile(decorated, (P, G), to="numpy").source
    assert "no_grad" not in tl.transpile(decorated, (P, G), to="jax").source


def test_what_has_gradients_somewhere_is_not_said_to_have_none() -> None:
    for program in (in_part, in_a_loop, on_again):
        assert "no_grad" not in tl.transpile(program, (torch.ones(3), torch.ones(3)), to="torch").source


def test_gradients_that_are_off_around_a_trace_are_nobodys() -> None:
    with torch.no_grad():
        text = tl.transpile(in_part, (torch.ones(3), torch.ones(3)), to="torch").source
    assert "no_grad" not in text

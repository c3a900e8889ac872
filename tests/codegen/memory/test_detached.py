"""Writes through `x.data` and `x.detach()`, as optimisers have them: in place there, in every loop, and where
no gradient sees them.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import textwrap
from typing import Any

import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert, map_arrays


def sgd(params, grads, lr, decay):
    for p, g in zip(params, grads):
        if decay:
            g = g.add(p.data, alpha=decay)
        p.data.add_(g, alpha=-lr)
    return params


def averaged(ema, model, decay):
    for e, w in zip(ema, model):
        e.data.mul_(decay).add_(w.data, alpha=1 - decay)
    return ema


def clipped(grads, coef):
    for g in grads:
        g.detach().mul_(coef)
    return grads


def stepped(p, g, lr):
    p.data -= lr * g
    p.data[0] = 3
    p.data.clamp_(-1, 1)
    return p


def by_many_methods(p, g, h):
    p.data.addcmul_(g, g + 1, value=0.5)
    p.data.lerp_(g, 0.25)
    p.data.sub_(g, alpha=0.1)
    p.data.div_(3).pow_(2)
    p.detach().masked_fill_(g > 1, 0.5)
    p.data.copy_(g * p)
    p.data.neg_()
    return p * h


def read_again(p, c):
    d = p.detach()
    d.mul_(c)
    d[0] = 1
    return d + p


def params(count: int) -> list[torch.Tensor]:
    return [torch.arange(2.0 + n).reshape(1, -1) - n for n in range(count)]


PROGRAMS: list[tuple[Any, Any, dict[str, str]]] = [
    (sgd, lambda n: (params(n), params(n), 0.1, 0.01), {
        "torch": """
            for p, g in zip(params, grads):
                if decay:
                    g = g.add(p.detach(), alpha=decay)
                p.detach().add_(g, alpha=-lr)
        """,
        "numpy": """
            for p, g in zip(params, grads):
                if decay:
                    g = g + p * decay
                p += g * -lr
        """,
    }),
    (averaged, lambda n: (params(n), params(n), 0.9), {
        "torch": """
            for e, w in zip(ema, model):
                e.detach().mul_(decay)
                e.detach().add_(w.detach(), alpha=1 - decay)
        """,
        "numpy": """
            for e, w in zip(ema, model):
                e *= decay
                e += w * (1 - decay)
        """,
    }),
    (clipped, lambda n: (params(n), 0.5), {
        "torch": """
            for g in grads:
                g.detach().mul_(coef)
        """,
        "numpy": """
            for g in grads:
                g *= coef
        """,
    }),
    (stepped, lambda n: (params(n)[0], params(n)[1][:, :2], 0.5), {
        "torch": """
            p.detach().sub_(lr * g)
            p.detach()[0] = 3
            p.detach().clamp_(min=-1, max=1)
        """,
        "numpy": """
            p -= lr * g
            p[0] = 3
            p[...] = np.clip(p, -1, 1)
        """,
    }),
    (by_many_methods, lambda n: (params(n)[0], params(n)[1][:, :2], 0.5), {}),
    (read_again, lambda n: (params(n)[0], 2.0), {}),
]  # fmt: skip


def given(args: Any, to: str) -> Any:
    return map_arrays(args, lambda array: convert(array.clone(), to))


@pytest.mark.parametrize("to", ["torch", "numpy", "jax"])
@pytest.mark.parametrize("count", [2, 9, 12])
@pytest.mark.parametrize(("program", "make", "texts"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_what_is_written_through_a_detached_view(program, make, texts, count, to) -> None:
    try:
        out = tl.transpile(program, make(count), to=to)
    except tl.UnsupportedError as error:
        assert to == "jax" and "not returned" in str(error)
        return
    for args in (make(count), [*make(count)[:-1], 0.0]):
        mine, theirs = given(args, "torch"), given(args, to)
        assert not [*compare(program(*mine), out(*theirs), narrowed=to == "jax")], out.source
        assert to == "jax" or not [*compare(mine, theirs)], out.source
    if to in texts:
        assert textwrap.indent(textwrap.dedent(texts[to]).strip(), "    ") in out.source, out.source


def test_no_gradient_sees_it() -> None:
    out = tl.transpile(read_again, (params(1)[0], 2.0), to="torch")
    found = []
    for fn in (read_again, out):
        leaf = params(1)[0].requires_grad_()
        fn(leaf, 2.0).sum().backward()
        found.append(leaf.grad)
    assert torch.equal(*found), out.source


def test_an_attribute_that_is_another_array_is_refused() -> None:
    def program(p, g):
        p.data = g
        return p

    with pytest.raises(tl.TraceError, match="setting an attribute of a tensor"):
        tl.transpile(program, (params(1)[0], params(1)[0]), to="numpy")

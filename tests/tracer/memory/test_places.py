"""What programs of torch ask of a tensor's place, functions that write into what they are given, powers; and
calls that torch takes and the dictionary does not.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

import operator

import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert


def placed(x):
    device = x.device
    steps = torch.arange(x.shape[1], device=device)
    scale = torch.tensor([1.0, 2.0, 3.0], device=x.device) if not x.is_cuda else torch.ones(3).cuda()
    return (x + steps).to(x.device) * scale + torch.zeros(x.shape, device=device, layout=x.layout)


def powers(x, k=2):
    return pow(x, 2) + pow(k, 3) + pow(2, x) + pow(3, 2, 5)


def in_library_code(x):
    return operator.pow(x, 2) + operator.pow(2, x) + x.__pow__(3) + x.__rsub__(1)


def rates(x, step=3, decay=0.5):
    return x / 10000 ** (2 * step / 8) * 0.9**step / 10.0**decay


def in_place(x):
    h = x @ x.T
    torch.nn.functional.relu(h, inplace=True)
    h = torch.nn.functional.leaky_relu(h - 1, 0.2, inplace=True)
    y = torch.nn.functional.silu(h[0], inplace=True)
    return h, y


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [placed, powers, in_library_code, rates, in_place])
def test_places_and_powers(fn, to: str) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    out = tl.transpile(fn, (x,), to=to)
    for given in (x, x[:1] + 1, torch.cat([x, x])):
        assert not list(compare(fn(given), out(convert(given.numpy(), to)))), out.source


def test_what_torch_takes_fits() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    with pytest.raises(tl.UnsupportedError, match="for arrays of other shapes only"):
        tl.transpile(lambda x: torch.searchsorted(x, x), (x,), to="jax")


def test_powers_of_pythons() -> None:
    for source in ("numpy", "jax"):
        x = convert(np.arange(3, dtype=np.float32), source)
        out = tl.transpile(powers, (x,), source=source, to="torch")
        assert not list(compare(powers(x), out(torch.arange(3.0))))


def test_what_is_given_is_written() -> None:
    def activated(x):
        torch.nn.functional.relu(x, inplace=True)
        return x

    for to in ("numpy", "torch"):
        x = torch.tensor([-1.0, 2.0])
        out = tl.transpile(activated, (x.clone(),), to=to)
        given = convert(x.numpy().copy(), to)
        assert out(given) is given and given.tolist() == [0.0, 2.0]


@pytest.mark.parametrize("step", [1, 7])
def test_exponents_are_no_constants(step: int) -> None:
    x = torch.ones(3)
    out = tl.transpile(rates, (x, 3, 0.5), to="numpy")
    assert not list(compare(rates(x, step, 0.25), out(x.numpy(), step, 0.25)))


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.usefixtures("wide")
def test_sizes_that_broadcast_are_one_in_a_loop(to: str) -> None:
    def values(transitions):
        v = np.zeros(transitions.shape[0])
        while True:
            new = 0.5 * transitions.max(0) + 0.5 * v
            if np.abs(new - v).max() < 1e-6:
                break
            v = new
        return v

    p = np.arange(9.0).reshape(3, 3)
    out = tl.transpile(values, (p,), to=to, x64=True)
    assert not list(compare(values(p), out(convert(p, to)), kind="linalg"))
    if to == "jax":
        with pytest.raises(TypeError):
            out(convert(p[:1], to))
    else:
        assert not list(compare(values(p[:1]), out(convert(p[:1], to)), kind="linalg"))


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: torch.full((3,), 3000000000) + x,
        lambda x: torch.tensor([1, 2, 2654435761]) * x,
        lambda x: torch.tensor(3000000000) + x,
        lambda x: torch.arange(3000000000, 3000000003) + x,
    ],
)
def test_ints_that_jax_does_not_hold(fn) -> None:
    x = torch.ones(3, dtype=torch.int64)
    with pytest.raises(tl.UnsupportedError, match="beyond the ints of 32 bits"):
        tl.transpile(fn, (x,), to="jax")
    assert not list(compare(fn(x), tl.transpile(fn, (x,), to="numpy")(x.numpy())))

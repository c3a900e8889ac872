"""What programs of torch ask of a tensor's place, and calls that torch takes and the dictionary does not."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"
from __future__ import annotations

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


@pytest.mark.parametrize("to", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("fn", [placed, powers])
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

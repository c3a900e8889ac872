"""Programs that join three arrays and more, given others of other dtypes than the example's."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import itertools
import random
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import compare, convert

NAMES = ("float64", "float32", "float16", "int64", "int32", "int8", "uint8", "bool", "complex64")


def roots(x, y, z):
    return np.sqrt(np.stack([x, y, z]))


def averaged(x, y, z):
    return np.stack([x, y, z]).mean(axis=0), np.cumsum(np.concatenate([x, y, z]))


def contracted(x, y, z):
    return np.einsum("i,i,i->", x, y, z) / 2


def four(x, y, z):
    return np.sqrt(np.stack([x, y, z, y * 2])), np.concatenate([x, y, z, z]).sum()


def limited(x, y, z):
    return np.clip(x, y, z) / 2


def jax_roots(x, y, z):
    return jnp.sqrt(jnp.stack([x, y, z]))


def jax_joined(x, y, z):
    return jnp.concatenate([x, y, z]) / 2


def torch_halves(x, y, z):
    return torch.stack([x, y, z]) / 2


def torch_sums(x, y, z):
    return torch.cat([x, y, z]).cumsum(0), torch.stack([x, y, z]).sum()


CASES = {
    "numpy": (roots, averaged, contracted, four, limited),
    "jax": (jax_roots, jax_joined),
    "torch": (torch_halves, torch_sums),
}
RUNS = [
    (source, to, fn, name)
    for source, fns in CASES.items()
    for fn, to in itertools.product(fns, sorted({"numpy", "torch", "jax"} - {source}))
    for name in ("float64", "int64")
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(("source", "to", "fn", "name"), RUNS)
def test_dtypes_of_three_arrays_agree_or_are_refused(source: str, to: str, fn: Any, name: str) -> None:
    def of(names: Any, framework: str) -> Any:
        return [convert(np.arange(1, 4).astype(n) % 3, framework) for n in names]

    try:
        x64 = True if to == "jax" else None
        out = tl.transpile(fn, of([name] * 3, source), to=to, source=source, x64=x64)
    except tl.UnsupportedError:
        return
    alike = [(each,) * 3 for each in NAMES]
    several = random.Random(0).sample([*itertools.product(NAMES, repeat=3)], 40)
    for names in [(name,) * 3, *alike, *several]:
        try:
            wanted = fn(*of(names, source))
        except Exception:  # nothing is promised
            continue
        try:
            found = out(*of(names, to))
        except (AssertionError, RuntimeError):  # a check, or torch takes no such arrays together
            assert names != (name,) * 3
            continue
        wrong = list(compare(wanted, found, kind="reduction"))
        assert not wrong, f"{names}: {wrong[0]}\n{out.source}"

"""The forms of control flow that can be asked for: JAX without regions, and torch for torch.export."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import pytest
import torch
from flow_programs import PROGRAMS as FLOWS
from ways import agree, attempt, source_of
from write_programs import PROGRAMS as WRITES

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays

PROGRAMS = FLOWS + WRITES
NAMES = [fn.__name__ for fn, _ in PROGRAMS]


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def traced(fn: Any, inputs: list[tuple[Any, ...]]) -> tl.api.Traced:
    source = source_of(inputs[0])
    return tl.symbolic_trace(fn, map_arrays(inputs[0], lambda a: convert(a, source)), source=source)


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=NAMES)
def test_jax_in_plain_python_agrees_on_every_way(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    if fn.__name__ in ("into_arg", "t_arg"):
        with pytest.raises(tl.UnsupportedError, match="not returned"):
            traced(fn, inputs).to("jax", x64=True, control="python")
        return
    out = traced(fn, inputs).to("jax", x64=True, control="python")
    assert "jax.lax" not in out.source and "jax.jit" not in out.source
    for args in inputs:
        expected = attempt(fn, args, source_of(args), arguments=False)
        found = attempt(out, args, "jax", arguments=False)
        assert agree(expected, found), f"{args}: {expected}, not {found}"


def root(a: torch.Tensor, tolerance: float = 1e-6) -> torch.Tensor:
    x = a
    while torch.max(torch.abs(x * x - a)) > tolerance:
        x = 0.5 * (x + a / x)
    return x


PYTHON = """\
import jax.numpy as jnp


def root(a, tolerance=1e-06):
    x = a
    while jnp.max(jnp.abs(x * x - a)) > tolerance:
        x = 0.5 * (x + a / x)
    return x
"""


def test_jax_in_plain_python_reads_so() -> None:
    assert tl.symbolic_trace(root, torch.ones(3)).source("jax", control="python") == PYTHON
    out = tl.transpile(root, torch.ones(3), to="jax", control="python", verify=True)
    assert out.source == PYTHON and not hasattr(out, "lower")  # it is not jitted
    assert tl.check(root, torch.tensor([4.0, 2.0]), to="jax", control="python")


@pytest.mark.parametrize(
    ("to", "control", "known"),
    [("numpy", "export", "'python'"), ("jax", "export", "'lax' or 'python'"), ("torch", "lax", "'export'")],
)
def test_a_form_that_the_target_does_not_have(to: str, control: str, known: str) -> None:
    with pytest.raises(ValueError, match=f"control={control!r} makes no sense for {to}: .*{known}"):
        tl.transpile(root, torch.ones(3), to=to, control=control)

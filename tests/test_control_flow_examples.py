"""The programs of examples/ that loop, branch and write: their translations agree on every way, also on
arguments that they were not traced with, and read as in tests/golden.
"""

from __future__ import annotations

import copy
import importlib.util
import pathlib
import subprocess
import sys
import types
from collections.abc import Callable
from typing import Any

import black
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.values.tree import leaves

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
TARGETS = ("numpy", "jax", "torch")
PROGRAMS = {
    "iteration": ("kepler", "k_means", "logistic_regression", "mandelbrot"),
    "sequences": ("kalman_filter", "lstm", "beam_search"),
    "simulation": ("orbit", "cocktail_sort", "life", "plate"),
}
NAMES = [(module, name) for module, names in PROGRAMS.items() for name in names]

#: What is written for float64, so that JAX needs 64 bits for it.
WIDE = ("kepler", "k_means", "mandelbrot", "orbit", "cocktail_sort")


def loaded(name: str) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(module: str, name: str) -> tuple[Callable[..., Any], list[tuple[Any, ...]]]:
    """A program and its arguments."""
    (found,) = ((f, given) for f, given in loaded(module).inputs().items() if f.__name__ == name)
    return found


def framework_of(args: tuple[Any, ...]) -> str:
    kinds = {torch.Tensor: "torch", jax.Array: "jax"}
    return next(
        (text for leaf in leaves(args) for kind, text in kinds.items() if isinstance(leaf, kind)), "numpy"
    )


def fresh(args: tuple[Any, ...], framework: str) -> tuple[Any, ...]:
    """The arguments as arrays of a framework, which nobody else holds."""
    made: tuple[Any, ...] = copy.deepcopy(map_arrays(args, lambda a: convert(a, framework)))
    return made


def arrays(value: Any) -> list[np.ndarray]:
    return [np.asarray(to_numpy(leaf)) for leaf in leaves(value)]


def traced(fn: Callable[..., Any], inputs: list[tuple[Any, ...]]) -> tl.Traced:
    return tl.symbolic_trace(fn, fresh(inputs[0], framework_of(inputs[0])))


@pytest.mark.parametrize("module", PROGRAMS)
def test_a_program_runs_by_itself(module: str) -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{module}.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(("module", "name"), NAMES, ids=[name for _, name in NAMES])
def test_every_way_agrees(module: str, name: str, to: str) -> None:
    fn, inputs = program(module, name)
    wide = name in WIDE
    with jax.enable_x64(wide):
        out = traced(fn, inputs).to(to, x64=True if wide and to == "jax" else None)
        for args in inputs:
            mine, theirs = fresh(args, framework_of(args)), fresh(args, to)
            expected, found = arrays(fn(*mine)), arrays(out(*theirs))
            if to != "jax":  # what is written into an argument, its caller sees
                expected, found = expected + arrays(mine), found + arrays(theirs)
            assert len(expected) == len(found)
            for a, b in zip(expected, found):
                assert a.shape == b.shape and a.dtype.kind == b.dtype.kind
                np.testing.assert_allclose(a, b, rtol=1e-8 if wide else 2e-4, atol=1e-12 if wide else 1e-5)


@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize(("module", "name"), NAMES, ids=[name for _, name in NAMES])
def test_the_text(module: str, name: str, to: str, golden: Callable[[str, str], None]) -> None:
    fn, inputs = program(module, name)
    wide = name in WIDE
    with jax.enable_x64(wide):
        text = traced(fn, inputs).source(to, x64=True if wide and to == "jax" else None)
    assert black.format_str(text, mode=black.Mode()) == text
    golden(f"{name}_{to}.py.txt", text)


def test_compiled_text_can_be_mapped() -> None:
    fn, inputs = program("simulation", "plate")
    out = traced(fn, inputs).to("jax")
    hot, held = inputs[0]
    plates = jnp.stack([hot, 2 * hot, hot.at[0].set(jnp.nan)])
    together, rounds = jax.vmap(lambda plate: out(plate, held))(plates)
    for i, plate in enumerate(plates):
        alone, count = fn(plate, held)
        np.testing.assert_allclose(together[i], alone, rtol=1e-5)
        assert rounds[i] == count


@pytest.mark.parametrize("name", ["lstm", "kalman_filter"])
def test_a_scan_can_be_differentiated(name: str) -> None:
    """As torch differentiates the same sum; of the Kalman filter, as differences of its likelihood say."""
    fn, inputs = program("sequences", name)
    out = traced(fn, inputs).to("jax")
    if name == "lstm":
        sequence, lengths, weights, bias = inputs[0]
        wanted = weights.clone().requires_grad_()
        fn(sequence, lengths, wanted, bias)[1].sum().backward()
        given = fresh((sequence, lengths, weights, bias), "jax")
        slope = jax.grad(lambda w: out(given[0], given[1], w, given[3])[1].sum())(given[2])
        np.testing.assert_allclose(slope, wanted.grad, rtol=1e-4, atol=1e-6)
        return
    observations, model, belief = inputs[0]

    def likelihood(noise: Any) -> Any:
        return out(observations, {**model, "sensor noise": noise * model["sensor noise"]}, belief)[2]

    slope = jax.grad(likelihood)(1.0)
    np.testing.assert_allclose(slope, (likelihood(1.05) - likelihood(0.95)) / 0.1, rtol=1e-2)

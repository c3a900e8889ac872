"""Random programs of views, writes, helpers and containers: what is accepted means what it says."""

from __future__ import annotations

import importlib.util
import itertools
import pathlib
import sys
import warnings
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from random_memory import programs, updates
from random_views import viewing

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays
from tracelate.backends.backend import target_of
from tracelate.checking import real
from tracelate.ir.errors import GraphError
from tracelate.varying.running import Runner

pytestmark = pytest.mark.usefixtures("wide")

numbers = itertools.count()
X = np.array([1.0, 2.0, -3.0, 0.5])
Y = np.array([0.25, -1.0, 4.0, 1.5])
M = np.arange(16.0).reshape(4, 4) / 4 - 1
LONG = np.array([1.0, -2.0, 0.5, 3.0, 0.25])


def inputs(framework: str) -> list[tuple[Any, ...]]:
    """Arguments that are apart, that are one array, and that overlap."""
    x, y, m, long = (convert(a, framework) for a in (X, Y, M, LONG))
    return [(x, y, m), (-y, x, m), (x, x, m), (m[0], m[1], m), (long[1:], long[:-1], m)]


def loaded(text: str, folder: pathlib.Path) -> Any:
    """The program, from a file of its own."""
    name = f"random_memory_{next(numbers)}"
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module.f


def judge(text: str, framework: str, targets: tuple[str, ...], folder: pathlib.Path) -> None:
    """Translate for each target, and compare results and arguments on all inputs.

    Raises:
        AssertionError: where a translation is wrong, or fails with an error that is none of ours.
    """
    fn = loaded(text, folder)
    args = inputs(framework)
    try:
        fn(*map_arrays(args[0], lambda a: convert(a, framework)))
    except Exception:
        return  # torch forbids some writes
    for to in targets:
        wide = True if to == "jax" else None
        try:
            traced = tl.symbolic_trace(fn, args[0], source=framework)
            out = traced.to(to, x64=wide)
        except (GraphError, tl.InternalError):
            raise
        except tl.TraceError:
            continue
        runner = Runner(traced, out, real(fn, args[0], {}), target_of(to, wide))
        for given_ in args:
            outcome = runner.outcome(dict(zip("xym", given_)))
            told = "\n".join(map(str, outcome.differences))
            assert outcome.kind != "differs", f"to {to} of {given_}: {told}\n{text}\n{out.source}"


def many(
    framework: str,
    targets: tuple[str, ...],
    examples: int,
    folder: pathlib.Path,
    made: Any = programs,
    *,
    shrink: bool = True,
) -> None:
    phases = [phase for phase in Phase if shrink or phase is not Phase.shrink]
    numbers = itertools.count(1)

    @given(text=made(framework))
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=phases,
    )
    def every(text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            judge(text, framework, targets, folder)
        if next(numbers) % 100 == 0:
            jax.clear_caches()  # what was compiled for these no other calls

    every()


@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_random_programs_of_memory_agree(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("numpy", "torch"), 40, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_a_thousand_of_them(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("numpy", "torch"), 1000, tmp_path)


@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_random_programs_of_named_views_agree(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("numpy", "torch"), 40, tmp_path, viewing)


@pytest.mark.slow
@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_a_thousand_of_named_views(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("numpy", "torch"), 1000, tmp_path, viewing)


@pytest.mark.slow
@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_named_views_in_jax(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("jax",), 100, tmp_path, viewing)


@pytest.mark.parametrize("framework", ["jax", "torch"])
def test_random_programs_of_updates_agree(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("numpy", "torch"), 25, tmp_path, updates)


@pytest.mark.slow
@pytest.mark.parametrize("framework", ["jax", "torch"])
def test_a_thousand_programs_of_updates(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("numpy", "torch"), 1000, tmp_path, updates)


@pytest.mark.slow
@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_some_of_them_in_jax(framework: str, tmp_path: pathlib.Path) -> None:
    many(framework, ("jax",), 100, tmp_path)


@given(text=programs("numpy"))
@settings(max_examples=30, derandomize=True, deadline=None)
def test_a_program_is_python(text: str) -> None:
    compile(text, "program.py", "exec")


def test_strategies_are_for_both() -> None:
    assert isinstance(programs("torch"), st.SearchStrategy)

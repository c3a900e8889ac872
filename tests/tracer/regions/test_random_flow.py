"""Random programs with nested control flow and writes: what is accepted agrees on every input."""

from __future__ import annotations

import importlib.util
import itertools
import pathlib
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from corners import PROGRAMS
from hypothesis import given, settings
from hypothesis import strategies as st
from random_flow import Writer

import tracelate as tl
from tracelate.backends.arrays import convert, map_arrays, to_numpy
from tracelate.ir.errors import GraphError
from tracelate.ir.values.tree import leaves

pytestmark = pytest.mark.usefixtures("wide")

TARGETS = ("tape", "numpy", "torch", "jax")
numbers = itertools.count()


def drawn() -> list[tuple[Any, ...]]:
    """Arguments that take many ways; the last are of other sizes."""
    draw = np.random.default_rng(5)
    made: list[tuple[Any, ...]] = []
    for k, n in ((3, 2), (3, 2), (3, 3), (3, 0), (3, 1), (3, 2), (3, 4), (2, 2), (4, 3)):
        x, y, m = (draw.integers(-6, 7, shape) / 4 for shape in ((k,), (k,), (k, k)))
        made.append((x, y, m, n))
    made[1] = (np.abs(made[1][0]), np.abs(made[1][1]), np.abs(made[1][2]), 2)
    made[2] = (-np.abs(made[2][0]), -np.abs(made[2][1]), made[2][2], 3)
    return made


INPUTS = drawn()


def loaded(text: str, folder: pathlib.Path) -> Callable[..., Any]:
    """The program, from a file of its own."""
    name = f"random_flow_{next(numbers)}"
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    made: Callable[..., Any] = module.f
    return made


def outcome(fn: Any, args: tuple[Any, ...], framework: str, *, arguments: bool) -> Any:
    """What a call gives, and its arguments after it; or its error."""
    given = map_arrays(args, lambda a: convert(a, framework))
    try:
        found = fn(*given)
    except Exception as error:
        return error
    return [np.asarray(to_numpy(v)) for v in leaves((found, given if arguments else ()))]


def tame(values: Any) -> bool:
    return all(np.all(np.isfinite(v)) and np.all(np.abs(v) < 2.0**30) for v in values)


def same(one: Any, other: Any) -> bool:
    return len(one) == len(other) and all(
        a.shape == b.shape and np.array_equal(a, b) for a, b in zip(one, other)
    )


def is_guard(error: Exception) -> bool:
    return isinstance(error, AssertionError) or str(error).startswith("this was traced with")  # the tape's


class Fault(Exception):
    """What may not happen, and where: `kind` and `where` are its class, for who looks for the like."""

    def __init__(self, kind: str, where: str, detail: str) -> None:
        super().__init__(f"{kind} ({where}): {detail}")
        self.kind = kind
        self.where = where


def judge(
    text: str, framework: str, folder: pathlib.Path, targets: Any = TARGETS, inputs: Any = INPUTS
) -> dict[str, str]:
    """For each target "agrees", or why it was refused.

    Raises:
        Fault: where a translation is wrong, or fails on an input that the source takes.
    """
    return judged(loaded(text, folder), inputs, framework, targets)


def judged(fn: Any, inputs: Any, framework: str, targets: Any = TARGETS) -> dict[str, str]:
    every = []
    for args in inputs:
        expected = outcome(fn, args, framework, arguments=True)
        if not isinstance(expected, Exception) and tame(expected):
            every.append((args, expected))
    if not every:
        return {}
    example = map_arrays(every[0][0], lambda a: convert(a, framework))
    said: dict[str, str] = {}
    try:
        traced = tl.symbolic_trace(fn, example, source=framework)
    except tl.TraceError as error:
        if is_internal(error):
            raise Fault("an internal refusal while tracing", "trace", str(error)) from error
        return dict.fromkeys(targets, f"trace: {reason(error)}")
    except Exception as error:
        raise Fault(f"{type(error).__name__} while tracing", "trace", last(error)) from error
    for to in targets:
        try:
            out = traced if to == "tape" else traced.to(to, x64=True)
        except tl.TraceError as error:
            if is_internal(error):
                raise Fault("an internal refusal while translating", to, str(error)) from error
            said[to] = f"translation: {reason(error)}"
            continue
        except Exception as error:
            raise Fault(f"{type(error).__name__} while translating", to, last(error)) from error
        said[to] = "agrees"
        guarded = 0
        for args, expected in every:
            home = framework if to == "tape" else to
            found = outcome(out, args, home, arguments=to != "jax")
            wanted = expected if to != "jax" else expected[: len(expected) - len(args)]
            if isinstance(found, Exception):
                if is_guard(found):
                    guarded += 1
                    continue
                detail = f"{args}: {last(found)}\n{getattr(out, 'source', '')}"
                raise Fault(f"{type(found).__name__} when run", to, detail) from found
            if not same(wanted, found):
                detail = f"{args}:\n{wanted}\nnot\n{found}\n{getattr(out, 'source', traced)}"
                raise Fault("wrong", to, detail)
        if guarded == len(every):
            raise Fault("guards against its own example", to, getattr(out, "source", ""))
    return said


def is_internal(error: tl.TraceError) -> bool:
    """Whether a refusal is one that tells the user nothing."""
    return isinstance(error, (GraphError, tl.InternalError)) or " object at 0x" in str(error)


def reason(error: Exception) -> str:
    return str(error).split("\n")[0]


def last(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {str(error)[:300]} at {frame.filename}:{frame.lineno}"


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS, ids=[fn.__name__ for fn, _ in PROGRAMS])
def test_a_corner_agrees_or_is_refused(fn: Any, inputs: list[tuple[Any, ...]]) -> None:
    judged(fn, inputs, "numpy")


def agrees(text: str, framework: str, folder: pathlib.Path, *given: Any) -> None:
    try:
        judge(text, framework, folder, *given)
    except Fault as fault:
        raise AssertionError(f"{fault}\n{text}") from fault


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_a_random_program_agrees(framework: str, seed: int, tmp_path: pathlib.Path) -> None:
    agrees(Writer(seed, framework, small=True).program(), framework, tmp_path, TARGETS, INPUTS[:4])


@given(seed=st.integers(0, 2**32), framework=st.sampled_from(["numpy", "torch"]), small=st.booleans())
@settings(max_examples=40, derandomize=True, deadline=None)
def test_any_program_agrees_in_plain_python(
    tmp_path_factory: pytest.TempPathFactory, seed: int, framework: str, small: bool
) -> None:
    """For all targets that need not be compiled."""
    folder = tmp_path_factory.mktemp("programs")
    agrees(Writer(seed, framework, small).program(), framework, folder, ("tape", "numpy", "torch"))


@pytest.mark.covering
@pytest.mark.slow
@pytest.mark.parametrize("small", [True, False], ids=["small", "large"])
@pytest.mark.parametrize("seed", range(150))
@pytest.mark.parametrize("framework", ["numpy", "torch"])
def test_more_random_programs_agree(framework: str, seed: int, small: bool, tmp_path: pathlib.Path) -> None:
    """Of the cases those that have all pairs of values, see covering.py."""
    agrees(Writer(seed, framework, small).program(), framework, tmp_path)

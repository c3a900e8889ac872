"""What outlives the call, is no container and is changed by a program: modules and tensors of torch, what
Python obeys, what it runs by itself. It is refused with the line, and is as it was.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import functools
import gc
import logging
import os
import random
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import tracelate as tl

EXAMPLES = [np.array(row) for row in ([-1.0, 0.0, -2.0], [1.0, 2.0, 3.0], [0.0, 5.0, -1.0])]

# Modules and tensors of torch.


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)


NET = Net()
LINEAR = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Dropout(0.5))
TENSOR, GENERATOR = torch.tensor([1.0, 2.0, 3.0]), torch.Generator()


def momentum(x):
    NET.norm.momentum = 0.5
    return x


def tagged(x):
    TENSOR.tag = getattr(TENSOR, "tag", 0) + 1
    return x + TENSOR.tag


def hooked(x):
    LINEAR.register_forward_hook(print)
    return x


def both_ways(x):
    if x.sum() > 0:
        LINEAR.eval()
    else:
        LINEAR.train()
    return x * (2 if LINEAR.training else 3)


OF_TORCH: list[Callable[[Any], Any]] = [
    lambda x: (NET.eval(), x)[1], lambda x: (LINEAR.eval(), x)[1], momentum, tagged, hooked, both_ways,
    lambda x: (LINEAR.append(torch.nn.ReLU()), x)[1],
    lambda x: (LINEAR.register_buffer("zz", torch.zeros(2)), x)[1],
    lambda x: (LINEAR.register_buffer("zz", x), x)[1],
    lambda x: (GENERATOR.manual_seed(GENERATOR.initial_seed() + 1), x)[1],
    lambda x: (torch.manual_seed(0), x)[1],
]  # fmt: skip


def of_torch() -> Any:
    modules = [*NET.modules(), *LINEAR.modules()]
    hooks = [len(module._forward_hooks) for module in modules]
    buffers = [name for module in modules for name, _ in module.named_buffers()]
    flags = [module.training for module in modules]
    rest = [NET.norm.momentum, vars(TENSOR), GENERATOR.initial_seed(), torch.get_rng_state().tolist()]
    return [*map(id, modules), hooks, buffers, flags, *rest]


@pytest.mark.parametrize("fn", OF_TORCH)
def test_modules_and_tensors_from_outside(fn: Any) -> None:
    before = of_torch()
    for _ in range(2):
        with pytest.raises(tl.UnsupportedError) as error:
            tl.symbolic_trace(fn, (TENSOR.clone(),))
        assert "test_cores_outside.py" in str(error.value)
        assert of_torch() == before


def test_a_module_that_the_call_makes() -> None:
    def program(x):
        module = torch.nn.Dropout(0.5)
        if x.sum() > 0:
            module.eval()
        return x * (2.0 if module.training else 3.0)

    out = tl.transpile(program, (TENSOR,), to="torch")
    for x in (TENSOR, -TENSOR):
        assert torch.equal(out(x), program(x))


# What Python obeys.

LOGGER = logging.getLogger("tests.cores")


def silent(x):
    LOGGER.propagate = False
    return x


def environment(x):
    os.environ["TRACELATE_TEST"] = "1"
    return x


def told(x):
    warnings.filterwarnings("ignore", "nothing")
    return x + len(warnings.filters)


SETTINGS: list[Callable[[Any], Any]] = [
    lambda x: (sys.setrecursionlimit(sys.getrecursionlimit() + 1), x + sys.getrecursionlimit())[1],
    lambda x: (sys.setswitchinterval(0.01), x)[1],
    lambda x: (gc.disable(), x)[1], lambda x: (gc.set_threshold(100), x)[1],
    lambda x: (os.chdir("/"), x + len(os.getcwd()))[1],
    lambda x: (logging.disable(10), x)[1], lambda x: (LOGGER.setLevel(LOGGER.level + 1), x + LOGGER.level)[1],
    lambda x: (LOGGER.addHandler(logging.NullHandler()), x)[1], lambda x: (LOGGER.addFilter(print), x)[1],
    silent, environment, told,
    lambda x: (random.seed(0), x)[1],
]  # fmt: skip


def settings() -> Any:
    logger = [LOGGER.level, LOGGER.propagate, [*LOGGER.handlers], [*LOGGER.filters]]
    python = [sys.getrecursionlimit(), sys.getswitchinterval(), gc.isenabled(), gc.get_threshold()]
    rest = [logging.root.manager.disable, os.getcwd(), dict(os.environ), [*warnings.filters]]
    return [*logger, *python, *rest, random.getstate()]


@pytest.mark.parametrize("fn", SETTINGS)
def test_settings_of_python_are_put_back(fn: Any) -> None:
    before = settings()
    with pytest.raises(tl.UnsupportedError, match="outlives the call") as error:
        tl.symbolic_trace(fn, (EXAMPLES[0],), source="numpy")
    assert "test_cores_outside.py" in str(error.value) and "^" in str(error.value)
    assert settings() == before


# What Python runs by itself.


def popping():
    items = [1.0, 2.0, 3.0, 4.0]
    while items:
        yield items.pop()


class Taking:
    def __init__(self) -> None:
        self.items = popping()
        next(self.items)

    def __contains__(self, item: Any) -> bool:
        return bool(next(self.items) == item)

    def __bool__(self) -> bool:
        return next(self.items) == 3.0

    def __float__(self) -> float:
        return next(self.items)

    def __index__(self) -> int:
        return int(next(self.items)) % 3

    def __len__(self) -> int:
        return int(next(self.items))


TAKING = Taking()
UNSEEN: list[Callable[[Any], Any]] = [
    lambda x: x + 1 if 3.0 in TAKING else x, lambda x: x + 1 if TAKING else x, lambda x: x + float(TAKING),
    lambda x: x + [1, 2, 3][TAKING], lambda x: x + len(TAKING),
]  # fmt: skip


@pytest.mark.parametrize("fn", UNSEEN)
def test_a_generator_that_python_advances(fn: Any) -> None:
    held = getattr(TAKING.items, "gi_frame").f_locals["items"]
    before = [*held]
    with pytest.raises(tl.UnsupportedError, match="taking items from the iterator") as error:
        tl.symbolic_trace(fn, (EXAMPLES[0],), source="numpy")
    assert "next(self.items)" in str(error.value) and "__init__" not in str(error.value)
    assert held == before


# Messages.


class Lazy:
    @functools.cached_property
    def ones(self) -> Any:
        return np.ones(3)


class Counting:
    def __init__(self) -> None:
        self.n = 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self.n += 1
        return 2.0


class Seen:
    def __init__(self) -> None:
        self.n = 0

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        self.n += 1
        return 2.0


class Holder:
    seen = Seen()


@functools.singledispatch
def dispatched(x: Any) -> Any:
    return 1.0


def registers(x):
    dispatched.register(int, lambda v: 2.0)
    return x * dispatched(3)


LAZY, COUNTING, HOLDER = Lazy(), Counting(), Holder()
LINES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: x * LAZY.ones, "LAZY.ones"), (lambda x: x * COUNTING.other, "self.n += 1"),
    (lambda x: x * HOLDER.seen, "self.n += 1"), (registers, "dispatched.register"),
    (environment, 'os.environ["TRACELATE_TEST"] = "1"'), (told, "warnings.filterwarnings"),
    (lambda x: (torch.manual_seed(0), x + 1)[1], "torch.manual_seed(0)"),
]  # fmt: skip


@pytest.mark.parametrize("fn, line", LINES)
def test_the_line_that_changes_it_is_told(fn: Any, line: str) -> None:
    with pytest.raises(tl.UnsupportedError) as error:
        tl.symbolic_trace(fn, (TENSOR if "torch" in line else EXAMPLES[0],))
    assert line in str(error.value)

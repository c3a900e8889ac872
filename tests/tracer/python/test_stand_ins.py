"""What Python, C and libraries are handed for numbers, shapes and arrays: it works, or is refused by name."""

from __future__ import annotations

import collections
import copy
import enum
import fractions
import functools
import math
import pickle
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from jax import lax
from tracing import same, text

import tracelate as tl

X = np.arange(6.0).reshape(2, 3)
V = np.array([1.25, 2.5, -3.0])


class Level(enum.IntEnum):
    LOW = 2


# Numbers and shapes.


def last(shape: Any) -> Any:
    return shape[-1] + len(shape)


def zeros(shape: Any) -> Any:
    return np.zeros(shape)


def area(shape: Any) -> Any:
    rows, columns = shape
    return rows * columns + np.prod(shape)


def parted(x: Any, k: Any) -> Any:
    a, b = divmod(x.shape[0], k)
    c, d = divmod(x, k)
    return a + b + c * d


def queued(x: Any, k: Any) -> Any:
    queue: Any = collections.deque(maxlen=k)
    for row in x:
        queue.append(row)
    return sum(queue)


def grid(x: Any) -> Any:
    n, m = x.shape
    i, j = np.mgrid[0:n, 0:m]
    rows, columns = np.ogrid[:n, :m]
    return x * i + j * rows + columns


PROGRAMS = {
    "a shape in a helper": (lambda x: x * last(x.shape) + zeros(x.shape), X),
    "an unpacked shape": (lambda x: x * area(x.shape), X),
    "an array of a shape": (lambda x: x * np.array(x.shape)[0] + np.prod(x.shape), X),
    "divmod": (parted, X, 2),
    "deque": (queued, X, 1),
    "mgrid": (grid, X),
    "repeat": (lambda x: np.repeat(x, [1, 0, 2]), V),
    "type(k)": (lambda x, k: x * type(k)(3), V, 2),
    "round": (lambda x: round(x[0], 1) * x + round(x[1]), V),
    "clip": (lambda x, k: np.clip(x, None, k), V, 2.0),
    "Enum": (lambda x: x * Level.LOW, V),
    "attributes": (lambda x, k: x * k.bit_count() * k.numerator, V, 6),
    "a fraction": (lambda x: x * float(fractions.Fraction(x.shape[0], 2)), V),
    "math": (lambda x, k: x * math.gcd(k, 4) * math.isqrt(k), V, 6),
    "a copy": (lambda x: copy.deepcopy([x, x.shape[0]])[0] + copy.copy(x), V),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_what_the_program_has(name: str) -> None:
    program, *args = PROGRAMS[name]
    same(program, *args, to="numpy")
    same(program, *args, to="torch")


def test_a_limit_that_is_an_argument_may_change() -> None:
    def limited(t: Any, eps: float = 1e-20) -> Any:
        return torch.log(t.clamp(min=eps))

    x = torch.tensor([1.0, 0.0, 3.0])
    out = tl.transpile(limited, (x,), to="numpy")
    np.testing.assert_allclose(out(x.numpy(), 0.5), limited(x, 0.5).numpy(), rtol=1e-6)
    clamped = tl.transpile(lambda i, k: i.clamp(max=k), (torch.tensor([1, 2, 3]), 2), to="jax")
    assert clamped(jnp.array([1, 5, 3]), 1).tolist() == [1, 1, 1]


def test_a_copy_is_an_array_of_its_own() -> None:
    def changed(x: Any) -> Any:
        y = copy.deepcopy(x)
        y[0] = 7.0
        return x, y

    for x in (V, torch.tensor(V)):
        same(changed, x, to="numpy")


def test_a_shape_stays_one_in_the_helper() -> None:
    assert "np.zeros((shape[0], shape[1]))" in text(lambda x: zeros(x.shape) + x, X)
    counted = text(lambda x: x * x.shape.numel(), torch.ones(2, 3))
    assert "x.size" in counted


# Scalars of NumPy's.


def test_scalars_of_numpy_in_other_frameworks() -> None:
    half, where = np.float64(0.5), np.int64(1)
    same(lambda x: half * x + x * np.float32(2) + np.bool_(True) * x + x[where], torch.ones(3))
    same(lambda x: torch.clamp(x, min=half).sum(dim=np.int64(0)), torch.ones(3))
    for x64 in (False, True):
        with jax.enable_x64(x64):
            report = tl.check(lambda x: half * x + x * half, (jnp.ones(3, "float32"),), to="jax", x64=x64)
            assert report.ok, str(report)
    same(lambda x: jnp.sum(x + np.float32(2), axis=np.int64(0)) + x[where], jnp.ones(3))


# What is refused.


def from_a_list(x: Any) -> Any:
    return x * len(x.tolist())


def pickled(x: Any) -> Any:
    return pickle.loads(pickle.dumps(x))


def of_the_library(x: Any) -> Any:
    return x * statistics.mean(x)


doubled = jax.vmap(lambda a: a * 2)


def mapped(x: Any) -> Any:
    return doubled(x)


def printed(x: Any) -> Any:
    jax.debug.print("{}", x)
    return x


def measured(x: Any) -> Any:
    return x * len(f"{x.sum()}")


def in_capitals(x: Any) -> Any:
    print(f"{x.sum()} in all".upper())
    return x


REFUSED = (
    (from_a_list, jnp.ones(3), r"\.tolist\(\) from an array"),
    (pickled, V, "a pickle from an array"),
    (of_the_library, V, "as_integer_ratio of a number cannot be recorded"),
    (mapped, jnp.ones(3), "of an array cannot be translated: jax runs it"),
    (printed, jnp.ones(3), "debug_print of an array cannot be translated: jax runs it"),
    (measured, V, r"len\(\) of a string"),
    (in_capitals, V, r"str.upper\(\)"),
    (lambda x: x, np.array(["a"]), "arrays of dtype <U1 cannot be translated"),
    (lambda k, x: x, (jax.random.key(0), jnp.ones(3)), "arrays of dtype key"),
)


@pytest.mark.parametrize(("program", "args", "message"), REFUSED, ids=lambda v: getattr(v, "__name__", ""))
def test_it_is_refused_by_name(program: Any, args: Any, message: str) -> None:
    with pytest.raises(tl.TraceError, match=message) as caught:
        tl.symbolic_trace(program, args if isinstance(args, tuple) else (args,))
    assert not isinstance(caught.value, tl.InternalError)


# torch's own parser, which believes what says that it is a tensor.


def chosen(x: Any) -> Any:
    s = x[x > 0]
    return torch.where(s > 0, s, 0) + torch.add(s, 1, alpha=2) + torch.pow(2, s) + torch.where(s > 5, 0.5, s)


def test_sizes_that_values_decide_beside_numbers() -> None:
    same(chosen, torch.tensor([1.0, -2.0, 3.0]))


@pytest.mark.slow
def test_every_function_of_torch_with_sizes_that_values_decide() -> None:
    script = Path(__file__).with_name("unknown_sizes.py")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, (done.stdout[-200:], done.stderr[-2000:])


# Functions of lax.


def test_an_operand_by_name_and_none() -> None:
    same(lambda x: lax.cond(x[0] > 0, lambda _: x, lambda _: -x, None), jnp.ones(3), to="jax")
    same(lambda x: lax.cond(x[0] > 0, lambda _: x, lambda _: -x, operand=None), jnp.ones(3), to="jax")
    same(lambda x: lax.cond(x[0] > 0, lambda: None, lambda: None), jnp.ones(3), to="torch")


@pytest.mark.parametrize("dtype", ("float16", "float32", "float64"))
def test_a_number_beside_an_array_in_cond(dtype: str) -> None:
    def chosen(x: Any) -> Any:
        y = 0.0 if x.sum() > 0 else x.sum()
        return y * x

    for x64 in (None, True):
        if x64 or dtype != "float64":
            same(chosen, V.astype(dtype), to="jax", x64=x64)
            same(chosen, -V.astype(dtype), to="jax", x64=x64)


# torch's modules and parameters.

linear = torch.nn.Linear(3, 2)
scale = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(3, 2)

    def forward(self, x: Any) -> Any:
        return self.inner(x).relu()


@pytest.mark.parametrize(
    ("program", "name"),
    (
        (lambda x: linear(x), "Linear"), (Net(), "Net"), (Net().forward, "Net"),
        (functools.partial(Net()), "Net"), (lambda x, net=Net(): net.forward(x), "Net"),
    ),
)  # fmt: skip
def test_a_module_is_refused_by_name(program: Any, name: str) -> None:
    with pytest.raises(tl.UnsupportedError, match=rf"the module {name} .*\n.*test_stand_ins.py:\d+"):
        tl.symbolic_trace(program, (torch.ones(3),))


class Straight(torch.autograd.Function):
    """Rounds, and lets gradients through."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.round()

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


def test_a_derivative_of_ones_own_is_not_lost_in_torch() -> None:
    def rounded(x: Any) -> Any:
        return Straight.apply(x) * 2

    with pytest.raises(tl.UnsupportedError, match="Straight.apply.*derivative.*\n.*test_stand_ins.py"):
        tl.symbolic_trace(rounded, (torch.ones(3),))


def test_parameters_are_read_by_their_values() -> None:
    grown = torch.full((2,), 2.0, requires_grad=True)
    many = torch.nn.Parameter(torch.arange(99.0).reshape(33, 3))
    for to in ("numpy", "jax", "torch"):
        same(lambda x: x * scale, torch.ones(3), to=to)
        same(lambda x: x[:2] * grown, torch.ones(3), to=to)
        same(lambda x: x @ many.T, torch.ones(3), to=to)
        same(lambda x: torch.nn.functional.linear(x, linear.weight, linear.bias), torch.ones(3), to=to)
    same(lambda x: torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Softmax(dim=0))(x), torch.ones(3))


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: torch.split(3, 1), lambda x: torch.split(3, x[x > 0]), lambda x: F.pad([x[x > 0]], 0),
        lambda x: F.layer_norm(x[x > 0], 1), lambda x: F.celu(x[x > 0], [0]),
        lambda x: F.huber_loss(0, x[x > 0], 0, x[x > 0]), lambda x: F.kl_div(x[x > 0], 0),
    ],
)  # fmt: skip
def test_what_torch_does_not_take_is_no_fault_of_ours(fn: Any) -> None:
    """Where torch can be asked it says so; of arrays whose size values decide it cannot."""
    try:
        tl.symbolic_trace(fn, (torch.ones(3),)).source("numpy")
    except tl.InternalError:
        raise
    except tl.TraceError as error:
        assert "test_stand_ins.py" in str(error)

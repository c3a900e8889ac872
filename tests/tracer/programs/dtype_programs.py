"""Programs whose dtypes hang on something that the text may say for the example's sake: a number, a constant
with a dtype, a `dtype=`, a sum, an array that is written into.
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import torch


def added(x):
    total = 0
    for v in x:
        total += v
    return total


def added_to_float(x):
    total = 0.0
    for v in x:
        total += v
    return total


def product(x):
    total = 1
    for v in x:
        total = total * v
    return total


def np_into(x):
    z = np.zeros(4)
    z += x
    return z


def torch_into(x):
    z = torch.zeros(4)
    z += x
    return z


def torch_copied(x):
    z = torch.zeros(4)
    z.copy_(x)
    return z * 2


def np_copied(x):
    z = np.zeros(4, np.float32)
    z[:] = x
    return z * 2


def np_two(x, y):
    return np.cumsum(x) * y


def np_chosen(x, y):
    return np.where(x > y, x, 0) + y


def torch_two(x, y):
    z = x * 1
    z += y
    return z.sum() + y


def jax_two(x, y):
    return jnp.where(x > y, x, 0) * jnp.float32(0.1) + y


NUMPY = {
    "cumsum": lambda x: np.cumsum(x),
    "method": lambda x: x.cumsum(),
    "sum": lambda x: x.sum(),
    "prod": lambda x: np.prod(x),
    "sum_as": lambda x: np.sum(x, dtype=np.float64),
    "add_as": lambda x: np.add(x, x, dtype=np.float64),
    "mean": lambda x: x.mean() + x,
    "float32": lambda x: x * np.float32(0.1),
    "float64": lambda x: x * np.float64(0.1),
    "int8": lambda x: x + np.int8(3),
    "number": lambda x: x * 2.5,
    "array": lambda x: np.array([1, 2, 3, 4]) * x,
    "array_as": lambda x: np.array([1.0, 2, 3, 4], dtype=np.float32) * x,
    "arange": lambda x: np.arange(4) * x,
    "where": lambda x: np.where(x > 2, x, 0),
    "where_float": lambda x: np.where(x > 2, x, 0.5),
    "full": lambda x: np.full(3, x[0]),
    "full_like": lambda x: np.full_like(x, 2),
    "zeros_like": lambda x: np.zeros_like(x) + x,
    "clip": lambda x: np.clip(x, 1, 3),
    "power": lambda x: x**2,
    "concat": lambda x: np.concatenate([x, np.zeros(2)]),
    "stack": lambda x: np.stack([x, x * 2.0]),
    "root": lambda x: np.sqrt(x) / np.sqrt(x.shape[0]),
}
TORCH = {
    "sum": lambda x: x.sum(),
    "cumsum": lambda x: torch.cumsum(x, 0),
    "sum_as": lambda x: x.sum(dtype=torch.float64),
    "tensor": lambda x: x * torch.tensor(0.1),
    "tensor_ints": lambda x: x * torch.tensor([1, 2, 3, 4]),
    "where": lambda x: torch.where(x > 2, x, 0),
    "full": lambda x: torch.full((4,), 2) * x,
    "new": lambda x: x.new_zeros(4) + x,
    "clamp": lambda x: torch.clamp(x, 1, 3),
    "cat": lambda x: torch.cat([x, torch.zeros(2)]),
    "power": lambda x: x**2,
}
JAX = {
    "float32": lambda x: x * jnp.float32(0.1),
    "numpys": lambda x: x * np.float32(0.1),
    "weak": lambda x: x + jnp.asarray(2.0),
    "array": lambda x: jnp.array([1, 2, 3, 4]) * x,
    "sum": lambda x: x.sum(),
    "cumsum": lambda x: jnp.cumsum(x),
    "where": lambda x: jnp.where(x > 2, x, 0.5),
    "full": lambda x: jnp.full(3, x[0]),
    "full_like": lambda x: jnp.full_like(x, 2),
    "clip": lambda x: jnp.clip(x, 1, 3),
}
#: The framework, a name, the program, and how many arrays it takes.
# What is written as a whole into what has no axes keeps its dtype, whatever is written.


def np_total(x):
    total = np.zeros((), np.float32)
    for v in x:
        total += v
    return total


def np_counted(x):
    count = np.zeros((), np.int32)
    for v in x:
        count += v
    return count


def np_largest(x):
    most = np.full((), -np.inf, np.float32)
    for i in range(x.shape[0]):
        most = np.maximum(most, x[i], out=most)
    return most


def np_total_of_helper(x):
    total = np.zeros((), np.float32)

    def add(v):
        nonlocal total
        total += v

    for v in x:
        add(v)
    return total


def np_first(x):
    y = np.zeros((), int)
    y[()] = x[0]
    return y


def np_last(x):
    y = np.zeros((), np.float32)
    for v in x:
        y[()] = v
    return y


def np_first_if_large(x):
    y = np.zeros((), np.float32)
    if x[0] > 0:
        y[()] = x[0]
    return y


def torch_total(x):
    total = torch.zeros(())
    for v in x:
        total += v
    return total


def torch_total_if_large(x):
    total = torch.zeros(())
    if x.sum() > 1:
        total += x.sum()
    return total


def torch_product(x):
    total = torch.ones((), dtype=torch.float64).float()
    for v in x:
        total.mul_(v)
    return total


WHOLE = [
    *[("numpy", f) for f in (np_total, np_counted, np_largest, np_total_of_helper)],
    *[("numpy", f) for f in (np_first, np_last, np_first_if_large)],
    *[("torch", f) for f in (torch_total, torch_total_if_large, torch_product)],
]


PROGRAMS = [
    *[("numpy", name, fn, 1) for name, fn in NUMPY.items()],
    *[("torch", name, fn, 1) for name, fn in TORCH.items()],
    *[("jax", name, fn, 1) for name, fn in JAX.items()],
    *[(source, fn.__name__, fn, 1) for source in ("numpy", "torch", "jax") for fn in (added, product)],
    *[(source, "added_to_float", added_to_float, 1) for source in ("numpy", "torch", "jax")],
    *[("numpy", fn.__name__, fn, 1) for fn in (np_into, np_copied)],
    *[("torch", fn.__name__, fn, 1) for fn in (torch_into, torch_copied)],
    *[("numpy", fn.__name__, fn, 2) for fn in (np_two, np_chosen)],
    ("torch", "torch_two", torch_two, 2), ("jax", "jax_two", jax_two, 2),
    *[(source, fn.__name__, fn, 1) for source, fn in WHOLE],
]  # fmt: skip

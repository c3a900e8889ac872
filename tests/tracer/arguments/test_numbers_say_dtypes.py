"""The type of a number decides a dtype, and the dtype what the program does: a translation does the same for
numbers of other types, or its checks refuse them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from jax import lax

import tracelate as tl

WHOLE = np.array([3, 5, -7])
NUMBERS: tuple[Any, ...] = (1, 2.5, True, 0.0)

#: What asks for the dtype of what numbers made, in which framework.
LOOKS: dict[str, list[Callable[..., Any]]] = {
    "numpy": [
        lambda x, v: x * 2 if np.array(v).dtype == np.int64 else x * 3,
        lambda x, v: (x * v) // 2 if np.issubdtype((x * v).dtype, np.integer) else x * v / 2,
        lambda x, v: np.full(3, v) if np.full(3, v).dtype.kind == "f" else np.full(3, v).astype(np.float32),
        lambda x, v: x.astype(np.array([v, 2]).dtype),
        lambda x, v: x.astype(np.stack([np.array(v), np.array(v)]).dtype),
        lambda x, v: np.full_like(np.array(v), 2.7),
        lambda x, v: x * (2 if np.where(x > 0, v, 0).dtype.kind == "f" else 3),
        lambda x, v: x * np.result_type(np.array(v), np.int8).itemsize,
        lambda x, v: x * (2 if (np.array(v) + 1).dtype.kind == "f" else 3),
        lambda x, v: x * (2 if np.cumsum(np.full(2, v)).dtype.kind == "f" else 3),
        lambda x, v: x * (2 if ((x / 2) * v).dtype == np.float64 else 3),
    ],
    "torch": [
        lambda x, v: x * 2 if torch.tensor(v).dtype == torch.int64 else x * 3,
        lambda x, v: (x * v).mean() if (x * v).is_floating_point() else (x * v).float().mean().round(),
        lambda x, v: x.type_as(torch.tensor(v)),
        lambda x, v: x.to(torch.tensor(v)),
        lambda x, v: torch.zeros(2, dtype=torch.tensor(v).dtype),
        lambda x, v: x * torch.full((2,), v).element_size(),
        lambda x, v: x * (2 if torch.where(x > 0, v, 0).is_floating_point() else 3),
        lambda x, v: x * (2 if torch.tensor(v if v > 1 else 0).dtype == torch.int64 else 3),
        lambda x, v: x * (2 if torch.result_type(torch.tensor(v), 1).is_floating_point else 3),
    ],
    "jax": [
        lambda x, v: x * 2 if jnp.issubdtype((x * v).dtype, jnp.integer) else x * 3,
        lambda x, v: x.astype(jnp.array(v).dtype),
        lambda x, v: x.astype(jnp.full(2, v).dtype),
    ],
}
#: What says the dtype that the number of the example would have given by itself.
SAYS: dict[str, list[Callable[..., Any]]] = {
    "numpy": [
        lambda x, v: np.full(5, v, dtype=np.int64),
        lambda x, v: np.full(5, v, dtype=np.float64),
        lambda x, v: np.int64(v) * x,
        lambda x, v: np.intp(v) * x,
        lambda x, v: np.float64(v) * x,
        lambda x, v: np.array(v, dtype=int) * x,
        lambda x, v: np.array(v, dtype=np.float64),
        lambda x, v: np.int64(v) / 2,
        lambda x, v: x.astype(int) + np.asarray(v, dtype=np.int64),
        lambda x, v: np.array([v, 2], dtype=np.int64),
        lambda x, v: np.array([[v, 2], [3, v]], dtype=np.int64),
        lambda x, v: np.array([v, 2.0], dtype=np.float64),
        lambda x, v: np.array(v).astype(np.int64),
        lambda x, v: (np.array(v) * 2).astype(int) + x,
        lambda x, v: np.sum(np.array([v, v]), dtype=np.int64),
        lambda x, v: np.cumsum(np.full(3, v), dtype=np.int64),
        lambda x, v: np.zeros_like(np.array(v), dtype=np.int64),
        lambda x, v: np.full_like(np.array(v), 3, dtype=np.int64),
        lambda x, v: (x * v).astype(np.int64),
        lambda x, v: np.array(v) + np.int8(1),
        lambda x, v: np.full(2, v) * np.float16(2),
        lambda x, v: np.stack([np.array(v), np.int8(1)]),
        lambda x, v: np.array([v, np.int8(1)]),
        lambda x, v: np.maximum(np.array(v), np.int8(1)),
    ],
    "torch": [
        lambda x, v: torch.full((3,), v, dtype=torch.int64),
        lambda x, v: torch.full((3,), v, dtype=torch.float32),
        lambda x, v: torch.tensor(v, dtype=torch.float32) * x,
        lambda x, v: torch.tensor([v, 2], dtype=torch.int64),
        lambda x, v: torch.tensor([v, 2.0], dtype=torch.float32),
        lambda x, v: torch.full((2,), v).long(),
        lambda x, v: torch.tensor(v).to(torch.int64),
        lambda x, v: torch.zeros_like(torch.tensor(v), dtype=torch.int64),
        lambda x, v: torch.where(x > 0, v, 0).long(),
        lambda x, v: torch.arange(v, dtype=torch.int64),
        lambda x, v: x.new_full((2,), v),
        lambda x, v: x.float().new_full((2,), v and 2.5),
        lambda x, v: torch.stack([torch.tensor(v), torch.tensor(1)]),
        lambda x, v: torch.stack([torch.tensor(v), torch.tensor(1, dtype=torch.int8)]),
        lambda x, v: torch.full((2,), v).mul(torch.tensor(2, dtype=torch.int16)),
    ],
    "jax": [
        lambda x, v: jnp.int32(v) * x,
        lambda x, v: jnp.float32(v),
        lambda x, v: jnp.asarray(v, jnp.int32) * x,
        lambda x, v: jnp.full(3, v, dtype=jnp.int32),
        lambda x, v: lax.convert_element_type(v, jnp.int32),
        lambda x, v: jnp.array([v, 2], dtype=jnp.int32),
        lambda x, v: jnp.asarray(v) + jnp.int8(1),
        lambda x, v: jnp.where(x > 0, v, 0) + jnp.int8(1),
        lambda x, v: jnp.stack([jnp.asarray(v), jnp.int8(1)]),
    ],
}
CASES = [
    pytest.param(framework, fn, example, id=f"{framework}-{what}{number}-{example}")
    for what, table in (("looks", LOOKS), ("says", SAYS))
    for framework, fns in table.items()
    for number, fn in enumerate(fns)
    for example in (1, 2.5)
]
MAKE: dict[str, Callable[[Any], Any]] = {
    "numpy": np.array, "torch": torch.tensor, "jax": lambda a: jnp.array(a.astype(np.int32)),
}  # fmt: skip


def given(fn: Callable[..., Any], *args: Any, refuses: Any = Exception) -> tuple[str, Any] | None:
    """The dtype and the values that a function gives; None where it raises what it may."""
    try:
        result = fn(*args)
    except refuses:
        return None
    return str(result.dtype).removeprefix("torch."), np.asarray(result)


@pytest.mark.parametrize(("framework", "fn", "example"), CASES)
def test_other_numbers_are_what_they_are_in_the_source_or_are_refused(
    framework: str, fn: Callable[..., Any], example: Any
) -> None:
    try:
        traced = tl.symbolic_trace(fn, (MAKE[framework](WHOLE), example), source=framework)
    except (tl.TraceError, TypeError, RuntimeError):  # the source itself takes no such number
        assert given(fn, MAKE[framework](WHOLE), example) is None or framework != "torch"
        return
    for to, number in itertools.product(MAKE, NUMBERS):
        try:
            out = traced.to(to)
        except tl.UnsupportedError:
            continue
        wanted = given(fn, MAKE[framework](WHOLE), number)
        array = MAKE[framework](WHOLE)
        theirs = MAKE[to](np.asarray(array)) if to != framework else array
        found = given(out, theirs, number, refuses=(AssertionError, RuntimeError, TypeError))
        if found is None:
            continue
        assert wanted is not None, (number, found, out.source)
        assert narrowed(wanted[0], to) == narrowed(found[0], to), (number, wanted, found, out.source)
        assert np.allclose(wanted[1], found[1]), (number, wanted, found, out.source)


def narrowed(dtype: str, to: str) -> str:
    """JAX without x64 has the dtypes of 32 bits."""
    return dtype.replace("64", "32") if to == "jax" else dtype


@pytest.mark.parametrize("example", [1, 2.5])
def test_what_the_example_has_is_taken(example: Any) -> None:
    for framework, fn in [(f, fn) for f, fns in LOOKS.items() for fn in fns]:
        try:
            out = tl.transpile(fn, (MAKE[framework](WHOLE), example), to=framework)
        except (tl.TraceError, TypeError, RuntimeError):
            continue
        assert given(out, MAKE[framework](WHOLE), example) is not None, out.source


def test_the_dtype_of_a_number_of_two_types_that_an_array_decides_is_refused() -> None:
    def f(x: Any) -> Any:
        k = x[0].item() if x[0] > 0 else 0
        return x * 2 if np.array([k, 1]).dtype.kind == "f" else x

    with pytest.raises(tl.UnsupportedError, match="an int on one way and a float on another"):
        tl.symbolic_trace(f, (np.ones(3),))

    def rate(y: Any, p: Any, zero_division: int = 0) -> Any:
        n = int((p == 1).sum())
        share = int((y == p).sum()) / n if n else zero_division
        return np.array([share, n])

    traced = tl.symbolic_trace(rate, (np.ones(3), np.ones(3)))
    assert traced.to("numpy")(np.ones(3), np.zeros(3)).dtype == np.int64
    with pytest.raises(tl.UnsupportedError, match="an int on one way and a float on another"):
        traced.source("torch")


def test_what_is_one_element_in_the_example_has_its_axes_checked() -> None:
    def f(x: Any, v: Any) -> Any:
        return x * v.item()

    out = tl.transpile(f, (torch.arange(3.0), torch.tensor(1.5)), to="jax")
    assert out(jnp.arange(3.0), jnp.array(1.5)).shape == (3,)
    with pytest.raises(AssertionError):
        out(jnp.arange(3.0), jnp.array([[1.5]]))


def test_a_number_before_the_first_turn_has_no_copy() -> None:
    def f(x: Any, y: Any) -> Any:
        kept = 0.0
        for i in range(len(x)):
            x += kept * 1
            kept = y[i] * 0.5
        return x, kept

    for to in ("numpy", "torch"):
        report = tl.check(f, (np.ones(12), np.arange(12.0)), to=to)
        assert report.ok, report


@pytest.mark.parametrize("dtype", ["float64", "int64", "float32"])
def test_arrays_of_numpy_in_a_program_of_jax_are_taken_as_jax_takes_them(dtype: str) -> None:
    def f(x: Any, a: Any) -> Any:
        return jnp.asarray(a["w"]) * x

    args = (jnp.ones(3), {"w": np.arange(3).astype(dtype)})
    for to in MAKE:
        report = tl.check(f, args, to=to, source="jax")
        assert report.ok, report
    if dtype == "float64":
        with pytest.raises(AssertionError):
            tl.transpile(f, args, to="numpy", source="jax")(np.ones(3, np.float32), args[1])

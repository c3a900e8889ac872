"""Fourier transforms: every spelling, into every framework, against the framework that it was written for."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch
from calls import calling, every, normal

array = functools.partial(normal, np.random.default_rng(0))
MODULES = {"numpy": np.fft, "jax": jnp.fft, "torch": torch.fft}


def axes(source: str, **kwargs: Any) -> dict[str, Any]:
    """`axis` and `axes` as the framework calls them."""
    return {"dim" if source == "torch" and k in ("axis", "axes") else k: v for k, v in kwargs.items()}


def all_of(functions: list[Callable[..., Any]], options: list[dict[str, Any]]) -> Callable[..., Any]:
    """All functions with all options, as one."""
    return every([calling(fn, **kwargs) for fn in functions for kwargs in options])


ONE = [
    {},
    {"n": 4},
    {"n": 9},
    {"axis": 0},
    {"axis": -2, "n": 3},
    {"norm": "ortho"},
    {"norm": "forward"},
    {"norm": "backward"},
]
MANY = [
    {},
    {"s": (2, 7)},
    {"axes": (0, 1)},
    {"axes": (-1, 0), "norm": "ortho"},
    {"axes": (0, 2), "s": (3, 4)},
]


@pytest.mark.parametrize("source", MODULES)
def test_one_axis(same, source):
    named = [axes(source, **kwargs) for kwargs in ONE]
    for dtype, names in {"float32": ("fft", "ifft", "rfft"), "complex64": ("fft", "ifft", "irfft")}.items():
        functions = [getattr(MODULES[source], name) for name in names]
        same(all_of(functions, named), array(3, 6, dtype=dtype), source=source)


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("suffix", ["2", "n"])
def test_several_axes(same, suffix, source):
    named = [axes(source, **kwargs) for kwargs in MANY]
    for dtype, names in {"float32": ("fft", "ifft", "rfft"), "complex64": ("fft", "ifft", "irfft")}.items():
        functions = [getattr(MODULES[source], name + suffix) for name in names]
        same(all_of(functions, named), array(2, 3, 5, dtype=dtype), source=source)


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "int64", "float64", "complex128"])
def test_dtypes(same, source, dtype):
    names = ("fft", "irfft", "ifft2") + (() if dtype.startswith("complex") else ("rfft",))
    functions = [getattr(MODULES[source], name) for name in names]
    same(all_of(functions, [{}]), array(4, 6, dtype=dtype), source=source)


def test_float16_is_worked_out_in_float32(same, refused):
    same(lambda x: np.fft.fft(x), array(6, dtype="float16"), source="numpy", kind="reduction")
    refused(lambda x: np.fft.irfft(x), array(6, dtype="float16"), source="numpy", match="irfft of float16")


def test_no_axis_and_no_frequency_are_refused(refused):
    refused(lambda x: np.fft.fftn(x), np.array(1, "float32"), source="numpy", match="transforms no axis")
    refused(lambda x: jnp.fft.irfft(x), np.zeros(0, "float32"), source="jax", match="without any frequency")


@pytest.mark.parametrize("source", MODULES)
def test_shifts_and_frequencies(same, source):
    module = MODULES[source]
    same(
        lambda x: [
            shift(x, axis) for shift in (module.fftshift, module.ifftshift) for axis in (None, 0, (0, -1))
        ],
        array(3, 4, dtype="int32"),
        source=source,
        kind="exact",
    )
    for frequencies in (module.fftfreq, module.rfftfreq):
        same(lambda x: [x[:1] * frequencies(5, 0.1), x[0] * frequencies(x.shape[0])], array(6), source=source)


def test_it_reads_well(same):
    texts = same(
        lambda x: torch.fft.irfft(torch.fft.rfft(x, dim=1) * 2, n=5, dim=1), array(2, 5, 3), source="torch"
    )
    assert "return np.fft.irfft(np.fft.rfft(x, axis=1) * 2, n=5, axis=1)" in texts["numpy"]
    assert "jnp.fft.fft2(x)" in same(lambda x: torch.fft.fft2(x), array(2, 3), source="torch")["jax"]

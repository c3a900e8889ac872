"""Fourier transforms: every spelling, into every framework, against the framework that it was written for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import torch

RNG = np.random.default_rng(0)
MODULES = {"numpy": np.fft, "jax": jnp.fft, "torch": torch.fft}


def array(*shape: int, dtype: str = "float32") -> np.ndarray[Any, Any]:
    numbers = RNG.standard_normal(shape)
    return (numbers + 1j * RNG.standard_normal(shape) if dtype.startswith("complex") else 3 * numbers).astype(
        dtype
    )


def axes(source: str, **kwargs: Any) -> dict[str, Any]:
    """`axis` and `axes` as the framework calls them."""
    return {"dim" if source == "torch" and k in ("axis", "axes") else k: v for k, v in kwargs.items()}


def calling(fn: Callable[..., Any], **kwargs: Any) -> Callable[..., Any]:
    return lambda x: fn(x, **kwargs)


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
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft"])
def test_one_axis(same, name, source):
    fn = getattr(MODULES[source], name)
    x = array(3, 6, dtype="complex64" if name == "irfft" else "float32")
    for kwargs in ONE:
        same(calling(fn, **axes(source, **kwargs)), x, source=source)


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn"])
def test_several_axes(same, name, source):
    fn = getattr(MODULES[source], name)
    x = array(2, 3, 5, dtype="complex64" if name.startswith("ir") else "float32")
    for kwargs in MANY:
        same(calling(fn, **axes(source, **kwargs)), x, source=source)


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("name", ["fft", "rfft", "irfft", "ifft2"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "int64", "float64", "complex64", "complex128"])
def test_dtypes(same, name, source, dtype):
    if name == "rfft" and dtype.startswith("complex"):
        pytest.skip("no framework takes it")
    fn = getattr(MODULES[source], name)
    same(lambda x: fn(x), array(4, 6, dtype=dtype), source=source)


def test_float16_is_worked_out_in_float32(same, refused):
    same(lambda x: np.fft.fft(x), array(6, dtype="float16"), source="numpy", kind="reduction")
    refused(lambda x: np.fft.irfft(x), array(6, dtype="float16"), source="numpy", match="irfft of float16")


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@pytest.mark.parametrize("axis", [None, 0, (0, -1)])
def test_shift(same, name, source, axis):
    fn = getattr(MODULES[source], name)
    same(lambda x: fn(x, axis), array(3, 4, dtype="int32"), source=source, kind="exact")


@pytest.mark.parametrize("source", MODULES)
@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies(same, name, source):
    fn = getattr(MODULES[source], name)
    same(lambda x: x * fn(5, 0.1), array(1), source=source)
    same(lambda x: x[0] * fn(x.shape[0]), array(6), source=source)


def test_it_reads_well(same):
    texts = same(
        lambda x: torch.fft.irfft(torch.fft.rfft(x, dim=1) * 2, n=5, dim=1), array(2, 5, 3), source="torch"
    )
    assert "return np.fft.irfft(np.fft.rfft(x, axis=1) * 2, n=5, axis=1)" in texts["numpy"]
    assert "jnp.fft.fft2(x)" in same(lambda x: torch.fft.fft2(x), array(2, 3), source="torch")["jax"]

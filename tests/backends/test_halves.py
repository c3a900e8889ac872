"""Parameters that 16-bit floats do not hold: torch's kernels have them in float32."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import tracelate as tl
from tracelate.backends import arrays

X, Y, Z = (
    torch.tensor(values, dtype=torch.float16)
    for values in ([1e-3, 0.5, -1e-3, -0.25], [0.75, 1, 0.5, 1e-3], [1e-4, 6e-5, 0.5, 0.75])
)
CALLS = {
    "addcdiv of little": lambda x, y, z: torch.addcdiv(x, y, z, value=-1e-8),
    "addcdiv of much": lambda x, y, z: torch.addcdiv(x, y, z, value=1e5),
    "addcmul": lambda x, y, z: torch.addcmul(x, y, z, value=1e5),
    "leaky_relu": lambda x, y, z: F.leaky_relu(x, 1e5),
    "elu": lambda x, y, z: F.elu(x, 1e5),
    "celu": lambda x, y, z: F.celu(x, 1e5),
    "softplus": lambda x, y, z: F.softplus(x, beta=1e-6),
    "multiply": lambda x, y, z: x * 1e5,
    "divide": lambda x, y, z: x / 1e-8,
    "lerp": lambda x, y, z: torch.lerp(x, y, 1e-8),
    "addmm": lambda x, y, z: torch.addmm(x.view(2, 2), y.view(2, 2), z.view(2, 2), beta=1e5, alpha=1e5),
    "baddbmm": lambda x, y, z: torch.baddbmm(x.view(1, 2, 2), y.view(1, 2, 2), z.view(1, 2, 2), beta=1e5),
}  # fmt: skip


@pytest.mark.covering
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("to", ["numpy", "jax"])
@pytest.mark.parametrize("name", CALLS)
def test_numbers_beyond_a_half(name, to, dtype):
    """Also where the example is of float32: a half is computed as torch does, or refused.
    Of the cases those that have all pairs of values, see covering.py.
    """
    if dtype is torch.bfloat16 and to == "numpy":
        pytest.skip("NumPy has no bfloat16 by itself")
    call = CALLS[name]
    translated = tl.transpile(call, (X.to(dtype), Y.to(dtype), Z.to(dtype)), to=to)
    for other in {dtype, torch.float16}:
        given = [v.to(other) for v in (X, Y, Z)]
        wanted = call(*given)
        try:
            got = translated(*(arrays.convert(v, to) for v in given))
        except AssertionError:
            assert other is not dtype
            continue
        assert str(got.dtype) == str(wanted.dtype).removeprefix("torch.")
        rounding = 0.03 if other is torch.bfloat16 else 0.004
        np.testing.assert_allclose(
            np.asarray(got, np.float64), wanted.double().numpy(), rtol=rounding, atol=1e-6
        )


@pytest.mark.parametrize("to", ["numpy", "jax"])
def test_a_number_among_the_arguments(to):
    """A slope that nobody knows is taken for one that a half does not hold."""
    translated = tl.transpile(lambda x, slope: F.leaky_relu(x, slope), (X, 0.5), to=to)
    got = translated(arrays.convert(X, to), 1e5)
    np.testing.assert_allclose(np.asarray(got, np.float64), F.leaky_relu(X, 1e5).double().numpy(), rtol=0.004)

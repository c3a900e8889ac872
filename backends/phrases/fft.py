"""How Fourier transforms are said. Same order as in ir/ops/fft.py."""

from ...ir.ops import fft as f
from ..rows import say

# fmt: off
say(f.fft,
    numpy="np.fft.fft(x, n=n, axis=axis, norm=norm)",
    jax="jnp.fft.fft(x, n=n, axis=axis, norm=norm)",
    torch="torch.fft.fft(x, n=n, dim=axis, norm=norm)")
say(f.ifft,
    numpy="np.fft.ifft(x, n=n, axis=axis, norm=norm)",
    jax="jnp.fft.ifft(x, n=n, axis=axis, norm=norm)",
    torch="torch.fft.ifft(x, n=n, dim=axis, norm=norm)")
say(f.rfft,
    numpy="np.fft.rfft(x, n=n, axis=axis, norm=norm)",
    jax="jnp.fft.rfft(x, n=n, axis=axis, norm=norm)",
    torch="torch.fft.rfft(x, n=n, dim=axis, norm=norm)",
    types="""
        numpy: bool|integer>float float16|bfloat16>float32 float32 float64 -> complex
        jax: bool|integer>float float32 float64 -> complex
        torch: bool|integer>float float32 float64 -> complex
    """)
say(f.irfft,
    numpy="np.fft.irfft(x, n=n, axis=axis, norm=norm)",
    jax="jnp.fft.irfft(x, n=n, axis=axis, norm=norm)",
    torch="torch.fft.irfft(x, n=n, dim=axis, norm=norm)",
    types="""
        numpy: bool|integer>complex float16|bfloat16>- float32|float64>complex complex -> real, unsaid
        jax: bool|integer>complex float32|float64>complex complex -> real, unsaid, strong
        torch: bool|integer>complex float32|float64>complex complex -> real
    """)
say(f.fftn,
    numpy="""
        np.fft.fft2(x, s=s, norm=norm)     if axes=(-2, -1)
        np.fft.fftn(x, s=s, axes=axes, norm=norm)
    """,
    jax="""
        jnp.fft.fft2(x, s=s, norm=norm)    if axes=(-2, -1)
        jnp.fft.fftn(x, s=s, axes=axes, norm=norm)
    """,
    torch="""
        torch.fft.fft2(x, s=s, norm=norm)  if axes=(-2, -1)
        torch.fft.fftn(x, s=s, dim=axes, norm=norm)
    """,
    reads="""
        np.fft.fft2(x, s=s, axes=axes, norm=norm)
        jnp.fft.fft2(x, s=s, axes=axes, norm=norm)
        torch.fft.fft2(x, s=s, dim=axes, norm=norm)
    """)
say(f.ifftn,
    numpy="""
        np.fft.ifft2(x, s=s, norm=norm)     if axes=(-2, -1)
        np.fft.ifftn(x, s=s, axes=axes, norm=norm)
    """,
    jax="""
        jnp.fft.ifft2(x, s=s, norm=norm)    if axes=(-2, -1)
        jnp.fft.ifftn(x, s=s, axes=axes, norm=norm)
    """,
    torch="""
        torch.fft.ifft2(x, s=s, norm=norm)  if axes=(-2, -1)
        torch.fft.ifftn(x, s=s, dim=axes, norm=norm)
    """,
    reads="""
        np.fft.ifft2(x, s=s, axes=axes, norm=norm)
        jnp.fft.ifft2(x, s=s, axes=axes, norm=norm)
        torch.fft.ifft2(x, s=s, dim=axes, norm=norm)
    """)
say(f.rfftn,
    numpy="""
        np.fft.rfft2(x, s=s, norm=norm)     if axes=(-2, -1)
        np.fft.rfftn(x, s=s, axes=axes, norm=norm)
    """,
    jax="""
        jnp.fft.rfft2(x, s=s, norm=norm)    if axes=(-2, -1)
        jnp.fft.rfftn(x, s=s, axes=axes, norm=norm)
    """,
    torch="""
        torch.fft.rfft2(x, s=s, norm=norm)  if axes=(-2, -1)
        torch.fft.rfftn(x, s=s, dim=axes, norm=norm)
    """,
    reads="""
        np.fft.rfft2(x, s=s, axes=axes, norm=norm)
        jnp.fft.rfft2(x, s=s, axes=axes, norm=norm)
        torch.fft.rfft2(x, s=s, dim=axes, norm=norm)
    """,
    types="""
        numpy: bool|integer>float float16|bfloat16>float32 float32 float64 -> complex
        jax: bool|integer>float float32 float64 -> complex
        torch: bool|integer>float float32 float64 -> complex
    """)
say(f.irfftn,
    numpy="""
        np.fft.irfft2(x, s=s, norm=norm)     if axes=(-2, -1)
        np.fft.irfftn(x, s=s, axes=axes, norm=norm)
    """,
    jax="""
        jnp.fft.irfft2(x, s=s, norm=norm)    if axes=(-2, -1)
        jnp.fft.irfftn(x, s=s, axes=axes, norm=norm)
    """,
    torch="""
        torch.fft.irfft2(x, s=s, norm=norm)  if axes=(-2, -1)
        torch.fft.irfftn(x, s=s, dim=axes, norm=norm)
    """,
    reads="""
        np.fft.irfft2(x, s=s, axes=axes, norm=norm)
        jnp.fft.irfft2(x, s=s, axes=axes, norm=norm)
        torch.fft.irfft2(x, s=s, dim=axes, norm=norm)
    """,
    types="""
        numpy: bool|integer>complex float16|bfloat16>- float32|float64>complex complex -> real, unsaid
        jax: bool|integer>complex float32|float64>complex complex -> real, unsaid, strong
        torch: bool|integer>complex float32|float64>complex complex -> real
    """)
say(f.fftshift,
    numpy="np.fft.fftshift(x, axes=axes)",
    jax="jnp.fft.fftshift(x, axes=axes)",
    torch="torch.fft.fftshift(x, dim=axes)")
say(f.ifftshift,
    numpy="np.fft.ifftshift(x, axes=axes)",
    jax="jnp.fft.ifftshift(x, axes=axes)",
    torch="torch.fft.ifftshift(x, dim=axes)")
say(f.fftfreq,
    numpy="""
        np.fft.fftfreq(n, d=d)                 if dtype: float64
        np.fft.fftfreq(n, d=d)
    """,
    jax="jnp.fft.fftfreq(n, d=d, dtype=dtype)  if dtype: float|absent",
    torch="torch.fft.fftfreq(n, d=d, dtype=dtype)")
say(f.rfftfreq,
    numpy="""
        np.fft.rfftfreq(n, d=d)                 if dtype: float64
        np.fft.rfftfreq(n, d=d)
    """,
    jax="jnp.fft.rfftfreq(n, d=d, dtype=dtype)  if dtype: float|absent",
    torch="torch.fft.rfftfreq(n, d=d, dtype=dtype)")
# fmt: on

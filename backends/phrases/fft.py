"""How Fourier transforms are said. Same order as in ir/ops/fft.py."""

from ...ir.ops import fft as f
from ..rows import say

# fmt: off
#    op            numpy                                             jax                                                torch
say( f.fft,        "np.fft.fft(x, n=n, axis=axis, norm=norm)",       "jnp.fft.fft(x, n=n, axis=axis, norm=norm)",       "torch.fft.fft(x, n=n, dim=axis, norm=norm)")
say( f.ifft,       "np.fft.ifft(x, n=n, axis=axis, norm=norm)",      "jnp.fft.ifft(x, n=n, axis=axis, norm=norm)",      "torch.fft.ifft(x, n=n, dim=axis, norm=norm)")
say( f.rfft,       "np.fft.rfft(x, n=n, axis=axis, norm=norm)",      "jnp.fft.rfft(x, n=n, axis=axis, norm=norm)",      "torch.fft.rfft(x, n=n, dim=axis, norm=norm)")
say( f.irfft,      "np.fft.irfft(x, n=n, axis=axis, norm=norm)",     "jnp.fft.irfft(x, n=n, axis=axis, norm=norm)",     "torch.fft.irfft(x, n=n, dim=axis, norm=norm)")
say( f.fftn,      ("np.fft.fft2(x, s=s, norm=norm)     if axes=(-2, -1)", "np.fft.fftn(x, s=s, axes=axes, norm=norm)"),
                  ("jnp.fft.fft2(x, s=s, norm=norm)    if axes=(-2, -1)", "jnp.fft.fftn(x, s=s, axes=axes, norm=norm)"),
                  ("torch.fft.fft2(x, s=s, norm=norm)  if axes=(-2, -1)", "torch.fft.fftn(x, s=s, dim=axes, norm=norm)"),
     also=["np.fft.fft2(x, s=s, axes=axes, norm=norm)", "jnp.fft.fft2(x, s=s, axes=axes, norm=norm)", "torch.fft.fft2(x, s=s, dim=axes, norm=norm)"])
say( f.ifftn,     ("np.fft.ifft2(x, s=s, norm=norm)    if axes=(-2, -1)", "np.fft.ifftn(x, s=s, axes=axes, norm=norm)"),
                  ("jnp.fft.ifft2(x, s=s, norm=norm)   if axes=(-2, -1)", "jnp.fft.ifftn(x, s=s, axes=axes, norm=norm)"),
                  ("torch.fft.ifft2(x, s=s, norm=norm) if axes=(-2, -1)", "torch.fft.ifftn(x, s=s, dim=axes, norm=norm)"),
     also=["np.fft.ifft2(x, s=s, axes=axes, norm=norm)", "jnp.fft.ifft2(x, s=s, axes=axes, norm=norm)", "torch.fft.ifft2(x, s=s, dim=axes, norm=norm)"])
say( f.rfftn,     ("np.fft.rfft2(x, s=s, norm=norm)    if axes=(-2, -1)", "np.fft.rfftn(x, s=s, axes=axes, norm=norm)"),
                  ("jnp.fft.rfft2(x, s=s, norm=norm)   if axes=(-2, -1)", "jnp.fft.rfftn(x, s=s, axes=axes, norm=norm)"),
                  ("torch.fft.rfft2(x, s=s, norm=norm) if axes=(-2, -1)", "torch.fft.rfftn(x, s=s, dim=axes, norm=norm)"),
     also=["np.fft.rfft2(x, s=s, axes=axes, norm=norm)", "jnp.fft.rfft2(x, s=s, axes=axes, norm=norm)", "torch.fft.rfft2(x, s=s, dim=axes, norm=norm)"])
say( f.irfftn,    ("np.fft.irfft2(x, s=s, norm=norm)    if axes=(-2, -1)", "np.fft.irfftn(x, s=s, axes=axes, norm=norm)"),
                  ("jnp.fft.irfft2(x, s=s, norm=norm)   if axes=(-2, -1)", "jnp.fft.irfftn(x, s=s, axes=axes, norm=norm)"),
                  ("torch.fft.irfft2(x, s=s, norm=norm) if axes=(-2, -1)", "torch.fft.irfftn(x, s=s, dim=axes, norm=norm)"),
     also=["np.fft.irfft2(x, s=s, axes=axes, norm=norm)", "jnp.fft.irfft2(x, s=s, axes=axes, norm=norm)", "torch.fft.irfft2(x, s=s, dim=axes, norm=norm)"])
say( f.fftshift,   "np.fft.fftshift(x, axes=axes)",                  "jnp.fft.fftshift(x, axes=axes)",                  "torch.fft.fftshift(x, dim=axes)")
say( f.ifftshift,  "np.fft.ifftshift(x, axes=axes)",                 "jnp.fft.ifftshift(x, axes=axes)",                 "torch.fft.ifftshift(x, dim=axes)")
say( f.fftfreq,   ("np.fft.fftfreq(n, d=d) if dtype: float64", "np.fft.fftfreq(n, d=d)"),
                                                                     "jnp.fft.fftfreq(n, d=d, dtype=dtype) if dtype: float|absent",  "torch.fft.fftfreq(n, d=d, dtype=dtype)")
say( f.rfftfreq,  ("np.fft.rfftfreq(n, d=d) if dtype: float64", "np.fft.rfftfreq(n, d=d)"),
                                                                     "jnp.fft.rfftfreq(n, d=d, dtype=dtype) if dtype: float|absent", "torch.fft.rfftfreq(n, d=d, dtype=dtype)")
# fmt: on

"""How what is computed of neighbours is said. Same order as in ir/ops/series.py."""

from __future__ import annotations

from ...ir.ops import series as s
from ..rows import say

# fmt: off
say(s.diff,
    numpy="np.diff(x, n=n, axis=axis)",
    jax="jnp.diff(x, n=n, axis=axis)",
    torch="torch.diff(x, n=n, dim=axis)")
# fmt: on

"""How new arrays are said. Same order as in ir/ops/creation.py."""

from ...ir.ops import creation as c
from ..phrase import say

# fmt: off
#    op          numpy                               jax                                  torch
say( c.array,   "np.array(value, dtype=dtype)",     "jnp.array(value, dtype=dtype)",     "torch.tensor(value, dtype=dtype)")
# fmt: on

"""How activations are said. Same order as in ir/ops/activation.py. NumPy has no word for any of them."""

from __future__ import annotations

from ...ir.ops import activation as a
from ..rows import say

#: What is reckoned beside Python's floats, of which JAX makes weak ones where it is given ints.
WEAKENED = """
    jax: bool|integer>weak inexact
    torch: float
"""

# fmt: off
say(a.softmax,
    jax="jax.nn.softmax(x, axis=axis)",
    torch="torch.softmax(x, dim=axis)  if axis: int",
    reads="F.softmax(x, dim=axis)      if axis: int",
    types="""
        jax: inexact, wraps, strong
        torch: float
    """)
say(a.log_softmax,
    jax="jax.nn.log_softmax(x, axis=axis)",
    torch="torch.log_softmax(x, dim=axis)  if axis: int",
    reads="F.log_softmax(x, dim=axis)      if axis: int",
    types="""
        jax: inexact, wraps, strong
        torch: float
    """)

say(a.relu,
    jax="jax.nn.relu(x)",
    torch="torch.relu(x)",
    reads="F.relu(x)",
    types="""
        jax: num
        torch: uint8 int float
    """)
# JAX reckons beside 6.0; of float16, torch makes a dtype of its own.
say(a.relu6,
    jax="jax.nn.relu6(x)",
    torch="F.relu6(x)",
    types="""
        jax: bool|integer>weak inexact
        torch: float, unsaid
    """)
say(a.leaky_relu,
    jax="jax.nn.leaky_relu(x, negative_slope=negative_slope)",
    torch="F.leaky_relu(x, negative_slope=negative_slope)",
    types=WEAKENED)
say(a.prelu,
    torch="F.prelu(x, weight)",
    reads="torch.prelu(x, weight)",
    types="torch: float")
say(a.elu,
    jax="jax.nn.elu(x, alpha=alpha)",
    torch="F.elu(x, alpha=alpha)",
    types=WEAKENED)
say(a.celu,
    jax="jax.nn.celu(x, alpha=alpha)",
    torch="F.celu(x, alpha=alpha)",
    reads="torch.celu(x, alpha=alpha)",
    types=WEAKENED)
say(a.selu,
    jax="jax.nn.selu(x)",
    torch="F.selu(x)",
    reads="torch.selu(x)",
    types=WEAKENED)
say(a.gelu,
    jax="""
        jax.nn.gelu(x, approximate=True)   if approximate='tanh'
        jax.nn.gelu(x, approximate=False)  if approximate='none'
    """,
    torch="F.gelu(x, approximate=approximate)",
    types="""
        jax: strong
        torch: float
    """)
say(a.silu,
    jax="jax.nn.silu(x)",
    torch="F.silu(x)",
    reads="jax.nn.swish(x)",
    types="""
        jax: inexact
        torch: inexact
    """)
say(a.mish,
    jax="jax.nn.mish(x)",
    torch="F.mish(x)",
    types="""
        jax: bool>weak integer>float float
        torch: float
    """)
say(a.softplus,
    jax="""
        jax.nn.softplus(x)
        jax.nn.softplus(x)                             if threshold=20, x: float32|float16|bfloat16
    """,
    torch="""
        F.softplus(x, beta=beta, threshold=threshold)  if threshold: number
        F.softplus(x)                                  if threshold=None, x: float32|float16|bfloat16
    """,
    types="""
        jax: bool>weak integer>float float
        torch: float
    """)
say(a.log_sigmoid,
    jax="jax.nn.log_sigmoid(x)",
    torch="F.logsigmoid(x)",
    types="""
        jax: float, unsaid
        torch: float
    """)
say(a.hard_sigmoid,
    jax="jax.nn.hard_sigmoid(x)",
    torch="F.hardsigmoid(x)",
    types=WEAKENED)
say(a.hard_swish,
    jax="jax.nn.hard_swish(x)",
    torch="F.hardswish(x)",
    reads="jax.nn.hard_silu(x)",
    types=WEAKENED)
say(a.hard_tanh,
    jax="jax.nn.hard_tanh(x)",
    torch="F.hardtanh(x, min_val=low, max_val=high)",
    types="""
        jax: bool>int64 int float
        torch: uint8 int float
    """)
say(a.soft_sign,
    jax="jax.nn.soft_sign(x)",
    torch="F.softsign(x)",
    types="""
        jax: bool>weak inexact, wraps
        torch: inexact, wraps
    """)
say(a.glu,
    jax="jax.nn.glu(x, axis=axis)",
    torch="F.glu(x, dim=axis)",
    types="""
        jax: inexact
        torch: float
    """)

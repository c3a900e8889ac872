"""How elementwise ops are said. Same order as in ir/ops/elementwise.py."""

from ...ir.ops import elementwise as e
from ..phrase import say

# fmt: off
#    op                      numpy                           jax                                torch
say( e.add,                  "x + y",                        "x + y",                           "x + y",
     also=["np.add(x, y)", "jnp.add(x, y)", "torch.add(x, y)"])
say( e.subtract,             "x - y",                        "x - y",                           "x - y",
     also=["np.subtract(x, y)", "jnp.subtract(x, y)", "torch.sub(x, y)", "torch.subtract(x, y)"])
say( e.multiply,             "x * y",                        "x * y",                           "x * y",
     also=["np.multiply(x, y)", "jnp.multiply(x, y)", "torch.mul(x, y)", "torch.multiply(x, y)"])
say( e.divide_,              "x / y",                        "x / y",                           "x / y",
     also=["np.true_divide(x, y)", "jnp.true_divide(x, y)", "jnp.divide(x, y)", "torch.div(x, y)", "torch.true_divide(x, y)"])
say( e.pow_,                 "x ** y",                       "x ** y",                          "x ** y",
     also=["np.power(x, y)", "jnp.power(x, y)", "torch.pow(x, y)"])
say( e.negative,             "-x",                           "-x",                              "-x",
     also=["np.negative(x)", "jnp.negative(x)", "torch.neg(x)"])
say( e.exp,                  "np.exp(x)",                    "jnp.exp(x)",                      "torch.exp(x)")
say( e.sin,                  "np.sin(x)",                    "jnp.sin(x)",                      "torch.sin(x)")
say( e.cos,                  "np.cos(x)",                    "jnp.cos(x)",                      "torch.cos(x)")
say( e.tan,                  "np.tan(x)",                    "jnp.tan(x)",                      "torch.tan(x)")
say( e.cast,                 "x.astype(dtype)",              "x.astype(dtype)",                 "x.to(dtype)")
# fmt: on

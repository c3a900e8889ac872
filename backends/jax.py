"""JAX: the facts that are JAX's rather than an op's. Same order as in numpy.py and torch.py."""

from ..ir import dtypes
from .backend import Backend

BACKEND = Backend(
    name="jax",
    module="jax",
    imports={
        "jax": ("jax", "import jax"),
        "jnp": ("jnp", "import jax.numpy as jnp"),
        "jax.scipy.special": ("jax.scipy.special", "import jax"),
        "math": ("math", "import math"),
    },
    dtypes={name: f"jnp.{name}" for name in dtypes.DTYPES} | {"bool": "bool"},
    default_float=dtypes.float32,
    default_int=dtypes.int32,
    array="jnp.array",
    array_type="jax.Array",
    functions=("jnp", "jax.nn", "jax.lax", "jax.scipy.special"),
    literals={"inf": "jnp.inf", "nan": "jnp.nan", "newaxis": "None"},
    controls=("lax", "python"),
    x64=False,
)

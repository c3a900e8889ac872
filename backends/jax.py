"""JAX: the facts that are JAX's rather than an op's. Same order as in numpy.py and torch.py."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.values import dtypes
from ..ir.values.dtypes import DType
from .backend import Backend
from .compiled import Compiled
from .handling import Handling


class Jaxs(Handling):
    def is_constant(self, value: Any) -> bool:
        return True

    def from_numpy(self, array: np.ndarray[Any, Any]) -> Any:
        import jax.numpy as jnp

        return jnp.asarray(array)

    def stack(self, values: Sequence[Any]) -> Any:
        import jax.numpy as jnp

        return jnp.stack(list(values))

    def jitted(self, function: Callable[..., Any], static: Sequence[str]) -> Any:
        import jax

        return jax.jit(function, static_argnames=static)

    def turn_by_turn(self) -> contextlib.AbstractContextManager[object]:
        import jax

        aside: contextlib.AbstractContextManager[object] = jax.disable_jit()
        return aside

    def empty(self, shape: tuple[int, ...], of: DType) -> Any:
        import jax.numpy as jnp

        return jnp.empty(shape, dtype=of.name)


BACKEND = Backend(
    name="jax",
    words="JAX",
    module="jax",
    packages=("jax", "jaxlib"),
    array_classes=("ArrayImpl", "Tracer", "Array"),
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
    roots=("jnp", "jax"),
    stack="jnp.stack",
    literals={"inf": "jnp.inf", "nan": "jnp.nan", "newaxis": "None"},
    handling=Jaxs(),
    shape_error=TypeError,
    controls=("lax", "python"),
    compiled=Compiled(
        {name: f"jax.lax.{name}" for name in ("cond", "while_loop", "fori_loop", "scan")},
        counter="jnp.arange",
        jit="jax.jit",
        static="static_argnames",
        methods=("lower", "trace", "eval_shape", "clear_cache"),
        prints="jax.debug.print",
        counts=True,
    ),
    x64=False,
    x64_flag="jax.config.jax_enable_x64",
    x64_on='jax.config.update("jax_enable_x64", True)',
    takes=("numpy",),
    whole=("jax", "jaxlib"),
    differentiated=frozenset({"custom_vjp", "custom_jvp"}),
    to_common="np.asarray({})",
    from_common="jnp.asarray({})",
    tries=("float16", "int32", "bool", "float32", "uint8", "bfloat16", "complex64", "float64", "int64"),
    mutable=False,
    pure=True,
    raises=False,
    jits=True,
    tree_leaves="jax.tree.leaves",
    tree_map="jax.tree.map",
    sorts_keys=True,
    loop_gradients=False,
    weak=True,
    list_indices=False,
    windows=True,
    assigned="none",
    wraps=True,
    joins={
        "add": "add",
        "subtract": "subtract",
        "multiply": "multiply",
        "minimum": "min",
        "maximum": "max",
    },
)

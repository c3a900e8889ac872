"""JAX: it has no dispatch protocol, so its functions are caught at the call sites of rewritten code
(tracer/python/hooks.py).

A duck that reaches JAX itself, in code that is not rewritten, raises through `__jax_array__`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ...backends.backend import backend
from ...ir.errors import PlaceError, TraceError
from ...ir.graphs.graph import Node
from ...ir.values.dtypes import DTYPES, DType
from ...ir.values.spec import Spec
from ...ir.values.tree import leaves, map_leaves
from ..place import gate
from ..proxy import ACTIVE, current
from ..regions.loop.lax import CONTROL
from ..regions.trees import handed, of_each
from ..values.kinds import of_type
from .asking import asking
from .base import Framework

if TYPE_CHECKING:
    from ..tracer import Tracer


class At:
    """`x.at` of a proxy, and with a key `x.at[key]`."""

    __slots__ = ("proxy", "key")

    def __init__(self, proxy: Any, key: Any = None) -> None:
        self.proxy = proxy
        self.key = key

    def __getitem__(self, key: Any) -> At:
        return At(self.proxy, key)

    def __getattr__(self, name: str) -> Any:
        tracer = self.proxy.tracer
        if name not in UPDATES:
            raise tracer.error(f".at[...].{name} is not read yet", f"one of {', '.join(UPDATES)}")
        return lambda value, **options: tracer.record(at, (self.proxy, self.key, value, name), options)


@gate
def at(x: Any, key: Any, value: Any, how: str, **options: Any) -> Any:
    """`x.at[key].set(value)` and its kin, as a function."""
    return getattr(x.at[key], how)(value, **options)


at.canonical = "at"  # type: ignore[attr-defined]
UPDATES = ("set", "add", "subtract", "multiply", "mul", "divide", "min", "max")


#: The functions of lax that are control flow.
LAX = {getattr(jax.lax, name): record for name, record in CONTROL.items()}


class Jax(Framework):
    name = "jax"
    array_class = jax.Array
    unique_hint = "; jnp.unique(x, size=n) has a size"
    asked = {
        **asking(jnp),
        jnp.isscalar: of_type(jnp.isscalar),
        jnp.iterable: of_type(jnp.iterable, ranked=True),
        jax.lax.stop_gradient: of_each(jax.lax.stop_gradient, jax.tree.map),
    }
    flattens = frozenset(
        [getattr(jax.tree, name) for name in jax.tree.__dict__ if callable(getattr(jax.tree, name))]
        + [getattr(jax.tree_util, name) for name in dir(jax.tree_util) if name.startswith("tree_")]
    )
    joins, moves, copies = staticmethod(jnp.concatenate), staticmethod(jnp.moveaxis), staticmethod(jnp.copy)
    counter, stacks = staticmethod(jnp.arange), staticmethod(jnp.stack)
    typed = frozenset(
        {jnp.issubdtype, jnp.isdtype, jnp.result_type, jnp.promote_types, jnp.can_cast}
        | {jnp.iscomplexobj, jnp.isrealobj}
        | {jax.dtypes.result_type, jax.dtypes.issubdtype, jax.dtypes.canonicalize_dtype}
    )
    casts = frozenset(getattr(jnp, name) for name in DTYPES)

    @property
    def backend(self) -> Any:  # type: ignore[override]
        return backend("jax").with_x64(bool(jax.config.jax_enable_x64))

    @property
    def control(self) -> Any:
        return LAX

    def is_array(self, value: Any) -> bool:
        return isinstance(value, jax.Array)

    @property
    def made_class(self) -> Any:
        return type(jnp.empty(0))

    def weak(self, value: Any) -> bool:
        return bool(getattr(value, "weak_type", False))

    def spec(self, value: Any) -> Spec:
        """Raises TraceError for an array of 64 bits that is left from where these were on: some of JAX's
        functions keep such a dtype, and others do not.
        """
        found = super().spec(value)
        narrow = jax.dtypes.canonicalize_dtype(value.dtype)
        if narrow != value.dtype:
            raise TraceError(
                f"an array of {value.dtype} is given to JAX, whose 64 bits are off (`jax_enable_x64`)",
                span=ACTIVE[-1].span() if ACTIVE else None,
                hint=f"turn them on as where the array was made, or cast it: x.astype(jnp.{narrow})",
            )
        return found

    def dtype_object(self, proxy: Any) -> Any:
        return jnp.dtype(proxy.tracer.dtype(proxy.node).name)

    def witness(self, kind: Any, rank: int, dtype: DType, number: bool) -> Any:
        return jnp.zeros([1] * rank, jax.dtypes.canonicalize_dtype(dtype.name))

    def stand_in(self, node: Node) -> Any:
        form = node.form
        if isinstance(form, tuple):
            raise current().error("its dtype is weak on one way and not on another", "cast it first")
        kind = {"bool": False, "float": 0.0, "complex": 0j}.get(node.spec.dtype.kind, 0)
        return kind if form == "weak" else super().stand_in(node)

    def make(self, value: Any) -> Any:
        return jnp.array(value)

    def ones(self, shape: Sequence[int], dtype: str) -> Any:
        return jnp.ones(shape, dtype)

    @gate
    def tried(self, call: Callable[..., Any], given: Any) -> Any:
        return jax.eval_shape(call, *given)

    def audited(self, run: Callable[..., Any], given: Sequence[Any]) -> None:
        """Abstractly, or, where sizes depend on values, as it is."""
        arrays = [leaf for value in given for leaf in leaves(value) if hasattr(leaf, "shape")]

        def filled(*known: Any) -> None:
            supply = iter(known)
            fill = lambda leaf: next(supply) if hasattr(leaf, "shape") else leaf  # noqa: E731
            run(*(map_leaves(value, fill) for value in given))

        try:
            jax.eval_shape(filled, *arrays)
        except (jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError):
            filled(*arrays)

    def given(self, value: Any) -> Any:
        """An array of NumPy's is one of JAX's, as it is for jax.jit."""
        return jnp.asarray(value) if isinstance(value, (np.ndarray, np.generic)) else value

    def number(self, tracer: Tracer, value: Any, dtype: Any = None) -> Any:
        """A number of Python's as an array, weak as JAX has it where no dtype is named."""
        return tracer.record(jnp.asarray, (value,), {} if dtype is None else {"dtype": jnp.dtype(dtype.name)})

    def hint(self, error: TraceError) -> str | None:
        if isinstance(error, PlaceError):
            return "x[-1] or x[0], which JAX takes there; a write there does nothing, and can be left out"
        return error.hint

    def handed(self, tracer: Tracer, value: Any) -> Any:
        return handed(tracer, jax.tree.map, value)

    def taken(self, tracer: Tracer, function: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """Static arguments stay what they are; defaults are none that were handed on."""
        info = getattr(function, "_jit_info", None)
        numbers = {n % len(args) for n in getattr(info, "static_argnums", ()) if -len(args) <= n < len(args)}
        names = frozenset(getattr(info, "static_argnames", ()))
        tracer.stack.static[getattr(function, "__wrapped__", None)] = names
        given = [v if i in numbers else self.handed(tracer, v) for i, v in enumerate(args)]
        return given, {k: v if k in names else self.handed(tracer, v) for k, v in kwargs.items()}

    def called(self, tracer: Tracer, function: Any, args: Any, kwargs: Any) -> Any:
        return tracer.record(function, args, kwargs)

    def attribute(self, proxy: Any, name: str) -> Any:
        return At(proxy) if name == "at" else super().attribute(proxy, name)

    def foreign(self, tracer: Tracer, func: Any, args: Any, kwargs: Any) -> Any:
        raise tracer.error(
            f"{getattr(func, '__name__', func)} of another framework was called on a JAX array",
            "use the jnp function of the same name",
        )

    def ufunc(self, ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
        return self.foreign(current(), ufunc, inputs, kwargs)


FRAMEWORK = Jax()

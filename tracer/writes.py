"""Writes in place: recorded on a fresh local, where every name of the array sees them, and refused anywhere
else.

A proxy that is written into goes on as the new value. So all names of the array see the write, and nodes that
read it before keep the old value. What may share memory with another array is never written into.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..ir.errors import ShapeError, UnsupportedError
from ..ir.graph import Node
from ..ir.spec import Spec

#: Functions and methods whose result may share memory with their first operand. In-place writes near them are
#: refused.
VIEWS = frozenset(
    """getitem reshape transpose permute T mT H view expand squeeze unsqueeze swapaxes swapdims moveaxis
    movedim narrow select split chunk unbind flatten ravel diagonal broadcast_to broadcast_tensors
    broadcast_arrays expand_dims real imag detach contiguous to asarray array_split hsplit vsplit dsplit
    atleast_1d atleast_2d atleast_3d data view_as expand_as type_as float double half int long bool cpu astype
    unflatten t tensor_split positive ascontiguousarray asanyarray requires_grad_ matrix_transpose conj
    adjoint unfold type reshape_as rollaxis diag nan_to_num squeeze_ einsum""".split()
)


def alias(node: Node) -> None:
    """Note that a node and its operands may share memory."""
    node.meta["aliased"] = True
    for source in node.all_input_nodes:
        if isinstance(source.spec, Spec):
            source.meta["aliased"] = True


def refuse(tracer: Any, what: str) -> None:
    """Raises UnsupportedError for a write that cannot be recorded."""
    raise UnsupportedError(
        what,
        why="a write into an array is only recorded as += and its kin on a fresh local",
        span=tracer.span(),
        hint="compute a new array, with where or concatenate for instance",
    )


def inplace(
    tracer: Any, fn: Callable[..., Any], target: Any, value: Any, write: Callable[[], Any] | None = None
) -> Any:
    """`target += value` for fn=operator.iadd, and so on; `write` records another kind of write.

    Raises:
        UnsupportedError: where the target is an argument, a constant, or may share memory.
        ShapeError: where the result does not fit into the target.
    """
    if not tracer.framework.aliasing:
        return tracer.binary(getattr(operator, fn.__name__.removeprefix("i")), target, value)
    node = target.node
    if node.op in ("placeholder", "get_attr") or node.meta.get("aliased"):
        refuse(tracer, f"{fn.__name__.removeprefix('i')} in place")
    before = node.spec
    after = tracer.binary(fn, target, value) if write is None else write()
    found = after.node.spec
    if before.shape is not None and found.shape is not None and before.hint_shape != found.hint_shape:
        raise ShapeError(
            f"the result {found} does not fit into the array {before} in place", span=tracer.span()
        )
    tracer.rebind(target, after.node)
    return target


def view_name(target: Any) -> str:
    return target if isinstance(target, str) else getattr(target, "__name__", "")

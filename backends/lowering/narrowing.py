"""Narrowing: 64-bit numbers as 32-bit ones, a stated fact of JAX without x64.

Source programs that never left the 32-bit world of their own default are not changed. What narrowing would
make another program of was refused before, see precision.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.meaning.op import REGISTER, Op
from ...ir.passes.fold import implicit, open_
from ...ir.program import Program
from ...ir.values.dtypes import DType
from ...ir.values.spec import Spec
from ..backend import NARROW


def narrow(program: Program, nodes: Sequence[Node]) -> None:
    """Let these have no 64-bit numbers. That there were such ints is noted."""
    for node in nodes:
        specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
        known = {s.dtype for s in specs if isinstance(s, Spec) and s.dtype is not None}
        if wide := {dtype for dtype in known if dtype.name in NARROW}:
            if any(dtype.is_integer for dtype in wide) and observable(node):
                program.meta["narrowed"] = True
            made = tuple(narrowed(s) for s in specs)
            node.spec = made if isinstance(node.spec, tuple) else made[0]
        dtype = node.kwargs.get("dtype") if isinstance(node.target, Op) else None
        if isinstance(dtype, DType) and dtype.name in NARROW:
            node.update_kwarg("dtype", NARROW[dtype.name])
    for node in nodes:
        idle = node.target is REGISTER["cast"] and node.args[0].spec.dtype == node.spec.dtype
        if idle and (implicit(node) or not open_(node.args[0])):
            node.replace_all_uses_with(node.args[0])


def observable(node: Node) -> bool:
    """Whether a caller could tell that a value is narrower: not of a constant that is only computed with."""
    return node.target is not REGISTER["array"] or any(user.op == "output" for user in node.users)


def narrowed(spec: Any) -> Any:
    if isinstance(spec, Spec) and spec.dtype is not None:
        return Spec(spec.shape, NARROW.get(spec.dtype.name, spec.dtype))
    return spec

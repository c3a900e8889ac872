"""Operands: what stands for the arrays that a call was given, where its results may lie in their memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends.memory import is_known
from ...backends.reading.tape import canonical_names
from ...ir.analysis.outside import MAYBE, NEW, VIEW
from ...ir.graphs.graph import Node
from ...ir.values.tree import leaves
from ..objects.buffers import BUFFERS, blank, copied, same_bytes
from ..proxy import is_array_proxy, is_proxy

if TYPE_CHECKING:
    from ..intercept.base import Framework
    from ..tracer import Tracer


@dataclass(slots=True, eq=False)
class Constant:
    """An array from outside, or one that Python has computed while tracing, where it is given to a call: it
    stands where a proxy does. Nothing may be written into its memory.
    """

    node: Node
    value: Any


def is_array(tracer: Tracer, value: Any) -> bool:
    """Whether an argument of a call is an array: a recorded one, or a constant of any framework."""
    if is_proxy(value):
        return is_array_proxy(value)
    return isinstance(value, BUFFERS) or bool(tracer.framework.is_array(value))


def operand(tracer: Tracer, node: Node, array: Any) -> Any:
    """What stands for an array that a call was given."""
    if is_proxy(array):
        return array
    return Constant(tracer.constant(array) if tracer.framework.is_array(array) else node, array)


def of_constants(tracer: Tracer, node: Node, constants: list[Constant]) -> tuple[str, Any]:
    """What a call on constants alone gives, which is the same each time, and for each of its arrays whether
    it lies in their memory. The framework is asked, of arrays that lie as they do.
    """
    names = canonical_names(node.op, node.target, node.args, tracer.backend)
    if not is_known(tracer.framework.name, names):
        return MAYBE, None
    framework = tracer.framework
    try:
        lying = {constant.node: blank(constant.value) for constant in constants}
        with np.errstate(all="ignore"):
            arrays = [a for a in leaves(framework.computed(node, lying)) if framework.is_array(a)]
        shared = tuple(any(framework.share(a, one) for one in lying.values()) for a in arrays)
    except Exception:  # it takes recorded numbers too, or refuses arrays of zeros
        return MAYBE, None
    return (VIEW if any(shared) else NEW), shared


def computed(framework: Framework, node: Node, found: dict[Node, Any]) -> Any:
    """What a call gives on values that are known; None where it writes into one, which it does not here."""
    own = {n: copied(value) for n, value in found.items()}
    result = framework.computed(node, own)
    given = [(own[n], value) for n, value in found.items() if own[n] is not value]
    if not all(same_bytes(one, value) for one, value in given):
        return None
    arrays = [a for a in leaves(result) if framework.is_array(a)]
    if any(framework.share(a, one) for a in arrays for one, _ in given if framework.is_array(one)):
        return framework.computed(node, found)  # whose memory a write through it would change
    return result

"""Queries: the methods and properties of a tensor that only ask. They are answered from a fake tensor, whose
elements lie in their own way; what they look at is checked of the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....ir.graphs.graph import Node
from ...memory import layout

if TYPE_CHECKING:
    from ...tracer import Tracer

#: Those that look at the shape.
SIZED = frozenset("shape size numel nelement stride __len__ nbytes sym_size".split())
RANKED = frozenset({"dim", "ndim", "ndimension"})
TYPED = frozenset("dtype is_floating_point is_complex is_signed element_size itemsize nbytes".split())
QUERIES = SIZED | TYPED | frozenset(
    """
    dim ndim ndimension device layout is_cuda requires_grad is_leaf is_sparse is_quantized is_contiguous
    get_device grad_fn is_mkldnn is_meta is_nested is_mps is_xpu is_cpu names has_names is_conj is_neg
    is_inference storage_offset _version grad retains_grad is_sparse_csr is_vulkan data_ptr
    """.split()
)  # fmt: skip
#: Those that say where and how a tensor lies: in what is translated, where the target's lie by default.
PLACES = frozenset({"device", "layout", "is_cuda", "is_cpu", "is_sparse"})
#: What a translation cannot say, where something does require gradients.
GRADIENTS = frozenset({"requires_grad", "is_leaf", "grad_fn", "grad", "retains_grad"})
#: What is answered where the elements lie row by row; and what is told by nothing that a trace knows.
IN_ORDER, UNKNOWN = frozenset({"is_contiguous", "stride"}), frozenset({"storage_offset", "data_ptr"})
#: What torch has not computed yet of complex numbers.
LAZY = frozenset({"is_conj", "is_neg"})


def guard(tracer: Tracer, node: Node, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """See to it that a question has the answer for the arguments that it has for the example.

    Raises:
        TraceError: where that cannot be checked.
    """
    if name in IN_ORDER:
        in_order(tracer, node, name, bool(name == "is_contiguous" and (args or kwargs)))
    if name in UNKNOWN:
        raise tracer.error(
            f".{name}() asks where in memory a tensor lies, which no translation keeps",
            "compare the tensors themselves: a is b",
        )
    dtype = node.spec.dtype
    if name in LAZY and (dtype is None or dtype.kind == "complex" or "path" not in node.meta):
        raise tracer.error(
            f".{name}() asks what torch has not computed yet, which is so in torch alone",
            "call .resolve_conj() or .resolve_neg(), and do not ask",
        )
    if name in SIZED:
        for dim in node.spec.shape:
            tracer.known(dim, f".{name} was read here")
    if name in TYPED | LAZY or node.spec.dtype is None:
        tracer.dtype(node)
    if name in SIZED | RANKED:
        tracer.rank(node)


def in_order(tracer: Tracer, node: Node, name: str, otherwise: bool) -> None:
    """See to it that the elements of a tensor lie row by row. `otherwise`: another order is asked for."""
    leaves = None if otherwise else layout.in_order(tracer, node)
    if leaves is None:
        raise tracer.error(
            f".{name}() of a tensor of which it is not known how its elements lie in memory",
            "call .contiguous(), which copies only where it must",
        )
    layout.note_order(leaves)

"""Numbers: what NumPy gives without axes is mostly a number, which no write changes for others: after
`s = x.sum(); old = s; s += 1` there are two. A few functions give an array all the same.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends import memory
from ...backends.memory import ARRAY, COMPUTED, INPLACE, KEPT
from ...backends.reading.tape import canonical_names
from ...backends.rows import elementwise
from ...ir.graphs import leaves
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import after, through
from ...ir.graphs.static import pin_rank
from ...ir.values.spec import Spec
from ..proxy import is_proxy, isinstance_scalar

if TYPE_CHECKING:
    from ..tracer import Tracer


def is_number(tracer: Tracer, node: Node) -> bool:
    """Whether a node gives a number of NumPy's, and no array."""
    if not tracer.backend.own_numbers or not isinstance(node.spec, Spec) or node.spec.shape != ():
        return False
    known = node.meta.get("number")
    if known is not None:
        return bool(known)
    if node.op == "get_attr":
        return isinstance(node.graph.constants.get(node.target), np.generic)
    if "outer" in node.meta:
        return is_number(tracer, node.meta["outer"])
    return without_axes(tracer, node)


def without_axes(tracer: Tracer, node: Node) -> bool:
    """Whether a call gives a number of NumPy's if its result has no axes."""
    if node.op in ("placeholder", "get_attr") or "path" in node.meta or "out" in node.kwargs:
        return False
    if node.target is operator.getitem and isinstance(node.args[0].spec, tuple):  # one of several results
        return kind(tracer, node.args[0]) != ARRAY
    if node.target is operator.getitem:
        return picks(node)
    if is_write(node):
        return False
    if keeps(tracer, node):
        if kind(tracer, node) == COMPUTED and leaves.is_complex(node):
            leaves.pin_parts([node])  # a real one is handed on as it is
            return True
        of = operand(node)
        return isinstance(of, Node) and is_number(tracer, of)
    return kind(tracer, node) != ARRAY


def operand(node: Node) -> Any:
    """What a call is given first."""
    return node.args[0] if node.args else next(iter(node.kwargs.values()), None)


def kind(tracer: Tracer, node: Node) -> str | None:
    """What a call gives if its result has no axes, as was measured; None where nobody knows."""
    return memory.kind(
        tracer.backend.name, canonical_names(node.op, node.target, node.args, tracer.backend)
    )


def keeps(tracer: Tracer, node: Node) -> bool:
    """Whether a call gives a number of a number."""
    return "keeps" in node.meta or kind(tracer, node) in (KEPT, COMPUTED)


def is_item(node: Node) -> bool:
    """Whether a node is a part of an array that a number has not."""
    key = node.args[1] if node.target is operator.getitem else ()
    return any(k is not ... and k is not None for k in (key if isinstance(key, tuple) else (key,)))


def pin_axes(tracer: Tracer, node: Node) -> None:
    """See to it that a value has axes whatever the arguments are: what it is computed from element by element
    has, and of anything else the rank is checked.

    Raises:
        TraceError: where ranks are not known: there is no example.
    """
    node = first(node)
    while (of := has_axes_of(tracer, node)) is not None:
        node = first(of)
    if is_given(node):
        leaves.pin_axes([node])
    elif node.spec.rank is None or any(leaf.spec.rank is None for leaf in leaves.behind([node])):
        raise tracer.shapeless(node)  # ranks of arguments say nothing of what has another rank each turn
    else:
        pin_rank([node])


def is_given(node: Node) -> bool:
    """Whether an array is an argument, or made outside of the program."""
    return "path" in node.meta or node.op == "get_attr"


def has_axes_of(tracer: Tracer, node: Node) -> Node | None:
    """The operand that has axes if what is computed from it has; None where that is not known."""
    if is_given(node):
        return None
    if keeps(tracer, node) and isinstance(of := operand(node), Node):
        return of
    names = canonical_names(node.op, node.target, node.args, tracer.backend)
    if not elementwise(tracer.framework.name, names):
        return None
    return max((n for n in node.all_input_nodes if isinstance(n.spec, Spec)), key=lambda n: n.spec.rank or 0)


def before(node: Node) -> Node:
    """What an array was before it was written into, or is outside of a loop or before its first turn; else
    itself.
    """
    if "outer" in node.meta:
        return node.meta["outer"]  # type: ignore[no-any-return]
    if isinstance(node.meta.get("first"), Node):
        return node.meta["first"]  # type: ignore[no-any-return]
    return node.args[0] if is_write(node) else node


def is_write(node: Node) -> bool:
    """Whether a node gives the array in which it writes."""
    return "writes" in node.meta or node.target in (operator.setitem, through, after)


def first(node: Node) -> Node:
    """What an array was before all that has been written into it."""
    while (earlier := before(node)) is not node:
        node = earlier
    return node


def kept(tracer: Tracer, node: Node) -> Node:
    """What an array was before all that has been written into it, and before it was copied by what gives a
    number of a number.
    """
    node = first(node)
    while node.op.startswith("call") and keeps(tracer, node) and isinstance(operand(node), Node):
        node = first(operand(node))
    return node


def picks(node: Node) -> bool:
    """Whether an indexing gives a number if it leaves no axes."""
    key = node.args[1] if isinstance(node.args[1], tuple) else (node.args[1],)
    return not any(k is ... or k is None or isinstance(k, slice) for k in key)


def name(node: Node) -> str:
    """What a call is called, or an attribute."""
    if node.target is getattr:
        return str(node.args[1])
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")


def note(tracer: Tracer, node: Node, ways: Any) -> bool:
    """Say whether a node gives a number that stands for one of several values.

    Returns:
        Whether some of these are numbers and others arrays, so that a write would mean different things.
    """
    if not tracer.backend.own_numbers or not isinstance(node.spec, Spec) or node.spec.shape != ():
        return False
    found = {counts(tracer, leaf) for leaf in ways}
    node.meta["number"] = found == {True}
    return len(found) > 1


def counts(tracer: Tracer, leaf: Any) -> bool:
    """Whether a leaf is a number: of Python's or NumPy's."""
    if is_proxy(leaf):
        return isinstance_scalar(leaf) or is_number(tracer, leaf.node)
    return not isinstance(leaf, np.ndarray)


def rebinds(fn: Any) -> Any:
    """The operator that `fn`, one in place, is for a number."""
    return getattr(operator, INPLACE[fn.__name__])

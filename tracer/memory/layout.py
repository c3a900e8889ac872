"""Layout: whether the elements of an array lie in memory row by row, so that reshaping it gives a view; or
surely do not, so that what lays them so gives a copy.

NumPy and torch keep the order of what they compute with: `x.T * 1` lies column by column. So what is known
of a value goes back to the arguments; those on which an answer depends are noted, and the emitted function
checks that they lie so (JAX's arrays always do).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends.arrays import convert
from ...backends.memory import gives, keeps_order
from ...backends.reading.locations import items, place
from ...backends.reading.tape import canonical_names
from ...ir.analysis.outside import VIEW
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from ...ir.graphs.regions import Function, Region, results, through
from ...ir.graphs.static import Scalar
from ...ir.graphs.walk import returned
from ...ir.sizes.dim import Sym, hint_of
from ...ir.values.spec import Spec

if TYPE_CHECKING:
    from ..tracer import Tracer


def in_order(tracer: Tracer, node: Node) -> set[Node] | None:
    """The arguments that must lie row by row for an array to do so; None where it may not even then."""
    found: dict[Node, bool] = {}
    return set(filter(is_given, found)) if ordered(tracer, node, found) else None


def is_given(node: Node) -> bool:
    """Whether it is an argument with axes, and not what a function is given."""
    inner = "outer" in node.meta or "given" in node.meta
    return "path" in node.meta and not inner and isinstance(node.spec, Spec) and bool(node.spec.shape)


def paths(tracer: Tracer, node: Node) -> frozenset[str] | None:
    """Likewise, as the function says them."""
    found = in_order(tracer, node)
    return None if found is None else frozenset(leaf.meta["path"] for leaf in found)


def note_order(leaves: Iterable[Node]) -> None:
    """Let the emitted function check that these arguments lie so."""
    for leaf in leaves:
        leaf.graph.meta.setdefault("ordered", set()).add(leaf.meta["path"])


def ordered(tracer: Tracer, node: Node, found: dict[Node, bool]) -> bool:
    """Likewise, for arguments that lie so. `found` has the answers by now."""
    if node not in found:
        found[node] = False  # of what a loop gives itself
        found[node] = lies_so(tracer, node, found)
    return found[node]


def lies_so(tracer: Tracer, node: Node, found: dict[Node, bool]) -> bool:
    if not isinstance(node.spec, Spec) or node.spec.shape is None:
        return False
    if not node.spec.shape:
        return True
    before = node.meta.get("outer", node.meta.get("given"))
    if before is not None:
        return ordered(tracer, before, found)
    if "path" in node.meta:
        return bool(node.meta.get("in_order"))
    if node.op == "get_attr":
        return bool(tracer.framework.in_order(tracer.names.constants[node.target]))
    if node.op not in ("call_function", "call_method"):
        return False
    whole, keys = place(node)
    if isinstance(whole.target, Region | Function):
        return in_order_within(tracer, whole, keys, found)
    if "writes" in node.meta or node.target in (operator.setitem, through):  # which moves no element
        return ordered(tracer, node.args[0], found)
    if node.target is operator.getitem:
        return leading(node) and ordered(tracer, node.args[0], found)
    names = canonical_names(node.op, node.target, node.args, tracer.backend)
    if not keeps_order(tracer.framework.name, names):
        return False
    return all(ordered(tracer, n, found) for n in node.all_input_nodes if isinstance(n.spec, Spec))


def in_order_within(tracer: Tracer, whole: Node, keys: Any, found: dict[Node, bool]) -> bool:
    """Likewise of what a region or function gives, on every way. What a function is given by this call must
    lie so too, since its graph knows only what the first one gave.
    """
    if isinstance(whole.target, Function):
        given = [n for n in whole.all_input_nodes if not isinstance(n.spec, Scalar)]
        values = [leaf for one in returned(whole.target.graph) for at, leaf in items(one) if at == keys]
    else:
        given, values = [], [*results(whole, keys[0])] if keys else []
    return bool(values) and all(isinstance(v, Node) and ordered(tracer, v, found) for v in (*given, *values))


def leading(node: Node) -> bool:
    """Whether a key picks elements that lie one after the other: `x[i]`, `x[a:b]`, `x[i, a:b]`."""
    if not isinstance(node.args[0].spec, Spec):
        return False
    key = node.args[1]
    entries = list(key) if isinstance(key, tuple) else [key]
    while entries and is_int(entries[0]):
        entries.pop(0)
    if not entries:
        return True
    first, *others = entries
    rows = isinstance(first, slice) and first.step in (None, 1)
    return rows and all(other == slice(None) for other in others)


def is_int(entry: Any) -> bool:
    number = isinstance(entry, Node) and isinstance(entry.spec, Scalar) and entry.spec.type is int
    return number or isinstance(entry, int) and not isinstance(entry, bool)


def apart(tracer: Tracer, array: Any) -> Node | None:
    """Of an array whose elements surely do not lie row by row, `x.T` or `x[:, 1]`, the one that it is a view
    of, and which does; of any sizes, as long as those stay larger than 1 that are. Else None.
    """
    node, views = array.node, []
    while (of := seen_through(tracer, node)) is not None:
        views.append(node)
        node = of
    if not views or in_order(tracer, node) is None or node.spec.hint_shape is None:
        return None
    framework = tracer.framework
    try:
        made = convert(np.zeros(node.spec.hint_shape, np.int8), framework.name)
        for view in reversed(views):
            made = framework.computed(view, {view.args[0]: made})
        return None if framework.in_order(made) else node
    except Exception:  # it takes other arrays too, or sizes that are not known
        return None


def seen_through(tracer: Tracer, node: Node) -> Node | None:
    """The array of which a node is a view with all its elements, in another order or repeated, or with those
    that a key picks by numbers and steps. What lies in an order then, for any sizes, is clear from one.
    """
    if node.op not in ("call_function", "call_method") or not node.args or not isinstance(node.args[0], Node):
        return None
    of, spec = node.args[0], node.spec
    if not all(isinstance(s, Spec) and s.hint_shape is not None for s in (of.spec, spec)):
        return None
    if node.target is operator.getitem:
        return of if spread(node.args[1]) else None
    names = canonical_names(node.op, node.target, node.args, tracer.backend)
    whole = np.prod(spec.hint_shape) >= np.prod(of.spec.hint_shape)
    return of if gives(tracer.framework.name, names) == VIEW and whole else None


def spread(key: Any) -> bool:
    """Whether a key takes all of an axis, a number, or every so many elements; of the first axis any part."""
    entries = key if isinstance(key, tuple) else (key,)
    for number, entry in enumerate(entries):
        if isinstance(entry, slice):
            if isinstance(entry.step, Node) or number and entry != slice(None) and entry.step in (None, 1):
                return False
        elif not (entry is None or entry is ... or type(entry) is int):
            return False
    return True


def stay_apart(tracer: Tracer, array: Any) -> Callable[[Iterable[Node]], None]:
    """What sees to it that the elements of an array which is `apart` do not lie row by row."""
    made, base = array.node, apart(tracer, array)
    assert base is not None

    def pinned(_: Iterable[Node]) -> None:
        if not tracer.reaches(made):
            raise UnsupportedError(
                "what is a copy or its operand, as that lies",
                why="a function gives it, and one of the two is written into",
                span=tracer.span(),
                hint="let the function give a copy, .copy()",
            )
        note_order(in_order(tracer, base) or ())
        for node in (base, made):
            proxy = tracer.framework.wrap(tracer, tracer.use(node))
            sizes = tracer.shape(proxy, named=False)
            for size, known in zip(sizes, node.spec.shape):
                if isinstance(known, Sym) and (hint_of(known) or 0) > 1:
                    larger_than_one(tracer, size)

    return pinned


def larger_than_one(tracer: Tracer, size: Any) -> None:
    """Let the emitted function check that a size is."""
    large = tracer.scalar(operator.gt, size, 1)
    if large is True:
        return
    tracer.look(large, "a copy is made where there is more than one")
    for node in (size.node, large.node):  # which no statement of the user's binds
        node.names = ()

"""Taking: what a turn of a loop that is being recorded takes from what it goes through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from ....backends.reading.inference import Seen
from ....ir.errors import UnsupportedError
from ....ir.graphs.graph import Node
from ....ir.graphs.static import Scalar, pin_rank
from ....ir.sizes.dim import Dim, hint_of
from ....ir.sizes.local import is_local, local
from ....ir.values.spec import Spec
from ....ir.values.tree import children, leaves, map_leaves
from ...memory.aliasing import doubt, kin, root
from ...memory.sharing import Doubt
from ...objects.containers import differs, inside
from ...objects.reach import reachable
from ...proxy import Scalar_, is_proxy
from ...values.collected import Collected
from ...values.listed import Listed
from ...values.sources import Sources, hint, limits

if TYPE_CHECKING:
    from ...tracer import Tracer


@dataclass(frozen=True, slots=True)
class Taken:
    """What a turn takes from one source.

    Attributes:
        value: what the body is given.
        nodes: the placeholders in it.
        listed: whether it is an item of a list. `held`: the containers in it, each with what it held.
        placed: whether the user takes it by the number of the turn.
    """

    value: Any
    nodes: list[Node]
    listed: bool = False
    held: list[tuple[Any, Any]] = field(default_factory=list)
    placed: bool = False


def forms(each: Iterable[Taken]) -> tuple[Any, ...]:
    """What a turn takes, with the number of its source in place of each placeholder."""
    numbers = count()
    return tuple(map_leaves(e.value, lambda leaf: next(numbers) if is_proxy(leaf) else None) for e in each)


def paths(each: Iterable[Any]) -> tuple[str, ...]:
    """How the function says the lists among its arguments that a loop goes through; "" for any other source,
    though it may be made of their items.
    """
    return tuple(s.given.path if isinstance(s, Listed) and s.given is not None else "" for s in each)


def handed(tracer: Tracer, source: Any) -> list[Any]:
    """A source as the tape has it: of a list one for each array of an item."""
    given = [source]
    if isinstance(source, Collected):
        given = [array for (array,) in source.columns]
    elif isinstance(source, Listed):
        given = [list(column) for column in source.columns]
        if source.given is None:
            source.rely(tracer)
        else:
            source.given.graph.meta.setdefault("listed", {})[source.given.path] = len(source.items)
    return [tracer.digest(each)[0] for each in given]


def all_taken(tracer: Tracer, sources: Sources | None) -> list[Taken]:
    """What one turn takes from all sources."""
    if sources is None:
        return []
    found = [taken(tracer, source) for source in sources.each]
    first = len(found) - sources.placed
    return [*found[:first], *(replace(each, placed=True) for each in found[first:])]


def taken(tracer: Tracer, source: Any) -> Taken:
    """What one turn takes from a source."""
    if isinstance(source, Collected):
        given = [(array, placeholder(tracer, "item")) for (array,) in source.columns]
        rows = [row_of(tracer, array, node, not source.is_even) for array, node in given]
        return whole(tracer, source, rows)
    if isinstance(source, Listed):
        return of_list(tracer, source)
    node = placeholder(tracer, "i" if isinstance(source, tuple) else "row")
    if isinstance(source, tuple):
        count = local(tracer.names.fresh("i"), hint(source), *limits(source))
        node.spec = Scalar(int, count, local=True)
        return Taken(Scalar_(tracer, node.spec, node=node), [node])
    return Taken(row_of(tracer, source, node), [node])


def placeholder(tracer: Tracer, name: str) -> Node:
    node: Node = tracer.graph.create_node("placeholder", name)
    node.meta["item"] = True
    return node


def row_of(tracer: Tracer, source: Any, node: Node, uneven: bool = False) -> Any:
    """A row of an array, which `node` gives. `uneven`: whether each may have another shape."""
    spec = source.node.spec
    shape = spec.shape[1:]
    if uneven:
        shape = tuple(local(tracer.names.fresh("row"), hint_of(d)) if is_local(d) else d for d in shape)
    row = tracer.wrap(node, Seen(Spec(shape, spec.dtype)))
    one_number = tracer.backend.own_numbers and len(spec.shape) == 1
    node.meta["number"], node.meta["row of"] = one_number, source.node
    if one_number:  # which of an array of another rank would be a part of it
        doubt(tracer, row, [Doubt(source, source.node, pin_rank)])
    elif tracer.framework.aliasing:
        node.meta["aliased"] = True
        tracer.memory.row_of[id(row)] = row, (source,)
    return row


def of_list(tracer: Tracer, source: Listed) -> Taken:
    """An item of a list, with arrays that may be those of any of its items."""
    arrays = []
    for column in source.columns:
        node = placeholder(tracer, "item")
        node.meta["any of"] = tuple(array.node for array in column)
        specs = [array.node.spec for array in column]
        shape = tuple(size(tracer, sizes) for sizes in zip(*(spec.shape for spec in specs)))
        form = tracer.seen(column[0].node)[0].form
        arrays.append(tracer.wrap(node, Seen(Spec(shape, specs[0].dtype), form)))
        if tracer.framework.aliasing:
            node.meta["aliased"] = True
            tracer.memory.row_of[id(arrays[-1])] = arrays[-1], column
            for array in column:
                kin(tracer, arrays[-1], root(tracer, array))
    made = whole(tracer, source, arrays)
    joined(tracer, made.value, source.items)
    return made


def whole(tracer: Tracer, source: Listed, arrays: Sequence[Any]) -> Taken:
    """An item of a list that holds these arrays."""
    value = source.filled(arrays)
    found = [container for _, container in reachable([("item", value)])]
    tracer.structure.items.update((id(container), container) for container in (value, *found))
    return Taken(value, [array.node for array in arrays], True, [(each, inside(each)) for each in found])


def size(tracer: Tracer, sizes: tuple[Dim, ...]) -> Dim:
    """What a size of arrays is of which each may have another."""
    first = sizes[0]
    same = all(type(each) is type(first) and each == first for each in sizes)
    return first if same else local(tracer.names.fresh("item"), hint_of(first), 0)


def joined(tracer: Tracer, made: Any, items: Iterable[Any]) -> None:
    """What is asked of an item is asked of all of them."""
    inner = [dict(children(item) or ()) for item in items]
    if not is_proxy(made) and children(made):
        tracer.structure.join(made, items)
        for key, value in children(made) or ():
            joined(tracer, value, [each[key] for each in inner])


def refuse_changes(
    tracer: Tracer, each: Iterable[Taken], written: Iterable[Any], kept: Iterable[Any]
) -> None:
    """Raises UnsupportedError where a turn changes what a list holds that the loop goes through: only the
    running program knows which of its items that is.

    Args:
        written: the arrays that the turn writes into.
        kept: what is left of the turn.
    """
    listed = [taken for taken in each if taken.listed]
    if not listed:
        return
    arrays = {id(leaf) for taken in listed for leaf in leaves(taken.value) if is_proxy(leaf)}
    wrote = any(id(root(tracer, proxy)) in arrays for proxy in written)
    changed = any(differs(c, inside(c), before) for taken in listed for c, before in taken.held)
    mine = {id(container) for taken in listed for container, _ in taken.held}
    keeps = any(id(c) in mine for _, c in reachable([("kept", value) for value in kept]))
    if wrote or changed or keeps:
        raise UnsupportedError(
            "changing what a list holds in a loop over it",
            why="which of its items that is, only the running program knows",
            span=tracer.span(),
            hint="make new ones",
        )

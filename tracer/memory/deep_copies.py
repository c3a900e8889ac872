"""Deep copies: of several arrays at once `copy.deepcopy` makes as many as there are, one where two of them
are one array; in torch also what lies in one memory stays together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from ...ir.analysis.outside import NEW
from ...ir.errors import UnsupportedError
from ...ir.graphs.graph import Node
from . import aliasing

if TYPE_CHECKING:
    from ..tracer import Tracer


def deeply(tracer: Tracer, array: Any, memo: Any) -> Any:
    """`array.__deepcopy__(memo)`. `memo`: what one `copy.deepcopy` hands to all that it copies.

    Raises:
        UnsupportedError: where two may be one, which no check can ask.
    """
    found = made(tracer, array)
    if tracer.framework.aliasing and isinstance(memo, dict):
        copied = memo.setdefault(deeply, [])  # Python's own keys are ints
        for other in copied:
            keep_two(tracer, array, other)
        copied.append(array)
    return found


def made(tracer: Tracer, array: Any) -> Any:
    """What Python's copy module makes of an array; of a number of NumPy's a number, where `np.copy` gives an
    array.
    """
    found = tracer.record(tracer.framework.copies, (array,))
    found.node.meta["keeps"] = True
    return found


def keep_two(tracer: Tracer, one: Any, other: Any) -> None:
    """Two arrays have a copy each: they must not be one array, nor in torch lie in the same memory."""
    roots = [aliasing.root(tracer, array) for array in (one, other)]
    storage = tracer.backend.deep_copies_together
    if roots[0] is roots[1]:
        if storage:
            raise together(tracer, "they lie in one memory, and their copies would too")
    elif storage or all(
        root is array for root, array in zip(roots, (one, other))
    ):  # a view is an object anew
        for pair in product(*(list(origins(tracer, root)) for root in roots)):
            ask(tracer, *pair)


def origins(tracer: Tracer, array: Any) -> Iterator[Any]:
    """What an array may be, or have its memory from, that is not made here."""
    of, sources = tracer.memory.row_of.get(id(array), (None, ()))
    if of is not array:
        call = array.node.op not in ("placeholder", "get_attr") and "path" not in array.node.meta
        if not call or array.node.meta.get("gives") != NEW or aliasing.is_linked(tracer, array):
            yield array
        return
    for source in sources:
        if tracer.backend.deep_copies_together or source.node.spec.rank == array.node.spec.rank:
            yield from origins(tracer, aliasing.root(tracer, source))


def ask(tracer: Tracer, one: Any, other: Any) -> None:
    """Let the text check that two arrays which are not made here are apart."""
    if one is other:
        raise together(tracer, "they may lie in one memory, and their copies would too")
    arguments = tracer.memory.arguments
    found: list[list[Node]] = [[node for proxy, node in arguments if proxy is each] for each in (one, other)]
    if all(found):
        fact = "unsure" if tracer.backend.deep_copies_together else "distinct"
        for nodes in product(*found):
            pair = tuple(sorted(node.meta["path"] for node in nodes))
            nodes[0].graph.meta.setdefault(fact, set()).add(pair)
    elif any(not frame.inline for frame in tracer.stack.frames[1:]):
        for frame in tracer.stack.frames:
            frame.copies = True  # so that it ends up where the arguments are
    elif one.node.op != "get_attr" and other.node.op != "get_attr":
        raise together(tracer, "they may be one array, and would then have one copy")


def together(tracer: Tracer, why: str) -> UnsupportedError:
    return UnsupportedError(
        "copy.deepcopy of several arrays", why=why, span=tracer.span(), hint="copy each of them by itself"
    )

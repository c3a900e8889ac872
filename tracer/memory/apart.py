"""Apart: whether two arrays share memory, where the program asks. Of arguments it is what it was in the
example, which the emitted function checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.errors import UnsupportedError
from ..proxy import is_array_proxy
from . import aliasing

if TYPE_CHECKING:
    from ..tracer import Tracer


def may_share(tracer: Tracer, one: Any, other: Any) -> bool:
    """Whether two arrays lie in one memory: False, or refused.

    Raises:
        UnsupportedError: where they do, or where that is not known.
    """
    arguments = {id(proxy): node for proxy, node in tracer.memory.arguments}
    roots = [aliasing.root(tracer, each) if is_array_proxy(each) else None for each in (one, other)]
    given = [node for each in roots if (node := arguments.get(id(each))) is not None]
    known = all(each is not None and not aliasing.is_linked(tracer, each) for each in roots)
    if not known or len(given) < len(roots) or roots[0] is roots[1]:
        raise unsure(tracer, "that is answered of arguments, and of parts of them, which are told apart")
    pair = tuple(sorted(node.meta["path"] for node in given))
    if frozenset(pair) in given[0].graph.meta.get("together", ()):
        raise unsure(tracer, "those of the example do, and another call may be given two")
    given[0].graph.meta.setdefault("unsure", set()).add(pair)
    return False


def unsure(tracer: Tracer, why: str) -> UnsupportedError:
    return UnsupportedError(
        "asking whether two arrays share memory",
        why=why,
        span=tracer.span(),
        hint="ask before, of the arguments of the traced function, or write into copies",
    )


class Storage:
    """`x.untyped_storage()`, of which only the address is asked."""

    def __init__(self, tracer: Tracer, array: Any) -> None:
        self.tracer = tracer
        self.array = array

    def data_ptr(self) -> Address:
        return Address(self.tracer, self.array)


class Address:
    """Where an array lies in memory, to be compared with where another does."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tracer: Tracer, array: Any) -> None:
        self.tracer = tracer
        self.array = array

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Address):
            raise unsure(self.tracer, "an address is compared with that of another array only")
        return may_share(self.tracer, self.array, other.array)

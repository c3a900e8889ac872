"""Sharing: what a trace knows of the memory that proxies lie in, see aliasing.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ...ir.graphs.graph import Node
from ...ir.source.span import Span
from ..objects.buffers import address
from .giving import Giving
from .making import Making


@dataclass(slots=True)
class View:
    """How a proxy was made of another: the call, as the tape has it, and what the parent was then.

    Attributes:
        node: what gives the proxy: the call, or one of its results.
        number: which of the arrays that the call was given the parent is.
        key: of one of several results, the key of x[...] at which it lies, as far as the example tells.
        needs: the arguments that must lie in memory row by row for it to be a view.
        others: what gives it on other ways, of what is the same view on each.
    """

    proxy: Any
    parent: Any
    node: Node
    number: int = 0
    key: Any = None
    needs: set[Node] = field(default_factory=set)
    others: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Lost:
    """An array that may have been changed by a write into another one, `by`, which is called `name` and was
    made at `span`.
    """

    proxy: Any
    name: str
    span: Span | None
    by: Any


@dataclass(slots=True)
class Doubt:
    """What an array would be a view of if something were otherwise: `then` is what that was when the array
    was made, and `pin` sees to it that nothing is otherwise.
    """

    of: Any
    then: Node
    pin: Callable[[Iterable[Node]], None]


@dataclass(slots=True)
class Memory:
    """What a trace knows of the memory that its arrays lie in.

    Attributes:
        arguments: the arrays among the arguments, each with its placeholder.
        views: what is known of proxies that are views, by id.
        log: the writes in place, each with what its proxy stood for before.
        shared: which of the last call's results lie in the memory of its operands, where the framework was
            asked.
        touched: the proxies that were written into, by id.
        leaked: arrays that are known under a name that does not see what is written into them, by id.
        row_of: the rows that recorded loops go through, by id, each with the array that it is a row of; and
            the items of lists, each with the arrays that it may be.
        by_number: the rows of arrays among these, each with what has its loop recorded anew, so that it takes
            them by the number of the turn.
        making: the arrays that Python made of constants. giving: the user's functions that give memory that
            they were given.
        links: what may share memory with an array, by ids.
        lost: the arrays that may have been changed by a write into another one, by id.
        retaken: calls with several results that were made anew, by the call, its operand and the new one.
        apart: linked arrays that are copies as long as the others lie as they do, by id, with what pins that.
        doubtful: arrays that are no views, but would be if the dtype or the rank of an argument were another,
            by id; see Doubt.
        kin: what the result of a region may be, and what may be one, by ids. That is no link: two results may
            each be one of two arrays, and never the same.
        origins: the arrays that the result of a region may be, by its id, as far as they were there before.
        constants: the memory of constants in which a result of a call lies, or may lie.
        lying: the constants on the tape by their memory, each with its path.
    """

    arguments: list[tuple[Any, Node]] = field(default_factory=list)
    views: dict[int, View] = field(default_factory=dict)
    log: list[tuple[Any, Node]] = field(default_factory=list)
    shared: tuple[bool, ...] | None = None
    touched: dict[int, Any] = field(default_factory=dict)
    leaked: dict[int, tuple[Any, str]] = field(default_factory=dict)
    row_of: dict[int, tuple[Any, tuple[Any, ...]]] = field(default_factory=dict)
    by_number: dict[int, tuple[Any, Callable[[], None]]] = field(default_factory=dict)
    making: Making = field(default_factory=Making)
    giving: Giving = field(default_factory=Giving)
    links: dict[int, dict[int, Any]] = field(default_factory=dict)
    lost: dict[int, Lost] = field(default_factory=dict)
    retaken: dict[tuple[Node, Node, Node], Node] = field(default_factory=dict)
    apart: dict[int, tuple[Any, Callable[[Iterable[Node]], None]]] = field(default_factory=dict)
    doubtful: dict[int, tuple[Any, list[Doubt]]] = field(default_factory=dict)
    kin: dict[int, dict[int, Any]] = field(default_factory=dict)
    origins: dict[int, tuple[Any, list[Any]]] = field(default_factory=dict)
    constants: set[int | None] = field(default_factory=set)
    lying: dict[int | None, list[tuple[str, Any]]] = field(default_factory=dict)

    def lies(self, path: str, constant: Any) -> None:
        """Note where the memory of a constant on the tape lies."""
        self.lying.setdefault(address(constant), []).append((path, constant))

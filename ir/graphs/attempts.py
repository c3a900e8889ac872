"""`try`, as a region: a cond whose predicate says whether its second graph raises.

    cond(fails(LinAlgError), handler, body, operands)

runs the body; where that raises what the handler names, the handler takes its place. Nothing that the body
did before is seen then, as only its last call binds names that others read. In a Program `attempted(value)`
stands behind each op that may raise, so that it stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .graph import Graph, Node
from .regions import Effect, cond
from .walk import every_node


@dataclass(frozen=True, slots=True, eq=False)
class Fails:
    """`fails()`: the predicate of such a cond, which is no value that anything else may read.

    Attributes:
        types: what the handler names.
    """

    types: tuple[type[BaseException], ...]

    @property
    def __name__(self) -> str:
        return f"fails[{', '.join(each.__name__ for each in self.types)}]"

    def __call__(self) -> Fails:
        return self


#: attempted(value): the op that gave this value may raise, and a handler would catch it.
attempted = Effect("attempted")


def is_attempt(node: Node) -> bool:
    """Whether a node is the cond of a `try`."""
    return node.target is cond and isinstance(node.args[0], Node) and isinstance(node.args[0].target, Fails)


def attempts(graph: Graph) -> Iterator[Node]:
    """The conds of `try` in a graph, and in the graphs in it."""
    return filter(is_attempt, every_node(graph))


def may_fail(graph: Graph) -> bool:
    """Whether an op in a graph, or in the graphs in it, may raise for a handler outside."""
    return any(node.target is attempted for node in every_node(graph))

"""Turning: loops that begin with a number of which a turn makes an array. A text for another framework has an
array on both ways; where the caller would see that there was no turn, it is checked that there is one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from ..ir.graphs.graph import Node
from ..ir.graphs.regions import for_loop, guard, loop
from ..ir.graphs.static import Scalar
from ..ir.graphs.walk import every_node
from ..ir.program import Program
from ..ir.sizes.dim import Sym, hint_of
from ..ir.values.spec import Spec
from .backend import Backend
from .unions import is_lost, mark_again

WHY = "a loop makes another kind of thing of what it begins with"


def check_turns(program: Program, target: Backend, source: Backend) -> None:
    """Let loops of a program surely turn, where a number would be lost that one gives which does not."""
    for number in [node for node in every_node(program) if is_lost(node, target, source)]:
        loops = [user for user in number.users if user.target is for_loop]
        if not loops or number.graph is not program or not is_lost(number, target, source):
            continue
        counts = [counts_of(node) for node in loops]
        if None in counts:
            continue
        for turns in (True, False):
            for node in loops:
                node.meta["turns"] = turns
            mark_again(program)
            if not is_lost(number, target, source):
                for node, known in zip(loops, counts):
                    check(program, node, known or ())
                break


def counts_of(node: Node) -> list[tuple[Any, Any]] | None:
    """For each thing that a loop goes through what must be more than what for a turn; None where that is not
    known, or there is none in the example.
    """
    found: list[tuple[Any, Any]] = []
    for source in loop(node).sources:
        match source:
            case (start, stop, int() as step) if step != 0:
                found.append((stop, start) if step > 0 else (start, stop))
            case Node(spec=Spec(shape=(size, *_))):
                found.append((size if isinstance(size, int) else source, 0))
            case [_, *_]:
                pass  # a list is checked to have as many items as in the example, or some
            case _:
                return None
    return found if all(hint(more) > hint(less) for more, less in found) else None


def hint(value: Any) -> Any:
    """What a number, or the size of an array, is in the example."""
    if isinstance(value, Node):
        value = rows(value) if isinstance(value.spec, Spec) else value.spec.value
    known = hint_of(value) if isinstance(value, (int, Sym)) else None
    return float("nan") if known is None else known


def rows(array: Node) -> Any:
    """How many an array has that is known to have some."""
    return array.spec.shape[0]


def check(program: Program, node: Node, counts: Iterable[tuple[Any, Any]]) -> None:
    with program.inserting_before(node):
        program.origin = node.origin
        for more, less in counts:
            if isinstance(more, Node) and isinstance(more.spec, Spec):
                shape = program.static(getattr, more, "shape", spec=Scalar(tuple, more.spec.shape))
                more = program.static(operator.getitem, shape, 0, spec=Scalar(int, rows(more)))
            if isinstance(more, Node) or isinstance(less, Node):
                turns = program.static(operator.gt, more, less, spec=Scalar(bool, None))
                made = program.create_node("call_function", guard, (turns, True), {"why": WHY})
                made.spec = Scalar(type(None))

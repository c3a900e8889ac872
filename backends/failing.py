"""What fails for some values of its operands when the program runs, and does not where it is compiled."""

from __future__ import annotations

import itertools
import operator
from typing import Any

from ..ir.errors import UnsupportedError
from ..ir.graph import Node
from ..ir.local import is_local
from ..ir.op import Op
from ..ir.ops.indexing import Slot
from ..ir.program import Program
from ..ir.spec import Spec
from ..ir.static import Scalar, taken


def may_raise(program: Program, node: Node) -> bool:
    """Whether what a tape node was read as refuses some values of its operands when it runs."""
    for made in itertools.takewhile(lambda made: made.origin is node, reversed(program.nodes)):
        if isinstance(made.spec, Scalar):
            if fails(made.target) and (taken(made) or is_local(made.spec.value)):
                return True
        elif isinstance(made.target, Op):
            arrays = [a.spec for a in made.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
            ints = all(spec.dtype is not None and spec.dtype.is_integer for spec in arrays)
            match made.target.raises:
                case "some":
                    return True
                case "ints" if ints:
                    return True
                case "none" if any(d is None or is_local(d) for s in arrays for d in s.shape or (None,)):
                    return True
                case "indices" if any(isinstance(k, Slot | Node) for k in made.kwargs["key"]):
                    return True
    return False


def fails(target: Any) -> bool:
    """Whether a function of Python's numbers refuses some of them."""
    return target in (int, operator.truediv, operator.floordiv, operator.mod, operator.pow) or (
        getattr(target, "__module__", "") == "math"
    )


def tried(node: Node, name: str) -> UnsupportedError:
    return UnsupportedError(
        f"{name} inside a `try`",
        why="only the running program knows whether it raises, and frameworks differ in that",
        span=node.span,
        hint="test for that before, or take it out of the `try`",
    )

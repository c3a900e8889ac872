"""What is outside of the promise: inputs whose result the frameworks themselves leave undefined.

README.md lists them, a line each; so does this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..backends.arrays import to_numpy
from ..backends.copies import arrays_of
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.walk import every_node
from ..ir.meaning.op import REGISTER, Op
from ..ir.values.spec import Spec
from ..tracer.interpreter import Interpreter

CAST = "a float out of an int's range was made an int"
DIVISION = "an int was divided by zero"
FACTORS = "LAPACK was given infinities, or NaN"
POWERS = "an int was raised to a power below 0, or of 64 or more"
SEARCHES = "a value was looked for in what is not sorted"
TIES = "equal values were put in order by a sort that is not stable"

#: What an op excludes, see Op.excludes, and of which dtypes its operands are then.
EXCLUDED = {
    "zeros": (DIVISION, {"int", "uint", "bool"}), "exponents": (POWERS, {"int", "uint"}),
    "unsorted": (SEARCHES, None), "infinities": (FACTORS, None),
}  # fmt: skip


class Watch(Interpreter):
    """Runs a tape, and notes what happens that is outside of the promise.

    Attributes:
        found: what it was, in words; "" where nothing happened.
    """

    def __init__(self, traced: Any) -> None:
        super().__init__(traced.graph)
        self.suspects: dict[Node, list[str]] = {}
        for call, why in suspects(traced.read(())):
            self.suspects.setdefault(call, []).append(why)
        self.found = ""

    def run_node(self, node: Node, args: Any, kwargs: Any) -> Any:
        for why in self.suspects.get(node, ()):
            if HAPPENS[why]([to_numpy(a) for a in arrays_of((args, kwargs))], (args, kwargs)):
                self.found = self.found or why
        return super().run_node(node, args, kwargs)


def suspects(program: Graph) -> Iterator[tuple[Node, str]]:
    """Calls of the tape that may do so, and what."""
    for node in every_node(program):
        call = node.stands_for
        if call is None or not isinstance(node.target, Op):
            continue
        operands = [a.spec for a in node.args if isinstance(a, Node) and isinstance(a.spec, Spec)]
        kinds = {spec.dtype.kind for spec in operands if spec.dtype is not None}
        made = node.spec.dtype if isinstance(node.spec, Spec) else None
        if node.target is REGISTER["cast"] and "float" in kinds and made is not None and made.is_integer:
            yield call, CAST
        why, of = EXCLUDED.get(node.target.excludes, ("", None))
        if why and (of is None or kinds <= of):
            yield call, why
        if node.kwargs.get("stable") is False:
            yield call, TIES


def unfit(operands: list[Any], _: Any) -> bool:
    """Whether a float is no int of 32 bits, or not one of 64."""
    floats = [a for a in operands if a.dtype.kind in "fV"]
    return any(not np.all(np.abs(a.astype(np.float64)) < 2**31) for a in floats)


def zero(operands: list[Any], _: Any) -> bool:
    return any(a.dtype.kind in "iub" and bool(np.any(a == 0)) for a in operands)


def extreme(_: Any, given: Any) -> bool:
    """Whether an exponent is beyond what JAX looks at."""
    exponent = np.asarray(given[0][1]) if len(given[0]) > 1 else np.zeros(())
    return bool(np.any((exponent < 0) | (exponent > 63)))


def unsorted(operands: list[Any], _: Any) -> bool:
    """Whether the array that is searched is in no order."""
    return any(not np.all(a[..., :-1] <= a[..., 1:]) for a in operands[:1] if a.ndim)


def infinite(operands: list[Any], _: Any) -> bool:
    return any(not np.all(np.isfinite(a.astype(np.complex128))) for a in operands)


def tied(operands: list[Any], _: Any) -> bool:
    """Whether a value is there twice, nan and -0.0 included."""
    return any(np.unique(a.astype(np.float64)).size < a.size for a in operands if a.dtype.kind in "fiubV")


HAPPENS = {
    CAST: unfit, DIVISION: zero, TIES: tied, FACTORS: infinite, POWERS: extreme, SEARCHES: unsorted,
}  # fmt: skip

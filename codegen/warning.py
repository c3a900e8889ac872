"""Narrowed: the warning that floats have fewer bits in a translation than in its source."""

from __future__ import annotations

import sys
import warnings
from itertools import count

from ..backends.backend import COMMON, Backend, backend
from ..ir.errors import PrecisionWarning
from ..ir.graphs.graph import Graph, Node
from ..ir.graphs.walk import every_node
from ..ir.values.spec import Spec

PACKAGE = __name__.partition(".")[0]


def warn_of_narrowed(program: Graph, target: Backend) -> None:
    """Say once, at the caller's line, that 64-bit floats became 32-bit ones, and where the program first has
    them.
    """
    first: Node | None = program.meta.get("narrowed floats")
    if first is None:
        return
    what = f"the argument {first.meta['path']}" if "path" in first.meta else "a value"
    lines = [
        f"{program.name}: {what} has floats of 64 bits, which are floats of 32 in {target.name} "
        "without x64"
    ]
    if first.span is not None:
        lines.append(first.span.report())
    if is_number(first) and any(map(is_single, every_node(program))):
        common = backend(COMMON)
        lines.append(
            f"  float32 arrays become float64 by numbers of {common.words}'s such as "
            f"{common.functions[0]}.sqrt(2), not by Python's: math.sqrt(2)"
        )
    lines.append(f"  try: {target.x64_on}, or say x64=False")
    warnings.warn("\n".join(lines), PrecisionWarning, stacklevel=level())


def is_number(node: Node) -> bool:
    """Whether a node is one number."""
    return "path" not in node.meta and isinstance(node.spec, Spec) and node.spec.shape == ()


def is_single(node: Node) -> bool:
    """Whether an argument has floats of 32 bits."""
    dtype = node.spec.dtype if isinstance(node.spec, Spec) else None
    return "path" in node.meta and dtype is not None and dtype.name == "float32"


def level() -> int:
    """How far up the stack the caller of the package stands, for who calls this function."""
    for number in count(2):
        try:
            frame = sys._getframe(number)
        except ValueError:
            break
        if frame.f_globals.get("__name__", "").partition(".")[0] != PACKAGE:
            return number
    return 2

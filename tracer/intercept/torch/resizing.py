"""Resizing: torch gives what `out=` names the shape of the result, where a write into it would broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....ir.errors import EXAMPLES, UnsupportedError
from ....ir.sizes.local import is_local

if TYPE_CHECKING:
    from ...tracer import Tracer

INSTEAD = "bind the result instead, or give a tensor of its shape"


def fits(tracer: Tracer, result: Any, out: Any, what: str) -> None:
    """Have it checked that the result has the shape of the tensor that it is written into.

    Raises:
        UnsupportedError: where it has not, or nobody can tell.
    """
    why = f"torch would resize what {what}(out=) is given to the shape of the result"

    def refused(hint: str) -> UnsupportedError:
        return UnsupportedError(
            f"{what}(out=)", why=f"{why}, and a write does not", span=tracer.span(), hint=hint
        )

    for array in (result, out):
        tracer.rank(array.node)
    mine, theirs = result.node.spec, out.node.spec
    if mine.shape is None or theirs.shape is None:
        raise refused(EXAMPLES)
    if mine.hint_shape != theirs.hint_shape:
        raise refused(INSTEAD)
    for one, other in zip(mine.shape, theirs.shape):
        if type(one) is type(other) and one == other:
            continue
        if is_local(one) or is_local(other):
            raise refused(INSTEAD)
        if isinstance(one, int):
            one, other = other, one
        tracer.guard(*((one, other) if isinstance(other, int) else (one - other, 0)), why)
